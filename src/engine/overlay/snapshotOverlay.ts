import {
  TREES_PER_BLOCK,
  type Block,
  type Names,
  type ProviderRef,
  type SharingProvider,
  type Snapshot,
} from '../model/snapshot.js';

/** A snapshot that differs from another in what its blocks say of use alone: all else is asked of the one beneath. */
export class SnapshotOverlay implements Snapshot {
  private readonly base: Snapshot;

  constructor(
    snapshot: Snapshot,
    readonly blocks: readonly Block[],
  ) {
    this.base = snapshot instanceof SnapshotOverlay ? snapshot.base : snapshot;
  }

  get treeCount(): number {
    return this.base.treeCount;
  }

  get classes(): Names {
    return this.base.classes;
  }

  get traits(): Names {
    return this.base.traits;
  }

  get aggregates(): Names {
    return this.base.aggregates;
  }

  locate(uuid: string): ProviderRef | undefined {
    const provider = this.base.locate(uuid);
    return provider && { block: this.blocks[provider.block.firstTree / TREES_PER_BLOCK], row: provider.row };
  }

  sharingProvidersIn(aggregate: number): readonly SharingProvider[] {
    return this.base.sharingProvidersIn(aggregate);
  }

  sharingProviders(): readonly SharingProvider[] {
    return this.base.sharingProviders();
  }

  isShared(kind: 'class' | 'trait', id: number): boolean {
    return this.base.isShared(kind, id);
  }
}
