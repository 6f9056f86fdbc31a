import { idOf } from '../../database/catalog.js';
import { type KindSet, kindSet } from '../../feed/recordedChanges.js';
import { type ConsumerPlan, providersChanged, writeConsumers } from '../allocation/consumerPlan.js';
import { confirmUnchanged, markChanged } from '../generations.js';
import {
  type InventoryChange,
  type InventoryRow,
  inventoryChange,
  rowOf,
  storedInventories,
  writeInventories,
} from '../inventory/inventoryRows.js';
import { aggregateIds, writeAggregates } from '../provider/aggregates.js';
import {
  type Link,
  type LinkChange,
  type LinkTable,
  linkChange,
  storedLinks,
  writeLinks,
} from '../provider/links.js';
import {
  type ProviderRow,
  clearNames,
  insertProviders,
  removeProviders,
  renameProviders,
  setParents,
  setRoot,
} from '../provider/providerRows.js';
import { lockWholeTrees } from '../provider/trees.js';
import type { Transaction } from '../transaction.js';
import type { StoredTrees } from './treeInput.js';
import { type PlannedProvider, type TreePlan, changesShape, isMoved, isNew, isRenamed } from './treePlan.js';

/** All that an input changes, validated and ready to be written. */
export interface TreeChange {
  readonly trees: StoredTrees;
  readonly plan: TreePlan;
  readonly supply: SupplyChange;
  /** The stored providers of the input of which anything differs. */
  readonly updated: readonly PlannedProvider[];
  /** Null: allocations stay as they are. */
  readonly consumers: ConsumerPlan | null;
}

/**
 * Writes a change of a tree: first what concurrent writers contend for (the roots if shapes change, the
 * generations of all stored providers concerned), then the rest. Only batches make more statements.
 */
export async function writeTree(tx: Transaction, change: TreeChange): Promise<void> {
  const { trees, plan, supply, consumers } = change;
  if (changesShape(plan)) await lockWholeTrees(tx, trees.members);
  const changed = changedRows(change);
  const kinds = changeKinds(plan, supply, consumers);
  markChanged(tx, [...changed.values()], ({ id }) => kinds.get(id) ?? 0);
  const unchanged = plan.planned.flatMap(({ stored }) => (stored && !changed.has(stored.id) ? [stored] : []));
  await confirmUnchanged(tx, unchanged);

  const real = await writeShape(tx, plan);
  for (const [id, set] of kinds) if (id < 0) tx.recorded.addProviders([real(id)], set);
  const withRealIds = <T extends { readonly providerId: number }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, providerId: real(row.providerId) }));
  const linked = ({ removed, added }: LinkChange): LinkChange => ({ removed, added: withRealIds(added) });
  const { inventoryChange: inventories } = supply;
  await writeInventories(tx, { ...inventories, written: withRealIds(inventories.written) });
  await writeLinks(tx, 'resource_provider_traits', linked(supply.traitChange));
  await writeAggregates(tx, linked(supply.aggregateChange), supply.aggregateIds);
  if (consumers === null) return;
  const allocations = { ...consumers.change, added: withRealIds(consumers.change.added) };
  await writeConsumers(tx, { ...consumers, change: allocations });
}

/** Returns the stored providers whose supply or use changes (decision D5), by id. */
function changedRows({ plan, updated, consumers }: TreeChange): Map<number, ProviderRow> {
  const rows = [
    ...updated.flatMap(({ stored }) => stored ?? []),
    ...plan.deleted,
    ...(consumers ? providersChanged(consumers) : []),
  ];
  return new Map(rows.filter(({ id }) => id > 0).map((row) => [row.id, row]));
}

/**
 * Creates, moves, renames and deletes providers in an order without duplicate names and dangling references. Returns
 * the function from the plan's numbers of new providers to their ids.
 */
async function writeShape(
  tx: Transaction,
  { planned, deleted, kept }: TreePlan,
): Promise<(id: number) => number> {
  const created = planned.filter(isNew);
  const renamed = planned.filter(isRenamed);
  const freed = renamed.length + created.length > 1 ? renamed.map(({ row }) => row) : [];
  const unnamed = [...freed, ...deleted].map(({ id }) => id);
  await clearNames(tx, unnamed);
  const inserted = created.map(({ row: { uuid, name } }) => ({ uuid, name, rootId: null, parentId: null }));
  const ids = await insertProviders(tx, inserted);
  const realIds = new Map(created.map(({ row }) => [row.id, ids.get(row.uuid)]));
  const real = (id: number): number => realIds.get(id) ?? id;

  const rootId = real(planned[0].row.id);
  const relinked = planned.filter((each) => isNew(each) || isMoved(each));
  const links = relinked.map(({ row: { id, parentId } }) => ({
    id: real(id),
    parentId: parentId === null ? null : real(parentId),
  }));
  const staying = [...planned.flatMap(({ stored }) => stored ?? []), ...kept];
  tx.recorded.addLeaving(
    staying.filter((row) => row.rootId !== rootId),
    kindSet('MOVED'),
  );
  await setParents(tx, links, rootId);
  await setRoot(tx, rerooted(planned, kept, rootId), rootId);
  const newNames = renamed.map(({ row }) => row);
  await renameProviders(tx, newNames);
  await removeProviders(tx, deleted);
  return real;
}

/** Those that keep their parent, but not their root. */
function rerooted(
  planned: readonly PlannedProvider[],
  kept: readonly ProviderRow[],
  rootId: number,
): number[] {
  const staying = planned.flatMap((each) => (each.stored && !isMoved(each) ? [each.stored] : []));
  return [...staying, ...kept].filter((row) => row.rootId !== rootId).map(({ id }) => id);
}

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

/** What a change of a tree changes of each provider, by its id; those of new ones are the numbers of the plan. */
function changeKinds(
  { planned, deleted }: TreePlan,
  { inventoryChange, traitChange, aggregateChange }: SupplyChange,
  consumers: ConsumerPlan | null,
): ReadonlyMap<number, KindSet> {
  const kinds = new Map<number, KindSet>();
  const add = (ids: readonly number[], set: KindSet): void => {
    for (const id of ids) kinds.set(id, (kinds.get(id) ?? 0) | set);
  };
  const providersOf = (...rows: (readonly { readonly providerId: number }[])[]): number[] =>
    rows.flat().map(({ providerId }) => providerId);
  const idsThat = (is: typeof isMoved): number[] => planned.filter(is).map(({ row }) => row.id);
  add(
    deleted.map(({ id }) => id),
    kindSet('DELETED'),
  );
  add(idsThat(isMoved), kindSet('MOVED'));
  add(idsThat(isRenamed), kindSet('RENAMED'));
  add(providersOf(inventoryChange.removed, inventoryChange.written), kindSet('INVENTORY'));
  add(providersOf(traitChange.removed, traitChange.added), kindSet('TRAITS'));
  add(providersOf(aggregateChange.removed, aggregateChange.added), kindSet('AGGREGATES'));
  if (consumers) add(providersOf(consumers.change.removed, consumers.change.added), kindSet('USAGE'));
  return kinds;
}
