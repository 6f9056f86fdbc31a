import type { Database } from '../database/database.js';
import type { FeedPosition, FeedRow } from '../feed/position.js';
import { within } from '../runtime/waiting.js';
import { loadChanges, publishedIn, type Changes } from './changes.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';

/** What is known already. */
export interface Known {
  readonly position: FeedPosition;
  readonly names: SnapshotNames;
}

/** Where a live snapshot learns what has changed. */
export interface ChangeSource {
  /**
   * All that was committed before the call and is not known, once, and the suspects as they are. Called again only when the last call has
   * ended.
   */
  changesSince(known: Known, suspects: ReadonlySet<number>): Promise<Changes>;
}

/** How long a freshness check may take (ms): all searches wait for it, also for one on a connection that is dead. */
const LONGEST_CHECK_MS = 5_000;

/**
 * Asks the database: one statement while nothing has changed but usage, by whatever process, because the feed says how.
 *
 * A commit counts once: as an amount, or by what was read of the provider when the commit was there already. Which of them is told by the
 * statement: what it reads of providers has in it just the commits that it reads of the feed.
 */
export class DatabaseChanges implements ChangeSource {
  constructor(private readonly database: Database) {}

  async changesSince({ position, names }: Known, suspects: ReadonlySet<number>): Promise<Changes> {
    const delta = position.deltaFrom(await this.readRows(position));
    const changed = new Set([...delta.changed, ...suspects]);
    if (changed.size > 0) return loadChanges(this.database, position, { names, changed });
    const { usage } = delta;
    return { providers: new Map(), usage, published: publishedIn(delta), position: delta.position, names };
  }

  private readRows(position: FeedPosition): Promise<FeedRow[]> {
    return within(LONGEST_CHECK_MS, 'The database does not answer.', position.readRows(this.database.pool));
  }
}
