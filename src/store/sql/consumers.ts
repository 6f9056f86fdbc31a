import {
  sql,
  type AliasedExpression,
  type Compilable,
  type InferResult,
  type RawBuilder,
  type Selectable,
} from 'kysely';
import { groupBy, sumsByClass } from '../../model/collections.js';
import type { ConsumerEntity, Stored } from '../../model/entities.js';
import type { ProviderAllocationInput } from '../../model/input.js';
import type { Holdings } from '../../model/request.js';
import type { ReadableDatabase } from '../database/database.js';
import { Spellings } from './catalog.js';
import { dateOf, execute, list, read, statement, tables, value, type DB } from './statements.js';

/** Reads of consumers, with or without their allocations, outside of the transactions of the ledger. */

/** The part of a database that reads of consumers need. */
export type ConsumerReader = Pick<ReadableDatabase, 'pool' | 'spellings'>;

/** A consumer with all its allocations, as read at one moment. */
export interface HeldConsumer extends Stored<ConsumerEntity> {
  /** Whether it is stored in several spellings (decision D24). Only its deletion can be written. */
  readonly hasSeveralRows: boolean;
  /** Whether `keepOldAs` has created it. It holds the former allocations of a move until the client deletes it. */
  readonly isKept: boolean;
  readonly allocations: readonly ProviderAllocationInput[];
}

/** The consumers `c` with the names of their owners: Prisma would send one more statement for each of the three. */
const OWNED = tables
  .selectFrom('consumers as c')
  .leftJoin('projects', 'projects.id', 'c.project_id')
  .leftJoin('users', 'users.id', 'c.user_id')
  .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
  .select(({ fn }) => [
    'c.id',
    'c.uuid',
    'c.generation',
    'c.created_at as createdAt',
    'c.updated_at as updatedAt',
    'consumer_types.name as consumerType',
    fn.coalesce('projects.external_id', sql.lit('')).as('projectId'),
    fn.coalesce('users.external_id', sql.lit('')).as('userId'),
  ]);

/** The same with the times at which they end by themselves. */
export const CONSUMERS = OWNED.leftJoin('placement_holds as h', (join) =>
  join.onRef('h.consumer_id', '=', 'c.id').onRef('h.generation', '=', 'c.generation'),
).select('h.expires_at as expiresAt');
type ConsumerColumns = InferResult<typeof CONSUMERS>[number];

/** One row for each allocation, and one row for a consumer without any. `keptId` is null unless `keepOldAs` created it. */
const WITH_ALLOCATIONS = OWNED.leftJoin('allocations as a', 'a.consumer_id', 'c.uuid')
  .leftJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .leftJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
  .leftJoin('placement_kept_consumers as o', 'o.consumer_id', 'c.id')
  .select([
    'o.consumer_id as keptId',
    'p.uuid as provider',
    'p.generation as providerGeneration',
    'k.name as resourceClass',
    'a.used',
    'a.id as allocationId',
    'a.created_at as allocationCreatedAt',
    'a.updated_at as allocationUpdatedAt',
  ]);
type AllocationColumns = InferResult<typeof WITH_ALLOCATIONS>[number];

const IS_NEW = sql<boolean>`${sql.raw(Spellings.isNew('c'))}`;
const BY_UUID = statement(
  CONSUMERS.where('c.uuid', 'in', list<string>()).unionAll(
    CONSUMERS.where(IS_NEW).where('c.uuid', 'not in', list<string>()),
  ),
);
const BY_ID = statement(CONSUMERS.where('c.id', 'in', list<number>()));
const HELD_BY_UUID = statement(
  WITH_ALLOCATIONS.where('c.uuid', 'in', list<string>()).unionAll(
    WITH_ALLOCATIONS.where(IS_NEW).where('c.uuid', 'not in', list<string>()),
  ),
);
const HELD_OF_PROVIDER = statement(WITH_ALLOCATIONS.where('p.id', '=', value<number>()));

/**
 * Reads consumers in no particular order. A missing project or user is shown as an empty id. Of a consumer with rows in
 * several spellings it returns the oldest row.
 */
export async function readConsumersByUuid(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<Stored<ConsumerEntity>[]> {
  const rows = await spellings.consumers.find(pool, BY_UUID, uuids);
  const oldestLast = rows.sort((one, other) => other.id - one.id);
  return [...new Map(oldestLast.map((row) => [row.uuid, entityOf(row, row.uuid)])).values()];
}

/** Reads the consumers with these ids, by id. Ids without a consumer are absent. */
export async function readConsumersById(
  { pool, spellings }: ConsumerReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Stored<ConsumerEntity>>> {
  const rows = ids.length === 0 ? [] : await read(pool, BY_ID, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, consumerOf(row, spellings)]));
}

