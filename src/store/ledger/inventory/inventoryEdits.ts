import { idOf } from '../../sql/catalog.js';
import { columns, joinedColumns, read, select } from '../../sql/statements.js';
import { LARGEST_INTEGER, InvalidInput } from '../../../model/input.js';
import {
  INVENTORY_AMOUNTS,
  type ConsumptionInput,
  type InventoryAmounts,
  type ProviderFields,
} from '../../../model/provider.js';
import { InventoryExists, InventoryInUse, NotFound } from '../../../model/rejections.js';
import { checkFields } from '../provider/links.js';
import type { Transaction } from '../transaction.js';
import type { StatedInventory } from './consumption.js';
import { usersOf } from './removedInUse.js';
import {
  type InventoryInput,
  type InventoryRow,
  type StoredInventory,
  checkAmounts,
  checkEntries,
  checkInventories,
  classesOf,
  inventoryEntries,
  rowOf,
} from './inventoryRows.js';

/** The new fields of a stored inventory. Null or absent fields stay unchanged. */
export interface InventoryPatch extends Readonly<Partial<Record<keyof InventoryAmounts, number | null>>> {
  readonly resourceClass: string;
  /** Null or absent: unchanged. */
  readonly consumes?: readonly ConsumptionInput[] | null;
}

/** An edit of a provider's inventories: the whole new set, or changes of some of them. */
export interface InventoriesEdit {
  /** Replaces these inventories in all fields. Deletes those of other classes (rules 19, 31). */
  readonly set?: readonly InventoryInput[] | null;
  /** The inventories to create, or to replace in all fields. */
  readonly add?: readonly InventoryInput[] | null;
  /** The inventories to create. The provider must not have them. */
  readonly create?: readonly InventoryInput[] | null;
  readonly patch?: readonly InventoryPatch[] | null;
  /** The resource classes of inventories to delete. */
  readonly remove?: readonly string[] | null;
}

/** Returns the names of the resource classes of an edit. */
export function classesIn({ set, add, create, patch, remove }: InventoriesEdit): string[] {
  const inventories = [set, add, create, patch].flatMap((list) => list ?? []);
  return [...inventories.map(({ resourceClass }) => resourceClass), ...(remove ?? [])];
}

/** Returns the names of the resource classes of an edit and of the counters in it. */
export function allClassesIn({ remove, ...edit }: InventoriesEdit): string[] {
  const inventories = Object.values(edit).flatMap((list) => list ?? []);
  return [...classesOf(inventories), ...(remove ?? [])];
}

/** Returns the inventories that an edit states, with their paths. */
export function statedInventories(
  { set, add, create, patch }: InventoriesEdit,
  providerId: number,
  path: readonly string[],
): StatedInventory[] {
  return Object.entries({ set, add, create, patch }).flatMap(([part, inventories]) =>
    (inventories ?? []).map(({ resourceClass, consumes = null }, at) => {
      return { providerId, resourceClass, consumes, path: [...path, part, String(at)] };
    }),
  );
}

/** Valid values for the fields that a patch omits, to check the patch by itself first. */
const WITHIN_ALL_BOUNDS: InventoryAmounts = {
  total: LARGEST_INTEGER,
  reserved: 0,
  minUnit: 1,
  maxUnit: 1,
  stepSize: 1,
  allocationRatio: 1,
};

/** INVALID_INPUT if the edit is contradictory or has an invalid inventory or an unknown class. */
export function checkInventoriesEdit(
  { set, add, create, patch, remove }: InventoriesEdit,
  path: readonly string[],
  classes: ReadonlyMap<string, number>,
): void {
  checkFields({ set, add, ...(create && { create }), patch, remove }, path);
  if (set) return checkInventories(set, [...path, 'set'], classes);
  const patches = (patch ?? []).map((each) => patched(WITHIN_ALL_BOUNDS, each));
  checkEntries(
    [
      ...inventoryEntries(add ?? [], [...path, 'add'], classes),
      ...inventoryEntries(create ?? [], [...path, 'create'], classes),
      ...inventoryEntries(patches, [...path, 'patch'], classes),
      ...(remove ?? []).map((resourceClass, at) => ({
        resourceClass,
        path: [...path, 'remove', String(at)],
        check: () => undefined,
      })),
    ],
    classes,
  );
}

