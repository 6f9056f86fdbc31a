import { allocationsOf, type Candidate, type CandidateAllocation } from '../../anchor.js';
import type { Plan } from '../../plan.js';
import { valueOfTree, type PlannedOrder, type PlannedPreference } from '../plannedOrder.js';
import { isCounter } from '../../../fleet/consumption.js';
import { isSharing } from '../../treeFilter.js';
import { strandedBy } from './leastStranding.js';
import {
  blockOf,
  freeAt,
  inventoryAt,
  rootRow,
  type Block,
  type ProviderRef,
  type Snapshot,
} from '../../../fleet/snapshot.js';

/** Returns the value of a candidate by each term of the request's order, as `AllocationRequest.score` reports it. */
export function scoreByTerm(plan: Plan, candidate: Candidate): readonly number[] {
  const values = valuesOf(plan, candidate);
  const score: number[] = [];
  values.forEach((value, at) => {
    for (const position of plan.orderBy[at].positions) score[position] = value;
  });
  return score;
}

/** Returns the value of a candidate by each term of the plan's order, which has equal terms once. */
export function valuesOf(plan: Plan, candidate: Candidate): readonly number[] {
  if (candidate.values !== undefined || plan.orderBy.length === 0) return candidate.values ?? [];
  const allocations = allocationsOf(plan, candidate);
  return plan.orderBy.map((order) => valueOf(order, allocations));
}

/**
 * Returns the value of one term. Free shares count the usage in the providers' blocks and the allocations; or the usage
 * in `claimed`, which contains the allocations.
 */
export function valueOf(
  order: PlannedOrder,
  allocations: readonly CandidateAllocation[],
  claimed?: Pick<Snapshot, 'blocks'>,
): number {
  if (order.kind === 'FREE_SHARE') return freeShare(allocations, order.resourceClass, claimed);
  if (order.kind === 'STRANDING')
    return strandedBy(
      order,
      allocations,
      ({ provider }) => (claimed ? blockOf(claimed, provider.treeIndex) : provider.block),
      claimed !== undefined,
    );
  const serving = allocations.filter(isServing);
  if (order.kind === 'FEWEST_PROVIDERS') return serving.length;
  const own = serving.map(({ provider }) => provider).filter((provider) => !isSharing(provider));
  if ('trees' in order) return valueOfTree(order, own.at(0)?.treeIndex);
  return sumOfWeights(order, new Set(own.flatMap((provider) => preferredIds(order, provider))));
}

/** Returns whether a provider serves a group. A provider may only have the counters that others consume. */
function isServing({ provider: { block, row }, resources }: CandidateAllocation): boolean {
  return (
    block.consumption === null ||
    resources.some(({ resourceClass }) => !isCounter(block, inventoryAt(block, row, resourceClass)))
  );
}

/** Returns the remaining free amount of a class as a share of its providers' total capacity. */
function freeShare(
  allocations: readonly CandidateAllocation[],
  resourceClass: number,
  claimed?: Pick<Snapshot, 'blocks'>,
): number {
  let free = 0;
  let capacity = 0;
  for (const { provider, resources } of allocations) {
    const allocated = resources.find((resource) => resource.resourceClass === resourceClass);
    if (allocated === undefined) continue;
    const block = claimed ? blockOf(claimed, provider.treeIndex) : provider.block;
    const at = inventoryAt(block, provider.row, resourceClass);
    free += freeAt(block, at) - (claimed ? 0 : allocated.amount);
    capacity += block.capacities[at];
  }
  return free / capacity;
}

/** Returns the positions of the listed ids that a provider or the root of its tree has; may repeat some. */
function preferredIds(order: PlannedPreference, { block, row }: ProviderRef): number[] {
  const root = rootRow(block, row);
  const own = idsOfRow(order, block, row);
  return root === row ? own : [...own, ...idsOfRow(order, block, root)];
}

export function idsOfRow({ kind, positionOf }: PlannedPreference, block: Block, row: number): number[] {
  const [starts, column] =
    kind === 'TRAITS' ? [block.traitStarts, block.traits] : [block.aggregateStarts, block.aggregates];
  const found: number[] = [];
  for (let at = starts[row]; at < starts[row + 1]; at++) {
    const position = positionOf.get(column[at]);
    if (position !== undefined) found.push(position);
  }
  return found;
}

export function sumOfWeights(
  { weights }: Pick<PlannedPreference, 'weights'>,
  positions: Iterable<number>,
): number {
  let sum = 0;
  for (const position of positions) sum += weights[position];
  return sum;
}
