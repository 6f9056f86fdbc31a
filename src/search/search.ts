import { PAUSED, Effort, EXHAUSTED } from '../model/operation/waiting.js';
import { TreeFilter } from './treeFilter.js';
import { mix, permutation } from '../model/collections.js';
import { blockNumber, type Snapshot, treeOf } from '../fleet/snapshot.js';
import { type Candidate, isPartitioned, type Assignment, anchorAt } from './anchor.js';
import { Descent } from './descent.js';
import { workOfChecks, type Plan } from './plan.js';
import { FruitlessTrees } from './fruitlessTrees.js';

/** Steps without a result, initially and per result, before the order lists all remaining trees. */
const MISSES_AT_FIRST = 16;
const MISSES_PER_HIT = 32;

/**
 * The trees that pass the filter, each once, in a seeded uniform order (decision D10): random sampling
 * without replacement, stratified by block. Each step takes the next index of a permutation and picks a
 * random remaining tree of the same block. After too many steps without a result it lists the remaining
 * trees of the fleet.
 */
export class TreeOrder {
  private readonly permutation: (position: number) => number;
  private readonly remaining = new Map<number, RemainingTrees>();
  private position = 0;
  private hits = 0;
  private isSampling: boolean;
  /** The remaining trees of the blocks before `blocksListed`, after sampling. */
  private readonly list: number[] = [];
  private blocksListed = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly filter: TreeFilter,
    private readonly seed: number,
    private readonly effort: Effort,
  ) {
    this.permutation = permutation(snapshot.treeCount, seed);
    this.isSampling = filter.only === null;
    if (filter.only === null) return;
    this.list = [...filter.only];
    this.blocksListed = snapshot.blocks.length;
  }

  /**
   * Returns undefined if no tree remains, and PAUSED when the effort is used up. A call that returns PAUSED made
   * progress too.
   */
  next(): number | typeof PAUSED | undefined {
    do {
      const treeIndex = this.step();
      if (treeIndex !== null) return treeIndex;
    } while (!this.effort.isUsedUp);
    return PAUSED;
  }

  /** Does a small part of the work. Returns null if this step finds no tree, undefined if none remains. */
  private step(): number | null | undefined {
    if (this.isSampling) return this.sample();
    if (this.blocksListed === this.snapshot.blocks.length) return this.pickListed();
    this.listBlock(this.blocksListed++);
    return null;
  }

  private sample(): number | null {
    const misses = this.position - this.hits;
    if (this.position === this.snapshot.treeCount || misses > MISSES_AT_FIRST + MISSES_PER_HIT * this.hits) {
      this.isSampling = false;
      return null;
    }
    const sample = this.permutation(this.position++);
    const treeIndex = this.pickFrom(this.remainingIn(blockNumber(sample)), sample);
    if (treeIndex !== null) this.hits++;
    return treeIndex;
  }

  private listBlock(at: number): void {
    this.effort.otherWork += this.filter.workPerBlock;
    if (!this.remaining.has(at) && !this.filter.mayMatch(this.snapshot.blocks[at])) return;
    const trees = this.remainingIn(at);
    if (trees.count === 0) return;
    this.effort.blocksRead++;
    this.list.push(...trees.all());
  }

  private remainingIn(at: number): RemainingTrees {
    let trees = this.remaining.get(at);
    if (trees === undefined) {
      const block = this.snapshot.blocks[at];
      this.effort.otherWork += this.filter.workPerBlock;
      this.remaining.set(
        at,
        (trees = new RemainingTrees(block.firstTree, this.filter.possibleTreesIn(block))),
      );
    }
    return trees;
  }

  private pickFrom(trees: RemainingTrees, sample: number): number | null {
    do {
      this.effort.treesTested++;
      const treeIndex = trees.takeRandom(mix(this.seed, sample));
      if (treeIndex === undefined) return null;
      if (this.filter.passes(treeIndex)) return treeIndex;
    } while (trees.count > 0);
    return null;
  }

  private pickListed(): number | null | undefined {
    const { list } = this;
    if (list.length === 0) return undefined;
    const picked = mix(this.seed, list.length) % list.length;
    const treeIndex = list[picked];
    list[picked] = list[list.length - 1];
    list.pop();
    this.effort.treesTested++;
    return this.filter.passes(treeIndex) ? treeIndex : null;
  }
}

class RemainingTrees {
  count = 0;

  constructor(
    private readonly firstTree: number,
    private readonly bits: Uint32Array,
  ) {
    for (const word of bits) this.count += bitsIn(word);
  }

  /** Removes a tree; returns undefined if none remains. */
  takeRandom(random: number): number | undefined {
    if (this.count === 0) return undefined;
    let nth = random % this.count--;
    let at = 0;
    for (; nth >= bitsIn(this.bits[at]); at++) nth -= bitsIn(this.bits[at]);
    let word = this.bits[at];
    for (; nth > 0; nth--) word &= word - 1;
    const bit = word & -word;
    this.bits[at] ^= bit;
    return this.firstTree + at * 32 + 31 - Math.clz32(bit);
  }

  all(): number[] {
    return Array.from({ length: this.count }, () => this.takeRandom(0)!);
  }
}

