import { allocationsOf, type Candidate, type CandidateAllocation } from '../model/candidate.js';
import type { Plan } from '../model/plan.js';
import { freeAt, inventoryAt } from '../model/snapshot.js';

/**
 * How good a candidate is: one number for each entry of the plan's order. The first number that differs
 * decides; a larger one is better.
 *
 * Over all providers that the candidate allocates the class from: the sum of what is free after the claim,
 * divided by the sum of their capacities, in double precision; negative for PACK, where less is better.
 */
export type Score = readonly number[];

/** The order of candidates and trees: by score, then by the seeded rank of the tree (the lower comes first). */
export interface RankKey {
  readonly score: Score;
  readonly rank: number;
}

export function scoreOf(plan: Plan, candidate: Candidate): Score {
  const allocations = allocationsOf(plan, candidate);
  return plan.orderBy.map(
    ({ resourceClass, direction }) => direction * freeFraction(allocations, resourceClass),
  );
}

/**
 * Returns the fraction that a candidate leaves free by the first entry of the plan's order; null without
 * an order.
 */
export function shareLeftFree(plan: Plan, candidate: Candidate): number | null {
  if (candidate.shareLeftFree !== undefined) return candidate.shareLeftFree;
  const [order] = plan.orderBy;
  return order === undefined ? null : freeFraction(allocationsOf(plan, candidate), order.resourceClass);
}

function freeFraction(allocations: readonly CandidateAllocation[], resourceClass: number): number {
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

/** Positive if the first score is better. */
export function compareScores(one: Score, other: Score): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return one[at] > other[at] ? 1 : -1;
  }
  return 0;
}

/** Whether the first key comes before the second. */
export function ranksAbove(one: RankKey, other: RankKey): boolean {
  return (compareScores(one.score, other.score) || other.rank - one.rank) > 0;
}
