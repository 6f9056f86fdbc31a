import type { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { mix } from '../model/random.js';
import {
  blockNumber,
  hasBit,
  treeIndexOf,
  treeOf,
  TREES_PER_BLOCK,
  type ProviderRef,
  type Snapshot,
} from '../model/snapshot.js';
import { linkedSharingProviders, locateSharingProvider } from '../search/anchor.js';
import type { TreeFilter } from '../search/treeFilter.js';
import type { BlockBounds } from './blockBounds.js';
import { Heap, ranksAbove, type RankKey, type Score } from './ranking.js';

export interface BoundedTree extends RankKey {
  readonly treeIndex: number;
}

interface UnlistedTrees extends RankKey {
  readonly blockNumber: number;
}

interface UnlistedSharing extends RankKey {
  readonly provider: ProviderRef;
}

/** A tree whose bound does not consider all of its providers. */
interface UntestedTree extends BoundedTree {
  readonly isUntested: true;
}

const UNBOUNDED: RankKey = { score: [Infinity], rank: -1 };

/**
 * Yields the trees that pass the filter, in descending order of their bounds, equal bounds by rank.
 * One heap holds blocks, sharing providers and trees. Each step replaces the top by its parts,
 * until the top is a tested tree. Therefore only the blocks with the best trees are listed.
 */
export class BestFirstTrees {
  private readonly heap = new Heap<UnlistedTrees | UnlistedSharing | UntestedTree | BoundedTree>(ranksAbove);
  private readonly seen = new Set<number>();
  private blocksAdded = 0;
  private areBlocksRead: boolean;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly bounds: BlockBounds,
    private readonly filter: TreeFilter,
    private readonly effort: Effort,
    private readonly seed: number,
  ) {
    this.areBlocksRead = filter.only !== null;
    if (filter.only === null) this.addSharingProviders();
    else for (const treeIndex of filter.only) this.test(treeIndex);
  }

  get next(): RankKey | null {
    return this.areBlocksRead ? (this.heap.top ?? null) : UNBOUNDED;
  }

  /** Does a small part of the work. Returns the next tree, or null if this step finds none. */
  step(): BoundedTree | null {
    if (!this.areBlocksRead) {
      this.readBlocks();
      return null;
    }
    const item = this.heap.pop();
    if (item === undefined) return null;
    if ('blockNumber' in item) this.list(item);
    else if ('provider' in item) this.listServedTrees(item);
    else if ('isUntested' in item) this.test(item.treeIndex);
    else return item;
    return null;
  }

  /** Reads blocks up to one whose bound is not cached. */
  private readBlocks(): void {
    const { blocksRead } = this.effort;
    while (this.blocksAdded < this.snapshot.blocks.length && this.effort.blocksRead === blocksRead) {
      this.addBlock(this.blocksAdded, this.bounds.best(this.blocksAdded, this.effort));
      this.blocksAdded++;
    }
    this.areBlocksRead = this.blocksAdded === this.snapshot.blocks.length;
  }

  private addBlock(number: number, score: Score | null): void {
    if (score === null) return;
    this.heap.push({ blockNumber: number, score, rank: blockRank(number, this.seed) });
  }

  private addSharingProviders(): void {
    const [first, ...others] = this.bounds.terms;
    if (first.boundBySharing === null) return;
    for (const sharingProvider of this.snapshot.sharing.all) {
      if (this.plan.trees.excluded.has(sharingProvider.treeIndex)) continue;
      const provider = locateSharingProvider(this.snapshot, sharingProvider);
      const bound = first.boundBySharing(provider);
      if (bound > -Infinity)
        this.heap.push({ provider, score: [bound, ...others.map(() => Infinity)], rank: -1 });
    }
  }

  private list({ blockNumber: number, score }: UnlistedTrees): void {
    const { treeIndices, next } = this.bounds.list(number, score, this.effort);
    for (const treeIndex of treeIndices) this.addUntested(treeIndex, score);
    this.addBlock(number, next);
  }

  private listServedTrees({ provider, score }: UnlistedSharing): void {
    const { block: own, row } = provider;
    const treeIndices = new Set([treeIndexOf(provider)]);
    for (const aggregate of own.aggregates.subarray(own.aggregateStarts[row], own.aggregateStarts[row + 1])) {
      for (const { firstTree, treeStarts, index } of this.snapshot.blocks) {
        const bits = index.aggregates.get(aggregate);
        if (bits === undefined) continue;
        for (let tree = 0; tree < treeStarts.length - 1; tree++)
          if (hasBit(bits, tree)) treeIndices.add(firstTree + tree);
      }
    }
    for (const treeIndex of treeIndices) this.addUntested(treeIndex, score);
  }

  private addUntested(treeIndex: number, score: Score): void {
    this.heap.push({ treeIndex, score, rank: treeRank(treeIndex, this.seed), isUntested: true });
  }

  private test(treeIndex: number): void {
    this.effort.treesTested++;
    if (this.seen.has(treeIndex)) return;
    this.seen.add(treeIndex);
    if (!this.filter.passes(treeIndex)) return;
    const score = this.boundsOf(treeIndex);
    if (score !== null) this.heap.push({ treeIndex, score, rank: treeRank(treeIndex, this.seed) });
  }

  /** Returns null if the tree has no candidate. */
  private boundsOf(treeIndex: number): Score | null {
    const tree = treeOf(this.snapshot, treeIndex);
    let linked: readonly ProviderRef[] | null = null;
    const sharingProviders = () => (linked ??= linkedSharingProviders(this.snapshot, this.plan, tree));
    const score = this.bounds.terms.map((term) => term.boundOfTree(tree, sharingProviders));
    return score.includes(-Infinity) ? null : score;
  }
}

/**
 * The seeded order of trees with equal bounds, unique per tree. The trees of a block are adjacent, so the
 * first of many equal trees is found without listing all blocks.
 */
function treeRank(treeIndex: number, seed: number): number {
  const number = blockNumber(treeIndex);
  const random = mix(treeIndex, ~seed) >>> 19;
  return blockRank(number, seed) + random * TREES_PER_BLOCK + treeIndex - number * TREES_PER_BLOCK;
}

/**
 * Returns a lower bound of the ranks of the block's trees. Unique per block, because `mix` is
 * injective in its first argument. Leaves 21 of 53 bits to the trees.
 */
function blockRank(number: number, seed: number): number {
  return mix(number, seed) * 2 ** 21;
}
