import type { Database } from '../store/database/database.js';
import { readDatabaseId } from '../store/database/databaseId.js';
import { isReadOnly } from '../store/database/failures.js';
import type { ConsumerFiguresSource } from '../model/listing/consumerFigures.js';
import { FeedLog } from '../store/feed/log.js';
import { OlderServersJob } from '../store/feed/olderServers.js';
import { ConsumerWatch, ProviderWatch } from '../store/feed/watch.js';
import { FeedWriter } from '../store/feed/writer.js';
import { ClaimQueue } from '../store/ledger/allocation/claimQueue.js';
import { HoldExpiry } from '../store/ledger/allocation/holdExpiry.js';
import { recordForeignChanges } from '../store/ledger/recordForeignChanges.js';
import type { Ledger } from '../store/ledger/transaction.js';
import { FleetReads } from '../moves/rebalance/fleetReads.js';
import { QuotaReconciliation } from '../store/quotas/reconcile.js';
import { IGNORED_TYPES } from '../store/quotas/definitions.js';
import { applyIgnoredTypes } from '../store/quotas/setQuotas.js';
import type { FleetSource } from '../moves/whatIf.js';
import { TotalsWatch } from './fleet/totalsWatch.js';
import { createSharedReads } from './loaders/sharedReads.js';
import { systemClock, type Clock } from '../model/operation/turns.js';
import { Operations } from '../model/operation/operation.js';
import { operationLimits, type OperationLimits } from '../model/operation/admission.js';
import { NO_LOG, type Log, NO_OBSERVER, type Observer } from '../model/observation.js';
import { reportToConsole, type Report } from '../model/operation/report.js';
import { BackgroundJobs } from '../store/live/backgroundJobs.js';
import { LiveConsumers } from '../store/live/consumers/liveConsumers.js';
import { LiveSnapshot, type RecordChanges } from '../store/live/liveSnapshot.js';
import { Reconciliation, type ForeignWritesSettings } from '../store/external/reconciliation.js';

export interface ServicesSettings {
  readonly log?: Log;
  /** Receives failures without a caller. Defaults to standard error. */
  readonly report?: Report;
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** Each defaults to the {@link operationLimits} of the database's connections. */
  readonly limits?: Partial<OperationLimits>;
  readonly foreignWrites?: ForeignWritesSettings;
  /** The traits of roots that searches exclude (ADR 33). Absent for a process that does not serve. */
  readonly excludedRootTraits?: readonly string[];
  /** The consumer types that quotas do not count. Defaults to MIGRATION. */
  readonly ignoredQuotaTypes?: readonly string[];
}

export type Services = ReturnType<typeof createServices>;

/** Ignores that the database is read-only: the process reads, and gets its lease before its first write. */
function unlessReadOnly(error: unknown): void {
  if (!isReadOnly(error)) throw error;
}

/** Creates the objects that a process has once. Opens no connection and starts no work: they do so on their first use. */
export function createServices(
  database: Database,
  {
    log = NO_LOG,
    report = reportToConsole,
    observer,
    clock = systemClock,
    limits,
    foreignWrites,
    excludedRootTraits,
    ignoredQuotaTypes: ignoredTypes = IGNORED_TYPES,
  }: ServicesSettings = {},
) {
  const feed = new FeedWriter(database, report, excludedRootTraits);
  const ledger: Ledger = { database, feed, clock, observer, ignoredTypes };
  const claims = new ClaimQueue(ledger);
  const record: RecordChanges = (ids, known) => recordForeignChanges(ledger, ids, known);
  const feedLog = new FeedLog(database);
  const snapshots = new LiveSnapshot(database, clock, record, observer, feedLog);
  const consumers = new LiveConsumers(database, clock, undefined, feedLog);
  const watch = new ProviderWatch(database, feed, report, feedLog);
  const consumerWatch = new ConsumerWatch(database, feed, report, feedLog);
  const totalsWatch = new TotalsWatch(snapshots);
  const watches = [watch, consumerWatch, totalsWatch];
  const reconciliation = new Reconciliation(database, snapshots, report, foreignWrites, clock);
  const expiry = new HoldExpiry(database, feed, claims, log);
  const jobs = new BackgroundJobs(database, snapshots, reconciliation, report, clock, [
    expiry,
    new OlderServersJob(database.pool, log),
    new QuotaReconciliation(database, ledger, clock),
  ]);
  const operations = new Operations({ ...operationLimits(database.connections), ...limits });
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
    observer: observer ?? NO_OBSERVER,
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
    /** The state of the services for the metrics. */
    state: {
      get snapshot() {
        return snapshots.latest;
      },
      get streams() {
        return watches.reduce((sum, { size }) => sum + size, 0);
      },
    },
    /** Loads the snapshot, begins to end overdue holds, and starts the background jobs. */
    async start() {
      await feed.ready().catch(unlessReadOnly);
      await applyIgnoredTypes(ledger).catch(unlessReadOnly);
      await snapshots.current();
      await expiry.step().catch(() => undefined); // the job repeats it, and reports a failure
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
