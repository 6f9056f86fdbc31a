import { once } from '../../model/collections.js';
import { allocationsOf } from '../../search/candidate.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { withAllocated } from '../../search/overlay/snapshotOverlay.js';
import { separateRelations } from '../workload/innerRelations.js';
import { planWorkload, type PlannedWorkload, type Workload } from '../workload/workload.js';
import { WorkloadSearch, type PlacedMember, type WorkloadFound } from '../workload/workloadSearch.js';
import { validateWorkload } from '../workload/workloadValidation.js';
import type { Operation } from '../../model/operation/operation.js';
import { namesKnownIn } from '../../search/candidateSearch.js';
import { claimable, findClaimCandidates, type ClaimCandidate } from './claimCandidates.js';
import { keptPositions, type ClaimConsumer } from './claimConsumers.js';
import { withHoldings, type ConsumerReader, type HeldConsumer } from '../heldConsumers.js';
import { NoCandidates } from './noCandidates.js';
import { SLICE } from '../../search/timeSlices.js';

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
  const { members, topology, relations } = workload;
  const isSingle = members.length === 1 && members[0].requests.length === 1;
  const isFree = topology.length === 0 && relations === undefined;
  const placed = isSingle && isFree ? await placeEqual(snapshot, workload, options) : null;
  return {
    snapshot,
    workload,
    seed: options.seed,
    ...(placed ?? (await placeUnlike(snapshot, workload, options))),
  };
}

type Placed = Pick<WorkloadPlacement, 'isOptimal' | 'members' | 'domains' | 'outside'>;

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
  // Several consumers are placed one after another, each with the best candidate that remains.
  const isOptimal = count === 1 || requests[0].orderBy.length === 0;
  return { isOptimal, members: [{ alternative: 0, rejected: [], candidates }], domains: [], outside: [] };
}

async function placeUnlike(
  snapshot: Snapshot,
  workload: Workload,
  { seed, operation, isOver }: PlacementOptions,
): Promise<Placed> {
  let begun: { readonly planned: PlannedWorkload; readonly search: WorkloadSearch } | undefined;
  await operation.run(() => {
    begun ??= begin(snapshot, workload, seed);
    return begun.search.run(SLICE) || isOver();
  });
  const { planned, search } = begun!;
  operation.activity.effort += search.effort.spent;
  const { answer } = search;
  if (answer.kind !== 'FOUND') throw new NoCandidates({ snapshot, workload }, answer);
  const members = answer.members.map((member, at) => {
    const { alternative, candidates } = member;
    const request = workload.members[at].requests[alternative];
    const plan = planned.members[at].plans[alternative];
    const found = { snapshot, request, plan, candidates, complete: false, seed };
    return { ...member, candidates: candidates.map((each) => claimable({ ...each, found })) };
  });
  return { isOptimal: answer.isOptimal, members, domains: answer.domains, outside: answer.outside };
}

function begin(snapshot: Snapshot, workload: Workload, seed: number) {
  const planned = planWorkload(snapshot, workload);
  return { planned, search: new WorkloadSearch(snapshot, planned, { seed }) };
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
  { members, topology }: Workload,
): Promise<Workload> {
  const holding = once((request: CandidatesRequest) => withHoldings(reader, request));
  const read = members.map(async (member) => ({
    ...member,
    requests: await Promise.all(member.requests.map(holding)),
  }));
  return { members: await Promise.all(read), topology };
}

/**
 * Returns a workload with holdings in which relations between its consumers are judged by the positions after
 * the claim. The consumers that keep former allocations have the positions of these.
 */
export function withRelations(
  { members, topology }: Workload,
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
    { members: after, topology },
    claimed.map(({ consumers }) => consumers.map(({ consumer }) => consumer)),
  );
}
