import type { Database } from '../database/database.js';
import type { FeedPosition } from '../feed/position.js';
import { within } from '../runtime/waiting.js';
import { loadChanges, type Changes } from './changes.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';

/** What is known already. */
export interface Known {
  readonly position: FeedPosition;
  readonly names: SnapshotNames;
}

/** Where a live snapshot learns what has changed. */
export interface ChangeSource {
  /**
   * All that was committed before the call and is not known, and the suspects as they are. Called again only when the last call has
   * ended.
   */
  changesSince(known: Known, suspects: ReadonlySet<number>): Promise<Changes>;
}

/** How long a freshness check may take (ms): all searches wait for it, also for one on a connection that is dead. */
const LONGEST_CHECK_MS = 5_000;

/** Asks the database: one statement while nothing has changed. */
export class DatabaseChanges implements ChangeSource {
  constructor(private readonly database: Database) {}

  async changesSince({ position, names }: Known, suspects: ReadonlySet<number>): Promise<Changes> {
    const delta = await within(
      LONGEST_CHECK_MS,
      'The database does not answer.',
      position.readDelta(this.database.pool),
    );
    if (delta.changed.size === 0 && suspects.size === 0)
      return { providers: new Map(), published: delta.changed, position: delta.position, names };
    const changed = new Set([...delta.changed, ...suspects]);
    return loadChanges(this.database, position, { names, changed });
  }
}
