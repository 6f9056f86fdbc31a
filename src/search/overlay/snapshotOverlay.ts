import type { CandidateAllocation } from '../anchor.js';
import {
  inventoryAt,
  blockNumber,
  type Block,
  type Names,
  type ProviderRef,
  type SharingProviders,
  type Snapshot,
  type BlockIndex,
  indexWith,
  type ClassIndex,
  treeOf,
} from '../../fleet/snapshot.js';
import { countedClasses } from '../../fleet/consumption.js';
import { isSharing } from '../treeFilter.js';
import { classIndexOf, copyOf, recalculateTrees } from '../../fleet/providerIndex.js';

/** A what-if snapshot: only the usage differs from the base. */
class SnapshotOverlay implements Snapshot {
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
   * Adds usage, or removes it with sign -1. Copies the used column of a block on first use. The index
   * stays the same, which overestimates free amounts.
   */
  allocate({ provider, resources }: CandidateAllocation, sign: 1 | -1 = 1): void {
    const number = blockNumber(provider.treeIndex);
    const original = this.originals[number];
    if (this.blocks[number] === original) this.blocks[number] = { ...original, used: original.used.slice() };
    const block = this.blocks[number];
    for (const { resourceClass, amount } of resources) {
      block.used[inventoryAt(block, provider.row, resourceClass)] += sign * amount;
    }
  }

  locate(uuid: string): ProviderRef | undefined {
    const provider = this.base.locate(uuid);
    return provider && { block: this.blocks[blockNumber(provider.block.firstTree)], row: provider.row };
  }
}

export class HeadroomOverlay extends SnapshotOverlay {
  /** The blocks with simulated claims on a sharing provider, which may serve other trees. */
  private readonly sharedBlocks = new Set<number>();

  override allocate(allocation: CandidateAllocation, sign: 1 | -1 = 1): void {
    super.allocate(allocation, sign);
    const { provider } = allocation;
    if (isSharing(provider)) this.sharedBlocks.add(blockNumber(provider.treeIndex));
  }

  /** Removes the simulated claims in the tree's block, unless a sharing provider is used there. */
  release(treeIndex: number): void {
    const number = blockNumber(treeIndex);
    if (!this.sharedBlocks.has(number)) this.blocks[number] = this.originals[number];
  }
}

/** Returns the same inventories without allocations. Builds the index of a block on first use. */
export function withoutAllocations(snapshot: Snapshot): Snapshot {
  return withoutUsage(snapshot, (block) => block);
}

/** Returns the same fleet with the allowed usage of each inventory as its capacity (decision D23). */
export function allowedWithoutAllocations(snapshot: Snapshot): Snapshot {
  return withoutUsage(snapshot, (block) => ({ ...block, capacities: block.allowed }));
}

function withoutUsage(snapshot: Snapshot, offerOf: (block: Block) => Block): Snapshot {
  const longest = snapshot.blocks.reduce((most, { used }) => Math.max(most, used.length), 0);
  const zeros = new Float64Array(longest);
  return new SnapshotOverlay(
    snapshot,
    snapshot.blocks.map((block) => unallocated(offerOf(block), zeros)),
  );
}

function unallocated({ index, ...columns }: Block, zeros: Float64Array): Block {
  const unused = { ...columns, used: zeros.subarray(0, columns.used.length) };
  let classes: BlockIndex['classes'] | undefined;
  return {
    ...unused,
    index: {
      ...index,
      bestBounds: new Map(),
      get classes() {
        return (classes ??= classIndexOf(unused));
      },
    },
  };
}

/**
 * Adds allocations with an exact index. Copies a block on first use and then changes it in place, so
 * values read from it before are stale.
 */
export class AllocatedOverlay extends SnapshotOverlay {
  override allocate(allocation: CandidateAllocation, sign: 1 | -1 = 1): void {
    this.allocateAll([allocation], sign);
  }

  /** Calculates the index once for each tree and class, which takes a pass over the tree. */
  allocateAll(allocations: readonly CandidateAllocation[], sign: 1 | -1 = 1): void {
    const classesByTree = new Map<number, Set<number>>();
    for (const allocation of allocations) {
      const { treeIndex } = allocation.provider;
      this.ownIndex(blockNumber(treeIndex));
      super.allocate(allocation, sign);
      const classes = classesByTree.get(treeIndex) ?? new Set();
      classesByTree.set(treeIndex, classes);
      for (const { resourceClass } of allocation.resources) classes.add(resourceClass);
      const block = this.blocks[blockNumber(treeIndex)];
      if (block.consumption !== null)
        for (const counted of countedClasses(block, treeIndex - block.firstTree)) classes.add(counted);
    }
    for (const [treeIndex, classes] of classesByTree)
      for (const resourceClass of classes) this.recalculate(treeIndex, resourceClass);
  }

  /** Copies a block with an index of its own, unless it is a copy already. */
  private ownIndex(number: number): void {
    const original = this.originals[number];
    if (this.blocks[number] !== original) return;
    const index = indexWith(original.index, new Map(original.index.classes));
    this.blocks[number] = { ...original, used: original.used.slice(), index };
  }

  private recalculate(treeIndex: number, resourceClass: number): void {
    const number = blockNumber(treeIndex);
    const block = this.blocks[number];
    block.index.bestBounds.clear();
    const classes = block.index.classes as Map<number, ClassIndex>;
    let index = classes.get(resourceClass)!;
    if (index === this.originals[number].index.classes.get(resourceClass))
      classes.set(resourceClass, (index = copyOf(index)));
    recalculateTrees(block, [treeIndex - block.firstTree], resourceClass, index);
  }
}

/** Returns a snapshot in which these allocations count as used, with an exact index. */
export function withAllocated(
  snapshot: Snapshot,
  allocations: readonly CandidateAllocation[],
  sign: 1 | -1 = 1,
): Snapshot {
  const overlay = new AllocatedOverlay(snapshot);
  overlay.allocateAll(allocations, sign);
  return overlay;
}

/** Returns a snapshot without these allocations, which the given snapshot counts as used. */
export function withReleased(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Snapshot {
  return withAllocated(snapshot, allocations, -1);
}

/** A change of the allocations of a consumer. */
export interface Reallocation {
  readonly from: readonly CandidateAllocation[];
  readonly to: readonly CandidateAllocation[];
}

/** Returns the snapshot after moves. */
export function withMoves(snapshot: Snapshot, moves: readonly Reallocation[]): Snapshot {
  const moved = moves.filter(({ from, to }) => from !== to);
  const released = withReleased(
    snapshot,
    moved.flatMap(({ from }) => from),
  );
  return withAllocated(
    released,
    moved.flatMap(({ to }) => to),
  );
}

/** The trees without any allocation. The owner of the snapshot calls `update` after a change in a tree. */
export class EmptyTrees {
  readonly all = new Set<number>();

  constructor(private readonly snapshot: Snapshot) {
    for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) this.update(treeIndex);
  }

  update(treeIndex: number): void {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    const used = block.used.subarray(block.inventoryStarts[start], block.inventoryStarts[end]);
    if (used.every((amount) => amount === 0)) this.all.add(treeIndex);
    else this.all.delete(treeIndex);
  }
}
