import { allocationsOf, anchorTreeOf, type Candidate } from '../model/candidate.js';
import type { Plan } from '../model/plan.js';
import { mix } from '../model/random.js';
import type { Snapshot } from '../model/snapshot.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { valuesOf } from '../ordered/terms/values.js';
import { AllocatedOverlay } from '../overlay/snapshotOverlay.js';
import { TreeFilter } from '../search/treeFilter.js';

export interface SequenceOptions {
  readonly count: number;
  readonly isDistinct: boolean;
  readonly seed: number;
}

/** The effort for each consumer besides its search. */
const EFFORT_EACH = 10;

/**
 * Finds candidates for several equal consumers one after another. Each candidate is the first
 * result of a search in which the earlier candidates count as used. Resumable and deterministic
 * like Search.
 */
export class Sequence {
  /** If the search is done with fewer than `count`, the next consumer has no candidate. */
  readonly candidates: Candidate[] = [];
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
    const options = { limit: 1, stopsAtLimit: true, seed, filter };
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
    this.candidates.push({ ...candidate, values: valuesOf(this.plan, candidate) });
    this.isDone = this.candidates.length === this.options.count;
    if (!this.isDone) this.allocate(candidate);
  }

  private allocate(candidate: Candidate): void {
    for (const allocation of allocationsOf(this.plan, candidate)) this.overlay.allocate(allocation);
  }
}
