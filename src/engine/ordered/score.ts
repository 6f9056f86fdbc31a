import { allocationsOf, type Candidate, type CandidateAllocation } from '../model/candidate.js';
import type { Plan } from '../model/plan.js';
import { freeAt, inventoryAt } from '../model/snapshot.js';

/**
 * How good a candidate is: one number for each entry of the plan's order, the first that differs decides,
 * more is better.
 *
 * Of all providers that the candidate allocates the class from: the sum of what is free after the claim,
 * divided by the sum of their capacities, in double precision; negative for PACK, where less is better.
 */
export type Score = readonly number[];

export function scoreOf(plan: Plan, candidate: Candidate): Score {
  const allocations = allocationsOf(plan, candidate);
  return plan.orderBy.map(
    ({ resourceClass, direction }) => direction * shareLeft(allocations, resourceClass),
  );
}

/** What a candidate leaves free by the first entry of the plan's order, from 0 to 1; null without an order. */
export function shareLeftFree(plan: Plan, candidate: Candidate): number | null {
  if (candidate.shareLeftFree !== undefined) return candidate.shareLeftFree;
  const [order] = plan.orderBy;
  return order === undefined ? null : shareLeft(allocationsOf(plan, candidate), order.resourceClass);
}

function shareLeft(allocations: readonly CandidateAllocation[], resourceClass: number): number {
  let free = 0;
  let capacity = 0;
  for (const { provider, resources } of allocations) {
    const allocated = resources.find((resource) => resource.resourceClass === resourceClass);
    if (allocated === undefined) continue;
    const { block, row } = provider;
    const at = inventoryAt(block, row, resourceClass);
    free += freeAt(block, at) - allocated.amount;
    capacity += block.capacities[at];
  }
  return free / capacity;
}

/** Above 0 where the first score is the better one. */
export function compareScores(one: Score, other: Score): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return one[at] > other[at] ? 1 : -1;
  }
  return 0;
}
