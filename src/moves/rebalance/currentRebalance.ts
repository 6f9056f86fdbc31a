import { ensure, InvalidInput } from '../../model/input.js';
import { requestOf, validateList } from '../../model/request.js';
import { UNKNOWN } from '../../search/clauses.js';
import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import type { Snapshot, Tree } from '../../fleet/snapshot.js';
import { withMoves, type Reallocation } from '../../search/overlay/snapshotOverlay.js';
import {
  isBetter,
  type ConsumerFaults,
  type RebalanceGoal,
  type RebalanceProblem,
  type Rebalancing,
} from './problem.js';
import { rebalance } from './rebalance.js';
import { metricsOf, type FleetMetrics } from './values.js';
import type { Operation } from '../../model/operation/operation.js';
import { classIdIn, currentSnapshot } from '../../search/candidateSearch.js';
import type { ClaimServices } from '../claim/claim.js';
import { checkRequests } from '../statedRequests.js';
import { readBoundWorkloads, WorkloadBindings } from '../workloadBindings.js';
import { withRequests, RequestTexts, type RequestSource } from '../rememberedRequests.js';
import {
  consumersIn,
  inTrees,
  MAX_REBALANCED,
  readTypes,
  type ConsumerSelection,
  type FleetConsumer,
} from './fleetConsumers.js';
import type { FleetReads } from './fleetReads.js';
import { readHeldConsumers, type ConsumerReader, type HeldConsumer } from '../../store/sql/consumers.js';
import { readHoldingsOf } from '../heldConsumers.js';
import { RequestsOfConsumers, type RebalanceRequest } from './requestsOfConsumers.js';
import { resultInSlices } from '../../search/timeSlices.js';
import { treesWith } from '../../search/trees.js';
import type { FleetSource } from '../whatIf.js';

/** The metrics of the fleet. Those of consumers are null for goals other than FIX. */
export interface RebalanceMetrics extends FleetMetrics {
  readonly brokenRelations: number | null;
  readonly faultyConsumers: number | null;
}

export interface PlannedMove extends Reallocation {
  readonly consumer: HeldConsumer;
  /** The generation of the consumer after the earlier moves of the plan. */
  readonly generation: number;
  readonly source: RequestSource;
  readonly snapshot: Snapshot;
}

export interface RebalancePlan {
  /** UNDECIDED: the search ended after MAX_SEARCH_MS without moves that are worth it. */
  readonly outcome: 'FOUND' | 'NOTHING_WORTH_MOVING' | 'UNDECIDED';
  readonly before: RebalanceMetrics;
  readonly after: RebalanceMetrics;
  readonly moves: readonly PlannedMove[];
  /** The gain and the number of the moves found, even if `moves` is empty for too small a gain. */
  readonly gain: number;
  readonly moveCount: number;
  readonly isOptimal: boolean;
  /** The number of consumers in the scope whose request is derived. */
  readonly derivedCount: number;
}

export const MAX_MOVES = 1_000;

/** The number of consumers that cost as much as one object of an answer. */
const CONSUMERS_PER_COST = 2;

/** The time after which a search ends with the best moves so far (ms). It begins after the reads. */
const MAX_SEARCH_MS = 8_000;

/** The scope has more than MAX_REBALANCED consumers. */
export class TooManyConsumers extends Error {
  /** @param narrower what the client can name to select fewer */
  constructor(narrower: string) {
    super(`more than ${MAX_REBALANCED} consumers are in the scope of the plan: name ${narrower}`);
    this.name = 'TooManyConsumers';
  }
}

interface RebalanceServices extends Pick<ClaimServices, 'ledger' | 'database'> {
  readonly snapshots: FleetSource;
  readonly fleetReads: FleetReads;
}

/**
 * Plans moves of consumers that bring the fleet closer to a goal. Writes nothing.
 *
 * @throws InvalidInput, TooManyConsumers, TimedOut
 */
