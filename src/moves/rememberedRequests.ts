import { once, sumsByClass } from '../model/collections.js';
import { DISABLED_TRAIT } from '../model/provider.js';
import {
  groupOf,
  requestOfText,
  type CandidatesRequest,
  type Holdings,
  type RequestGroup,
  type ResourceAmount,
} from '../model/request.js';
import type { Operation } from '../model/operation/operation.js';
import type { RememberedRequest } from '../store/sql/rememberedRequests.js';

type Amounts = readonly ResourceAmount[];

/** Returns the amounts of all groups, one for each class. */
export function amountsOf(groups: readonly { readonly resources?: Amounts }[]): ResourceAmount[] {
  return sumsByClass(groups.flatMap(({ resources = [] }) => resources));
}

/** Returns whether the allocations of a consumer have other amounts than the request that it was placed by. */
export function isOutdated(groups: readonly { readonly resources?: Amounts }[], allocated: Amounts): boolean {
  const wanted = new Map(amountsOf(groups).map(({ resourceClass, amount }) => [resourceClass, amount]));
  const sums = sumsByClass(allocated);
  return (
    sums.length !== wanted.size ||
    sums.some(({ resourceClass, amount }) => wanted.get(resourceClass) !== amount)
  );
}

/**
 * Returns an outdated request with the amounts of the allocations, and its own conditions. The groups with a class take
 * their amounts in their order as far as the sum suffices, and the last of them takes the rest. The unsuffixed group
 * takes the classes that the request does not have. Groups without an amount are dropped unless `sameSubtree` names them.
 */
function withAmounts(request: CandidatesRequest, allocated: Amounts): CandidatesRequest {
  const left = new Map(sumsByClass(allocated).map(({ resourceClass, amount }) => [resourceClass, amount]));
  const lastWith = new Map(
    request.groups.flatMap(({ suffix, resources }) =>
      resources.map(({ resourceClass }) => [resourceClass, suffix] as const),
    ),
  );
  const kept = request.groups.map((group): RequestGroup => {
    const resources = group.resources.flatMap(({ resourceClass, amount }) => {
      const rest = left.get(resourceClass) ?? 0;
      const own = lastWith.get(resourceClass) === group.suffix ? rest : Math.min(rest, amount);
      left.set(resourceClass, rest - own);
      return own > 0 ? [{ resourceClass, amount: own }] : [];
    });
    return withResources(group, resources);
  });
  const more = Array.from(left, ([resourceClass, amount]) => ({ resourceClass, amount })).filter(
    ({ amount }) => amount > 0,
  );
  const groups = more.length === 0 ? kept : withUnsuffixed(kept, more);
  const tied = new Set(request.sameSubtree.flatMap(({ groups: named, except }) => [...named, ...except]));
  const present = groups.filter(({ suffix, resources }) => resources.length > 0 || tied.has(suffix));
  const suffixes = new Set(present.map(({ suffix }) => suffix));
  const classes = new Set(present.flatMap(({ resources }) => resources.map((each) => each.resourceClass)));
  return {
    ...request,
    groups: present,
    isolate: request.isolate.filter((suffix) => suffixes.has(suffix)),
    orderBy: request.orderBy.filter(({ freeShare }) => !freeShare || classes.has(freeShare.resourceClass)),
  };
}

function withResources(group: RequestGroup, resources: Amounts): RequestGroup {
  const classes = new Set(resources.map(({ resourceClass }) => resourceClass));
  return { ...group, resources, canSplit: group.canSplit.filter((name) => classes.has(name)) };
}

function withUnsuffixed(groups: readonly RequestGroup[], more: Amounts): RequestGroup[] {
  const own = groups.find(({ suffix }) => suffix === '');
  if (own === undefined) return [groupOf('', more), ...groups];
  return groups.map((group) => (group === own ? { ...own, resources: [...own.resources, ...more] } : group));
}

/**
 * Returns a function that removes the consumers without allocations from `nearConsumers` of a remembered request: those
 * that have ended since restrict no move. Plans compare lists by identity, so each request gives one object.
 *
 * @param arriving consumers that a plan places, which may have no allocations yet
 */
export function withoutEnded(
  holdings: Holdings,
  arriving: ReadonlySet<string> = new Set(),
): (remembered: CandidatesRequest) => CandidatesRequest {
  const isPresent = (uuid: string): boolean => arriving.has(uuid) || holdings.get(uuid)?.length !== 0;
  return once((remembered: CandidatesRequest) => {
    const nearConsumers = remembered.nearConsumers.filter(isPresent);
    const isSame = nearConsumers.length === remembered.nearConsumers.length;
    return isSame ? remembered : { ...remembered, nearConsumers };
  });
}

/**
 * Where the request of a consumer is from. STATED: the client passed it. REMEMBERED: the consumer was placed by it.
 * OUTDATED: remembered, with the amounts of the allocations. DERIVED: from the allocations.
 */
export type RequestSource = 'STATED' | 'REMEMBERED' | 'OUTDATED' | 'DERIVED';

export interface SourcedRequest {
  readonly request: CandidatesRequest;
  readonly source: RequestSource;
}

type RequestText = Pick<RememberedRequest, 'id' | 'body'>;

/**
 * Translates remembered texts to requests for moves. Texts with one id give the same request. The trees that a claim names are
 * those of its day: a move may leave them. It does not go to a host in maintenance, which a claim need not exclude.
 */
export class RequestTexts {
  /** By id: V8 compares long texts of equal length one after another. */
  private readonly requests = new Map<number, CandidatesRequest>();
  private readonly adjusted = new Map<string, CandidatesRequest>();
  private readonly excluded: readonly string[];

  constructor(excludedRootTraits: readonly string[]) {
    this.excluded = [...new Set([...excludedRootTraits, DISABLED_TRAIT])];
  }

  requestOf({ id, body }: RequestText): CandidatesRequest {
    let request = this.requests.get(id);
    if (request === undefined) {
      const { groups, ...conditions } = requestOfText(body, this.excluded);
      const anywhere = groups.map((group) => ({ ...group, inTree: null, inSubtree: null }));
      this.requests.set(id, (request = { ...conditions, groups: anywhere, notInTrees: [] }));
    }
    return request;
  }

  /** Returns the request of a consumer with these allocations. */
  requestFor(text: RequestText, allocated: Amounts): SourcedRequest {
    const request = this.requestOf(text);
    if (!isOutdated(request.groups, allocated)) return { request, source: 'REMEMBERED' };
    const key = JSON.stringify([text.id, sumsByClass(allocated)]);
    let adjusted = this.adjusted.get(key);
    if (adjusted === undefined) this.adjusted.set(key, (adjusted = withAmounts(request, allocated)));
    return { request: adjusted, source: 'OUTDATED' };
  }
}

/** Adds their requests to remembered texts, in time slices. */
export async function withRequests<Text extends RequestText>(
  texts: RequestTexts,
  all: Iterable<Text>,
  operation: Operation,
): Promise<(Text & { readonly request: CandidatesRequest })[]> {
  const found: (Text & { readonly request: CandidatesRequest })[] = [];
  for (const text of all) {
    found.push({ ...text, request: texts.requestOf(text) });
    await operation.pauseAfterSlice();
  }
  return found;
}
