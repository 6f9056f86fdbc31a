import { idsByName } from '../../sql/catalog.js';
import { groupBy } from '../../../model/collections.js';
import { type ChangeKind, type KindSet, kindSet } from '../../../model/recordedChanges.js';
import { allClassesIn, type InventoriesEdit, editedInventories } from '../inventory/inventoryEdits.js';
import {
  type InventoryChange,
  type InventoryRow,
  type StoredInventory,
  inventoryChange,
  storedInventories,
  writeInventories,
} from '../inventory/inventoryRows.js';
import { NO_CONSUMPTION, writeConsumption, type ConsumptionChange } from '../inventory/consumption.js';
import type { Transaction } from '../transaction.js';
import { aggregateIds, writeAggregates } from './aggregates.js';
import {
  type Link,
  type LinkChange,
  type SetEdit,
  type TargetIds,
  editedLinks,
  linkChange,
  namedIn,
  storedLinks,
  writeLinks,
} from './links.js';

const TABLES = { traits: 'resource_provider_traits', aggregates: 'resource_provider_aggregates' } as const;

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
  readonly aggregates: TargetIds;
}

/** Looks up the names in edits. */
export async function readIds(
  tx: Transaction,
  { aggregates, traits, inventories }: SupplyEdits,
): Promise<SupplyIds> {
  return {
    classes: await idsByName(tx, 'resource_classes', inventories ? allClassesIn(inventories) : []),
    traits: await idsByName(tx, 'traits', traits ? namedIn(traits) : []),
    aggregates: await aggregateIds(tx, aggregates ? namedIn(aggregates) : []),
  };
}

interface StoredSupply extends Readonly<Record<keyof typeof TABLES, readonly Link[]>> {
  readonly inventories: readonly StoredInventory[];
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
    traits: await storedLinks(tx, TABLES.traits, edited('traits')),
    aggregates: await storedLinks(tx, TABLES.aggregates, edited('aggregates')),
  };
}

/** The rows to write to get from a stored supply to the wanted one. */
export interface SupplyChange extends Readonly<Record<keyof typeof TABLES, LinkChange>> {
  readonly inventories: InventoryChange;
  readonly consumption: ConsumptionChange;
}

/**
 * Applies edits to the stored supply of providers. Returns the change, without that of consumption
 * ({@link planConsumption}), and the inventories that the edits state.
 * INVALID_INPUT if a patch contradicts the stored inventory.
 */
export function editSupply(
  stored: StoredSupply,
  providers: readonly EditedProvider[],
  ids: SupplyIds,
): { readonly change: SupplyChange; readonly inventories: readonly InventoryRow[] } {
  const byProvider = groupBy(stored.inventories, ({ providerId }) => providerId);
  const edited = providers.flatMap(({ id, inventories }) =>
    inventories ? editedInventories(inventories, byProvider.get(id) ?? [], { id }, ids.classes) : [],
  );
  const inventories = edited.flatMap(({ wanted }) => wanted);
  const targets = {
    traits: new Map(Array.from(ids.traits, ([name, id]) => [name, [id]])),
    aggregates: ids.aggregates,
  };
  const links = (part: keyof typeof TABLES): LinkChange => {
    const ofProvider = groupBy(stored[part], ({ providerId }) => providerId);
    const wanted = providers.flatMap(({ id, [part]: edit }) =>
      edit ? editedLinks(edit, ofProvider.get(id) ?? [], id, targets[part]) : [],
    );
    return linkChange(stored[part], wanted);
  };
  const concerned = edited.flatMap((each) => each.stored);
  const change = inventoryChange(concerned, inventories);
  return {
    change: {
      inventories: change,
      consumption: NO_CONSUMPTION,
      traits: links('traits'),
      aggregates: links('aggregates'),
    },
    inventories,
  };
}

/** Returns the changed parts of each provider, by its id. */
export function supplyKinds({
  inventories,
  consumption,
  traits,
  aggregates,
}: SupplyChange): Map<number, KindSet> {
  const kinds = new Map<number, KindSet>();
  addKind(kinds, 'INVENTORY', [...consumption.removed, ...consumption.added], providerOf);
  addKind(kinds, 'INVENTORY', [...inventories.removed, ...inventories.written], providerOf);
  addKind(kinds, 'TRAITS', [...traits.removed, ...traits.added], providerOf);
  addKind(kinds, 'AGGREGATES', [...aggregates.removed, ...aggregates.added], providerOf);
  return kinds;
}

const providerOf = ({ providerId }: { readonly providerId: number }): number => providerId;

/** Adds a kind to the changed parts of the providers with the ids of these rows. */
export function addKind<Row>(
  kinds: Map<number, KindSet>,
  kind: ChangeKind,
  rows: readonly Row[],
  idOf: (row: Row) => number,
): void {
  for (const row of rows) kinds.set(idOf(row), (kinds.get(idOf(row)) ?? 0) | kindSet(kind));
}

/** Writes a change of supply. Mark the providers as changed first. */
export async function writeSupply(
  tx: Transaction,
  { inventories, consumption, traits, aggregates }: SupplyChange,
  ids: Pick<SupplyIds, 'aggregates'>,
): Promise<void> {
  await writeAggregates(tx, aggregates, ids.aggregates);
  await writeLinks(tx, TABLES.traits, traits);
  await writeInventories(tx, inventories);
  await writeConsumption(tx, consumption);
}
