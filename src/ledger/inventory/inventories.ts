import { InvalidInput } from '../../domain/invalidInput.js';
import { idsByName } from '../../database/catalogNames.js';
import { InventoryInUse, NotFound } from '../errors.js';
import { confirmUnchanged, judgeGeneration, markChanged } from '../generations.js';
import { checkInventories, checkInventory, type InventoryInput } from './inventoryInput.js';
import {
  type InventoryRow,
  inventoryChange,
  rowOf,
  storedInventories,
  type StoredInventory,
  writeInventories,
} from './inventoryRows.js';
import { type ProviderRow, requireProvider } from '../provider/providerRows.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';

interface SetInventoriesInput {
  readonly resourceProvider: string;
  readonly generation: number;
  /** The whole set: what is not in it is deleted, what is in it is replaced in all its fields (rules 19, 31). */
  readonly inventories: readonly InventoryInput[];
}

/**
 * Replaces all of a provider's inventories. A total below what is in use is allowed (rule 34).
 *
 * Refusals: INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE (rule 32). Bumps the generation if
 * anything changes.
 */
export async function setInventories(ledger: Ledger, input: SetInventoriesInput): Promise<{ uuid: string }> {
  await inTransaction(ledger, async (tx) => {
    const names = input.inventories.map(({ resourceClass }) => resourceClass);
    const classes = await idsByName(tx, 'resource_classes', names);
    checkInventories(input.inventories, ['inventories'], classes);
    const provider = await requireProvider(tx, input.resourceProvider);
    judgeGeneration(provider, input.generation);
    const wanted = input.inventories.map((inventory) => rowOf(inventory, provider, classes));
    await replace(tx, provider, await storedInventories(tx, [provider]), wanted);
  });
  return { uuid: input.resourceProvider };
}

interface SetInventoryInput {
  readonly resourceProvider: string;
  readonly generation: number;
  readonly inventory: InventoryInput;
}

/** Creates one inventory of a provider or replaces it, and leaves the others. Refusals: as {@link setInventories}, but none in use. */
export async function setInventory(ledger: Ledger, input: SetInventoryInput): Promise<{ uuid: string }> {
  await inTransaction(ledger, async (tx) => {
    const classes = await idsByName(tx, 'resource_classes', [input.inventory.resourceClass]);
    checkInventory(input.inventory, ['inventory'], classes);
    const provider = await requireProvider(tx, input.resourceProvider);
    judgeGeneration(provider, input.generation);
    const wanted = rowOf(input.inventory, provider, classes);
    const stored = (await storedInventories(tx, [provider])).filter(
      ({ classId }) => classId === wanted.classId,
    );
    await replace(tx, provider, stored, [wanted]);
  });
  return { uuid: input.resourceProvider };
}

interface DeleteInventoryInput {
  readonly resourceProvider: string;
  readonly generation: number;
  readonly resourceClass: string;
}

/**
 * Deletes one inventory of a provider.
 *
 * Refusals: INVALID_INPUT (an unknown resource class), NOT_FOUND (the provider; an inventory that it has not got, rule 33),
 * PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE (rule 32).
 */
export async function deleteInventory(
  ledger: Ledger,
  input: DeleteInventoryInput,
): Promise<{ uuid: string }> {
  const { resourceProvider: uuid, resourceClass } = input;
  await inTransaction(ledger, async (tx) => {
    const classId = (await idsByName(tx, 'resource_classes', [resourceClass])).get(resourceClass);
    if (classId === undefined)
      throw new InvalidInput(['resourceClass'], `unknown resource class ${resourceClass}`);
    const provider = await requireProvider(tx, uuid);
    const stored = (await storedInventories(tx, [provider])).filter((row) => row.classId === classId);
    if (stored.length === 0) {
      throw new NotFound(
        'INVENTORY',
        resourceClass,
        `resource provider ${uuid} has no inventory of ${resourceClass}`,
      );
    }
    judgeGeneration(provider, input.generation);
    await replace(tx, provider, stored, []);
  });
  return { uuid };
}

/** Puts `wanted` in the place of `stored`, which are some or all of the provider's inventories. */
async function replace(
  tx: Transaction,
  provider: ProviderRow,
  stored: readonly StoredInventory[],
  wanted: readonly InventoryRow[],
): Promise<void> {
  const change = inventoryChange(stored, wanted);
  await refuseInUse(tx, provider, change.removed);
  if (change.removed.length + change.written.length === 0) return confirmUnchanged(tx, [provider]);
  const now = tx.now;
  markChanged(tx, [provider], now);
  await writeInventories(tx, change, now);
}

/** Any allocation counts, whatever its amount (rule 32). Of several inventories in use, the one of the lowest class id is named. */
async function refuseInUse(
  tx: Transaction,
  provider: ProviderRow,
  removed: readonly StoredInventory[],
): Promise<void> {
  if (removed.length === 0) return;
  const [used] = await tx.query<{ classId: number; className: string | null }[]>(
    `SELECT a.resource_class_id AS classId, c.name AS className
     FROM allocations a LEFT JOIN resource_classes c ON c.id = a.resource_class_id
     WHERE a.resource_provider_id = ? AND a.resource_class_id IN (?) ORDER BY a.resource_class_id LIMIT 1`,
    [provider.id, removed.map(({ classId }) => classId)],
  );
  if (used) throw new InventoryInUse(provider.uuid, used.className ?? String(used.classId));
}
