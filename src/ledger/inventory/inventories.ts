import { idOf, idsByName } from '../../database/catalog.js';
import { columns, joinedColumns, read, select } from '../../database/statements.js';
import { LARGEST_INTEGER } from '../../domain/capacity.js';
import { InvalidInput, unknownName } from '../../domain/invalidInput.js';
import { INVENTORY_AMOUNTS, type InventoryAmounts } from '../../domain/provider.js';
import { kindSet } from '../../feed/recordedChanges.js';
import { InventoryInUse, NotFound } from '../errors.js';
import { checkGeneration, checkVersioned, writeChanged } from '../generations.js';
import {
  type LooseProviderVersion,
  type ProviderRow,
  type ProviderVersion,
  requireProvider,
} from '../provider/providerRows.js';
import { type Ledger, type Transaction, inTransaction } from '../transaction.js';
import {
  type InventoryInput,
  type InventoryRow,
  type StoredInventory,
  checkInventories,
  checkInventory,
  inventoryChange,
  rowOf,
  storedInventories,
  writeInventories,
} from './inventoryRows.js';

interface SetInventoriesInput extends LooseProviderVersion {
  /** The whole set: what is not in it is deleted, what is in it is replaced in all its fields (rules 19, 31). */
  readonly inventories: readonly InventoryInput[];
}

/**
 * Replaces all inventories of a provider; removing all needs no generation (rule 58). A total below the usage is
 * allowed (34).
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE (rule 32). Bumps the generation
 * if anything changes.
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
 * Deletes one inventory of a provider; the generation is optional (rule 33).
 *
 * Rejections: INVALID_INPUT (an unknown class), NOT_FOUND (the provider or the inventory),
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
async function requireInventory(
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
async function replace(
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

/** Null or absent: it stays as it is. */
type Patch = { readonly [Field in keyof InventoryAmounts]?: number | null };

interface PatchInventoryInput extends LooseProviderVersion, Patch {
  readonly resourceClass: string;
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

/**
 * Changes the given fields of a stored inventory. The generation is optional; without it races are retried here.
 *
 * Rejections: INVALID_INPUT (also if given fields contradict stored ones), NOT_FOUND (the provider or the inventory),
 * PROVIDER_GENERATION_CONFLICT. Bumps the generation if anything changes.
 */
export async function patchInventory(ledger: Ledger, input: PatchInventoryInput): Promise<{ uuid: string }> {
  const { resourceProvider: uuid, generation, resourceClass } = input;
  await inTransaction(ledger, async (tx) => {
    const classes = await idsByName(tx, 'resource_classes', [resourceClass]);
    checkInventory(patched(WITHIN_ALL_BOUNDS, input), [], classes);
    const { provider, stored } = await requireInventory(tx, uuid, resourceClass, classes);
    checkGeneration(provider, generation);
    const { total, reserved, ...others } = patched(stored, input);
    if (reserved > total && input.reserved == null)
      throw new InvalidInput(
        ['total'],
        `total of the inventory of ${resourceClass} is ${total}, less than what is reserved of it, ${reserved}`,
      );
    checkInventory({ total, reserved, ...others }, [], classes);
    const ratio = Math.fround(others.allocationRatio);
    await replace(
      tx,
      provider,
      [stored],
      [{ ...stored, total, reserved, ...others, allocationRatio: ratio }],
    );
  });
  return { uuid };
}

function patched(stored: InventoryAmounts, { resourceClass, ...patch }: PatchInventoryInput): InventoryInput {
  const amounts = INVENTORY_AMOUNTS.map((field) => [field, patch[field] ?? stored[field]]);
  return { resourceClass, ...(Object.fromEntries(amounts) as unknown as InventoryAmounts) };
}
