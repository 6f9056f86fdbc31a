import type { Candidate } from '../engine/candidate.js';
import { planRequest, type Plan } from '../engine/plan.js';
import { validateRequest, type CandidatesRequest } from '../engine/request.js';
import { searchFor } from '../engine/orderedSearch.js';
import type { Snapshot } from '../engine/snapshot.js';
import { inTurns } from './turns.js';

/** Candidates beyond this many are not listed: `complete` is then false. */
export const MOST_CANDIDATES = 100_000;

export interface FoundCandidates {
  readonly snapshot: Snapshot;
  readonly request: CandidatesRequest;
  /** Null when nothing could be searched: some condition names what nobody has. */
  readonly plan: Plan | null;
  readonly candidates: readonly Candidate[];
  readonly complete: boolean;
  readonly seed: number;
}

/**
 * Searches a snapshot, giving other work a turn between slices.
 *
 * @throws InvalidInput for a request that rules.md section 11 refuses
 * @throws TimedOut when the search takes longer than it may
 */
export async function findCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  options: { readonly limit: number | null; readonly seed: number; readonly signal?: AbortSignal },
): Promise<FoundCandidates> {
  validateIn(snapshot, request);
  const { seed, signal } = options;
  const plan = planRequest(snapshot, request);
  if (plan === null) return { snapshot, request, plan, candidates: [], complete: true, seed };
  const limit = Math.min(options.limit ?? MOST_CANDIDATES, MOST_CANDIDATES);
  const search = searchFor(snapshot, plan, { limit, inTurn: options.limit !== null, seed });
  await inTurns((work) => search.run(work), { what: 'the search for candidates', signal });
  return { snapshot, request, plan, candidates: search.candidates, complete: search.complete, seed };
}

/** @throws InvalidInput for a request that is malformed or names what the catalog of the snapshot does not have */
export function validateIn(snapshot: Snapshot, request: CandidatesRequest): void {
  validateRequest(request, {
    hasClass: (name) => snapshot.classes.idOf(name) !== undefined,
    hasTrait: (name) => snapshot.traits.idOf(name) !== undefined,
  });
}