export async function planRebalance(
  services: RebalanceServices,
  request: RebalanceRequest,
  operation: Operation,
): Promise<RebalancePlan> {
  const first = await currentSnapshot(services.snapshots, operation);
  validate(first, request);
  const rootIds =
    request.aggregate === null ? null : hostsOf(first, request).map(({ block, start }) => block.ids[start]);
  const selection = inTrees(rootIds);
  const cost = await costOfConsumers(
    services.fleetReads,
    selection,
    'a smaller aggregate in `scope`',
    operation,
  );
  return operation.runCharged(cost, () => planFor(services, request, selection, operation));
}

/**
 * Returns the cost of a plan with the selected consumers.
 *
 * @param narrower what the client can name to select fewer
 *
 * @throws TooManyConsumers
 */
export async function costOfConsumers(
  fleetReads: FleetReads,
  selection: ConsumerSelection,
  narrower: string,
  operation: Operation,
): Promise<number> {
  const count = await fleetReads.count(selection, operation);
  if (count > MAX_REBALANCED) throw new TooManyConsumers(narrower);
  return Math.ceil(count / CONSUMERS_PER_COST);
}

/** The selected consumers with their requests, in the current fleet. */
interface PlannedConsumers {
  readonly snapshot: FleetSnapshot;
  readonly consumers: readonly FleetConsumer[];
  readonly requests: RequestsOfConsumers;
  readonly bindings: WorkloadBindings;
}

/** Reads the selected consumers, then the current fleet, so that it contains them. */
export async function readPlanned(
  { snapshots, database, fleetReads }: Pick<RebalanceServices, 'snapshots' | 'database' | 'fleetReads'>,
  request: ConstructorParameters<typeof RequestsOfConsumers>[1],
  selection: ConsumerSelection,
  operation: Operation,
): Promise<PlannedConsumers> {
  const rows = await fleetReads.consumers(selection, operation);
  const texts = new RequestTexts(request.excludedRootTraits);
  const bodies = Array.from(rows.requests, ([id, body]) => ({ id, body }));
  const remembered = await withRequests(texts, bodies, operation);
  const [types, bound] = await Promise.all([
    readTypes(database.pool),
    readBoundWorkloads(database, rows.inWorkloads, operation),
  ]);
  const others = Array.from(bound.held.keys(), (consumer) => ({ consumer, request: requestOf([]) }));
  const holdings = await readHoldingsOf(database, [...request.requests, ...remembered, ...others]);
  const snapshot = await operation.activity.inDatabase('freshness check', () => snapshots.current());
  const consumers = await resultInSlices(
    (effort) => consumersIn(snapshot, rows, snapshots.removed, effort),
    operation,
  );
  const bindings = await resultInSlices((effort) => WorkloadBindings.of(snapshot, bound, effort), operation);
  const requests = new RequestsOfConsumers(snapshot, request, consumers, types, holdings, {
    bodies: rows.requests,
    texts,
    bindings,
  });
  return { snapshot, consumers, requests, bindings };
}

async function planFor(
  services: RebalanceServices,
  request: RebalanceRequest,
  selection: ConsumerSelection,
  operation: Operation,
): Promise<RebalancePlan> {
  const {
    ledger: { clock },
    database,
  } = services;
  const planned = await readPlanned(services, request, selection, operation);
  const { snapshot, consumers, requests, bindings: workloads } = planned;
  const classes = request.resourceClasses?.map((name) => snapshot.classes.idOf(name)!);
  const rebalanced = await resultInSlices((effort) => requests.rebalanced(effort), operation);
  const end = clock.elapsed() + MAX_SEARCH_MS;
  const problem: RebalanceProblem = {
    snapshot,
    goal: request.goal,
    hosts: hostsOf(snapshot, request).map(({ treeIndex }) => treeIndex),
    classes: classes === undefined ? null : new Set(classes),
    consumers: rebalanced,
    workloads,
    requestOf: (consumer) => requests.requestOf(consumer),
    restRequestOf: (consumer) => requests.restRequestOf(consumer),
    maxMoves: request.maxMoves,
    isOver: () => clock.elapsed() > end,
  };
  const found = await resultInSlices((effort) => rebalance(problem, effort), operation);
  return planOf(database, problem, request, { consumers, requests }, found, operation);
}

