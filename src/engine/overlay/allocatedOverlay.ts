import type { CandidateAllocation } from '../model/candidate.js';
import { recalculatedTrees } from '../model/classIndex.js';
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

/** A snapshot in which these allocations, which count as used in it, do not. */
export function withReleased(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const negative = allocations.map(({ provider, resources }) => ({
    provider,
    resources: resources.map(({ resourceClass, amount }) => ({ resourceClass, amount: -amount })),
  }));
  return withAllocated(snapshot, negative);
}

/** A block with a new index of some classes, in which a tree has more or less free. */
function reindexed(block: Block, treeIndex: number, resources: CandidateAllocation['resources']): Block {
  const classes = new Map(block.index.classes);
  for (const { resourceClass } of resources) {
    const index = classes.get(resourceClass)!;
    classes.set(resourceClass, recalculatedTrees(block, [treeIndex - block.firstTree], resourceClass, index));
  }
  return { ...block, index: { ...block.index, classes } };
}
