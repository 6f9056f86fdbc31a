import { sql } from 'kysely';
import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { arrayStatement, tables } from '../../database/statements.js';
import { streamRows } from '../load.js';
import { ConsumerTable, type ConsumerRecord } from './consumerTable.js';

const OWNERS = {
  projects: arrayStatement(tables.selectFrom('projects'), ['id', 'external_id']),
  users: arrayStatement(tables.selectFrom('users'), ['id', 'external_id']),
  types: arrayStatement(tables.selectFrom('consumer_types'), ['id', 'name']),
};
const CONSUMERS = arrayStatement(tables.selectFrom('consumers'), [
  'id',
  'uuid',
  'project_id',
  'user_id',
  'consumer_type_id',
  sql<number | null>`TIMESTAMPDIFF(SECOND, '1970-01-01', updated_at)`.as('updatedAt'),
]);
const ALLOCATIONS = arrayStatement(tables.selectFrom('allocations'), [
  'consumer_id',
  'resource_provider_id',
  'resource_class_id',
  'used',
]);

const MAX_LISTED = 1000;

/** Reads whole tables and joins them here, because the database would sort or read at random. */
export async function readAllConsumers(connection: Connection): Promise<ConsumerTable> {
  const names = async (owners: keyof typeof OWNERS): Promise<Map<number, string>> => {
    const found = new Map<number, string>();
    await streamRows(connection, OWNERS[owners], ([id, name]) => found.set(id, name));
    return found;
  };
  const [projects, users, types] = [await names('projects'), await names('users'), await names('types')];
  const table = new ConsumerTable();
  const allocationsOf = new Map<string, ConsumerRecord['allocations'][number][]>();
  await streamRows(connection, CONSUMERS, ([id, uuid, projectId, userId, typeId, updatedAt]) => {
    const allocations: ConsumerRecord['allocations'][number][] = [];
    allocationsOf.set(uuid, allocations);
    table.set({
      id,
      projectId: projects.get(projectId) ?? '',
      userId: users.get(userId) ?? '',
      consumerType: (typeId === null ? null : types.get(typeId)) ?? null,
      updatedAt,
      allocations,
    });
  });
  await streamRows(connection, ALLOCATIONS, ([uuid, providerId, classId, used]) => {
    allocationsOf.get(uuid)?.push({ providerId, classId, used });
  });
  return table;
}

/** Skips ids without a consumer. */
export async function readConsumers(
  { prisma }: Pick<Database, 'prisma'>,
  ids: readonly number[],
): Promise<ConsumerRecord[]> {
  const found: ConsumerRecord[] = [];
  for (const some of batches(ids)) {
    const rows = await prisma.consumer.findMany({
      where: { id: { in: some } },
      select: {
        id: true,
        updatedAt: true,
        project: { select: { externalId: true } },
        user: { select: { externalId: true } },
        type: { select: { name: true } },
        allocations: { select: { providerId: true, classId: true, used: true } },
      },
    });
    for (const { id, updatedAt, project, user, type, allocations } of rows)
      found.push({
        id,
        projectId: project?.externalId ?? '',
        userId: user?.externalId ?? '',
        consumerType: type?.name ?? null,
        updatedAt: updatedAt && updatedAt.getTime() / 1_000,
        allocations,
      });
  }
  return found;
}

export async function readConsumersOn(
  { prisma }: Pick<Database, 'prisma'>,
  providerIds: readonly number[],
): Promise<number[]> {
  const found: number[] = [];
  for (const some of batches(providerIds)) {
    const where = { allocations: { some: { providerId: { in: some } } } };
    for (const { id } of await prisma.consumer.findMany({ where, select: { id: true } })) found.push(id);
  }
  return found;
}

function batches(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / MAX_LISTED);
  return Array.from({ length: count }, (_, at) => ids.slice(at * MAX_LISTED, (at + 1) * MAX_LISTED));
}
