import type { CandidateAllocation } from '../model/candidate.js';
import { isSharing } from '../model/providerChecks.js';
import { blockNumber } from '../model/snapshot.js';
import { SnapshotOverlay } from './snapshotOverlay.js';

/** A snapshot in which simulated claims count as used, until their tree is released. */
export class HeadroomOverlay extends SnapshotOverlay {
  /** Blocks with a used sharing provider. Its usage concerns other trees as well. */
  private readonly sharedBlocks = new Set<number>();

  override allocate(allocation: CandidateAllocation): void {
    super.allocate(allocation);
    const { provider } = allocation;
    if (isSharing(provider)) this.sharedBlocks.add(blockNumber(provider.treeIndex));
  }

  /** Removes the simulated claims in the block of a tree, unless a sharing provider is used there. */
  release(treeIndex: number): void {
    const number = blockNumber(treeIndex);
    if (!this.sharedBlocks.has(number)) this.blocks[number] = this.originals[number];
  }
}
