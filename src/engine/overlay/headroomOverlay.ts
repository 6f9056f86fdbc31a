import type { CandidateAllocation } from '../model/candidate.js';
import { inventoryAt, TREES_PER_BLOCK, type Snapshot } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/**
 * A snapshot from which something is taken that nobody has claimed. Only the used column of a block in which something was taken is
 * a copy, and that only as long as it matters. The index stays as it was: what it says is still necessary.
 */
export class HeadroomOverlay extends SnapshotOverlay {
  /** Blocks of which a sharing provider was drawn on: other trees have to see that. */
  private readonly kept = new Set<number>();

  constructor(
    private readonly origin: Snapshot,
    override readonly blocks = [...origin.blocks],
  ) {
    super(origin, blocks);
  }

  take({ provider, resources }: CandidateAllocation): void {
    const number = blockNumber(provider.treeIndex);
    if (this.blocks[number] === this.origin.blocks[number]) {
      this.blocks[number] = { ...provider.block, used: provider.block.used.slice() };
    }
    const block = this.blocks[number];
    if (block.sharing[provider.row] === 1) this.kept.add(number);
    for (const { resourceClass, amount } of resources) {
      block.used[inventoryAt(block, provider.row, resourceClass)] += amount;
    }
  }

  /** Gives up what was taken in the block of a tree; what was taken from who shares stays. */
  leave(treeIndex: number): void {
    const number = blockNumber(treeIndex);
    if (!this.kept.has(number)) this.blocks[number] = this.origin.blocks[number];
  }
}

function blockNumber(treeIndex: number): number {
  return Math.floor(treeIndex / TREES_PER_BLOCK);
}
