import type { Selectable } from 'kysely';
import type { Connection } from 'mariadb';
import type { DB } from '../../database/statements.js';

/** Stays well below the smallest packet that a server accepts by default (16 MB). */
const STATEMENT_BYTES = 1_000_000;

/** The values of columns in their order. */
type Values<T extends keyof DB, C extends readonly (keyof DB[T])[]> = {
  [I in keyof C]: Selectable<DB[T]>[C[I] & keyof Selectable<DB[T]>];
};

/**
 * Gathers rows for one table and writes them in large statements, with the current time as `created_at`.
 *
 * Values are numbers, null, and words of letters, digits, `-` and `_`: nothing that would need escaping, which takes the
 * connector longer than the server needs for the row.
 */
export class BulkInsert<T extends keyof DB, const C extends readonly (keyof DB[T] & string)[]> {
  private readonly head: string;
  private readonly time = new Date().toISOString().slice(0, 19).replace('T', ' ');
  private statements: string[] = [];
  private values: string[] = [];
  private bytes = 0;
  /** Gathered and not written yet. */
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
