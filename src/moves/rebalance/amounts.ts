import type { CandidateAllocation } from '../../search/anchor.js';
import { isSharing } from '../../search/treeFilter.js';
import { inventoryAt, isReservedWhole, type ProviderRef } from '../../fleet/snapshot.js';
import type { FleetState } from './fleetState.js';

/** How many consumers to try before a host counts as stuck. */
const MAX_TRIED = 8;

/** Excess usage of a class in one row of a tree, or, if `row` is null, in all rows that count in its utilization. */
export interface Overload {
  readonly treeIndex: number;
  readonly resourceClass: number;
  readonly row: number | null;
  /** The amount to move away. */
  readonly excess: number;
}

function amountOn(
  allocations: readonly CandidateAllocation[],
  { treeIndex, resourceClass, row }: Overload,
): number {
  let sum = 0;
  for (const { provider, resources } of allocations) {
    if (provider.treeIndex !== treeIndex) continue;
    if (row === null ? !countsInTree(provider, resourceClass) : provider.row !== row) continue;
    for (const one of resources) if (one.resourceClass === resourceClass) sum += one.amount;
  }
  return sum;
}

/** Returns whether the inventory of a provider counts in the utilization of its tree. */
function countsInTree(provider: ProviderRef, resourceClass: number): boolean {
  const at = inventoryAt(provider.block, provider.row, resourceClass);
  return !isSharing(provider) && !isReservedWhole(provider.block, at);
}

/**
 * Returns the movable consumers of an overload, in the order in which to move them. Consumers whose
 * move ends the overload alone come first, the smallest first. The others follow, the largest
 * first.
 */
export function consumersToMove(state: FleetState, overload: Overload): number[] {
  const sized = amountsOf(state, overload);
  const enough = sized.filter(({ amount }) => amount >= overload.excess).reverse();
  const less = sized.filter(({ amount }) => amount < overload.excess);
  return [...enough, ...less].slice(0, MAX_TRIED).map(({ consumer }) => consumer);
}

/** Returns the minimum number of consumers to move; Infinity if all movable ones do not suffice. */
export function minLeaving(state: FleetState, overload: Overload): number {
  let left = overload.excess;
  let count = 0;
  for (const { amount } of amountsOf(state, overload)) {
    if (left <= 0) return count;
    left -= amount;
    count++;
  }
  return left <= 0 ? count : Infinity;
}

/** Returns the movable consumers with their amounts, the largest first. */
function amountsOf(state: FleetState, overload: Overload): { consumer: number; amount: number }[] {
  return Array.from(state.consumersOn(overload.treeIndex))
    .filter((consumer) => state.canMove(consumer))
    .map((consumer) => ({ consumer, amount: amountOn(state.allocationsOf(consumer), overload) }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount || a.consumer - b.consumer);
}