/** Measures the moves. Omits them if the gain is too small. */
async function planOf(
  database: ConsumerReader,
  problem: RebalanceProblem,
  { minGain }: RebalanceRequest,
  { consumers, requests }: Pick<PlannedConsumers, 'consumers' | 'requests'>,
  { moves, isOptimal, isCutShort, before: faultsBefore, after: faultsAfter }: Rebalancing,
  operation: Operation,
): Promise<RebalancePlan> {
  const { snapshot, goal } = problem;
  const measure = async (at: Snapshot, faults: ConsumerFaults): Promise<RebalanceMetrics> => ({
    ...(await resultInSlices((effort) => metricsOf(at, problem, effort), operation)),
    ...(goal === 'FIX' ? faults : { brokenRelations: null, faultyConsumers: null }),
  });
  const before = await measure(snapshot, faultsBefore);
  const after = await measure(withMoves(snapshot, moves), faultsAfter);
  const gain = valueOf(goal, before) - valueOf(goal, after);
  const derivedCount = problem.consumers.filter(({ isStated }) => !isStated).length;
  const plan = { before, gain, moveCount: moves.length, isOptimal, derivedCount };
  if (moves.length === 0 || isBetter(gain, minGain)) {
    const outcome = isCutShort && !isOptimal ? 'UNDECIDED' : 'NOTHING_WORTH_MOVING';
    return { ...plan, outcome, after: before, moves: [] };
  }
  return {
    ...plan,
    outcome: 'FOUND',
    after,
    moves: await plannedMoves(database, snapshot, consumers, requests, moves),
  };
}

/** Returns the moves of the consumers that were not deleted during the search. */
export async function plannedMoves(
  database: ConsumerReader,
  snapshot: Snapshot,
  consumers: readonly FleetConsumer[],
  requests: RequestsOfConsumers,
  moves: Rebalancing['moves'],
): Promise<PlannedMove[]> {
  const uuids = moves.map(({ consumer }) => consumers[consumer].uuid);
  const held = await readHeldConsumers(database, [...new Set(uuids)]);
  return moves.flatMap(({ consumer, from, to }, at) => {
    const { uuid, generation } = consumers[consumer];
    const current = held.get(uuid);
    if (current === undefined) return [];
    const earlier = uuids.slice(0, at).filter((one) => one === uuid).length;
    const source = requests.sourceOf(consumer);
    return [{ consumer: current, generation: generation + earlier, source, from, to, snapshot }];
  });
}

function valueOf(goal: RebalanceGoal, metrics: RebalanceMetrics): number {
  if (goal === 'FREE_HOSTS') return metrics.usedHosts;
  if (goal === 'EVEN_OUT') return metrics.maxUtilization;
  return metrics.overCapacity + (metrics.brokenRelations ?? 0) + (metrics.faultyConsumers ?? 0);
}

/** @throws InvalidInput */
function validate(snapshot: Snapshot, request: RebalanceRequest): void {
  const { maxMoves, minGain, aggregate, resourceClasses, keep, keepTypes, requests } = request;
  const range = `maxMoves ${maxMoves} is not from 1 to ${MAX_MOVES}`;
  ensure(maxMoves >= 1 && maxMoves <= MAX_MOVES, ['maxMoves'], range);
  ensure(minGain >= 0, ['minGain'], `minGain ${minGain} is negative`);
  validateList(keep, ['keep'], 'consumer');
  validateList(keepTypes, ['keepTypes'], 'consumer type');
  const isKnown = aggregate === null || snapshot.aggregates.idOf(aggregate) !== undefined;
  if (!isKnown) throw new InvalidInput(['scope'], `no provider is in aggregate ${aggregate}`);
  validateList(resourceClasses ?? [], ['resourceClasses'], 'resource class');
  resourceClasses?.forEach((name, at) => classIdIn(snapshot, name, ['resourceClasses', String(at)]));
  checkRequests(snapshot, requests);
}

/** Returns the trees with a provider in the aggregate of the scope; all trees if the scope is the fleet. */
function hostsOf(snapshot: Snapshot, { aggregate }: RebalanceRequest): Tree[] {
  return treesWith(snapshot, aggregate === null ? null : (snapshot.aggregates.idOf(aggregate) ?? UNKNOWN));
}
