import { groupBy } from '../../../model/collections.js';
import type { ProviderFields } from '../../../model/provider.js';
import { type KindSet, kindSet } from '../../../model/recordedChanges.js';
import { type ConsumerPlan, providersChanged, writeConsumers } from '../allocation/consumerPlan.js';
import {
  confirmUnchanged,
  markChanged,
  clearNames,
  insertProviders,
  removeProviders,
  renameProviders,
  setParents,
  setRoot,
} from '../provider/providerRows.js';
import type { InventoryRow } from '../inventory/inventoryRows.js';
import { aggregateIds } from '../provider/aggregates.js';
import type { LinkChange } from '../provider/links.js';
import {
  type SupplyChange,
  type SupplyIds,
  addKind,
  editSupply,
  readStoredSupply,
  supplyKinds,
  writeSupply,
} from '../provider/supply.js';
import { lockWholeTrees } from '../provider/trees.js';
import type { Transaction } from '../transaction.js';
import type { StoredTrees } from './treeInput.js';
import { type PlannedProvider, type TreePlan, changesShape } from './treePlan.js';

/** The validated changes of an input. */
export interface TreeChange {
  readonly trees: Pick<StoredTrees, 'members'>;
  readonly plans: readonly TreePlan[];
  readonly supply: TreeSupply;
  /** The stored providers whose name, parent or supply differs from the input. */
  readonly updated: readonly PlannedProvider[];
  /** Null leaves the allocations unchanged. */
  readonly consumers: ConsumerPlan | null;
}

/**
 * Writes a change of trees: first the rows for which concurrent writers contend (the roots if
 * shapes change, the generations of all stored providers concerned), then the rest. Only batches
 * add statements. Returns a function from the negative ids of new providers to their stored ids.
 */
export async function writeTrees(tx: Transaction, change: TreeChange): Promise<(id: number) => number> {
  const { trees, plans, consumers } = change;
  const { change: supply, ids } = change.supply;
  const planned = plans.flatMap((plan) => plan.planned);
  if (plans.some(changesShape)) await lockWholeTrees(tx, trees.members);
  const changed = changedRows(change);
  const kinds = changeKinds(plans, supply, consumers);
  markChanged(tx, [...changed.values()], ({ id }) => kinds.get(id) ?? 0);
  const unchanged = planned.flatMap(({ stored }) => (stored && !changed.has(stored.id) ? [stored] : []));
  await confirmUnchanged(tx, unchanged);

  const real = await writeShape(tx, plans);
  for (const [id, set] of kinds) if (id < 0) tx.recorded.addProviders([real(id)], set);
  const withRealIds = <T extends { readonly providerId: number }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, providerId: real(row.providerId) }));
  const linked = ({ removed, added }: LinkChange): LinkChange => ({ removed, added: withRealIds(added) });
  const consumed = supply.consumption.added.map((row) => {
    return { ...row, providerId: real(row.providerId), counterProviderId: real(row.counterProviderId) };
  });
  const written = {
    consumption: { ...supply.consumption, added: consumed },
    inventories: { ...supply.inventories, written: withRealIds(supply.inventories.written) },
    traits: linked(supply.traits),
    aggregates: linked(supply.aggregates),
  };
  await writeSupply(tx, written, ids);
  if (consumers === null) return real;
  const allocations = { ...consumers.change, added: withRealIds(consumers.change.added) };
  await writeConsumers(tx, { ...consumers, change: allocations });
  return real;
}

/** Returns the stored providers whose supply or use changes (decision D5), by id. */
function changedRows({ trees, plans, supply, updated, consumers }: TreeChange): Map<number, ProviderFields> {
  const counters = new Set(supply.change.consumption.counterProviders);
  const rows = [
    ...trees.members.filter(({ id }) => counters.has(id)),
    ...updated.flatMap(({ stored }) => stored ?? []),
    ...plans.flatMap(({ deleted }) => deleted),
    ...(consumers ? providersChanged(consumers) : []),
  ];
  return new Map(rows.filter(({ id }) => id > 0).map((row) => [row.id, row]));
}

/**
 * Creates, moves, renames and deletes providers in an order without duplicate names and dangling
 * references. Returns a function from the negative ids of new providers to their stored ids.
 */
