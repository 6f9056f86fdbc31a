import { idOf, idsByName } from '../../database/catalogNames.js';
import { columns, joinedColumns, read, select } from '../../database/statements.js';
import { unknownName } from '../../domain/invalidInput.js';
import { kindSet } from '../../feed/kinds.js';
import { InventoryInUse, NotFound } from '../errors.js';
import { checkGeneration, checkVersioned, writeChanged } from '../generations.js';
import { checkInventories, checkInventory, type InventoryInput } from './inventoryInput.js';
import {
  type InventoryRow,
  inventoryChange,
  rowOf,
  storedInventories,
  type StoredInventory,
  writeInventories,
} from './inventoryRows.js';
import {
  type LooseProviderVersion,
  type ProviderRow,
  type ProviderVersion,
  requireProvider,
} from '../provider/providerRows.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';

interface SetInventoriesInput extends LooseProviderVersion {
  /** The whole set: what is not in it is deleted, what is in it is replaced in all its fields (rules 19, 31). */
  readonly inventories: readonly InventoryInput[];
}

/**
 * Replaces all of a provider's inventories; to remove them all no generation is needed (rule 58). A total below what is in use is
 * allowed (rule 34).
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE (rule 32). Bumps the generation if
 * anything changes.
 */
export async function setInventories(ledger: Ledger, input: SetInventoriesInput): Promise<{ uuid: string }> {
  checkVersioned(input, input.inventories, 'inventories');
  const { uuid } = await putInventories(ledger, input, input.inventories, true, (classes) => {
    checkInventories(input.inventories, ['inventories'], classes);
  });
  return { uuid };
}

/**
 * Creates one inventory of a provider or replaces it, and leaves the others.
 * Rejections: as {@link setInventories}, but none in use.
 */
export async function setInventory(
  ledger: Ledger,
  input: ProviderVersion & { readonly inventory: InventoryInput },
): Promise<{ uuid: string }> {
  return putInventories(ledger, input, [input.inventory], false, (classes) => {
    checkInventory(input.inventory, ['inventory'], classes);
  });
}

async function putInventories(
  ledger: Ledger,
  { resourceProvider: uuid, generation }: LooseProviderVersion,
  inputs: readonly InventoryInput[],
  /** Whether the inventories of all other classes are deleted. */
  isWholeSet: boolean,
  check: (classes: ReadonlyMap<string, number>) => void,
): Promise<{ uuid: string }> {
  return inTransaction(ledger, async (tx) => {
    const names = inputs.map(({ resourceClass }) => resourceClass);
    const classes = await idsByName(tx, 'resource_classes', names);
    check(classes);
    const provider = await requireProvider(tx, uuid);
    checkGeneration(provider, generation);
    const wanted = inputs.map((inventory) => rowOf(inventory, provider, classes));
    const stored = (await storedInventories(tx, [provider])).filter(
      ({ classId }) => isWholeSet || wanted.some((row) => row.classId === classId),
    );
    await replace(tx, provider, stored, wanted);
    return { uuid };
  });
}

/**
 * Deletes one inventory of a provider; a generation is checked when it is given (rule 33).
 *
 * Rejections: INVALID_INPUT (an unknown resource class), NOT_FOUND (the provider; an inventory that it has not got, rule 33),
 * PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE (rule 32).
 */
export async function deleteInventory(
  ledger: Ledger,
  input: LooseProviderVersion & { readonly resourceClass: string },
): Promise<{ uuid: string }> {
  const { resourceProvider: uuid, resourceClass } = input;
  await inTransaction(ledger, async (tx) => {
    const classes = await idsByName(tx, 'resource_classes', [resourceClass]);
    if (!classes.has(resourceClass)) throw unknownName('resource class', resourceClass, ['resourceClass']);
    const { provider, stored } = await requireInventory(tx, uuid, resourceClass, classes);
    checkGeneration(provider, input.generation);
    await replace(tx, provider, [stored], []);
  });
  return { uuid };
}

/** A provider and its inventory of a known class, or NOT_FOUND. */
export async function requireInventory(
  tx: Transaction,
  uuid: string,
  resourceClass: string,
  classes: ReadonlyMap<string, number>,
): Promise<{ provider: ProviderRow; stored: StoredInventory }> {
  const provider = await requireProvider(tx, uuid);
  const classId = idOf(classes, resourceClass);
  const stored = (await storedInventories(tx, [provider])).find((row) => row.classId === classId);
  if (stored === undefined) {
    const message = `resource provider ${uuid} has no inventory of ${resourceClass}`;
    throw new NotFound('INVENTORY', resourceClass, message);
  }
  return { provider, stored };
}

/** Puts `wanted` in the place of `stored`, which are some or all of the provider's inventories. */
export async function replace(
  tx: Transaction,
  provider: ProviderRow,
  stored: readonly StoredInventory[],
  wanted: readonly InventoryRow[],
): Promise<void> {
  const change = inventoryChange(stored, wanted);
  await checkUnused(tx, provider, change.removed);
  await writeChanged(tx, provider, kindSet('INVENTORY'), change, () => writeInventories(tx, change));
}

const a = columns('allocations', 'a');
const k = joinedColumns('resource_classes', 'k');
const USED = select(
  { classId: a.resource_class_id, className: k.name },
  `FROM allocations a LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}
   WHERE ${a.resource_provider_id} = ? AND ${a.resource_class_id} IN (?)
   GROUP BY ${a.resource_class_id}, ${k.name} ORDER BY ${a.resource_class_id}`,
);

/** Any allocation counts, whatever its amount (rule 32). All inventories in use are named, by the id of their class. */
async function checkUnused(
  tx: Transaction,
  provider: ProviderRow,
  removed: readonly StoredInventory[],
): Promise<void> {
  if (removed.length === 0) return;
  const used = await read(tx, USED, [provider.id, removed.map(({ classId }) => classId)]);
  const names = used.map(({ classId, className }) => className ?? String(classId));
  if (names.length > 0) throw new InventoryInUse(provider.uuid, names);
}
