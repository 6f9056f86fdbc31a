import type { Candidate } from '../engine/model/candidate.js';
import { InvalidInput, unknownName } from '../domain/invalidInput.js';
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
  /** Null if no provider can meet a condition, because it names only unknown objects. */
  readonly plan: Plan | null;
  readonly candidates: readonly Candidate[];
  /** False if there are more candidates. Valid only if `wantsComplete`. */
  readonly complete: boolean;
  readonly seed: number;
}

export interface SnapshotSource {
  /** Returns a snapshot with every transaction that was committed before the call. */
  current(): Promise<Snapshot>;
  /** The probable result of `current`; null if there was a change recently. */
  readonly speculative: Snapshot | null;
  /**
   * Makes `current` read these providers, and the catalog if asked, again. Returns whether another program
   * has changed any provider without the feed.
   */
  reread(providerUuids: readonly string[], catalog?: boolean): Promise<boolean>;
  /** The number of times that the whole fleet was read. */
  readonly fullLoads: number;
  /** The providers that a what-if has removed with their allocations. Absent: none. Valid after `current`. */
  readonly removed?: RemovedProviders;
}

export interface RemovedProviders {
  readonly ids: ReadonlySet<number>;
  readonly uuids: ReadonlySet<string>;
}

/** A part of a search result with the whole result, which resolves the ids of the part. */
export type Found<T> = T & { readonly found: FoundCandidates };

interface Options {
  readonly limit: number;
  readonly seed: number;
  /** True to determine if there are more than `limit` candidates, which may take much longer. */
  readonly wantsComplete: boolean;
  readonly operation: Operation;
}

/**
 * Searches a snapshot in time slices of the operation.
 *
 * @throws InvalidInput for a malformed request or unknown names; TimedOut
 */
export function findCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  options: Options,
): Promise<FoundCandidates> {
  return finish(begin(snapshot, request, options), options);
}

/**
 * Searches the current snapshot. Starts speculatively in the last known snapshot during the
 * freshness check, and starts again if anything has changed (ADR 10).
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

export function currentSnapshot(
  snapshots: SnapshotSource,
  { activity }: Pick<Operation, 'activity'>,
): Promise<Snapshot> {
  return activity.inDatabase('freshness check', () => snapshots.current());
}

/** A search in progress; null if there is nothing to search. */
interface Begun extends Pick<FoundCandidates, 'snapshot' | 'request' | 'plan' | 'seed'> {
  readonly search: ReturnType<typeof searchFor> | null;
}

function begin(snapshot: Snapshot, request: CandidatesRequest, options: Options): Begun {
  validateIn(snapshot, request);
  const { limit, seed, wantsComplete } = options;
  const plan = planRequest(snapshot, request);
  const search = plan && searchFor(snapshot, plan, { limit, seed, stopsAtLimit: !wantsComplete });
  return { snapshot, request, plan, search, seed };
}

/**
 * Searches for one slice if no other operation waits. Returns null if the request is invalid in this
 * snapshot: it may be valid in the current one.
 */
function beginSpeculatively(
  snapshot: Snapshot | null,
  request: CandidatesRequest,
  options: Options,
): Begun | null {
  if (snapshot === null) return null;
  try {
    const begun = begin(snapshot, request, options);
    if (begun.search) options.operation.attempt(() => begun.search!.run(SLICE));
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

export function namesKnownIn({ classes, traits }: Snapshot): KnownNames {
  return {
    hasClass: (name) => classes.idOf(name) !== undefined,
    hasTrait: (name) => traits.idOf(name) !== undefined,
  };
}

/** Returns the id of a resource class. @throws InvalidInput for an unknown name */
export function classIdIn({ classes }: Snapshot, name: string, path: readonly string[]): number {
  const id = classes.idOf(name);
  if (id === undefined) throw unknownName('resource class', name, path);
  return id;
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
