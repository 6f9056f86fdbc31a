import { writeAggregates } from '../provider/aggregates.js';
import { providersChanged, writeConsumerWrite, type ConsumerWrite } from '../allocation/consumerWrite.js';
import { confirmUnchanged, markChanged } from '../generations.js';
import { writeInventories } from '../inventory/inventoryRows.js';
import { writeLinks, type LinkChange } from '../provider/links.js';
import type { ProviderRow } from '../provider/providerRows.js';
import {
  freeNames,
  insertProviders,
  placeProviders,
  removeProviders,
  renameProviders,
  rerootProviders,
} from '../provider/providerShape.js';
import type { OfferChange } from './supplyChange.js';
import { changesShape, isMoved, isNew, isRenamed, type PlannedProvider, type TreePlan } from './plan.js';
import type { StoredTrees } from './stored.js';
import { type Transaction } from '../transaction.js';
import { holdWholeTrees } from '../provider/trees.js';

/** All that an input changes, judged and ready to be written. */
export interface TreeChange {
  readonly trees: StoredTrees;
  readonly plan: TreePlan;
  readonly offer: OfferChange;
  /** The stored providers of the input of which anything differs. */
  readonly updated: readonly PlannedProvider[];
  /** Null: allocations stay as they are. */
  readonly consumers: ConsumerWrite | null;
}

/**
 * Writes a change of a tree: first what rivals meet in, the roots of the trees if their shape changes and the generations of
 * all stored providers concerned; then everything else. The number of statements does not grow with the tree but for batches.
 */
export async function writeTree(tx: Transaction, change: TreeChange): Promise<void> {
  const { trees, plan, offer, consumers } = change;
  const now = tx.now;
  if (changesShape(plan)) await holdWholeTrees(tx, trees.members, now);
  const changed = changedRows(change);
  markChanged(tx, [...changed.values()], now);
  const unchanged = plan.planned.flatMap(({ stored }) => (stored && !changed.has(stored.id) ? [stored] : []));
  await confirmUnchanged(tx, unchanged);

  const real = await writeShape(tx, plan, now);
  const placed = <T extends { readonly providerId: number }>(rows: readonly T[]): T[] =>
    rows.map((row) => ({ ...row, providerId: real(row.providerId) }));
  const linked = ({ removed, added }: LinkChange): LinkChange => ({ removed, added: placed(added) });
  const { inventoryChange: inventories } = offer;
  await writeInventories(tx, { ...inventories, written: placed(inventories.written) }, now);
  await writeLinks(tx, 'resource_provider_traits', linked(offer.traitChange), now);
  await writeAggregates(tx, linked(offer.aggregateChange), offer.aggregateIds, now);
  if (consumers === null) return;
  const allocations = { ...consumers.change, added: placed(consumers.change.added) };
  await writeConsumerWrite(tx, { ...consumers, change: allocations }, now);
}

/** The stored providers whose offer or use changes (decision D5), by id; a new one begins at generation 0 with all that it has. */
function changedRows({ plan, updated, consumers }: TreeChange): Map<number, ProviderRow> {
  const rows = [
    ...updated.flatMap(({ stored }) => stored ?? []),
    ...plan.deleted,
    ...(consumers ? providersChanged(consumers) : []),
  ];
  return new Map(rows.filter(({ id }) => id > 0).map((row) => [row.id, row]));
}

/**
 * Creates, places, names and deletes providers, in an order in which no name is held twice and nothing refers to what is not
 * there. Gives what turns the numbers of new providers into their ids.
 */
async function writeShape(
  tx: Transaction,
  { planned, deleted, kept }: TreePlan,
  now: Date,
): Promise<(id: number) => number> {
  const created = planned.filter(isNew);
  const renamed = planned.filter(isRenamed);
  const freed = renamed.length + created.length > 1 ? renamed.map(({ row }) => row) : [];
  await freeNames(
    tx,
    [...freed, ...deleted].map(({ id }) => id),
  );
  const ids = await insertProviders(
    tx,
    created.map(({ row: { uuid, name } }) => ({ uuid, name, rootId: null, parentId: null })),
    now,
  );
  const realIds = new Map(created.map(({ row }) => [row.id, ids.get(row.uuid)]));
  const real = (id: number): number => realIds.get(id) ?? id;

  const rootId = real(planned[0].row.id);
  const placing = planned.filter((each) => isNew(each) || isMoved(each));
  const places = placing.map(({ row: { id, parentId } }) => ({
    id: real(id),
    parentId: parentId === null ? null : real(parentId),
  }));
  const staying = [...planned.flatMap(({ stored }) => stored ?? []), ...kept];
  tx.announceLeaving(staying.filter((row) => row.rootId !== rootId));
  await placeProviders(tx, places, rootId);
  await rerootProviders(tx, rerooted(planned, kept, rootId), rootId, now);
  await renameProviders(
    tx,
    renamed.map(({ row }) => row),
  );
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
