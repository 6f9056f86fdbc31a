import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  sql,
  type Compilable,
  type RawBuilder,
  type SelectExpression,
  type Selection,
  type SelectQueryBuilder,
  type SelectType,
} from 'kysely';
import type { Connection, UpsertResult } from 'mariadb';
import { expectedTables } from '../../generated/expectedTables.js';
import type { DB } from '../../generated/tables.js';

export type { DB };

/** Runs statements: the pool, a connection or a transaction. */
export type Queryable = Pick<Connection, 'query'>;

/** Returns the text of a statement, in which values are placeholders. */
export function textOf(statement: Parameters<Queryable['query']>[0]): string {
  return typeof statement === 'string' ? statement : statement.sql;
}

/**
 * Builds SQL for the tables of prisma/schema.prisma: renaming a column there fails the type check. Statements are sent
 * through the pool or a transaction (ADR 1).
 */
export const tables = new Kysely<DB>({
  dialect: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
});

/** The text of a statement that was compiled once, and the type of its rows. */
export interface Statement<Row> {
  readonly text: string;
  /** Always absent. It only carries the type. */
  readonly row?: Row;
}

/** Compiles a reusable statement. All its values are placeholders ({@link value}, {@link list}). */
export function statement<Row>(query: Compilable<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile();
  if (parameters.length > 0) throw new Error(`values in a statement that is compiled once: ${text}`);
  return { text };
}

export type ArrayRow<D, TB extends keyof D, C extends readonly unknown[]> = {
  readonly [I in keyof C]: Selection<D, TB, C[I]>[keyof Selection<D, TB, C[I]>];
};

/** Compiles a bulk read, whose rows are arrays in the order of `columns`, because objects cost more. */
export function arrayStatement<D, TB extends keyof D, const C extends readonly SelectExpression<D, TB>[]>(
  query: SelectQueryBuilder<D, TB, object>,
  columns: C,
): Statement<ArrayRow<D, TB, C>> {
  return { text: statement(query.select(columns)).text };
}

/** Appends text to a compiled statement, such as a condition for one call. */
export function appended<Row>({ text }: Statement<Row>, tail: string): Statement<Row> {
  return { text: `${text} ${tail}` };
}

/** The placeholder of one value. */
export function value<T>(): RawBuilder<T> {
  return sql<T>`?`;
}

/** The placeholder of a list of values, after IN. */
export function list<T>(): RawBuilder<T> {
  return sql<T>`(?)`;
}

