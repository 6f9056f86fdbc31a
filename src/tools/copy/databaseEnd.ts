import type { Connection } from 'mariadb';
import {
  EXPECTED_TABLES,
  HISTORY_TABLE,
  OWN_TABLES,
  type StoredTable,
} from '../../store/migrations/tables.js';
import { isStandard } from '../../store/sql/catalog.js';
import { LOCK_TABLE } from '../../store/migrations/migrationLock.js';
import { ALEMBIC_TABLE } from '../../store/migrations/migrator.js';
import {
  PAGE_ROWS,
  compareChecks,
  failWith,
  type Comparison,
  type CopyWriter,
  type Progress,
  type Row,
  type SourceTable,
  type TableChecks,
  type Value,
} from './copy.js';

/** The columns of a table that are copied. */
export interface TableLayout {
  readonly name: string;
  readonly columns: readonly string[];
  /** The SQL expression of each column. It returns every digit of a float. */
  readonly values: readonly string[];
  readonly key: readonly string[];
  /** Whether the database generates ids. */
  readonly isCounted: boolean;
}

/** A table of a database, or a table of a file with its layout in the database. */
export type LaidOutTable = SourceTable & Pick<TableLayout, 'values'>;

/** The leases of the processes that work on the database. */
export const LEASE_TABLE = 'placement_feed_writers';

/** The tables of the change feed. They are never copied: readers of the feed start again. */
export const FEED = /^placement_feed_/;

/** Tables that have rows in an empty database: the standard traits and resource classes. */
export const CATALOG_TABLES = ['traits', 'resource_classes'] as const;

/** Every table of this program and of OpenStack Placement. The lease of a migration is omitted. */
export function knownTables(): string[] {
  return [...Object.keys(EXPECTED_TABLES), ...Object.keys(OWN_TABLES), HISTORY_TABLE, ALEMBIC_TABLE];
}

/** Returns the layouts of tables by name. Omits tables that an older database lacks. */
export function layoutsOf(
  stored: ReadonlyMap<string, StoredTable>,
  names: readonly string[] = knownTables(),
): TableLayout[] {
  return names.flatMap((name) => {
    const table = FEED.test(name) ? undefined : stored.get(name);
    return table === undefined ? [] : [layoutOf(name, table)];
  });
}

function layoutOf(name: string, { columns: all, indexes }: StoredTable): TableLayout {
  const expected = EXPECTED_TABLES[name]?.columns;
  const columns = expected === undefined ? all : all.filter((column) => column.name in expected);
  const missing = Object.keys(expected ?? {}).find((column) => !all.some((each) => each.name === column));
  const key = indexes.find((index) => index.name === 'PRIMARY')?.columns;
  if (missing !== undefined || key === undefined)
    throw new Error(
      `the table ${name} has no ${missing === undefined ? 'primary key' : `column ${missing}`}: ` +
        '`placement-graphql doctor` lists the required changes',
    );
  return {
    name,
    columns: columns.map((column) => column.name),
    values: columns.map(({ name: column, type }) => (type === 'float' ? `${column} + 0e0` : column)),
    key,
    isCounted: columns.some(({ extra }) => extra.includes('auto_increment')),
  };
}

/** Tables and columns of other programs. They are not copied. */
export function externalParts(tables: ReadonlyMap<string, StoredTable>): string[] {
  const known = new Set([...knownTables(), LOCK_TABLE]);
  return [...tables].flatMap(([table, { columns }]) => {
    if (!known.has(table)) return [`the table ${table}`];
    const expected = EXPECTED_TABLES[table]?.columns ?? {};
    const others = columns.filter(({ name }) => table in EXPECTED_TABLES && !(name in expected));
    return others.map(({ name }) => `the column ${table}.${name}`);
  });
}

export function databaseTables(source: Connection, layouts: readonly TableLayout[]): LaidOutTable[] {
  return layouts.map((layout) => ({
    ...layout,
    pages: () => pagesOf(source, layout),
    checks: () => readChecks(source, layout),
  }));
}

/** Reads the next page while the previous one is written. */
async function* pagesOf(source: Connection, table: TableLayout): AsyncGenerator<Row[]> {
  const read = (last?: Row): Promise<Row[]> => {
    const page = readPage(source, table, last).catch(failWith(`cannot read ${table.name}`));
    page.catch(() => undefined); // reported where it is awaited, unless writing fails first
    return page;
  };
  for (let next = read(); ;) {
    const rows = await next;
    if (rows.length === 0) return;
    next = read(rows.at(-1));
    yield rows;
  }
}

function readPage(
  source: Connection,
  { name, columns, values, key }: TableLayout,
  last?: Row,
): Promise<Row[]> {
  const lastKey = last && key.map((column) => last[columns.indexOf(column)]);
  const bound = lastKey && isAfter(key, lastKey);
  const sql = `SELECT ${values.join(', ')} FROM ${name} FORCE INDEX (PRIMARY)
    ${bound ? `WHERE ${bound.text}` : ''} ORDER BY ${key.join(', ')} LIMIT ${PAGE_ROWS}`;
  // invalid dates are also copied as they are stored
  return source.query<Row[]>({ sql, rowsAsArray: true, dateStrings: true }, bound?.values);
}

/** Returns the condition for keys above a bound, with its parameters. */
function isAfter(
  [column, ...columns]: readonly string[],
  [value, ...values]: Row,
): { text: string; values: Row } {
  if (columns.length === 0) return { text: `${column} > ?`, values: [value] };
  const rest = isAfter(columns, values);
  return {
    // the server uses only the first condition to find the first row
    text: `${column} >= ? AND (${column} > ? OR (${rest.text}))`,
    values: [value, value, ...rest.values],
  };
}

