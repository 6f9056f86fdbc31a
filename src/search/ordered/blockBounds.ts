import type { Effort } from '../../model/operation/waiting.js';
import {
  hasBit,
  TREES_PER_BLOCK,
  type Block,
  type BoundLevel,
  type KeptBounds,
} from '../../fleet/snapshot.js';
import type { TreeFilter } from '../treeFilter.js';
import { compareScores, type Score } from './ranking.js';
import type { Order } from './terms/order.js';
import type { Term } from './terms/term.js';

/** The maximum number of request keys for which a block caches bounds. */
const MAX_KEPT = 32;

/**
 * The bounds of the trees of each block by the trees' own providers. Sharing providers may exceed them in
 * the first term of the order; a further term that they could exceed counts as unbounded.
 */
export class BlockBounds {
  readonly terms: readonly Term[];
  private readonly scratch: readonly Float64Array[];
  private current: Block | null = null;
  /** By term: the bounds of the trees of the current block. */
  private columns: readonly Float64Array[] = [];

  constructor(
    private readonly blocks: readonly Block[],
    private readonly order: Order,
    private readonly filter: TreeFilter,
  ) {
    this.terms = order.terms;
    this.scratch = order.terms.map(() => new Float64Array(TREES_PER_BLOCK));
  }

  /** Returns null if no tree of the block may be an anchor. */
  best(number: number, effort: Effort): Score | null {
    return this.kept(number, effort).best;
  }

  /**
   * Returns the trees whose bound is one of this block, and the best bound below it.
   *
   * @param bound the result of `best` or the `next` of another level
   */
  level(number: number, bound: Score, effort: Effort): BoundLevel {
    const kept = this.kept(number, effort);
    if (bound !== kept.best) return this.read(number, bound, effort);
    return (kept.first ??= this.read(number, bound, effort));
  }

  private read(number: number, bound: Score, effort: Effort): BoundLevel {
    const trees: number[] = [];
    return { trees, next: this.bestBelow(number, bound, trees, effort) };
  }

  private kept(number: number, effort: Effort): KeptBounds {
    const block = this.blocks[number];
    const { bestBounds } = block.index;
    const key = this.keyIn(block);
    let kept = bestBounds.get(key);
    if (kept === undefined) {
      const best = this.bestBelow(number, null, [], effort);
      const isRead = this.current === block;
      const columns = this.terms.map((term, at) =>
        isRead && !term.writeTreeBounds ? this.columns[at] : null,
      );
      kept = { best, first: null, columns };
      if (bestBounds.size >= MAX_KEPT) bestBounds.clear();
      bestBounds.set(key, kept);
    }
    return kept;
  }

  /** Returns the best bound below a limit; null: of all. Adds the trees with exactly that limit to a list. */
  private bestBelow(
    number: number,
    limit: Score | null,
    treesAtLimit: number[],
    effort: Effort,
  ): Score | null {
    const block = this.blocks[number];
    effort.blocksRead++;
    effort.otherWork += this.filter.workPerBlock;
    if (!this.filter.mayMatch(block)) return null;
    const possible = this.filter.possibleTreesIn(block);
    const bounds = this.boundsIn(block, effort);
    const [firsts] = bounds;
    const isSingle = bounds.length === 1;
    const ceiling = limit?.[0] ?? Infinity;
    let best: Score | null = null;
    let floor = -Number.MAX_VALUE;
    for (let tree = 0; tree < block.treeStarts.length - 1; tree++) {
      const first = firsts[tree];
      if (first > ceiling || (first < floor && first !== ceiling) || first === -Infinity) continue;
      if ((isSingle && first === floor) || !hasBit(possible, tree)) continue;
      if (isSingle && limit !== null && first === ceiling) {
        treesAtLimit.push(block.firstTree + tree);
        continue;
      }
      const score = isSingle ? [first] : bounds.map((column) => column[tree]);
      if (score.includes(-Infinity)) continue;
      const difference = limit === null ? -1 : compareScores(score, limit);
      if (difference === 0) treesAtLimit.push(block.firstTree + tree);
      if (difference >= 0 || (best !== null && compareScores(score, best) <= 0)) continue;
      if (!this.filter.hasCapacity(block, tree)) continue;
      best = score;
      floor = first;
    }
    return best;
  }

  private keyIn(block: Block): string {
    let { key } = this.order;
    for (const term of this.terms) if (term.keyIn !== undefined) key += term.keyIn(block);
    return key;
  }

  private boundsIn(block: Block, effort: Effort): readonly Float64Array[] {
    if (this.current === block) return this.columns;
    const kept = block.index.bestBounds.get(this.keyIn(block))?.columns;
    this.columns = this.terms.map((term, at) => kept?.[at] ?? this.column(term, at, block, effort));
    this.current = block;
    return this.columns;
  }

  private column(term: Term, at: number, block: Block, effort: Effort): Float64Array {
    const column = term.writeTreeBounds ? this.scratch[at] : new Float64Array(TREES_PER_BLOCK);
    if (at > 0 && term.boundBySharing !== null) return column.fill(Infinity);
    if (term.writeTreeBounds) {
      term.writeTreeBounds(block, column);
      return column;
    }
    const { firstTree, treeStarts } = block;
    effort.otherWork += block.ids.length;
    for (let tree = 0; tree < treeStarts.length - 1; tree++) {
      const [start, end] = [treeStarts[tree], treeStarts[tree + 1]];
      column[tree] = term.boundOfTree({ treeIndex: firstTree + tree, block, start, end }, () => []);
    }
    return column;
  }
}
