/** The limits of each operation, and of all operations of a process together. */
export interface OperationLimits {
  /** How long an operation may take (ms). */
  readonly deadline: number;
  /** The maximum number of values of one operation after its variables are inserted. */
  readonly values: number;
  /** The maximum cost of one operation, both as estimated and as counted while it runs. */
  readonly cost: number;
  /** The maximum cost of all large operations that run at the same time. */
  readonly costInAll: number;
  /** Operations that cost at most this are small. They have their own capacity, so large ones never delay them. */
  readonly smallCost: number;
  readonly smallCostInAll: number;
  /** The maximum number of operations that wait for capacity. */
  readonly longestQueue: number;
  /** How long an operation waits for capacity (ms). */
  readonly longestWait: number;
  /** The maximum number of connections for lists and counts, in total and of one operation. */
  readonly connections: number;
  readonly connectionsOfOne: number;
  /** The maximum memory that all subscriptions hold between events (bytes). */
  readonly heldBytes: number;
  /** The default and maximum number of allocation requests of one search. */
  readonly candidates: number;
}

/** Returns the default limits for a number of connections. Small shared reads use the remaining ones. */
export function operationLimits(connections: number): OperationLimits {
  return {
    deadline: 30_000,
    values: 100_000,
    cost: 200_000,
    costInAll: 200_000,
    smallCost: 2_000,
    smallCostInAll: 50_000,
    longestQueue: 256,
    longestWait: 10_000,
    connections: Math.ceil((6 * connections) / 10),
    connectionsOfOne: Math.ceil((2 * connections) / 10),
    heldBytes: 67_108_864,
    candidates: 1_000,
  };
}

export const OPERATION_LIMITS = operationLimits(10);
