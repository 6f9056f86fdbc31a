import { kindSet } from '../../feed/kinds.js';
import { writeAggregates } from '../provider/aggregates.js';
import { providersChanged, writeConsumers, type ConsumerPlan } from '../allocation/consumerPlan.js';
import { confirmUnchanged, markChanged } from '../generations.js';
import { writeInventories } from '../inventory/inventoryRows.js';
import { writeLinks, type LinkChange } from '../provider/links.js';
import type { ProviderRow } from '../provider/providerRows.js';
import {
  clearNames,
  insertProviders,
  setParents,
  removeProviders,
  renameProviders,
  setRoot,
} from '../provider/providerWrites.js';
import { changeKinds } from './changeKinds.js';
import type { SupplyChange } from './supplyChange.js';
import { changesShape, isMoved, isNew, isRenamed, type PlannedProvider, type TreePlan } from './treePlan.js';
import type { StoredTrees } from './storedTrees.js';
import { type Transaction } from '../transaction.js';
import { lockWholeTrees } from '../provider/trees.js';

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

/** The stored providers whose supply or use changes (decision D5), by id; a new one begins at generation 0 with all that it has. */
function changedRows({ plan, updated, consumers }: TreeChange): Map<number, ProviderRow> {
  const rows = [
    ...updated.flatMap(({ stored }) => stored ?? []),
    ...plan.deleted,
    ...(consumers ? providersChanged(consumers) : []),
  ];
  return new Map(rows.filter(({ id }) => id > 0).map((row) => [row.id, row]));
}

/**
 * Creates, moves, renames and deletes providers, in an order in which no two have one name and nothing refers to what does not
 * exist. Gives what turns the numbers of new providers into their ids.
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
