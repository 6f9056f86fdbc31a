import { TREES_PER_BLOCK, type Block, type ClassIndex } from './snapshot.js';

interface ClassColumns extends ClassIndex {
  maxFree: number;
}

/** Sums up per tree and class what a block's providers have free. */
export function classIndex(columns: Omit<Block, 'index'>): Map<number, ClassIndex> {
  const { trees, inventoryStarts, classes, capacities, used, maxUnits } = columns;
  const index = new Map<number, ClassColumns>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      let entry = index.get(classes[at]);
      if (entry === undefined) {
        entry = { largestFree: zeros(), totalFree: zeros(), maxFree: 0 };
        index.set(classes[at], entry);
      }
      const tree = trees[row];
      const free = Math.max(0, capacities[at] - used[at]);
      entry.totalFree[tree] += free;
      entry.largestFree[tree] = Math.max(entry.largestFree[tree], Math.min(free, maxUnits[at]));
      entry.maxFree = Math.max(entry.maxFree, entry.largestFree[tree]);
    }
  }
  return index;
}

/** As long as any block may be, so that trees can be added without a new column. */
export function zeros(): Float64Array {
  return new Float64Array(TREES_PER_BLOCK);
}
