import { once } from '../../model/collections.js';
import type { CandidatesRequest, KnownNames, Path } from '../../model/request.js';
import type { InnerStatement } from '../workload/innerStatement.js';
import { type KnownWorkloadNames, validateRules } from '../workload/ruleValidation.js';
import { TopologySearch, type RejectedTopology } from '../workload/topologyAlternatives.js';
import type { Workload, WorkloadMember } from '../workload/workload.js';
import { ensure, firstDuplicate, InvalidInput } from '../../model/input.js';
import { validateRequest, namesKnownIn } from '../../search/candidateSearch.js';
import { allocationsOf } from '../../search/anchor.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { withAllocated } from '../../search/overlay/snapshotOverlay.js';
import type { PlacedMember, WorkloadFound } from '../workload/workloadSearch.js';
import type { Operation } from '../../model/operation/operation.js';
import type { ConsumerReader, HeldConsumer } from '../../store/sql/consumers.js';
import {
  claimable,
  findClaimCandidates,
  type ClaimCandidate,
  keptPositions,
  type ClaimConsumer,
  withHoldings,
} from '../heldConsumers.js';
import { NoCandidates } from './noCandidates.js';
import { SLICE } from '../../search/timeSlices.js';

/**
 * Returns the workload with requests that name none of its consumers, and the relations between these. They
 * are judged by the positions after the change (decision D22). Where a request of one consumer names of
 * the workload only this consumer, it stays as it is: it means the position before, which a move leaves.
 */
export function separateRelations(workload: Workload, consumers: readonly (readonly string[])[]): Workload {
  const all = new Set(consumers.flat());
  const separated = workload.members.map(({ requests }, member) => {
    const own = consumers[member].length === 1 ? consumers[member][0] : null;
    return requests.map(once((request: CandidatesRequest) => separate(request, all, own)));
  });
  if (separated.flat().every(({ statement }) => statement === null)) return workload;
  return {
    ...workload,
    members: workload.members.map((member, at) => ({
      ...member,
      requests: separated[at].map(({ request }) => request),
    })),
    relations: {
      consumers: consumers.flat(),
      statements: separated.map((requests) => requests.map(({ statement }) => statement)),
    },
  };
}

interface Separated {
  readonly request: CandidatesRequest;
  readonly statement: InnerStatement | null;
}

function separate(request: CandidatesRequest, all: ReadonlySet<string>, own: string | null): Separated {
  const { awayFromConsumers, nearConsumers, orderBy, holdings } = request;
  const innerIn = (uuids: readonly string[]): readonly string[] => {
    const inner = uuids.filter((uuid) => all.has(uuid));
    return inner.every((uuid) => uuid === own) ? [] : inner;
  };
  const away = innerIn(awayFromConsumers);
  const isNear = innerIn(nearConsumers).length > 0;
  const preferred = orderBy.map((term) => innerIn(term.nearConsumers ?? []));
  if (away.length === 0 && !isNear && preferred.every((uuids) => uuids.length === 0))
    return { request, statement: null };
  const outer = (uuids: readonly string[]): string[] => uuids.filter((uuid) => !all.has(uuid));
  return {
    request: {
      ...request,
      awayFromConsumers: away.length > 0 ? outer(awayFromConsumers) : awayFromConsumers,
      nearConsumers: isNear ? [] : nearConsumers,
      orderBy: orderBy.map((term, at) =>
        preferred[at].length > 0 ? { ...term, nearConsumers: outer(term.nearConsumers!) } : term,
      ),
    },
    statement: {
      awayFromConsumers: away,
      nearConsumers: isNear ? nearConsumers : [],
      preferred,
      holdings,
    },
  };
}

const MAX_MEMBERS = 64;
const MAX_CLAIMED = 1000;
const MAX_REQUESTS = 8;
const MEMBER_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @throws InvalidInput for a malformed workload, unknown names or contradictory rules */
export function validateWorkload(workload: Workload, known: KnownWorkloadNames): void {
  const { members, topology, topologyAlternatives = [] } = workload;
  const size = `${members.length} members: a workload has 1 to ${MAX_MEMBERS}`;
  ensure(members.length >= 1 && members.length <= MAX_MEMBERS, ['members'], size);
  let consumers = 0;
  members.forEach(({ count }, position) => {
    consumers += count;
    const total = `more than ${MAX_CLAIMED} consumers: a workload has at most that many`;
    ensure(consumers <= MAX_CLAIMED, ['members', String(position), 'consumers'], total);
  });
  const valid = new Set<CandidatesRequest>();
  const repeated = firstDuplicate(members.map(({ name }) => name));
  members.forEach((member, position) => {
    const path = ['members', String(position)];
    const message = `member ${JSON.stringify(member.name)} is repeated`;
    ensure(position !== repeated, [...path, 'name'], message);
    validateMember(member, path, { known, valid });
  });
  if (topology.length + topologyAlternatives.length === 0) return;
  const counts = new Map(members.map(({ name, count }) => [name, count]));
  validateRules(topology, ['topology'], counts, known);
  const alternatives = ['topologyAlternatives'];
  const many = `${topologyAlternatives.length} alternatives: at most ${MAX_REQUESTS}`;
  ensure(topologyAlternatives.length <= MAX_REQUESTS, alternatives, many);
  topologyAlternatives.forEach((rules, position) =>
    validateRules(rules, [...alternatives, String(position), 'rules'], counts, known, topology),
  );
}

