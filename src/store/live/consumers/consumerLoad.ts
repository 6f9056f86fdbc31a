import { sql } from 'kysely';
import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import type { DuplicateRow } from '../../sql/consumers.js';
import type { Spellings } from '../../sql/catalog.js';
import { appended, arrayStatement, dateOf, execute, tables, type Queryable } from '../../sql/statements.js';
import { groupBy } from '../../../model/collections.js';
import { MemoryExceeded } from '../../../model/operation/waiting.js';
import { streamRows } from '../liveSnapshot.js';
import { ConsumerTable, type ConsumerRecord, type TableSize } from './consumerTable.js';

const OWNERS = {
  projects: arrayStatement(tables.selectFrom('projects'), ['id', 'external_id']),
  users: arrayStatement(tables.selectFrom('users'), ['id', 'external_id']),
  types: arrayStatement(tables.selectFrom('consumer_types'), ['id', 'name']),
};
const CONSUMERS = arrayStatement(tables.selectFrom('consumers').orderBy('id'), [
  'id',
  'uuid',
  'project_id',
  'user_id',
  'consumer_type_id',
  sql<number | null>`TO_SECONDS(updated_at) - TO_SECONDS('1970-01-01')`.as('updatedAt'),
]);
const USES = arrayStatement(tables.selectFrom('allocations'), ['consumer_id', 'resource_class_id', 'used']);
const PROVIDERS = arrayStatement(tables.selectFrom('allocations'), ['consumer_id', 'resource_provider_id']);

const HOLDS = tables
  .selectFrom('placement_holds as h')
  .innerJoin('consumers as c', (join) =>
    join.onRef('c.id', '=', 'h.consumer_id').onRef('c.generation', '=', 'h.generation'),
  )
  .select(['c.id', 'h.expires_at as expiresAt']);

const MAX_LISTED = 1000;

export interface LoadOptions {
  /** The classes whose uses the table gets. */
  readonly classIds: readonly number[];
  /** Whether the table gets the providers of the allocations. */
  readonly withProviders: boolean;
  /** The maximum memory of the table in bytes. */
  readonly budget: number;
}

/**
 * Reads whole tables and joins them here: the database would sort or read in random order. The rows come in
 * slices, so that other operations continue.
 *
 * @throws MemoryExceeded before it reads the rows
 */
export async function loadConsumers(
  connection: Connection,
  spellings: Spellings,
  { classIds, withProviders, budget }: LoadOptions,
): Promise<ConsumerTable> {
  const consumers = await countOf(connection, 'consumers');
  const size = { consumers, allocations: withProviders ? await countOf(connection, 'allocations') : null };
  checkBudget(size, classIds.length, budget);
  const table = new ConsumerTable(size, (text) => spellings.uuidOf(text));
  await readAll(connection, spellings, table);
  const reader = table.reading([]);
  if (withProviders)
    await streamRows(connection, PROVIDERS, ([text, providerId]) => reader.addProvider(text, providerId));
  await loadUses(connection, table, classIds);
  return table;
}

/** Reads the uses of classes that the table does not have. */
export async function loadUses(
  connection: Connection,
  table: ConsumerTable,
  classIds: readonly number[],
): Promise<void> {
  if (classIds.length === 0) return;
  const ofClasses = appended(USES, `WHERE resource_class_id IN (${classIds.join()})`);
  const reader = table.reading(classIds);
  await streamRows(connection, ofClasses, ([text, classId, used]) => reader.addUse(text, classId, used));
  reader.end();
}

/** @throws MemoryExceeded */
export function checkBudget(size: TableSize, classes: number, budget: number): void {
  const needed = ConsumerTable.bytesOf(size, classes);
  if (needed > budget)
    throw new MemoryExceeded(
      `${size.consumers} consumers in this order`,
      needed,
      budget,
      'Use the order by age.',
    );
}

async function countOf(connection: Connection, table: 'consumers' | 'allocations'): Promise<number> {
  const counted = tables.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await execute(connection, counted))[0].count;
}

async function readAll(connection: Connection, spellings: Spellings, table: ConsumerTable): Promise<void> {
  const names = async (owners: keyof typeof OWNERS): Promise<Map<number, string>> => {
    const found = new Map<number, string>();
    await streamRows(connection, OWNERS[owners], ([id, name]) => found.set(id, name));
    return found;
  };
  const [projects, users, types] = [await names('projects'), await names('users'), await names('types')];
  let last = 0;
  await streamRows(connection, CONSUMERS, ([id, text, projectId, userId, typeId, updatedAt]) => {
    last = id;
    table.add(text, {
      id,
      projectId: projects.get(projectId) ?? '',
      userId: users.get(userId) ?? '',
      consumerType: (typeId === null ? null : types.get(typeId)) ?? null,
      updatedAt,
    });
  });
  for (const [id, time] of await readExpiries(connection, HOLDS)) table.setExpiry(id, time);
  spellings.examineUpTo(last);
}

/** Returns when consumers end by themselves, by id. Omits those that do not. */
async function readExpiries(reader: Queryable, query: typeof HOLDS): Promise<Map<number, number>> {
  const rows = await execute(reader, query);
  return new Map(rows.map(({ id, expiresAt }) => [id, dateOf(expiresAt)!.getTime()]));
}

/** Reads consumers that are no duplicates of others, with the allocations of their own duplicates. */
export async function readConsumers(
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  ids: readonly number[],
  duplicates: readonly DuplicateRow[],
): Promise<ConsumerRecord[]> {
  const select = {
    id: true,
    uuid: true,
    updatedAt: true,
    project: { select: { externalId: true } },
    user: { select: { externalId: true } },
    type: { select: { name: true } },
    allocations: { select: { providerId: true, classId: true, used: true } },
  };
  const wanted = new Set(ids);
  const others = duplicates.filter(({ first }) => wanted.has(first.id));
  const firstOf = new Map(duplicates.map(({ id, first }) => [id, first.id]));
  const rows = await inBatches([...new Set([...ids, ...others.map(({ id }) => id)])], (some) =>
    prisma.consumer.findMany({ where: { id: { in: some } }, select }),
  );
  const expiries =
    ids.length === 0 ? new Map<number, number>() : await readExpiries(pool, HOLDS.where('c.id', 'in', ids));
  const byOldest = groupBy(rows, ({ id }) => firstOf.get(id) ?? id);
  return rows
    .filter(({ id }) => !firstOf.has(id))
    .map(({ id, updatedAt, project, user, type }) => ({
      id,
      projectId: project?.externalId ?? '',
      userId: user?.externalId ?? '',
      consumerType: type?.name ?? null,
      updatedAt: updatedAt && updatedAt.getTime() / 1_000,
      expiresAt: expiries.get(id) ?? null,
      texts: byOldest
        .get(id)!
        .sort((one, other) => one.id - other.id)
        .map(({ uuid }) => uuid),
      allocations: byOldest.get(id)!.flatMap((row) => row.allocations),
    }));
}

export async function readConsumersOn(
  { prisma }: Pick<Database, 'prisma'>,
  providerIds: readonly number[],
): Promise<number[]> {
  const rows = await inBatches(providerIds, (some) => {
    const where = { allocations: { some: { providerId: { in: some } } } };
    return prisma.consumer.findMany({ where, select: { id: true } });
  });
  return rows.map(({ id }) => id);
}

async function inBatches<T>(ids: readonly number[], read: (some: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += MAX_LISTED)
    found.push(...(await read(ids.slice(at, at + MAX_LISTED))));
  return found;
}
