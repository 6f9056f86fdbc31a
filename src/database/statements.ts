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
} from 'kysely';
import type { Connection, UpsertResult } from 'mariadb';
import type { DB } from '../generated/tables.js';

export type { DB };

/** Whatever answers a statement: the pool, a connection, a transaction. */
export type Reader = Pick<Connection, 'query'>;

/**
 * Builds SQL whose tables, columns and rows are those of prisma/schema.prisma: renaming a column there fails the type check. It
 * only writes statements; they are sent through the pool or a transaction (ADR 1).
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
  /** Never there: it only carries the type. */
  readonly row?: Row;
}

/** Compiles a statement whose values are all placeholders ({@link value}, {@link list}), to be sent again and again. */
export function statement<Row>(query: Compilable<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile();
  if (parameters.length > 0) throw new Error(`values in a statement that is compiled once: ${text}`);
  return { text };
}

/** The types of selected columns in their order. */
export type ArrayRow<D, TB extends keyof D, C extends readonly unknown[]> = {
  readonly [I in keyof C]: Selection<D, TB, C[I]>[keyof Selection<D, TB, C[I]>];
};

/** The same for bulk reads, whose rows come as arrays in the order of `columns`: an object for each row would cost more. */
export function arrayStatement<D, TB extends keyof D, const C extends readonly SelectExpression<D, TB>[]>(
  query: SelectQueryBuilder<D, TB, object>,
  columns: C,
): Statement<ArrayRow<D, TB, C>> {
  return { text: statement(query.select(columns)).text };
}

/** A compiled statement with more text behind it, such as a condition that is made for one call. */
export function appended<Row>({ text }: Statement<Row>, tail: string): Statement<Row> {
  return { text: `${text} ${tail}` };
}

/** Checked names of a table's columns, for statements that no builder can write; with the alias of the table in front. */
export function columnsOf<T extends keyof DB>(_table: T, alias?: string): ColumnNames<T> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return new Proxy({} as ColumnNames<T>, { get: (_, column) => `${prefix}${String(column)}` });
}

type ColumnNames<T extends keyof DB> = { readonly [C in keyof DB[T]]: string };

/** The place of one value. */
export function value<T>(): RawBuilder<T> {
  return sql<T>`?`;
}

/** The place of a list of values, behind IN. */
export function list<T>(): RawBuilder<T> {
  return sql<T>`(?)`;
}

/** Sends a compiled statement with the values of its placeholders, in the order of its text. */
export function read<Row>(
  reader: Reader,
  { text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return reader.query<Row[]>(text, values);
}

/** The same for a statement that writes. */
export function write(
  reader: Reader,
  { text }: Statement<unknown>,
  values: readonly unknown[] = [],
): Promise<UpsertResult> {
  return reader.query<UpsertResult>(text, values);
}

/** Compiles and sends a statement that was made for this one call. */
export function readOnce<Row>(reader: Reader, query: Compilable<Row>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile();
  return reader.query<Row[]>(text, parameters);
}
