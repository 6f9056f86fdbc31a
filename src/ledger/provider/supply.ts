import { idsByName } from '../../database/catalog.js';
import { groupBy } from '../../domain/collections.js';
import { type KindSet, kindSet } from '../../feed/recordedChanges.js';
import { type InventoriesEdit, classesIn, editedInventories } from '../inventory/inventoryEdits.js';
import {
  type InventoryChange,
  type InventoryRow,
  type StoredInventory,
  inventoryChange,
  storedInventories,
  writeInventories,
} from '../inventory/inventoryRows.js';
import type { Transaction } from '../transaction.js';
import { aggregateIds, writeAggregates } from './aggregates.js';
import {
  type Link,
  type LinkChange,
  type SetEdit,
  editedLinks,
  linkChange,
  namedIn,
  storedLinks,
  writeLinks,
} from './links.js';

/** Edits of the supply of a provider. Null or absent parts stay unchanged. */
export interface SupplyEdits {
  readonly aggregates?: SetEdit | null;
  readonly traits?: SetEdit | null;
  readonly inventories?: InventoriesEdit | null;
}

interface EditedProvider extends SupplyEdits {
  /** Negative if the provider is not stored yet. */
  readonly id: number;
}

/** The ids of the names in an input, by name. */
export interface SupplyIds {
  readonly classes: ReadonlyMap<string, number>;
  readonly traits: ReadonlyMap<string, number>;
  /** By uuid; below 0 for aggregates to create. */
  readonly aggregates: ReadonlyMap<string, number>;
}

/** Looks up the names in edits. */
export async function readIds(
  tx: Transaction,
  { aggregates, traits, inventories }: SupplyEdits,
): Promise<SupplyIds> {
  return {
    classes: await idsByName(tx, 'resource_classes', inventories ? classesIn(inventories) : []),
    traits: await idsByName(tx, 'traits', traits ? namedIn(traits) : []),
    aggregates: await aggregateIds(tx, aggregates ? namedIn(aggregates) : []),
  };
}

interface StoredSupply {
  readonly inventories: readonly StoredInventory[];
  readonly traits: readonly Link[];
  readonly aggregates: readonly Link[];
}

/** Reads the parts of providers that are edited. */
export async function readStoredSupply(
  tx: Transaction,
  providers: readonly EditedProvider[],
): Promise<StoredSupply> {
  const edited = (part: keyof SupplyEdits): EditedProvider[] =>
    providers.filter((provider) => provider.id > 0 && provider[part] != null);
  return {
    inventories: await storedInventories(tx, edited('inventories')),
    traits: await storedLinks(tx, 'resource_provider_traits', edited('traits')),
    aggregates: await storedLinks(tx, 'resource_provider_aggregates', edited('aggregates')),
  };
}

/** The rows to write to get from a stored supply to the wanted one. */
export interface SupplyChange {
  readonly inventories: InventoryChange;
  readonly traits: LinkChange;
  readonly aggregates: LinkChange;
}

/**
 * Applies edits to the stored supply of providers. Returns the change, and the inventories that the edits state.
 * INVALID_INPUT if a patch contradicts the stored inventory.
 */
export function editSupply(
  stored: StoredSupply,
  providers: readonly EditedProvider[],
  ids: SupplyIds,
): { readonly change: SupplyChange; readonly inventories: readonly InventoryRow[] } {
  const byProvider = groupBy(stored.inventories, ({ providerId }) => providerId);
  const edited = providers.flatMap((provider) => {
    const { id, inventories } = provider;
    return inventories ? editedInventories(inventories, byProvider.get(id) ?? [], provider, ids.classes) : [];
  });
  const inventories = edited.flatMap(({ wanted }) => wanted);
  const links = (part: 'traits' | 'aggregates'): LinkChange => {
    const ofProvider = groupBy(stored[part], ({ providerId }) => providerId);
    const wanted = providers.flatMap((provider) => {
      const { id, [part]: edit } = provider;
      return edit ? editedLinks(edit, ofProvider.get(id) ?? [], provider, ids[part]) : [];
    });
    return linkChange(stored[part], wanted);
  };
  const concerned = edited.flatMap((each) => each.stored);
  return {
    change: {
      inventories: inventoryChange(concerned, inventories),
      traits: links('traits'),
      aggregates: links('aggregates'),
    },
    inventories,
  };
}

/** Returns the changed parts of each provider, by its id. */
export function supplyKinds({ inventories, traits, aggregates }: SupplyChange): Map<number, KindSet> {
  const kinds = new Map<number, KindSet>();
  const add = (set: KindSet, ...rows: (readonly { readonly providerId: number }[])[]): void => {
    for (const { providerId: id } of rows.flat()) kinds.set(id, (kinds.get(id) ?? 0) | set);
  };
  add(kindSet('INVENTORY'), inventories.removed, inventories.written);
  add(kindSet('TRAITS'), traits.removed, traits.added);
  add(kindSet('AGGREGATES'), aggregates.removed, aggregates.added);
  return kinds;
}

/** Writes a change of supply. Mark the providers as changed first. */
export async function writeSupply(
  tx: Transaction,
  { inventories, traits, aggregates }: SupplyChange,
  ids: Pick<SupplyIds, 'aggregates'>,
): Promise<void> {
  await writeAggregates(tx, aggregates, ids.aggregates);
  await writeLinks(tx, 'resource_provider_traits', traits);
  await writeInventories(tx, inventories);
}
