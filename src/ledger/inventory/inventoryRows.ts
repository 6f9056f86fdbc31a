import {
  columns,
  insertion,
  list,
  read,
  select,
  statement,
  tables,
  write,
} from '../../database/statements.js';
import { INVENTORY_AMOUNTS, type InventoryAmounts } from '../../domain/inventoryFields.js';
import { batches } from '../batches.js';
import { idOf } from '../../database/catalogNames.js';
import { lockClasses } from '../catalog/resourceClasses.js';
import { type InventoryInput } from './inventoryInput.js';
import { AMOUNTS, inventoryKey, type InventoryKey } from './inventoryUsage.js';
import { type ProviderRow } from '../provider/providerRows.js';
import { type Transaction } from '../transaction.js';

/** An inventory in the terms of the database; the ratio is the single-precision number that the column holds. */
export interface InventoryRow extends InventoryAmounts, InventoryKey {}

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

const i = columns('inventories', 'i');
const STORED = select(
  { id: i.id, providerId: i.resource_provider_id, classId: i.resource_class_id, ...AMOUNTS },
  `FROM inventories i WHERE ${i.resource_provider_id} IN (?)`,
);

/** All inventories of these providers. */
export async function storedInventories(
  tx: Transaction,
  providers: readonly Pick<ProviderRow, 'id'>[],
): Promise<StoredInventory[]> {
  return providers.length === 0 ? [] : read(tx, STORED, [providers.map(({ id }) => id)]);
}

/** Compares inventories that are stored with the ones that shall be in their place. */
export function inventoryChange(
  stored: readonly StoredInventory[],
  wanted: readonly InventoryRow[],
): InventoryChange {
  const storedByKey = new Map(stored.map((row) => [inventoryKey(row), row]));
  const wantedKeys = new Set(wanted.map(inventoryKey));
  const written = wanted.filter((row) => {
    const old = storedByKey.get(inventoryKey(row));
    return old === undefined || INVENTORY_AMOUNTS.some((field) => old[field] !== row[field]);
  });
  return {
    removed: stored.filter((row) => !wantedKeys.has(inventoryKey(row))),
    written,
    newClassIds: written.filter((row) => !storedByKey.has(inventoryKey(row))).map(({ classId }) => classId),
  };
}

const WRITTEN = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const;
const WRITE = insertion(
  'inventories',
  ['resource_provider_id', 'resource_class_id', 'created_at', ...WRITTEN],
  `ON DUPLICATE KEY UPDATE ${columns('inventories').updated_at} = VALUES(${columns('inventories').created_at}),
   ${WRITTEN.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
);
const DELETE = statement(tables.deleteFrom('inventories').where('id', 'in', list<number>()));

/** Writes a change in a handful of statements, but for batches, however many inventories it has. */
export async function writeInventories(tx: Transaction, change: InventoryChange): Promise<void> {
  const { removed, written, newClassIds } = change;
  await lockClasses(tx, newClassIds);
  if (removed.length > 0) await write(tx, DELETE, [removed.map(({ id }) => id)]);
  for (const batch of batches(written)) {
    const rows = batch.map(({ providerId, classId, total, reserved, ...row }) => {
      const { minUnit, maxUnit, stepSize, allocationRatio: ratio } = row;
      return [providerId, classId, tx.now, total, reserved, minUnit, maxUnit, stepSize, ratio] as const;
    });
    await tx.query(...WRITE(rows));
  }
}
