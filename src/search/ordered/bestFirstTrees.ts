import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../plan.js';
import { mix } from '../../model/collections.js';
import {
  blockNumber,
  hasBit,
  treeOf,
  TREES_PER_BLOCK,
  type ProviderRef,
  type Snapshot,
} from '../../fleet/snapshot.js';
import { linkedSharingProviders, locateSharingProvider } from '../anchor.js';
import type { TreeFilter } from '../treeFilter.js';
import type { BlockBounds } from './blockBounds.js';
import { Heap, ranksAbove, type RankKey, type Score } from './ranking.js';

/** A tree, or unlisted trees. The bound of an untested tree does not consider all of its providers. */
interface Item extends RankKey {
  readonly kind: 'BLOCK' | 'SHARING_PROVIDER' | 'UNTESTED_TREE' | 'TREE';
  /** The number of the block, the position of the sharing provider, or the tree index. */
  readonly number: number;
}

const UNBOUNDED: RankKey = { score: [Infinity], rank: -1 };

/**
 * Yields the trees that pass the filter, in descending order of their bounds, equal bounds by rank.
 * One heap holds blocks, sharing providers and trees. Each step replaces the top by its parts,
 * until the top is a tested tree. Therefore only the blocks with the best trees are listed.
 */
export class BestFirstTrees {
  private readonly heap = new Heap<Item>(ranksAbove);
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

  /**
   * Does a small part of the work; `next` must not be null. Returns the next tree with its rank, or null if this step
   * finds none.
   */
  step(): { readonly treeIndex: number; readonly rank: number } | null {
    if (!this.areBlocksRead) {
      this.readBlocks();
      return null;
    }
    const { kind, number, score, rank } = this.heap.pop()!;
    if (kind === 'TREE') return { treeIndex: number, rank };
    if (kind === 'BLOCK') this.list(number, score);
    else if (kind === 'SHARING_PROVIDER') this.listServedTrees(number, score);
    else this.test(number);
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
    if (score !== null) this.heap.push({ kind: 'BLOCK', number, score, rank: blockRank(number, this.seed) });
  }

  private addSharingProviders(): void {
    const [first, ...others] = this.bounds.terms;
    if (first.boundBySharing === null) return;
    for (const [number, sharingProvider] of this.snapshot.sharing.all.entries()) {
      if (this.plan.trees.excluded.has(sharingProvider.treeIndex)) continue;
      const bound = first.boundBySharing(locateSharingProvider(this.snapshot, sharingProvider));
      const score = [bound, ...others.map(() => Infinity)];
      if (bound > -Infinity) this.heap.push({ kind: 'SHARING_PROVIDER', number, score, rank: -1 });
    }
  }

  private list(number: number, score: Score): void {
    const { trees, next } = this.bounds.level(number, score, this.effort);
    for (const treeIndex of trees) this.addUntested(treeIndex, score);
    this.addBlock(number, next);
  }

  private listServedTrees(number: number, score: Score): void {
    const provider = locateSharingProvider(this.snapshot, this.snapshot.sharing.all[number]);
    const { block: own, row } = provider;
    const treeIndices = new Set([provider.treeIndex]);
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

  private addUntested(number: number, score: Score): void {
    this.heap.push({ kind: 'UNTESTED_TREE', number, score, rank: treeRank(number, this.seed) });
  }

  private test(treeIndex: number): void {
    this.effort.treesTested++;
    if (this.seen.has(treeIndex)) return;
    this.seen.add(treeIndex);
    if (!this.filter.passes(treeIndex)) return;
    const score = this.boundsOf(treeIndex);
    const rank = treeRank(treeIndex, this.seed);
    if (score !== null) this.heap.push({ kind: 'TREE', number: treeIndex, score, rank });
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
export function treeRank(treeIndex: number, seed: number): number {
  return blockRank(blockNumber(treeIndex), seed) + rankInBlock(treeIndex, seed);
}

/** The order of `treeRank` among the trees of one block. */
export function rankInBlock(treeIndex: number, seed: number): number {
  const random = mix(treeIndex, ~seed) >>> 19;
  return random * TREES_PER_BLOCK + (treeIndex % TREES_PER_BLOCK);
}

/**
 * Returns a lower bound of the ranks of the block's trees. Unique per block, because `mix` is
 * injective in its first argument. Leaves 21 of 53 bits to the trees.
 */
export function blockRank(number: number, seed: number): number {
  return mix(number, seed) * 2 ** 21;
}
