import { columns, read, selectKinds } from '../../database/statements.js';
import { capacityOf } from '../../domain/capacity.js';
import { AMOUNTS, usedSum, type InventoryAmounts } from './inventoryColumns.js';
import type { Transaction } from '../transaction.js';

/** What an inventory allows. */
export interface InventoryLimits {
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  /** By capacityOf (decision D2). */
  readonly capacity: number;
}

/** A provider and one of its resource classes. */
export interface InventoryKey {
  readonly providerId: number;
  readonly classId: number;
}

/** A text that is equal for equal keys. */
export function inventoryKey({ providerId, classId }: InventoryKey): string {
  return `${providerId}:${classId}`;
}

/** Inventories with their usage, by {@link inventoryKey}. */
export interface InventoryUsage {
  /** Absent where there is no inventory. */
  readonly limits: Map<string, InventoryLimits>;
  /** By all consumers; also without an inventory, where a foreign writer left allocations. */
  readonly used: Map<string, number>;
}

const i = columns('inventories', 'i');
const a = columns('allocations', 'a');
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
  const usage: InventoryUsage = { limits: new Map(), used: new Map() };
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
