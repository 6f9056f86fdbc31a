import {
  TREES_PER_BLOCK,
  type Block,
  type Names,
  type Place,
  type Sharer,
  type Snapshot,
} from './snapshot.js';

/** A snapshot that differs from another in what its blocks say of use alone: all else is asked of the one beneath. */
export class SnapshotView implements Snapshot {
  private readonly base: Snapshot;

  constructor(
    snapshot: Snapshot,
    readonly blocks: readonly Block[],
  ) {
    this.base = snapshot instanceof SnapshotView ? snapshot.base : snapshot;
  }

  get slots(): number {
    return this.base.slots;
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

  locate(uuid: string): Place | undefined {
    const place = this.base.locate(uuid);
    return place && { block: this.blocks[place.block.firstSlot / TREES_PER_BLOCK], row: place.row };
  }

  sharersIn(aggregate: number): readonly Sharer[] {
    return this.base.sharersIn(aggregate);
  }

  sharers(): readonly Sharer[] {
    return this.base.sharers();
  }

  isShared(kind: 'class' | 'trait', id: number): boolean {
    return this.base.isShared(kind, id);
  }
}
