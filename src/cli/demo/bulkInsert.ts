import type { Selectable } from 'kysely';
import type { Connection } from 'mariadb';
import type { DB } from '../../database/statements.js';
import { timestampOf } from '../../database/timestamps.js';

/** The size of a statement: well below the smallest default limit of servers (16 MB). */
const STATEMENT_BYTES = 1_000_000;

type Values<T extends keyof DB, C extends readonly (keyof DB[T])[]> = {
  [I in keyof C]: Selectable<DB[T]>[C[I] & keyof Selectable<DB[T]>];
};

/**
 * Collects rows for one table and writes them in large statements, with the current time as
 * `created_at`. Values are numbers, null or words: escaping would take longer than the insert.
 */
export class BulkInsert<T extends keyof DB, const C extends readonly (keyof DB[T] & string)[]> {
  private readonly head: string;
  private readonly time = timestampOf(Date.now());
  private statements: string[] = [];
  private values: string[] = [];
  private bytes = 0;
  rows = 0;

  constructor(
    private readonly connection: Connection,
    readonly table: T,
    readonly columns: C,
  ) {
    this.head = `INSERT INTO ${table} (created_at, ${columns.join(', ')}) VALUES `;
  }

  add(...row: Values<T, C>): void {
    let text = `('${this.time}'`;
    for (const value of row) text += typeof value === 'string' ? `,'${word(value)}'` : `,${String(value)}`;
    text += ')';
    this.values.push(text);
    this.rows++;
    this.bytes += text.length + 1;
    if (this.bytes > STATEMENT_BYTES) this.close();
  }

  async flush(): Promise<void> {
    if (this.values.length > 0) this.close();
    for (const statement of this.statements) await this.connection.query(statement);
    this.statements = [];
    this.rows = 0;
  }

  private close(): void {
    this.statements.push(this.head + this.values.join(','));
    this.values = [];
    this.bytes = 0;
  }
}

function word(value: string): string {
  if (/[^\w-]/.test(value)) throw new Error(`${value} is not a word`);
  return value;
}

/** Writes new rows of ids and names. */
interface NameInsert {
  readonly table: string;
  readonly columns: readonly [id: 'id', name: string];
  add(id: number, name: string): void;
  flush(): Promise<void>;
}

/** Maps names to the ids of a table. Adds missing names to the table. */
export class NamedRows {
  private constructor(
    private readonly ids: Map<string, number>,
    private nextId: number,
    private readonly insert: NameInsert,
  ) {}

  static async read(connection: Connection, insert: NameInsert): Promise<NamedRows> {
    const sql = `SELECT ${insert.columns.join(', ')} FROM ${insert.table}`;
    const rows = await connection.query<[id: number, name: string][]>({ rowsAsArray: true, sql });
    const lastId = rows.reduce((last, [id]) => Math.max(last, id), 0);
    return new NamedRows(new Map(rows.map(([id, name]) => [name, id])), lastId + 1, insert);
  }

  /** Returns the id of a name. A new name gets the next id; the next `flush` writes its row. */
  idOf(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.nextId++;
    this.ids.set(name, id);
    this.insert.add(id, name);
    return id;
  }

  flush(): Promise<void> {
    return this.insert.flush();
  }
}
