import { randomInt } from 'node:crypto';
import { ensure } from '../../model/input.js';
import { mix } from '../../model/collections.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { currentSnapshot } from '../../search/candidateSearch.js';
import { MAX_SEARCH_MS, workloadOf, type ClaimRequest, type ClaimServices } from './claim.js';
import { readHeldConsumers, type HeldConsumer } from '../../store/sql/consumers.js';
import { checkClaimConsumers, withoutHeld } from '../heldConsumers.js';
import { placeBesideKept } from './keptAllocations.js';
import { NoCandidates } from './noCandidates.js';
import {
  validateWorkloadIn,
  withAllHoldings,
  withOwnProviders,
  withRelations,
  type WorkloadPlacement,
} from './workloadPlacement.js';

export interface WorkloadPlans {
  /** The existing consumers of the claim, by uuid. */
  readonly held: ReadonlyMap<string, HeldConsumer>;
  /** The snapshot without the consumers of the claim. */
  readonly before: Snapshot;
  readonly plans: readonly WorkloadPlacement[];
  /** The reason why there is no plan; null if there is a plan. */
  readonly failure: NoCandidates | null;
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
 * count as released, regardless of their generations. Returns fewer plans at the deadline.
 *
 * @throws InvalidInput, TimedOut
 */
export async function planClaim(
  { snapshots, ledger: { clock }, database }: ClaimServices,
  claim: ClaimRequest,
  { plans, areSelected }: PlanCount,
): Promise<WorkloadPlans> {
  const { members, operation } = claim;
  ensure(plans >= 1 && plans <= MAX_PLANS, ['plans'], `plans ${plans} is not from 1 to ${MAX_PLANS}`);
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
  const first = claim.seed ?? randomInt(2 ** 31);
  const deadline = clock.elapsed() + MAX_TIME_MS;
  const found: WorkloadPlacement[] = [];
  for (let at = 0; at < (areSelected ? plans : 1) && clock.elapsed() < deadline; at++) {
    const end = Math.min(deadline, clock.elapsed() + MAX_SEARCH_MS);
    const options = {
      seed: at === 0 ? first : mix(first, at) >>> 1,
      operation,
      isOver: () => clock.elapsed() > end,
    };
    try {
      found.push(await placeBesideKept(current, workload, { consumers, held, stay: claim.stay }, options));
    } catch (error) {
      if (!(error instanceof NoCandidates)) throw error;
      if (found.length === 0) return { held, before, plans: [], failure: error };
    }
  }
  return { held, before, plans: found, failure: null };
}
