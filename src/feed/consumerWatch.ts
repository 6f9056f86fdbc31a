import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import { CONSUMERS, type ConsumerChange } from './changes.js';
import { FeedWatch, type FeedEvent } from './feedWatch.js';
import type { FeedWriter } from './writer.js';

export type ConsumerEvent = FeedEvent<ConsumerChange>;

/** Which consumers to watch. */
export interface ConsumerWatchOptions {
  /** Only the one with this uuid, which may not exist as yet; null: all. */
  readonly consumer?: string | null;
  /** Only those that belong to this project, and those that leave it; null: of all projects. */
  readonly projectId?: string | null;
  /** A cursor to resume after; null: from now on. */
  readonly since?: string | null;
}

/** The changes of consumers. */
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
