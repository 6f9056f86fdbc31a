import { type Candidate, anchorAt, type Anchor } from '../anchor.js';
import {
  compareScores,
  TopCandidates,
  Heap,
  ranksAbove,
  scoreOf,
  type RankKey,
  type Score,
} from './ranking.js';
import type { Constraint } from '../constraints.js';
import { Descent, smallestDomainFirst } from '../descent.js';
import { EXHAUSTED, PAUSED, type Effort } from '../../model/operation/waiting.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Plan } from '../plan.js';
import { BestFirstTrees } from './bestFirstTrees.js';
import { BlockBounds } from './blockBounds.js';
import { ResumableSearch, type SearchOptions } from '../search.js';
import { orderOf, type Order } from './terms/order.js';
import { valuesOf } from './terms/values.js';
import type { Term, TermBound } from './terms/term.js';

export interface OrderedSearchOptions extends SearchOptions {
  /** The order of the plan, if several searches share it. */
  readonly order?: Order;
}

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
export class OrderedSearch extends ResumableSearch<OrderedSearchOptions> {
  /** Set when the search is done. */
  candidates: readonly Candidate[] = [];
  private readonly order = this.options.order ?? orderOf(this.plan, this.filter);
  private readonly trees = new BestFirstTrees(
    this.snapshot,
    this.plan,
    new BlockBounds(this.snapshot.blocks, this.order, this.filter),
    this.filter,
    this.effort,
    this.options.seed,
  );
  private readonly visited = new Heap<Visited>(ranksAbove);
  /** Holds one more than the limit to detect further candidates, unless it stops at the limit. */
  private readonly top = new TopCandidates(this.options.limit + (this.options.stopsAtLimit ? 0 : 1));
  private current: { readonly descent: Descent; readonly rank: number } | null = null;

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
    else if (best === visited) {
      const { anchor, bound, rank } = this.visited.pop()!;
      this.current = { descent: new Descent(this.plan, anchor, this.effort, bound), rank };
    } else this.visitNext();
  }

  private visitNext(): void {
    const tree = this.trees.step();
    if (tree === null) return;
    const { treeIndex, rank } = tree;
    const { effort, options } = this;
    const anchor = anchorAt(this.snapshot, this.plan, this.filter, treeIndex, { seed: options.seed, effort });
    if (anchor === null) return;
    const { terms } = this.order;
    sortByPreference(anchor, this.plan, terms);
    const bound = new OptimisticBound(this.plan, terms, anchor, rank, this.top);
    this.visited.push({ anchor, bound, rank, score: bound.best() });
  }

  private resume({ descent, rank }: { readonly descent: Descent; readonly rank: number }): void {
    const assignments = descent.next();
    if (assignments === PAUSED) return;
    if (assignments === EXHAUSTED) {
      this.current = null;
    } else if (!this.isRepeated(assignments)) {
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

interface TreeSearchOptions extends Required<Pick<OrderedSearchOptions, 'seed' | 'filter' | 'order'>> {
  /** A score that no candidate of the tree exceeds; null if it is unknown. */
  readonly highest: Score | null;
}

/** Finds the best candidate at one tree, as the search with this seed would; null if there is none. */
export function* bestCandidateAt(
  snapshot: Snapshot,
  plan: Plan,
  { seed, filter, order, highest }: TreeSearchOptions,
  treeIndex: number,
  effort: Effort,
): Generator<void, Candidate | null> {
  effort.treesTested++;
  if (!filter.passes(treeIndex)) return null;
  const anchor = anchorAt(snapshot, plan, filter, treeIndex, { seed, effort });
  if (anchor === null) return null;
  const rank = 0;
  const top = new TopCandidates(1);
  sortByPreference(anchor, plan, order.terms);
  const bound = new OptimisticBound(plan, order.terms, anchor, rank, top);
  const descent = new Descent(plan, anchor, effort, bound);
  for (let found = descent.next(); found !== EXHAUSTED; found = descent.next()) {
    if (found === PAUSED) yield;
    else {
      const candidate = { assignments: found, values: valuesOf(plan, { assignments: found }) };
      const score = scoreOf(plan, candidate);
      top.add(candidate, { score, rank });
      if (highest !== null && compareScores(score, highest) === 0) break;
    }
  }
  descent.release();
  return top.drain().at(0) ?? null;
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

/** The size of the bound of a term, as a constraint. */
const SIZE_OF_TERM = 8;

/**
 * An upper bound on the score of all candidates that extend the partial assignment. As a constraint
 * it prunes assignments that cannot reach the top candidates. It ignores which values are
 * compatible, so it may be too high but is never too low.
 */
class OptimisticBound implements Constraint {
  /** The order of assignment: variables that decide the score come first. */
  readonly order: readonly number[];
  readonly size: number;
  private readonly termBounds: readonly TermBound[];

  constructor(
    plan: Plan,
    terms: readonly Term[],
    anchor: Anchor,
    private readonly rank: number,
    private readonly top: TopCandidates,
  ) {
    const priorityOf = (variable: number): number => {
      const at = terms.findIndex(({ variables }) => variables.includes(variable));
      return at < 0 ? terms.length : at;
    };
    this.order = smallestDomainFirst(plan, anchor).sort((a, b) => priorityOf(a) - priorityOf(b));
    this.termBounds = terms.map((term) => term.boundAt(anchor, this.order));
    this.size = SIZE_OF_TERM * terms.length;
  }

  best(): Score {
    return this.termBounds.map((bound) => bound.best());
  }

  add(variable: number, value: number): boolean {
    for (const bound of this.termBounds) bound.move(variable, value, 1);
    if (this.canQualify()) return true;
    this.remove(variable, value);
    return false;
  }

  remove(variable: number, value: number): void {
    for (const bound of this.termBounds) bound.move(variable, value, -1);
  }

  private canQualify(): boolean {
    const { threshold } = this.top;
    if (threshold === null) return true;
    for (const [at, bound] of this.termBounds.entries()) {
      const score = bound.improved?.(threshold.score[at]) ?? bound.best();
      if (score !== threshold.score[at]) return score > threshold.score[at];
    }
    return this.rank < threshold.rank;
  }
}
