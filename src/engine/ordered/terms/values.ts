import { allocationsOf, type Candidate, type CandidateAllocation } from '../../model/candidate.js';
import type { Plan, PlannedOrder } from '../../model/plan.js';
import { freeAt, inventoryAt } from '../../model/snapshot.js';
import { preferredIds, sumOfWeights } from './preferredIds.js';

/** Returns the value of a candidate by each term of the order, as `AllocationRequest.score` reports it. */
export function valuesOf(plan: Plan, candidate: Candidate): readonly number[] {
  if (candidate.values !== undefined || plan.orderBy.length === 0) return candidate.values ?? [];
  const allocations = allocationsOf(plan, candidate);
  return plan.orderBy.map((order) => valueOf(order, allocations));
}

/** Returns the value of one term. Free shares count the usage in the providers' blocks. */
export function valueOf(order: PlannedOrder, allocations: readonly CandidateAllocation[]): number {
  if (order.kind === 'FREE_SHARE') return freeShare(allocations, order.resourceClass);
  if (order.kind === 'FEWEST_PROVIDERS') return allocations.length;
  const own = allocations
    .map(({ provider }) => provider)
    .filter(({ block, row }) => block.sharing[row] === 0);
  if (order.kind === 'NEAR') return own.length === 0 ? 0 : (order.trees.get(own[0].treeIndex) ?? 0);
  return sumOfWeights(order, new Set(own.flatMap((provider) => preferredIds(order, provider))));
}

/** Returns the remaining free amount of a class as a share of its providers' total capacity. */
function freeShare(allocations: readonly CandidateAllocation[], resourceClass: number): number {
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
