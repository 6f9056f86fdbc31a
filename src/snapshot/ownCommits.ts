import type { FeedRow } from '../feed/position.js';
import type { UsageCommit } from '../feed/usage.js';
import type { FeedWriter } from '../feed/writer.js';

/** Changes kept at most. Beyond that the oldest commits are forgotten: their providers are read again, as of any other writer. */
const MOST_CHANGES = 50_000;

/** How long a freshness check waits for the end of a commit of this process that it has already seen (ms). */
const LONGEST_WAIT_MS = 20;

/** What the commits of this process have changed of usage, so that a snapshot need not read it. */
export class OwnCommits {
  private commits: UsageCommit[] = [];
  private size = 0;

  constructor(private readonly feed: FeedWriter) {
    feed.onUsageCommitted((commit) => this.add(commit));
  }

  /** Waits for commits of this process that are in these rows of the feed and whose end is not known yet. */
  settled(rows: readonly FeedRow[]): Promise<void> {
    return this.feed.settled(rows, LONGEST_WAIT_MS);
  }

  /** Those known since the last call. */
  take(): readonly UsageCommit[] {
    const { commits } = this;
    this.commits = [];
    this.size = 0;
    return commits;
  }

  private add(commit: UsageCommit): void {
    this.commits.push(commit);
    this.size += commit.providers.length;
    while (this.size > MOST_CHANGES) this.size -= this.commits.shift()!.providers.length;
  }
}
