import type { Snapshot } from '../../fleet/snapshot.js';
import type { Operation } from '../../model/operation/operation.js';
import { withMoves } from '../../search/overlay/snapshotOverlay.js';
import { resultInSlices } from '../../search/timeSlices.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import { withPresent, type ClaimedConsumers } from '../claim/keptAllocations.js';
import type { ClaimServices } from '../claim/claim.js';
import { allocationsIn } from '../heldConsumers.js';
import {
  costOfConsumers,
  plannedMoves,
  readPlanned,
  type PlannedMove,
} from '../rebalance/currentRebalance.js';
import type { ConsumerSelection } from '../rebalance/fleetConsumers.js';
import type { FleetReads } from '../rebalance/fleetReads.js';
import type { FleetSource } from '../whatIf.js';
import type { Workload } from '../workload/workload.js';
import { readFixed } from './fixedConsumers.js';
import { makeRoom } from './makeRoom.js';
import { selectMovable, type RoomRequest } from './movable.js';
import { withMoverRelations } from './moverRelations.js';
import type { RoomAnswer, RoomProblem } from './problem.js';
import { withPositions } from './workloadFit.js';

export interface RoomServices extends Pick<ClaimServices, 'ledger' | 'database'> {
  readonly snapshots: FleetSource;
  readonly fleetReads: FleetReads;
}

export interface WantedRoom extends RoomRequest {
  /** See CandidatesRequest. For derived requests. */
  readonly excludedRootTraits: readonly string[];
}

/** A workload that did not fit, and its consumers. */
interface CrowdedOut extends ClaimedConsumers {
  readonly workload: Workload;
  readonly seed: number;
  /** Whether it is proven that the workload does not fit without moves. */
  readonly isProven: boolean;
}

/** The moves that make room for a workload. */
export interface Room extends Pick<RoomAnswer, 'outcome' | 'isOptimal'> {
  readonly moves: readonly PlannedMove[];
  /** The fleet after the moves, with the workload's own consumers. */
  readonly after: Snapshot;
  /** The workload with the positions of the moved consumers that it names. */
  readonly workload: Workload;
}

/** The time after which a search ends (ms). It begins after the reads. */
const MAX_SEARCH_MS = 8_000;

/**
 * Finds the fewest moves of other consumers after which a workload fits. Writes nothing.
 *
 * @throws TooManyConsumers, TimedOut
 */
export async function findRoom(
  services: RoomServices,
  crowded: CrowdedOut,
  request: WantedRoom,
  operation: Operation,
): Promise<Room> {
  const selection = await selectMovable(services.database, request.movable);
  const cost = await costOfConsumers(services.fleetReads, selection, 'fewer in `movable`', operation);
  return operation.runCharged(cost, () => roomFor(services, crowded, request, selection, operation));
}

async function roomFor(
  services: RoomServices,
  crowded: CrowdedOut,
  { excludedRootTraits, maxMoves }: WantedRoom,
  selection: ConsumerSelection,
  operation: Operation,
): Promise<Room> {
  const {
    ledger: { clock },
    database,
  } = services;
  const keep = crowded.consumers.map(({ consumer }) => consumer);
  const limits = {
    requests: [],
    keep,
    arriving: keep,
    keepTypes: [],
    keepsTraits: false,
    excludedRootTraits,
  };
  const planned = await readPlanned(services, limits, selection, operation);
  const { snapshot, consumers, requests, bindings } = planned;
  const movable = await resultInSlices((effort) => requests.rebalanced(effort), operation);
  const named = { movable: movable.map(({ uuid }) => uuid), replaced: keep };
  const fixed = await readFixed(database, snapshot, named, excludedRootTraits, operation);
  const { seed } = crowded;
  const movers = movable.flatMap(({ uuid, canMove, allocations }, at) => {
    if (!canMove || requests.sourceOf(at) === 'DERIVED') return [];
    const providers = allocations.map(({ provider: { block, row } }) => block.uuids[row]);
    return [{ uuid, request: requests.requestOf(at), providers }];
  });
  const uuids = uuidsByMember(crowded);
  const { workload, isExact } = withMoverRelations(crowded.workload, uuids, movers);
  const isKept = ({ keepOldAs }: ClaimedConsumers['consumers'][number]): boolean => Boolean(keepOldAs);
  const released = crowded.consumers.filter((one) => !isKept(one));
  const held = released.flatMap(({ consumer }) => heldOf(crowded.held.get(consumer)));
  const end = clock.elapsed() + MAX_SEARCH_MS;
  const problem: RoomProblem = {
    snapshot,
    workload: crowded.stay ? withPresent(snapshot, workload, crowded) : workload,
    held: allocationsIn(snapshot, held),
    consumers: [...movable, ...fixed],
    workloads: bindings,
    requestOf: (consumer) =>
      consumer < movable.length ? requests.requestOf(consumer) : fixed[consumer - movable.length].request,
    maxMoves,
    seed,
    isOver: () => clock.elapsed() > end,
  };
  const found = await resultInSlices((effort) => makeRoom(problem, effort), operation);
  // Allocations that other consumers keep are not released in the search, but the claim may use them once.
  const isProven =
    released.length === crowded.consumers.length && crowded.isProven && isExact && bindings.areExact;
  const outcome = found.outcome === 'IMPOSSIBLE' && !isProven ? 'UNDECIDED' : found.outcome;
  const moved = found.moves.map(({ consumer, to }) => [movable[consumer].uuid, to] as const);
  return {
    outcome,
    isOptimal: found.isOptimal && isProven,
    moves: await plannedMoves(database, snapshot, consumers, requests, found.moves),
    after: withMoves(snapshot, found.moves),
    workload: withPositions(workload, new Map(moved)),
  };
}

/** Returns the uuids of the workload's consumers, by member. */
function uuidsByMember({ workload: { members }, consumers }: CrowdedOut): string[][] {
  let next = 0;
  return members.map(({ count }) => consumers.slice(next, (next += count)).map(({ consumer }) => consumer));
}

function heldOf(consumer: HeldConsumer | undefined): HeldConsumer['allocations'] {
  return consumer?.allocations ?? [];
}
