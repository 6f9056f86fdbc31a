import { INVENTORY_AMOUNTS, type InventoryAmounts } from '../../domain/inventoryFields.js';
import { batches } from '../batches.js';
import { idOf } from '../../database/catalogNames.js';
import { holdClasses } from '../catalog/resourceClasses.js';
import { type InventoryInput } from './inventoryInput.js';
import { type ProviderRow } from '../provider/providerRows.js';
import { type Transaction } from '../transaction.js';

/** An inventory in the terms of the database; the ratio is the single-precision number that the column holds. */
export interface InventoryRow extends InventoryAmounts {
  readonly providerId: number;
  readonly classId: number;
}

export interface StoredInventory extends InventoryRow {
  readonly id: number;
}

/** What has to be written to get from stored inventories to wanted ones. */
export interface InventoryChange {
  readonly removed: readonly StoredInventory[];
  /** New ones, and those that differ in any field. */
  readonly written: readonly InventoryRow[];
  /** The classes of the new ones among `written`. */
  readonly newClassIds: readonly number[];
}

export function rowOf(
  { resourceClass, ...amounts }: InventoryInput,
  provider: Pick<ProviderRow, 'id'>,
  classes: ReadonlyMap<string, number>,
): InventoryRow {
  return {
    ...amounts,
    allocationRatio: Math.fround(amounts.allocationRatio),
    providerId: provider.id,
    classId: idOf(classes, resourceClass),
  };
}

/** All inventories of these providers. */
export async function storedInventories(
  tx: Transaction,
  providers: readonly Pick<ProviderRow, 'id'>[],
): Promise<StoredInventory[]> {
  if (providers.length === 0) return [];
  // + 0e0: as a FLOAT the ratio would be shown with six digits only
  return tx.query<StoredInventory[]>(
    `SELECT id, resource_provider_id AS providerId, resource_class_id AS classId, total, reserved,
            min_unit AS minUnit, max_unit AS maxUnit, step_size AS stepSize, allocation_ratio + 0e0 AS allocationRatio
     FROM inventories WHERE resource_provider_id IN (?)`,
    [providers.map(({ id }) => id)],
  );
}

/** Compares inventories that are stored with the ones that shall be in their place. */
export function inventoryChange(
  stored: readonly StoredInventory[],
  wanted: readonly InventoryRow[],
): InventoryChange {
  const key = ({ providerId, classId }: InventoryRow) => `${providerId}:${classId}`;
  const storedByKey = new Map(stored.map((row) => [key(row), row]));
  const wantedKeys = new Set(wanted.map(key));
  const written = wanted.filter((row) => {
    const old = storedByKey.get(key(row));
    return old === undefined || INVENTORY_AMOUNTS.some((field) => old[field] !== row[field]);
  });
  return {
    removed: stored.filter((row) => !wantedKeys.has(key(row))),
    written,
    newClassIds: written.filter((row) => !storedByKey.has(key(row))).map(({ classId }) => classId),
  };
}

/** Writes a change in a handful of statements, but for batches, however many inventories it has. */
export async function writeInventories(tx: Transaction, change: InventoryChange, now: Date): Promise<void> {
  const { removed, written, newClassIds } = change;
  await holdClasses(tx, newClassIds, now);
  if (removed.length > 0)
    await tx.query('DELETE FROM inventories WHERE id IN (?)', [removed.map(({ id }) => id)]);
  for (const rows of batches(written)) {
    await tx.query(
      `INSERT INTO inventories (resource_provider_id, resource_class_id, created_at,
                                total, reserved, min_unit, max_unit, step_size, allocation_ratio)
       VALUES ${rows.map(() => '(?)').join(', ')}
       ON DUPLICATE KEY UPDATE updated_at = VALUES(created_at), total = VALUES(total), reserved = VALUES(reserved),
         min_unit = VALUES(min_unit), max_unit = VALUES(max_unit), step_size = VALUES(step_size),
         allocation_ratio = VALUES(allocation_ratio)`,
      rows.map((row) => [row.providerId, row.classId, now, ...INVENTORY_AMOUNTS.map((field) => row[field])]),
    );
  }
}
