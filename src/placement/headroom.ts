import { headroomOf, treesWithHeadroom, type Headroom } from '../engine/headroom/headroom.js';
import { planRequest, type Plan } from '../engine/model/plan.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import { currentSnapshot, validateIn, type SnapshotSource } from './candidateSearch.js';
import type { Operation } from '../runtime/operation.js';
import { resultInSlices } from './timeSlices.js';

/** A count together with what it was counted in. */
export interface CountedHeadroom extends Headroom {
  readonly snapshot: Snapshot;
  /** Null when nothing could be searched: some condition names what nobody has. */
  readonly plan: Plan | null;
}

/**
 * Counts in the current snapshot how many more of a request fit. Throws InvalidInput for a request that is
 * rejected.
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

/** How many trees could take the request at least once. */
export async function countTrees({ snapshot, plan }: CountedHeadroom, operation: Operation): Promise<number> {
  if (plan === null) return 0;
  return resultInSlices((effort) => treesWithHeadroom(snapshot, plan, effort), operation);
}
