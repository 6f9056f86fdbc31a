import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import type { Channel, Range } from './changes.js';
import { CursorExpired, decodeCursor, RangeCursors, type FeedCursor, type RowKey } from './cursor.js';
import type { FeedPosition } from './position.js';
import { hasWriters } from './reader.js';
import type { FeedWriter } from './writer.js';
import { FeedTail, PAGE, READABLE_SECONDS, type Follower, type Checkpoint } from './tail.js';

/** One event of a watch. */
export interface FeedEvent<Change> {
  readonly change: Change;
  /** Resumes after this event. */
  readonly cursor: string;
}

type IsWanted<Change> = (change: Change) => boolean;

/** Which changes a subscription wants. */
export interface Selection<Change> extends Pick<Follower, 'inTree'> {
  /** Of a range that is in memory. */
  ofRange(changes: readonly Change[], to: Checkpoint): IsWanted<Change>;
  /** Of a range that is yet to be read; the end of it is `to`. */
  ofGap(
    range: { readonly from: FeedPosition; readonly to: FeedPosition },
    to: Checkpoint,
    queued: Queue,
  ): Promise<IsWanted<Change>>;
}

/** One read at a time for all watchers that have fallen behind, so that they do not crowd out other work of the database. */
type Queue = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * The changes of one channel, by whichever process they are committed, for all subscriptions of this one. Every commit comes at
 * least once, those of one provider or consumer in the order of its generations.
 *
 * Subscriptions that are up to date share one tail of the feed; one that falls behind reads the feed itself, page by page. So none
 * holds more than a page, however slowly its client takes the events. Without subscriptions nothing is polled.
 */
export class FeedWatch<Change extends RowKey> {
  private readonly tail: FeedTail<Change>;
  private readonly watchers = new Set<Watcher<Change>>();
  private isClosed = false;
  private lastPage: Promise<unknown> = Promise.resolve();

  constructor(
    protected readonly database: Database,
    feed: FeedWriter,
    report: Report,
    private readonly channel: Channel<Change>,
  ) {
    this.tail = new FeedTail(database, feed, report, channel);
  }

  /** How many subscriptions there are. */
  get size(): number {
    return this.watchers.size;
  }

  /** How many changes are held in memory for all subscriptions together. */
  get buffered(): number {
    return [...this.watchers].reduce((sum, watcher) => sum + watcher.buffered, this.tail.rows);
  }

  /** Ends every watch, and those that begin later at once. */
  close(): void {
    this.isClosed = true;
    for (const watcher of this.watchers) watcher.stop();
  }

  /**
   * Begins to watch: every wanted change after the cursor comes, or, without one, every one after this resolves. The last event is an
   * Error where the watch cannot go on; a watch that is closed ends without one.
   *
   * @throws InvalidInput when `since` is no cursor, CursorExpired when it is too old
   */
  protected async begin(
    selection: Selection<Change>,
    since: string | null,
  ): Promise<AsyncIterableIterator<FeedEvent<Change> | Error>> {
    const cursor = since === null ? null : decodeCursor(since, this.channel.stream);
    const watcher = new Watcher(this.tail, selection, {
      channel: this.channel,
      read: (range) => this.queued(() => this.channel.read(this.database.pool, range, PAGE)),
      queued: (read) => this.queued(read),
      remove: () => this.watchers.delete(watcher),
    });
    if (this.isClosed) return watcher.stop();
    this.watchers.add(watcher);
    try {
      await watcher.start(cursor && (await this.checked(cursor)));
    } catch (error) {
      watcher.stop();
      throw error;
    }
    return watcher;
  }

  private async checked(cursor: FeedCursor): Promise<FeedCursor> {
    const { writers } = cursor.within?.to ?? cursor.position;
    if (await hasWriters(this.database.pool, [...writers.keys()])) return cursor;
    throw new CursorExpired();
  }

  private queued<T>(read: () => Promise<T>): Promise<T> {
    const page = this.lastPage.then(read);
    this.lastPage = page.catch(() => undefined); // a failure is the caller's, and not of those who wait for their turn
    return page;
  }
}

/** What a watcher needs besides the tail. */
interface Source<Change extends RowKey> {
  readonly channel: Channel<Change>;
  read(range: Range): Promise<Change[]>;
  readonly queued: Queue;
  remove(): void;
}

/** Where a range begins or ends. */
type End = Pick<Checkpoint, 'position' | 'time' | 'epoch'>;

/** A range that a watcher reads itself, because the tail does not buffer it. */
interface Gap {
  readonly from: End;
  readonly to: End;
  after: RowKey | null;
}

/** Changes of one range on their way to the client. */
interface Page<Change> {
  readonly changes: readonly Change[];
  readonly isWanted: IsWanted<Change>;
  readonly cursorOf: (change: Change) => string;
}