function bitsIn(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The work at trees without a candidate after which the search looks ahead and compares trees. */
const WORK_BEFORE_LEARNING = 1_000;
/** Looking ahead pays off if the average work of such a tree is above this. */
const COSTLY_TREE = 64;

export interface SearchOptions {
  readonly limit: number;
  readonly seed: number;
  /** Whether to stop at the limit without checking for more. */
  readonly stopsAtLimit?: boolean;
  /** Whether `candidates` stays empty. Only for plans without an order. */
  readonly countsOnly?: boolean;
  /** Defaults to the plan's own filter. */
  readonly filter?: TreeFilter;
}

export abstract class ResumableSearch<Options extends SearchOptions = SearchOptions> {
  abstract readonly candidates: readonly Candidate[];
  readonly effort = new Effort();
  isDone = false;
  /** False if the limit cut the list. Valid when the search is done, unless it stops at the limit. */
  complete = true;
  protected readonly filter: TreeFilter;
  /** The candidates of sharing providers alone. */
  private readonly sharingOnly = new Set<string>();

  constructor(
    protected readonly snapshot: Snapshot,
    protected readonly plan: Plan,
    protected readonly options: Options,
  ) {
    this.filter = options.filter ?? new TreeFilter(snapshot, plan);
  }

  /** Continues for at most this work (Effort.spent). Returns true when done. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    while (!this.isDone) {
      if (this.effort.isUsedUp) return false;
      this.step();
    }
    return true;
  }

  protected abstract step(): void;

  /** Returns whether a candidate of sharing providers alone was found before (rule 155). */
  protected isRepeated(assignments: readonly Assignment[]): boolean {
    const ids: number[] = [];
    for (const assignment of assignments) {
      if (isPartitioned(assignment) || assignment.block.sharing[assignment.row] === 0) return false;
      ids.push(assignment.block.ids[assignment.row]);
    }
    const key = ids.join();
    const isKnown = this.sharingOnly.has(key);
    this.sharingOnly.add(key);
    return isKnown;
  }
}

/**
 * Finds the candidates of a plan in its snapshot (rules.md section 17). Visits every tree that the
 * index does not rule out, in a seeded order. At each anchor a depth-first descent returns
 * candidates one by one. Each tree gives one candidate, then each its second, and so on (decision
 * D10). Returns a candidate of sharing providers alone only once (rule 155).
 *
 * `run` continues for a budget of work. The same snapshot, plan, limit and seed give the same candidates
 * in the same order.
 */
export class Search extends ResumableSearch {
  readonly candidates: Candidate[] = [];
  /** The number of found candidates. */
  private count = 0;
  private readonly order = new TreeOrder(this.snapshot, this.filter, this.options.seed, this.effort);
  private current: Descent | null = null;
  /** Descents that may have more candidates, in this round and the next. */
  private round: Descent[] = [];
  private nextRound: Descent[] = [];
  private position = 0;
  private anchorsLeft = true;
  /** The work at trees without a candidate, and the total work before the current tree. */
  private fruitlessWork = 0;
  private spentBefore = 0;
  private fruitlessCount = 0;
  private isLearning = false;
  /** Null before learning starts, or if trees cannot be compared. */
  private fruitless: FruitlessTrees | null = null;

  protected step(): void {
    if (this.current === null) this.selectNext();
    else this.resume(this.current);
  }

  private selectNext(): void {
    if (this.anchorsLeft) {
      const treeIndex = this.order.next();
      if (treeIndex === undefined) this.anchorsLeft = false;
      else if (treeIndex !== PAUSED) this.visit(treeIndex);
      return;
    }
    if (this.position === this.round.length) {
      this.round = this.nextRound;
      this.nextRound = [];
      this.position = 0;
    }
    this.current = this.round[this.position++] ?? null;
    this.isDone = this.current === null;
  }

  private visit(treeIndex: number): void {
    const { snapshot, plan, effort } = this;
    this.spentBefore = effort.spent;
    if (this.fruitless?.has(treeIndex)) {
      const { start, end } = treeOf(snapshot, treeIndex);
      effort.otherWork += workOfChecks(plan, end - start);
      return;
    }
    const { seed } = this.options;
    const anchor = anchorAt(snapshot, plan, this.filter, treeIndex, { seed, effort });
    if (anchor === null) this.addFruitless(treeIndex);
    else this.current = new Descent(plan, anchor, effort, null, this.isLearning);
  }

  private addFruitless(treeIndex: number): void {
    this.fruitlessWork += this.effort.spent - this.spentBefore;
    this.fruitlessCount++;
    const worthwhile = Math.max(WORK_BEFORE_LEARNING, COSTLY_TREE * this.fruitlessCount);
    this.isLearning ||= this.fruitlessWork >= worthwhile;
    if (!this.isLearning || !FruitlessTrees.canCompare(this.plan)) return;
    this.fruitless ??= new FruitlessTrees(this.snapshot, this.plan, this.filter.shareable.includes(true));
    this.fruitless.add(treeIndex);
  }

  private resume(descent: Descent): void {
    const assignments = descent.next();
    if (assignments === PAUSED) return;
    if (assignments === EXHAUSTED) {
      this.current = null;
      if (!descent.wasFruitful) this.addFruitless(descent.treeIndex);
    } else if (!this.isRepeated(assignments)) {
      this.add({ assignments });
      this.nextRound.push(descent);
      this.current = null;
    }
  }

  private add(candidate: Candidate): void {
    const { limit, stopsAtLimit = false, countsOnly = false } = this.options;
    if (this.count === limit) {
      this.complete = false;
      this.isDone = true;
    } else {
      this.count++;
      if (!countsOnly) this.candidates.push(candidate);
      this.isDone = stopsAtLimit && this.count === limit;
    }
  }
}
