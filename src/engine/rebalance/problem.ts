import type { CandidateAllocation } from '../model/candidate.js';
import type { CandidatesRequest } from '../model/request.js';
import type { Snapshot } from '../model/snapshot.js';

/**
 * FREE_HOSTS: the fewest used hosts. EVEN_OUT: the lowest maximum utilization. FIX: the fewest faults, which are
 * inventories over capacity and consumers whose allocations are no candidate of their request.
 */
export type RebalanceGoal = 'FREE_HOSTS' | 'EVEN_OUT' | 'FIX';

export interface RebalancedConsumer {
  readonly uuid: string;
  readonly allocations: readonly CandidateAllocation[];
  readonly canMove: boolean;
  /** Whether the client stated its request; otherwise the request is derived from its allocations. */
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
  /** Returns the request by which a consumer moves. */
  readonly requestOf: (consumer: number) => CandidatesRequest;
  readonly maxMoves: number;
  readonly seed: number;
  /** Returns true once the search must stop. The best moves so far are then the answer. */
  readonly isOver: () => boolean;
}

/** One step. No inventory exceeds its capacity through it if the steps before it are executed. */
export interface RebalanceMove {
  readonly consumer: number;
  readonly from: readonly CandidateAllocation[];
  readonly to: readonly CandidateAllocation[];
}

export interface Rebalancing {
  readonly moves: readonly RebalanceMove[];
  /** True if no sequence of at most `maxMoves` moves is better, nor equally good and shorter. */
  readonly isOptimal: boolean;
  /** The consumers whose allocations are no candidate of their request; 0 for other goals than FIX. */
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
