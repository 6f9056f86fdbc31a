import {
  allocationsOf,
  anchorTreeOf,
  type Candidate,
  type CandidateAllocation,
} from '../../search/candidate.js';
import { Packing, type PlacementPolicy } from '../packing/packing.js';
import { sequenceOf } from '../packing/sequence.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { ProviderAllocationInput } from '../../model/allocationInput.js';
import { findCandidates, type Found } from '../../search/candidateSearch.js';
import type { Operation } from '../../model/operation/operation.js';
import { resultInSlices } from '../../search/timeSlices.js';

export interface ClaimSearchOptions {
  /** The number of consumers that get the request at the same time. */
  readonly count: number;
  readonly policy: PlacementPolicy;
  readonly seed: number;
  readonly operation: Operation;
}

/** A candidate and its allocations in the form of a ledger input. */
export interface ClaimCandidate extends Found<Candidate> {
  readonly allocations: readonly ProviderAllocationInput[];
}

/**
 * Finds a candidate for each of several equal consumers, so that all fit together. For policy ANY,
 * and for DISTINCT_TREES with an order, it places them one after another, each as if the earlier
 * ones were claimed. If that fails, and for other policies, it packs them. SAME_TREE prefers the
 * tree that the order prefers. Returns [] if none fits, and null if it cannot place all of them.
 *
 * @throws InvalidInput for a malformed request or unknown names
 *
 * @throws TimedOut
 */
export async function findClaimCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { count, policy, seed, operation }: ClaimSearchOptions,
): Promise<readonly ClaimCandidate[] | null> {
  const wanted = { limit: 1, wantsComplete: false };
  const found = await findCandidates(snapshot, request, { ...wanted, seed, operation });
  const { plan, candidates } = found;
  if (plan === null || candidates.length === 0) return [];
  const claimables = (all: readonly Candidate[]): ClaimCandidate[] =>
    all.map((candidate) => claimable({ ...candidate, found }));
  if (count === 1) return claimables(candidates);
  const isOrdered = request.orderBy.length > 0;
  if (policy === 'ANY' || (policy === 'DISTINCT_TREES' && isOrdered)) {
    const options = { count, seed, isDistinct: policy !== 'ANY' };
    const sequence = await resultInSlices((effort) => sequenceOf(snapshot, plan, options, effort), operation);
    if (sequence.length === count) return claimables(sequence);
  }
  const first = isOrdered ? anchorTreeOf(candidates[0]) : null;
  const options = { count, placement: policy, first, seed };
  const packed = await resultInSlices(
    (effort) => new Packing(snapshot, plan, options, effort).run(),
    operation,
  );
  return packed && claimables(packed);
}

export function claimable(candidate: Found<Candidate>): ClaimCandidate {
  const { found } = candidate;
  return { ...candidate, allocations: inputsOf(found.snapshot, allocationsOf(found.plan!, candidate)) };
}

/** Returns allocations in the form of a ledger input. */
export function inputsOf(
  { classes }: Snapshot,
  allocations: readonly CandidateAllocation[],
): ProviderAllocationInput[] {
  return allocations.map(({ provider: { block, row }, resources }) => ({
    resourceProvider: block.uuids[row],
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
}
