import type { Queryable } from '../database/statements.js';
import { ensure } from '../domain/invalidInput.js';
import { checkLength, type ResourceAmount } from '../domain/providerConditions.js';
import type { CandidateExplanation } from '../engine/explanation/explanation.js';
import { allocationsOf, sumsByClass, type CandidateAllocation } from '../engine/model/candidate.js';
import type { PlannedAmount } from '../engine/model/plan.js';
import { isSharing } from '../engine/model/providerChecks.js';
import { mix } from '../engine/model/random.js';
import type { CandidatesRequest, Holdings } from '../engine/model/request.js';
import { treeIndexOf, type ProviderRef, type Snapshot } from '../engine/model/snapshot.js';
import { withAllocated } from '../engine/overlay/snapshotOverlay.js';
import type { Operation } from '../runtime/operation.js';
import { currentSnapshot, validateIn } from './candidateSearch.js';
import type { ClaimServices } from './claim.js';
import { requestsByShape, type ShapeOptions } from './consumerShape.js';
import { providersOfFound, type Drained, type Leaving, type Move } from './drainAttempt.js';
import { DrainRelations } from './drainRelations.js';
import { placeLeaving } from './drainPlacement.js';
import { explainCandidates } from './explanation.js';
import {
  allocationsIn,
  findConsumersInTrees,
  readHeldConsumers,
  readHoldingsOf,
  withoutHeld,
  type HeldConsumer,
} from './heldConsumers.js';
import { resultInSlices } from './timeSlices.js';
import { rootsOf, type TreesInput } from './trees.js';

/** A request for one consumer, or for all consumers of a type: one of them is null. */
export interface DrainRequest {
  readonly consumer: string | null;
  readonly consumerType: string | null;
  readonly request: CandidatesRequest;
  /** Defaults to the plan's own seed. */
  readonly seed: number | null;
}

export interface DrainWishes extends Omit<ShapeOptions, 'leaves'> {
  readonly from: TreesInput;
  readonly requests: readonly DrainRequest[];
}

export interface DrainMove extends Move {
  readonly plan: DrainPlan;
}

export interface DrainPlan extends Drained {
  /** The roots of the trees to empty. */
  readonly roots: readonly ProviderRef[];
  /** The snapshot after the moves, with the drained trees. */
  readonly after: Snapshot;
  /** In the order of placement; consumers that cannot move come last. */
  readonly moves: readonly Move[];
}

/** The maximum numbers of consumers of a tree and of a plan. */
export const MAX_CONSUMERS_OF_TREE = 1000;
export const MAX_CONSUMERS = 5000;

/** The cost of the search for one consumer. */
const COST_OF_SEARCH = 20;

/**
 * Plans moves of the consumers of some trees, one after another. Each search assumes that the
 * consumer's allocations are released and that the earlier moves are done. No consumer moves to a
 * drained tree. Deterministic; writes nothing.
 *
 * @throws InvalidInput for invalid requests, unknown trees or too many consumers
 *
 * @throws TimedOut
 */
export async function planDrain(
  { snapshots, database: { pool } }: Pick<ClaimServices, 'snapshots' | 'database'>,
  wishes: DrainWishes,
  operation: Operation,
): Promise<DrainPlan> {
  const { from, requests } = wishes;
  const snapshot = await currentSnapshot(snapshots, operation);
  checkRequests(snapshot, requests);
  const [uuids, holdings] = await Promise.all([
    findConsumers(pool, rootsOf(snapshot, from, ['from'])),
    readHoldingsOf(pool, requests),
  ]);
  operation.charge(COST_OF_SEARCH * uuids.length);
  const consumers = [...(await readHeldConsumers(pool, uuids)).values()];
  const current = await currentSnapshot(snapshots, operation);
  const roots = rootsOf(current, from, ['from']);
  const others = othersIn(current, requests, holdings, new Set(uuids));
  const drained = { snapshot: current, trees: new Set(roots.map(treeIndexOf)), holdings, others };
  const leaving = consumers.map((consumer, at) => leavingOf(drained, wishes, consumer, at));
  const moves = await resultInSlices((effort) => placeLeaving(drained, leaving, effort), operation);
  return { ...drained, roots, moves, after: stateAfter(current, moves) };
}

/** @throws InvalidInput unless each request is valid and for one consumer or type, without repetition */
export function checkRequests(snapshot: Snapshot, requests: readonly DrainRequest[]): void {
  checkLength(requests, ['requests']);
  const seen = new Set<string>();
  requests.forEach(({ consumer, consumerType, request }, position) => {
    const path = ['requests', String(position)];
    const whom = consumer === null ? `consumer type ${consumerType}` : `consumer ${consumer}`;
    ensure(!seen.has(whom), path, `${whom} is given twice`);
    seen.add(whom);
    validateIn(snapshot, request, [...path, 'request']);
  });
}

