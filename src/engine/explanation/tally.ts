/** What can stand in the way within one group, in the order in which it is judged. */
export const GROUP_CONSTRAINTS = [
  'NO_INVENTORY',
  'INSUFFICIENT_CAPACITY',
  'MIN_UNIT',
  'MAX_UNIT',
  'STEP_SIZE',
  'REQUIRED_TRAITS',
  'FORBIDDEN_TRAITS',
  'MEMBER_OF',
  'FORBIDDEN_AGGREGATES',
  'IN_TREE',
  'IN_SUBTREE',
] as const;

/** What can stand in the way of a tree besides, in the order in which it is judged. */
export const COMBINATION_CONSTRAINTS = [
  'ROOT_TRAITS',
  'ROOT_AGGREGATES',
  'TREE_LACKS_GROUP',
  'GROUP_POLICY',
  'ISOLATE',
  'SAME_SUBTREE',
  'MERGED_AMOUNT',
] as const;

export type GroupConstraint = (typeof GROUP_CONSTRAINTS)[number];
export type CombinationConstraint = (typeof COMBINATION_CONSTRAINTS)[number];
export type CandidateConstraint = GroupConstraint | CombinationConstraint;

/** What one constraint removed of those that the ones before it had left. */
export interface Elimination {
  readonly constraint: CandidateConstraint;
  readonly detail: string;
  readonly eliminated: number;
  readonly remaining: number;
}

/** Says in plain words what one constraint left of what there was before it. */
export type Describe<C> = (constraint: C, before: number, remaining: number) => string;

/** Counts which constraint each provider, or tree, met first of those that it fails. */
export class Tally<C extends CandidateConstraint> {
  considered = 0;
  private readonly removed = new Map<C, number>();

  constructor(
    private readonly order: readonly C[],
    /** Constraints that are listed whether they removed anything or not. */
    private readonly asked: ReadonlySet<C>,
  ) {}

  /** One more; null when nothing stands in its way. */
  count(obstacle: C | null): void {
    this.considered++;
    if (obstacle !== null) this.removed.set(obstacle, this.removedBy(obstacle) + 1);
  }

  get remaining(): number {
    return this.considered - this.order.reduce((sum, constraint) => sum + this.removedBy(constraint), 0);
  }

  /** Constraints after the one that removed the last are not listed: nothing was left for them to judge. */
  eliminations(describe: Describe<C>): Elimination[] {
    const listed: Elimination[] = [];
    let before = this.considered;
    for (const constraint of this.order) {
      const eliminated = this.removedBy(constraint);
      if (eliminated === 0 && !this.asked.has(constraint)) continue;
      if (before === 0 && listed.length > 0) break;
      const remaining = before - eliminated;
      listed.push({ constraint, detail: describe(constraint, before, remaining), eliminated, remaining });
      before = remaining;
    }
    return listed;
  }

  private removedBy(constraint: C): number {
    return this.removed.get(constraint) ?? 0;
  }
}
