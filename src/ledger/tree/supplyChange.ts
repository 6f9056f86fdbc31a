import { aggregateIds } from '../provider/aggregates.js';
import { idOf } from '../../database/catalogNames.js';
import {
  inventoryChange,
  rowOf,
  storedInventories,
  type InventoryChange,
  type InventoryRow,
} from '../inventory/inventoryRows.js';
import { linkChange, storedLinks, type Link, type LinkChange } from '../provider/links.js';
import type { ProviderRow } from '../provider/providerRows.js';
import { isMoved, isRenamed, type PlannedProvider, type TreePlan } from './plan.js';
import type { Transaction } from '../transaction.js';

/** What the providers of a tree shall offer, and what has to be written for it. */
export interface OfferChange {
  /** The providers whose whole set of inventories is stated, and all of those inventories. */
  readonly stocked: readonly ProviderRow[];
  readonly inventories: readonly InventoryRow[];
  readonly inventoryChange: InventoryChange;
  readonly traitChange: LinkChange;
  readonly aggregateChange: LinkChange;
  /** The ids of the aggregates stated, by uuid; below 0 where they are still to be written. */
  readonly aggregateIds: ReadonlyMap<string, number>;
}

/** The ids of the names in an input, by name. */
export interface Catalog {
  readonly classes: ReadonlyMap<string, number>;
  readonly traits: ReadonlyMap<string, number>;
}

/** Compares what the stated providers offer with what they shall offer, in four statements. */
export async function readOfferChange(
  tx: Transaction,
  { planned }: TreePlan,
  { classes, traits }: Catalog,
): Promise<OfferChange> {
  const stocked = planned.filter(({ wish }) => wish.desired.inventories != null);
  const inventories = stocked.flatMap(({ wish, row }) =>
    (wish.desired.inventories ?? []).map((inventory) => rowOf(inventory, row, classes)),
  );
  const aggregates = await aggregateIds(
    tx,
    planned.flatMap(({ wish }) => wish.desired.aggregates ?? []),
  );
  return {
    stocked: stocked.map(({ row }) => row),
    inventories,
    inventoryChange: inventoryChange(await storedInventories(tx, known(stocked)), inventories),
    traitChange: await readLinkChange(tx, 'resource_provider_traits', planned, (desired) =>
      desired.traits?.map((name) => idOf(traits, name)),
    ),
    aggregateChange: await readLinkChange(tx, 'resource_provider_aggregates', planned, (desired) =>
      desired.aggregates?.map((uuid) => idOf(aggregates, uuid)),
    ),
    aggregateIds: aggregates,
  };
}

async function readLinkChange(
  tx: Transaction,
  table: Parameters<typeof storedLinks>[1],
  planned: readonly PlannedProvider[],
  targetsOf: (desired: PlannedProvider['wish']['desired']) => readonly number[] | undefined,
): Promise<LinkChange> {
  const wanted: Link[] = [];
  const stating = planned.filter(({ wish, row }) => {
    const targets = targetsOf(wish.desired);
    for (const targetId of targets ?? []) wanted.push({ providerId: row.id, targetId });
    return targets !== undefined;
  });
  return linkChange(await storedLinks(tx, table, known(stating)), wanted);
}

function known(planned: readonly PlannedProvider[]): ProviderRow[] {
  return planned.flatMap(({ stored }) => stored ?? []);
}

/** The stored providers of which anything differs from what the input states: name, place or offer. */
export function providersUpdated({ planned }: TreePlan, offer: OfferChange): PlannedProvider[] {
  const rows = [
    ...offer.inventoryChange.removed,
    ...offer.inventoryChange.written,
    ...[offer.traitChange, offer.aggregateChange].flatMap(({ removed, added }) => [...removed, ...added]),
  ];
  const touched = new Set(rows.map(({ providerId }) => providerId));
  return planned.filter(
    (each) => each.stored && (isRenamed(each) || isMoved(each) || touched.has(each.row.id)),
  );
}
