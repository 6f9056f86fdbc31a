import { boundOf, type Demand } from './demand.js';
import { freeFractionsOf, inventoriesOf, isOrdered, type FreeFractions } from './freeFractions.js';
import { compareScores, type Score } from './score.js';
import { freeAt, type Block } from '../model/snapshot.js';
import type { TreeFilter } from '../search/treeFilter.js';

/** Trees of a block whose bounds by the first class of an order are equal. */
export interface BlockGroup {
  /** The best bound of any of them; that of all trees of later groups is below it. */
  readonly best: Score;
  /** Counted from 0 in the block. */
  readonly trees: Uint16Array;
  /** Where in the order of free fractions the next group begins. */
  readonly end: number;
}

/** More than the rounding error of a bound that is not computed from one inventory's own figures. */
const SLACK = 1e-9;

/** Of how many different orders a block remembers what is best in it. */
const MOST_REMEMBERED = 32;

/** The first groups of blocks, by the number of the question. */
const remembered = new WeakMap<Block, Map<number, BlockGroup | null>>();

/** Of how many different questions the numbers are remembered. */
const MOST_NUMBERED = 1_000;

/** Numbers of questions, by the question: they are looked up faster. None is given twice. */
const numbers = new Map<string, number>();
let lastNumber = 0;

/** Forgets what was best in a block, after it was changed itself. */
export function forgetGroups(block: Block): void {
  remembered.delete(block);
}

/**
 * The trees of blocks that have enough of the first class of an order themselves and that the index lets pass, in descending order of
 * their bounds, group by group. The first group of a block is found once for all searches with the same order, amounts and conditions,
 * as long as there is the block.
 */
export class BlockGroups {
  private readonly first: Demand;
  /** Null: its bound is not known, because sharing providers could serve it. */
  private readonly further: readonly (Demand | null)[];
  private readonly number: number;

  constructor(
    demands: readonly Demand[],
    private readonly filter: Pick<TreeFilter, 'shareable' | 'meetsIndex' | 'indexConditions'>,
  ) {
    [this.first] = demands;
    const isShareable = ({ variables }: Demand): boolean =>
      variables.some((variable) => filter.shareable[variable]);
    this.further = demands.slice(1).map((demand) => (isShareable(demand) ? null : demand));
    const question = [this.first, ...this.further].map((demand) => demand && figuresOf(demand));
    this.number = numberOf(JSON.stringify([question, filter.indexConditions]));
  }

  /** How much is known of a block: its first group, or the order of its free fractions that it is found by. */
  knownOf(block: Block): 'group' | 'order' | null {
    if (remembered.get(block)?.has(this.number)) return 'group';
    return isOrdered(block, this.first.resourceClass) ? 'order' : null;
  }

  /** Null where no tree has enough. */
  firstOf(block: Block): BlockGroup | null {
    let groups = remembered.get(block);
    if (groups === undefined) remembered.set(block, (groups = new Map<number, BlockGroup | null>()));
    let group = groups.get(this.number);
    if (group === undefined) {
      const { order } = freeFractionsOf(block, this.first.resourceClass);
      group = this.groupFrom(block, this.first.direction > 0 ? order.length - 1 : this.lowest(block));
      if (groups.size >= MOST_REMEMBERED) groups.clear();
      groups.set(this.number, group);
    }
    return group;
  }

  /** The group after another one; null at the end. */
  after(block: Block, { end }: BlockGroup): BlockGroup | null {
    return this.groupFrom(block, end);
  }

  /** The bound of a tree of a group. */
  boundOf(block: Block, { best }: BlockGroup, tree: number): Score {
    return this.further.length === 0 ? best : this.boundsOf(block, tree, best[0])!;
  }

  /** From that place in the order of free fractions on. */
  private groupFrom(block: Block, start: number): BlockGroup | null {
    const { direction, least, resourceClass } = this.first;
    const all = freeFractionsOf(block, resourceClass);
    const lowest = this.lowest(block);
    for (let place = start; place >= lowest && place < all.order.length;) {
      const bound = this.boundFrom(all, place);
      const trees = new Set<number>();
      const fraction = all.fractions[all.order[place]];
      for (; place >= lowest && place < all.order.length; place -= direction) {
        const at = all.order[place];
        if (all.fractions[at] !== fraction && this.boundFrom(all, place) !== bound) break;
        if (all.free[at] >= least) trees.add(all.trees[at]);
      }
      const group = this.grouped(block, trees, bound, place);
      if (group !== null) return group;
    }
    return null;
  }

  /** Leaves out the trees that the index does not let pass, and those that have too little of a further class. */
  private grouped(block: Block, all: Iterable<number>, bound: number, end: number): BlockGroup | null {
    const trees: number[] = [];
    let best: Score | null = null;
    for (const tree of all) {
      if (!this.filter.meetsIndex(block, tree)) continue;
      const score = this.boundsOf(block, tree, bound);
      if (score === null) continue;
      trees.push(tree);
      if (best === null || compareScores(score, best) > 0) best = score;
    }
    return best && { best, trees: Uint16Array.from(trees), end };
  }

  private boundsOf(block: Block, tree: number, bound: number): Score | null {
    const score = [bound];
    for (const demand of this.further) {
      const next = demand === null ? Infinity : boundOfTree(block, tree, demand);
      if (next === -Infinity) return null;
      score.push(next);
    }
    return score;
  }

  /** Where the inventories begin that can have enough free. */
  private lowest(block: Block): number {
    const { order, fractions, mostCapacity } = freeFractionsOf(block, this.first.resourceClass);
    const fraction = this.first.least / mostCapacity;
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fractions[order[middle]] < fraction) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The bound of all inventories from a place on. */
  private boundFrom(all: FreeFractions, place: number): number {
    const { free, capacities, fractions, order, leastCapacity, mostCapacity } = all;
    const at = order[place];
    if (leastCapacity === mostCapacity) return boundOf(this.first, free[at], capacities[at]);
    const capacity = this.first.direction > 0 ? mostCapacity : leastCapacity;
    return boundOf(this.first, fractions[at] * capacity, capacity) + SLACK;
  }
}

/** What the bounds by a demand depend on, as text: a number may be infinite. */
function figuresOf({ resourceClass, direction, amount, least, fewest, most }: Demand): string {
  return [resourceClass, direction, amount, least, fewest, most].join();
}

function numberOf(question: string): number {
  let number = numbers.get(question);
  if (number === undefined) {
    if (numbers.size >= MOST_NUMBERED) numbers.clear();
    numbers.set(question, (number = ++lastNumber));
  }
  return number;
}

/** By the tree's own providers; -Infinity where none has enough. */
function boundOfTree(block: Block, tree: number, demand: Demand): number {
  const { positions, treeStarts } = inventoriesOf(block, demand.resourceClass);
  let best = -Infinity;
  for (let at = treeStarts[tree]; at < treeStarts[tree + 1]; at++) {
    const free = freeAt(block, positions[at]);
    if (free >= demand.least) best = Math.max(best, boundOf(demand, free, block.capacities[positions[at]]));
  }
  return best;
}
