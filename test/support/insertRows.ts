import type { Database } from '../../src/store/database/database.js';

export type Row = readonly (string | number | null | undefined)[];

const ROWS_AT_ONCE = 5_000;

/** Inserts rows with these columns into a table. */
export async function insertRows(
  { pool }: Pick<Database, 'pool'>,
  table: string,
  columns: string,
  rows: readonly Row[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = rows.slice(at, at + ROWS_AT_ONCE);
    await pool.query(`INSERT INTO ${table} (${columns}) VALUES ${part.map(() => '(?)').join(', ')}`, part);
  }
}
