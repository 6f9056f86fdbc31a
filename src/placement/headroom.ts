import { headroomOf, treesWithHeadroom, type Headroom } from '../engine/headroom/headroom.js';
import { planRequest, type Plan } from '../engine/model/plan.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import { currentSnapshot, validateIn, type SnapshotSource } from './candidateSearch.js';
import type { Operation } from '../runtime/operation.js';
import { resultInSlices } from './timeSlices.js';

/** A count with its snapshot and plan. */
export interface CountedHeadroom extends Headroom {
  readonly snapshot: Snapshot;
  /** Null if no provider can meet a condition, because it names only unknown objects. */
  readonly plan: Plan | null;
}

/**
 * Counts how often a request still fits in the current snapshot.
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
  const headroom = await resultInSlices((effort) => headroomOf(snapshot, plan, upTo, effort), operation);
  return { snapshot, plan, ...headroom };
}

/** Returns how many trees could take the request at least once. */
export async function countTrees({ snapshot, plan }: CountedHeadroom, operation: Operation): Promise<number> {
  if (plan === null) return 0;
  return resultInSlices((effort) => treesWithHeadroom(snapshot, plan, effort), operation);
}
