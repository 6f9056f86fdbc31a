import { appended, arrayStatement, tables, type Queryable, type Statement } from '../database/statements.js';
import type { AnchorProvider, CandidateAllocation } from '../engine/model/candidate.js';
import { uuidOf } from '../domain/uuid.js';
import type { Effort } from '../engine/model/effort.js';
import type { RemovedProviders } from './candidateSearch.js';
import { inventoryAt, treeIndexOf, type Snapshot } from '../engine/model/snapshot.js';

/** A consumer of the fleet with its allocations in the ids of a snapshot. */
export interface FleetConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly typeId: number | null;
  /** Omits allocations of inventories that the snapshot does not have. */
  readonly allocations: readonly CandidateAllocation[];
  /** True if the snapshot has the inventories of all its allocations, and the consumer has one row (decision D24). */
  readonly isKnown: boolean;
}

const CONSUMER_IDS = arrayStatement(tables.selectFrom('allocations as a'), ['a.consumer_id']);

const CONSUMERS = arrayStatement(tables.selectFrom('consumers as c'), [
  'c.uuid',
  'c.generation',
  'c.consumer_type_id',
]);

const ALLOCATIONS = arrayStatement(tables.selectFrom('allocations as a'), [
  'a.consumer_id',
  'a.resource_provider_id',
  'a.resource_class_id',
  'a.used',
]);

/** Selects the consumers with an allocation in the trees with these roots. */
const IN_TREES = `IN (
  SELECT i.consumer_id FROM allocations i JOIN resource_providers p ON p.id = i.resource_provider_id
  WHERE p.root_provider_id IN (?))`;

/** Rows of consumers and of their allocations. */
interface FleetRows {
  readonly consumers: readonly NonNullable<(typeof CONSUMERS)['row']>[];
  readonly allocations: readonly NonNullable<(typeof ALLOCATIONS)['row']>[];
}

/**
 * Reads all consumers with an allocation in the trees with these roots; null: in any tree. Reads
 * their generations before their allocations, so that a change in between leaves a stale
 * generation. Returns null without reading them if there are more than `max` consumers.
 */
export async function readFleet(
  reader: Queryable,
  rootIds: readonly number[] | null,
  max: number,
): Promise<FleetRows | null> {
  if (rootIds?.length === 0) return { consumers: [], allocations: [] };
  const values = rootIds === null ? [] : [rootIds];
  const where = (column: string): string => (rootIds === null ? '' : `WHERE ${column} ${IN_TREES}`);
  const ids = appended(CONSUMER_IDS, `${where('a.consumer_id')} GROUP BY a.consumer_id LIMIT ${max + 1}`);
  const counting = `SELECT COUNT(*) AS count FROM (${ids.text}) AS counted`;
  const [{ count }] = await reader.query<{ count: bigint }[]>(counting, values);
  if (Number(count) > max) return null;
  const rowsOf = <Row>(statement: Statement<Row>, tail: string): Promise<Row[]> =>
    reader.query<Row[]>({ sql: appended(statement, tail).text, rowsAsArray: true }, values);
  const consumers = await rowsOf(CONSUMERS, where('c.uuid'));
  const allocations = await rowsOf(ALLOCATIONS, `${where('a.consumer_id')} ORDER BY a.id`);
  return { consumers, allocations };
}

/**
 * Joins the rows, ordered by first allocation. Omits allocations of providers that a what-if has removed, and
 * consumers without any in the snapshot.
 */
export function* consumersIn(
  snapshot: Snapshot,
  rows: FleetRows,
  removed: RemovedProviders | undefined,
  effort: Effort,
): Generator<void, FleetConsumer[]> {
  const providers = new Map<number, AnchorProvider>();
  for (const block of snapshot.blocks) {
    for (let row = 0; row < block.ids.length; row++)
      providers.set(block.ids[row], { block, row, treeIndex: treeIndexOf({ block, row }) });
    effort.providersExamined += block.ids.length;
    if (effort.isUsedUp) yield;
  }
  /** By uuid, and by stored text. */
  const consumers = new Map<string, MutableConsumer>();
  for (const [text, generation, typeId] of rows.consumers) {
    effort.otherWork++;
    if (effort.isUsedUp) yield;
    const uuid = uuidOf(text);
    const other = consumers.get(uuid);
    const consumer = other ?? { uuid, generation, typeId, allocations: [], isKnown: true };
    if (other !== undefined) consumer.isKnown = false;
    consumers.set(uuid, consumer).set(text, consumer);
  }
  const found = new Set<FleetConsumer>();
  for (const [text, providerId, resourceClass, amount] of rows.allocations) {
    effort.otherWork++;
    if (effort.isUsedUp) yield;
    const consumer = consumers.get(text);
    if (consumer === undefined || removed?.ids.has(providerId)) continue;
    const provider = providers.get(providerId);
    if (provider === undefined || inventoryAt(provider.block, provider.row, resourceClass) < 0)
      consumer.isKnown = false;
    else {
      found.add(consumer);
      addAmount(consumer.allocations, provider, resourceClass, amount);
    }
  }
  return [...found];
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
