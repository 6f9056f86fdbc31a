import type { Candidate } from '../model/candidate.js';
import { Descent } from './descent.js';
import { Effort, EXHAUSTED, PAUSED } from '../model/effort.js';
import { TreeFilter } from './treeFilter.js';
import { TreeOrder } from './treeOrder.js';
import type { Plan } from '../model/plan.js';
import { anchorAt } from './anchor.js';
import { FruitlessTrees } from './fruitlessTrees.js';
import { SharingOnlyCandidates } from './sharingOnlyCandidates.js';
import { treeOf, type Snapshot } from '../model/snapshot.js';

/** Work at trees without a candidate before the search looks for trees that are like them, and ahead at the others. */
const WORK_BEFORE_LEARNING = 1_000;
/** What a tree without a candidate takes on average from which on looking ahead is cheaper, and comparing it with others. */
const COSTLY_TREE = 64;

/** For so many variables reading a tree takes what a visit counts for. */
const FEW_VARIABLES = 8;

export interface SearchOptions {
  /** The most candidates wanted; null: all. */
  readonly limit: number | null;
  /** Whether trees are served round robin, one candidate each; else each gives all before the next. */
  readonly roundRobin: boolean;
  /** Chooses the order. */
  readonly seed: number;
  /** Whether to stop as soon as there are as many as wanted, without telling whether there are more. */
  readonly stopsAtLimit?: boolean;
  /** The plan's, where it is not only this search's, or leaves out trees. */
  readonly filter?: TreeFilter;
}

/**
 * Finds the candidates of a plan in the snapshot that it was made for (rules.md section 17, in its clean
 * form).
 *
 * Every tree can be an anchor. Trees are visited in a seeded order, those that the index rules out not at
 * all; at each the providers of the tree and those that share with it are matched with the groups, and
 * candidates come one by one out of a depth-first descent. Round robin (decision D10: where the caller gave a
 * limit) each tree gives one candidate, then each its second, and so on; otherwise each gives all of its own
 * at once. A candidate made of sharing providers alone can arise at several anchors and is given once (rule
 * 155); any other belongs to the one tree that its other providers are in.
 *
 * The search is a value in progress: `run` goes on for a budget of work and returns. It has no clock and no
 * randomness of its own; the same snapshot, plan, limit and seed give the same candidates in the same order.
 */
export class Search {
  readonly effort = new Effort();
  /** Those found so far. */
  readonly candidates: Candidate[] = [];
  /** False when the limit cut the list: one more candidate exists. Meaningful once the search is done, unless it stops at the limit. */
  complete = true;
  isDone = false;

  private readonly filter: TreeFilter;
  private readonly order: TreeOrder;
  private readonly sharingOnly = new SharingOnlyCandidates();
  private current: Descent | null = null;
  /** Descents that may have more, as they come in this round and the next; and the position in this round. */
  private round: Descent[] = [];
  private nextRound: Descent[] = [];
  private position = 0;
  private anchorsLeft = true;
  /** What was spent at trees where nothing was found, and in all when the current tree was visited. */
  private fruitlessWork = 0;
  private spentBefore = 0;
  /** How many such trees there were, and whether so much was spent at them that it pays to learn. */
  private fruitlessCount = 0;
  private isLearning = false;
  /** Null before the search learns, and where trees cannot be compared. */
  private fruitless: FruitlessTrees | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: SearchOptions,
  ) {
    this.filter = options.filter ?? new TreeFilter(snapshot, plan);
    this.order = new TreeOrder(snapshot, this.filter, options.seed, this.effort);
  }

  /** Continues for about so much work (Effort.spent); true when there is nothing left to do. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    while (!this.isDone) {
      if (this.effort.isUsedUp) return false;
      this.step();
    }
    return true;
  }

  private step(): void {
    if (this.current === null) this.selectNext();
    else this.resume(this.current);
  }

  /** The next tree while there are trees; then the descents that may have more, round by round. */
  private selectNext(): void {
    if (this.anchorsLeft) {
      const treeIndex = this.order.next();
      if (treeIndex === undefined) this.anchorsLeft = false;
      else this.visit(treeIndex);
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
    if (plan.variables.length > FEW_VARIABLES) effort.otherWork += this.workAt(treeIndex);
    if (this.fruitless?.has(treeIndex)) return;
    effort.treesVisited++;
    const anchor = anchorAt(snapshot, plan, this.filter, treeIndex, this.options.seed);
    if (anchor === null) this.addFruitless(treeIndex);
    else this.current = new Descent(plan, anchor, effort, null, this.isLearning);
  }

  /** What it takes to read a tree with many providers for many groups. */
  private workAt(treeIndex: number): number {
    const { start, end } = treeOf(this.snapshot, treeIndex);
    return ((end - start) * this.plan.variables.length) >> 4;
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
    } else if (!this.sharingOnly.isRepeated(assignments)) {
      this.add({ assignments });
      if (this.options.roundRobin) {
        this.nextRound.push(descent);
        this.current = null;
      }
    }
  }

  private add(candidate: Candidate): void {
    if (this.candidates.length === this.options.limit) {
      this.complete = false;
      this.isDone = true;
    } else {
      this.candidates.push(candidate);
      this.isDone = this.options.stopsAtLimit === true && this.candidates.length === this.options.limit;
    }
  }
}
