import type { ReadableDatabase } from '../../database/database.js';
import { isAscii } from '../../database/storable.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { connectionOf, orderOfNames, type Connection, type ListOrder, type Page } from '../paging/paging.js';
import type { Operation } from '../../runtime/operation.js';
import { RowLoader } from '../batchLoader.js';

export interface Aggregate {
  readonly uuid: string;
}

export const ORDER_OF_AGGREGATES: ListOrder<Aggregate, string> = {
  ...orderOfNames(({ uuid }) => uuid),
  place: (uuid) => (isAscii(uuid) ? uuid : null),
};

/** Reads the aggregates with these uuids. Omits those that do not exist. */
export async function readAggregates(
  { prisma }: ReadableDatabase,
  uuids: readonly string[],
): Promise<Aggregate[]> {
  const where = { uuid: { in: [...uuids] } };
  return (await prisma.aggregate.findMany({ where, select: { uuid: true } })).filter(hasUuid);
}

/** Reads one page of the aggregates: all, only those with providers, or only those without. */
export async function listAggregates(
  { prisma }: ReadableDatabase,
  { associated }: { readonly associated?: boolean | null },
  page: Page<string>,
): Promise<Connection<Aggregate>> {
  const providers = associated == null ? undefined : associated ? { some: {} } : { none: {} };
  const found = await prisma.aggregate.findMany({
    where: { uuid: { gt: page.after ?? '', lt: page.before ?? undefined }, providers },
    select: { uuid: true },
    orderBy: { uuid: page.backwards ? 'desc' : 'asc' },
    take: page.size + 1,
  });
  return connectionOf(ORDER_OF_AGGREGATES, page, found.filter(hasUuid), () =>
    prisma.aggregate.count({ where: { uuid: { not: null }, providers } }),
  );
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
