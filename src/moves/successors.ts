import { anchorTreeOf, type Candidate } from '../search/anchor.js';
import type { Effort } from '../model/operation/waiting.js';
import type { Plan } from '../search/plan.js';
import { blockNumber, type Snapshot } from '../fleet/snapshot.js';
import { finishedSearch } from '../search/candidateSearch.js';
import { blockRank, treeRank } from '../search/ordered/bestFirstTrees.js';
import { BlockBounds } from '../search/ordered/blockBounds.js';
import { bestCandidateAt } from '../search/ordered/orderedSearch.js';
import { compareScores, scoreOf, type Score } from '../search/ordered/ranking.js';
import { orderOf, type Order } from '../search/ordered/terms/order.js';
import { TreeFilter } from '../search/treeFilter.js';

/** The number of trees whose bound is too high before a search of the fleet. */
const MAX_MISSES = 8;

/** Trees of a block with the same bound. */
interface BoundedTrees {
  readonly score: Score;
  readonly trees: readonly number[];
}

/**
 * Searches for one consumer after another in a fleet that changes between them. Each result is that of a new search.
 * With an order, a consumer first tries the trees that earlier ones have changed and the trees with the bound of the
 * last result: no other tree can be better.
 */
export class Successors {
  /** The trees where no consumer may be. */
  readonly excluded = new Set<number>();
  private readonly filter: TreeFilter;
  private readonly order: Order;
  private readonly trees: BoundedBlocks | null;
  /** No tree that is not in `changed` has a better score. */
  private ceiling: Score | null = null;
  /**
   * By tree with an earlier consumer: its best score; null if it has no candidate. Without free shares, which other
   * consumers can improve, a score never rises, so that the bounds suffice.
   */
  private readonly changed = new Map<number, Score | null>();
  private last: number | null = null;
  private readonly canImprove: boolean;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly effort: Effort,
  ) {
    this.filter = new TreeFilter(snapshot, plan, this.excluded);
    this.order = orderOf(plan, this.filter);
    const isLocal = this.filter.only === null && !this.filter.shareable.includes(true);
    const isOrdered = plan.orderBy.length > 0;
    this.canImprove = plan.orderBy.some(({ kind }) => kind === 'FREE_SHARE');
    this.trees = isLocal && isOrdered ? new BoundedBlocks(snapshot, this.order, this.filter, effort) : null;
  }

  /** Finds the best candidate in the present fleet. */
  *next(seed: number): Generator<void, Candidate | undefined> {
    const { snapshot, plan, filter, order, effort } = this;
    const known = this.trees && (yield* this.bestKnown(this.trees, seed));
    if (known) return known;
    const options = { limit: 1, stopsAtLimit: true, seed, filter, order };
    const { candidates } = yield* finishedSearch(snapshot, plan, options, effort);
    const [found] = candidates;
    if (found === undefined) return undefined;
    this.ceiling = scoreOf(plan, found);
    this.last = anchorTreeOf(found);
    return found;
  }

  /** Returns a candidate that no other tree can exceed; null if a search must find it. */
  private *bestKnown(trees: BoundedBlocks, seed: number): Generator<void, Candidate | null> {
    const { plan } = this;
    if (this.last !== null && this.canImprove) {
      const again = yield* this.bestAt(this.last, seed);
      this.changed.set(this.last, again && scoreOf(plan, again));
    }
    this.ceiling ??= yield* trees.best();
    if (this.ceiling === null) return null;
    let best = this.ceiling;
    for (const score of this.changed.values())
      if (score !== null && compareScores(score, best) > 0) best = score;
    const isChangedBest = best !== this.ceiling;
    const equal = [...this.changed].flatMap(([tree, score]) =>
      score !== null && compareScores(score, best) === 0 ? [tree] : [],
    );
    let misses = 0;
    for (const tree of isChangedBest ? inOrder(equal, seed) : trees.atLeast(best, seed, equal)) {
      if (this.excluded.has(tree) || (!equal.includes(tree) && this.changed.has(tree))) continue;
      const found = yield* this.bestAt(tree, seed);
      if (found !== null && compareScores(scoreOf(plan, found), best) === 0) {
        this.last = tree;
        return found;
      }
      if (++misses === MAX_MISSES) break;
    }
    return null;
  }

  private bestAt(tree: number, seed: number): Generator<void, Candidate | null> {
    const { snapshot, plan, filter, order, effort } = this;
    return bestCandidateAt(snapshot, plan, { seed, filter, order }, tree, effort);
  }
}

/** Yields trees in the seeded order of a search. Usually the first one suffices, so it sorts none. */
function* inOrder(trees: readonly number[], seed: number): Generator<number> {
  const ranks = trees.map((tree) => treeRank(tree, seed));
  for (let left = trees.length; left > 0; left--) {
    let first = 0;
    for (let at = 1; at < ranks.length; at++) if (ranks[at] < ranks[first]) first = at;
    yield trees[first];
    ranks[first] = Infinity;
  }
}

/** The blocks of a snapshot with the bounds of their trees at the first use. */
class BoundedBlocks {
  private readonly bounds: BlockBounds;
  private readonly count: number;
  /** By block: its trees, the best first, as far as they have been read; and the next bound. */
  private readonly blocks: { readonly levels: BoundedTrees[]; next: Score | null }[] = [];
  /** The results of `listed` for one limit. */
  private readonly lists = new Map<number, readonly number[]>();
  private limit: Score | null = null;

  constructor(
    { blocks }: Snapshot,
    order: Order,
    filter: TreeFilter,
    private readonly effort: Effort,
  ) {
    this.count = blocks.length;
    this.bounds = new BlockBounds([...blocks], order, filter);
  }

  /** Returns the best bound of all trees. */
  *best(): Generator<void, Score | null> {
    let best: Score | null = null;
    for (let number = 0; number < this.count; number++) {
      const next = this.bounds.best(number, this.effort);
      this.blocks.push({ levels: [], next });
      if (next !== null && (best === null || compareScores(next, best) > 0)) best = next;
      if (this.effort.isUsedUp) yield;
    }
    return best;
  }

  /** Yields the trees with at least this bound, and `others`, in the seeded order of a search. */
  *atLeast(limit: Score, seed: number, others: readonly number[]): Generator<number> {
    const reaching = new Set<number>();
    this.blocks.forEach(({ levels, next }, number) => {
      const best = levels.at(0)?.score ?? next;
      if (best !== null && compareScores(best, limit) >= 0) reaching.add(number);
    });
    for (const tree of others) reaching.add(blockNumber(tree));
    const numbers = [...reaching].sort((a, b) => blockRank(a, seed) - blockRank(b, seed));
    if (this.limit !== limit) this.lists.clear();
    this.limit = limit;
    for (const number of numbers) {
      const own = this.lists.get(number) ?? this.listed(number, limit);
      this.lists.set(number, own);
      const more = others.filter((tree) => blockNumber(tree) === number && !own.includes(tree));
      yield* inOrder(more.length === 0 ? own : [...own, ...more], seed);
    }
  }

  private listed(number: number, limit: Score): number[] {
    const block = this.blocks[number];
    while (block.next !== null && compareScores(block.next, limit) >= 0) {
      const trees: number[] = [];
      const score = block.next;
      block.next = this.bounds.bestBelow(number, score, trees, this.effort);
      block.levels.push({ score, trees });
    }
    return block.levels.filter(({ score }) => compareScores(score, limit) >= 0).flatMap(({ trees }) => trees);
  }
}
