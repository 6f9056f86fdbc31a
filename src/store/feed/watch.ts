import type { Database } from '../database/database.js';
import type { Report } from '../../model/operation/report.js';
import { hasAny, kindSet, type ChangeKind } from '../../model/recordedChanges.js';
import {
  CONSUMERS,
  PROVIDERS,
  hasWriters,
  readRoots,
  rootsIn,
  type Channel,
  type ConsumerChange,
  type ProviderChange,
  FeedLog,
} from './log.js';
import { type Checkpoint, FeedTail, GAP_PAGE } from './tail.js';
import { type FeedEvent, type Selection, Watcher } from './watcher.js';
import type { FeedWriter } from './writer.js';
import { CursorExpired, decodeCursor, type FeedCursor, type RowKey } from './cursor.js';

/**
 * The changes of one channel by any process, for all subscriptions of this process. Each commit is
 * delivered at least once, and the commits of one object in the order of its generations.
 *
 * Subscriptions that are up to date share one tail of the feed. One that falls behind reads the
 * feed itself, page by page, so none holds more than a page. Without subscriptions the feed is not
 * polled.
 */
class FeedWatch<Change extends RowKey> {
  private readonly tail: FeedTail<Change>;
  private readonly watchers = new Set<Watcher<Change>>();
  private isClosed = false;
  private lastPage: Promise<unknown> = Promise.resolve();

  constructor(
    protected readonly database: Database,
    feed: FeedWriter,
    report: Report,
    log: FeedLog,
    private readonly channel: Channel<Change>,
  ) {
    this.tail = new FeedTail(database, log, feed, report, channel);
  }

  get size(): number {
    return this.watchers.size;
  }

  get buffered(): number {
    return [...this.watchers].reduce((sum, watcher) => sum + watcher.buffered, this.tail.rows);
  }

  /** Ends every watch, and later ones as soon as they begin. */
  close(): void {
    this.isClosed = true;
    for (const watcher of this.watchers) watcher.stop();
  }

  /**
   * Begins a watch of the wanted changes after the cursor, or after this resolves. If the watch cannot continue, its
   * last event is an Error; a closed watch ends without one.
   *
   * @throws InvalidInput if `since` is no cursor, CursorExpired if it is too old
   */
  protected async begin(
    selection: Selection<Change>,
    since: string | null,
  ): Promise<AsyncIterableIterator<FeedEvent<Change> | Error>> {
    const cursor = since === null ? null : decodeCursor(since, this.channel.stream);
    const watcher = new Watcher(this.tail, selection, {
      channel: this.channel,
      read: (range) => this.queued(() => this.channel.read(this.database.pool, range, GAP_PAGE)),
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
    this.lastPage = page.catch(() => undefined); // only the caller receives the failure
    return page;
  }
}

export type WatchEvent = FeedEvent<ProviderChange>;
export type ConsumerEvent = FeedEvent<ConsumerChange>;

export interface WatchOptions {
  /** The uuid of any provider of the tree to watch, which need not exist yet; null for all trees. */
  readonly inTree?: string | null;
  /** Omits changes of other kinds; null or empty for all kinds. */
  readonly kinds?: readonly ChangeKind[] | null;
  /** The cursor to resume after; null for changes from now on. */
  readonly since?: string | null;
}

export class ProviderWatch extends FeedWatch<ProviderChange> {
  constructor(database: Database, feed: FeedWriter, report: Report, log = new FeedLog(database)) {
    super(database, feed, report, log, PROVIDERS);
  }

  watch({ inTree = null, kinds = null, since = null }: WatchOptions) {
    const wanted = kinds === null || kinds.length === 0 ? null : kindSet(...kinds);
    /** `before` are the trees in which the provider of `inTree` was in a range, without the one at its end. */
    const isWantedIn = (before: readonly number[], to: Checkpoint) => {
      const root = inTree === null ? undefined : to.roots.get(inTree);
      const roots = new Set(root === undefined ? before : [...before, root]);
      return (change: ProviderChange): boolean =>
        (wanted === null || hasAny(change.kinds, wanted)) &&
        (inTree === null || rootsIn(change).some((each) => roots.has(each)));
    };
    const selection: Selection<ProviderChange> = {
      inTree,
      ofRange: (changes, to) =>
        isWantedIn(changes.filter(({ uuid }) => uuid === inTree).flatMap(rootsIn), to),
      ofGap: async (range, to, queued) => {
        const { pool } = this.database;
        return isWantedIn(inTree === null ? [] : await queued(() => readRoots(pool, range, inTree)), to);
      },
    };
    return this.begin(selection, since);
  }
}

export interface ConsumerWatchOptions {
  /** The uuid of the only consumer to watch, which need not exist yet; null for all. */
  readonly consumer?: string | null;
  /** The project whose consumers to watch, including those that leave it; null for all. */
  readonly projectId?: string | null;
  /** The cursor to resume after; null for changes from now on. */
  readonly since?: string | null;
}

export class ConsumerWatch extends FeedWatch<ConsumerChange> {
  constructor(database: Database, feed: FeedWriter, report: Report, log = new FeedLog(database)) {
    super(database, feed, report, log, CONSUMERS);
  }

  watch({ consumer = null, projectId = null, since = null }: ConsumerWatchOptions) {
    const isWanted = (change: ConsumerChange): boolean =>
      (consumer === null || change.uuid === consumer) &&
      (projectId === null || [change.projectId, change.formerProjectId].includes(projectId));
    const selection = {
      inTree: null,
      ofRange: () => isWanted,
      ofGap: () => Promise.resolve(isWanted),
    };
    return this.begin(selection, since);
  }
}
