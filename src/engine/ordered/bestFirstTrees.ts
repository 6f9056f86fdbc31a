import { ranksAbove, type RankKey } from './topCandidates.js';
import { boundAt, boundOf, type Demand } from './demand.js';
import type { Effort } from '../model/effort.js';
import type { TreeFilter } from '../search/treeFilter.js';
import { Heap } from './heap.js';
import { Permutation } from '../model/random.js';
import { linkedSharingProviders, locateSharingProvider } from '../search/anchor.js';
import type { Score } from './score.js';
import { freeFractionsOf, type FreeFractions } from './freeFractions.js';
import {
  blockOf,
  hasBit,
  treeIndexOf,
  type Block,
  type ProviderRef,
  type Snapshot,
} from '../model/snapshot.js';

/** More than rounding can come to where a promise is not computed from one inventory's own figures. */
const SLACK = 1e-9;

const ANYTHING: RankKey = { score: [Infinity], rank: -1 };

/** A tree with the best that a candidate of it can reach as far as figures alone tell. */
export interface BoundedTree extends RankKey {
  readonly treeIndex: number;
}

/** Trees that come out one after another, as the first class of the order lets them expect. */
interface Source {
  /** The best standing that the next tree can have; null at the end. */
  readonly next: RankKey | null;
  take(): number;
}

/**
 * The trees that pass the filter, the most promising first. The free shares of a block are sorted when they are first
 * asked for, and stay so until a change renews the block; from there on only as many trees are looked at as are wanted, and those
 * that stand equal to them.
 */
export class BestFirstTrees {
  private readonly sources = new Heap<Source>((one, other) => ranksAbove(one.next!, other.next!));
  private readonly trees = new Heap<BoundedTree>(ranksAbove);
  private readonly seen: Uint8Array;
  private readonly ranks: Permutation;
  /** Blocks that are not yet among the sources: one takes long where its shares are still to be sorted. */
  private readonly unopened: Block[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly demands: readonly Demand[],
    private readonly filter: TreeFilter,
    private readonly effort: Effort,
    seed: number,
  ) {
    this.seen = new Uint8Array(snapshot.treeCount);
    this.ranks = new Permutation(snapshot.treeCount, seed);
    this.unopened = filter.impossible || filter.pinned !== undefined ? [] : [...snapshot.blocks];
    if (filter.impossible) return;
    if (filter.pinned !== undefined) this.meet(filter.pinned);
    else this.openSharers();
  }

  /** The best standing that any tree to come can have; null when there are no more. */
  get next(): RankKey | null {
    if (this.unopened.length > 0) return ANYTHING;
    const source = this.sources.top?.next ?? null;
    const tree = this.trees.top ?? null;
    if (source === null || tree === null) return source ?? tree;
    return ranksAbove(tree, source) ? tree : source;
  }

  /** Looks at one more tree, or gives the next; null for the former. */
  step(): BoundedTree | null {
    const block = this.unopened.pop();
    if (block !== undefined) {
      this.openBlock(block);
      return null;
    }
    const source = this.sources.top;
    const tree = this.trees.top;
    if (tree !== undefined && (source === undefined || ranksAbove(tree, source.next!)))
      return this.trees.pop()!;
    if (source === undefined) return null;
    this.sources.pop();
    this.meet(source.take());
    this.add(source);
    return null;
  }

  private openBlock(block: Block): void {
    this.effort.blocksOpened++;
    this.add(new BlockSource(block, this.demands[0], this.scoreWith, this.ranks));
  }

  private openSharers(): void {
    const [demand] = this.demands;
    if (!demand.variables.some((variable) => this.filter.shareable[variable])) return;
    for (const sharingProvider of this.snapshot.sharingProviders()) {
      const provider = locateSharingProvider(this.snapshot, sharingProvider);
      const promise = boundAt(provider, demand);
      if (promise !== null)
        this.add(new SharerSource(this.snapshot, provider, this.scoreWith(promise), this.ranks));
    }
  }

  /** What the further classes let expect is known tree by tree only. */
  private readonly scoreWith = (promise: number): Score =>
    this.demands.map((_, at) => (at === 0 ? promise : Infinity));

  private add(source: Source): void {
    if (source.next !== null) this.sources.push(source);
  }

  private meet(treeIndex: number): void {
    this.effort.treesTested++;
    if (this.seen[treeIndex] === 1) return;
    this.seen[treeIndex] = 1;
    if (!this.filter.passes(treeIndex)) return;
    const score = this.promises(treeIndex);
    if (score !== null) this.trees.push({ treeIndex, score, rank: this.ranks.at(treeIndex) });
  }

