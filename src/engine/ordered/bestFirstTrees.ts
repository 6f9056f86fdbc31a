import { ranksAbove, type RankKey } from './topCandidates.js';
import { boundAt, boundOf, type Demand } from './demand.js';
import type { Effort } from '../model/effort.js';
import type { TreeFilter } from '../search/treeFilter.js';
import { Heap } from './heap.js';
import { TreeRanks } from './treeRanks.js';
import type { Plan } from '../model/plan.js';
import { linkedSharingProviders, locateSharingProvider } from '../search/anchor.js';
import type { Score } from './score.js';
import { freeFractionsOf, isOrdered, type FreeFractions } from './freeFractions.js';
import {
  blockOf,
  hasBit,
  treeIndexOf,
  type Block,
  type ProviderRef,
  type Snapshot,
} from '../model/snapshot.js';

/** More than the rounding error of a bound that is not computed from one inventory's own figures. */
const SLACK = 1e-9;

const UNBOUNDED: RankKey = { score: [Infinity], rank: -1 };

/** A tree with an upper bound on the scores of its candidates. */
export interface BoundedTree extends RankKey {
  readonly treeIndex: number;
}

/** Trees in descending order of their bound by the first class of the order. */
interface Source {
  /** The best rank key that the next tree can have; null at the end. */
  readonly next: RankKey | null;
  /** The next tree; null where only the rank key of the next one became more exact. */
  take(): number | null;
}

/**
 * The trees that pass the filter in descending order of their bounds, equal ones by rank: a merge of sorted sources, one for each
 * block and each sharing provider. The free fractions of a block are sorted when they are first needed, and
 * again once a change has replaced the block. Beyond that, only as many trees are tested as are wanted, and of those with equal
 * bounds the ones in the blocks that rank first.
 */
export class BestFirstTrees {
  private readonly sources = new Heap<Source>((one, other) => ranksAbove(one.next!, other.next!));
  private readonly trees = new Heap<BoundedTree>(ranksAbove);
  private readonly seen: Uint8Array;
  private readonly ranks: TreeRanks;
  /** Blocks not yet among the sources: opening one takes long where its fractions are still to be sorted. */
  private readonly unopened: Block[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly demands: readonly Demand[],
    private readonly filter: TreeFilter,
    private readonly effort: Effort,
    seed: number,
  ) {
    this.seen = new Uint8Array(snapshot.treeCount);
    this.ranks = new TreeRanks(seed);
    this.unopened = filter.only === null ? [...snapshot.blocks] : [];
    if (filter.only === null) this.openSharingProviders();
    else for (const treeIndex of filter.only) this.test(treeIndex);
  }

  /** The best rank key that any tree to come can have; null when there are no more. */
  get next(): RankKey | null {
    if (this.unopened.length > 0) return UNBOUNDED;
    const source = this.sources.top?.next ?? null;
    const tree = this.trees.top ?? null;
    if (source === null || tree === null) return source ?? tree;
    return ranksAbove(tree, source) ? tree : source;
  }

  /** Opens a block, tests one more tree or returns the next tree; null in the first two cases. */
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
    const treeIndex = source.take();
    if (treeIndex !== null) this.test(treeIndex);
    this.add(source);
    return null;
  }

  private openBlock(block: Block): void {
    if (isOrdered(block, this.demands[0].resourceClass)) this.effort.blocksOpened++;
    else this.effort.blocksSorted++;
    this.add(new BlockSource(block, this.demands[0], this.scoreWith, this.ranks));
  }

  private openSharingProviders(): void {
    const [demand] = this.demands;
    if (!demand.variables.some((variable) => this.filter.shareable[variable])) return;
    for (const sharingProvider of this.snapshot.sharing.all) {
      if (this.plan.trees.excluded.has(sharingProvider.treeIndex)) continue;
      const provider = locateSharingProvider(this.snapshot, sharingProvider);
      const bound = boundAt(provider, demand);
      if (bound !== null)
        this.add(new SharingProviderSource(this.snapshot, provider, this.scoreWith(bound), this.ranks));
    }
  }

  /** Bounds by the further classes are known tree by tree only. */
  private readonly scoreWith = (bound: number): Score =>
    this.demands.length === 1 ? [bound] : this.demands.map((_, at) => (at === 0 ? bound : Infinity));

  private add(source: Source): void {
    if (source.next !== null) this.sources.push(source);
  }

  private test(treeIndex: number): void {
    this.effort.treesTested++;
    if (this.seen[treeIndex] === 1) return;
    this.seen[treeIndex] = 1;
    if (!this.filter.passes(treeIndex)) return;
    const score = this.boundsOf(treeIndex);
    if (score !== null) this.trees.push({ treeIndex, score, rank: this.ranks.of(treeIndex) });
  }

  /** By the tree's providers and those that share with it; null where none could serve some class. */
  private boundsOf(treeIndex: number): Score | null {
    const block = blockOf(this.snapshot, treeIndex);
    const start = block.treeStarts[treeIndex - block.firstTree];
    const end = block.treeStarts[treeIndex - block.firstTree + 1];
    let sharingProviders: readonly ProviderRef[] | null = null;
    const score: number[] = [];
    for (const demand of this.demands) {
      let best = -Infinity;
      for (let row = start; row < end; row++) best = Math.max(best, boundAt({ block, row }, demand) ?? best);
      if (demand.variables.some((variable) => this.filter.shareable[variable])) {
        sharingProviders ??= linkedSharingProviders(this.snapshot, this.plan, {
          treeIndex,
          block,
          start,
          end,
        });
        for (const provider of sharingProviders) best = Math.max(best, boundAt(provider, demand) ?? best);
      }
      if (best === -Infinity) return null;
      score.push(best);
    }
    return score;
  }
}

