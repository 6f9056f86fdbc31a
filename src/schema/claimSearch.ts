import { allocationsOf, type Candidate } from '../engine/candidate.js';
import { drawnFrom } from '../engine/drawn.js';
import { Packing, type Placement } from '../engine/packing.js';
import { mix } from '../engine/random.js';
import type { CandidatesRequest } from '../engine/request.js';
import type { Snapshot } from '../engine/snapshot.js';
import type { ProviderAllocationInput } from '../ledger/allocationInput.js';
import { NoCandidates } from '../ledger/errors.js';
import { findCandidates } from './candidateSearch.js';
import type { Part } from './candidates.js';
import { inTurns } from './turns.js';

export interface ClaimOptions {
  /** How many consumers are to have the request at the same time. */
  readonly count: number;
  readonly placement: Placement;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** What a consumer is to get: a candidate, and what it draws as the ledger takes it. */
export interface FoundPlace extends Part<Candidate> {
  readonly allocations: readonly ProviderAllocationInput[];
}

/**
 * A candidate for each of several equal consumers, such that all of them fit together.
 *
 * Anywhere: one after another, each as if the candidates before it were claimed already, so that the order of the request
 * holds for each. Where that comes to an end too early, and for the other placements, they are packed.
 *
 * @throws InvalidInput for a request that is malformed or names what the catalog does not have
 * @throws NoCandidates where they do not fit
 * @throws TimedOut when the search takes longer than it may
 */
export async function findPlaces(
  snapshot: Snapshot,
  request: CandidatesRequest,
  options: ClaimOptions,
): Promise<readonly FoundPlace[]> {
  const { count, placement, seed } = options;
  const first = await placeOne(snapshot, request, options);
  if (first === null) throw new NoCandidates(count, true);
  const inTurn = placement === 'ANY' || count === 1 ? await placeEach(first, request, options) : null;
  if (inTurn !== null) return inTurn.map(placeOf);
  const packing = new Packing(snapshot, first.found.plan!, { count, placement, seed });
  await inTurns((work) => packing.run(work), { what: 'the search for places', signal: options.signal });
  if (packing.found === null) throw new NoCandidates(count, packing.isProven);
  return packing.found.map((candidate) => placeOf({ ...candidate, found: first.found }));
}

function placeOf({ found, units }: Part<Candidate>): FoundPlace {
  const { classes } = found.snapshot;
  const allocations = allocationsOf(found.plan!, { units }).map(({ place, resources }) => ({
    resourceProvider: place.block.uuids[place.row],
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
  return { found, units, allocations };
}

async function placeOne(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { seed, signal }: ClaimOptions,
): Promise<Part<Candidate> | null> {
  const found = await findCandidates(snapshot, request, { limit: 1, seed, signal });
  return found.candidates.length === 0 ? null : { ...found.candidates[0], found };
}

/** Null where no more than some of them can be placed in this way. */
async function placeEach(
  first: Part<Candidate>,
  request: CandidatesRequest,
  options: ClaimOptions,
): Promise<Part<Candidate>[] | null> {
  const placed = [first];
  while (placed.length < options.count) {
    const last = placed[placed.length - 1];
    const seed = mix(options.seed, placed.length);
    const next = await placeOne(afterwards(last), request, { ...options, seed });
    if (next === null) return null;
    placed.push(next);
  }
  return placed;
}

/** The offer when a candidate has been claimed. */
function afterwards({ found, ...candidate }: Part<Candidate>): Snapshot {
  return drawnFrom(found.snapshot, allocationsOf(found.plan!, candidate));
}
