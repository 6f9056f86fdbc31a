import { capacityOf } from '../engine/capacity.js';
import type { InventoryRow } from './inventoryRows.js';
import type { Transaction } from './transaction.js';

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

interface ShelfRow extends InventoryRow {
  readonly used: number;
}

/**
 * Reads inventories and usage of these providers and classes in one statement. Read the providers' generations before:
 * usage that is judged must not be older than the generation that is compared at the end (architecture: writes).
 */
export async function readShelves(tx: Transaction, shelves: readonly Shelf[]): Promise<Shelves> {
  const stock = new Map<string, Stock>();
  const used = new Map<string, number>();
  if (shelves.length === 0) return { stock, used };
  const providers = new Set(shelves.map(({ providerId }) => providerId));
  const classes = new Set(shelves.map(({ classId }) => classId));
  const rows = await tx.query<ShelfRow[]>(
    `SELECT i.resource_provider_id AS providerId, i.resource_class_id AS classId, i.total, i.reserved,
            i.min_unit AS minUnit, i.max_unit AS maxUnit, i.step_size AS stepSize,
            i.allocation_ratio + 0e0 AS allocationRatio,
            (SELECT CAST(COALESCE(SUM(a.used), 0) AS SIGNED) FROM allocations a
              WHERE a.resource_provider_id = i.resource_provider_id
                AND a.resource_class_id = i.resource_class_id) AS used
     FROM inventories i WHERE i.resource_provider_id IN (?) AND i.resource_class_id IN (?)`,
    [[...providers], [...classes]],
  );
  for (const row of rows) {
    stock.set(shelfKey(row), stockOf(row));
    used.set(shelfKey(row), row.used);
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
