import type { Connection } from 'mariadb';
import {
  appended,
  arrayStatement,
  tables,
  type Queryable,
  type Statement,
} from '../../store/sql/statements.js';
import type { AnchorProvider, CandidateAllocation } from '../../search/anchor.js';
import { uuidOf } from '../../model/input.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { RemovedProviders } from '../../search/candidateSearch.js';
import { inventoryAt, treeIndexOf } from '../../fleet/snapshot.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import { readRequests } from '../../store/sql/rememberedRequests.js';
import { streamRows } from '../../store/live/liveSnapshot.js';
import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import { NumberRows } from '../../fleet/providerColumns.js';

/** A consumer of the fleet with its allocations in the ids of a snapshot. */
export interface FleetConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly typeId: number | null;
  /** The id of its remembered request; null: it has none. */
  readonly requestId: number | null;
  readonly isKept: HeldConsumer['isKept'];
  /** Omits allocations of inventories that the snapshot does not have. */
  readonly allocations: readonly CandidateAllocation[];
  /** True if the snapshot has the inventories of all its allocations, and the consumer has one row (decision D24). */
  readonly isKnown: boolean;
}

const CONSUMER_IDS = arrayStatement(tables.selectFrom('allocations as a'), ['a.consumer_id']);

const CONSUMERS = arrayStatement(
  tables
    .selectFrom('consumers as c')
    .leftJoin('placement_consumer_requests as m', 'm.consumer_id', 'c.id')
    .leftJoin('placement_kept_consumers as k', 'k.consumer_id', 'c.id'),
  ['c.uuid', 'c.generation', 'c.consumer_type_id', 'm.request_id', 'm.member_id', 'k.consumer_id'],
);

const ALLOCATIONS = arrayStatement(tables.selectFrom('allocations as a'), [
  'a.consumer_id',
  'a.resource_provider_id',
  'a.resource_class_id',
  'a.used',
]);

/** A condition on the stored uuid of a consumer in SQL, with its values; null: all consumers. */
export type ConsumerSelection = { readonly sql: string; readonly values: readonly unknown[] } | null;

/** Selects the consumers with an allocation in the trees with these roots; null: in any tree. */
export function inTrees(rootIds: readonly number[] | null): ConsumerSelection {
  if (rootIds === null) return null;
  if (rootIds.length === 0) return { sql: 'IN (NULL)', values: [] };
  const sql = `IN (
    SELECT i.consumer_id FROM allocations i JOIN resource_providers p ON p.id = i.resource_provider_id
    WHERE p.root_provider_id IN (?))`;
  return { sql, values: [rootIds] };
}

/** Consumers and their allocations. Allocations are columns of numbers, because there are millions of them. */
export interface FleetRows {
  readonly consumers: readonly Pick<
    FleetConsumer,
    'uuid' | 'generation' | 'typeId' | 'requestId' | 'isKept'
  >[];
  /** The texts of remembered requests by id. */
  readonly requests: ReadonlyMap<number, string>;
  /** The uuids of consumers of named workloads. */
  readonly inWorkloads: readonly string[];
  /** The positions of consumers with several rows. */
  readonly withSeveralRows: ReadonlySet<number>;
  /** By allocation, the oldest first: the position of its consumer. */
  readonly consumerOf: Int32Array;
  readonly providerIds: Int32Array;
  readonly classIds: Int32Array;
  readonly amounts: Float64Array;
}

/** The maximum number of consumers of a plan. */
export const MAX_REBALANCED = 150_000;

/** Counts the selected consumers with allocations. Stops above MAX_REBALANCED. */
export async function countConsumers(reader: Queryable, selection: ConsumerSelection): Promise<number> {
  const where = conditionOn('a.consumer_id', selection);
  const ids = appended(CONSUMER_IDS, `${where} GROUP BY a.consumer_id LIMIT ${MAX_REBALANCED + 1}`);
  const counting = `SELECT COUNT(*) AS count FROM (${ids.text}) AS counted`;
  const [{ count }] = await reader.query<{ count: bigint }[]>(counting, valuesOf(selection));
  return Number(count);
}

/**
 * Reads the selected consumers with their allocations. Reads their generations before their allocations, so that a
 * change in between leaves a stale generation.
 */
