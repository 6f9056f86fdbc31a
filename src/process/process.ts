import type { Database } from '../database/database.js';
import { ProviderWatch } from '../feed/watch.js';
import { FeedWriter } from '../feed/writer.js';
import { ClaimQueue } from '../ledger/allocation/claimQueue.js';
import { recordForeignChanges } from '../ledger/recordForeignChanges.js';
import type { Ledger } from '../ledger/transaction.js';
import type { SnapshotSource } from '../placement/candidateSearch.js';
import { createSharedReads, type SharedReads } from '../reads/sharedReads.js';
import { systemClock, type Clock } from '../runtime/clock.js';
import { operationLimits, Operations, type OperationLimits } from '../runtime/operation.js';
import { NO_LOG, type Log } from '../runtime/log.js';
import { reportToConsole, type Report } from '../runtime/report.js';
import { BackgroundJobs } from '../snapshot/backgroundJobs.js';
import { LiveSnapshot, type RecordChanges } from '../snapshot/liveSnapshot.js';
import { Reconciliation, type ForeignWritesSettings } from '../snapshot/reconciliation/reconciliation.js';
import { reportTo } from '../telemetry/log.js';

export interface ProcessSettings {
  /** Where the process writes what its operator may want to know; nowhere unless said otherwise. */
  readonly log?: Log;
  /** Told of failures that no caller hears of; unless said otherwise the log, or where there is none standard error. */
  readonly report?: Report;
  readonly clock?: Clock;
  /** What operations may take; {@link operationLimits} of the database's connections unless said otherwise. */
  readonly limits?: OperationLimits;
  /** How writes of other programs are found. */
  readonly foreignWrites?: ForeignWritesSettings;
}

/** What one process keeps for a database, one of each, whoever works with it: the server, scripts, tests. */
export interface Process {
  readonly database: Database;
  /** What the operations of clients share, and where each begins. */
  readonly operations: Operations;
  readonly ledger: Ledger;
  /** Where claims wait for the transaction that they share. */
  readonly claims: ClaimQueue;
  /** The small reads that operations share. */
  readonly reads: SharedReads;
  /** The snapshot that searches read: never older than the call. */
  readonly snapshots: SnapshotSource;
  /** What subscriptions read. */
  readonly watch: ProviderWatch;
  readonly log: Log;
  readonly report: Report;
  /** Loads the snapshot, and keeps it up from then on though nobody asks. */
  start(): Promise<void>;
  /** Ends the subscriptions and the work in the background. The database stays open. */
  stop(): void;
}

/** Connects nothing and begins nothing: what is asked of the parts first does. */
export function createProcess(
  database: Database,
  {
    log = NO_LOG,
    report = log === NO_LOG ? reportToConsole : reportTo(log),
    clock = systemClock,
    limits = operationLimits(database.connections),
    foreignWrites,
  }: ProcessSettings = {},
): Process {
  const feed = new FeedWriter(database, report);
  const ledger = { database, feed, clock };
  const recordChanges: RecordChanges = (ids, known) => recordForeignChanges(ledger, ids, known);
  const snapshots = new LiveSnapshot(database, clock, recordChanges);
  const watch = new ProviderWatch(database, feed, report);
  const reconciliation = new Reconciliation(database, snapshots, recordChanges, report, foreignWrites, clock);
  const jobs = new BackgroundJobs(database, snapshots, reconciliation, report, clock);
  return {
    database,
    operations: new Operations(limits),
    ledger,
    claims: new ClaimQueue(ledger),
    reads: createSharedReads(database),
    snapshots,
    watch,
    log,
    report,
    async start() {
      await snapshots.current();
      jobs.start();
    },
    stop() {
      jobs.stop();
      reconciliation.stop();
      feed.stop();
      watch.close();
    },
  };
}
