import {
  requestOf,
  type ResourceAmount,
  type CandidatesRequest,
  type Holdings,
} from '../../model/request.js';
import type { CandidateExplanation } from '../../search/explanation/explanation.js';
import { sumsByClass } from '../../model/collections.js';
import { mix } from '../../model/collections.js';
import { treeIndexOf, type ProviderRef, type Snapshot } from '../../fleet/snapshot.js';
import { withMoves } from '../../search/overlay/snapshotOverlay.js';
import type { Operation } from '../../model/operation/operation.js';
import { currentSnapshot } from '../../search/candidateSearch.js';
import type { ClaimServices } from '../claim/claim.js';
import { requestsByShape, type ShapeOptions } from '../consumerShape.js';
import { providersOf, type Drained, type Move } from './drainAttempt.js';
import { findParts, type DrainParts } from './drainParts.js';
import { DrainRelations, type Leaving, type OtherConsumer } from './drainRelations.js';
import { placeLeaving } from './drainPlacement.js';
import { checkRequests, StatedRequests, type StatedRequest } from '../statedRequests.js';
import { explainCandidates } from '../../search/explanation/explainRequest.js';
import { readHeldConsumers, type HeldConsumer } from '../../store/sql/consumers.js';
import { readNaming, requestsOf, type RememberedRequest } from '../../store/sql/rememberedRequests.js';
import { withRequests, RequestTexts, withoutEnded } from '../rememberedRequests.js';
import { readBoundWorkloads, WorkloadBindings } from '../workloadBindings.js';
import {
  allocationsIn,
  readHoldingsOf,
  withoutHeld,
  withoutRemoved,
  withoutCounters,
} from '../heldConsumers.js';
import { traitsLost } from '../lostTraits.js';
import { resultInSlices } from '../../search/timeSlices.js';
import { areInSeveralTrees, rootsOf, type TreesInput } from '../../search/trees.js';

export interface DrainWishes extends Omit<ShapeOptions, 'leaves'> {
  readonly from: TreesInput;
  readonly requests: readonly StatedRequest[];
  /** The end of the part before, from `next` of its plan; null: the first part. */
  readonly after: string | null;
}

export interface DrainMove extends Move {
  readonly plan: DrainPlan;
}

/** One part of a plan. `Drained` is the state before its moves: after those of the parts before. */
export interface DrainPlan extends Drained {
  /** The roots of the trees to empty. */
  readonly roots: readonly ProviderRef[];
  /** The snapshot before all moves. */
  readonly before: Snapshot;
  /** The snapshot after the moves, with the drained trees. */
  readonly after: Snapshot;
  /** In the order of placement; consumers that cannot move come last. */
  readonly moves: readonly Move[];
  /** The consumers of this part and of those before that cannot move. */
  readonly stuck: readonly HeldConsumer[];
  /** The cursor of the next part; null after the last one. */
  readonly next: string | null;
}

type DrainServices = Pick<ClaimServices, 'snapshots' | 'database'>;

/** The cost of the search for one consumer. */
const COST_OF_SEARCH = 20;

/**
 * Plans moves of the consumers of some trees, one after another. Each search assumes that the
 * consumer's allocations are released and that the earlier moves are done. No consumer moves to a
 * drained tree. Deterministic; writes nothing.
 *
 * A part first places the consumers of the parts before that are still in the trees, as their parts
 * would now.
 *
 * @throws InvalidInput for invalid requests, unknown trees or a cursor that does not apply
 *
 * @throws TimedOut
 */
export async function planDrain(
  services: DrainServices,
  { after, ...wishes }: DrainWishes,
  operation: Operation,
): Promise<DrainPlan> {
  const { snapshots, database } = services;
  const { from, requests } = wishes;
  const snapshot = await currentSnapshot(snapshots, operation);
  checkRequests(snapshot, requests);
  const rootIds = rootsOf(snapshot, from, ['from']).map(({ block, row }) => block.ids[row]);
  const parts = await findParts(database, rootIds, after, wishes);
  const cost = COST_OF_SEARCH * (parts.earlier.flat().length + parts.part.length);
  return operation.runCharged(cost, () => planPart(services, parts, wishes, operation));
}

