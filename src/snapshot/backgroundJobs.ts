import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import { compare, untold, type Differences } from './reconciliation.js';
import { FEED_MINUTES, type FormerProvider } from '../feed/writer.js';
import type { LiveSnapshot } from './liveSnapshot.js';

/** How often the feed is looked at though nobody asks, so that this process never falls behind its pruning. */
const KEEP_UP_MS = 15_000;

/** How often changes that are older than the feed keeps them are removed. */
const PRUNE_MS = 60_000;
const PRUNED_AT_ONCE = 10_000;

/** The pauses between steps of the comparison, and between passes over the whole fleet. */
const STEP_MS = 100;
const PASS_MS = 30_000;

/**
 * What a server process does for its snapshot in the background: it keeps up with the feed, prunes it, and compares the fleet
 * step by step with the database, because writers that do not know the feed (an OpenStack Placement on the same
 * database) are found in no other way. Such a change is seen within about a minute, and later on a fleet of more than half a
 * million providers; whoever finds one tells the feed of it for the writer.
 */
export class BackgroundJobs {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  private behind = 0;

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    /** Tells the feed of providers, those that are known as they were. */
    private readonly tell: (ids: readonly number[], known: readonly FormerProvider[]) => Promise<void>,
    private readonly report: Report,
  ) {}

  start(): void {
    this.repeat(KEEP_UP_MS, async () => {
      await this.live.current();
      return KEEP_UP_MS;
    });
    this.repeat(STEP_MS, () => this.prune());
    this.repeat(PASS_MS, () => this.compareOn());
  }

  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Compares the next providers; gives the pause until the following step. */
  async compareOn(): Promise<number> {
    const differences = await compare(this.database, await this.live.current(), this.behind);
    if (differences.ids.length > 0) await this.tellOf(differences);
    this.behind = differences.next ?? 0;
    return differences.next === null ? PASS_MS : STEP_MS;
  }

  private async tellOf(differences: Differences): Promise<void> {
    const snapshot = await this.live.current();
    const ids = untold(differences, snapshot);
    this.live.suspect(ids);
    if (ids.length === 0) return;
    await this.tell(
      ids,
      ids.flatMap((id) => snapshot.providerOf(id) ?? []),
    );
  }

  /** Removes old changes of all writers, dead ones too; gives the pause until the next time. */
  async prune(): Promise<number> {
    const { affectedRows } = await this.database.pool.query<{ affectedRows: number }>(
      `DELETE FROM placement_feed_changes
       WHERE created_at < UTC_TIMESTAMP() - INTERVAL ${FEED_MINUTES} MINUTE ORDER BY created_at LIMIT ${PRUNED_AT_ONCE}`,
    );
    return affectedRows === PRUNED_AT_ONCE ? STEP_MS : PRUNE_MS;
  }

  /** Runs a job after a pause, and again after the pause that it asks for; a failure (the database is away) is tried again. */
  private repeat(pause: number, job: () => Promise<number>): void {
    if (this.isStopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      job().then(
        (next) => this.repeat(next, job),
        (error: unknown) => {
          if (!this.isStopped) this.report(error, 'keeping the snapshot up');
          this.repeat(KEEP_UP_MS, job);
        },
      );
    }, pause).unref();
    this.timers.add(timer);
  }
}
