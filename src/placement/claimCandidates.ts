import { setImmediate } from 'node:timers/promises';
import { allocationsOf, anchorTreeOf, type Candidate } from '../engine/model/candidate.js';
import { withAllocated, emptiedOf } from '../engine/overlay/allocatedOverlay.js';
import { Packing, type PlacementPolicy } from '../engine/packing/packing.js';
import { mix } from '../engine/model/random.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { ProviderAllocationInput } from '../ledger/allocation/allocationInput.js';
import { NoCandidates } from '../placement/noCandidates.js';
import { findCandidates, type Found } from './candidateSearch.js';
import { inSlices } from './timeSlices.js';

export interface ClaimSearchOptions {
  /** How many consumers are to have the request at the same time. */
  readonly count: number;
  readonly policy: PlacementPolicy;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** What a consumer is to get: a candidate, and what it allocates as the ledger takes it. */
export interface ClaimCandidate extends Found<Candidate> {
  readonly allocations: readonly ProviderAllocationInput[];
}

/**
 * A candidate for each of several equal consumers, such that all of them fit together.
 *
 * Anywhere, and where an order is asked for also in distinct trees: one after another, each as if the candidates before it were
 * claimed already, so that the order holds for each. Where not all can be placed in that way, and for the other policies, they are
 * packed; into one tree at best into the one that the order prefers.
 *
 * @throws InvalidInput for a request that is malformed or names what the catalog does not have
 * @throws NoCandidates where they do not fit
 * @throws TimedOut when the search takes longer than it may
 */
export async function findClaimCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  options: ClaimSearchOptions,
): Promise<readonly ClaimCandidate[]> {
  const { count, policy, seed } = options;
  const first = await placeOne(snapshot, request, options);
  if (first === null) throw new NoCandidates({ snapshot, request }, count, true);
  if (count === 1) return [claimable(first)];
  const isOrdered = request.orderBy.length > 0;
  const isSequential = policy === 'ANY' || (policy === 'DISTINCT_TREES' && isOrdered);
  const sequence = isSequential ? await placeEach(first, request, options) : null;
  if (sequence !== null) return sequence.map(claimable);
  const packing = new Packing(snapshot, first.found.plan!, {
    count,
    placement: policy,
    first: isOrdered ? anchorTreeOf(first) : null,
    seed,
  });
  await inSlices((work) => packing.run(work), { what: 'the search for places', signal: options.signal });
  if (packing.found === null) throw new NoCandidates({ snapshot, request }, count, packing.isProven);
  return packing.found.map((candidate) => claimable({ ...candidate, found: first.found }));
}

function claimable({ found, assignments }: Found<Candidate>): ClaimCandidate {
  const { classes } = found.snapshot;
  const allocations = allocationsOf(found.plan!, { assignments }).map(({ provider, resources }) => ({
    resourceProvider: provider.block.uuids[provider.row],
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
  return { found, assignments, allocations };
}

async function placeOne(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { seed, signal }: ClaimSearchOptions,
): Promise<Found<Candidate> | null> {
  const found = await findCandidates(snapshot, request, { limit: 1, seed, signal });
  return found.candidates.length === 0 ? null : { ...found.candidates[0], found };
}

/** Null where no more than some of them can be placed in this way. */
async function placeEach(
  first: Found<Candidate>,
  request: CandidatesRequest,
  options: ClaimSearchOptions,
): Promise<Found<Candidate>[] | null> {
  const placed = [first];
  while (placed.length < options.count) {
    // one search seldom takes long enough to yield by itself
    await setImmediate(undefined, { signal: options.signal });
    const last = placed[placed.length - 1];
    const seed = mix(options.seed, placed.length);
    const left = snapshotAfter(last, options.policy);
    const next = left === null ? null : await placeOne(left, request, { ...options, seed });
    if (next === null) return null;
    placed.push(next);
  }
  return options.policy === 'ANY' || areInDistinctTrees(placed) ? placed : null;
}

/** Whether it can be seen that no two of the candidates are in one tree. */
function areInDistinctTrees(candidates: readonly Candidate[]): boolean {
  const trees = candidates.map(anchorTreeOf);
  return !trees.includes(null) && new Set(trees).size === trees.length;
}

/**
 * What is left for the next consumer when a candidate has been claimed: in distinct trees without the candidate's. Null where that
 * is not to be seen.
 */
function snapshotAfter({ found, ...candidate }: Found<Candidate>, policy: PlacementPolicy): Snapshot | null {
  const left = withAllocated(found.snapshot, allocationsOf(found.plan!, candidate));
  if (policy === 'ANY') return left;
  const tree = anchorTreeOf(candidate);
  return tree === null ? null : emptiedOf(left, tree);
}
