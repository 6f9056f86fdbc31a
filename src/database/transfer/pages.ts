import type { Connection } from 'mariadb';
import type { CopiedTable } from './copiedTables.js';

/** A statement with so many rows is well below the smallest packet that a server accepts by default (16 MB). */
const ROWS_AT_ONCE = 5_000;

export type Value = string | number | null;
export type Row = readonly Value[];
type PagedTable = Pick<CopiedTable, 'name' | 'columns' | 'values' | 'key'>;

/** The rows of a table behind one of them, in the order of their keys; none: there are no more. */
export function readPage(
  source: Connection,
  { name, columns, values, key }: PagedTable,
  last: Row | undefined,
): Promise<Row[]> {
  const bounds = last === undefined ? [] : key.map((column) => last[columns.indexOf(column)]);
  const behind = isBehind(key);
  const sql = `SELECT ${values.join(', ')} FROM ${name} FORCE INDEX (PRIMARY)
    ${last === undefined ? '' : `WHERE ${behind.text}`} ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`;
  // dates as they are stored, also those that no calendar has
  return source.query<Row[]>(
    { sql, rowsAsArray: true, dateStrings: true },
    last === undefined ? [] : behind.order.map((at) => bounds[at]),
  );
}

/** The condition for keys above one, and which of that one's values stands at each of its placeholders. */
function isBehind(key: readonly string[], from = 0): { readonly text: string; readonly order: number[] } {
  const column = key[from];
  if (from === key.length - 1) return { text: `${column} > ?`, order: [from] };
  const rest = isBehind(key, from + 1);
  return {
    // the first condition alone tells the server where to begin
    text: `${column} >= ? AND (${column} > ? OR (${rest.text}))`,
    order: [from, from, ...rest.order],
  };
}

/** Placeholders for so many values would take the connector longer than the server needs for the rows. */
export function insertion(
  target: Connection,
  { name, columns }: Pick<CopiedTable, 'name' | 'columns'>,
  rows: readonly Row[],
): string {
  const tuples = rows.map((row) => `(${row.map((value) => literal(target, value)).join(',')})`);
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${tuples.join(',')}`;
}

/** Nothing in it needs escaping. */
const PLAIN = /^[\w:. -]*$/;

function literal(target: Connection, value: Value): string {
  if (typeof value !== 'string') return String(value);
  return PLAIN.test(value) ? `'${value}'` : target.escape(value);
}
