import type { Connection } from 'mariadb';
import { COPIED_TABLES, type CopiedTable } from './tables.js';

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
  for (let rows = await readPage(source, table, undefined); rows.length > 0;) {
    const [next] = await Promise.all([
      readPage(source, table, rows.at(-1)),
      target.query(insertion(target, table, rows)),
    ]);
    count += rows.length;
    onRows(count);
    rows = next;
  }
  return count;
}

/**
 * Has the target give no id that the source has given, not even one whose row is deleted: rows that point at nothing, such as an
 * allocation from a provider that is gone, would belong to a new row. Not part of a transaction; may be repeated.
 */
export async function raiseNextIds(source: Connection, target: Connection): Promise<void> {
  for (const { name, isCounted } of COPIED_TABLES) {
    if (!isCounted) continue;
    const next = await nextId(source, name);
    if (next > (await nextId(target, name))) {
      await target.query(`ALTER TABLE ${name} AUTO_INCREMENT = ${next}`);
    }
  }
}

/** From the definition, because MySQL's information_schema tells what it was some time ago. */
export async function nextId(connection: Connection, table: string): Promise<number> {
  const [[, definition]] = await connection.query<[string, string][]>({
    sql: `SHOW CREATE TABLE ${table}`,
    rowsAsArray: true,
  });
  return Number(/ AUTO_INCREMENT=(\d+)/.exec(definition)?.[1] ?? 1);
}

/** What a table is compared by, as text: the number of rows, sums, and a checksum of all values. */
export type Figures = ReadonlyMap<string, string>;

/** Columns whose sums are told. */
const SUMMED: Readonly<Record<string, string>> = {
  resource_providers: 'generation',
  consumers: 'generation',
};

const USED = `
  SELECT COALESCE(CONVERT(c.name USING utf8mb4), CONCAT('class ', a.resource_class_id)) AS name,
         CAST(SUM(a.used) AS CHAR) AS used
    FROM allocations a LEFT JOIN resource_classes c ON c.id = a.resource_class_id
   GROUP BY a.resource_class_id, c.name ORDER BY a.resource_class_id`;

export async function readFigures(connection: Connection, table: CopiedTable): Promise<Figures> {
  const { name, values } = table;
  const sum = SUMMED[name];
  const row = values.map((value) => `QUOTE(CONVERT(${value} USING utf8mb4))`).join(', ');
  const [[rows, checksum, total]] = await connection.query<string[][]>({
    rowsAsArray: true,
    sql: `SELECT CAST(COUNT(*) AS CHAR), CAST(BIT_XOR(CRC32(CONCAT_WS(',', ${row}))) AS CHAR),
                 CAST(${sum === undefined ? 0 : `COALESCE(SUM(${sum}), 0)`} AS CHAR) FROM ${name}`,
  });
  const used = name === 'allocations' ? await connection.query<{ name: string; used: string }[]>(USED) : [];
  return new Map([
    ['rows', rows],
    ...(sum === undefined ? [] : [[`sum of ${sum}`, total] as const]),
    ...used.map((each) => [`${each.name} used`, each.used] as const),
    ['checksum', checksum],
  ]);
}

export function areEqual(some: Figures, others: Figures): boolean {
  return some.size === others.size && [...some].every(([label, figure]) => others.get(label) === figure);
}

/** One line; figures that differ are told as they are in the source and in the copy. */
export function lineOf({ name }: CopiedTable, source: Figures, copy: Figures = source): string {
  const labels = new Set([...source.keys(), ...copy.keys()]);
  const figures = Array.from(labels, (label) => {
    const [here, there] = [source, copy].map((each) => each.get(label) ?? 'none');
    return `${label} ${here === there ? here : `${here}, in the copy ${there}`}`;
  });
  return `${name}: ${figures.join('; ')}`;
}
