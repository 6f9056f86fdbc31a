import { allocationsOf, type Candidate } from '../model/candidate.js';
import type { Plan } from '../model/plan.js';
import { inventoryAt } from '../model/snapshot.js';

/**
 * How good a candidate is: one number for each entry of the plan's order, the first that differs decides, more is better.
 *
 * The number is what the providers that the candidate draws the class from have free of it after the claim, all together, as a
 * share of what they can hold of it, all together; negative for PACK, where less is better. Shares are compared in double precision.
 */
export type Score = readonly number[];

export function scoreOf(plan: Plan, candidate: Candidate): Score {
  const allocations = allocationsOf(plan, candidate);
  return plan.orderBy.map(({ resourceClass, direction }) => {
    let free = 0;
    let capacity = 0;
    for (const { provider, resources } of allocations) {
      const drawn = resources.find((resource) => resource.resourceClass === resourceClass);
      if (drawn === undefined) continue;
      const { block, row } = provider;
      const at = inventoryAt(block, row, resourceClass);
      free += block.capacities[at] - block.used[at] - drawn.amount;
      capacity += block.capacities[at];
    }
    return direction * (free / capacity);
  });
}

/** Above 0 where the first score is the better one. */
export function compareScores(one: Score, other: Score): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return one[at] > other[at] ? 1 : -1;
  }
  return 0;
}
