import type { ReadableDatabase } from '../../database/database.js';
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
    where: { uuid: { gt: page.after ?? '' }, providers },
    select: { uuid: true },
    orderBy: { uuid: 'asc' },
    take: page.size + 1,
  });
  return connectionOf(ORDER_OF_AGGREGATES, page, found.filter(hasUuid), () =>
    prisma.aggregate.count({ where: { uuid: { not: null }, providers } }),
  );
}

function hasUuid(row: { readonly uuid: string | null }): row is Aggregate {
  return row.uuid !== null;
}
