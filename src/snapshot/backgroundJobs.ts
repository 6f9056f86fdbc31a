import type { Database } from '../database/database.js';
import { columns, write } from '../database/statements.js';
import { FeedPosition } from '../feed/position.js';
import { FEED_MINUTES } from '../feed/writer.js';
import { systemClock, type Clock } from '../runtime/clock.js';
import type { Report } from '../runtime/report.js';
import { CHECKSUM_KINDS } from './reconciliation/checksums.js';
import type { Reconciliation } from './reconciliation/reconciliation.js';
import type { LiveSnapshot } from './liveSnapshot.js';

/** How often the feed is polled though no query needs it, so that this process never falls behind its pruning. */
const POLL_MS = 15_000;

/** How often changes that are older than the feed keeps them are removed. */
const PRUNE_MS = 60_000;
const PRUNED_AT_ONCE = 10_000;
const FEED_MS = FEED_MINUTES * 60_000;
const { writer_id: WRITER, seq: SEQ } = columns('placement_feed_changes');

/** How far the feed had been read at a moment of this process's clock that never jumps (ms). */
interface Reading {
  readonly position: FeedPosition;
  readonly at: number;
}

/** The pause between steps of one job. */
const STEP_MS = 100;

/**
 * The background jobs of a server process: it follows the feed, prunes it, and compares the snapshot step by step with the database,
 * because the writes of programs that do not use the feed (an OpenStack Placement on the same database) are found in no other way.
 */
export class BackgroundJobs {
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  /** One a minute, the earliest first. */
  private readings: Reading[] = [];

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    private readonly reconciliation: Reconciliation,
    private readonly report: Report,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.repeat(POLL_MS, async () => {
      await this.live.current();
      return POLL_MS;
    });
    this.repeat(STEP_MS, () => this.prune());
    for (const kind of CHECKSUM_KINDS)
      this.repeat(this.reconciliation.firstPause, () => this.reconciliation.step(kind));
  }

  /** Begins no more steps. One that is under way may fail when the connections are closed, and is not reported. */
  stop(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /**
   * Removes the changes, of dead writers too, that this process has known for as long as the feed keeps them; gives the pause until the
   * next time. Not by the time of day at which they were made: where that jumps ahead, others have yet to read them.
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
