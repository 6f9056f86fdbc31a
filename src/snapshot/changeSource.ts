import type { Database } from '../database/database.js';
import type { FeedPosition, FeedRow } from '../feed/position.js';
import { usageOf, type UsageCommit } from '../feed/usage.js';
import { within } from '../runtime/waiting.js';
import { loadChanges, type Changes } from './changes.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';
import type { OwnCommits } from './ownCommits.js';

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
 * Asks the database: one statement while nothing has changed, or nothing but usage by commits of this process, which it knows.
 *
 * A commit of this process counts once: as an amount, or by what was read of the provider when the commit was there already. Which of
 * them is told by the position: what is read in one statement with it has in it just the commits that it has.
 */
export class DatabaseChanges implements ChangeSource {
  constructor(
    private readonly database: Database,
    private readonly own: OwnCommits | null = null,
  ) {}

  async changesSince({ position, names }: Known, suspects: ReadonlySet<number>): Promise<Changes> {
    const rows = await this.readRows(position);
    await this.own?.settled(rows);
    const commits = this.own?.take().filter((commit) => !position.has(commit)) ?? [];
    const ahead = position.with(commits);
    const delta = ahead.deltaFrom(rows);
    const changed = new Set([...delta.changed, ...suspects]);
    const read: Changes =
      changed.size > 0
        ? await loadChanges(this.database, ahead, { names, changed })
        : { providers: new Map(), usage: [], published: delta.changed, position: delta.position, names };
    return {
      ...read,
      usage: usageBeside(read, commits),
      published: new Set([
        ...read.published,
        ...commits.flatMap(({ providers }) => providers.map(({ id }) => id)),
      ]),
      position: read.position.with(commits),
    };
  }

  private readRows(position: FeedPosition): Promise<FeedRow[]> {
    return within(LONGEST_CHECK_MS, 'The database does not answer.', position.readRows(this.database.pool));
  }
}

/** What of these commits is not in what was read. */
function usageBeside({ providers, position }: Changes, commits: readonly UsageCommit[]): UsageCommit[] {
  return commits.flatMap((commit) =>
    position.has(commit) ? usageOf(commit, (id) => !providers.has(id)) : commit,
  );
}