async function writeShape(tx: Transaction, plans: readonly TreePlan[]): Promise<(id: number) => number> {
  const planned = plans.flatMap((plan) => plan.planned);
  const deleted = plans.flatMap((plan) => plan.deleted);
  const created = planned.filter(({ stored }) => !stored);
  const renamed = planned.flatMap(({ row, isRenamed }) => (isRenamed ? row : []));
  const freed = renamed.length + created.length > 1 ? renamed : [];
  const unnamed = [...freed, ...deleted].map(({ id }) => id);
  await clearNames(tx, unnamed);
  const inserted = created.map(({ row: { uuid, name } }) => ({ uuid, name, rootId: null, parentId: null }));
  const ids = await insertProviders(tx, inserted);
  const realIds = new Map(created.map(({ row }) => [row.id, ids.get(row.uuid)]));
  const real = (id: number): number => realIds.get(id) ?? id;

  const relinked = planned.filter(({ stored, isMoved }) => !stored || isMoved);
  const links = relinked.map(({ row: { id, parentId, rootId } }) => ({
    id: real(id),
    parentId: parentId === null ? null : real(parentId),
    rootId: real(rootId),
  }));
  const staying = plans.flatMap((plan) => {
    const rootId = real(plan.planned[0]?.row.rootId ?? 0);
    const rows = [...plan.planned.flatMap(({ stored }) => stored ?? []), ...plan.kept];
    return rows.map((row) => ({ row, rootId }));
  });
  const leaving = staying.filter(({ row, rootId }) => row.rootId !== rootId);
  tx.recorded.addLeaving(
    leaving.map(({ row }) => row),
    kindSet('MOVED'),
  );
  await setParents(tx, links);
  // the others keep their parents, but their root changes
  const linked = new Set(links.map(({ id }) => id));
  const below = groupBy(
    leaving.filter(({ row }) => !linked.has(row.id)),
    ({ rootId }) => rootId,
  );
  for (const [rootId, rows] of below)
    await setRoot(
      tx,
      rows.map(({ row }) => row.id),
      rootId,
    );
  await renameProviders(tx, renamed);
  await removeProviders(tx, deleted);
  return real;
}

/** The supply that an input states, and the rows to write for it. */
export interface TreeSupply {
  /** The inventories of the providers whose whole set of them is stated. */
  readonly inventories: readonly InventoryRow[];
  readonly change: SupplyChange;
  readonly ids: SupplyIds;
}

/** Compares the stored supply of the stated providers with the desired one, in four statements. */
export async function readTreeSupply(
  tx: Transaction,
  planned: readonly PlannedProvider[],
  catalog: Omit<SupplyIds, 'aggregates'>,
): Promise<TreeSupply> {
  const uuids = planned.flatMap(({ node }) => node.desired.aggregates ?? []);
  const ids = { ...catalog, aggregates: await aggregateIds(tx, uuids) };
  const edited = planned.map(({ node, row: { id } }) => {
    const { aggregates, traits, inventories } = node.desired;
    return {
      id,
      aggregates: aggregates && { set: aggregates },
      traits: traits && { set: traits },
      inventories: inventories && { set: inventories },
    };
  });
  return { ids, ...editSupply(await readStoredSupply(tx, edited), edited, ids) };
}

/** Returns the stored providers whose name, parent or supply differs from the input. */
export function providersUpdated(
  planned: readonly PlannedProvider[],
  supply: SupplyChange,
): PlannedProvider[] {
  const changed = supplyKinds(supply);
  return planned.filter(
    ({ stored, row, isRenamed, isMoved }) => stored && (isRenamed || isMoved || changed.has(row.id)),
  );
}

/** Returns the changed parts of each provider, by its id. New providers have negative ids. */
function changeKinds(
  plans: readonly TreePlan[],
  supply: SupplyChange,
  consumers: ConsumerPlan | null,
): ReadonlyMap<number, KindSet> {
  const kinds = supplyKinds(supply);
  addKind(kinds, 'INVENTORY', supply.consumption.counterProviders, (id) => id);
  const idOf = ({ id }: ProviderFields): number => id;
  for (const { deleted } of plans) addKind(kinds, 'DELETED', deleted, idOf);
  for (const { row, isMoved, isRenamed } of plans.flatMap(({ planned }) => planned)) {
    if (isMoved) addKind(kinds, 'MOVED', [row], idOf);
    if (isRenamed) addKind(kinds, 'RENAMED', [row], idOf);
  }
  if (consumers) addKind(kinds, 'USAGE', providersChanged(consumers), idOf);
  return kinds;
}
