import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import { CONSUMERS, PROVIDERS, rootsIn, type ConsumerChange, type ProviderChange } from './changes.js';
import { FeedWatch } from './feedWatch.js';
import { hasAny, kindSet, type ChangeKind } from './kinds.js';
import { readRoots } from './reader.js';
import type { Checkpoint } from './tail.js';
import type { FeedEvent, Selection } from './watcher.js';
import type { FeedWriter } from './writer.js';

export type WatchEvent = FeedEvent<ProviderChange>;
export type ConsumerEvent = FeedEvent<ConsumerChange>;

/** The provider changes to watch. */
export interface WatchOptions {
  /** The uuid of any provider of the tree to watch, which need not exist yet; null for all trees. */
  readonly inTree?: string | null;
  /** Omits changes of other kinds; null or empty for all kinds. */
  readonly kinds?: readonly ChangeKind[] | null;
  /** The cursor to resume after; null for changes from now on. */
  readonly since?: string | null;
}

export class ProviderWatch extends FeedWatch<ProviderChange> {
  constructor(database: Database, feed: FeedWriter, report: Report) {
    super(database, feed, report, PROVIDERS);
  }

  /** See {@link FeedWatch.begin}. */
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

/** The consumer changes to watch. */
export interface ConsumerWatchOptions {
  /** The uuid of the only consumer to watch, which need not exist yet; null for all. */
  readonly consumer?: string | null;
  /** The project whose consumers to watch, including those that leave it; null for all. */
  readonly projectId?: string | null;
  /** The cursor to resume after; null for changes from now on. */
  readonly since?: string | null;
}

export class ConsumerWatch extends FeedWatch<ConsumerChange> {
  constructor(database: Database, feed: FeedWriter, report: Report) {
    super(database, feed, report, CONSUMERS);
  }

  /** See {@link FeedWatch.begin}. */
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