/** Tables whose checks contain the sum of generations. */
const VERSIONED = ['resource_providers', 'consumers'];

const USED = `
  SELECT COALESCE(CONVERT(c.name USING utf8mb4), CONCAT('class ', a.resource_class_id)) AS name,
         CAST(SUM(a.used) AS CHAR) AS used
    FROM allocations a LEFT JOIN resource_classes c ON c.id = a.resource_class_id
   GROUP BY a.resource_class_id, c.name ORDER BY a.resource_class_id`;

async function readChecks(
  connection: Connection,
  { name, values }: Pick<TableLayout, 'name' | 'values'>,
): Promise<TableChecks> {
  const isVersioned = VERSIONED.includes(name);
  const row = values.map((value) => `QUOTE(CONVERT(${value} USING utf8mb4))`).join(', ');
  const [[rows, checksum, total]] = await connection.query<string[][]>({
    rowsAsArray: true,
    sql: `SELECT CAST(COUNT(*) AS CHAR), CAST(BIT_XOR(CRC32(CONCAT_WS(',', ${row}))) AS CHAR),
                 CAST(${isVersioned ? 'COALESCE(SUM(generation), 0)' : 0} AS CHAR) FROM ${name}`,
  });
  const used = name === 'allocations' ? await connection.query<{ name: string; used: string }[]>(USED) : [];
  return {
    rows,
    ...(isVersioned && { 'sum of generation': total }),
    ...Object.fromEntries(used.map((each) => [`${each.name} used`, each.used])),
    checksum,
  };
}

/** Returns the next id that a table generates. MySQL's information_schema may return an outdated one. */
export async function nextId(connection: Connection, table: string): Promise<number> {
  const [[, definition]] = await connection.query<[string, string][]>({
    sql: `SHOW CREATE TABLE ${table}`,
    rowsAsArray: true,
  });
  return Number(/ AUTO_INCREMENT=(\d+)/.exec(definition)?.[1] ?? 1);
}

/** Sets the next id of a table. Commits an open transaction of the connection. */
export async function setNextId(connection: Connection, table: string, next: number): Promise<void> {
  await connection.query(`ALTER TABLE ${table} AUTO_INCREMENT = ${next}`);
}

/** SQL modes that allow the id 0 and invalid dates, so that every stored value can be copied. */
const MODES = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES';

const DONE = { copy: 'copied', restore: 'restored' } as const;

/** Writes rows into the tables of a database. The connection must not be used for anything else afterwards. */
export class DatabaseWriter implements CopyWriter<LaidOutTable> {
  private readonly tables: LaidOutTable[] = [];

  constructor(
    private readonly target: Connection,
    private readonly verb: keyof typeof DONE,
    private readonly progress: Progress,
  ) {}

  async prepare(): Promise<void> {
    await this.target.query(`SET SESSION foreign_key_checks = 0, sql_mode = '${MODES}'`);
  }

  begin(table: LaidOutTable): void {
    this.tables.push(table);
  }

  async write(rows: readonly Row[]): Promise<void> {
    const table = this.tables.at(-1)!;
    await this.target
      .query(insertion(this.target, table, rows))
      .catch(failWith(`cannot ${this.verb} ${table.name}`));
  }

  end(count: number): void {
    this.progress.onProgress(`${DONE[this.verb]} ${this.tables.at(-1)!.name}: ${count} rows`);
  }

  /** Compares all tables. Call it after all are written: one check reads names of another table. */
  async *compare(): AsyncGenerator<Comparison> {
    for (const table of this.tables) {
      const [source, copy] = await Promise.all([table.checks(), readChecks(this.target, table)]);
      yield compareChecks(table.name, source, copy);
    }
  }
}

/** Builds an INSERT with literals: the connector is slow with very many placeholders. */
export function insertion(
  target: Connection,
  { name, columns }: Pick<TableLayout, 'name' | 'columns'>,
  rows: readonly Row[],
): string {
  const tuples = rows.map((row) => `(${row.map((value) => literal(target, value)).join(',')})`);
  return `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${tuples.join(',')}`;
}

/** Text that needs no escaping. */
const PLAIN = /^[\w:. -]*$/;

function literal(target: Connection, value: Value): string {
  if (typeof value !== 'string') return String(value);
  return PLAIN.test(value) ? `'${value}'` : target.escape(value);
}

/** Updates the statistics of the optimizer. The server would do so later by itself. */
export async function analyze(connection: Connection, names: readonly string[]): Promise<void> {
  await connection.query(`ANALYZE TABLE ${names.join(', ')}`);
}

/**
 * Checks that a database has nothing but standard traits and resource classes.
 *
 * @throws Error with a one-line message that ends with `remedy`
 */
export async function requireEmpty(connection: Connection, remedy = ''): Promise<void> {
  const refuse = (found: string): Error =>
    new Error(`the target must be empty, and it has ${found}${remedy}`);
  const catalog: readonly string[] = CATALOG_TABLES;
  for (const name of Object.keys(EXPECTED_TABLES).filter((each) => !catalog.includes(each))) {
    const rows = await connection.query<unknown[]>(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) throw refuse(`rows in ${name}`);
  }
  for (const table of catalog) {
    const rows = await connection.query<{ name: string }[]>(`SELECT name FROM ${table}`);
    const custom = rows.find(({ name }) => !isStandard(name));
    if (custom !== undefined) throw refuse(`${custom.name} in ${table}`);
  }
}