async function planPart(
  { snapshots, database }: DrainServices,
  { part, earlier, next }: DrainParts,
  wishes: Omit<DrainWishes, 'after'>,
  operation: Operation,
): Promise<DrainPlan> {
  const { from, requests } = wishes;
  const uuids = [...earlier.flat(), ...part];
  const texts = new RequestTexts(wishes.excludedRootTraits);
  const [read, memory, namingTexts, bound] = await Promise.all([
    readHeldConsumers(database, uuids),
    requestsOf(database, uuids),
    readNaming(database, uuids),
    readBoundWorkloads(database, uuids, operation),
  ]);
  const unstated = namingTexts.filter(
    ({ consumer }) => !requests.some((stated) => stated.consumer === consumer),
  );
  const naming = await withRequests(texts, unstated, operation);
  const remembered = new Map(Array.from(memory.values(), (each) => [each.id, each]));
  const holdings = await readHoldingsOf(database, [
    ...requests,
    ...naming,
    ...(await withRequests(texts, remembered.values(), operation)),
    ...Array.from(bound.held.keys(), (consumer) => ({ consumer, request: requestOf([]) })),
  ]);
  const present = withoutEnded(holdings);
  const others = [...requests, ...naming.map((each) => ({ ...each, request: present(each.request) }))];
  const current = await currentSnapshot(snapshots, operation);
  const held = withoutRemoved(read, snapshots.removed);
  const roots = rootsOf(current, from, ['from']);
  const bindings = await resultInSlices((effort) => WorkloadBindings.of(current, bound, effort), operation);
  const known = { stated: new StatedRequests(requests), memory, texts, present, bindings };
  const settled: OtherConsumer[] = [];
  const place = async (
    before: Omit<Drained, 'others'>,
    uuidsOfPart: readonly string[],
  ): Promise<DrainedPart> => {
    const planned = new Set([...uuidsOfPart, ...settled.map(({ uuid }) => uuid)]);
    const related = [...settled, ...othersIn(current, others, before.holdings, planned)];
    const drained = { ...before, others: related };
    const consumers = uuidsOfPart.flatMap((uuid) => held.get(uuid) ?? []);
    const leaving = consumers.map((consumer, at) => leavingOf(drained, wishes, known, consumer, at));
    const isStaying = (each: Leaving): boolean => reasonToStay(each) !== null;
    const staying = leaving.filter(isStaying).map((each) => ({ ...each, to: each.from, found: null }));
    const movable = leaving.filter((each) => !isStaying(each));
    const besideStaying = { ...drained, others: [...related, ...settledBy(staying)] };
    const placed = await resultInSlices((effort) => placeLeaving(besideStaying, movable, effort), operation);
    return { drained, moves: [...placed, ...staying] };
  };
  let state: Omit<Drained, 'others'> = {
    snapshot: current,
    trees: new Set(roots.map(treeIndexOf)),
    holdings,
    workloads: bindings,
  };
  const stuck: HeldConsumer[] = [];
  for (const each of earlier) {
    const { drained, moves } = await place(state, each);
    stuck.push(...consumersStuckIn(moves));
    settled.push(...settledBy(moves));
    state = afterMoves(drained, moves);
  }
  const { drained, moves } = await place(state, part);
  stuck.push(...consumersStuckIn(moves));
  return {
    ...drained,
    roots,
    before: current,
    after: withMoves(drained.snapshot, moves),
    moves,
    stuck,
    next,
  };
}

/** The moves of one part, and the state before them. */
interface DrainedPart {
  readonly drained: Drained;
  readonly moves: readonly Move[];
}

function consumersStuckIn(moves: readonly Move[]): HeldConsumer[] {
  return moves.flatMap(({ found, consumer }) => (found === null ? [consumer] : []));
}

/** Returns the consumers of moves with their positions after them. */
function settledBy(moves: readonly Move[]): OtherConsumer[] {
  return moves.map(({ consumer, source, requests, to }) => ({
    uuid: consumer.uuid,
    request: source === 'DERIVED' ? null : requests[0],
    allocations: to,
  }));
}

/** The requests of consumers that need not be derived. */
interface KnownRequests {
  readonly stated: StatedRequests;
  /** By uuid. */
  readonly memory: ReadonlyMap<string, RememberedRequest>;
  readonly texts: RequestTexts;
  /** See {@link withoutEnded}. */
  readonly present: (remembered: CandidatesRequest) => CandidatesRequest;
  readonly bindings: WorkloadBindings;
}

function leavingOf(
  { snapshot, trees }: Drained,
  shape: Omit<ShapeOptions, 'leaves'>,
  { stated, memory, texts, present, bindings }: KnownRequests,
  consumer: HeldConsumer,
  at: number,
): Leaving {
  const from = allocationsIn(snapshot, consumer.allocations);
  const requested = stated.positionFor(consumer.uuid, consumer.consumerType);
  if (requested !== null) {
    const { request, seed } = stated.all[requested];
    const requests = [bindings.bound(consumer.uuid, request)];
    return { consumer, from, requested, source: 'STATED', requests, seed: mix(seed ?? 0, at) };
  }
  const remembered = memory.get(consumer.uuid);
  if (remembered !== undefined) {
    const { request, source } = texts.requestFor(remembered, requestedSums(snapshot, consumer));
    const requests = [bindings.bound(consumer.uuid, present(request))];
    return { consumer, from, requested: null, source, requests, seed: mix(0, at) };
  }
  const leaves = (treeIndex: number): boolean => trees.has(treeIndex);
  const derived = requestsByShape(snapshot, consumer.allocations, { ...shape, leaves });
  return { consumer, from, requested: null, source: 'DERIVED', requests: derived, seed: mix(0, at) };
}

