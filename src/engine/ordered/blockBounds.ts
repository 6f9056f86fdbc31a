import type { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { hasBit, TREES_PER_BLOCK, type Block } from '../model/snapshot.js';
import type { TreeFilter } from '../search/treeFilter.js';
import { demandsOf, isShareable, writeTreeBounds, type Demand } from './demand.js';
import { compareScores, type Score } from './ranking.js';

/** The maximum number of request keys for which a block keeps its best bound. */
const MAX_KEPT = 32;

/**
 * The bounds of the trees of each block by the trees' own providers, from the class index. Sharing
 * providers may exceed them in the first class of the order; a further class that they could serve counts
 * as unbounded.
 */
export class BlockBounds {
  readonly demands: readonly Demand[];
  /** By entry of the order: whether sharing providers could serve the class. */
  readonly shareable: readonly boolean[];
  private readonly key: string;
  /** By entry of the order: the bounds of the trees of the current block. */
  private readonly columns: readonly Float64Array[];

  constructor(
    private readonly blocks: readonly Block[],
    plan: Plan,
    private readonly filter: TreeFilter,
  ) {
    this.demands = demandsOf(plan);
    this.shareable = this.demands.map((demand) => isShareable(demand, filter));
    this.columns = this.demands.map(() => new Float64Array(TREES_PER_BLOCK));
    const isUnbounded = this.shareable.slice(1);
    this.key = JSON.stringify([this.demands, isUnbounded, filter.indexConditions]);
  }

  /** Returns null if no tree of the block may be an anchor. */
  best(number: number, effort: Effort): Score | null {
    const { bestBounds } = this.blocks[number].index;
    let best = bestBounds.get(this.key);
    if (best === undefined) {
      best = this.bestBelow(number, null, effort);
      if (bestBounds.size >= MAX_KEPT) bestBounds.clear();
      bestBounds.set(this.key, best);
    }
    return best;
  }

  /** Lists the trees with this bound, and finds the best bound below it. */
  list(number: number, bound: Score, effort: Effort): { treeIndices: number[]; next: Score | null } {
    const treeIndices: number[] = [];
    return { treeIndices, next: this.bestBelow(number, { bound, treeIndices }, effort) };
  }

  /**
   * `limit`: the exclusive upper bound of the result, and the list to which the trees with that bound are
   * added.
   */
  private bestBelow(
    number: number,
    limit: { readonly bound: Score; readonly treeIndices: number[] } | null,
    effort: Effort,
  ): Score | null {
    const block = this.blocks[number];
    effort.blocksRead++;
    if (!this.filter.mayMatch(block)) return null;
    const possible = this.filter.possibleTreesIn(block);
    const bounds = this.boundsIn(block);
    const [firsts] = bounds;
    const isSingle = bounds.length === 1;
    const ceiling = limit?.bound[0] ?? Infinity;
    let best: Score | null = null;
    let floor = -Number.MAX_VALUE;
    for (let tree = 0; tree < block.treeStarts.length - 1; tree++) {
      const first = firsts[tree];
      if (first > ceiling || (first < floor && first !== ceiling) || first === -Infinity) continue;
      if ((isSingle && first === floor) || !hasBit(possible, tree)) continue;
      const score = isSingle ? [first] : bounds.map((column) => column[tree]);
      if (score.includes(-Infinity)) continue;
      const difference = limit === null ? -1 : compareScores(score, limit.bound);
      if (difference === 0) limit!.treeIndices.push(block.firstTree + tree);
      if (difference >= 0 || (best !== null && compareScores(score, best) <= 0)) continue;
      if (!this.filter.hasCapacity(block, tree)) continue;
      best = score;
      floor = first;
    }
    return best;
  }

  private boundsIn(block: Block): readonly Float64Array[] {
    this.demands.forEach((demand, at) => {
      if (at > 0 && this.shareable[at]) this.columns[at].fill(Infinity);
      else writeTreeBounds(block, demand, this.columns[at]);
    });
    return this.columns;
  }
}
