import type { CandidateAllocation } from '../candidate.js';
import { inventoryAt, TREES_PER_BLOCK, type Snapshot } from '../snapshot.js';
import { SnapshotView } from '../snapshotView.js';

/**
 * A snapshot from which something is taken that nobody has claimed. Only the used column of a block in which something was taken is
 * a copy, and that only as long as it matters. The index stays as it was: what it says is still necessary.
 */
export class DrawnSnapshot extends SnapshotView {
  /** Blocks of which a sharing provider was drawn on: other trees have to see that. */
  private readonly kept = new Set<number>();

  constructor(
    private readonly origin: Snapshot,
    override readonly blocks = [...origin.blocks],
  ) {
    super(origin, blocks);
  }

  take({ place, resources }: CandidateAllocation): void {
    const number = blockNumber(place.slot);
    if (this.blocks[number] === this.origin.blocks[number]) {
      this.blocks[number] = { ...place.block, used: place.block.used.slice() };
    }
    const block = this.blocks[number];
    if (block.sharing[place.row] === 1) this.kept.add(number);
    for (const { resourceClass, amount } of resources) {
      block.used[inventoryAt(block, place.row, resourceClass)] += amount;
    }
  }

  /** Gives up what was taken in the block of a tree; what was taken from who shares stays. */
  leave(slot: number): void {
    const number = blockNumber(slot);
    if (!this.kept.has(number)) this.blocks[number] = this.origin.blocks[number];
  }
}

function blockNumber(slot: number): number {
  return Math.floor(slot / TREES_PER_BLOCK);
}
