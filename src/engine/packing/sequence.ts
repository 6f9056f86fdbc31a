import { allocationsOf, anchorTreeOf, type Candidate } from '../model/candidate.js';
import type { Plan } from '../model/plan.js';
import { mix } from '../model/random.js';
import type { Snapshot } from '../model/snapshot.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { shareLeftFree } from '../ordered/score.js';
import { AllocatedOverlay } from '../overlay/allocatedOverlay.js';
import { TreeFilter } from '../search/treeFilter.js';

export interface SequenceOptions {
  /** How many consumers are to be placed. */
  readonly count: number;
  /** Whether each tree takes one consumer at the most. */
  readonly isDistinct: boolean;
  readonly seed: number;
}

/** What is done for each consumer beside its search, in units of effort. */
const EFFORT_EACH = 10;

/**
 * Candidates of one plan for several equal consumers, one after another: each is what a search finds first in a snapshot in which those
 * before it count as used. What such searches have in common is done once, and what a candidate changes is changed in place.
 *
 * Like Search it is resumable and deterministic.
 */
export class Sequence {
  /** In the order of the consumers; `isDone` and fewer than wanted: there is no candidate for the next one. */
  readonly candidates: Candidate[] = [];
  /** The work so far. */
  spent = 0;
  isDone = false;

  private readonly overlay: AllocatedOverlay;
  private readonly filter: TreeFilter;
  private readonly excludedTrees = new Set<number>();
  private search: ReturnType<typeof searchFor> | null = null;

  constructor(
    snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: SequenceOptions,
  ) {
    this.overlay = new AllocatedOverlay(snapshot);
    this.filter = new TreeFilter(this.overlay, plan, options.isDistinct ? this.excludedTrees : undefined);
  }

  /** Goes on for about so much work; true when there is nothing left to do. */
  run(budget = Infinity): boolean {
    const pauseAt = this.spent + budget;
    while (!this.isDone && this.spent < pauseAt) {
      this.search ??= this.nextSearch();
      const before = this.search.effort.spent;
      const isFound = this.search.run(pauseAt - this.spent);
      this.spent += this.search.effort.spent - before;
      if (!isFound) return false;
      const [candidate] = this.search.candidates;
      this.search = null;
      if (candidate === undefined) this.isDone = true;
      else this.place(candidate);
    }
    return this.isDone;
  }

  private nextSearch(): ReturnType<typeof searchFor> {
    const { filter, candidates } = this;
    const seed = candidates.length === 0 ? this.options.seed : mix(this.options.seed, candidates.length);
    const options = { limit: 1, roundRobin: true, stopsAtLimit: true, seed, filter };
    return searchFor(this.overlay, this.plan, options);
  }

  private place(candidate: Candidate): void {
    this.spent += EFFORT_EACH;
    if (this.options.isDistinct) {
      const tree = anchorTreeOf(candidate);
      if (tree === null) {
        this.isDone = true;
        return;
      }
      this.excludedTrees.add(tree);
    }
    this.candidates.push({ ...candidate, shareLeftFree: shareLeftFree(this.plan, candidate) });
    this.isDone = this.candidates.length === this.options.count;
    if (!this.isDone) this.allocate(candidate);
  }

  private allocate(candidate: Candidate): void {
    for (const allocation of allocationsOf(this.plan, candidate)) this.overlay.allocate(allocation);
  }
}
