import type { Pool } from 'mariadb';
import type { Database } from '../store/database/database.js';
import { readDatabaseId } from '../store/database/databaseId.js';
import { isReadOnly } from '../store/database/failures.js';
import type { ConsumerFiguresSource } from '../model/listing/consumerFigures.js';
import { ConsumerWatch, ProviderWatch } from '../store/feed/watch.js';
import { FeedWriter } from '../store/feed/writer.js';
import { ClaimQueue } from '../store/ledger/allocation/claimQueue.js';
import { recordForeignChanges } from '../store/ledger/recordForeignChanges.js';
import type { Ledger } from '../store/ledger/transaction.js';
import { FleetReads } from '../moves/rebalance/fleetReads.js';
import type { FleetSource } from '../moves/whatIf.js';
import { TotalsWatch } from '../api/fleet/totalsWatch.js';
import { createSharedReads } from '../api/loaders/sharedReads.js';
import { systemClock, type Clock } from '../model/operation/clock.js';
import { Operations } from '../model/operation/operation.js';
import { operationLimits, type OperationLimits } from '../model/operation/operationLimits.js';
import { NO_LOG, type Log } from '../model/observation/log.js';
import { NO_OBSERVER, type Observer } from '../model/observation/observer.js';
import { reportToConsole, type Report } from '../model/operation/report.js';
import type { Tracing } from '../model/observation/tracing.js';
import { BackgroundJobs } from '../store/live/backgroundJobs.js';
import { LiveConsumers } from '../store/live/consumers/liveConsumers.js';
import { LiveSnapshot, type RecordChanges } from '../store/live/liveSnapshot.js';
import { Reconciliation, type ForeignWritesSettings } from '../store/external/reconciliation.js';
import { reportTo } from './telemetry/log.js';
import type { Metrics } from './telemetry/metrics/metrics.js';
import type { PoolState, ProcessState } from './telemetry/metrics/processGauges.js';
import { Telemetry } from './telemetry/telemetry.js';

export interface ProcessSettings {
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing | null;
  /** An operation that takes longer is logged as slow (ms). Defaults to infinity. */
  readonly slow?: number;
  /** The maximum number of fast, successful operations that are logged in a second. Defaults to all. */
  readonly linesPerSecond?: number;
  /** Receives failures without a caller. Defaults to the log, or without one to standard error. */
  readonly report?: Report;
  readonly clock?: Clock;
  /** Each defaults to the {@link operationLimits} of the database's connections. */
  readonly limits?: Partial<OperationLimits>;
  readonly foreignWrites?: ForeignWritesSettings;
  /** The traits of roots that searches exclude (ADR 33). Absent for a process that does not serve. */
  readonly excludedRootTraits?: readonly string[];
}

export type Process = ReturnType<typeof createProcess>;

/** Opens no connection and starts no work: the parts do so on their first use. */
export function createProcess(
  database: Database,
  {
    log = NO_LOG,
    metrics,
    tracing = null,
    slow = Infinity,
    linesPerSecond = Infinity,
    report = log === NO_LOG ? reportToConsole : reportTo(log),
    clock = systemClock,
    limits,
    foreignWrites,
    excludedRootTraits,
  }: ProcessSettings = {},
) {
  const feed = new FeedWriter(database, report, excludedRootTraits);
  const ledger: Ledger = { database, feed, clock, observer: metrics };
  const claims = new ClaimQueue(ledger);
  const recordChanges: RecordChanges = (ids, known) => recordForeignChanges(ledger, ids, known);
  const snapshots = new LiveSnapshot(database, clock, recordChanges, metrics);
  const consumers = new LiveConsumers(database, clock);
  const watch = new ProviderWatch(database, feed, report);
  const consumerWatch = new ConsumerWatch(database, feed, report);
  const totalsWatch = new TotalsWatch(snapshots);
  const watches = [watch, consumerWatch, totalsWatch];
  const reconciliation = new Reconciliation(database, snapshots, recordChanges, report, foreignWrites, clock);
  const jobs = new BackgroundJobs(database, snapshots, reconciliation, report, clock);
  const operations = new Operations({ ...operationLimits(database.connections), ...limits });
  metrics?.watch(stateOf(database, operations, claims, snapshots, watches));
  const isObserved = log !== NO_LOG || metrics !== undefined || tracing !== null;
  let databaseId: Promise<string> | null = null;
  return {
    database,
    /** Returns the id of the database, which is read once. */
    databaseId: () =>
      (databaseId ??= readDatabaseId(database.pool).catch((error: unknown) => {
        databaseId = null;
        throw error;
      })),
    operations,
    excludedRootTraits: excludedRootTraits ?? [],
    ledger,
    observer: (metrics ?? NO_OBSERVER) as Pick<Observer, 'candidatesCut'>,
    claims,
    reads: createSharedReads(database),
    fleetReads: new FleetReads(database),
    // an operation may read another fleet: only these interfaces are visible
    snapshots: snapshots as FleetSource,
    consumers: consumers as ConsumerFiguresSource,
    watch,
    consumerWatch,
    totalsWatch,
    log,
    report,
    /** Null if log, metrics and tracing are all disabled. */
    telemetry: isObserved ? new Telemetry({ log, metrics, tracing, slow, linesPerSecond }) : null,
    /** Loads the snapshot and starts the background jobs that keep it current. */
    async start() {
      await feed.ready().catch((error: unknown) => {
        if (!isReadOnly(error)) throw error; // the process reads, and gets its lease before its first write
      });
      await snapshots.current();
      jobs.start();
    },
    stop() {
      jobs.stop();
      reconciliation.stop();
      feed.stop();
      consumers.close();
      for (const each of watches) each.close();
    },
  };
}

function stateOf(
  database: Database,
  { small, large, work, connections, held }: Operations,
  claims: ClaimQueue,
  snapshots: LiveSnapshot,
  watches: readonly { readonly size: number }[],
): ProcessState {
  return {
    get snapshot() {
      return snapshots.latest;
    },
    get streams() {
      return watches.reduce((sum, { size }) => sum + size, 0);
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
