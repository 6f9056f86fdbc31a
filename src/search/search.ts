import { type Candidate, isPartitioned, type Assignment } from './candidate.js';
import { Descent } from './descent.js';
import { Effort, EXHAUSTED, PAUSED } from '../model/effort.js';
import { TreeFilter } from './treeFilter.js';
import { TreeOrder } from './treeOrder.js';
import { workOfChecks, type Plan } from './plan.js';
import { anchorAt } from './anchor.js';
import { FruitlessTrees } from './fruitlessTrees.js';
import { treeOf, type Snapshot } from '../fleet/snapshot.js';

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

/** The work of a search between two checks of the effort. */
const WORK_PER_RUN = 2_000;

/**
 * Runs a search to its end and adds its work to the effort. Yields when the effort is used up. Returns false
 * if the search is not done after `maxWork`.
 */
export function* finished(
  search: ResumableSearch,
  effort: Effort,
  maxWork = Infinity,
): Generator<void, boolean> {
  for (let isDone = false; !isDone;) {
    const before = search.effort.spent;
    isDone = search.run(WORK_PER_RUN);
    effort.otherWork += search.effort.spent - before;
    if (effort.isUsedUp) yield;
    if (!isDone && search.effort.spent >= maxWork) return false;
  }
  return true;
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
