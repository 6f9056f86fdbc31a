import type { Database } from '../database/database.js';
import { CursorExpired, decodeCursor, RangeCursors, type FeedCursor, type RowKey } from './cursor.js';
import { hasWriters, readRoots, readRange, rootsIn, type ProviderChange } from './reader.js';
import type { FeedWriter } from './writer.js';
import type { Report } from '../runtime/report.js';
import { FeedTail, PAGE, READABLE_SECONDS, type Follower, type Checkpoint } from './tail.js';

/** One event of a watch. */
export interface WatchEvent {
  readonly change: ProviderChange;
  /** Resumes after this event. */
  readonly cursor: string;
}

/** What to watch. */
export interface WatchOptions {
  /** The uuid of any provider of the tree to watch, which may be unknown as yet; null: all trees. */
  readonly inTree?: string | null;
  /** A cursor to resume after; null: from now on. */
  readonly since?: string | null;
}

/**
 * The changes of providers, by whichever process they are committed, for all subscriptions of this one. Every commit comes at
 * least once, those of one provider in the order of its generations.
 *
 * Subscriptions that are up to date share one tail of the feed; one that falls behind reads the feed itself, page by page. So none
 * holds more than a page, however slowly its client takes the events. Without subscriptions nothing is polled.
 */
export class ProviderWatch {
  private readonly tail: FeedTail;
  private readonly watchers = new Set<Watcher>();
  private isClosed = false;
  private lastPage: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    feed: FeedWriter,
    report: Report,
  ) {
    this.tail = new FeedTail(database, feed, report);
  }

  /** How many subscriptions there are. */
  get size(): number {
    return this.watchers.size;
  }

  /** How many changes are held in memory for all subscriptions together. */
  get buffered(): number {
    return [...this.watchers].reduce((sum, watcher) => sum + watcher.buffered, this.tail.rows);
  }

  /**
   * Begins to watch: every commit after the cursor comes, or, without one, every commit after this resolves. The last event is an
   * Error where the watch cannot go on; a watch that is closed ends without one.
   *
   * @throws InvalidInput when `since` is no cursor, CursorExpired when it is too old
   */
  async watch({
    inTree = null,
    since = null,
  }: WatchOptions): Promise<AsyncIterableIterator<WatchEvent | Error>> {
    const cursor = since === null ? null : decodeCursor(since);
    const watcher = new Watcher(this.tail, inTree, {
      read: (range) => this.queued(() => readRange(this.database.pool, range, PAGE)),
      roots: (range, uuid) => this.queued(() => readRoots(this.database.pool, range, uuid)),
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

  /** Ends every watch, and those that begin later at once. */
  close(): void {
    this.isClosed = true;
    for (const watcher of this.watchers) watcher.stop();
  }

  private async checked(cursor: FeedCursor): Promise<FeedCursor> {
    const { writers } = cursor.within?.to ?? cursor.position;
    if (await hasWriters(this.database.pool, [...writers.keys()])) return cursor;
    throw new CursorExpired();
  }

  /** One page at a time for all watchers that have fallen behind, so that they do not crowd out other work of the database. */
  private queued<T>(read: () => Promise<T>): Promise<T> {
    const page = this.lastPage.then(read);
    this.lastPage = page.catch(() => undefined); // a failure is the caller's, and not of those who wait for their turn
    return page;
  }
}

/** What a watcher needs besides the tail. */
interface Source {
  read(range: Parameters<typeof readRange>[1]): Promise<ProviderChange[]>;
  roots(range: Parameters<typeof readRoots>[1], uuid: string): Promise<number[]>;
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
interface Page {
  readonly changes: readonly ProviderChange[];
  /** Null: of all trees. */
  readonly roots: ReadonlySet<number> | null;
  readonly cursorOf: (change: ProviderChange) => string;
}

/** One subscription, as an iterator. `return` ends it at once, even while it waits. */
class Watcher implements AsyncIterableIterator<WatchEvent | Error>, Follower {
  private isDone = false;
  private checkpoint!: Checkpoint;
  /** What is to be read, in order, before the range after the checkpoint; and the trees wanted of it. */
  private gaps: Gap[] = [];
  private gapRoots: ReadonlySet<number> | null = null;
  private page: Page | null = null;
  private index = 0;
  private lastEvent: Promise<unknown> = Promise.resolve();
  private onWake: () => void = () => undefined;

  constructor(
    private readonly tail: FeedTail,
    readonly inTree: string | null,
    private readonly source: Source,
  ) {}

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

  next(): Promise<IteratorResult<WatchEvent | Error, undefined>> {
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

  private async event(): Promise<IteratorResult<WatchEvent | Error, undefined>> {
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

  private nextInPage(): WatchEvent | null {
    if (this.page === null) return null;
    const { changes, roots, cursorOf } = this.page;
    while (this.index < changes.length) {
      const change = changes[this.index++];
      if (roots === null || rootsIn(change).some((root) => roots.has(root))) {
        return { change, cursor: cursorOf(change) };
      }
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
    this.openPage(range, range.changes, this.rootsOf(range.to, range.changes));
    return undefined;
  }

  /** Begins to read the feed itself, up to the checkpoint. */
  private async catchUp(gaps: Gap[]): Promise<void> {
    this.gaps = gaps;
    this.assertReadable(gaps[0]);
    if (this.inTree === null) return;
    const range = { from: gaps[0].from.position, to: this.checkpoint.position };
    this.gapRoots = withRoot(await this.source.roots(range, this.inTree), this.checkpoint, this.inTree);
  }

  private async readGap(gap: Gap): Promise<void> {
    const { from, to, after } = gap;
    const changes = await this.source.read({ from: from.position, to: to.position, after });
    this.assertReadable(gap);
    if (this.isDone) return;
    const isLast = changes.length < PAGE;
    if (isLast) this.gaps.shift();
    else gap.after = changes[changes.length - 1];
    this.openPage(gap, changes, this.gapRoots, isLast);
  }

  /** @throws CursorExpired when changes of the gap may have been pruned, or the database has been restored since */
  private assertReadable({ from }: Gap): void {
    if (this.isDone) return;
    const { time, epoch } = this.tail.current;
    if (epoch !== from.epoch || time - from.time > READABLE_SECONDS) throw new CursorExpired();
  }

  private openPage(
    { from, to }: Pick<Gap, 'from' | 'to'>,
    changes: readonly ProviderChange[],
    roots: ReadonlySet<number> | null,
    isLast = true,
  ): void {
    const cursors = new RangeCursors(from.time, from.position, to.position, from.epoch);
    const last = isLast ? changes.at(-1) : undefined;
    this.page = {
      changes,
      roots,
      cursorOf: (change) =>
        change === last
          ? new RangeCursors(to.time, to.position, to.position, to.epoch).before()
          : cursors.after(change),
    };
    this.index = 0;
  }

  /** The trees in which the provider of `inTree` was at any time in a range. */
  private rootsOf(to: Checkpoint, changes: readonly ProviderChange[]): ReadonlySet<number> | null {
    if (this.inTree === null) return null;
    const roots = changes.filter(({ uuid }) => uuid === this.inTree).flatMap(rootsIn);
    return withRoot(roots, to, this.inTree);
  }
}

function withRoot(
  roots: readonly number[],
  { roots: current }: Checkpoint,
  uuid: string,
): ReadonlySet<number> {
  const root = current.get(uuid);
  return new Set(root === undefined ? roots : [...roots, root]);
}
