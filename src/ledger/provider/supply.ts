import { type KindSet, kindSet } from '../../feed/recordedChanges.js';
import {
  type InventoryChange,
  type InventoryRow,
  type StoredInventory,
  inventoryChange,
  writeInventories,
} from '../inventory/inventoryRows.js';
import type { Transaction } from '../transaction.js';
import { writeAggregates } from './aggregates.js';
import { type Link, type LinkChange, linkChange, writeLinks } from './links.js';

/** Inventories, traits and aggregates of providers. */
export interface Supply {
  readonly inventories: readonly InventoryRow[];
  readonly traits: readonly Link[];
  readonly aggregates: readonly Link[];
}

export interface StoredSupply extends Supply {
  readonly inventories: readonly StoredInventory[];
}

/** The rows to write to get from a stored supply to the wanted one. */
export interface SupplyChange {
  readonly inventories: InventoryChange;
  readonly traits: LinkChange;
  readonly aggregates: LinkChange;
}

export function supplyChange(stored: StoredSupply, wanted: Supply): SupplyChange {
  return {
    inventories: inventoryChange(stored.inventories, wanted.inventories),
    traits: linkChange(stored.traits, wanted.traits),
    aggregates: linkChange(stored.aggregates, wanted.aggregates),
  };
}

/** Returns what changes of each provider, by its id. */
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

/**
 * Writes a change of supply. Mark the providers as changed first.
 *
 * @param aggregateIds the ids of the added aggregates by uuid; below 0 for those to create
 */
export async function writeSupply(
  tx: Transaction,
  { inventories, traits, aggregates }: SupplyChange,
  aggregateIds: ReadonlyMap<string, number>,
): Promise<void> {
  await writeAggregates(tx, aggregates, aggregateIds);
  await writeLinks(tx, 'resource_provider_traits', traits);
  await writeInventories(tx, inventories);
}
