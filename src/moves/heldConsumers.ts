import { sql, type InferResult } from 'kysely';
import { groupBy } from '../model/collections.js';
import type { ReadableDatabase } from '../store/database/database.js';
import { allocationsOfOldest, readDuplicateConsumers } from '../store/sql/duplicateConsumers.js';
import { Spellings } from '../store/sql/spellings.js';
import { execute, list, statement, tables } from '../store/sql/statements.js';
import { sumsByClass, type CandidateAllocation } from '../search/candidate.js';
import { inventoryAt, treeIndexOf, type Snapshot } from '../fleet/snapshot.js';
import type { RemovedProviders } from '../search/candidateSearch.js';
import { withReleased } from '../search/overlay/snapshotOverlay.js';
import type { ProviderAllocationInput } from '../model/allocationInput.js';
import { LONGEST_LIST } from '../model/providerConditions.js';
import type { CandidatesRequest, Holdings } from '../model/request.js';

/** A consumer with all its allocations, as read at one moment. */
export interface HeldConsumer {
  readonly id: number;
  readonly uuid: string;
  /** Whether it is stored in several spellings (decision D24). Only its deletion can be written. */
  readonly hasSeveralRows: boolean;
  readonly generation: number;
  readonly consumerType: string | null;
  readonly projectId: string;
  readonly userId: string;
  readonly allocations: readonly ProviderAllocationInput[];
}

/** One row for each allocation, and one row for a consumer without any. */
const HELD = tables
  .selectFrom('consumers as c')
  .leftJoin('projects', 'projects.id', 'c.project_id')
  .leftJoin('users', 'users.id', 'c.user_id')
  .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
  .leftJoin('allocations as a', 'a.consumer_id', 'c.uuid')
  .leftJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .leftJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
  .select(({ fn }) => [
    'c.id',
    'c.uuid',
    'c.generation',
    'consumer_types.name as consumerType',
    fn.coalesce('projects.external_id', sql.lit('')).as('projectId'),
    fn.coalesce('users.external_id', sql.lit('')).as('userId'),
    'p.uuid as provider',
    'k.name as resourceClass',
    'a.used',
    'a.id as allocationId',
  ]);
const IS_NEW = sql<boolean>`${sql.raw(Spellings.isNew('c'))}`;
const HELD_BY_UUID = statement(
  HELD.where('c.uuid', 'in', list<string>()).unionAll(
    HELD.where(IS_NEW).where('c.uuid', 'not in', list<string>()),
  ),
);

/** The part of a database that reads of consumers need. */
export type ConsumerReader = Pick<ReadableDatabase, 'pool' | 'spellings'>;

