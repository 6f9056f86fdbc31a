import { findAggregates } from '../../store/sql/aggregates.js';
import type { ReadableDatabase } from '../../store/database/database.js';
import { isAscii } from '../../store/sql/statements.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { groupBy } from '../../model/collections.js';
import { byCodePoint } from '../../model/listing/orderedPage.js';
import { connectionOf, orderOfNames, type Connection, type ListOrder, type Page } from '../paging/paging.js';
import type { Operation } from '../../model/operation/operation.js';
import { RowLoader } from '../loaders/batchLoader.js';

export interface Aggregate {
  readonly uuid: string;
}

export const ORDER_OF_AGGREGATES: ListOrder<Aggregate, string> = {
  ...orderOfNames(({ uuid }) => uuid),
  place: (uuid) => (isAscii(uuid) ? uuid : null),
};

/** Reads the aggregates with these uuids. Omits those that do not exist. */
export async function readAggregates(
  { pool, spellings }: ReadableDatabase,
  uuids: readonly string[],
): Promise<Aggregate[]> {
  const rows = await findAggregates(pool, spellings.aggregates, uuids);
  return Array.from(new Set(rows.map(({ uuid }) => uuid)), (uuid) => ({ uuid }));
}

/** Reads one page of the aggregates: all, only those with providers, or only those without. */
export async function listAggregates(
  database: ReadableDatabase,
  { associated }: { readonly associated?: boolean | null },
  page: Page<string>,
): Promise<Connection<Aggregate>> {
  const { prisma, spellings } = database;
  const { size } = spellings.aggregates;
  const others = await spelledOtherwise(database, associated);
  const texts = { notIn: [...spellings.aggregates.entries()].flatMap(([, all]) => [...all]) };
  const providers = associated == null ? undefined : associated ? { some: {} } : { none: {} };
  const rows = await prisma.aggregate.findMany({
    where: { uuid: { gt: page.after ?? '', lt: page.before ?? undefined, ...texts }, providers },
    select: { uuid: true },
    orderBy: { uuid: page.backwards ? 'desc' : 'asc' },
    take: page.size + 1,
  });
  const usual = rows.filter(hasUuid).map(({ uuid }) => ({ uuid: spellings.aggregates.uuidOf(uuid) }));
  // a row that another program has just added has its place by its uuid, not by its text
  if (spellings.aggregates.size > size) return listAggregates(database, { associated }, page);
  const isWithin = (uuid: string): boolean =>
    uuid > (page.after ?? '') && (page.before === null || uuid < page.before);
  const found = [...usual, ...others.filter(({ uuid }) => isWithin(uuid))].sort((one, other) =>
    byCodePoint(one.uuid, other.uuid),
  );
  if (page.backwards) found.reverse();
  return connectionOf(ORDER_OF_AGGREGATES, page, found.slice(0, page.size + 1), async () => {
    const where = { uuid: { not: null, ...texts }, providers };
    return (await prisma.aggregate.count({ where })) + others.length;
  });
}

/** Returns the aggregates of which a row spells the uuid otherwise. */
async function spelledOtherwise(
  { prisma, spellings }: ReadableDatabase,
  associated: boolean | null | undefined,
): Promise<Aggregate[]> {
  await spellings.aggregates.since();
  if (spellings.aggregates.size === 0) return [];
  const texts = [...spellings.aggregates.entries()].flatMap(([, all]) => [...all]);
  const select = { uuid: true, providers: { take: 1, select: { providerId: true } } };
  const rows = await prisma.aggregate.findMany({ where: { uuid: { in: texts } }, select });
  return Array.from(groupBy(rows, ({ uuid }) => spellings.aggregates.uuidOf(uuid!)))
    .filter(([, own]) => associated == null || own.some((row) => row.providers.length > 0) === associated)
    .map(([uuid]) => ({ uuid }));
}

/** The maximum number of names to compare with an unknown name, to suggest similar ones. */
const MAX_NAMES = 10_000;

export interface NamedAggregate {
  readonly uuid: string;
  readonly name: string;
}

async function readNames(
  { prisma }: ReadableDatabase,
  query: Pick<Prisma.AggregateNameFindManyArgs, 'where' | 'orderBy' | 'take'>,
): Promise<NamedAggregate[]> {
  const rows = await prisma.aggregateName.findMany(query);
  return rows.map(({ aggregateUuid, name }) => ({ uuid: aggregateUuid, name }));
}

export function readAggregateNames(database: ReadableDatabase): Promise<NamedAggregate[]> {
  return readNames(database, { orderBy: { name: 'asc' }, take: MAX_NAMES });
}

/** Loads aggregates that have a name, by uuid or by name. */
export function namedAggregates(operation: Operation, database: ReadableDatabase, by: keyof NamedAggregate) {
  const column = by === 'uuid' ? 'aggregateUuid' : 'name';
  return new RowLoader(operation, by, (keys) =>
    readNames(database, { where: { [column]: { in: [...keys] } } }),
  );
}

function hasUuid(row: { readonly uuid: string | null }): row is Aggregate {
  return row.uuid !== null;
}
