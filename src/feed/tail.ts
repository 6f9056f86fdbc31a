import type { Database } from '../database/database.js';
import { FeedPosition } from './position.js';
import { readEnd, readStretch, type ProviderChange } from './reader.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import type { Report } from '../runtime/report.js';
import { FEED_MINUTES, type FeedWriter } from './writer.js';

/** How often the feed is looked at, and how soon after a commit of this process. */
const LOOK_MS = 150;
const SOON_MS = 10;

/** The most rows that are read, and kept, of one stretch, and of all stretches that are kept. */
export const PAGE = 2_000;
const KEPT_ROWS = 10_000;
const KEPT_STRETCHES = 1_000;

/**
 * How far the feed can be read back, in seconds: a minute less than changes are kept, for a commit that was long in coming and
 * for clocks that differ.
 */
export const READABLE_SECONDS = (FEED_MINUTES - 1) * 60;

/** A place in the feed at which it ended at a look. While nothing is new its time and the roots go on: see readEnd. */
export interface Mark {
  /** Marks are numbered one by one. */
  readonly number: number;
  readonly position: FeedPosition;
  time: number;
  roots: ReadonlyMap<string, number>;
}

/** What was new at one look. */
export interface Stretch {
  readonly from: Mark;
  readonly to: Mark;
  /** In the order of readStretch; null: more than are kept, or perhaps not all. */
  readonly changes: readonly ProviderChange[] | null;
}

/** Somebody who follows the end of the feed. */
export interface Follower {
  /** The provider whose tree he follows. */
  readonly inTree: string | null;
  /** Called when there is something new. */
  wake(): void;
}

/**
 * Follows the end of the change feed for all who watch in this process, as long as anybody does. It looks at the feed again
 * and again, and at once after a commit of this process, and keeps what was new at the last looks, so much and no more: who
 * falls further behind reads for himself.
 */
export class FeedTail {
  private readonly followers = new Set<Follower>();
  private mark: Mark | null = null;
  private marks = 0;
  private stretches: Stretch[] = [];
  private keptRows = 0;
  private timer: NodeJS.Timeout | undefined;
  private isWoken = false;
  private readonly polls = new SingleFlight(() => this.step());
  private isFailing = false;
  private ignoreCommits: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly feed: FeedWriter,
    private readonly report: Report,
  ) {}

  get size(): number {
    return this.followers.size;
  }

  /** How many changes are held in memory. */
  get rows(): number {
    return this.keptRows;
  }

  enter(follower: Follower): void {
    this.followers.add(follower);
    if (this.followers.size > 1) return;
    this.ignoreCommits = this.feed.onSettled(() => this.soon());
    this.schedule(LOOK_MS);
  }

  leave(follower: Follower): void {
    if (!this.followers.delete(follower) || this.followers.size > 0) return;
    this.ignoreCommits();
    clearTimeout(this.timer);
    this.mark = null;
    this.stretches = [];
    this.keptRows = 0;
  }

  /** Where the feed ended at the last look. Somebody follows. */
  get current(): Mark {
    if (this.mark === null) throw new Error('nobody follows the feed');
    return this.mark;
  }

  /** What came behind a mark; null when nothing has yet. Undefined when it is no longer kept. */
  behind(mark: Mark): Stretch | null | undefined {
    if (mark === this.current) return null;
    const oldest = this.stretches.at(0);
    const stretch = oldest && this.stretches.at(Math.max(mark.number - oldest.from.number, 0));
    return stretch?.from === mark ? stretch : undefined;
  }

  /** Looks at the feed; whoever asks while a look is under way shares the next one with all others who do. */
  poll(): Promise<void> {
    return this.polls.join();
  }

  private async step(): Promise<void> {
    const { pool } = this.database;
    const from = this.mark;
    const trees = [...new Set([...this.followers].flatMap(({ inTree }) => inTree ?? []))];
    const end = await readEnd(pool, from?.position ?? FeedPosition.START, trees);
    if (from === null) return this.move(from, { ...end, number: this.marks++ });
    if (end.position.isSame(from.position)) return void Object.assign(from, end);
    const stretch = { from: from.position, to: end.position, behind: null };
    const changes = await readStretch(pool, stretch, PAGE + 1);
    this.move(from, { ...end, number: this.marks++ }, changes);
  }

  private move(from: Mark | null, to: Mark, changes: readonly ProviderChange[] = []): void {
    if (this.mark !== from || this.followers.size === 0) return;
    this.mark = to;
    const isReadable = from !== null && to.time - from.time <= READABLE_SECONDS && changes.length <= PAGE;
    if (from !== null) this.keep({ from, to, changes: isReadable ? changes : null });
    for (const follower of this.followers) follower.wake();
  }

  private keep(stretch: Stretch): void {
    this.stretches.push(stretch);
    this.keptRows += stretch.changes?.length ?? 0;
    while (this.keptRows > KEPT_ROWS || this.stretches.length > KEPT_STRETCHES) {
      this.keptRows -= this.stretches.shift()!.changes?.length ?? 0;
    }
  }

  private soon(): void {
    if (this.isWoken) return;
    this.isWoken = true;
    this.schedule(SOON_MS);
  }

  /** Looks after a pause, and again and again; a failure (the database is away) is tried again. */
  private schedule(pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isWoken = false;
      const again = (error?: unknown): void => {
        if (this.followers.size === 0) return;
        if (error !== undefined && !this.isFailing) this.report(error, 'following the change feed');
        this.isFailing = error !== undefined;
        this.schedule(this.isWoken ? SOON_MS : LOOK_MS);
      };
      this.poll().then(() => again(), again);
    }, pause).unref();
  }
}