/** @param valid the requests of earlier members: members may share a request */
function validateMember(
  { name, count, requests }: WorkloadMember,
  path: Path,
  { known, valid }: { readonly known: KnownNames; readonly valid: Set<CandidatesRequest> },
): void {
  const unnamed = `member ${JSON.stringify(name.slice(0, 64))} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`;
  ensure(MEMBER_NAME.test(name), [...path, 'name'], unnamed);
  const list = [...path, 'requests'];
  const message = `${requests.length} requests: a member has 1 to ${MAX_REQUESTS}`;
  ensure(requests.length >= 1 && requests.length <= MAX_REQUESTS, list, message);
  requests.forEach((request, position) => {
    if (valid.has(request)) return;
    try {
      validateRequest(request, known);
      valid.add(request);
    } catch (error) {
      throw error instanceof InvalidInput ? error.within([...list, String(position)]) : error;
    }
  });
  ensure(count >= 1, [...path, 'consumers'], 'a member has at least one consumer');
}

/** A member with one candidate for each consumer. */
export interface MemberPlacement extends Omit<PlacedMember, 'candidates'> {
  readonly candidates: readonly ClaimCandidate[];
}

/** A workload that is placed in a snapshot. */
export interface WorkloadPlacement extends Pick<WorkloadFound, 'isOptimal' | 'domains' | 'outside'> {
  readonly snapshot: Snapshot;
  readonly workload: Workload;
  readonly seed: number;
  readonly members: readonly MemberPlacement[];
  /** The position of the alternative of the topology, whose rules follow those of `topology`; null if it has none. */
  readonly topologyAlternative: number | null;
  readonly rejectedTopologies: readonly RejectedTopology[];
}

export interface PlacementOptions {
  readonly seed: number;
  readonly operation: Operation;
  /** Returns true once the search must stop. The best placement so far is then the answer. */
  readonly isOver: () => boolean;
}

/**
 * Places all consumers of a workload. If the workload has a single request, no topology and no relations
 * between its consumers, a search for equal consumers precedes the search for unlike ones.
 *
 * @throws NoCandidates, TimedOut
 */
export async function placeWorkload(
  snapshot: Snapshot,
  workload: Workload,
  options: PlacementOptions,
): Promise<WorkloadPlacement> {
  const { members, topology, topologyAlternatives = [], relations, present } = workload;
  const isSingle = members.length === 1 && members[0].requests.length === 1;
  const isFree = topology.length === 0 && topologyAlternatives.length === 0;
  const isEqual = isSingle && isFree && relations === undefined && present === undefined;
  const placed = isEqual ? await placeEqual(snapshot, workload, options) : null;
  return { snapshot, seed: options.seed, ...(placed ?? (await placeUnlike(snapshot, workload, options))) };
}

type Placed = Omit<WorkloadPlacement, 'snapshot' | 'seed'>;

/** Returns null if it does not find candidates for all consumers. */
async function placeEqual(
  snapshot: Snapshot,
  workload: Workload,
  { seed, operation }: PlacementOptions,
): Promise<Placed | null> {
  const [{ count, placement: policy, requests }] = workload.members;
  const candidates = await findClaimCandidates(snapshot, requests[0], { count, policy, seed, operation });
  if (candidates === null) return null;
  if (candidates.length === 0) {
    const cause = { member: 0, rule: null, shortage: null };
    const answer = { kind: 'IMPOSSIBLE', cause, requested: count, fit: [0], isLargest: true } as const;
    throw new NoCandidates({ snapshot, workload }, answer);
  }
  const isOptimal = count === 1 || requests[0].orderBy.length === 0 || areAllBest(requests[0], candidates);
  return {
    workload,
    isOptimal,
    members: [{ alternative: 0, rejected: [], candidates }],
    domains: [],
    outside: [],
    topologyAlternative: null,
    rejectedTopologies: [],
  };
}

