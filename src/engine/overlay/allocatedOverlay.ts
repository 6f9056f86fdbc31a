import type { CandidateAllocation } from '../model/candidate.js';
import { blockOf, inventoryAt, type Block, type ClassIndex, type Snapshot } from '../model/snapshot.js';
import { freeAt } from './freeAmount.js';
import { blockNumber, SnapshotOverlay } from './snapshotOverlay.js';

/** A snapshot in which allocations count as used, with an index that tells so. */
export function withAllocated(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const overlay = new SnapshotOverlay(snapshot);
  for (const allocation of allocations) {
    overlay.allocate(allocation);
    const { treeIndex } = allocation.provider;
    const number = blockNumber(treeIndex);
    overlay.blocks[number] = reindexed(overlay.blocks[number], treeIndex, allocation.resources);
  }
  return overlay;
}

/** A snapshot in which nothing is left of a tree, but for what its sharing providers have. */
export function emptiedOf(snapshot: Snapshot, treeIndex: number): Snapshot {
  const block = blockOf(snapshot, treeIndex);
  const tree = treeIndex - block.firstTree;
  const all: CandidateAllocation[] = [];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    if (block.sharing[row] === 1) continue;
    const [start, end] = [block.inventoryStarts[row], block.inventoryStarts[row + 1]];
    const resources = Array.from(block.classes.subarray(start, end), (resourceClass, at) => ({
      resourceClass,
      amount: Math.max(0, block.capacities[start + at] - block.used[start + at]),
    }));
    all.push({ provider: { block, row, treeIndex }, resources });
  }
  return withAllocated(snapshot, all);
}

/** A block with a new index of some classes, in which a tree has less free. */
function reindexed(block: Block, treeIndex: number, resources: CandidateAllocation['resources']): Block {
  const classes = new Map(block.index.classes);
  for (const { resourceClass } of resources) {
    classes.set(resourceClass, classIndexAfter(block, treeIndex - block.firstTree, resourceClass));
  }
  return { ...block, index: { ...block.index, classes } };
}

function classIndexAfter(block: Block, tree: number, resourceClass: number): ClassIndex {
  const before = block.index.classes.get(resourceClass)!;
  const [largestFree, totalFree] = [before.largestFree.slice(), before.totalFree.slice()];
  largestFree[tree] = totalFree[tree] = 0;
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    const at = inventoryAt(block, row, resourceClass);
    if (at < 0) continue;
    const free = Math.max(0, freeAt(block, at));
    totalFree[tree] += free;
    largestFree[tree] = Math.max(largestFree[tree], Math.min(free, block.maxUnits[at]));
  }
  return { largestFree, totalFree, maxFree: largestFree.reduce((most, one) => Math.max(most, one)) };
}
