import type { Block } from '../engine/snapshot.js';
import { indexOf } from './blockIndex.js';
import type { TreeEntry } from './trees.js';

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
  const stock = entries.flatMap((entry) => entry.stock);
  const columns = {
    firstSlot,
    treeStarts,
    ids: Int32Array.from(entries, ({ id }) => id),
    uuids: entries.map(({ uuid }) => uuid),
    names: entries.map(({ name }) => name),
    generations: Int32Array.from(entries, ({ generation }) => generation),
    parents: rowsOf((tree) => tree.parents),
    ends: rowsOf((tree) => tree.ends),
    trees: Uint16Array.from(trees.flatMap((tree, at) => tree.providers.map(() => at))),
    sharing: Uint8Array.from(entries, ({ traits }) =>
      sharingTrait !== undefined && traits.includes(sharingTrait) ? 1 : 0,
    ),
    inventoryStarts: starts(entries.map((entry) => entry.stock.length)),
    classes: Int32Array.from(stock, ({ classId }) => classId),
    capacities: Float64Array.from(stock, ({ capacity }) => capacity),
    used: Float64Array.from(stock, ({ used }) => used),
    minUnits: Int32Array.from(stock, ({ minUnit }) => minUnit),
    maxUnits: Int32Array.from(stock, ({ maxUnit }) => maxUnit),
    stepSizes: Int32Array.from(stock, ({ stepSize }) => stepSize),
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
