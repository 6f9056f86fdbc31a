import type { Effort } from '../model/effort.js';
import { hasBit, TREES_PER_BLOCK, type Block } from '../model/snapshot.js';
import type { TreeFilter } from '../search/treeFilter.js';
import { compareScores, type Score } from './ranking.js';
import type { Term } from './terms/term.js';

/** The maximum number of request keys for which a block keeps its best bound. */
const MAX_KEPT = 32;

/**
 * The bounds of the trees of each block by the trees' own providers. Sharing providers may exceed them in
 * the first term of the order; a further term that they could exceed counts as unbounded.
 */
export class BlockBounds {
  private readonly key: string;
  /** By term: the bounds of the trees of the current block. */
  private readonly columns: readonly Float64Array[];

  constructor(
    private readonly blocks: readonly Block[],
    readonly terms: readonly Term[],
    private readonly filter: TreeFilter,
  ) {
    this.columns = terms.map(() => new Float64Array(TREES_PER_BLOCK));
    const isUnbounded = terms.slice(1).map(({ boundBySharing }) => boundBySharing !== null);
    this.key = JSON.stringify([terms.map(({ key }) => key), isUnbounded, filter.indexConditions]);
  }

  /** Returns null if no tree of the block may be an anchor. */
  best(number: number, effort: Effort): Score | null {
    const block = this.blocks[number];
    const { bestBounds } = block.index;
    const key = this.key + this.terms.map((term) => term.keyIn?.(block) ?? '').join('');
    let best = bestBounds.get(key);
    if (best === undefined) {
      best = this.bestBelow(number, null, effort);
      if (bestBounds.size >= MAX_KEPT) bestBounds.clear();
      bestBounds.set(key, best);
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
    this.terms.forEach((term, at) => {
      if (at > 0 && term.boundBySharing !== null) this.columns[at].fill(Infinity);
      else term.writeTreeBounds(block, this.columns[at]);
    });
    return this.columns;
  }
}