/**
 * Rejects an edit that changes or deletes an inventory that the provider does not have (NOT_FOUND), or that creates one
 * that it has (INVALID_INPUT).
 */
export function requireEdited(
  { create, patch, remove }: InventoriesEdit,
  stored: readonly StoredInventory[],
  { uuid }: ProviderFields,
  classes: ReadonlyMap<string, number>,
): void {
  const present = new Set(stored.map(({ classId }) => classId));
  classesIn({ create }).forEach((name, at) => {
    if (present.has(idOf(classes, name)))
      throw new InventoryExists(uuid, name, ['inventories', 'create', String(at)]);
  });
  const missing = classesIn({ patch, remove }).find((name) => !present.has(idOf(classes, name)));
  if (missing === undefined) return;
  throw new NotFound('INVENTORY', missing, `resource provider ${uuid} has no inventory of ${missing}`);
}

/**
 * Returns the stored inventories that an edit concerns, and the inventories that replace them.
 * INVALID_INPUT if the fields of a patch contradict stored ones.
 */
export function editedInventories(
  edit: InventoriesEdit,
  stored: readonly StoredInventory[],
  provider: Pick<ProviderFields, 'id'>,
  classes: ReadonlyMap<string, number>,
): { stored: readonly StoredInventory[]; wanted: readonly InventoryRow[] } {
  if (edit.set) return { stored, wanted: edit.set.map((input) => rowOf(input, provider, classes)) };
  const byClass = new Map(stored.map((row) => [row.classId, row]));
  const patches = (edit.patch ?? []).map((patch, at) => {
    const result = patched(byClass.get(idOf(classes, patch.resourceClass))!, patch);
    checkPatched(patch, result, ['inventories', 'patch', String(at)]);
    return result;
  });
  const concerned = new Set(classesIn(edit).map((name) => idOf(classes, name)));
  return {
    stored: stored.filter(({ classId }) => concerned.has(classId)),
    wanted: [...(edit.add ?? []), ...(edit.create ?? []), ...patches].map((input) =>
      rowOf(input, provider, classes),
    ),
  };
}

function patched(
  stored: InventoryAmounts,
  { resourceClass, consumes, ...patch }: InventoryPatch,
): InventoryInput {
  const amounts = INVENTORY_AMOUNTS.map((field) => [field, patch[field] ?? stored[field]]);
  return { resourceClass, consumes, ...(Object.fromEntries(amounts) as unknown as InventoryAmounts) };
}

function checkPatched(patch: InventoryPatch, result: InventoryInput, path: readonly string[]): void {
  const { resourceClass, total, reserved } = result;
  if (reserved > total && patch.reserved == null) {
    const less = `${total}, less than the reserved amount, ${reserved}`;
    throw new InvalidInput([...path, 'total'], `total of the inventory of ${resourceClass} is ${less}`);
  }
  checkAmounts(result, path);
}

const a = columns('allocations', 'a');
const k = joinedColumns('resource_classes', 'k');
const USED = select(
  { classId: a.resource_class_id, className: k.name },
  `FROM allocations a LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}
   WHERE ${a.resource_provider_id} = ? AND ${a.resource_class_id} IN (?)
   GROUP BY ${a.resource_class_id}, ${k.name} ORDER BY ${a.resource_class_id}`,
);

/** Rejects the removal of inventories with allocations of any amount (rule 32). INVENTORY_IN_USE names all. */
export async function checkUnused(
  tx: Transaction,
  provider: ProviderFields,
  removed: readonly StoredInventory[],
): Promise<void> {
  if (removed.length === 0) return;
  const used = await read(tx, USED, [provider.id, removed.map(({ classId }) => classId)]);
  if (used.length === 0) return;
  const names = used.map(({ classId, className }) => className ?? String(classId));
  const classIds = used.map(({ classId }) => classId);
  throw new InventoryInUse(provider.uuid, names, await usersOf(tx, provider.id, classIds));
}
