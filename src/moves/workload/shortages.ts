import { amountOf, type Plan } from '../../search/plan.js';

/** A proof that some consumers cannot be placed. */
export interface Shortage {
  /** The member or the rule with the shortage; both null if all members together have it. */
  readonly member: number | null;
  readonly rule: number | null;
  /** A resource class that is short; null if the shortage concerns providers or domains. */
  readonly resourceClass: number | null;
  /** The amount of the class that one inventory must have free; null without a class. */
  readonly amount: number | null;
  /** The numbers of consumers. With a class, how often the amount is requested and free. */
  readonly requested: number;
  readonly available: number;
  /** The minimum number of consumers that cannot be placed. */
  readonly lost: number;
  /** Whether consumers are short of trees because they must be away from each other. */
  readonly isRelation?: boolean;
}

/** By member and tree: an upper bound of the consumers that the tree can take. */
export type Capacities = readonly ReadonlyMap<number, number>[];

export function shortageOf(
  of: Pick<Shortage, 'member' | 'rule'>,
  requested: number,
  available: number,
): Shortage {
  return { ...of, resourceClass: null, amount: null, requested, available, lost: requested - available };
}

/** Returns how often a consumer asks, with each of the plans, for at least this amount in one inventory. */
export function leastUnits(plans: readonly Plan[], resourceClass: number, amount: number): number {
  return plans.length === 0 ? 0 : Math.min(...plans.map((plan) => unitsOf(plan, resourceClass, amount)));
}

/** With amount 1 returns the sum of all amounts. */
function unitsOf({ variables }: Plan, resourceClass: number, amount: number): number {
  let units = 0;
  for (const { resources, canSplit } of variables) {
    const asked = amountOf(resources, resourceClass);
    if (canSplit) units += amount === 1 ? asked : 0;
    else units += Math.floor(asked / amount);
  }
  return units;
}

/** Returns the minimum number of consumers to leave out to save these units. */
export function consumersBeyond(
  needed: readonly { readonly count: number; readonly units: number }[],
  units: number,
): number {
  let lost = 0;
  let left = units;
  for (const { count, units: each } of [...needed].sort((a, b) => b.units - a.units)) {
    if (left <= 0) break;
    const some = each === 0 ? count : Math.min(count, Math.ceil(left / each));
    lost += some;
    left -= some * each;
  }
  return lost;
}
