import type { CandidateAllocation } from '../model/candidate.js';
import { recalculatedTrees, recalculateTrees } from '../model/classIndex.js';
import { blockNumber, indexWith, type Block, type ClassIndex, type Snapshot } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/**
 * A snapshot to which allocations are added, with an exact index. The first allocation in a block copies the
 * block; later ones change the copy in place, so values read from it before are stale.
 */
export class AllocatedOverlay extends SnapshotOverlay {
  override allocate(allocation: CandidateAllocation): void {
    const { treeIndex } = allocation.provider;
    const number = blockNumber(treeIndex);
    const original = this.originals[number];
    const isFirst = this.blocks[number] === original;
    super.allocate(allocation);
    if (isFirst) this.blocks[number] = withOwnIndex(this.blocks[number]);
    const block = this.blocks[number];
    block.index.bestBounds.clear();
    const classes = block.index.classes as Map<number, ClassIndex>;
    const trees = [treeIndex - block.firstTree];
    for (const { resourceClass } of allocation.resources) {
      const index = classes.get(resourceClass)!;
      if (index === original.index.classes.get(resourceClass))
        classes.set(resourceClass, recalculatedTrees(block, trees, resourceClass, index));
      else recalculateTrees(block, trees, resourceClass, index);
    }
  }
}

function withOwnIndex(block: Block): Block {
  return { ...block, index: indexWith(block.index, new Map(block.index.classes)) };
}

/** Returns a snapshot in which these allocations count as used as well, with an exact index. */
export function withAllocated(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const overlay = new AllocatedOverlay(snapshot);
  for (const allocation of allocations) overlay.allocate(allocation);
  return overlay;
}

/** Returns a snapshot without these allocations, which the given snapshot counts as used. */
export function withReleased(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const negative = allocations.map(({ provider, resources }) => ({
    provider,
    resources: resources.map(({ resourceClass, amount }) => ({ resourceClass, amount: -amount })),
  }));
  return withAllocated(snapshot, negative);
}
