import type { CandidateAllocation } from '../model/candidate.js';
import {
  inventoryAt,
  blockNumber,
  type Block,
  type Names,
  type ProviderRef,
  type SharingProviders,
  type Snapshot,
} from '../model/snapshot.js';

/** A what-if snapshot: only the usage in its blocks differs from the snapshot beneath. */
export class SnapshotOverlay implements Snapshot {
  readonly treeCount: number;
  readonly classes: Names;
  readonly traits: Names;
  readonly aggregates: Names;
  readonly sharing: SharingProviders;
  protected readonly originals: readonly Block[];
  private readonly base: Snapshot;

  constructor(
    snapshot: Snapshot,
    readonly blocks: Block[] = [...snapshot.blocks],
  ) {
    this.originals = snapshot.blocks;
    this.base = snapshot instanceof SnapshotOverlay ? snapshot.base : snapshot;
    ({ treeCount: this.treeCount, sharing: this.sharing } = snapshot);
    ({ classes: this.classes, traits: this.traits, aggregates: this.aggregates } = snapshot);
  }

  /**
   * Counts an allocation as used. The first in a block copies its used column; the index stays as it was,
   * which promises too much and never too little.
   */
  allocate({ provider, resources }: CandidateAllocation): void {
    const number = blockNumber(provider.treeIndex);
    const original = this.originals[number];
    if (this.blocks[number] === original) this.blocks[number] = { ...original, used: original.used.slice() };
    const block = this.blocks[number];
    for (const { resourceClass, amount } of resources) {
      block.used[inventoryAt(block, provider.row, resourceClass)] += amount;
    }
  }

  locate(uuid: string): ProviderRef | undefined {
    const provider = this.base.locate(uuid);
    return provider && { block: this.blocks[blockNumber(provider.block.firstTree)], row: provider.row };
  }
}
