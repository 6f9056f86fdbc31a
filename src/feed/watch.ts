import type { Database } from '../database/database.js';
import { CursorExpired, decodeCursor, StretchCursors, type FeedCursor, type RowKey } from './cursor.js';
import { hasWriters, readRoots, readStretch, rootsIn, type ProviderChange } from './reader.js';
import type { FeedWriter } from './writer.js';
import type { Report } from '../runtime/report.js';
import { FeedTail, PAGE, READABLE_SECONDS, type Follower, type Mark } from './tail.js';

/** One event of a watch. */
export interface WatchEvent {
  readonly change: ProviderChange;
  /** Goes on behind this event. */
  readonly cursor: string;
}

/** What to watch. */
export interface WatchOptions {
  /** The uuid of any provider of the tree to watch, which may be unknown as yet; null: all trees. */
  readonly inTree?: string | null;
  /** A cursor to go on behind; null: from now on. */
  readonly since?: string | null;
}

/**
 * The changes of providers, by whichever process they are committed, for all who watch in this one. Every commit comes at
 * least once, those of one provider in the order of its generations.
 *
 * All who are up to date share one follower of the feed; who falls behind reads the feed himself, page by page. So nobody holds
 * more than a page, however slowly he takes his events. Nobody watching costs nothing.
 */
export class ProviderWatch {
  private readonly tail: FeedTail;
  private readonly watchers = new Set<Watcher>();
  private isClosed = false;
  private pages: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    feed: FeedWriter,
    report: Report,
  ) {
    this.tail = new FeedTail(database, feed, report);
  }

  /** How many watch. */
  get size(): number {
    return this.watchers.size;
  }

  /** How many changes are held in memory for all who watch together. */
  get held(): number {
    return [...this.watchers].reduce((sum, watcher) => sum + watcher.held, this.tail.rows);
  }

  /**
   * Begins to watch: every commit that is done when this resolves, and is not before the cursor, comes. The last event is an
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
      read: (stretch) => this.inTurn(() => readStretch(this.database.pool, stretch, PAGE)),
      roots: (stretch, uuid) => this.inTurn(() => readRoots(this.database.pool, stretch, uuid)),
      leave: () => this.watchers.delete(watcher),
    });
    if (this.isClosed) return watcher.stop();
    this.watchers.add(watcher);
    try {
      await watcher.start(cursor && (await this.known(cursor)));
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

  private async known(cursor: FeedCursor): Promise<FeedCursor> {
    const { writers } = cursor.within?.to ?? cursor.position;
    if (await hasWriters(this.database.pool, [...writers.keys()])) return cursor;
    throw new CursorExpired();
  }

  /** One page at a time for all who have fallen behind, so that they leave the database to others. */
  private inTurn<T>(read: () => Promise<T>): Promise<T> {
    const page = this.pages.then(read);
    this.pages = page.catch(() => undefined);
    return page;
  }
}

/** What a watcher needs of the feed besides its tail. */
interface Source {
  read(stretch: Parameters<typeof readStretch>[1]): Promise<ProviderChange[]>;
  roots(stretch: Parameters<typeof readRoots>[1], uuid: string): Promise<number[]>;
  leave(): void;
}

/** A stretch that a watcher reads by himself, because it is no longer kept or was too long for that. */
interface Gap {
  readonly from: Pick<Mark, 'position' | 'time'>;
  readonly to: Pick<Mark, 'position' | 'time'>;
  behind: RowKey | null;
}

/** Changes on their way to the client, of one stretch. */
interface Page {
  readonly changes: readonly ProviderChange[];
  /** Null: of all trees. */
  readonly roots: ReadonlySet<number> | null;
  readonly cursorOf: (change: ProviderChange) => string;
}

/** One who watches, as an iterator. `return` ends it at once, even while it waits. */
class Watcher implements AsyncIterableIterator<WatchEvent | Error>, Follower {
  private isDone = false;
  private mark!: Mark;
  /** What is to be read before going on behind the mark, in order; and the trees to take of it. */
  private gaps: Gap[] = [];
  private gapRoots: ReadonlySet<number> | null = null;
  private page: Page | null = null;
  private at = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private woken: () => void = () => undefined;

