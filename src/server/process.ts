import type { Pool } from 'mariadb';
import { createServices, type Services, type ServicesSettings } from '../api/services.js';
import { NO_LOG, type Tracing } from '../model/observation.js';
import type { Database } from '../store/database/database.js';
import { reportTo } from './telemetry/log.js';
import { type Metrics, Telemetry } from './telemetry/telemetry.js';
import type { PoolState, ProcessState } from './telemetry/metrics/processGauges.js';

export interface ProcessSettings extends Omit<ServicesSettings, 'observer'> {
  readonly metrics?: Metrics;
  readonly tracing?: Tracing | null;
  /** An operation that takes longer is logged as slow (ms). Defaults to infinity. */
  readonly slow?: number;
  /** The maximum number of fast, successful operations that are logged in a second. Defaults to all. */
  readonly linesPerSecond?: number;
}

export type Process = ReturnType<typeof createProcess>;

/** Creates the services of a process and their telemetry. */
export function createProcess(database: Database, settings: ProcessSettings = {}) {
  const {
    log = NO_LOG,
    metrics,
    tracing = null,
    slow = Infinity,
    linesPerSecond = Infinity,
    ...others
  } = settings;
  const report = settings.report ?? (log === NO_LOG ? undefined : reportTo(log));
  const services = createServices(database, { ...others, log, report, observer: metrics });
  metrics?.watch(stateOf(services));
  const isObserved = log !== NO_LOG || metrics !== undefined || tracing !== null;
  return {
    ...services,
    /** Null if log, metrics and tracing are all disabled. */
    telemetry: isObserved ? new Telemetry({ log, metrics, tracing, slow, linesPerSecond }) : null,
  };
}

function stateOf({ database, operations, claims, state }: Services): ProcessState {
  const { small, large, work, connections, held } = operations;
  return {
    get snapshot() {
      return state.snapshot;
    },
    get streams() {
      return state.streams;
    },
    get heldBytes() {
      return held.size;
    },
    queues: () => ({
      small_operations: small.waiting,
      large_operations: large.waiting + work.waiting,
      connections: connections.size,
      claims: claims.size,
    }),
    costs: () => ({ small: small.cost, large: large.cost + work.cost }),
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
  const [active, idle] = [pool.activeConnections(), pool.idleConnections()];
  return { active, idle, waiting: pool.taskQueueSize() };
}
