import type { CandidateAllocation } from '../model/candidate.js';
import { recalculatedTree } from '../model/classIndex.js';
import type { Block, Snapshot } from '../model/snapshot.js';
import { blockNumber, SnapshotOverlay } from './snapshotOverlay.js';

/** A snapshot in which these allocations count as used, too, with an index that tells so. */
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

/** A block with a new index of some classes, in which a tree has less free. */
function reindexed(block: Block, treeIndex: number, resources: CandidateAllocation['resources']): Block {
  const classes = new Map(block.index.classes);
  for (const { resourceClass } of resources) {
    const index = classes.get(resourceClass)!;
    classes.set(resourceClass, recalculatedTree(block, treeIndex - block.firstTree, resourceClass, index));
  }
  return { ...block, index: { ...block.index, classes } };
}
