import { allocationsOf, anchorTreeOf, type Candidate } from '../engine/model/candidate.js';
import { Packing, type PlacementPolicy } from '../engine/packing/packing.js';
import { Sequence } from '../engine/packing/sequence.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { ProviderAllocationInput } from '../ledger/allocation/allocationInput.js';
import { findCandidates, type Found } from './candidateSearch.js';
import type { Operation } from '../runtime/operation.js';
import { SLICE } from './timeSlices.js';

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
  options: ClaimSearchOptions,
): Promise<readonly ClaimCandidate[] | null> {
  const { count, policy, seed } = options;
  const first = await placeOne(snapshot, request, options);
  if (first === null) return [];
  if (count === 1) return [claimable(first)];
  const isOrdered = request.orderBy.length > 0;
  const isSequential = policy === 'ANY' || (policy === 'DISTINCT_TREES' && isOrdered);
  const sequence = isSequential ? await placeEach(first, options) : null;
  if (sequence !== null) return sequence.map(claimable);
  const packing = new Packing(snapshot, first.found.plan!, {
    count,
    placement: policy,
    first: isOrdered ? anchorTreeOf(first) : null,
    seed,
  });
  await options.operation.run(() => packing.run(SLICE));
  options.operation.activity.effort += packing.effort.spent;
  return packing.found?.map((candidate) => claimable({ ...candidate, found: first.found })) ?? null;
}

/** Adds the allocations in the form of a ledger input. */
export function claimable({ found, assignments, values }: Found<Candidate>): ClaimCandidate {
  const { classes } = found.snapshot;
  const allocations = allocationsOf(found.plan!, { assignments }).map(({ provider, resources }) => ({
    resourceProvider: provider.block.uuids[provider.row],
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
  return { found, assignments, values, allocations };
}

async function placeOne(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { seed, operation }: ClaimSearchOptions,
): Promise<Found<Candidate> | null> {
  const wanted = { limit: 1, wantsComplete: false };
  const found = await findCandidates(snapshot, request, { ...wanted, seed, operation });
  return found.candidates.length === 0 ? null : { ...found.candidates[0], found };
}

/** Returns null if it cannot place all consumers one after another. */
async function placeEach(
  { found }: Found<Candidate>,
  { count, policy, seed, operation }: ClaimSearchOptions,
): Promise<Found<Candidate>[] | null> {
  const sequence = new Sequence(found.snapshot, found.plan!, { count, seed, isDistinct: policy !== 'ANY' });
  await operation.run(() => sequence.run(SLICE));
  operation.activity.effort += sequence.spent;
  const { candidates } = sequence;
  return candidates.length < count ? null : candidates.map((candidate) => ({ ...candidate, found }));
}
