import { ranksAbove, type RankKey } from './topCandidates.js';
import { boundAt, type Demand } from './demand.js';
import { BlockSource } from './blockSource.js';
import type { Effort } from '../model/effort.js';
import type { FirstGroups } from './firstGroups.js';
import type { TreeFilter } from '../search/treeFilter.js';
import { Heap } from './heap.js';
import { TreeRanks } from './treeRanks.js';
import type { Plan } from '../model/plan.js';
import { linkedSharingProviders, locateSharingProvider } from '../search/anchor.js';
import { compareScores, type Score } from './score.js';
import { SharingProviderSource } from './sharingProviderSource.js';
import type { BoundedTree, Source } from './source.js';
import type { BlockGroup } from './blockGroups.js';
import { blockOf, type ProviderRef, type Snapshot } from '../model/snapshot.js';

const UNBOUNDED: RankKey = { score: [Infinity], rank: -1 };

/** A block that no tree was taken of, and the best rank key that any of its trees can have. */
interface Unopened extends RankKey {
  readonly number: number;
}

/**
 * The trees that pass the filter in descending order of their bounds, equal ones by rank: a merge of sorted sources, one for each
 * block and each sharing provider. Of a block no more is read than what is best in it until that is the best of all: then it is
 * opened. Beyond that, only as many trees are tested as are wanted.
 */
export class BestFirstTrees {
  private readonly sources = new Heap<Source>((one, other) => ranksAbove(one.next!, other.next!));
  private readonly trees = new Heap<BoundedTree>(ranksAbove);
  private readonly seen = new Set<number>();
  private readonly ranks: TreeRanks;
  /** By block: its first group, while it is unopened. */
  private unopened: (BlockGroup | null)[] = [];
  private bestUnopened: Unopened | null = null;
  private areBlocksRead: boolean;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly demands: readonly Demand[],
    private readonly filter: TreeFilter,
    private readonly firstGroups: FirstGroups,
    private readonly effort: Effort,
    seed: number,
  ) {
    this.ranks = new TreeRanks(seed);
    this.areBlocksRead = filter.only !== null;
    if (filter.only === null) this.openSharingProviders();
    else for (const treeIndex of filter.only) this.test(treeIndex);
  }

  /** The best rank key that any tree to come can have; null when there are no more. */
  get next(): RankKey | null {
    if (!this.areBlocksRead) return UNBOUNDED;
    return better(this.trees.top ?? null, this.nextUntested);
  }

  private get nextUntested(): RankKey | null {
    return better(this.bestUnopened, this.sources.top?.next ?? null);
  }

  /** Reads or opens a block, tests one more tree or returns the next tree; null in all cases but the last. */
  step(): BoundedTree | null {
    if (!this.areBlocksRead) {
      this.readBlocks();
      return null;
    }
    const tree = this.trees.top;
    const { nextUntested } = this;
    if (tree !== undefined && (nextUntested === null || ranksAbove(tree, nextUntested)))
      return this.trees.pop()!;
    if (nextUntested === null) return null;
    if (nextUntested === this.bestUnopened) this.openBlock(this.bestUnopened);
    else {
      const source = this.sources.pop()!;
      const treeIndex = source.take();
      if (treeIndex !== null) this.test(treeIndex);
      this.add(source);
    }
    return null;
  }

  private readBlocks(): void {
    if (!this.firstGroups.read(this.effort)) return;
    this.areBlocksRead = true;
    this.unopened = [...this.firstGroups.all];
    this.findBestUnopened();
  }

  private findBestUnopened(): void {
    let best: BlockGroup | null = null;
    let [number, rank] = [-1, Infinity];
    for (let at = 0; at < this.unopened.length; at++) {
      const group = this.unopened[at];
      if (group === null) continue;
      const difference = best === null ? 1 : compareScores(group.best, best.best);
      if (difference < 0) continue;
      const lowest = this.ranks.firstIn(this.snapshot.blocks[at]);
      if (difference === 0 && lowest > rank) continue;
      [best, number, rank] = [group, at, lowest];
    }
    this.bestUnopened = best && { number, score: best.best, rank };
  }

  private openBlock({ number }: Unopened): void {
    this.effort.blocksOpened++;
    const block = this.snapshot.blocks[number];
    const group = this.unopened[number]!;
    this.unopened[number] = null;
    this.findBestUnopened();
    this.sources.push(new BlockSource(block, this.firstGroups.groups, group, this.ranks));
  }

  private openSharingProviders(): void {
    const [demand] = this.demands;
    if (!demand.variables.some((variable) => this.filter.shareable[variable])) return;
    for (const sharingProvider of this.snapshot.sharing.all) {
      if (this.plan.trees.excluded.has(sharingProvider.treeIndex)) continue;
      const provider = locateSharingProvider(this.snapshot, sharingProvider);
      const bound = boundAt(provider, demand);
      if (bound !== null)
        this.sources.push(
          new SharingProviderSource(this.snapshot, provider, this.scoreWith(bound), this.ranks),
        );
    }
  }

  /** Of a sharing provider the bounds by the further classes are known tree by tree only. */
  private readonly scoreWith = (bound: number): Score =>
    this.demands.length === 1 ? [bound] : this.demands.map((_, at) => (at === 0 ? bound : Infinity));

  private add(source: Source): void {
    if (source.next !== null) this.sources.push(source);
  }

  private test(treeIndex: number): void {
    this.effort.treesTested++;
    if (this.seen.has(treeIndex)) return;
    this.seen.add(treeIndex);
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

function better<Key extends RankKey>(one: Key | null, other: Key | null): Key | null {
  if (one === null || other === null) return one ?? other;
  return ranksAbove(other, one) ? other : one;
}
