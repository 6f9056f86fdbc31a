import DataLoader from 'dataloader';
import type { ReadableDatabase } from '../../database/database.js';
import { list, read, readOnce, statement, tables, type Reader } from '../../database/statements.js';
import { connectionOf, orderOfNames, type Connection, type Page } from '../paging/paging.js';

export interface Aggregate {
  readonly uuid: string;
}

export const ORDER_OF_AGGREGATES = orderOfNames(({ uuid }: Aggregate) => uuid);

/** Those of these aggregates that there are. */
export async function readAggregates(
  { prisma }: ReadableDatabase,
  uuids: readonly string[],
): Promise<Aggregate[]> {
  const where = { uuid: { in: [...uuids] } };
  return (await prisma.aggregate.findMany({ where, select: { uuid: true } })).filter(hasUuid);
}

/** One page of the aggregates, or of those with providers in them or without. */
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

const NAMES = tables.selectFrom('placement_aggregate_names').select(['aggregate_uuid as uuid', 'name']);
const BY_UUID = statement(NAMES.where('aggregate_uuid', 'in', list<string>()));
const BY_NAME = statement(NAMES.where('name', 'in', list<string>()));

/** More names than this are not looked through for one that is like another. */
const MOST_NAMES = 10_000;

/** The names that aggregates have been given. */
export function readAggregateNames({ pool }: ReadableDatabase): Promise<{ uuid: string; name: string }[]> {
  return readOnce(pool, NAMES.orderBy('name').limit(MOST_NAMES));
}

/** The names of aggregates by their uuids: one statement for all that are asked for. */
export function aggregateNames(reader: Reader): DataLoader<string, string | null> {
  return new DataLoader(async (uuids) => {
    const found = new Map((await read(reader, BY_UUID, [uuids])).map(({ uuid, name }) => [uuid, name]));
    return uuids.map((uuid) => found.get(uuid) ?? null);
  });
}

/** The other way round; names are compared exactly. */
export function aggregatesByName(reader: Reader): DataLoader<string, string | null> {
  return new DataLoader(async (names) => {
    const found = new Map((await read(reader, BY_NAME, [names])).map(({ uuid, name }) => [name, uuid]));
    return names.map((name) => found.get(name) ?? null);
  });
}

function hasUuid(row: { readonly uuid: string | null }): row is Aggregate {
  return row.uuid !== null;
}
