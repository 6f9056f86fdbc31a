import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../domain/errors.js';
import { InvalidInput } from '../domain/invalidInput.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import { mix } from '../engine/model/random.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import { withAllocated, withReleased } from '../engine/overlay/snapshotOverlay.js';
import type { PlacementPolicy } from '../engine/packing/packing.js';
import { allocationsOf } from '../engine/model/candidate.js';
import { planWorkload, type TopologyRule, type Workload } from '../engine/workload/workload.js';
import { WorkloadSearch, type WorkloadAnswer } from '../engine/workload/workloadSearch.js';
import { validateWorkload } from '../engine/workload/workloadValidation.js';
import { ConcurrentUpdate } from '../ledger/errors.js';
import type { Operation } from '../runtime/operation.js';
import { currentSnapshot, namesKnownIn } from './candidateSearch.js';
import { isOutdated, providersOf, rejectExisting, write, type Claimed, type ClaimServices } from './claim.js';
import { claimable, type ClaimCandidate } from './claimCandidates.js';
import {
  checkClaimConsumers,
  checkHeld,
  consumersToRead,
  keptInputs,
  releasedBy,
  withoutAllocations,
  type ClaimConsumer,
} from './claimConsumers.js';
import { allocationsIn, readHeldConsumers, withHoldings } from './heldConsumers.js';
import { SLICE } from './timeSlices.js';

export interface ClaimMember {
  readonly name: string;
  readonly consumers: readonly ClaimConsumer[];
  /** In order of preference. */
  readonly requests: readonly CandidatesRequest[];
  readonly placement: PlacementPolicy;
}

export interface WorkloadClaim {
  readonly members: readonly ClaimMember[];
  readonly topology: readonly TopologyRule[];
  /** Null: each attempt chooses differently. */
  readonly seed: number | null;
  readonly operation: Operation;
}

/** A consumer after the claim, its member and the position of its request. */
export interface ClaimedOfMember extends Claimed {
  readonly member: string;
  readonly requestIndex: number;
}

/** A workload without new consumers. */
export interface WorkloadPlanRequest extends Pick<WorkloadClaim, 'topology' | 'operation'> {
  readonly members: readonly (Omit<ClaimMember, 'consumers'> & { readonly count: number })[];
  /** Consumers whose allocations count as released. */
  readonly released: readonly string[];
  readonly seed: number | null;
  /** The number of plans, each with its own seed. */
  readonly plans: number;
}

export interface WorkloadPlan {
  readonly seed: number;
  readonly answer: WorkloadAnswer;
  /** The snapshot without the released consumers. */
  readonly before: Snapshot;
  /** The snapshot with the workload; equal to `before` if it was not placed. */
  readonly after: Snapshot;
  /** By member. */
  readonly candidates: readonly (readonly ClaimCandidate[])[];
}

/** NO_CANDIDATES: the workload does not fit, or the search did not find out before its deadline. */
export class WorkloadNotPlaced extends DomainError {
  readonly code = 'NO_CANDIDATES';
  constructor(
    readonly answer: Exclude<WorkloadAnswer, { readonly kind: 'FOUND' }>,
    readonly snapshot: Snapshot,
  ) {
    super(
      answer.kind === 'UNDECIDED'
        ? 'the search ended before it placed the workload or proved that it does not fit'
        : `the workload does not fit: ${answer.fit.reduce((sum, count) => sum + count, 0)} of ${answer.requested} consumers fit${answer.isLargest ? '' : ' at least'}`,
    );
  }
}

/** How long a claim searches and retries (ms). The best placement until then is claimed. */
const DEADLINE_MS = 10_000;

/** The upper bound of the random pause before another attempt (ms). */
const LONGEST_PAUSE_MS = 20;

/**
 * Places all consumers of all members and claims the placement in one transaction. After a conflict it reads
 * the rejected providers again and searches again until the deadline.
 *
 * @throws InvalidInput, ConsumerGenerationConflict, WorkloadNotPlaced, ConcurrentUpdate, TimedOut
 */
export async function claimWorkload(
  services: ClaimServices,
  claim: WorkloadClaim,
): Promise<ClaimedOfMember[]> {
  const { ledger, snapshots } = services;
  const consumers = claim.members.flatMap((member) => member.consumers);
  const deadline = ledger.clock.elapsed() + DEADLINE_MS;
  for (;;) {
    const attempt = await prepare(services, claim, consumers);
    const seed = claim.seed ?? randomInt(2 ** 31);
    const isOver = (): boolean => ledger.clock.elapsed() > deadline;
    const plan = await search(attempt.snapshot, attempt.workload, seed, claim.operation, isOver);
    if (plan.answer.kind !== 'FOUND') {
      await rejectExisting(ledger, consumers.map(withoutAllocations));
      throw new WorkloadNotPlaced(plan.answer, attempt.snapshot);
    }
    const found = plan.candidates.flat();
    try {
      const claimed = await write(services, { consumers }, found, attempt.kept);
      return ofMembers(claim.members, plan.answer, claimed);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (isOver()) throw new ConcurrentUpdate(DEADLINE_MS, error);
      await snapshots.reread(found.flatMap(providersOf), error instanceof InvalidInput);
    }
    await setTimeout(Math.random() * LONGEST_PAUSE_MS);
    claim.operation.signal.throwIfAborted();
  }
}

