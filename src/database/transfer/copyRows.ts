import type { Connection } from 'mariadb';
import type { CopiedTable } from './copiedTables.js';

/** A statement with so many rows is well below the smallest packet that a server accepts by default (16 MB). */
const ROWS_AT_ONCE = 5_000;

type Value = string | number | null;
type Row = readonly Value[];

/**
 * Copies the rows of a table with their keys, in the order of these: the next rows are read while some are written. Calls `onRows`
 * with the number of rows copied so far, and gives that of all.
 */
export async function copyRows(
  source: Connection,
  target: Connection,
  table: CopiedTable,
  onRows: (count: number) => void,
): Promise<number> {
  let count = 0;
  for (let rows = await readRows(source, table, undefined); rows.length > 0;) {
    const [next] = await Promise.all([
      readRows(source, table, rows.at(-1)),
      target.query(insertion(target, table, rows)),
    ]);
    count += rows.length;
    onRows(count);
    rows = next;
  }
  return count;
}

function readRows(
  source: Connection,
  { name, columns, values, key }: CopiedTable,
  last: Row | undefined,
): Promise<Row[]> {
  const [first, second] = key;
  const [from, after] = key.map((column) => last?.[columns.indexOf(column)]);
  const [isAfter, bounds] =
    second === undefined
      ? [`${first} > ?`, [from]]
      : [`${first} >= ? AND (${first} > ? OR ${second} > ?)`, [from, from, after]];
  const sql = `SELECT ${values.join(', ')} FROM ${name} FORCE INDEX (PRIMARY)
    ${last === undefined ? '' : `WHERE ${isAfter}`} ORDER BY ${key.join(', ')} LIMIT ${ROWS_AT_ONCE}`;
  // dates as they are stored, also those that no calendar has
  return source.query<Row[]>({ sql, rowsAsArray: true, dateStrings: true }, last === undefined ? [] : bounds);
}

/** Placeholders for so many values would take the connector longer than the server needs for the rows. */
function insertion(target: Connection, { name, columns }: CopiedTable, rows: readonly Row[]): string {
  const tuples = rows.map((row) => `(${row.map((value) => literal(target, value)).join(',')})`);
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${tuples.join(',')}`;
}

/** Nothing in it needs escaping. */
const PLAIN = /^[\w:. -]*$/;

function literal(target: Connection, value: Value): string {
  if (typeof value !== 'string') return String(value);
  return PLAIN.test(value) ? `'${value}'` : target.escape(value);
}
