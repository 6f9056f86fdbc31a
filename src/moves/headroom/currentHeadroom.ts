import { HeadroomCount, treesWithHeadroom, type Headroom } from './headroom.js';
import { planRequest, type Plan } from '../../search/plan.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { currentSnapshot, validateIn, type SnapshotSource } from '../../search/candidateSearch.js';
import type { Operation } from '../../model/operation/operation.js';
import { resultInSlices, resultWithin } from '../../search/timeSlices.js';

/** A count with its snapshot and plan. */
export interface CountedHeadroom extends Headroom {
  readonly snapshot: Snapshot;
  /** Null if no provider can meet a condition, because it names only unknown objects. */
  readonly plan: Plan | null;
}

/** The processing time after which a count is a lower bound (ms). */
const TIME_LIMIT = 1_500;

/**
 * Counts how often a request still fits in the current snapshot, or a lower bound if that takes too long.
 *
 * @throws InvalidInput for a rejected request
 */
export async function countHeadroom(
  snapshots: SnapshotSource,
  request: CandidatesRequest,
  upTo: number,
  operation: Operation,
): Promise<CountedHeadroom> {
  const snapshot = await currentSnapshot(snapshots, operation);
  validateIn(snapshot, request);
  const plan = planRequest(snapshot, request);
  if (plan === null) return { snapshot, plan, count: 0, reachedUpTo: false, exact: true };
  const counting = new HeadroomCount(snapshot, plan, upTo);
  const result = await resultWithin(TIME_LIMIT, (effort) => counting.run(effort), operation);
  const headroom = result?.value ?? { count: counting.count, reachedUpTo: false, exact: false };
  return { snapshot, plan, ...headroom };
}

/** Returns how many trees could take the request at least once. */
export async function countTrees({ snapshot, plan }: CountedHeadroom, operation: Operation): Promise<number> {
  if (plan === null) return 0;
  return resultInSlices((effort) => treesWithHeadroom(snapshot, plan, effort), operation);
}
