import type { ReadableDatabase } from '../../database/database.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { ConsumerEntity } from '../entities.js';

export interface ConsumerRow extends ConsumerEntity {
  readonly id: number;
}

const CONSUMER = {
  id: true,
  uuid: true,
  generation: true,
  createdAt: true,
  updatedAt: true,
  project: { select: { externalId: true } },
  user: { select: { externalId: true } },
  type: { select: { name: true } },
} as const satisfies Prisma.ConsumerSelect;

/** Reads consumers in no particular order. A missing project or user is shown as an empty id. */
export async function readConsumers(
  { prisma }: Pick<ReadableDatabase, 'prisma'>,
  where: Prisma.ConsumerWhereInput,
): Promise<ConsumerRow[]> {
  const rows = await prisma.consumer.findMany({ where, select: CONSUMER });
  return rows.map(({ project, user, type, ...consumer }) => ({
    ...consumer,
    projectId: project?.externalId ?? '',
    userId: user?.externalId ?? '',
    consumerType: type?.name ?? null,
  }));
}

/** Reads the consumers with these ids, by id. Ids without a consumer are absent. */
export async function readConsumersById(
  database: Pick<ReadableDatabase, 'prisma'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ConsumerRow>> {
  const rows = ids.length === 0 ? [] : await readConsumers(database, { id: { in: [...new Set(ids)] } });
  return new Map(rows.map((row) => [row.id, row]));
}
