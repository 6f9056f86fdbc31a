import {
  sql,
  type AliasedExpression,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import { tables } from '../../database/statements.js';
import type { SortKey, SortPlace } from '../../domain/listing/sortKeys.js';
import type { Page } from './paging.js';

/** A key of a list that the database orders. */
export interface SqlKey {
  readonly value: Expression<SortKey>;
  readonly isDescending: boolean;
  /** Rows without it come last in either direction. */
  readonly isNullable: boolean;
}

/** One page of what a query gives, and one row more: its columns and the keys, in the direction of reading. */
export function pageOfKeys<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly SqlKey[],
  page: Page<SortPlace>,
) {
  const named = namedIn('q', keys);
  const rows = query.select(keys.map(({ value }, at) => sql<SortKey>`${value}`.as(nameOf(at))));
  return tables
    .selectFrom(rows.as('q') as AliasedExpression<Row & KeyColumns, 'q'>)
    .selectAll('q')
    .where(isBetween(named, page))
    .orderBy(orderOfPage(keys, page, 'q'))
    .limit(page.size + 1);
}

/** The order of the rows of a page, in the direction of reading, in a statement in which it has this alias. */
export function orderOfPage(
  keys: readonly SqlKey[],
  { backwards }: Page<SortPlace>,
  alias: string,
): RawBuilder<unknown> {
  return sql.join(orderTerms(namedIn(alias, keys), backwards));
}

function namedIn(alias: string, keys: readonly SqlKey[]): SqlKey[] {
  return keys.map((key, at) => ({ ...key, value: sql<SortKey>`${sql.ref(`${alias}.${nameOf(at)}`)}` }));
}

/** The keys of a row of such a page. */
export function placeIn(row: object, keys: readonly SqlKey[]): SortPlace {
  return keys.map((_, at) => (row as KeyColumns)[nameOf(at)]);
}

type KeyName = `k${number}`;
type KeyColumns = Readonly<Record<KeyName, SortKey>>;

function nameOf(at: number): KeyName {
  return `k${at}`;
}

/** The condition that rows lie between the places of a page. No two rows have the same last key. */
function isBetween(keys: readonly SqlKey[], { after, before }: Page<SortPlace>): RawBuilder<boolean> {
  const conditions = [
    ...(after === null ? [] : [liesBeyond(keys, after, isBehind)]),
    ...(before === null ? [] : [liesBeyond(keys, before, isAhead)]),
  ];
  return conditions.length === 0 ? sql`TRUE` : sql`(${sql.join(conditions, sql` AND `)})`;
}

/** What rows are ordered by, in the direction in which a page is read. */
function orderTerms(keys: readonly SqlKey[], backwards: boolean): RawBuilder<unknown>[] {
  return keys.flatMap(({ value, isDescending, isNullable }) => [
    ...(isNullable ? [sql`(${value} IS NULL) ${sql.raw(backwards ? 'DESC' : 'ASC')}`] : []),
    sql`${value} ${sql.raw(isDescending === backwards ? 'ASC' : 'DESC')}`,
  ]);
}

type Comparison = (key: SqlKey, value: SortKey) => RawBuilder<boolean>;

/** The first key that differs decides. */
function liesBeyond(keys: readonly SqlKey[], place: SortPlace, differs: Comparison): RawBuilder<boolean> {
  const ways = keys.map((key, at) => {
    const same = keys.slice(0, at).map((earlier, position) => sql`${earlier.value} <=> ${place[position]}`);
    return sql`(${sql.join([...same, differs(key, place[at])], sql` AND `)})`;
  });
  return sql`(${sql.join(ways, sql` OR `)})`;
}

const isBehind: Comparison = ({ value, isDescending, isNullable }, other) => {
  if (other === null) return sql`FALSE`;
  const isFarther = isDescending ? sql`${value} < ${other}` : sql`${value} > ${other}`;
  return isNullable ? sql`(${isFarther} OR ${value} IS NULL)` : sql`${isFarther}`;
};

const isAhead: Comparison = ({ value, isDescending }, other) => {
  if (other === null) return sql`${value} IS NOT NULL`;
  return isDescending ? sql`${value} > ${other}` : sql`${value} < ${other}`;
};