/**
 * Reads a page of consumers by a query that extends {@link CONSUMERS}. One statement selects the page and reads the
 * rows: a page of ids whose rows are deleted meanwhile would seem to be the last page.
 */
export async function readConsumers<Row extends ConsumerColumns>(
  { pool, spellings }: ConsumerReader,
  query: Compilable<Row>,
) {
  return (await execute(pool, query)).map((row) => consumerOf(row, spellings));
}

function consumerOf<Row extends ConsumerColumns>(row: Row, { consumers }: ConsumerReader['spellings']) {
  return entityOf(row, consumers.uuidOf(row.uuid));
}

function entityOf<Row extends ConsumerColumns>(row: Row, uuid: string) {
  // one spread: a rest parameter without these columns takes 50 times as long
  return {
    ...row,
    uuid,
    createdAt: dateOf(row.createdAt),
    updatedAt: dateOf(row.updatedAt),
    expiresAt: dateOf(row.expiresAt),
  };
}

/** Reads the existing consumers with these uuids, by uuid. */
export async function readHeldConsumers(
  reader: ConsumerReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, HeldConsumer>> {
  const byConsumer = groupBy(await readHeldRows(reader, uuids), ({ uuid }) => uuid);
  return new Map(Array.from(byConsumer, ([uuid, own]) => [uuid, heldConsumerOf(own)]));
}

async function readHeldRows(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<AllocationColumns[]> {
  const rows = await spellings.consumers.find(pool, HELD_BY_UUID, uuids);
  return rows.sort((one, other) => one.id - other.id || (one.allocationId ?? 0) - (other.allocationId ?? 0));
}

/** Returns a consumer from its rows by age. One with rows in several spellings has the allocations of all. */
function heldConsumerOf(own: readonly AllocationColumns[]): HeldConsumer {
  const [{ id, uuid, generation, consumerType, projectId, userId, keptId }] = own;
  const hasSeveralRows = own.some((row) => row.id !== id);
  const isKept = keptId !== null;
  const allocations = allocationsFrom(own);
  return { id, uuid, hasSeveralRows, isKept, generation, consumerType, projectId, userId, allocations };
}

/** Sums by provider and class, because another program may have left several rows for one pair. */
function allocationsFrom(rows: readonly AllocationColumns[]): ProviderAllocationInput[] {
  const amounts = writtenIn(rows).map(({ provider, resourceClass, used: amount }) => ({
    provider,
    resourceClass,
    amount,
  }));
  return Array.from(
    groupBy(amounts, ({ provider }) => provider),
    ([resourceProvider, resources]) => ({ resourceProvider, resources: sumsByClass(resources) }),
  );
}

/** A row of allocations with its consumer and provider, of one moment. The dates are those of the allocation. */
export type WrittenAllocation = ReturnType<typeof writtenIn>[number];

/** Returns the allocations in rows. Omits those without a provider or class. */
function writtenIn(rows: readonly AllocationColumns[]) {
  return rows.flatMap((row) => {
    const { provider, resourceClass, used, allocationId, allocationCreatedAt, allocationUpdatedAt } = row;
    if (provider === null || resourceClass === null || used === null || allocationId === null) return [];
    const { uuid, generation, consumerType, projectId, userId, providerGeneration } = row;
    return {
      consumer: { uuid, generation, consumerType, projectId, userId },
      id: allocationId,
      provider,
      providerGeneration: providerGeneration ?? 0,
      resourceClass,
      used,
      createdAt: dateOf(allocationCreatedAt),
      updatedAt: dateOf(allocationUpdatedAt),
    };
  });
}

/** Reads the allocations of consumers, in the order in which they were written. */
export async function readAllocationsOfConsumers(
  reader: ConsumerReader,
  uuids: readonly string[],
): Promise<WrittenAllocation[]> {
  return inOrder(await readHeldRows(reader, uuids));
}

/** Reads the allocations of a provider with their consumers, in the order in which they were written. */
export async function readAllocationsOfProvider(
  { pool, spellings }: ConsumerReader,
  providerId: number,
): Promise<WrittenAllocation[]> {
  const rows = await read(pool, HELD_OF_PROVIDER, [providerId]);
  return inOrder(rows.map((row) => ({ ...row, uuid: spellings.consumers.uuidOf(row.uuid) })));
}

function inOrder(rows: readonly AllocationColumns[]): WrittenAllocation[] {
  return writtenIn(rows).sort((one, other) => one.id - other.id);
}

const HOLDINGS = tables
  .selectFrom('allocations as a')
  .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .select(['a.consumer_id as uuid', 'p.uuid as provider']);
const HOLDINGS_BY_UUID = statement(
  HOLDINGS.where('a.consumer_id', 'in', list<string>()).unionAll(
    HOLDINGS.innerJoin('consumers as c', 'c.uuid', 'a.consumer_id')
      .where(IS_NEW)
      .where('c.uuid', 'not in', list<string>()),
  ),
);

/** Reads the providers of consumers, by the uuid of the consumer. */
export async function readHoldings(
  { pool, spellings }: ConsumerReader,
  consumers: readonly string[],
): Promise<Holdings> {
  const rows = await spellings.consumers.find(pool, HOLDINGS_BY_UUID, [...new Set(consumers)]);
  const held = groupBy(rows, ({ uuid }) => uuid);
  return new Map(
    consumers.map((uuid) => [uuid, [...new Set(held.get(uuid)?.map(({ provider }) => provider))]]),
  );
}

/** A row of a consumer that has an older row in another spelling (decision D24). Reads show only the older row. */
export interface DuplicateRow {
  readonly id: number;
  readonly text: string;
  /** The oldest row of the consumer. */
  readonly first: { readonly id: number; readonly text: string };
}

const ROWS = statement(
  tables.selectFrom('consumers').where('uuid', 'in', list<string>()).select(['id', 'uuid as text']),
);

/** Reads all such rows. Takes no statement unless another program has stored a consumer in another spelling. */
export async function readDuplicateConsumers({
  pool,
  spellings: { consumers },
}: ConsumerReader): Promise<DuplicateRow[]> {
  await consumers.since();
  if (consumers.size === 0) return [];
  const texts = Array.from(consumers.entries(), ([, all]) => [...all]).flat();
  const rows = (await read(pool, ROWS, [texts])).sort((one, other) => one.id - other.id);
  return Array.from(groupBy(rows, ({ text }) => consumers.uuidOf(text)).values()).flatMap(
    ([first, ...others]) => others.map((row) => ({ ...row, first })),
  );
}

/** Returns the allocations as a table `a` in which those of duplicates have the text of the oldest row. */
export function allocationsOfOldest(
  duplicates: readonly DuplicateRow[],
): AliasedExpression<Selectable<DB['allocations']>, 'a'> {
  const allocations = sql.table('allocations');
  if (duplicates.length === 0) return sql<Selectable<DB['allocations']>>`${allocations}`.as('a');
  const cases = duplicates.map(({ text, first }) => sql`WHEN ${text} THEN ${first.text}`);
  return sql<Selectable<DB['allocations']>>`(
    SELECT id, resource_provider_id, resource_class_id, used,
           CASE consumer_id ${sql.join(cases, sql` `)} ELSE consumer_id END AS consumer_id
      FROM ${allocations})`.as('a');
}

/** Returns the condition for all consumers but some duplicates, at least one, by a column of their ids. */
export function isOldest(duplicates: readonly DuplicateRow[], id: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(id)} NOT IN (${sql.join(duplicates.map((row) => row.id))})`;
}

/** Returns the query of the consumers `c` with their allocations `a` and the providers `p` of these. */
export async function consumersInTrees(database: ConsumerReader) {
  return tables
    .selectFrom('consumers as c')
    .innerJoin(allocationsOfOldest(await readDuplicateConsumers(database)), 'a.consumer_id', 'c.uuid')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id');
}

/**
 * Finds the first `max` consumers, by id, with an allocation in the trees with these roots. Only the ids are made distinct:
 * of 200,000 consumers in a tree, that takes 0.5 s instead of 1.2 s with uuids.
 */
export async function findConsumersInTrees(
  database: ConsumerReader,
  rootIds: readonly number[],
  max: number,
): Promise<Pick<Stored<ConsumerEntity>, 'id' | 'uuid'>[]> {
  if (rootIds.length === 0) return [];
  const inTrees = (await consumersInTrees(database))
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
    .where('p.root_provider_id', 'in', rootIds)
    .select('c.id')
    .distinct()
    .orderBy('c.id')
    .limit(max);
  const found = await execute(
    database.pool,
    tables
      .selectFrom(inTrees.as('found'))
      .innerJoin('consumers as c', 'c.id', 'found.id')
      .select(['c.id', 'c.uuid'])
      .orderBy('c.id'),
  );
  return found.map(({ id, uuid }) => ({ id, uuid: database.spellings.consumers.uuidOf(uuid) }));
}
