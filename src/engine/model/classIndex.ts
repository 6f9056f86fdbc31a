import { saturatingSum } from '../../domain/capacity.js';
import {
  freeAt,
  inventoryAt,
  TREES_PER_BLOCK,
  type Block,
  type ClassIndex,
  type Snapshot,
} from './snapshot.js';

type Columns = Omit<Block, 'index'>;
type Draft = { -readonly [Field in keyof ClassIndex]: ClassIndex[Field] };

/** Per class, what the providers of each tree of a block have free. */
export function classIndexOf(columns: Columns): Map<number, ClassIndex> {
  const { trees, inventoryStarts, classes } = columns;
  const index = new Map<number, Draft>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      let entry = index.get(classes[at]);
      if (entry === undefined) index.set(classes[at], (entry = emptyIndex()));
      addInventory(entry, columns, trees[row], at);
    }
  }
  return index;
}

/** The index of one class after what is used of it in some trees has changed. */
export function recalculatedTrees(
  columns: Columns,
  trees: Iterable<number>,
  resourceClass: number,
  index: ClassIndex,
): ClassIndex {
  const entry: Draft = copyOf(index);
  recalculateTrees(columns, trees, resourceClass, entry);
  return entry;
}

/** The same in the index itself: for whoever has it alone. */
export function recalculateTrees(
  columns: Columns,
  trees: Iterable<number>,
  resourceClass: number,
  entry: Draft,
): void {
  for (const tree of trees) {
    entry.largestFree[tree] = 0;
    entry.totalFree[tree] = 0;
    for (let row = columns.treeStarts[tree]; row < columns.treeStarts[tree + 1]; row++) {
      const at = inventoryAt(columns, row, resourceClass);
      if (at >= 0) addInventory(entry, columns, tree, at);
    }
  }
  entry.maxFree = largestOf(entry.largestFree);
}

/** A copy with other figures for one tree. Columns have a full block's length, so that trees can be added. */
export function withTree(
  index: ClassIndex | undefined,
  tree: number,
  largestFree: number,
  totalFree: number,
): Draft {
  const entry = index ? copyOf(index) : emptyIndex();
  entry.largestFree[tree] = largestFree;
  entry.totalFree[tree] = totalFree;
  entry.maxFree = largestOf(entry.largestFree);
  return entry;
}

function copyOf({ largestFree, totalFree }: ClassIndex): Draft {
  return { largestFree: largestFree.slice(), totalFree: totalFree.slice(), maxFree: 0 };
}

function emptyIndex(): Draft {
  return {
    largestFree: new Float64Array(TREES_PER_BLOCK),
    totalFree: new Float64Array(TREES_PER_BLOCK),
    maxFree: 0,
  };
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  // a call for each value would cost more than all else here
  for (let at = 0; at < values.length; at++) if (values[at] > largest) largest = values[at];
  return largest;
}

function addInventory(entry: Draft, columns: Columns, tree: number, at: number): void {
  const { largestFree, totalFree } = entry;
  const free = Math.max(0, freeAt(columns, at));
  totalFree[tree] = saturatingSum(totalFree[tree], free);
  largestFree[tree] = Math.max(largestFree[tree], Math.min(free, columns.maxUnits[at]));
  entry.maxFree = Math.max(entry.maxFree, largestFree[tree]);
}

const largestFreeByClass = new WeakMap<Snapshot, Map<number, number>>();

/** The largest `maxFree` of all blocks. Reads the blocks the first time that it is asked of a snapshot. */
export function largestFreeOf(snapshot: Snapshot, resourceClass: number): number {
  let byClass = largestFreeByClass.get(snapshot);
  if (byClass === undefined) largestFreeByClass.set(snapshot, (byClass = new Map<number, number>()));
  let largest = byClass.get(resourceClass);
  if (largest === undefined) {
    largest = 0;
    for (const { index } of snapshot.blocks) {
      largest = Math.max(largest, index.classes.get(resourceClass)?.maxFree ?? 0);
    }
    byClass.set(resourceClass, largest);
  }
  return largest;
}
