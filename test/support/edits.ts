import type { InventoryPatch } from '../../src/ledger/inventory/inventoryEdits.js';
import type { InventoryInput } from '../../src/ledger/inventory/inventoryRows.js';
import { type ProviderUpdate, updateProvider } from '../../src/ledger/provider/updateProvider.js';
import type { Ledger } from '../../src/ledger/transaction.js';

/* Single edits of a provider, for tests that make only one at a time. */

type Edit<Given> = Pick<ProviderUpdate, 'resourceProvider' | 'generation'> & Given;
type Written = Promise<{ uuid: string }>;

interface Traits {
  readonly traits: readonly string[];
}
interface Aggregates {
  readonly aggregates: readonly string[];
}

export function setTraits(ledger: Ledger, { traits, ...provider }: Edit<Traits>): Written {
  return updateProvider(ledger, { ...provider, traits: { set: traits } });
}

export function addTraits(ledger: Ledger, { traits, ...provider }: Edit<Traits>): Written {
  return updateProvider(ledger, { ...provider, traits: { add: traits } });
}

export function setAggregates(ledger: Ledger, { aggregates, ...provider }: Edit<Aggregates>): Written {
  return updateProvider(ledger, { ...provider, aggregates: { set: aggregates } });
}

export function addToAggregates(ledger: Ledger, { aggregates, ...provider }: Edit<Aggregates>): Written {
  return updateProvider(ledger, { ...provider, aggregates: { add: aggregates } });
}

export function setInventories(
  ledger: Ledger,
  { inventories, ...provider }: Edit<{ readonly inventories: readonly InventoryInput[] }>,
): Written {
  return updateProvider(ledger, { ...provider, inventories: { set: inventories } });
}

export function setInventory(
  ledger: Ledger,
  { inventory, ...provider }: Edit<{ readonly inventory: InventoryInput }>,
): Written {
  return updateProvider(ledger, { ...provider, inventories: { add: [inventory] } });
}

export function patchInventory(
  ledger: Ledger,
  { resourceProvider, generation, ...patch }: Edit<InventoryPatch>,
): Written {
  return updateProvider(ledger, { resourceProvider, generation, inventories: { patch: [patch] } });
}

export function deleteInventory(
  ledger: Ledger,
  { resourceClass, ...provider }: Edit<{ readonly resourceClass: string }>,
): Written {
  return updateProvider(ledger, { ...provider, inventories: { remove: [resourceClass] } });
}