  constructor(
    private readonly tail: FeedTail,
    readonly inTree: string | null,
    private readonly source: Source,
  ) {}

  /** How many changes it holds for itself. */
  get held(): number {
    return this.page === null ? 0 : this.page.changes.length - this.at;
  }

  async start(cursor: FeedCursor | null): Promise<void> {
    this.tail.enter(this);
    await this.tail.poll();
    if (this.isDone) return;
    this.mark = this.tail.current;
    if (cursor === null) return;
    const { position, time, within } = cursor;
    if (within === null) return this.fill([{ from: { position, time }, to: this.mark, behind: null }]);
    const to = { position: within.to, time };
    await this.fill([
      { from: { position, time }, to, behind: within.behind },
      { from: to, to: this.mark, behind: null },
    ]);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<WatchEvent | Error, undefined>> {
    const event = this.turn.then(() => this.event());
    this.turn = event;
    return event;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.stop();
    return Promise.resolve({ value: undefined, done: true });
  }

  wake(): void {
    this.woken();
  }

  stop(): this {
    this.isDone = true;
    this.page = null;
    this.tail.leave(this);
    this.source.leave();
    this.woken();
    return this;
  }

  private async event(): Promise<IteratorResult<WatchEvent | Error, undefined>> {
    try {
      while (!this.isDone) {
        const value = this.take();
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

  private take(): WatchEvent | null {
    if (this.page === null) return null;
    const { changes, roots, cursorOf } = this.page;
    while (this.at < changes.length) {
      const change = changes[this.at++];
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
    const stretch = this.tail.behind(this.mark);
    if (stretch === null) return new Promise<void>((resolve) => (this.woken = resolve));
    if (stretch?.changes == null) {
      const { mark } = this;
      this.mark = this.tail.current;
      return this.fill([{ from: mark, to: this.mark, behind: null }]);
    }
    this.mark = stretch.to;
    this.show(stretch, stretch.changes, this.rootsOf(stretch.to, stretch.changes));
    return undefined;
  }

  /** Sets out to read by itself what is between two marks. */
  private async fill(gaps: Gap[]): Promise<void> {
    this.gaps = gaps;
    this.refuseOld(gaps[0]);
    if (this.inTree === null) return;
    const roots: number[] = [];
    const [first] = gaps;
    const stretch = { from: first.from.position, to: this.mark.position };
    for (const root of await this.source.roots(stretch, this.inTree)) roots.push(root);
    const now = this.mark.roots.get(this.inTree);
    this.gapRoots = new Set(now === undefined ? roots : [...roots, now]);
  }

  private async readGap(gap: Gap): Promise<void> {
    const { from, to, behind } = gap;
    const changes = await this.source.read({ from: from.position, to: to.position, behind });
    this.refuseOld(gap);
    if (this.isDone) return;
    const isLast = changes.length < PAGE;
    if (isLast) this.gaps.shift();
    else gap.behind = changes[changes.length - 1];
    this.show(gap, changes, this.gapRoots, isLast);
  }

  /** What was changed before the feed can be read back is perhaps no longer in it. */
  private refuseOld({ from }: Gap): void {
    if (!this.isDone && this.tail.current.time - from.time > READABLE_SECONDS) throw new CursorExpired();
  }

  private show(
    { from, to }: Pick<Gap, 'from' | 'to'>,
    changes: readonly ProviderChange[],
    roots: ReadonlySet<number> | null,
    isLast = true,
  ): void {
    const cursors = new StretchCursors(from.time, from.position, to.position);
    const last = isLast ? changes.at(-1) : undefined;
    this.page = {
      changes,
      roots,
      cursorOf: (change) =>
        change === last
          ? new StretchCursors(to.time, to.position, to.position).inFront()
          : cursors.behind(change),
    };
    this.at = 0;
  }

  /** The trees in which the provider of `inTree` was in a stretch. Where it was elsewhere for a part of it, that counts too. */
  private rootsOf(to: Mark, changes: readonly ProviderChange[]): ReadonlySet<number> | null {
    if (this.inTree === null) return null;
    const roots = changes.filter(({ uuid }) => uuid === this.inTree).flatMap(rootsIn);
    const now = to.roots.get(this.inTree);
    return new Set(now === undefined ? roots : [...roots, now]);
  }
}
