import { anchorTreeOf, type Candidate } from '../search/anchor.js';
import type { Effort } from '../model/operation/waiting.js';
import type { Plan } from '../search/plan.js';
import { blockNumber, type Snapshot } from '../fleet/snapshot.js';
import { finishedSearch } from '../search/candidateSearch.js';
import { blockRank, rankInBlock, treeRank } from '../search/ordered/bestFirstTrees.js';
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

  /** Takes the result of a search for the first consumer. */
  begin(first: Candidate): void {
    this.ceiling = scoreOf(this.plan, first);
    this.last = anchorTreeOf(first);
  }

  /** Finds the best candidate in the present fleet. */
  *next(seed: number): Generator<void, Candidate | undefined> {
    const { snapshot, plan, filter, order, effort } = this;
    const known = this.trees && (yield* this.bestKnown(this.trees, seed));
    if (known) return known;
    const options = { limit: 1, stopsAtLimit: true, seed, filter, order };
    const { candidates } = yield* finishedSearch(snapshot, plan, options, effort);
    const [found] = candidates;
    if (found !== undefined) this.begin(found);
    return found;
  }

  /** Returns a candidate that no other tree can exceed; null if a search must find it. */
  private *bestKnown(trees: BoundedBlocks, seed: number): Generator<void, Candidate | null> {
    const { plan } = this;
    const { last } = this;
    let again: Candidate | null = null;
    if (last !== null && this.canImprove) {
      again = yield* this.bestAt(last, seed, null);
      this.changed.set(last, again && scoreOf(plan, again));
    }
    yield* trees.read();
    this.ceiling ??= trees.best;
    if (this.ceiling === null) return null;
    let best = this.ceiling;
    for (const score of this.changed.values())
      if (score !== null && compareScores(score, best) > 0) best = score;
    const isChangedBest = best !== this.ceiling;
    const equal: number[] = [];
    for (const [tree, score] of this.changed)
      if (score !== null && compareScores(score, best) === 0) equal.push(tree);
    let misses = 0;
    for (const tree of isChangedBest ? inOrder(equal, seed, treeRank) : trees.atLeast(best, seed, equal)) {
      if (this.excluded.has(tree) || (!equal.includes(tree) && this.changed.has(tree))) continue;
      const found = again !== null && tree === last ? again : yield* this.bestAt(tree, seed, best);
      if (found !== null && compareScores(scoreOf(plan, found), best) === 0) {
        this.last = tree;
        return found;
      }
      if (++misses === MAX_MISSES) break;
    }
    return null;
  }

  private bestAt(tree: number, seed: number, highest: Score | null): Generator<void, Candidate | null> {
    const { snapshot, plan, filter, order, effort } = this;
    return bestCandidateAt(snapshot, plan, { seed, filter, order, highest }, tree, effort);
  }
}

/** Yields trees or blocks in the seeded order of a search. Usually the first one suffices, so it sorts none. */
function* inOrder(
  all: readonly number[],
  seed: number,
  rankOf: (one: number, seed: number) => number,
): Generator<number> {
  let before = -1;
  for (let left = all.length; left > 0; left--) {
    let first = 0;
    let lowest = Infinity;
    for (const one of all) {
      const rank = rankOf(one, seed);
      if (rank <= before || rank >= lowest) continue;
      first = one;
      lowest = rank;
    }
    yield first;
    before = lowest;
  }
}

/** The blocks of a snapshot with the bounds of their trees at the first use. */
class BoundedBlocks {
  private readonly bounds: BlockBounds;
  private readonly count: number;
  /** The best bound of all trees. Valid after `read`. */
  best: Score | null = null;
  /** By block: its trees, the best first, as far as they have been read; and the next bound. */
  private readonly blocks: { readonly levels: BoundedTrees[]; next: Score | null }[] = [];
  /** The blocks whose best bounds reach one limit, and the results of `listed` for it. */
  private reaching: readonly number[] = [];
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

  /** Reads the best bound of each block, once. */
  *read(): Generator<void> {
    while (this.blocks.length < this.count) {
      const next = this.bounds.best(this.blocks.length, this.effort);
      this.blocks.push({ levels: [], next });
      if (next !== null && (this.best === null || compareScores(next, this.best) > 0)) this.best = next;
      if (this.effort.isUsedUp) yield;
    }
  }

  /** Yields the trees with at least this bound, and `others`, in the seeded order of a search. */
  *atLeast(limit: Score, seed: number, others: readonly number[]): Generator<number> {
    if (this.limit !== limit) {
      this.limit = limit;
      this.lists.clear();
      this.reaching = this.blocksWith(limit);
    }
    const changed = others.map(blockNumber);
    const numbers = changed.length === 0 ? this.reaching : [...new Set([...this.reaching, ...changed])];
    for (const number of inOrder(numbers, seed, blockRank)) {
      const own = this.lists.get(number) ?? this.listed(number, limit);
      this.lists.set(number, own);
      const more = others.filter((tree) => blockNumber(tree) === number && !own.includes(tree));
      yield* inOrder(more.length === 0 ? own : [...own, ...more], seed, rankInBlock);
    }
  }

  private blocksWith(limit: Score): number[] {
    return [...this.blocks.keys()].filter((number) => {
      const { levels, next } = this.blocks[number];
      const best = levels.at(0)?.score ?? next;
      return best !== null && compareScores(best, limit) >= 0;
    });
  }

  private listed(number: number, limit: Score): readonly number[] {
    const block = this.blocks[number];
    while (block.next !== null && compareScores(block.next, limit) >= 0) {
      const score = block.next;
      const { trees, next } = this.bounds.level(number, score, this.effort);
      block.next = next;
      block.levels.push({ score, trees });
    }
    const reaching = block.levels.filter(({ score }) => compareScores(score, limit) >= 0);
    const [first] = reaching;
    return reaching.length === 1 ? first.trees : reaching.flatMap(({ trees }) => trees);
  }
}
