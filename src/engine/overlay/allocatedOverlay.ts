import type { CandidateAllocation } from '../model/candidate.js';
import {
  blockOf,
  inventoryAt,
  TREES_PER_BLOCK,
  type Block,
  type ClassIndex,
  type Snapshot,
} from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/** A snapshot in which more is in use than in the one it was made from: what allocations would draw counts as used. */
export function withAllocated(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const blocks = [...snapshot.blocks];
  for (const { provider, resources } of allocations) {
    const at = Math.floor(provider.block.firstTree / TREES_PER_BLOCK);
    blocks[at] = drawnBlock(blocks[at], provider.row, resources);
  }
  return new SnapshotOverlay(snapshot, blocks);
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

function drawnBlock(block: Block, row: number, resources: CandidateAllocation['resources']): Block {
  const used = block.used.slice();
  for (const { resourceClass, amount } of resources) used[inventoryAt(block, row, resourceClass)] += amount;
  const classes = new Map(block.index.classes);
  for (const { resourceClass } of resources) {
    const index = classes.get(resourceClass)!;
    classes.set(resourceClass, drawnIndex({ ...block, used }, block.trees[row], resourceClass, index));
  }
  return { ...block, used, index: { ...block.index, classes } };
}

/** The index of a class after a tree has less of it free. */
function drawnIndex(block: Block, tree: number, resourceClass: number, index: ClassIndex): ClassIndex {
  const [range, free] = [index.largestFree.slice(), index.totalFree.slice()];
  range[tree] = free[tree] = 0;
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    const at = inventoryAt(block, row, resourceClass);
    if (at < 0) continue;
    const left = Math.max(0, block.capacities[at] - block.used[at]);
    free[tree] += left;
    range[tree] = Math.max(range[tree], Math.min(left, block.maxUnits[at]));
  }
  return { largestFree: range, totalFree: free, maxFree: range.reduce((most, one) => Math.max(most, one)) };
}
