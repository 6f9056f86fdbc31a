import type { Candidate } from './candidate.js';
import { InvalidInput, unknownName } from '../model/invalidInput.js';
import type { KnownNames } from '../model/providerConditions.js';
import { planRequest, type Plan } from './plan.js';
import type { CandidatesRequest } from '../model/request.js';
import { validateRequest } from './requestValidation.js';
import { searchFor } from './ordered/orderedSearch.js';
import type { Snapshot } from '../fleet/snapshot.js';
import type { Operation } from '../model/operation/operation.js';
import { SLICE } from './timeSlices.js';

export interface FoundCandidates {
  readonly snapshot: Snapshot;
  readonly request: CandidatesRequest;
  /** Null if no provider can meet a condition, because it names only unknown objects, and if nothing is wanted. */
  readonly plan: Plan | null;
  /** Empty unless `wantsCandidates`. */
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
   * Compares these providers (0 stands for the catalog) with the database. Returns those that another program has
   * changed without the feed. The next call of `current` returns them as they are.
   */
  recheck(ids: ReadonlySet<number>): Promise<readonly number[]>;
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
  /** Defaults to true. If nothing is wanted, there is no search. */
  readonly wantsCandidates?: boolean;
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
  return new CandidateSearch(snapshot, request, options).result();
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
  const { speculative } = snapshots;
  const early = speculative && new CandidateSearch(speculative, request, options);
  const isValid = early?.attempt() ?? false;
  const snapshot = await currentSnapshot(snapshots, options.operation);
  return isValid && early?.snapshot === snapshot
    ? early.result()
    : findCandidates(snapshot, request, options);
}

export function currentSnapshot(
  snapshots: SnapshotSource,
  { activity }: Pick<Operation, 'activity'>,
): Promise<Snapshot> {
  return activity.inDatabase('freshness check', () => snapshots.current());
}

/** A search that takes no memory and no time before its first time slice. */
class CandidateSearch {
  private plan: Plan | null = null;
  /** Null if there is nothing to search; undefined before the first slice. */
  private search: ReturnType<typeof searchFor> | null | undefined;

  constructor(
    readonly snapshot: Snapshot,
    private readonly request: CandidatesRequest,
    private readonly options: Options,
  ) {}

  /**
   * Runs one slice if no other operation waits. Returns false if the request is invalid in this snapshot: it may be
   * valid in the current one.
   */
  attempt(): boolean {
    try {
      this.options.operation.attempt(() => this.step());
      return true;
    } catch (error) {
      if (error instanceof InvalidInput) return false;
      throw error;
    }
  }

  async result(): Promise<FoundCandidates> {
    const { snapshot, request, options } = this;
    const { operation, seed } = options;
    await operation.run(() => this.step());
    const { plan, search } = this;
    operation.activity.effort += search?.effort.spent ?? 0;
    const { candidates, complete } = search ?? { candidates: [], complete: true };
    return { snapshot, request, plan, seed, candidates, complete };
  }

  /** Runs one slice. Returns true when the search is done. */
  private step(): boolean {
    if (this.search === undefined) this.search = this.begin();
    return this.search === null || this.search.run(SLICE);
  }

  private begin(): ReturnType<typeof searchFor> | null {
    const { snapshot, request } = this;
    const { limit, seed, wantsCandidates = true, wantsComplete } = this.options;
    validateIn(snapshot, request);
    if (!wantsCandidates && !wantsComplete) return null;
    this.plan = planRequest(snapshot, request);
    if (this.plan === null) return null;
    const options = { limit, seed, stopsAtLimit: !wantsComplete };
    if (wantsCandidates) return searchFor(snapshot, this.plan, options);
    return searchFor(snapshot, { ...this.plan, orderBy: [] }, { ...options, countsOnly: true });
  }
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
