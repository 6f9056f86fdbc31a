import { createHash } from 'node:crypto';
import {
  caseOf,
  columns,
  read,
  selectKinds,
  type Column,
  deletionFrom,
  insertion,
} from '../../sql/statements.js';
import { capacityOf, LARGEST_AMOUNT } from '../../../model/input.js';
import type { InventoryAmounts } from '../../../model/provider.js';
import {
  type Transaction,
  batches,
  COMPARED_AT_ONCE,
  type RowChange,
  WriteConflict,
} from '../transaction.js';

const i = columns('inventories', 'i');

/** Selects all digits of a ratio. The database returns a plain FLOAT with only six digits. */
export function exactRatio<T>(column: Column<T>): Column<T> {
  return `${column} + 0e0` as Column<T>;
}

/** The amounts of an inventory as columns of a statement with the alias i for inventories. */
export const AMOUNTS: { readonly [Field in keyof InventoryAmounts]: Column<number> } = {
  total: i.total,
  reserved: i.reserved,
  minUnit: i.min_unit,
  maxUnit: i.max_unit,
  stepSize: i.step_size,
  allocationRatio: exactRatio(i.allocation_ratio),
};

/** Returns the SQL sum of used amounts, saturating at LARGEST_AMOUNT (decision D2). */
export function usedSum(used: Column<number>): Column<number> {
  return `CAST(LEAST(SUM(${used}), ${LARGEST_AMOUNT}) AS SIGNED)` as Column<number>;
}

/** The units and the capacity of an inventory. */
interface InventoryLimits extends Pick<InventoryAmounts, 'minUnit' | 'maxUnit' | 'stepSize'> {
  /** The result of capacityOf (decision D2). */
  readonly capacity: number;
}

/** A provider and one of its resource classes. */
export interface InventoryKey {
  readonly providerId: number;
  readonly classId: number;
}

/** Returns a string that is equal for equal keys. */
export function inventoryKey({ providerId, classId }: InventoryKey): string {
  return `${providerId}:${classId}`;
}

/** Inventories with their usage, by {@link inventoryKey}. */
export interface InventoryUsage {
  /** Absent if there is no inventory. */
  readonly limits: Map<string, InventoryLimits>;
  /** The usage by all consumers. Can exist without an inventory after an external write. */
  readonly used: Map<string, number>;
  /** By counter: the usage that follows from the usage of the inventories that consume it. */
  readonly implied: Map<string, number>;
  /** Whether `implied` follows from a consumption that the write is to set, so that it is no usage before the write. */
  readonly isImpliedByWrite?: boolean;
}

const a = columns('allocations', 'a');

/** Without fresh statistics MySQL would read all allocations of a class for each provider. */
export const BY_INVENTORY = 'FORCE INDEX (allocations_resource_provider_class_used_idx)';

const READ = selectKinds(
  {
    inventory: { providerId: i.resource_provider_id, classId: i.resource_class_id, ...AMOUNTS },
    usage: { providerId: a.resource_provider_id, classId: a.resource_class_id, used: usedSum(a.used) },
  },
  {
    inventory: `FROM inventories i WHERE ${i.resource_provider_id} IN (?) AND ${i.resource_class_id} IN (?)`,
    usage: `FROM allocations a WHERE ${a.resource_provider_id} IN (?) AND ${a.resource_class_id} IN (?)
            GROUP BY ${a.resource_provider_id}, ${a.resource_class_id}`,
  },
);

/**
 * Reads inventories and usage of these providers and classes in one statement. Read the providers' generations before:
 * usage that is validated must not be older than the generation that is compared at the end (architecture: writes).
 */
export async function readInventoryUsage(
  tx: Transaction,
  keys: readonly InventoryKey[],
): Promise<InventoryUsage> {
  const usage: InventoryUsage = { limits: new Map(), used: new Map(), implied: new Map() };
  if (keys.length === 0) return usage;
  const providers = [...new Set(keys.map(({ providerId }) => providerId))];
  const classes = [...new Set(keys.map(({ classId }) => classId))];
  for (const row of await read(tx, READ, [providers, classes, providers, classes])) {
    if (row.kind === 'inventory') usage.limits.set(inventoryKey(row), limitsOf(row));
    else usage.used.set(inventoryKey(row), row.used);
  }
  return usage;
}