/** Returns the consumers with a request that are not known. */
function othersIn(
  snapshot: Snapshot,
  requests: readonly Pick<StatedRequest, 'consumer' | 'request'>[],
  holdings: Holdings,
  known: ReadonlySet<string>,
): OtherConsumer[] {
  return requests.flatMap(({ consumer: uuid, request }) => {
    if (uuid === null || known.has(uuid)) return [];
    const providers = (holdings.get(uuid) ?? []).flatMap((provider) => snapshot.locate(provider) ?? []);
    const allocations = providers.map((one) => ({
      provider: { ...one, treeIndex: treeIndexOf(one) },
      resources: [],
    }));
    return [{ uuid, request, allocations }];
  });
}

/** Returns the state after moves, with the new positions of the consumers that the requests name. */
function afterMoves(drained: Drained, moves: readonly Move[]): Drained {
  const holdings = new Map(drained.holdings);
  for (const { consumer, found, to } of moves)
    if (holdings.has(consumer.uuid) && found !== null) holdings.set(consumer.uuid, providersOf(to));
  return { ...drained, snapshot: withMoves(drained.snapshot, moves), holdings };
}

/** Returns the fleet after the moves without the consumers that cannot move. */
export function withoutStuck({ after, stuck }: DrainPlan): Snapshot {
  return withoutHeld(
    after,
    stuck.flatMap(({ allocations }) => allocations),
  );
}

/** Returns the amounts that a request for the allocations of a consumer has: counters cannot be requested. */
function requestedSums(snapshot: Snapshot, { allocations }: HeldConsumer): ResourceAmount[] {
  return sumsByClass(withoutCounters(snapshot, allocations).flatMap(({ resources }) => resources));
}

/** Returns the sums of the allocations of a consumer by class. */
export function sumsOf({ allocations }: HeldConsumer): ResourceAmount[] {
  return sumsByClass(allocations.flatMap(({ resources }) => resources));
}

/** Returns the traits that a move loses; none if the consumer cannot move. */
export function traitsLostBy({ plan: { snapshot }, from, to }: DrainMove): string[] {
  return traitsLost(snapshot, from, to);
}

/** Why a consumer is not planned, although it may fit. */
export type StayCode = 'SEVERAL_ROWS' | 'SEVERAL_TREES' | 'KEPT';

function reasonToStay({ consumer: { hasSeveralRows, isKept }, from }: Leaving): StayCode | null {
  if (hasSeveralRows) return 'SEVERAL_ROWS';
  if (isKept) return 'KEPT';
  return areInSeveralTrees(from) ? 'SEVERAL_TREES' : null;
}

export function stayCodeOf(move: DrainMove): StayCode | null {
  return move.found === null ? reasonToStay(move) : null;
}

/**
 * Explains why a consumer fits nowhere, by its last request, in the state after all moves. Null if it moves, or if a
 * code states why it stays.
 */
export async function explainStay(
  move: DrainMove,
  operation: Operation,
): Promise<CandidateExplanation | null> {
  const { plan, consumer, requests, found } = move;
  if (found !== null || stayCodeOf(move) !== null) return null;
  const drained = plan.roots.map(({ block, row }) => block.uuids[row]);
  const request = related(move, requests[requests.length - 1]);
  const released = withoutHeld(plan.after, consumer.allocations);
  const notInTrees = [...new Set([...request.notInTrees, ...drained])];
  return explainCandidates(released, { ...request, notInTrees }, operation);
}

/** By plan: its relations, and the providers of all consumers after the moves. */
const positionsAfter = new WeakMap<DrainPlan, { relations: DrainRelations; holdings: Holdings }>();

function positionsAfterMoves(plan: DrainPlan): { relations: DrainRelations; holdings: Holdings } {
  let known = positionsAfter.get(plan);
  if (known !== undefined) return known;
  const holdings = new Map(plan.holdings);
  for (const { uuid, allocations } of [...plan.others, ...settledBy(plan.moves)])
    holdings.set(uuid, providersOf(allocations));
  positionsAfter.set(
    plan,
    (known = {
      relations: new DrainRelations(plan.moves, plan.snapshot, plan.holdings, plan.others, plan.workloads),
      holdings,
    }),
  );
  return known;
}

/** Returns the request with all relations that restrict the consumer, at the positions after the moves. */
function related({ plan, consumer }: DrainMove, request: CandidatesRequest): CandidatesRequest {
  const { moves } = plan;
  const { relations, holdings } = positionsAfterMoves(plan);
  const own = moves.find((one) => one.consumer === consumer)!;
  if (!relations.isRelated(own)) return { ...request, holdings };
  const placed = new Map(moves.flatMap((one) => (one.found ? [[one, one]] : [])));
  const stays = new Set(moves.filter((one) => one !== own && one.found === null));
  return { ...relations.withNaming(request, own, { placed, stays }), holdings };
}
