import { ensure, firstDuplicate, unknownName, InvalidInput } from '../model/input.js';
import {
  checkLength,
  validateAlternatives,
  validateList,
  validateNotForbidden,
  validateResources,
  validateTraits,
  type KnownNames,
  type Path,
  type CandidatesRequest,
  type RequestGroup,
  type SubtreeAffinity,
} from '../model/request.js';
import { planRequest, type Plan } from './plan.js';
import type { Candidate } from './anchor.js';
import { isCounterClass } from './counters.js';
import { validateOrder } from './ordered/orderValidation.js';
import { OrderedSearch, type OrderedSearchOptions } from './ordered/orderedSearch.js';
import { Search, type ResumableSearch } from './search.js';
import type { Snapshot } from '../fleet/snapshot.js';
import type { Operation } from '../model/operation/operation.js';
import type { Effort } from '../model/operation/waiting.js';
import { SLICE } from './timeSlices.js';

const MAX_GROUPS = 256;

const SUFFIX = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws InvalidInput if rules 5, 14, 113-125 or decisions D7, D12, D13 reject the request. */
export function validateRequest(request: CandidatesRequest, known: KnownNames): void {
  validateGroupList(request.groups);
  request.groups.forEach((group, position) => validateGroup(group, ['groups', String(position)], known));
  validateSubtrees(request);
  validateIsolation(request);
  validateResourceless(request);
  validateConsistentTraits(
    { required: request.rootRequiredTraits, forbidden: request.rootForbiddenTraits },
    { required: ['rootRequiredTraits'], forbidden: ['rootForbiddenTraits'] },
    known,
  );
  validateAlternatives(request.rootMemberOf, ['rootMemberOf']);
  validateList(request.rootForbiddenAggregates, ['rootForbiddenAggregates'], 'aggregate');
  validateList(request.notInTrees, ['notInTrees'], 'provider');
  validateList(request.awayFromConsumers, ['awayFromConsumers'], 'consumer');
  validateList(request.nearConsumers, ['nearConsumers'], 'consumer');
  if (request.orderBy.length > 0) validateOrder(request, known);
}

function validateGroupList(groups: readonly RequestGroup[]): void {
  ensure(groups.length > 0, ['groups'], 'a request needs at least one group with resources');
  const count = `${groups.length} groups: a request may have at most ${MAX_GROUPS}`;
  ensure(groups.length <= MAX_GROUPS, ['groups'], count);
  const repeated = firstDuplicate(groups.map(({ suffix }) => suffix));
  groups.forEach(({ suffix }, position) => {
    const path = ['groups', String(position), 'suffix'];
    const message = `suffix ${JSON.stringify(suffix)} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`;
    ensure(suffix === '' || SUFFIX.test(suffix), path, message);
    const twice = suffix === '' ? 'there may be only one unsuffixed group' : `suffix ${suffix} is repeated`;
    ensure(position !== repeated, path, twice);
  });
  const hasResources = groups.some(({ resources }) => resources.length > 0);
  ensure(hasResources, ['groups'], 'at least one group must ask for resources');
}

function validateGroup(group: RequestGroup, path: Path, known: KnownNames): void {
  validateResources(group.resources, [...path, 'resources'], known);
  validateConsistentTraits(
    { required: group.requiredTraits, forbidden: group.forbiddenTraits },
    { required: [...path, 'requiredTraits'], forbidden: [...path, 'forbiddenTraits'] },
    known,
  );
  validateAlternatives(group.memberOf, [...path, 'memberOf']);
  validateList(group.forbiddenAggregates, [...path, 'forbiddenAggregates'], 'aggregate');
  validateSplitting(group, [...path, 'canSplit'], known);
}

function validateConsistentTraits(...[traits, paths, known]: Parameters<typeof validateTraits>): void {
  validateTraits(traits, paths, known);
  validateNotForbidden(traits, paths.required);
}

function validateSplitting(
  { suffix, resources, canSplit }: RequestGroup,
  path: Path,
  known: KnownNames,
): void {
  const granular = `group ${suffix} is granular: only amounts of the unsuffixed group can be split`;
  ensure(canSplit.length === 0 || suffix === '', path, granular);
  validateList(canSplit, path, 'resource class');
  const requested = new Set(resources.map(({ resourceClass }) => resourceClass));
  canSplit.forEach((name, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(name)) throw unknownName('resource class', name, here);
    ensure(requested.has(name), here, `the group does not ask for resource class ${name}`);
  });
}