/** One subscription, as an iterator. `return` ends it at once, even while it waits. */
class Watcher<Change extends RowKey> implements AsyncIterableIterator<FeedEvent<Change> | Error>, Follower {
  private isDone = false;
  private checkpoint!: Checkpoint;
  /** What is to be read, in order, before the range after the checkpoint; and what is wanted of it. */
  private gaps: Gap[] = [];
  private isWantedOfGaps: IsWanted<Change> = () => false;
  private page: Page<Change> | null = null;
  private index = 0;
  private lastEvent: Promise<unknown> = Promise.resolve();
  private onWake: () => void = () => undefined;

  constructor(
    private readonly tail: FeedTail<Change>,
    private readonly selection: Selection<Change>,
    private readonly source: Source<Change>,
  ) {}

  get inTree(): string | null {
    return this.selection.inTree;
  }

  /** How many changes it holds itself. */
  get buffered(): number {
    return this.page === null ? 0 : this.page.changes.length - this.index;
  }

  async start(cursor: FeedCursor | null): Promise<void> {
    this.tail.add(this);
    await this.tail.poll();
    if (this.isDone) return;
    this.checkpoint = this.tail.current;
    if (cursor === null) return;
    const { position, time, epoch, within } = cursor;
    const from = { position, time, epoch };
    if (within === null) return this.catchUp([{ from, to: this.checkpoint, after: null }]);
    const to = { ...from, position: within.to };
    await this.catchUp([
      { from, to, after: within.after },
      { from: to, to: this.checkpoint, after: null },
    ]);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<FeedEvent<Change> | Error, undefined>> {
    const event = this.lastEvent.then(() => this.event());
    this.lastEvent = event;
    return event;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.stop();
    return Promise.resolve({ value: undefined, done: true });
  }

  wake(): void {
    this.onWake();
  }

  stop(): this {
    this.isDone = true;
    this.page = null;
    this.tail.remove(this);
    this.source.remove();
    this.onWake();
    return this;
  }

  private async event(): Promise<IteratorResult<FeedEvent<Change> | Error, undefined>> {
    try {
      while (!this.isDone) {
        const value = this.nextInPage();
        if (value !== null) return { value, done: false };
        await this.advance();
      }
    } catch (error) {
      if (!this.isDone) {
        this.stop();
        return { value: error instanceof Error ? error : new Error(String(error)), done: false };
      }
    }
    return { value: undefined, done: true };
  }

  private nextInPage(): FeedEvent<Change> | null {
    if (this.page === null) return null;
    const { changes, isWanted, cursorOf } = this.page;
    while (this.index < changes.length) {
      const change = changes[this.index++];
      if (isWanted(change)) return { change, cursor: cursorOf(change) };
    }
    this.page = null;
    return null;
  }

  /** Gets the next page, or waits for something new. */
  private async advance(): Promise<void> {
    if (this.gaps.length > 0) return this.readGap(this.gaps[0]);
    const range = this.tail.rangeAfter(this.checkpoint);
    if (range === null) return new Promise<void>((resolve) => (this.onWake = resolve));
    if (range?.changes == null) {
      const from = this.checkpoint;
      this.checkpoint = this.tail.current;
      return this.catchUp([{ from, to: this.checkpoint, after: null }]);
    }
    this.checkpoint = range.to;
    this.openPage(range, range.changes, this.selection.ofRange(range.changes, range.to));
    return undefined;
  }

  /** Begins to read the feed itself, up to the checkpoint. */
  private async catchUp(gaps: Gap[]): Promise<void> {
    this.gaps = gaps;
    this.assertReadable(gaps[0]);
    const range = { from: gaps[0].from.position, to: this.checkpoint.position };
    this.isWantedOfGaps = await this.selection.ofGap(range, this.checkpoint, this.source.queued);
  }

  private async readGap(gap: Gap): Promise<void> {
    const { from, to, after } = gap;
    const changes = await this.source.read({ from: from.position, to: to.position, after });
    this.assertReadable(gap);
    if (this.isDone) return;
    const isLast = changes.length < PAGE;
    if (isLast) this.gaps.shift();
    else gap.after = changes[changes.length - 1];
    this.openPage(gap, changes, this.isWantedOfGaps, isLast);
  }

  /** @throws CursorExpired when changes of the gap may have been pruned, or the database has been restored since */
  private assertReadable({ from }: Gap): void {
    if (this.isDone) return;
    const { time, epoch } = this.tail.current;
    if (epoch !== from.epoch || time - from.time > READABLE_SECONDS) throw new CursorExpired();
  }

  private openPage(
    { from, to }: Pick<Gap, 'from' | 'to'>,
    changes: readonly Change[],
    isWanted: IsWanted<Change>,
    isLast = true,
  ): void {
    const { stream } = this.source.channel;
    const cursors = new RangeCursors(from.time, from.position, to.position, from.epoch, stream);
    const last = isLast ? changes.at(-1) : undefined;
    this.page = {
      changes,
      isWanted,
      cursorOf: (change) =>
        change === last
          ? new RangeCursors(to.time, to.position, to.position, to.epoch, stream).before()
          : cursors.after(change),
    };
    this.index = 0;
  }
}
