import { aggregateIds } from '../provider/aggregates.js';
import { idOf } from '../../database/catalogNames.js';
import {
  inventoryChange,
  rowOf,
  storedInventories,
  type InventoryChange,
  type InventoryRow,
} from '../inventory/inventoryRows.js';
import { linkChange, storedLinks, type Link, type LinkChange, type LinkTable } from '../provider/links.js';
import type { ProviderRow } from '../provider/providerRows.js';
import { isMoved, isRenamed, type PlannedProvider, type TreePlan } from './treePlan.js';
import type { Transaction } from '../transaction.js';

/** The desired supply of the providers of a tree, and what has to be written for it. */
export interface SupplyChange {
  /** The providers whose whole set of inventories is stated, and all of those inventories. */
  readonly stated: readonly ProviderRow[];
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

/** Compares the stored supply of the stated providers with the desired one, in four statements. */
export async function readSupplyChange(
  tx: Transaction,
  { planned }: TreePlan,
  { classes, traits }: Catalog,
): Promise<SupplyChange> {
  const stated = planned.filter(({ node }) => node.desired.inventories != null);
  const inventories = stated.flatMap(({ node, row }) =>
    (node.desired.inventories ?? []).map((inventory) => rowOf(inventory, row, classes)),
  );
  const uuids = planned.flatMap(({ node }) => node.desired.aggregates ?? []);
  const aggregates = await aggregateIds(tx, uuids);
  return {
    stated: stated.map(({ row }) => row),
    inventories,
    inventoryChange: inventoryChange(await storedInventories(tx, known(stated)), inventories),
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
  table: LinkTable,
  planned: readonly PlannedProvider[],
  targetsOf: (desired: PlannedProvider['node']['desired']) => readonly number[] | undefined,
): Promise<LinkChange> {
  const wanted: Link[] = [];
  const stating = planned.filter(({ node, row }) => {
    const targets = targetsOf(node.desired);
    for (const targetId of targets ?? []) wanted.push({ providerId: row.id, targetId });
    return targets !== undefined;
  });
  return linkChange(await storedLinks(tx, table, known(stating)), wanted);
}

function known(planned: readonly PlannedProvider[]): ProviderRow[] {
  return planned.flatMap(({ stored }) => stored ?? []);
}

/** The stored providers of which anything differs from what the input states: name, parent or supply. */
export function providersUpdated({ planned }: TreePlan, supply: SupplyChange): PlannedProvider[] {
  const rows = [
    ...supply.inventoryChange.removed,
    ...supply.inventoryChange.written,
    ...[supply.traitChange, supply.aggregateChange].flatMap(({ removed, added }) => [...removed, ...added]),
  ];
  const changed = new Set(rows.map(({ providerId }) => providerId));
  return planned.filter(
    (each) => each.stored && (isRenamed(each) || isMoved(each) || changed.has(each.row.id)),
  );
}