export async function readFleet(connection: Connection, selection: ConsumerSelection): Promise<FleetRows> {
  const consumers: FleetRows['consumers'][number][] = [];
  const inWorkloads: string[] = [];
  const withSeveralRows = new Set<number>();
  const allocations = new NumberRows<readonly [number, number, number, number]>(4);
  const stream = <Row>(
    statement: Statement<Row>,
    [column, tail]: readonly string[],
    take: (row: Row) => void,
  ): Promise<void> => {
    const condition = `${conditionOn(column, selection)} ${tail}`;
    return streamRows(connection, appended(statement, condition), take, valuesOf(selection));
  };
  /** By uuid, and by stored text. */
  const positions = new Map<string, number>();
  await stream(CONSUMERS, ['c.uuid', ''], ([text, generation, typeId, requestId, memberId, keptId]) => {
    const isKept = keptId !== null;
    const uuid = uuidOf(text);
    if (memberId !== null) inWorkloads.push(uuid);
    const known = positions.get(uuid);
    if (known !== undefined) withSeveralRows.add(known);
    const position = known ?? consumers.push({ uuid, generation, typeId, requestId, isKept }) - 1;
    positions.set(uuid, position).set(text, position);
  });
  await stream(ALLOCATIONS, ['a.consumer_id', 'ORDER BY a.id'], ([text, providerId, classId, amount]) => {
    const position = positions.get(text);
    if (position !== undefined) allocations.add([position, providerId, classId, amount]);
  });
  const requestIds = new Set(consumers.flatMap(({ requestId }) => requestId ?? []));
  return {
    consumers,
    requests: await readRequests(connection, [...requestIds]),
    inWorkloads,
    withSeveralRows,
    consumerOf: allocations.column(0),
    providerIds: allocations.column(1),
    classIds: allocations.column(2),
    amounts: allocations.numbers(3),
  };
}

function conditionOn(column: string, selection: ConsumerSelection): string {
  return selection === null ? '' : `WHERE ${column} ${selection.sql}`;
}

function valuesOf(selection: ConsumerSelection): readonly unknown[] {
  return selection?.values ?? [];
}

/**
 * Returns the consumers, ordered by first allocation. Omits allocations of providers that a what-if has removed, and
 * consumers without any in the snapshot.
 */
export function* consumersIn(
  snapshot: FleetSnapshot,
  rows: FleetRows,
  removed: RemovedProviders | undefined,
  effort: Effort,
): Generator<void, FleetConsumer[]> {
  const providers = new Map<number, AnchorProvider | null>();
  const providerOf = (id: number): AnchorProvider | null => {
    let provider = providers.get(id);
    if (provider === undefined) {
      const place = snapshot.locateId(id);
      provider = place === undefined ? null : { ...place, treeIndex: treeIndexOf(place) };
      providers.set(id, provider);
    }
    return provider;
  };
  const found = new Map<number, MutableConsumer>();
  const unknown = new Set(rows.withSeveralRows);
  for (const [at, position] of rows.consumerOf.entries()) {
    effort.otherWork++;
    if (effort.isUsedUp) yield;
    const providerId = rows.providerIds[at];
    if (removed?.ids.has(providerId)) continue;
    const provider = providerOf(providerId);
    const resourceClass = rows.classIds[at];
    if (provider === null || inventoryAt(provider.block, provider.row, resourceClass) < 0) {
      unknown.add(position);
      continue;
    }
    let consumer = found.get(position);
    if (consumer === undefined)
      found.set(position, (consumer = { ...rows.consumers[position], allocations: [], isKnown: true }));
    addAmount(consumer.allocations, provider, resourceClass, rows.amounts[at]);
  }
  for (const position of unknown) {
    const consumer = found.get(position);
    if (consumer !== undefined) consumer.isKnown = false;
  }
  return [...found.values()];
}

interface MutableConsumer extends FleetConsumer {
  readonly allocations: MutableAllocation[];
  isKnown: boolean;
}

interface MutableAllocation extends CandidateAllocation {
  readonly resources: { readonly resourceClass: number; amount: number }[];
}

/** Adds up several rows for one provider and class, which another program may have left. */
function addAmount(
  allocations: MutableAllocation[],
  provider: AnchorProvider,
  resourceClass: number,
  amount: number,
): void {
  let own = allocations.find((one) => one.provider === provider);
  if (own === undefined) allocations.push((own = { provider, resources: [] }));
  const known = own.resources.find((one) => one.resourceClass === resourceClass);
  if (known === undefined) own.resources.push({ resourceClass, amount });
  else known.amount += amount;
}

const TYPES = arrayStatement(tables.selectFrom('consumer_types'), ['id', 'name']);

/** Returns the names of all consumer types by id. */
export async function readTypes(reader: Queryable): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.query<[number, string][]>({ sql: TYPES.text, rowsAsArray: true });
  return new Map(rows);
}