  /** By the figures of the providers of the tree and of those that share with it; null where nobody could give some class. */
  private promises(treeIndex: number): Score | null {
    const block = blockOf(this.snapshot, treeIndex);
    const start = block.treeStarts[treeIndex - block.firstTree];
    const end = block.treeStarts[treeIndex - block.firstTree + 1];
    let sharingProviders: readonly ProviderRef[] | null = null;
    const score: number[] = [];
    for (const demand of this.demands) {
      let best = -Infinity;
      for (let row = start; row < end; row++) best = Math.max(best, boundAt({ block, row }, demand) ?? best);
      if (demand.variables.some((variable) => this.filter.shareable[variable])) {
        sharingProviders ??= linkedSharingProviders(this.snapshot, block, start, end, treeIndex);
        for (const provider of sharingProviders) best = Math.max(best, boundAt(provider, demand) ?? best);
      }
      if (best === -Infinity) return null;
      score.push(best);
    }
    return score;
  }
}

/** The trees of a block that have the class themselves. */
class BlockSource implements Source {
  next: RankKey | null = null;
  private readonly shares: FreeFractions;
  /** The inventories with the share whose turn it is: [from, to). */
  private from: number;
  private to: number;
  /** Of their trees those still to be given, the one with the lowest rank last. */
  private treeIndices: number[] = [];

  constructor(
    private readonly block: Block,
    private readonly demand: Demand,
    private readonly scoreWith: (promise: number) => Score,
    private readonly ranks: Permutation,
  ) {
    this.shares = freeFractionsOf(block, demand.resourceClass);
    this.from = this.to = demand.direction > 0 ? this.shares.trees.length : 0;
    this.goOn();
  }

  take(): number {
    const treeIndex = this.treeIndices.pop()!;
    this.goOn();
    return treeIndex;
  }

  private goOn(): void {
    while (this.treeIndices.length === 0 && this.nextShare()) this.treeIndices = this.able();
    const treeIndex = this.treeIndices.at(-1);
    this.next =
      treeIndex === undefined
        ? null
        : { score: this.scoreWith(this.promise()), rank: this.ranks.at(treeIndex) };
  }

  private nextShare(): boolean {
    const { fractions: shares } = this.shares;
    if (this.demand.direction > 0) {
      this.to = this.from;
      while (this.from > 0 && shares[this.from - 1] === shares[this.to - 1]) this.from--;
    } else {
      this.from = this.to;
      while (this.to < shares.length && shares[this.to] === shares[this.from]) this.to++;
    }
    return this.from < this.to;
  }

  /** The trees whose turn it is with room for anything. */
  private able(): number[] {
    const { trees, free } = this.shares;
    const ranks = new Map<number, number>();
    for (let at = this.from; at < this.to; at++) {
      const treeIndex = this.block.firstTree + trees[at];
      if (free[at] >= this.demand.least && !ranks.has(treeIndex))
        ranks.set(treeIndex, this.ranks.at(treeIndex));
    }
    return [...ranks.keys()].sort((a, b) => ranks.get(b)! - ranks.get(a)!);
  }

  /** Of all inventories from here on. */
  private promise(): number {
    const { free, capacities, fractions: shares, leastCapacity, mostCapacity } = this.shares;
    if (leastCapacity === mostCapacity) return boundOf(this.demand, free[this.from], capacities[this.from]);
    const capacity = this.demand.direction > 0 ? mostCapacity : leastCapacity;
    return boundOf(this.demand, shares[this.from] * capacity, capacity) + SLACK;
  }
}

/** The trees that a sharing provider serves; found when it is its turn. */
class SharerSource implements Source {
  next: RankKey | null;
  private treeIndices: number[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly sharingProvider: ProviderRef,
    private readonly score: Score,
    private readonly ranks: Permutation,
  ) {
    this.next = { score, rank: -1 };
  }

  take(): number {
    this.treeIndices ??= this.served().sort((a, b) => this.ranks.at(b) - this.ranks.at(a));
    const treeIndex = this.treeIndices.pop()!;
    const after = this.treeIndices.at(-1);
    this.next = after === undefined ? null : { score: this.score, rank: this.ranks.at(after) };
    return treeIndex;
  }

  /** At least the tree of the sharing provider itself. */
  private served(): number[] {
    const { block: own, row } = this.sharingProvider;
    const treeIndices = new Set([treeIndexOf(this.sharingProvider)]);
    for (const aggregate of own.aggregates.subarray(own.aggregateStarts[row], own.aggregateStarts[row + 1])) {
      for (const { firstTree, treeStarts, index } of this.snapshot.blocks) {
        const bits = index.aggregates.get(aggregate);
        if (bits === undefined) continue;
        for (let tree = 0; tree < treeStarts.length - 1; tree++)
          if (hasBit(bits, tree)) treeIndices.add(firstTree + tree);
      }
    }
    return [...treeIndices];
  }
}
