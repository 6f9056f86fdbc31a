import type { Plan } from '../model/plan.js';
import type { Anchor } from '../search/anchor.js';
import type { Constraint } from '../search/constraints/constraint.js';
import { smallestDomainFirst } from '../search/descent.js';
import type { Score, TopCandidates } from './ranking.js';
import type { Term, TermBound } from './terms/term.js';

/**
 * An upper bound on the score of all candidates that extend the partial assignment. As a constraint
 * it prunes assignments that cannot reach the top candidates. It ignores which values are
 * compatible, so it may be too high but is never too low.
 */
export class OptimisticBound implements Constraint {
  /** The order of assignment: variables that decide the score come first. */
  readonly order: readonly number[];
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
