import type { InventoryPatch } from '../../src/store/ledger/inventory/inventoryEdits.js';
import type { InventoryInput } from '../../src/store/ledger/inventory/inventoryRows.js';
import { type ProviderUpdate, updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import type { Ledger } from '../../src/store/ledger/transaction.js';

/* Single edits of a provider, for tests that make only one at a time. */

type Edit<Given> = Pick<ProviderUpdate, 'resourceProvider' | 'generation'> & Given;

const editing =
  <Given extends object>(changeOf: (given: Given) => Partial<ProviderUpdate>) =>
  (ledger: Ledger, { resourceProvider, generation, ...given }: Edit<Given>): Promise<{ uuid: string }> =>
    updateProvider(ledger, { resourceProvider, generation, ...changeOf(given as unknown as Given) });

interface Traits {
  readonly traits: readonly string[];
}
export const setTraits = editing(({ traits }: Traits) => ({ traits: { set: traits } }));
export const addTraits = editing(({ traits }: Traits) => ({ traits: { add: traits } }));

interface Aggregates {
  readonly aggregates: readonly string[];
}
export const setAggregates = editing(({ aggregates }: Aggregates) => ({ aggregates: { set: aggregates } }));
export const addToAggregates = editing(({ aggregates }: Aggregates) => ({ aggregates: { add: aggregates } }));

export const setInventories = editing(
  ({ inventories }: { readonly inventories: readonly InventoryInput[] }) => ({
    inventories: { set: inventories },
  }),
);
export const setInventory = editing(({ inventory }: { readonly inventory: InventoryInput }) => ({
  inventories: { add: [inventory] },
}));
export const patchInventory = editing((patch: InventoryPatch) => ({ inventories: { patch: [patch] } }));
export const deleteInventory = editing(({ resourceClass }: { readonly resourceClass: string }) => ({
  inventories: { remove: [resourceClass] },
}));