/** Returns the uuids of the consumers in the trees. @throws InvalidInput if there are too many */
async function findConsumers(pool: Queryable, roots: readonly ProviderRef[]): Promise<string[]> {
  const ids = roots.map(({ block, row }) => block.ids[row]);
  const found = await findConsumersInTrees(pool, ids, MAX_CONSUMERS + 1);
  for (const { block, row } of roots) {
    const consumers = `more than ${MAX_CONSUMERS_OF_TREE} consumers have allocations in the tree of`;
    const message = `${consumers} ${block.names[row]}: a plan is for at most that many`;
    ensure((found.get(block.ids[row])?.length ?? 0) <= MAX_CONSUMERS_OF_TREE, ['from'], message);
  }
  const uuids = [...found.values()].flat();
  const message = `more than ${MAX_CONSUMERS} consumers have allocations in these trees: drain fewer trees`;
  ensure(uuids.length <= MAX_CONSUMERS, ['from'], message);
  return [...new Set(uuids)];
}

function leavingOf(
  { snapshot, trees }: Drained,
  { requests, ...shape }: DrainWishes,
  consumer: HeldConsumer,
  at: number,
): Leaving {
  const own = requests.findIndex((request) => request.consumer === consumer.uuid);
  const ofType = requests.findIndex(
    ({ consumerType }) => consumerType !== null && consumerType === consumer.consumerType,
  );
  const requested = own >= 0 ? own : ofType;
  if (requested >= 0) {
    const { request, seed } = requests[requested];
    return { consumer, requested, requests: [request], seed: mix(seed ?? 0, at) };
  }
  const leaves = (treeIndex: number): boolean => trees.has(treeIndex);
  const derived = requestsByShape(snapshot, consumer.allocations, { ...shape, leaves });
  return { consumer, requested: null, requests: derived, seed: mix(0, at) };
}

/** Returns the consumers that have a request but do not leave. */
function othersIn(
  snapshot: Snapshot,
  requests: readonly DrainRequest[],
  holdings: Holdings,
  leaving: ReadonlySet<string>,
): Drained['others'] {
  return requests.flatMap(({ consumer: uuid, request }) => {
    if (uuid === null || leaving.has(uuid)) return [];
    const providers = (holdings.get(uuid) ?? []).flatMap((provider) => snapshot.locate(provider) ?? []);
    const allocations = providers.map((one) => ({
      provider: { ...one, treeIndex: treeIndexOf(one) },
      resources: [],
    }));
    return [{ uuid, request, allocations }];
  });
}

/** Returns the state after the moves of a plan. */
export function stateAfter(snapshot: Snapshot, moves: readonly Move[]): Snapshot {
  const moved = moves.filter(({ found }) => found !== null);
  const before = moved.flatMap(({ consumer }) => consumer.allocations);
  const after = moved.flatMap(({ found }) => allocationsOf(found!.found.plan!, found!));
  return withAllocated(withoutHeld(snapshot, before), after);
}

/** Returns the sums of the allocations of a consumer by class. */
export function sumsOf({ allocations }: HeldConsumer): ResourceAmount[] {
  return sumsByClass(allocations.flatMap(({ resources }) => resources));
}

/** Returns the amounts that a move takes from local providers to sharing ones, by class. */
export function movedToSharing({ plan: { snapshot }, consumer, found }: DrainMove): ResourceAmount[] {
  if (found === null) return [];
  const shared = (allocations: readonly CandidateAllocation[]): PlannedAmount[] =>
    allocations.flatMap(({ provider, resources }) => (isSharing(provider) ? resources : []));
  const before = shared(allocationsIn(snapshot, consumer.allocations));
  const after = shared(allocationsOf(found.found.plan!, found));
  return sumsByClass([...after, ...before.map((one) => ({ ...one, amount: -one.amount }))])
    .filter(({ amount }) => amount > 0)
    .map(({ resourceClass, amount }) => ({ resourceClass: snapshot.classes.nameOf(resourceClass), amount }));
}

/** Explains why a consumer stays, by its last request, in the state after all moves. Null if it moves. */
export async function explainStay(
  move: DrainMove,
  operation: Operation,
): Promise<CandidateExplanation | null> {
  const { plan, consumer, requests, found } = move;
  if (found !== null) return null;
  const drained = plan.roots.map(({ block, row }) => block.uuids[row]);
  const request = related(move, requests[requests.length - 1]);
  const released = withoutHeld(plan.after, consumer.allocations);
  const notInTrees = [...new Set([...request.notInTrees, ...drained])];
  return explainCandidates(released, { ...request, notInTrees }, operation);
}

/** Returns the request with all relations that restrict the consumer, at the positions after the moves. */
function related({ plan, consumer }: DrainMove, request: CandidatesRequest): CandidatesRequest {
  const { moves, others } = plan;
  const own = moves.find((one) => one.consumer === consumer)!;
  const found = new Map(
    moves.flatMap((one) => (one.found ? [[one, allocationsOf(one.found.found.plan!, one.found)]] : [])),
  );
  const stays = new Set(moves.filter((one) => one !== own && one.found === null));
  const all = new DrainRelations(moves, plan).withNaming(request, own, { found, stays });
  const holdings = new Map(plan.holdings);
  for (const { uuid, allocations } of others)
    holdings.set(
      uuid,
      allocations.map(({ provider: { block, row } }) => block.uuids[row]),
    );
  for (const { consumer: one, found: place } of moves) {
    const before = one.allocations.map(({ resourceProvider }) => resourceProvider);
    holdings.set(one.uuid, place === null ? before : providersOfFound(place));
  }
  return { ...all, holdings };
}
