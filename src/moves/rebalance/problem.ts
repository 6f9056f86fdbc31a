import type { CandidateAllocation } from '../../search/anchor.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { WorkloadRules } from '../relations/domainRules.js';
import type { Reallocation } from '../../search/overlay/snapshotOverlay.js';

/**
 * FREE_HOSTS: the fewest used hosts. EVEN_OUT: the lowest maximum utilization. FIX: the fewest
 * broken relations, then the fewest other faults, which are inventories over capacity and consumers
 * whose allocations violate their request.
 */
export type RebalanceGoal = 'FREE_HOSTS' | 'EVEN_OUT' | 'FIX';

export interface RebalancedConsumer {
  readonly uuid: string;
  readonly allocations: readonly CandidateAllocation[];
  readonly canMove: boolean;
  /** True if the consumer's request is stated or remembered; else it is derived from the allocations. */
  readonly isStated: boolean;
}

export interface RebalanceProblem {
  readonly snapshot: Snapshot;
  readonly goal: RebalanceGoal;
  /** The trees whose values count and to which consumers may move. */
  readonly hosts: readonly number[];
  /** The classes whose utilization counts for EVEN_OUT; null: all. */
  readonly classes: ReadonlySet<number> | null;
  readonly consumers: readonly RebalancedConsumer[];
  /** The rules of the named workloads of the consumers. Absent: none. */
  readonly workloads?: WorkloadRules;
  /** Returns the request that a consumer must satisfy after its last move. */
  readonly requestOf: (consumer: number) => CandidatesRequest;
  /** Returns the request that it must satisfy between two of its moves if the goal is FIX. */
  readonly restRequestOf: (consumer: number) => CandidatesRequest;
  readonly maxMoves: number;
  /** Returns true once the search must stop. The result is then the best moves so far. */
  readonly isOver: () => boolean;
}

/**
 * A move of one consumer. It takes no inventory over capacity if the earlier moves are done, and
 * breaks no relation that holds. Consumers that must stay near each other move one directly after
 * the other; relations count after the last of these moves.
 */
export interface RebalanceMove extends Reallocation {
  readonly consumer: number;
}

export interface Rebalancing {
  readonly moves: readonly RebalanceMove[];
  /** True if no sequence of at most `maxMoves` moves is better, or equally good but shorter. */
  readonly isOptimal: boolean;
  /** True if `isOver` ended the search. */
  readonly isCutShort: boolean;
  /** The faults of consumers; none unless FIX. */
  readonly before: ConsumerFaults;
  readonly after: ConsumerFaults;
}

export interface ConsumerFaults {
  /** One for each pair of a consumer and one that it must stay away from, one for each `nearConsumers`. */
  readonly brokenRelations: number;
  /** The number of consumers whose allocations violate their request or a relation that it states. */
  readonly faultyConsumers: number;
}

/** Utilizations that differ by less are equal. */
const PRECISION = 1e-9;

export function isBetter(value: number, than: number): boolean {
  return value < than - PRECISION;
}

/** Returns the trees of allocations, each once. */
export function treesOf(allocations: readonly CandidateAllocation[]): number[] {
  return [...new Set(allocations.map(({ provider }) => provider.treeIndex))];
}

/** Returns a text that is equal for equal allocations. */
export function keyOf(allocations: readonly CandidateAllocation[]): string {
  return allocations
    .flatMap(({ provider: { treeIndex, row }, resources }) =>
      resources.map(({ resourceClass, amount }) => `${treeIndex}.${row}.${resourceClass}=${amount}`),
    )
    .sort()
    .join();
}