/** The trees of a block that have inventories of the class themselves. Which ones have the next fraction is found out when it is their turn. */
class BlockSource implements Source {
  next: RankKey | null = null;
  private readonly fractions: FreeFractions;
  /** Where in the order of fractions the next inventory is. */
  private place: number;
  /** The trees with the fraction before that were not yet taken, the one with the lowest rank last. */
  private treeIndices: number[] = [];

  constructor(
    private readonly block: Block,
    private readonly demand: Demand,
    private readonly scoreWith: (bound: number) => Score,
    private readonly ranks: TreeRanks,
  ) {
    this.fractions = freeFractionsOf(block, demand.resourceClass);
    const { start, order } = this.fractions;
    this.place = demand.direction > 0 ? order.length - 1 : start;
    this.announceFraction();
  }

  take(): number | null {
    const taken = this.treeIndices.pop();
    if (taken === undefined) this.treeIndices = this.takeFraction();
    const treeIndex = this.treeIndices.at(-1);
    if (treeIndex === undefined) this.announceFraction();
    else this.next = { score: this.next!.score, rank: this.ranks.of(treeIndex) };
    return taken ?? null;
  }

  private get isAtEnd(): boolean {
    return this.place < this.fractions.start || this.place >= this.fractions.order.length;
  }

  private announceFraction(): void {
    this.next = this.isAtEnd
      ? null
      : { score: this.scoreWith(this.bound()), rank: this.ranks.firstIn(this.block) };
  }

  /** The trees with the next fraction that have enough free for any variable. */
  private takeFraction(): number[] {
    const { trees, free, fractions, order } = this.fractions;
    const fraction = fractions[order[this.place]];
    const ranks = new Map<number, number>();
    for (; !this.isAtEnd && fractions[order[this.place]] === fraction; this.place -= this.demand.direction) {
      const at = order[this.place];
      const treeIndex = this.block.firstTree + trees[at];
      if (free[at] >= this.demand.least && !ranks.has(treeIndex))
        ranks.set(treeIndex, this.ranks.of(treeIndex));
    }
    return [...ranks.keys()].sort((a, b) => ranks.get(b)! - ranks.get(a)!);
  }

  /** The bound of all inventories from the next one on. */
  private bound(): number {
    const { free, capacities, fractions, order, leastCapacity, mostCapacity } = this.fractions;
    const at = order[this.place];
    if (leastCapacity === mostCapacity) return boundOf(this.demand, free[at], capacities[at]);
    const capacity = this.demand.direction > 0 ? mostCapacity : leastCapacity;
    return boundOf(this.demand, fractions[at] * capacity, capacity) + SLACK;
  }
}

/** The trees that a sharing provider serves; found when the first is taken. */
class SharingProviderSource implements Source {
  next: RankKey | null;
  private treeIndices: number[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly sharingProvider: ProviderRef,
    private readonly score: Score,
    private readonly ranks: TreeRanks,
  ) {
    this.next = { score, rank: -1 };
  }

  take(): number {
    this.treeIndices ??= this.servedTrees().sort((a, b) => this.ranks.of(b) - this.ranks.of(a));
    const treeIndex = this.treeIndices.pop()!;
    const after = this.treeIndices.at(-1);
    this.next = after === undefined ? null : { score: this.score, rank: this.ranks.of(after) };
    return treeIndex;
  }

  /** At least the tree of the sharing provider itself. */
  private servedTrees(): number[] {
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
