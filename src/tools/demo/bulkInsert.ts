import type { Selectable } from 'kysely';
import type { Connection } from 'mariadb';
import { type DB, timestampOf } from '../../store/sql/statements.js';

/** The size of a statement: well below the smallest default limit of servers (16 MB). */
const STATEMENT_BYTES = 1_000_000;

/**
 * Collects rows for one table and writes them in large statements, with the current time as
 * `created_at`. All rows have the columns of the first one. Values are numbers, null or words:
 * escaping would take longer than the insert.
 */
export class BulkInsert<T extends keyof DB> {
  private readonly time = timestampOf(Date.now());
  private columns: string[] = [];
  private statements: string[] = [];
  private values: string[] = [];
  private bytes = 0;
  rows = 0;

  constructor(
    private readonly connection: Connection,
    readonly table: T,
  ) {}

  add(row: Partial<Selectable<DB[T]>>): void {
    if (this.columns.length === 0) this.columns = Object.keys(row);
    let text = `('${this.time}'`;
    for (const column of this.columns) {
      const value = (row as Readonly<Record<string, unknown>>)[column];
      text += typeof value === 'string' ? `,'${word(value)}'` : `,${String(value)}`;
    }
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
    const columns = ['created_at', ...this.columns].join(', ');
    this.statements.push(`INSERT INTO ${this.table} (${columns}) VALUES ${this.values.join(',')}`);
    this.values = [];
    this.bytes = 0;
  }
}

function word(value: string): string {
  if (/[^\w-]/.test(value)) throw new Error(`${value} is not a word`);
  return value;
}

/** Maps names to the ids of a table. Adds missing names to the table. */
export class NamedRows {
  private constructor(
    private readonly ids: Map<string, number>,
    private nextId: number,
    private readonly insert: BulkInsert<keyof DB>,
    private readonly column: string,
  ) {}

  static async read(connection: Connection, table: keyof DB, column = 'name'): Promise<NamedRows> {
    const sql = `SELECT id, ${column} FROM ${table}`;
    const rows = await connection.query<[id: number, name: string][]>({ rowsAsArray: true, sql });
    const lastId = rows.reduce((last, [id]) => Math.max(last, id), 0);
    const ids = new Map(rows.map(([id, name]) => [name, id]));
    return new NamedRows(ids, lastId + 1, new BulkInsert(connection, table), column);
  }

  /** Returns the id of a name. A new name gets the next id; the next `flush` writes its row. */
  idOf(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.nextId++;
    this.ids.set(name, id);
    this.insert.add({ id, [this.column]: name });
    return id;
  }

  flush(): Promise<void> {
    return this.insert.flush();
  }
}
