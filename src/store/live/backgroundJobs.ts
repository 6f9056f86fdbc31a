import type { Database } from '../database/database.js';
import { columns, write } from '../sql/statements.js';
import { FeedPosition } from '../feed/position.js';
import { FEED_MINUTES } from '../feed/writer.js';
import { systemClock, type Clock } from '../../model/operation/turns.js';
import type { Report } from '../../model/operation/report.js';
import { CHECKSUM_KINDS } from '../external/checksums.js';
import type { Reconciliation } from '../external/reconciliation.js';
import type { LiveSnapshot } from './liveSnapshot.js';

/** The feed is polled without queries, too, so that this process never falls behind its pruning. */
const POLL_MS = 15_000;

const PRUNE_MS = 60_000;
const PRUNED_AT_ONCE = 10_000;
const FEED_MS = FEED_MINUTES * 60_000;
const { writer_id: WRITER, seq: SEQ } = columns('placement_feed_changes');

const STEP_MS = 100;

/** Work that is repeated. */
export interface Job {
  /** The work, for reports of failures. */
  readonly name: string;
  /** The time before the first step, and after a failed one (ms). */
  readonly pause: number;
  /** Returns the time before the next step (ms). */
  step(): Promise<number>;
}

/**
 * The background jobs of a server process: it follows and prunes the feed, and compares the snapshot with
 * the database to find writes of programs that do not use the feed. It also runs the jobs that it is given.
 */
export class BackgroundJobs {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  /** The feed position at times of the monotonic clock (ms): one per minute, the earliest first. */
  private readings: { readonly position: FeedPosition; readonly at: number }[] = [];

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    private readonly reconciliation: Reconciliation,
    private readonly report: Report,
    private readonly clock: Clock = systemClock,
    private readonly others: readonly Job[] = [],
  ) {}

  start(): void {
    const { reconciliation } = this;
    const ofSnapshot = (pause: number, step: () => Promise<number>): void =>
      this.repeat({ name: 'updating the snapshot', pause: POLL_MS, step }, pause);
    ofSnapshot(POLL_MS, () => this.poll());
    ofSnapshot(STEP_MS, () => this.prune());
    for (const kind of CHECKSUM_KINDS) ofSnapshot(reconciliation.firstPause, () => reconciliation.step(kind));
    for (const job of this.others) this.repeat(job, job.pause);
  }

  /** Look-ups examine the rows after the newest that were examined for uuids in another spelling: it keeps them few. */
  private async poll(): Promise<number> {
    await this.live.current();
    for (const spellings of Object.values(this.database.spellings)) await spellings.refresh();
    return POLL_MS;
  }

  /** Starts no more steps. A running step may fail without a report when the connections close. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /**
   * Removes the changes that this process has known for as long as the feed keeps them. Returns the next
   * pause. It does not use the time of day of the changes: if a clock jumps ahead, other processes have
   * not read them yet.
   */
  async prune(): Promise<number> {
    const now = this.clock.elapsed();
    const { position } = await this.live.read();
    const last = this.readings.at(-1);
    if (last === undefined || now - last.at >= PRUNE_MS) this.readings.push({ position, at: now });
    const old = this.readings.findLastIndex(({ at }) => now - at >= FEED_MS);
    if (old < 0) return PRUNE_MS;
    this.readings = this.readings.slice(old);
    const { sql, values } = FeedPosition.START.rangeTo(this.readings[0].position);
    const text = `DELETE FROM placement_feed_changes WHERE ${sql} ORDER BY ${WRITER}, ${SEQ} LIMIT ${PRUNED_AT_ONCE}`;
    const { affectedRows } = await write(this.database.pool, { text }, values);
    return affectedRows === PRUNED_AT_ONCE ? STEP_MS : PRUNE_MS;
  }

  /** Runs a job repeatedly, with the pause that it returns, even after failures. */
  private repeat(job: Job, pause: number): void {
    if (this.isStopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      job.step().then(
        (next) => this.repeat(job, next),
        (error: unknown) => {
          if (!this.isStopped) this.report(error, job.name);
          this.repeat(job, job.pause);
        },
      );
    }, pause).unref();
    this.timers.add(timer);
  }
}
