import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { statement, tables, write } from '../database/statements.js';
import type { Report } from '../runtime/report.js';
import { CHECKSUM_KINDS } from './reconciliation/checksums.js';
import type { Reconciliation } from './reconciliation/reconciliation.js';
import { FEED_MINUTES } from '../feed/writer.js';
import type { LiveSnapshot } from './liveSnapshot.js';

/** How often the feed is polled though no query needs it, so that this process never falls behind its pruning. */
const POLL_MS = 15_000;

/** How often changes that are older than the feed keeps them are removed. */
const PRUNE_MS = 60_000;
const PRUNED_AT_ONCE = 10_000;
const PRUNE = statement(
  tables
    .deleteFrom('placement_feed_changes')
    .where('created_at', '<', sql<Date>`UTC_TIMESTAMP() - INTERVAL ${sql.lit(FEED_MINUTES)} MINUTE`)
    .orderBy('created_at')
    .limit(sql.lit(PRUNED_AT_ONCE)),
);

/** The pause between steps of one job. */
const STEP_MS = 100;

/**
 * The background jobs of a server process: it follows the feed, prunes it, and compares the snapshot step by step with the database,
 * because the writes of programs that do not use the feed (an OpenStack Placement on the same database) are found in no other way.
 */
export class BackgroundJobs {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    private readonly reconciliation: Reconciliation,
    private readonly report: Report,
  ) {}

  start(): void {
    this.repeat(POLL_MS, async () => {
      await this.live.current();
      return POLL_MS;
    });
    this.repeat(STEP_MS, () => this.prune());
    for (const kind of CHECKSUM_KINDS) this.repeat(STEP_MS, () => this.reconciliation.step(kind));
  }

  /** Begins no more steps. One that is under way may fail when the connections are closed, and is not reported. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Removes old changes of all writers, dead ones too; gives the pause until the next time. */
  async prune(): Promise<number> {
    const { affectedRows } = await write(this.database.pool, PRUNE);
    return affectedRows === PRUNED_AT_ONCE ? STEP_MS : PRUNE_MS;
  }

  /** Runs a job after a pause, and again after the pause that it asks for; a failed one too. */
  private repeat(pause: number, job: () => Promise<number>): void {
    if (this.isStopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      job().then(
        (next) => this.repeat(next, job),
        (error: unknown) => {
          if (!this.isStopped) this.report(error, 'keeping the snapshot up');
          this.repeat(POLL_MS, job);
        },
      );
    }, pause).unref();
    this.timers.add(timer);
  }
}