export function limitsOf(inventory: InventoryAmounts): InventoryLimits {
  const { total, reserved, allocationRatio, minUnit, maxUnit, stepSize } = inventory;
  return { minUnit, maxUnit, stepSize, capacity: capacityOf(total, reserved, allocationRatio) };
}

/** An amount that a consumer has of one provider and class. */
export interface AllocationRow extends InventoryKey {
  readonly consumer: string;
  readonly used: number;
}

export interface StoredAllocation extends AllocationRow {
  readonly id: number;
  /** The uuid of the consumer as it is stored. */
  readonly text: string;
}

/** The rows to write to get from stored allocations to wanted ones. */
export type AllocationChange = RowChange<StoredAllocation, AllocationRow>;

const { id: ID } = columns('allocations');
const DELETE = `${deletionFrom('allocations')} WHERE ${ID} IN (?) ORDER BY ${ID}`;
const ROW = ['consumer_id', 'resource_provider_id', 'resource_class_id', 'used', 'created_at'] as const;
const INSERT = insertion('allocations', ROW);

/** @param textOf returns the stored text of a consumer's uuid */
export function writeAllocations(
  tx: Transaction,
  { removed, added }: RowChange<Pick<StoredAllocation, 'id'>, AllocationRow>,
  textOf: (consumer: string) => string = (consumer) => consumer,
): void {
  for (const batch of batches(removed)) tx.send(DELETE, [batch.map(({ id }) => id)]);
  for (const batch of batches(added)) {
    const rows = batch.map(
      ({ consumer, providerId, classId, used }) =>
        [textOf(consumer), providerId, classId, used, tx.now] as const,
    );
    tx.send(...INSERT(rows));
  }
}

const c = columns('consumers', 'c');
const INSERT_REQUESTS = insertion(
  'placement_requests',
  ['hash', 'body', 'created_at'],
  'ON DUPLICATE KEY UPDATE id = id',
);

/** The texts of requests that the database has. A process keeps the last ones. */
export type KnownRequests = Set<string>;

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** Stores the texts of requests that are not known, and returns the hashes of all by text. */
export function storeRequests(
  tx: Transaction,
  bodies: Iterable<string>,
  known?: KnownRequests,
): ReadonlyMap<string, string> {
  const hashes = new Map(Array.from(new Set(bodies), (body) => [body, hashOf(body)]));
  const unknown = [...hashes].filter(([body]) => !known?.has(body));
  // transactions lock the rows in the same order
  unknown.sort(([, one], [, other]) => (one < other ? -1 : 1));
  for (const batch of batches(unknown, COMPARED_AT_ONCE))
    tx.send(...INSERT_REQUESTS(batch.map(([body, hash]) => [hash, body, tx.now])));
  return hashes;
}

/**
 * Remembers the texts of requests by the stored text of the uuid of their consumers, which the transaction has written.
 * Only requests that are not known take more than one statement. The lock keeps the audit from removing a request
 * meanwhile.
 */
export function rememberRequests(
  tx: Transaction,
  requests: ReadonlyMap<string, string>,
  known: KnownRequests,
): void {
  const hashes = storeRequests(tx, requests.values(), known);
  for (const batch of batches([...requests], COMPARED_AT_ONCE)) {
    const isOne = batch.every(([, body]) => body === batch[0][1]);
    const cases = isOne
      ? [hashes.get(batch[0][1])]
      : batch.flatMap(([text, body]) => [text, hashes.get(body)]);
    const sql = `INSERT INTO placement_consumer_requests (consumer_id, request_id, created_at)
      SELECT ${c.id}, r.id, ? FROM consumers c
        JOIN placement_requests r ON r.hash = ${isOne ? '?' : caseOf(c.uuid, batch.length)}
       WHERE ${c.uuid} IN (?) LOCK IN SHARE MODE
      ON DUPLICATE KEY UPDATE request_id = r.id, created_at = VALUES(created_at)`;
    tx.send(sql, [tx.now, ...cases, batch.map(([text]) => text)], ({ affectedRows }) => {
      if (affectedRows >= batch.length) return;
      known.clear();
      throw new WriteConflict('a remembered request was removed concurrently');
    });
  }
}
