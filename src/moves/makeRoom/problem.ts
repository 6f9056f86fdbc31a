import type { CandidateAllocation } from '../../search/anchor.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { RebalancedConsumer, RebalanceMove, RebalanceProblem } from '../rebalance/problem.js';
import type { Workload } from '../workload/workload.js';

/** A workload that does not fit, and the other consumers that may move for it. */
export interface RoomProblem {
  readonly snapshot: Snapshot;
  readonly workload: Workload;
  /** The allocations of the workload's own consumers. They count during the moves, but not after them. */
  readonly held: readonly CandidateAllocation[];
  readonly consumers: readonly RebalancedConsumer[];
  /** The rules of their named workloads. Absent: none. */
  readonly workloads?: RebalanceProblem['workloads'];
  /** Returns the request that a consumer must satisfy after each of its moves. */
  readonly requestOf: (consumer: number) => CandidatesRequest;
  readonly maxMoves: number;
  readonly seed: number;
  /** Returns true once the search must stop. */
  readonly isOver: () => boolean;
}

/** UNDECIDED: the search ended before it found moves or proved that at most `maxMoves` moves do not suffice. */
export interface RoomAnswer {
  readonly outcome: 'FOUND' | 'IMPOSSIBLE' | 'UNDECIDED';
  /** In the order to execute them: each copies the allocations first and exceeds no capacity. */
  readonly moves: readonly RebalanceMove[];
  /** True if fewer moves are proven not to suffice. */
  readonly isOptimal: boolean;
}
