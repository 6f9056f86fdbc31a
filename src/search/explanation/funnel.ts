import type { GroupConstraint } from '../treeFilter.js';

/** Constraints on a tree as the anchor and on its groups together, in the order in which they are checked. */
export const COMBINATION_CONSTRAINTS = [
  'NOT_IN_TREES',
  'AWAY_FROM_CONSUMERS',
  'NEAR_CONSUMERS',
  'EXCLUDED_ROOTS',
  'ROOT_TRAITS',
  'ROOT_AGGREGATES',
  'TREE_LACKS_GROUP',
  'GROUP_POLICY',
  'ISOLATE',
  'SAME_SUBTREE',
  'MERGED_AMOUNT',
  'COUNTERS',
] as const;

export type CombinationConstraint = (typeof COMBINATION_CONSTRAINTS)[number];
export type CandidateConstraint = GroupConstraint | CombinationConstraint;

/** The effect of one constraint on the providers or trees that the earlier constraints left. */
export interface Elimination {
  readonly constraint: CandidateConstraint;
  readonly detail: string;
  readonly eliminated: number;
  readonly remaining: number;
}

export type Describe<C> = (constraint: C, before: number, remaining: number) => string;

export class EliminationFunnel<C extends CandidateConstraint> {
  considered = 0;
  remaining = 0;
  private readonly removed = new Map<C, number>();

  constructor(
    private readonly order: readonly C[],
    /** Constraints that are listed even if they removed nothing. */
    private readonly requested: ReadonlySet<C>,
  ) {}

  /** Counts one provider or tree. `violation` is null if it violates no constraint. */
  count(violation: C | null): void {
    this.considered++;
    if (violation === null) this.remaining++;
    else this.removed.set(violation, (this.removed.get(violation) ?? 0) + 1);
  }

  /** Omits the constraints after the constraint that removed the last provider or tree. */
  eliminations(describe: Describe<C>): Elimination[] {
    const listed: Elimination[] = [];
    let before = this.considered;
    for (const constraint of this.order) {
      const eliminated = this.removed.get(constraint) ?? 0;
      if (eliminated === 0 && !this.requested.has(constraint)) continue;
      if (before === 0 && listed.length > 0) break;
      const remaining = before - eliminated;
      listed.push({ constraint, detail: describe(constraint, before, remaining), eliminated, remaining });
      before = remaining;
    }
    return listed;
  }
}