/**
 * Returns whether each consumer of a sequence has the best score of one consumer alone. A free share counts the
 * consumers that follow, so that it proves nothing.
 */
function areAllBest({ orderBy }: CandidatesRequest, candidates: readonly ClaimCandidate[]): boolean {
  const [{ values: best }] = candidates;
  return (
    best !== undefined &&
    orderBy.every(({ freeShare }) => freeShare == null || freeShare.aggregates?.length) &&
    candidates.every(({ values }) => best.every((one, term) => values?.[term] === one))
  );
}

async function placeUnlike(
  snapshot: Snapshot,
  workload: Workload,
  { seed, operation, isOver }: PlacementOptions,
): Promise<Placed> {
  let begun: TopologySearch | undefined;
  await operation.run(() => {
    begun ??= new TopologySearch(snapshot, workload, { seed });
    return begun.run(SLICE) || isOver();
  });
  const { answer, alternative, planned, workload: placed, rejected } = begun!.result;
  operation.activity.effort += begun!.spent;
  const hasAlternatives = (workload.topologyAlternatives ?? []).length > 0;
  const tried = hasAlternatives ? { alternative, commonRules: workload.topology.length } : undefined;
  if (answer.kind !== 'FOUND') throw new NoCandidates({ snapshot, workload: placed, tried }, answer);
  const members = answer.members.map((member, at) => {
    const request = placed.members[at].requests[member.alternative];
    const plan = planned.members[at].plans[member.alternative];
    const found = { snapshot, request, plan, candidates: member.candidates, complete: false, seed };
    return { ...member, candidates: member.candidates.map((each) => claimable({ ...each, found })) };
  });
  const { isOptimal, domains, outside } = answer;
  return {
    workload: placed,
    ...{ isOptimal, domains, outside, members },
    topologyAlternative: hasAlternatives ? alternative : null,
    rejectedTopologies: rejected,
  };
}

/** Returns the snapshot with the allocations of the placed workload. */
export function snapshotAfter({ snapshot, members }: WorkloadPlacement): Snapshot {
  const candidates = members.flatMap((member) => member.candidates);
  return withAllocated(
    snapshot,
    candidates.flatMap((candidate) => allocationsOf(candidate.found.plan!, candidate)),
  );
}

/** @throws InvalidInput for a malformed workload, unknown names or contradictory rules */
export function validateWorkloadIn(snapshot: Snapshot, workload: Workload): void {
  const { aggregates } = snapshot;
  const hasAggregate = (uuid: string): boolean => aggregates.idOf(uuid) !== undefined;
  validateWorkload(workload, { ...namesKnownIn(snapshot), hasAggregate });
}

/** Exempts the trees in which a consumer of a member is now from the exclusion by traits of the root. */
export function withOwnProviders(
  workload: Workload,
  members: readonly { readonly consumers: readonly { readonly consumer: string }[] }[],
  held: ReadonlyMap<string, HeldConsumer>,
): Workload {
  if (held.size === 0) return workload;
  const ofMember = workload.members.map((member, at) => {
    const own = members[at].consumers.flatMap(({ consumer }) => held.get(consumer)?.allocations ?? []);
    const ownProviders = own.map(({ resourceProvider }) => resourceProvider);
    const withOwn = once((request: CandidatesRequest) => ({ ...request, ownProviders }));
    return { ...member, requests: member.requests.map(withOwn) };
  });
  return { ...workload, members: ofMember };
}

/** Adds the present allocations of the consumers that the requests name. */
export async function withAllHoldings(
  reader: ConsumerReader,
  { members, ...rules }: Workload,
): Promise<Workload> {
  const holding = once((request: CandidatesRequest) => withHoldings(reader, request));
  const read = members.map(async (member) => ({
    ...member,
    requests: await Promise.all(member.requests.map(holding)),
  }));
  return { ...rules, members: await Promise.all(read) };
}

/**
 * Returns a workload with holdings in which relations between its consumers are judged by the positions after
 * the claim. The consumers that keep former allocations have the positions of these.
 */
export function withRelations(
  { members, ...rules }: Workload,
  claimed: readonly { readonly consumers: readonly ClaimConsumer[] }[],
  held: ReadonlyMap<string, HeldConsumer>,
): Workload {
  const kept = keptPositions(
    claimed.flatMap(({ consumers }) => consumers),
    held,
  );
  const withKept = once((request: CandidatesRequest): CandidatesRequest =>
    request.holdings ? { ...request, holdings: new Map([...request.holdings, ...kept]) } : request,
  );
  const after = members.map((member) => ({ ...member, requests: member.requests.map(withKept) }));
  return separateRelations(
    { ...rules, members: after },
    claimed.map(({ consumers }) => consumers.map(({ consumer }) => consumer)),
  );
}
