import type { Candidate } from '../engine/model/candidate.js';
import { InvalidInput } from '../domain/invalidInput.js';
import type { KnownNames } from '../domain/providerConditions.js';
import { planRequest, type Plan } from '../engine/model/plan.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import { validateRequest } from '../engine/model/requestValidation.js';
import { searchFor } from '../engine/ordered/orderedSearch.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { Operation } from '../runtime/operation.js';
import { SLICE } from './timeSlices.js';

export interface FoundCandidates {
  readonly snapshot: Snapshot;
  readonly request: CandidatesRequest;
  /** Null when nothing could be searched: some condition names what nobody has. */
  readonly plan: Plan | null;
  readonly candidates: readonly Candidate[];
  /** Whether there are no more; told only where that was asked for. */
  readonly complete: boolean;
  readonly seed: number;
}

/** Where searches get the snapshot that they read. */
export interface SnapshotSource {
  /** Sees every transaction that was committed before the call. */
  current(): Promise<Snapshot>;
  /** What `current` will probably give, where that can be told: nothing has changed for a while. */
  readonly speculative: Snapshot | null;
  /**
   * Makes `current` read these providers again, and the catalog if asked, because a write was rejected that should have succeeded by
   * the snapshot. Tells whether any provider had been changed by a writer that does not use the change feed.
   */
  reread(providerUuids: readonly string[], catalog?: boolean): Promise<boolean>;
  /** How often the whole snapshot was loaded from the database. */
  readonly fullLoads: number;
}

/** Something of an answer together with the answer, whose snapshot and plan give its numbers their names. */
export type Found<T> = T & { readonly found: FoundCandidates };

interface Options {
  readonly limit: number;
  readonly seed: number;
  /** Whether to tell that there are more than wanted: that may take much longer than to find those. */
  readonly wantsComplete: boolean;
  readonly operation: Operation;
}

/**
 * Searches a snapshot in turns of the operation.
 *
 * @throws InvalidInput for a request that is malformed or names what the catalog does not have
 * @throws TimedOut when the operation takes longer than it may
 */
export function findCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  options: Options,
): Promise<FoundCandidates> {
  return finish(begin(snapshot, request, options), options);
}

/**
 * The same in the current snapshot. While the database is being asked whether anything has changed, the search begins speculatively
 * in the snapshot there is: it goes on if nothing has, and otherwise begins anew (ADR 10).
 */
export async function findCurrentCandidates(
  snapshots: SnapshotSource,
  request: CandidatesRequest,
  options: Options,
): Promise<FoundCandidates> {
  const speculative = beginSpeculatively(snapshots.speculative, request, options);
  const snapshot = await currentSnapshot(snapshots, options.operation);
  return speculative?.snapshot === snapshot
    ? finish(speculative, options)
    : findCandidates(snapshot, request, options);
}

/** The current snapshot, for an operation that waits for it. */
export function currentSnapshot(
  snapshots: SnapshotSource,
  { activity }: Pick<Operation, 'activity'>,
): Promise<Snapshot> {
  return activity.inDatabase('freshness check', () => snapshots.current());
}

/** A search in progress; null when there is nothing to search. */
interface Begun extends Pick<FoundCandidates, 'snapshot' | 'request' | 'plan' | 'seed'> {
  readonly search: ReturnType<typeof searchFor> | null;
}

function begin(snapshot: Snapshot, request: CandidatesRequest, options: Options): Begun {
  validateIn(snapshot, request);
  const { limit, seed, wantsComplete } = options;
  const plan = planRequest(snapshot, request);
  const search =
    plan &&
    searchFor(snapshot, plan, {
      limit,
      roundRobin: true,
      seed,
      stopsAtLimit: !wantsComplete,
    });
  return { snapshot, request, plan, search, seed };
}

/**
 * Searches for one slice, where it need not wait for a turn. Null without a snapshot, and where the request is invalid in it: in the
 * current one it may be valid.
 */
function beginSpeculatively(
  snapshot: Snapshot | null,
  request: CandidatesRequest,
  options: Options,
): Begun | null {
  if (snapshot === null) return null;
  try {
    const begun = begin(snapshot, request, options);
    const { search } = begun;
    if (search !== null) options.operation.attempt(() => search.run(SLICE));
    return begun;
  } catch (error) {
    if (error instanceof InvalidInput) return null;
    throw error;
  }
}

async function finish({ search, ...begun }: Begun, { operation }: Options): Promise<FoundCandidates> {
  if (search === null) return { ...begun, candidates: [], complete: true };
  await operation.run(() => search.run(SLICE));
  operation.activity.effort += search.effort.spent;
  return { ...begun, candidates: search.candidates, complete: search.complete };
}

/** Which names the catalog has in a snapshot. */
export function namesKnownIn({ classes, traits }: Snapshot): KnownNames {
  return {
    hasClass: (name) => classes.idOf(name) !== undefined,
    hasTrait: (name) => traits.idOf(name) !== undefined,
  };
}

/** @throws InvalidInput for a malformed request or unknown names; its path begins with `prefix` */
export function validateIn(snapshot: Snapshot, request: CandidatesRequest, prefix: string[] = []): void {
  try {
    validateRequest(request, namesKnownIn(snapshot));
  } catch (error) {
    if (error instanceof InvalidInput) throw error.within(prefix);
    throw error;
  }
}