/** Checks that subtree conditions name granular groups, each on one side and once (rule 115). */
function validateSubtrees({ groups, sameSubtree }: CandidatesRequest): void {
  checkLength(sameSubtree, ['sameSubtree']);
  const suffixes = suffixesOf(groups);
  const seen = new Set<SubtreeAffinity>();
  sameSubtree.forEach((condition, position) => {
    if (seen.has(condition)) return;
    seen.add(condition);
    const path = ['sameSubtree', String(position)];
    const isEmpty = condition.groups.length === 0;
    ensure(!isEmpty, [...path, 'groups'], 'an empty list: name at least one group');
    validateSuffixes(condition.groups, [...path, 'groups'], suffixes, 'be in a subtree condition');
    validateSuffixes(condition.except, [...path, 'except'], suffixes, 'be in a subtree condition');
    const within = new Set(condition.groups);
    condition.except.forEach((suffix, inner) => {
      const message = `suffix ${suffix} is among the groups of the same condition`;
      ensure(!within.has(suffix), [...path, 'except', String(inner)], message);
    });
  });
}

function validateIsolation({ groups, groupPolicy, isolate }: CandidatesRequest): void {
  const message = 'isolate and groupPolicy ISOLATE exclude each other: give one of them';
  ensure(isolate.length === 0 || groupPolicy !== 'ISOLATE', ['isolate'], message);
  validateSuffixes(isolate, ['isolate'], suffixesOf(groups), 'be isolated');
}

function suffixesOf(groups: readonly RequestGroup[]): ReadonlySet<string> {
  return new Set(groups.map(({ suffix }) => suffix));
}

function validateSuffixes(
  suffixes: readonly string[],
  path: Path,
  known: ReadonlySet<string>,
  purpose: string,
): void {
  validateList(suffixes, path, 'suffix');
  suffixes.forEach((suffix, position) => {
    const here = [...path, String(position)];
    ensure(suffix !== '', here, `the unsuffixed group cannot ${purpose}`);
    ensure(known.has(suffix), here, `no group of the request has the suffix ${JSON.stringify(suffix)}`);
  });
}

/** A group without resources must be granular and in a subtree condition (rule 114, decision D13). */
function validateResourceless({ groups, sameSubtree }: CandidatesRequest): void {
  const named = new Set(sameSubtree.flatMap((condition) => [...condition.groups, ...condition.except]));
  groups.forEach(({ suffix, resources }, position) => {
    const message =
      suffix === ''
        ? 'the unsuffixed group must ask for resources'
        : `group ${suffix} has no resources, so a subtree condition must name it`;
    ensure(resources.length > 0 || named.has(suffix), ['groups', String(position), 'resources'], message);
  });
}

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

/** Returns the search for the order of a plan. */
export function searchFor(snapshot: Snapshot, plan: Plan, options: OrderedSearchOptions): ResumableSearch {
  return new (plan.orderBy.length > 0 ? OrderedSearch : Search)(snapshot, plan, options);
}

/** The work of a search between two checks of the effort. */
const WORK_PER_RUN = 2_000;

/**
 * Runs the search for the order of a plan to its end, or until `maxWork`, and adds its work to the effort. Yields
 * when the effort is used up.
 */
export function* finishedSearch(
  snapshot: Snapshot,
  plan: Plan,
  options: OrderedSearchOptions,
  effort: Effort,
  maxWork = Infinity,
): Generator<void, ResumableSearch> {
  const search = searchFor(snapshot, plan, options);
  while (!search.isDone && search.effort.spent < maxWork) {
    const before = search.effort.spent;
    search.run(WORK_PER_RUN);
    effort.otherWork += search.effort.spent - before;
    if (effort.isUsedUp) yield;
  }
  return search;
}

/** A search that takes no memory and no time before its first time slice. */
class CandidateSearch {
  private plan: Plan | null = null;
  /** Null if there is nothing to search; undefined before the first slice. */
  private search: ResumableSearch | null | undefined;

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

  private begin(): ResumableSearch | null {
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

export function namesKnownIn({ classes, traits, blocks }: Snapshot): KnownNames {
  return {
    hasClass: (name) => classes.idOf(name) !== undefined,
    hasTrait: (name) => traits.idOf(name) !== undefined,
    isCounter: (name) =>
      blocks.some(({ consumption }) => consumption !== null) && isCounterClass(blocks, classes.idOf(name)!),
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
