import type { Pool } from 'mariadb';
import type { Database } from '../database/database.js';
import type { ClaimQueue } from '../ledger/allocation/claimQueue.js';
import type { Operations } from '../runtime/operation.js';
import type { LiveSnapshot } from '../snapshot/liveSnapshot.js';
import type { PoolState, ProcessState } from '../telemetry/metrics/processGauges.js';

interface Parts {
  readonly database: Database;
  readonly operations: Operations;
  readonly claims: ClaimQueue;
  readonly snapshots: LiveSnapshot;
  readonly watches: readonly { readonly size: number }[];
}

export function stateOf({ database, operations, claims, snapshots, watches }: Parts): ProcessState {
  const { small, large, connections } = operations;
  return {
    get snapshot() {
      return snapshots.latest;
    },
    get streams() {
      return watches.reduce((sum, { size }) => sum + size, 0);
    },
    queues: () => ({
      small_operations: small.waiting,
      large_operations: large.waiting,
      connections: connections.size,
      claims: claims.size,
    }),
    costs: () => ({ small: small.cost, large: large.cost }),
    pools: () => ({
      reads: poolState(database.pool),
      transactions: poolState(database.transactions),
      long_work: poolState(database.longWork),
      probe: poolState(database.probe),
      background: poolState(database.background),
    }),
  };
}

function poolState(pool: Pool): PoolState {
  return {
    active: pool.activeConnections(),
    idle: pool.idleConnections(),
    waiting: pool.taskQueueSize(),
  };
}