/** Sends a compiled statement with the values of its placeholders, in the order of its text. */
export function read<Row>(
  reader: Queryable,
  { text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return reader.query<Row[]>(text, values);
}

/** Compiles and sends a statement that is used only once. */
export function execute<Row>(reader: Queryable, query: Compilable<Row>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile();
  return reader.query<Row[]>(text, parameters);
}

/** Sends a compiled statement that writes. */
export function write(
  reader: Queryable,
  { text }: Statement<unknown>,
  values: readonly unknown[] = [],
): Promise<UpsertResult> {
  return reader.query<UpsertResult>(text, values);
}

/**
 * Begins an UPDATE of rows that the condition lists by an index. The statement then locks only these rows: for a long
 * list, a database would otherwise scan the table and wait for unrelated rows (ADR 31). MySQL obeys the hint, and
 * MariaDB the sql_safe_updates of {@link Database.transactions}. A list may have up to 30,000 rows.
 */
export function updateOf(table: keyof DB): string {
  return `UPDATE /*+ INDEX(${table}) */ ${table}`;
}

/** Begins a DELETE of rows that the condition lists by an index, as {@link updateOf} does. */
export function deletionFrom(table: keyof DB): string {
  return `DELETE /*+ INDEX(${table}) */ FROM ${table}`;
}

/** An expression in SQL text, usually a column. `T` is the type of its values. */
export type Column<T = unknown> = string & { readonly type?: T };

type ColumnTexts<T, Absent = never> = { readonly [C in keyof T & string]: Column<SelectType<T[C]> | Absent> };

/**
 * The columns of a table, with its alias in the statement, for SQL that Kysely cannot write, such as a STRAIGHT_JOIN or
 * a condition with a term for each of many rows.
 */
export function columns<T extends keyof DB>(table: T, alias?: string): ColumnTexts<DB[T]> {
  const names = Object.keys(expectedTables[table].columns);
  const named = names.map((name) => [name, alias === undefined ? name : `${alias}.${name}`]);
  return Object.fromEntries(named) as ColumnTexts<DB[T]>;
}

/** The columns of a table that a LEFT JOIN adds. They are null if the join finds no row. */
export function joinedColumns<T extends keyof DB>(table: T, alias: string): ColumnTexts<DB[T], null> {
  return columns(table, alias);
}

/** The columns of a statement by their names in its rows. */
export type SelectList = Readonly<Record<string, Column>>;

export type RowOf<List extends SelectList> = {
  readonly [Name in keyof List]: List[Name] extends Column<infer T> ? T : never;
};

/** Builds a statement from a select list and the text after it. */
export function select<List extends SelectList>(list: List, text: string): Statement<RowOf<List>> {
  const items = Object.entries(list).map(([name, column]) => `${column} AS ${name}`);
  return { text: `SELECT ${items.join(', ')} ${text}` };
}

/** Builds one statement for rows of several kinds. A row has null in the columns of other kinds. */
export function selectKinds<Lists extends Readonly<Record<string, SelectList>>>(
  lists: Lists,
  texts: Readonly<Record<keyof Lists & string, string>>,
): Statement<{ [Kind in keyof Lists]: { readonly kind: Kind } & RowOf<Lists[Kind]> }[keyof Lists]> {
  const names = new Set(Object.values(lists).flatMap((list) => Object.keys(list)));
  const selects = Object.entries(lists).map(([kind, list]) => {
    const all = Array.from(names, (name): [string, Column] => [name, list[name] ?? 'NULL']);
    return select({ kind: `'${kind}'`, ...Object.fromEntries(all) }, texts[kind]);
  });
  return { text: unionAll(selects).text };
}

/** Combines statements with the same columns into one statement. */
export function unionAll<Row>(statements: readonly Statement<Row>[]): Statement<Row> {
  return { text: statements.map(({ text }) => text).join(' UNION ALL ') };
}

/** Returns a condition that matches any of these combinations of values, with its parameters. */
export function matching(
  names: readonly Column[],
  rows: readonly (readonly unknown[])[],
): { readonly text: string; readonly values: readonly unknown[] } {
  const one = `(${names.map((name) => `${name} = ?`).join(' AND ')})`;
  return { text: rows.map(() => one).join(' OR '), values: rows.flat() };
}

/** Returns a CASE expression that maps `count` values of a column to other values. */
export function caseOf(column: Column, count: number, otherwise = 'NULL'): string {
  return `CASE ${column} ${'WHEN ? THEN ? '.repeat(count)}ELSE ${otherwise} END`;
}

/** Builds an INSERT of rows that ends with `end`, as the text and the values of a query. */
export function insertion<T extends keyof DB, const Names extends readonly (keyof DB[T] & string)[]>(
  table: T,
  names: Names,
  end = '',
): (
  rows: readonly { readonly [At in keyof Names]: SelectType<DB[T][Names[At]]> }[],
) => [text: string, values: readonly unknown[]] {
  const into = `INSERT INTO ${table} (${names.join(', ')}) VALUES `;
  return (rows) => [`${into}${rows.map(() => '(?)').join(', ')} ${end}`, rows];
}

/** The columns of names that clients choose freely. */
const COLUMNS = { resource_providers: 'name', projects: 'external_id', users: 'external_id' } as const;
export type FreeNames = keyof typeof COLUMNS;

const CHECKED_AT_ONCE = 500;

/** Returns whether a text has only characters that every character set has. */
export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text); // oxlint-disable-line no-control-regex
}

/**
 * Returns the texts that the column can store. Tables of another program may have a character set
 * that lacks some characters (utf8mb3 lacks all above U+FFFF). A statement that compares a text
 * with such a character fails.
 */
export async function storable(
  reader: Queryable,
  table: FreeNames,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const doubtful = texts.filter((text) => !isAscii(text));
  if (doubtful.length === 0) return new Set(texts);
  const [found] = await reader.query<{ characters: string }[]>(
    `SELECT CHARACTER_SET_NAME AS characters FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?`,
    [table, COLUMNS[table]],
  );
  if (found.characters === 'utf8mb4') return new Set(texts);
  const lost = new Set<string>();
  for (let at = 0; at < doubtful.length; at += CHECKED_AT_ONCE) {
    const some = doubtful.slice(at, at + CHECKED_AT_ONCE);
    const there = `CONVERT(CONVERT(? USING ${found.characters}) USING utf8mb4)`;
    const rows = await reader.query<{ isSame: number; at: number }[]>(
      some
        .map(() => `SELECT CAST(${there} AS BINARY) = CAST(? AS BINARY) AS isSame, ? AS at`)
        .join(' UNION ALL '),
      some.flatMap((text, position) => [text, text, position]),
    );
    for (const row of rows) if (!row.isSame) lost.add(some[row.at]);
  }
  return new Set(texts.filter((text) => !lost.has(text)));
}

export async function isStorable(reader: Queryable, table: FreeNames, text: string): Promise<boolean> {
  return (await storable(reader, table, [text])).has(text);
}

// The tables hold times in UTC. The connector would convert a Date with the time zone of the process, which belongs to
// the host program, so times are sent and read as text.

/** Formats a time (ms since 1970) for a DATETIME column, in whole seconds. */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a time for a DATETIME(3) column. */
export function preciseTimestampOf(time: Date): string {
  return time.toISOString().slice(0, 23).replace('T', ' ');
}

export function dateOf(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(`${timestamp}Z`);
}

/** Returns the seconds since 1970 of a time as {@link timestampOf} formats it. */
export function secondsOf(timestamp: string): number {
  return Date.parse(`${timestamp}Z`) / 1_000;
}
