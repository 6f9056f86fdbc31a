import { capacityOf } from '../../domain/capacity.js';
import type { InventoryRow } from './inventoryRows.js';
import type { Transaction } from '../transaction.js';

/** An inventory with what is taken of it, as a write judges it. */
export interface Stock {
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  /** By capacityOf (decision D2). */
  readonly capacity: number;
}

/** A provider and one of its resource classes. */
export interface Shelf {
  readonly providerId: number;
  readonly classId: number;
}

/** A text that is equal for equal shelves. */
export function shelfKey({ providerId, classId }: Shelf): string {
  return `${providerId}:${classId}`;
}

/** What is on the shelves that a write touches: the inventory, absent where there is none, and the use by everybody. */
export interface Shelves {
  readonly stock: Map<string, Stock>;
  readonly used: Map<string, number>;
}

/** A row of an inventory, or else of the use of a shelf: allocations may be where no inventory is (a foreign writer's). */
type ShelfRow = (InventoryRow & { readonly used: null }) | (Shelf & { readonly used: number });

/**
 * Reads inventories and usage of these providers and classes in one statement. Read the providers' generations before:
 * usage that is judged must not be older than the generation that is compared at the end (architecture: writes).
 */
export async function readShelves(tx: Transaction, shelves: readonly Shelf[]): Promise<Shelves> {
  const stock = new Map<string, Stock>();
  const used = new Map<string, number>();
  if (shelves.length === 0) return { stock, used };
  const providers = [...new Set(shelves.map(({ providerId }) => providerId))];
  const classes = [...new Set(shelves.map(({ classId }) => classId))];
  const rows = await tx.query<ShelfRow[]>(
    `SELECT resource_provider_id AS providerId, resource_class_id AS classId, total, reserved, min_unit AS minUnit,
            max_unit AS maxUnit, step_size AS stepSize, allocation_ratio + 0e0 AS allocationRatio, NULL AS used
       FROM inventories WHERE resource_provider_id IN (?) AND resource_class_id IN (?)
     UNION ALL
     SELECT resource_provider_id, resource_class_id, 0, 0, 0, 0, 0, 0e0, CAST(SUM(used) AS SIGNED)
       FROM allocations WHERE resource_provider_id IN (?) AND resource_class_id IN (?)
      GROUP BY resource_provider_id, resource_class_id`,
    [providers, classes, providers, classes],
  );
  for (const row of rows) {
    if (row.used === null) stock.set(shelfKey(row), stockOf(row));
    else used.set(shelfKey(row), row.used);
  }
  return { stock, used };
}

export function stockOf({
  total,
  reserved,
  allocationRatio,
  minUnit,
  maxUnit,
  stepSize,
}: Omit<InventoryRow, keyof Shelf>): Stock {
  return { minUnit, maxUnit, stepSize, capacity: capacityOf(total, reserved, allocationRatio) };
}
