import { idOf } from '../../sql/catalog.js';
import { columns, deletionFrom, insertion, read, select } from '../../sql/statements.js';
import { LARGEST_INTEGER, firstDuplicate, InvalidInput, unknownName } from '../../../model/input.js';
import {
  INVENTORY_AMOUNTS,
  type ConsumptionInput,
  type InventoryAmounts,
  type InventoryFields,
  type ProviderFields,
} from '../../../model/provider.js';
import { batches, changeOf, type Transaction } from '../transaction.js';
import { lockClasses } from '../catalog.js';
import { AMOUNTS, type InventoryKey, inventoryKey } from '../allocation/allocationRows.js';

/** An inventory with the ids of the database. Its ratio is rounded to single precision. */
export interface InventoryRow extends InventoryAmounts, InventoryKey {}

export interface StoredInventory extends InventoryRow {
  readonly id: number;
}

/** The rows to write to get from stored inventories to wanted ones. */
export interface InventoryChange {
  readonly removed: readonly StoredInventory[];
  /** New inventories, and inventories that differ in any field. */
  readonly written: readonly InventoryRow[];
  /** The classes of the new inventories in `written`. */
  readonly newClassIds: readonly number[];
}

export function rowOf(
  { resourceClass, consumes: _, ...amounts }: InventoryInput,
  provider: Pick<ProviderFields, 'id'>,
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

/** Reads all inventories of these providers. */
export async function storedInventories(
  tx: Transaction,
  providers: readonly Pick<ProviderFields, 'id'>[],
): Promise<StoredInventory[]> {
  return providers.length === 0 ? [] : read(tx, STORED, [providers.map(({ id }) => id)]);
}

/** Compares stored inventories with the wanted ones that replace them. */
export function inventoryChange(
  stored: readonly StoredInventory[],
  wanted: readonly InventoryRow[],
): InventoryChange {
  const { removed, added } = changeOf(stored, wanted, inventoryKey, (one, other) =>
    INVENTORY_AMOUNTS.every((field) => one[field] === other[field]),
  );
  const [storedKeys, wantedKeys] = [stored, wanted].map((rows) => new Set(rows.map(inventoryKey)));
  return {
    removed: removed.filter((row) => !wantedKeys.has(inventoryKey(row))),
    written: added,
    newClassIds: added.filter((row) => !storedKeys.has(inventoryKey(row))).map(({ classId }) => classId),
  };
}

const WRITTEN = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const;
const WRITE = insertion(
  'inventories',
  ['resource_provider_id', 'resource_class_id', 'created_at', ...WRITTEN],
  `ON DUPLICATE KEY UPDATE ${columns('inventories').updated_at} = VALUES(${columns('inventories').created_at}),
   ${WRITTEN.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
);
const DELETE = `${deletionFrom('inventories')} WHERE ${columns('inventories').id} IN (?)`;

/** Writes a change. Only batches add statements. */
export async function writeInventories(tx: Transaction, change: InventoryChange): Promise<void> {
  const { removed, written, newClassIds } = change;
  await lockClasses(tx, newClassIds);
  for (const batch of batches(removed)) await tx.query(DELETE, [batch.map(({ id }) => id)]);
  for (const batch of batches(written)) {
    const rows = batch.map(({ providerId, classId, total, reserved, ...row }) => {
      const { minUnit, maxUnit, stepSize, allocationRatio: ratio } = row;
      return [providerId, classId, tx.now, total, reserved, minUnit, maxUnit, stepSize, ratio] as const;
    });
    await tx.query(...WRITE(rows));
  }
}

/** An inventory of an API input, with defaults filled in (rules 16, 17). */
export type InventoryInput = InventoryFields;

/** The largest ratio that the single-precision column holds, as the reference states it (rule 13). */
const LARGEST_RATIO = 3.40282e38;

/** The least value of each amount (rule 18), in the order of the input. */
const LEAST = { total: 1, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1 } as const;

/** A resource class that an input names, its path, and the check of its other values. */
interface Entry {
  readonly resourceClass: string;
  readonly path: readonly string[];
  readonly check: () => void;
}

/** Rejects the first entry with a repeated (D7) or unknown class (D12) or a failing `check`. */
export function checkEntries(entries: readonly Entry[], known: ReadonlyMap<string, number>): void {
  const repeated = firstDuplicate(entries.map(({ resourceClass }) => resourceClass));
  entries.forEach(({ resourceClass, path, check }, index) => {
    if (index === repeated) throw new InvalidInput(path, `resource class ${resourceClass} is given twice`);
    if (!known.has(resourceClass)) throw unknownName('resource class', resourceClass, path);
    check();
  });
}

export function inventoryEntries(
  inputs: readonly InventoryInput[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): Entry[] {
  return inputs.map((input, index) => {
    const at = [...path, String(index)];
    return {
      resourceClass: input.resourceClass,
      path: [...at, 'resourceClass'],
      check: () => {
        checkAmounts(input, at);
        checkConsumes(input.consumes ?? [], [...at, 'consumes'], known);
      },
    };
  });
}

/** Rejects the first invalid inventory of a provider's set. */
export function checkInventories(
  inputs: readonly InventoryInput[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  checkEntries(inventoryEntries(inputs, path, known), known);
}

/** Returns the resource classes of inventories and of their counters. */
export function classesOf(inputs: readonly Pick<InventoryInput, 'resourceClass' | 'consumes'>[]): string[] {
  return inputs.flatMap(({ resourceClass, consumes }) => [
    resourceClass,
    ...(consumes ?? []).map((counter) => counter.resourceClass),
  ]);
}

/** Rejects the first counter with an unknown class or an amount below 1. */
function checkConsumes(
  consumes: readonly ConsumptionInput[],
  path: readonly string[],
  known: ReadonlyMap<string, number>,
): void {
  for (const [at, { resourceClass, amount }] of consumes.entries()) {
    const here = [...path, String(at)];
    if (!known.has(resourceClass))
      throw unknownName('resource class', resourceClass, [...here, 'resourceClass']);
    if (!Number.isInteger(amount) || amount < 1 || amount > LARGEST_INTEGER) {
      const bounds = `it must be a whole number from 1 to ${LARGEST_INTEGER}`;
      throw new InvalidInput(
        [...here, 'amount'],
        `the amount of the counter ${resourceClass} is ${amount}: ${bounds}`,
      );
    }
  }
}

/**
 * Rejects the first field with an amount out of range (rules 12, 18), reserved above total (22), or
 * a ratio that is too large (13) or, in single precision, not above 0 (decision D4). min_unit,
 * max_unit, step_size and total need not be consistent with each other (23).
 */
export function checkAmounts(input: InventoryInput, path: readonly string[]): void {
  const of = `of the inventory of ${input.resourceClass}`;
  for (const [field, least] of Object.entries(LEAST) as [keyof typeof LEAST, number][]) {
    const value = input[field];
    const reject = (why: string): never => {
      throw new InvalidInput([...path, field], `${field} ${of} is ${value}${why}`);
    };
    if (!Number.isInteger(value) || value < least || value > LARGEST_INTEGER)
      reject(`: it must be a whole number from ${least} to ${LARGEST_INTEGER}`);
    if (field === 'reserved' && value > input.total) reject(`, more than its total of ${input.total}`);
  }
  const ratio = input.allocationRatio;
  if (Math.fround(ratio) > 0 && ratio <= LARGEST_RATIO) return;
  const bounds = `above 0, also in single precision, and at most ${LARGEST_RATIO}`;
  const message = `allocationRatio ${of} is ${ratio}: it must be ${bounds}`;
  throw new InvalidInput([...path, 'allocationRatio'], message);
}
