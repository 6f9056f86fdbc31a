import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import type { Channel } from './changes.js';
import { CursorExpired, decodeCursor, type FeedCursor, type RowKey } from './cursor.js';
import { hasWriters } from './reader.js';
import { FeedTail, PAGE } from './tail.js';
import { Watcher, type FeedEvent, type Selection } from './watcher.js';
import type { FeedWriter } from './writer.js';

/**
 * The changes of one channel, by whichever process they are committed, for all subscriptions of this process. Every commit comes at
 * least once, those of one provider or consumer in the order of its generations.
 *
 * Subscriptions that are up to date share one tail of the feed; one that falls behind reads the feed itself, page by page. So none
 * holds more than a page, however slowly its client reads. Without subscriptions the feed is not polled.
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

  /** The number of subscriptions. */
  get size(): number {
    return this.watchers.size;
  }

  /** The number of changes in memory for all subscriptions together. */
  get buffered(): number {
    return [...this.watchers].reduce((sum, watcher) => sum + watcher.buffered, this.tail.rows);
  }

  /** Ends every watch, and later ones as soon as they begin. */
  close(): void {
    this.isClosed = true;
    for (const watcher of this.watchers) watcher.stop();
  }

  /**
   * Begins a watch of the wanted changes after the cursor or, without one, after this resolves. If the watch cannot continue, its
   * last event is an Error; a watch that is closed ends without one.
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
    this.lastPage = page.catch(() => undefined); // the failure is the caller's, not that of the next in the queue
    return page;
  }
}
