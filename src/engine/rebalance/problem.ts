import type { CandidateAllocation } from '../model/candidate.js';
import type { CandidatesRequest } from '../model/request.js';
import type { Snapshot } from '../model/snapshot.js';

/**
 * FREE_HOSTS: the fewest used hosts. EVEN_OUT: the lowest maximum utilization. FIX: the fewest
 * faults, which are inventories over capacity and consumers whose allocations are not a candidate
 * of their request.
 */
export type RebalanceGoal = 'FREE_HOSTS' | 'EVEN_OUT' | 'FIX';

export interface RebalancedConsumer {
  readonly uuid: string;
  readonly allocations: readonly CandidateAllocation[];
  readonly canMove: boolean;
  /** True if the client passed the consumer's request; else it is derived from the allocations. */
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
  /** Returns the request that a consumer must satisfy after a move. */
  readonly requestOf: (consumer: number) => CandidatesRequest;
  readonly maxMoves: number;
  /** Returns true once the search must stop. The result is then the best moves so far. */
  readonly isOver: () => boolean;
}

/** A move of one consumer. It takes no inventory over capacity if the earlier moves are done. */
export interface RebalanceMove {
  readonly consumer: number;
  readonly from: readonly CandidateAllocation[];
  readonly to: readonly CandidateAllocation[];
}

export interface Rebalancing {
  readonly moves: readonly RebalanceMove[];
  /** True if no sequence of at most `maxMoves` moves is better, or equally good but shorter. */
  readonly isOptimal: boolean;
  /** The number of consumers whose allocations are not a candidate; 0 unless FIX. */
  readonly faultyConsumers: { readonly before: number; readonly after: number };
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
