import { saturatingSum } from '../model/capacity.js';
import { freeAt, inventoryAt, TREES_PER_BLOCK, type Block, type ClassIndex } from './snapshot.js';

export type Columns = Omit<Block, 'index'>;
type Draft = { -readonly [Field in keyof ClassIndex]: ClassIndex[Field] };

const TREE_COLUMNS = [
  'largestFree',
  'totalFree',
  'highestFree',
  'lowestFree',
  'commonCapacity',
] as const satisfies (keyof ClassIndex)[];

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
  for (const entry of index.values()) entry.maxFree = largestOf(entry.largestFree);
  return index;
}

/** Recalculates trees of an index in place after a change of usage. */
export function recalculateTrees(
  columns: Columns,
  trees: Iterable<number>,
  resourceClass: number,
  entry: Draft,
): ClassIndex {
  for (const tree of trees) {
    for (const column of TREE_COLUMNS) entry[column][tree] = 0;
    for (let row = columns.treeStarts[tree]; row < columns.treeStarts[tree + 1]; row++) {
      const at = inventoryAt(columns, row, resourceClass);
      if (at >= 0) addInventory(entry, columns, tree, at);
    }
  }
  entry.maxFree = largestOf(entry.largestFree);
  return entry;
}

/**
 * Returns an index in which a tree has the values of the first tree of another index (0 if undefined).
 * Returns the same index if nothing differs.
 */
export function withTree(
  index: ClassIndex | undefined,
  tree: number,
  by: ClassIndex | undefined,
): ClassIndex {
  const valueOf = (column: (typeof TREE_COLUMNS)[number]): number => by?.[column][0] ?? 0;
  if (index && TREE_COLUMNS.every((column) => Object.is(index[column][tree], valueOf(column)))) return index;
  const entry = index ? copyOf(index) : emptyIndex();
  for (const column of TREE_COLUMNS) entry[column][tree] = valueOf(column);
  entry.maxFree = largestOf(entry.largestFree);
  return entry;
}

export function largestFreeOf(blocks: readonly Block[], resourceClass: number): number {
  return blocks.reduce(
    (most, { index }) => Math.max(most, index.classes.get(resourceClass)?.maxFree ?? 0),
    0,
  );
}

export function copyOf(index: ClassIndex): Draft {
  const copy = { ...index };
  for (const column of TREE_COLUMNS) copy[column] = index[column].slice();
  return copy;
}

function emptyIndex(): Draft {
  const column = (): Float64Array => new Float64Array(TREES_PER_BLOCK);
  return {
    largestFree: column(),
    totalFree: column(),
    highestFree: column(),
    lowestFree: column(),
    commonCapacity: column(),
    maxFree: 0,
  };
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  // A loop is several times faster than a call for each value.
  for (let at = 0; at < values.length; at++) if (values[at] > largest) largest = values[at];
  return largest;
}

function addInventory(entry: Draft, columns: Columns, tree: number, at: number): void {
  const { largestFree, totalFree, highestFree, lowestFree, commonCapacity } = entry;
  const capacity = columns.capacities[at];
  if (capacity > 0) {
    const other = commonCapacity[tree];
    commonCapacity[tree] = other === 0 || other === capacity ? capacity : NaN;
  }
  const free = freeAt(columns, at);
  if (free <= 0) return;
  totalFree[tree] = saturatingSum(totalFree[tree], free);
  largestFree[tree] = Math.max(largestFree[tree], Math.min(free, columns.maxUnits[at]));
  highestFree[tree] = Math.max(highestFree[tree], free);
  lowestFree[tree] = lowestFree[tree] === 0 ? free : Math.min(lowestFree[tree], free);
}
