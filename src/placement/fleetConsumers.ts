import { appended, arrayStatement, tables, type Queryable } from '../database/statements.js';
import type { AnchorProvider, CandidateAllocation } from '../engine/model/candidate.js';
import type { Effort } from '../engine/model/effort.js';
import { inventoryAt, treeIndexOf, type Snapshot } from '../engine/model/snapshot.js';

/** A consumer of many, with its allocations in the ids of a snapshot. */
export interface FleetConsumer {
  readonly uuid: string;
  readonly generation: number;
  readonly typeId: number | null;
  /** Without allocations of inventories that the snapshot does not have. */
  readonly allocations: readonly CandidateAllocation[];
  /** Whether the snapshot has all its inventories. */
  readonly isKnown: boolean;
}

const CONSUMERS = arrayStatement(tables.selectFrom('allocations as a'), ['a.consumer_id']);

const ALLOCATIONS = arrayStatement(
  tables.selectFrom('allocations as a').innerJoin('consumers as c', 'c.uuid', 'a.consumer_id'),
  ['c.uuid', 'c.generation', 'c.consumer_type_id', 'a.resource_provider_id', 'a.resource_class_id', 'a.used'],
);

type AllocationRow = NonNullable<(typeof ALLOCATIONS)['row']>;

/** Selects the consumers with an allocation in the trees with these roots. */
const IN_TREES = `a.consumer_id IN (
  SELECT i.consumer_id FROM allocations i JOIN resource_providers p ON p.id = i.resource_provider_id
  WHERE p.root_provider_id IN (?))`;

/**
 * Reads the allocations of all consumers with an allocation in the trees with these roots; null: in any tree.
 * Returns null, having read no allocations, if there are more than `max` consumers.
 */
export async function readAllocations(
  reader: Queryable,
  rootIds: readonly number[] | null,
  max: number,
): Promise<AllocationRow[] | null> {
  if (rootIds?.length === 0) return [];
  const condition = rootIds === null ? '' : `WHERE ${IN_TREES}`;
  const values = rootIds === null ? [] : [rootIds];
  const bounded = appended(CONSUMERS, `${condition} GROUP BY a.consumer_id LIMIT ${max + 1}`);
  const [{ count }] = await reader.query<{ count: bigint }[]>(
    `SELECT COUNT(*) AS count FROM (${bounded.text}) AS counted`,
    values,
  );
  if (Number(count) > max) return null;
  const sql = appended(ALLOCATIONS, `${condition} ORDER BY a.id`).text;
  return reader.query<AllocationRow[]>({ sql, rowsAsArray: true }, values);
}

/** Groups allocations by consumer, in the order of their first allocations. */
export function* consumersIn(
  snapshot: Snapshot,
  rows: readonly AllocationRow[],
  effort: Effort,
): Generator<void, FleetConsumer[]> {
  const providers = new Map<number, AnchorProvider>();
  for (const block of snapshot.blocks) {
    for (let row = 0; row < block.ids.length; row++) {
      const provider = { block, row };
      providers.set(block.ids[row], { ...provider, treeIndex: treeIndexOf(provider) });
    }
    effort.providersExamined += block.ids.length;
    if (effort.isUsedUp) yield;
  }
  const consumers = new Map<string, MutableConsumer>();
  for (const [uuid, generation, typeId, providerId, resourceClass, amount] of rows) {
    effort.otherWork++;
    if (effort.isUsedUp) yield;
    let consumer = consumers.get(uuid);
    if (consumer === undefined)
      consumers.set(uuid, (consumer = { uuid, generation, typeId, allocations: [], isKnown: true }));
    const provider = providers.get(providerId);
    if (provider === undefined || inventoryAt(provider.block, provider.row, resourceClass) < 0)
      consumer.isKnown = false;
    else addAmount(consumer.allocations, provider, resourceClass, amount);
  }
  return [...consumers.values()];
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
  const ofProvider = allocations.find((one) => one.provider === provider);
  if (ofProvider === undefined) {
    allocations.push({ provider, resources: [{ resourceClass, amount }] });
    return;
  }
  const known = ofProvider.resources.find((one) => one.resourceClass === resourceClass);
  if (known === undefined) ofProvider.resources.push({ resourceClass, amount });
  else known.amount += amount;
}

const TYPES = arrayStatement(tables.selectFrom('consumer_types'), ['id', 'name']);

/** Returns the names of all consumer types by id. */
export async function readTypes(reader: Queryable): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.query<[number, string][]>({ sql: TYPES.text, rowsAsArray: true });
  return new Map(rows);
}
