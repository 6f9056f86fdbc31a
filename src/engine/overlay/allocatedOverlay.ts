import type { CandidateAllocation } from '../model/candidate.js';
import { recalculatedTree } from '../model/classIndex.js';
import { inventoryAt, TREES_PER_BLOCK, type Block, type Snapshot } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/** A snapshot in which these allocations count as used, too. */
export function withAllocated(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  const blocks = [...snapshot.blocks];
  for (const { provider, resources } of allocations) {
    const at = Math.floor(provider.block.firstTree / TREES_PER_BLOCK);
    blocks[at] = allocatedBlock(blocks[at], provider.row, resources);
  }
  return new SnapshotOverlay(snapshot, blocks);
}

function allocatedBlock(block: Block, row: number, resources: CandidateAllocation['resources']): Block {
  const used = block.used.slice();
  for (const { resourceClass, amount } of resources) used[inventoryAt(block, row, resourceClass)] += amount;
  const allocated = { ...block, used };
  const classes = new Map(block.index.classes);
  for (const { resourceClass } of resources) {
    const index = classes.get(resourceClass)!;
    classes.set(resourceClass, recalculatedTree(allocated, block.trees[row], resourceClass, index));
  }
  return { ...allocated, index: { ...block.index, classes } };
}
