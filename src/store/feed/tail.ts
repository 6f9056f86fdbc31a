import type { Database } from '../database/database.js';
import { type FeedLog, readTime, type Channel } from './log.js';
import type { FeedPosition } from './position.js';
import { CursorExpired, type RowKey } from './cursor.js';
import { SingleFlight } from '../../model/operation/waiting.js';
import type { Report } from '../../model/operation/report.js';
import { FEED_MINUTES, type FeedWriter } from './writer.js';

/** The interval of polls, and the delay after a commit of this process (ms). */
const POLL_MS = 150;
const AFTER_COMMIT_MS = 10;

/** The maximum number of rows to buffer of one range, and of all ranges together. */
const PAGE = 2_000;
const MAX_BUFFERED_ROWS = 10_000;
/** The maximum number of rows that a watcher behind the tail reads and holds at a time. */
export const GAP_PAGE = 500;
const MAX_BUFFERED_RANGES = 1_000;

/** How far back the feed can be read: a minute less than changes are kept, for slow commits and differing clocks. */
export const READABLE_SECONDS = (FEED_MINUTES - 1) * 60;

/** The end of the feed at one poll. A poll without changes only updates its time and roots. */
export interface Checkpoint {
  /** Increases by 1 with each checkpoint. */
  readonly number: number;
  readonly position: FeedPosition;
  time: number;
  roots: ReadonlyMap<string, number>;
}

export interface FeedRange<Change> {
  readonly from: Checkpoint;
  readonly to: Checkpoint;
  /** In the order of the channel. Null if a watcher must read them itself: they are too many, or cannot all be read. */
  readonly changes: readonly Change[] | null;
}

export interface Follower {
  /** The provider whose root each checkpoint must have; null if none. */
  readonly inTree: string | null;
  wake(): void;
}

/**
 * Follows one channel of the change feed for all subscriptions while there are any, and soon after each commit of this
 * process. It buffers a bounded number of ranges: a follower that falls further behind reads the feed itself.
 */
export class FeedTail<Change extends RowKey> {
  private readonly followers = new Set<Follower>();
  private checkpoint: Checkpoint | null = null;
  private checkpoints = 0;
  private ranges: FeedRange<Change>[] = [];
  private bufferedRows = 0;
  private timer: NodeJS.Timeout | undefined;
  private isPollDue = false;
  private readonly polls = new SingleFlight(() => this.readNext());
  private isFailing = false;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly log: FeedLog,
    private readonly feed: FeedWriter,
    private readonly report: Report,
    private readonly channel: Channel<Change>,
  ) {}

  get size(): number {
    return this.followers.size;
  }

  get rows(): number {
    return this.bufferedRows;
  }

  add(follower: Follower): void {
    this.followers.add(follower);
    if (this.followers.size > 1) return;
    this.unsubscribe = this.feed.onCompleted(() => this.pollSoon());
    this.schedule(POLL_MS);
  }

  remove(follower: Follower): void {
    if (!this.followers.delete(follower) || this.followers.size > 0) return;
    this.unsubscribe();
    clearTimeout(this.timer);
    this.checkpoint = null;
    this.ranges = [];
    this.bufferedRows = 0;
  }

  /** The end of the feed at the last poll. Throws without followers. */
  get current(): Checkpoint {
    if (this.checkpoint === null) throw new Error('no subscription follows the feed');
    return this.checkpoint;
  }

  /** The range that begins at a checkpoint; null if there is none yet, undefined if it is no longer buffered. */
  rangeAfter(checkpoint: Checkpoint): FeedRange<Change> | null | undefined {
    if (checkpoint === this.current) return null;
    const oldest = this.ranges.at(0);
    const range = oldest && this.ranges.at(Math.max(checkpoint.number - oldest.from.number, 0));
    return range?.from === checkpoint ? range : undefined;
  }

  /** Polls. Calls during a poll share the next one. */
  poll(): Promise<void> {
    return this.polls.join();
  }

  private async readNext(): Promise<void> {
    const { pool } = this.database;
    const from = this.checkpoint;
    const trees = [...new Set([...this.followers].flatMap(({ inTree }) => inTree ?? []))];
    const end = { ...(await readTime(pool, trees)), position: await this.log.poll() };
    if (from === null) return this.begin({ ...end, number: this.checkpoints++ });
    if (end.position.isSame(from.position)) return void Object.assign(from, end);
    const range = { from: from.position, to: end.position, after: null };
    const changes = await this.channel.read(pool, range, PAGE + 1).catch((error: unknown) => {
      if (error instanceof CursorExpired) return null;
      throw error;
    });
    this.advance(from, { ...end, number: this.checkpoints++ }, changes);
  }

  private begin(checkpoint: Checkpoint): void {
    if (this.checkpoint === null && this.followers.size > 0) this.checkpoint = checkpoint;
  }

  private advance(from: Checkpoint, to: Checkpoint, changes: readonly Change[] | null): void {
    if (this.checkpoint !== from || this.followers.size === 0) return;
    this.checkpoint = to;
    const isBuffered = changes !== null && changes.length <= PAGE && to.time - from.time <= READABLE_SECONDS;
    this.buffer({ from, to, changes: isBuffered ? changes : null });
    for (const follower of this.followers) follower.wake();
  }

  private buffer(range: FeedRange<Change>): void {
    this.ranges.push(range);
    this.bufferedRows += range.changes?.length ?? 0;
    while (this.bufferedRows > MAX_BUFFERED_ROWS || this.ranges.length > MAX_BUFFERED_RANGES) {
      this.bufferedRows -= this.ranges.shift()!.changes?.length ?? 0;
    }
  }

  private pollSoon(): void {
    if (this.isPollDue) return;
    this.isPollDue = true;
    this.schedule(AFTER_COMMIT_MS);
  }

  /** Polls after a pause, and repeatedly from then on. Reports the first of consecutive failures. */
  private schedule(pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isPollDue = false;
      const again = (error?: unknown): void => {
        if (this.followers.size === 0) return; // the connections may have been closed meanwhile
        if (error !== undefined && !this.isFailing) this.report(error, 'following the change feed');
        this.isFailing = error !== undefined;
        this.schedule(this.isPollDue ? AFTER_COMMIT_MS : POLL_MS);
      };
      this.poll().then(() => again(), again);
    }, pause).unref();
  }
}
