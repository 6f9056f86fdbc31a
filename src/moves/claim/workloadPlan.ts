import { randomInt } from 'node:crypto';
import { ensure } from '../../model/input.js';
import { mix } from '../../model/collections.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { currentSnapshot } from '../../search/candidateSearch.js';
import { MAX_SEARCH_MS, workloadOf, type ClaimRequest, type ClaimServices } from './claim.js';
import { readHeldConsumers, type HeldConsumer } from '../../store/sql/consumers.js';
import { checkClaimConsumers, withoutHeld } from '../heldConsumers.js';
import { placeBesideKept, type ClaimedConsumers } from './keptAllocations.js';
import { NoCandidates } from './noCandidates.js';
import {
  validateWorkloadIn,
  withAllHoldings,
  withOwnProviders,
  withRelations,
  type PlacementOptions,
  type WorkloadPlacement,
} from './workloadPlacement.js';
import type { Workload } from '../workload/workload.js';
import type { Ledger } from '../../store/ledger/transaction.js';
import { findRoom, type Room, type RoomServices, type WantedRoom } from '../makeRoom/currentRoom.js';
import { validateRoom } from '../makeRoom/movable.js';

export interface WorkloadPlans {
  /** The existing consumers of the claim, by uuid. */
  readonly held: ReadonlyMap<string, HeldConsumer>;
  /** The snapshot without the consumers of the claim. */
  readonly before: Snapshot;
  readonly plans: readonly WorkloadPlacement[];
  /** The reason why there is no plan, or none without moves; null if there is one without moves. */
  readonly failure: NoCandidates | null;
  /** The moves of other consumers that the plans need; null if they need none or must not have any. */
  readonly room: Room | null;
}

export interface PlanCount {
  readonly plans: number;
  /** Whether the plans are read. If not, the first one suffices. */
  readonly areSelected: boolean;
}

export const MAX_PLANS = 16;

/** The maximum time of all searches (ms). */
const MAX_TIME_MS = 10_000;

/**
 * Plans a claim several times, each with its own seed, without a write. The allocations of its consumers
 * count as released, regardless of their generations. Returns fewer plans at the deadline. If the claim does not fit and
 * `makeRoom` is given, other consumers move first.
 *
 * @throws InvalidInput, TooManyConsumers, TimedOut
 */
export async function planClaim(
  services: ClaimServices & RoomServices,
  claim: ClaimRequest,
  { makeRoom, ...count }: PlanCount & { readonly makeRoom: WantedRoom | null },
): Promise<WorkloadPlans> {
  const { snapshots, database } = services;
  const { members, operation } = claim;
  const { plans } = count;
  ensure(plans >= 1 && plans <= MAX_PLANS, ['plans'], `plans ${plans} is not from 1 to ${MAX_PLANS}`);
  if (makeRoom !== null) validateRoom(makeRoom);
  const stated = workloadOf(claim);
  validateWorkloadIn(await currentSnapshot(snapshots, operation), stated);
  checkClaimConsumers(members);
  const consumers = members.flatMap((member) => member.consumers);
  const uuids = consumers.map(({ consumer }) => consumer);
  const [asked, held] = await Promise.all([
    withAllHoldings(database, stated),
    readHeldConsumers(database, uuids),
  ]);
  const workload = withOwnProviders(withRelations(asked, members, held), members, held);
  const current = await currentSnapshot(snapshots, operation);
  const before = withoutHeld(
    current,
    uuids.flatMap((uuid) => held.get(uuid)?.allocations ?? []),
  );
  const seed = claim.seed ?? randomInt(2 ** 31);
  const claimed = { consumers, held, stay: claim.stay };
  const place = (fleet: Snapshot, placed: Workload): Promise<Placed> =>
    placeSeveral(services.ledger, fleet, placed, claimed, { ...count, seed, operation });
  const direct = await place(current, workload);
  if (direct.failure === null || makeRoom === null) return { held, before, ...direct, room: null };
  const isProven = direct.failure.answer.kind === 'IMPOSSIBLE';
  const room = await findRoom(services, { ...claimed, workload, seed, isProven }, makeRoom, operation);
  if (room.outcome !== 'FOUND') return { held, before, ...direct, room };
  const { plans: found } = await place(room.after, room.workload);
  const outcome = found.length === 0 ? 'UNDECIDED' : room.outcome;
  return { held, before, plans: found, failure: direct.failure, room: { ...room, outcome } };
}

type Placed = Pick<WorkloadPlans, 'plans' | 'failure'>;

async function placeSeveral(
  { clock }: Ledger,
  fleet: Snapshot,
  workload: Workload,
  claimed: ClaimedConsumers,
  { plans, areSelected, seed, operation }: PlanCount & Omit<PlacementOptions, 'isOver'>,
): Promise<Placed> {
  const deadline = clock.elapsed() + MAX_TIME_MS;
  const found: WorkloadPlacement[] = [];
  for (let at = 0; at < (areSelected ? plans : 1) && clock.elapsed() < deadline; at++) {
    const end = Math.min(deadline, clock.elapsed() + MAX_SEARCH_MS);
    const options = {
      seed: at === 0 ? seed : mix(seed, at) >>> 1,
      operation,
      isOver: () => clock.elapsed() > end,
    };
    try {
      found.push(await placeBesideKept(fleet, workload, claimed, options));
    } catch (error) {
      if (!(error instanceof NoCandidates)) throw error;
      if (found.length === 0) return { plans: [], failure: error };
    }
  }
  return { plans: found, failure: null };
}