/** Reads the existing consumers with these uuids, by uuid. */
export async function readHeldConsumers(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, HeldConsumer>> {
  const rows = await spellings.consumers.find(pool, HELD_BY_UUID, uuids);
  rows.sort((one, other) => one.id - other.id || (one.allocationId ?? 0) - (other.allocationId ?? 0));
  return new Map(consumersOf(rows).map((consumer) => [consumer.uuid, consumer]));
}

/** Returns the consumers without their allocations of providers that a what-if has removed. */
export function withoutRemoved(
  held: ReadonlyMap<string, HeldConsumer>,
  removed: RemovedProviders | undefined,
): ReadonlyMap<string, HeldConsumer> {
  if (removed === undefined) return held;
  const isPresent = ({ resourceProvider }: ProviderAllocationInput): boolean =>
    !removed.uuids.has(resourceProvider);
  return new Map(
    Array.from(held, ([uuid, consumer]) => [
      uuid,
      { ...consumer, allocations: consumer.allocations.filter(isPresent) },
    ]),
  );
}

/** Finds the first `max` consumers, by id, with an allocation in the trees with these roots. */
export async function findConsumersInTrees(
  database: ConsumerReader,
  rootIds: readonly number[],
  max: number,
): Promise<Pick<HeldConsumer, 'id' | 'uuid'>[]> {
  if (rootIds.length === 0) return [];
  const inTrees = tables
    .selectFrom(allocationsOfOldest(await readDuplicateConsumers(database)))
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
    .innerJoin('consumers as c', 'c.uuid', 'a.consumer_id')
    .where('p.root_provider_id', 'in', rootIds)
    .select(['c.id', 'c.uuid'])
    .distinct()
    .orderBy('c.id')
    .limit(max);
  const found = await execute(database.pool, inTrees);
  return found.map(({ id, uuid }) => ({ id, uuid: database.spellings.consumers.uuidOf(uuid) }));
}

type HeldRow = InferResult<typeof HELD>[number];

/** Returns consumers from rows by age. A consumer with rows in several spellings has the allocations of all. */
function consumersOf(rows: readonly HeldRow[]): HeldConsumer[] {
  return Array.from(groupBy(rows, ({ uuid }) => uuid).values(), (own) => {
    const [{ id, uuid, generation, consumerType, projectId, userId }] = own;
    const hasSeveralRows = own.some((row) => row.id !== id);
    const allocations = allocationsFrom(own);
    return { id, uuid, hasSeveralRows, generation, consumerType, projectId, userId, allocations };
  });
}

/** Sums by provider and class, because another program may have left several rows for one pair. */
function allocationsFrom(rows: readonly HeldRow[]): ProviderAllocationInput[] {
  const amounts = rows.flatMap(({ provider, resourceClass, used }) =>
    provider === null || resourceClass === null || used === null
      ? []
      : [{ provider, resourceClass, amount: used }],
  );
  const byProvider = groupBy(amounts, ({ provider }) => provider);
  return Array.from(byProvider, ([resourceProvider, own]) => ({
    resourceProvider,
    resources: sumsByClass(own),
  }));
}

/** Translates allocations to the ids of a snapshot. Skips those without an inventory. */
export function allocationsIn(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
): CandidateAllocation[] {
  return allocations.flatMap(({ resourceProvider, resources }) => {
    const found = snapshot.locate(resourceProvider);
    if (found === undefined) return [];
    const known = resources.flatMap(({ resourceClass: name, amount }) => {
      const resourceClass = snapshot.classes.idOf(name);
      const isThere = resourceClass !== undefined && inventoryAt(found.block, found.row, resourceClass) >= 0;
      return isThere ? [{ resourceClass, amount }] : [];
    });
    return [{ provider: { ...found, treeIndex: treeIndexOf(found) }, resources: known }];
  });
}

/** Returns the snapshot without these allocations. */
export function withoutHeld(snapshot: Snapshot, allocations: readonly ProviderAllocationInput[]): Snapshot {
  return allocations.length === 0 ? snapshot : withReleased(snapshot, allocationsIn(snapshot, allocations));
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

function consumersNamedIn({ awayFromConsumers, nearConsumers, orderBy }: CandidatesRequest): string[] {
  return [...awayFromConsumers, ...nearConsumers, ...orderBy.flatMap((term) => term.nearConsumers ?? [])];
}

/** Adds the present allocations of the consumers that the request names. */
export async function withHoldings(
  reader: ConsumerReader,
  request: CandidatesRequest,
): Promise<CandidatesRequest> {
  const consumers = new Set(consumersNamedIn(request));
  if (consumers.size === 0) return request;
  // Validation rejects a request with a longer list.
  const some = [...consumers].slice(0, 3 * LONGEST_LIST);
  return { ...request, holdings: await readHoldings(reader, some) };
}

/** Reads the allocations of the consumers that some requests are for or name. */
export function readHoldingsOf(
  reader: ConsumerReader,
  requests: readonly { readonly consumer?: string | null; readonly request: CandidatesRequest }[],
): Promise<Holdings> {
  return readHoldings(
    reader,
    requests.flatMap(({ consumer, request }) => [
      ...(consumer == null ? [] : [consumer]),
      ...consumersNamedIn(request),
    ]),
  );
}

async function readHoldings(
  { pool, spellings }: ConsumerReader,
  consumers: readonly string[],
): Promise<Holdings> {
  const rows = await spellings.consumers.find(pool, HOLDINGS_BY_UUID, [...new Set(consumers)]);
  const held = groupBy(rows, ({ uuid }) => uuid);
  return new Map(
    consumers.map((uuid) => [uuid, [...new Set(held.get(uuid)?.map(({ provider }) => provider))]]),
  );
}
