import type { Candidate } from '../model/candidate.js';
import { TopCandidates, Heap, ranksAbove, scoreOf, type RankKey } from './ranking.js';
import { Descent } from '../search/descent.js';
import { EXHAUSTED, PAUSED } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import { OptimisticBound } from './optimisticBound.js';
import type { Plan, PlannedOrder } from '../model/plan.js';
import { BestFirstTrees, type BoundedTree } from './bestFirstTrees.js';
import { BlockBounds } from './blockBounds.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { ResumableSearch, Search, type SearchOptions, SharingOnlyCandidates } from '../search/search.js';
import type { Snapshot } from '../model/snapshot.js';
import { FewestProviders } from './terms/fewestProviders.js';
import { FreeShare } from './terms/freeShare.js';
import { NearConsumers } from './terms/nearConsumers.js';
import { Preference } from './terms/preference.js';
import type { Term } from './terms/term.js';

/** A tree whose domains and bound are known, but which is not yet searched. */
interface Visited extends RankKey {
  readonly anchor: Anchor;
  readonly bound: OptimisticBound;
}

/**
 * Finds the best candidates of an ordered plan by branch and bound. Visits the tree with the best
 * bound; searches it when its tighter bound after the visit is still the best. Ends when no bound
 * is above the threshold of the top candidates. Sorts candidates with equal scores by a seeded
 * order of their trees. Runs in steps and is repeatable like `Search`.
 */
export class OrderedSearch extends ResumableSearch {
  /** Set when the search is done. */
  candidates: readonly Candidate[] = [];
  /** False if the limit cut the list. Valid when the search is done. */
  complete = true;

  private readonly terms: readonly Term[];
  private readonly filter: TreeFilter;
  private readonly trees: BestFirstTrees;
  private readonly visited = new Heap<Visited>(ranksAbove);
  /** Holds one more than the limit to detect further candidates, unless it stops at the limit. */
  private readonly top: TopCandidates;
  private readonly sharingOnly = new SharingOnlyCandidates();
  private current: { readonly descent: Descent; readonly rank: number } | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: SearchOptions,
  ) {
    super();
    this.filter = options.filter ?? new TreeFilter(snapshot, plan);
    this.terms = termsOf(plan, this.filter);
    const bounds = new BlockBounds(snapshot.blocks, this.terms, this.filter);
    this.trees = new BestFirstTrees(snapshot, plan, bounds, this.filter, this.effort, options.seed);
    this.top = new TopCandidates(options.limit + (options.stopsAtLimit ? 0 : 1));
  }

  protected step(): void {
    if (this.current !== null) {
      this.resume(this.current);
      return;
    }
    const { threshold } = this.top;
    const visited = this.visited.top;
    const unvisited = this.trees.next;
    const best =
      visited !== undefined && (unvisited === null || !ranksAbove(unvisited, visited)) ? visited : unvisited;
    if (best === null || (threshold !== null && !ranksAbove(best, threshold))) this.finish();
    else if (best === visited) this.search(this.visited.pop()!);
    else this.visit(this.trees.step());
  }

  private visit(tree: BoundedTree | null): void {
    if (tree === null) return;
    this.effort.treesVisited++;
    const { treeIndex, rank } = tree;
    const anchor = anchorAt(this.snapshot, this.plan, this.filter, treeIndex, this.options.seed);
    if (anchor === null) return;
    sortByPreference(anchor, this.plan, this.terms);
    const bound = new OptimisticBound(this.plan, this.terms, anchor, rank, this.top);
    this.visited.push({ anchor, bound, rank, score: bound.best() });
  }

  private search({ anchor, bound, rank }: Visited): void {
    this.current = { descent: new Descent(this.plan, anchor, this.effort, bound), rank };
  }

  private resume({ descent, rank }: { readonly descent: Descent; readonly rank: number }): void {
    const assignments = descent.next();
    if (assignments === PAUSED) return;
    if (assignments === EXHAUSTED) {
      this.current = null;
    } else if (!this.sharingOnly.isRepeated(assignments)) {
      const candidate = { assignments };
      this.top.add(candidate, { score: scoreOf(this.plan, candidate), rank });
    }
  }

  private finish(): void {
    const best = this.top.drain();
    const { limit } = this.options;
    this.complete = best.length <= limit;
    this.candidates = best.slice(0, limit);
    this.isDone = true;
  }
}

export function searchFor(snapshot: Snapshot, plan: Plan, options: SearchOptions): Search | OrderedSearch {
  return new (plan.orderBy.length > 0 ? OrderedSearch : Search)(snapshot, plan, options);
}

export function termsOf(plan: Plan, { shareable }: Pick<TreeFilter, 'shareable'>): Term[] {
  const termOf = (order: PlannedOrder): Term => {
    if (order.kind === 'FREE_SHARE') return new FreeShare(plan, order, shareable);
    if (order.kind === 'FEWEST_PROVIDERS') return new FewestProviders(plan, shareable);
    return order.kind === 'NEAR' ? new NearConsumers(order.trees) : new Preference(plan, order, shareable);
  };
  return plan.orderBy.map(termOf);
}

/**
 * Sorts each domain, the best providers first. Equal providers keep their order. For
 * FEWEST_PROVIDERS, they have the same order in each domain.
 */
function sortByPreference({ providers, domains }: Anchor, { orderBy }: Plan, terms: readonly Term[]): void {
  const preferences = terms.map((term) => term.preferences({ providers, domains }));
  const isFewest = orderBy.some(({ kind }) => kind === 'FEWEST_PROVIDERS');
  const first = domains[0][0] ?? 0;
  const position = (provider: number): number => (provider - first + providers.length) % providers.length;
  domains.forEach((domain, variable) => {
    const deciding = preferences.filter((_, at) => terms[at].variables.includes(variable));
    if (deciding.length === 0) return;
    domain.sort((a, b) => {
      for (const numbers of deciding) if (numbers[a] !== numbers[b]) return numbers[b] - numbers[a];
      return isFewest ? position(a) - position(b) : 0;
    });
  });
}
