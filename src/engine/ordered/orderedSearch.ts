import type { Candidate } from '../model/candidate.js';
import { TopCandidates, ranksAbove, type RankKey } from './topCandidates.js';
import { demandsOf, boundAt, type Demand } from './demand.js';
import { Descent } from '../search/descent.js';
import { Effort, EXHAUSTED, PAUSED } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import { Heap } from './heap.js';
import { OptimisticBound } from './optimisticBound.js';
import type { Plan } from '../model/plan.js';
import { BestFirstTrees, type BoundedTree } from './bestFirstTrees.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { scoreOf } from './score.js';
import { Search, type SearchOptions } from '../search/search.js';
import { SharingOnlyCandidates } from '../search/sharingOnlyCandidates.js';
import type { Snapshot } from '../model/snapshot.js';

/** A tree that was looked at, provider by provider, but not yet searched. */
interface Visited extends RankKey {
  readonly reach: Anchor;
  readonly outlook: OptimisticBound;
}

/**
 * Finds the best candidates of a plan that has an order, best first: branch and bound. A tree is visited when no other promises
 * more by its figures, and searched when none promises more after the visit; the search ends when no promise left is ahead of
 * what was found. Within a tree the choices that decide the score are made first, the most promising ones before others, and
 * whatever cannot get in any more is cut off.
 *
 * Candidates with equal scores stand in a seeded order of their trees; those of one tree in the order in which they are found.
 * A value in progress like `Search`, and as repeatable.
 */
export class OrderedSearch {
  readonly effort = new Effort();
  /** The best candidates, once the search is done. */
  candidates: readonly Candidate[] = [];
  /** False when the limit cut the list. Meaningful once the search is done. */
  complete = true;
  isDone = false;

  private readonly demands: readonly Demand[];
  private readonly filter: TreeFilter;
  private readonly trees: BestFirstTrees;
  private readonly visited = new Heap<Visited>(ranksAbove);
  /** Room for one more than wanted, who shows that there are more. */
  private readonly top: TopCandidates;
  private readonly shared = new SharingOnlyCandidates();
  private current: { readonly descent: Descent; readonly rank: number } | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: SearchOptions,
  ) {
    this.demands = demandsOf(plan);
    this.filter = new TreeFilter(snapshot, plan);
    this.trees = new BestFirstTrees(snapshot, this.demands, this.filter, this.effort, options.seed);
    this.top = new TopCandidates((options.limit ?? Infinity) + 1);
  }

  /** Goes on for about so much work (Effort.spent); true when there is nothing left to do. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    while (!this.isDone) {
      if (this.effort.isUsedUp) return false;
      this.step();
    }
    return true;
  }

  private step(): void {
    if (this.current !== null) {
      this.goOn(this.current);
      return;
    }
    const { threshold: bar } = this.top;
    const visited = this.visited.top;
    const unvisited = this.trees.next;
    const best =
      visited !== undefined && (unvisited === null || !ranksAbove(unvisited, visited)) ? visited : unvisited;
    if (best === null || (bar !== null && !ranksAbove(best, bar))) this.finish();
    else if (best === visited) this.search(this.visited.pop()!);
    else this.visit(this.trees.step());
  }

  private visit(tree: BoundedTree | null): void {
    if (tree === null) return;
    this.effort.treesVisited++;
    const { treeIndex, rank } = tree;
    const anchor = anchorAt(this.snapshot, this.plan, this.filter, treeIndex, this.options.seed);
    if (anchor === null) return;
    sortByPromise(anchor, this.demands);
    const bound = new OptimisticBound(this.plan, this.demands, anchor, rank, this.top);
    this.visited.push({ reach: anchor, outlook: bound, rank, score: bound.best() });
  }

  private search({ reach: anchor, outlook: bound, rank }: Visited): void {
    this.current = { descent: new Descent(this.plan, anchor, this.effort, bound), rank };
  }

  private goOn({ descent, rank }: { readonly descent: Descent; readonly rank: number }): void {
    const choice = descent.next();
    if (choice === PAUSED) return;
    if (choice === EXHAUSTED) {
      this.current = null;
    } else if (!this.shared.isRepeated(choice)) {
      const candidate = { assignments: choice };
      this.top.offer(candidate, { score: scoreOf(this.plan, candidate), rank });
    }
  }

  private finish(): void {
    const best = this.top.bestFirst();
    const { limit } = this.options;
    this.complete = limit === null || best.length <= limit;
    this.candidates = this.complete ? best : best.slice(0, limit!);
    this.isDone = true;
  }
}

/** The search that a plan needs: for the best candidates where it has an order, else for the first that come. */
export function searchFor(snapshot: Snapshot, plan: Plan, options: SearchOptions): Search | OrderedSearch {
  return new (plan.orderBy.length > 0 ? OrderedSearch : Search)(snapshot, plan, options);
}

/** Puts the units of each domain into the order of what each would promise by itself; equal ones keep their order. */
function sortByPromise({ providers, domains }: Anchor, demands: readonly Demand[]): void {
  const promises = demands.map((demand) =>
    providers.map((provider) => boundAt(provider, demand) ?? -Infinity),
  );
  domains.forEach((domain, variable) => {
    const deciding = promises.filter((_, at) => demands[at].variables.includes(variable));
    if (deciding.length === 0) return;
    domain.sort((a, b) => {
      for (const promise of deciding) if (promise[a] !== promise[b]) return promise[b] - promise[a];
      return 0;
    });
  });
}
