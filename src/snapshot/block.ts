import { capacityOf } from '../engine/capacity.js';
import type { Block } from '../engine/snapshot.js';
import { indexOf } from './blockIndex.js';
import type { InventoryRecord, ProviderRecord } from './records.js';

/** One provider with all that belongs to it. */
export interface ProviderEntry {
  readonly provider: ProviderRecord;
  readonly inventories: readonly InventoryRecord[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

/** A whole tree: its providers depth first, each with the position of its parent (-1 for the root) and its subtree's end. */
export interface TreeEntry {
  readonly providers: readonly ProviderEntry[];
  readonly parents: readonly number[];
  readonly ends: readonly number[];
}

/** Lays trees out as the columns of one block. `sharingTrait` is the id of the trait that makes a provider sharing. */
export function buildBlock(
  firstSlot: number,
  trees: readonly TreeEntry[],
  sharingTrait: number | undefined,
): Block {
  const entries = trees.flatMap((tree) => tree.providers);
  const treeStarts = starts(trees.map((tree) => tree.providers.length));
  const rowsOf = (pick: (tree: TreeEntry) => readonly number[]): Int32Array =>
    Int32Array.from(
      trees.flatMap((tree, at) => pick(tree).map((row) => (row < 0 ? -1 : treeStarts[at] + row))),
    );
  const inventories = entries.flatMap((entry) => entry.inventories);
  const columns = {
    firstSlot,
    treeStarts,
    ids: Int32Array.from(entries, ({ provider }) => provider.id),
    uuids: entries.map(({ provider }) => provider.uuid),
    names: entries.map(({ provider }) => provider.name),
    generations: Int32Array.from(entries, ({ provider }) => provider.generation),
    parents: rowsOf((tree) => tree.parents),
    ends: rowsOf((tree) => tree.ends),
    trees: Uint16Array.from(trees.flatMap((tree, at) => tree.providers.map(() => at))),
    sharing: Uint8Array.from(entries, ({ traits }) =>
      sharingTrait !== undefined && traits.includes(sharingTrait) ? 1 : 0,
    ),
    inventoryStarts: starts(entries.map((entry) => entry.inventories.length)),
    classes: Int32Array.from(inventories, ({ classId }) => classId),
    capacities: Float64Array.from(inventories, (row) =>
      capacityOf(row.total, row.reserved, row.allocationRatio),
    ),
    used: Float64Array.from(inventories, ({ used }) => used),
    minUnits: Int32Array.from(inventories, ({ minUnit }) => minUnit),
    maxUnits: Int32Array.from(inventories, ({ maxUnit }) => maxUnit),
    stepSizes: Int32Array.from(inventories, ({ stepSize }) => stepSize),
    traitStarts: starts(entries.map(({ traits }) => traits.length)),
    traits: Int32Array.from(entries.flatMap(({ traits }) => traits)),
    aggregateStarts: starts(entries.map(({ aggregates }) => aggregates.length)),
    aggregates: Int32Array.from(entries.flatMap(({ aggregates }) => aggregates)),
  };
  return { ...columns, index: indexOf(columns) };
}

/** Where each of consecutive ranges begins, and where the last one ends. */
function starts(lengths: readonly number[]): Int32Array {
  const column = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => (column[at + 1] = column[at] + length));
  return column;
}
