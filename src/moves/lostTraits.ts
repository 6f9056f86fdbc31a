import type { CandidateAllocation } from '../search/anchor.js';
import { isSharing } from '../search/treeFilter.js';
import type { Snapshot } from '../fleet/snapshot.js';
import { traitsOf } from './consumerShape.js';

/**
 * Returns the traits of the non-sharing providers before a move that no non-sharing provider after it has,
 * sorted. Omits DISABLED_TRAIT, which is a state of a host.
 */
export function traitsLost(
  snapshot: Snapshot,
  before: readonly CandidateAllocation[],
  after: readonly CandidateAllocation[],
): string[] {
  const traitsIn = (allocations: readonly CandidateAllocation[]): string[] =>
    allocations.flatMap(({ provider }) => (isSharing(provider) ? [] : traitsOf(snapshot, provider)));
  const kept = new Set(traitsIn(after));
  return [...new Set(traitsIn(before))].filter((name) => !kept.has(name)).sort();
}