/**
 * Plans a workload without a write, as if some consumers had released their allocations.
 *
 * @throws InvalidInput, TimedOut
 */
export async function planWorkloads(
  { snapshots, ledger, database: { pool } }: ClaimServices,
  { members, topology, released, seed, plans, operation }: WorkloadPlanRequest,
): Promise<WorkloadPlan[]> {
  const stated = { members, topology };
  validateIn(await currentSnapshot(snapshots, operation), stated);
  const [workload, held] = await Promise.all([
    withAllHoldings(pool, stated),
    readHeldConsumers(pool, released),
  ]);
  const current = await currentSnapshot(snapshots, operation);
  const former = [...held.values()].flatMap(({ allocations }) => allocations);
  const snapshot = former.length === 0 ? current : withReleased(current, allocationsIn(current, former));
  const first = seed ?? randomInt(2 ** 31);
  const deadline = ledger.clock.elapsed() + DEADLINE_MS;
  const found: WorkloadPlan[] = [];
  for (let at = 0; at < plans; at++) {
    const each = at === 0 ? first : mix(first, at);
    found.push(await search(snapshot, workload, each, operation, () => ledger.clock.elapsed() > deadline));
    if (found[0].answer.kind !== 'FOUND') break;
  }
  return found;
}

/** Validates the claim in the current snapshot. Reads allocations before the snapshot that contains them. */
async function prepare(
  { snapshots, database: { pool } }: ClaimServices,
  { members, topology, operation }: WorkloadClaim,
  consumers: readonly ClaimConsumer[],
): Promise<{ snapshot: Snapshot; workload: Workload; kept: ReturnType<typeof keptInputs> }> {
  const counted = members.map((member) => ({ ...member, count: member.consumers.length }));
  const snapshot = await currentSnapshot(snapshots, operation);
  validateIn(snapshot, { members: counted, topology });
  checkClaimConsumers(consumers);
  const toRead = consumersToRead(consumers);
  const [workload, held] = await Promise.all([
    withAllHoldings(pool, { members: counted, topology }),
    readHeldConsumers(pool, toRead),
  ]);
  if (toRead.length === 0) return { snapshot, workload, kept: [] };
  checkHeld(consumers, held);
  const current = await currentSnapshot(snapshots, operation);
  const released = allocationsIn(current, releasedBy(consumers, held));
  return { snapshot: withReleased(current, released), workload, kept: keptInputs(consumers, held) };
}

function validateIn(snapshot: Snapshot, workload: Workload): void {
  const { aggregates } = snapshot;
  const hasAggregate = (uuid: string): boolean => aggregates.idOf(uuid) !== undefined;
  validateWorkload(workload, { ...namesKnownIn(snapshot), hasAggregate });
}

async function withAllHoldings(
  pool: ClaimServices['database']['pool'],
  { members, topology }: Workload,
): Promise<Workload> {
  const read = members.map(async (member) => ({
    ...member,
    requests: await Promise.all(member.requests.map((request) => withHoldings(pool, request))),
  }));
  return { members: await Promise.all(read), topology };
}

/** Searches in time slices until the search is done or `isOver`. */
async function search(
  snapshot: Snapshot,
  workload: Workload,
  seed: number,
  operation: Operation,
  isOver: () => boolean,
): Promise<WorkloadPlan> {
  const planned = planWorkload(snapshot, workload);
  const work = new WorkloadSearch(snapshot, planned, { seed });
  await operation.run(() => work.run(SLICE) || isOver());
  operation.activity.effort += work.effort.spent;
  const { answer } = work;
  if (answer.kind !== 'FOUND') return { seed, answer, before: snapshot, after: snapshot, candidates: [] };
  const candidates = answer.members.map(({ alternative, candidates: placed }, member) => {
    const request = workload.members[member].requests[alternative];
    const plan = planned.members[member].plans[alternative];
    const found = { snapshot, request, plan, candidates: placed, complete: false, seed };
    return placed.map((candidate) => claimable({ ...candidate, found }));
  });
  const allocations = candidates.flat().flatMap((one) => allocationsOf(one.found.plan!, one));
  return { seed, answer, before: snapshot, after: withAllocated(snapshot, allocations), candidates };
}

function ofMembers(
  members: readonly ClaimMember[],
  answer: Extract<WorkloadAnswer, { readonly kind: 'FOUND' }>,
  claimed: readonly Claimed[],
): ClaimedOfMember[] {
  let at = 0;
  return members.flatMap(({ name, consumers }, member) =>
    consumers.map(() => ({
      ...claimed[at++],
      member: name,
      requestIndex: answer.members[member].alternative,
    })),
  );
}
