import { idsByName } from '../../database/catalogNames.js';
import { LARGEST_INTEGER } from '../../domain/capacity.js';
import { INVENTORY_AMOUNTS, type InventoryAmounts } from '../../domain/inventoryFields.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { checkGeneration } from '../generations.js';
import type { LooseProviderVersion } from '../provider/providerRows.js';
import { inTransaction, type Ledger } from '../transaction.js';
import { replace, requireInventory } from './inventories.js';
import { checkInventory, type InventoryInput } from './inventoryInput.js';

/** Null or absent: it stays as it is. */
type Patch = { readonly [Field in keyof InventoryAmounts]?: number | null };

interface PatchInventoryInput extends LooseProviderVersion, Patch {
  readonly resourceClass: string;
}

/** With what a patch is checked by itself, before it is known what it is applied to: no rule of one field depends on it. */
const WITHIN_ALL_BOUNDS: InventoryAmounts = {
  total: LARGEST_INTEGER,
  reserved: 0,
  minUnit: 1,
  maxUnit: 1,
  stepSize: 1,
  allocationRatio: 1,
};

/**
 * Changes those fields of a stored inventory that are given, and leaves the others. A generation is compared where it is given; without
 * one a race with another writer is settled here.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (the provider; an inventory that it has not got), PROVIDER_GENERATION_CONFLICT; and then
 * INVALID_INPUT where what is given contradicts what is stored. Bumps the generation if anything changes.
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
