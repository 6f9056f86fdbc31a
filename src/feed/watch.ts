import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';
import { PROVIDERS, rootsIn, type ProviderChange } from './changes.js';
import { FeedWatch, type FeedEvent, type Selection } from './feedWatch.js';
import { hasAny, kindSet, type ChangeKind } from './kinds.js';
import type { FeedPosition } from './position.js';
import { readRoots } from './reader.js';
import type { Checkpoint } from './tail.js';
import type { FeedWriter } from './writer.js';

export type WatchEvent = FeedEvent<ProviderChange>;

/** What to watch. */
export interface WatchOptions {
  /** The uuid of any provider of the tree to watch, which may be unknown as yet; null: all trees. */
  readonly inTree?: string | null;
  /** Only what has changed any of this, or may have; null, or none: everything. */
  readonly kinds?: readonly ChangeKind[] | null;
  /** A cursor to resume after; null: from now on. */
  readonly since?: string | null;
}

/** The changes of providers. */
export class ProviderWatch extends FeedWatch<ProviderChange> {
  constructor(database: Database, feed: FeedWriter, report: Report) {
    super(database, feed, report, PROVIDERS);
  }

  /** See {@link FeedWatch.begin}. */
  watch({ inTree = null, kinds = null, since = null }: WatchOptions) {
    const wanted = kinds === null || kinds.length === 0 ? null : kindSet(...kinds);
    const read: RootsReader = (range, uuid) => readRoots(this.database.pool, range, uuid);
    return this.begin(new ProviderSelection(inTree, wanted, read), since);
  }
}

type RootsReader = (
  range: { readonly from: FeedPosition; readonly to: FeedPosition },
  uuid: string,
) => Promise<number[]>;

/** Those of one tree alone, whichever tree its provider is in meanwhile, and of some kinds. */
class ProviderSelection implements Selection<ProviderChange> {
  constructor(
    readonly inTree: string | null,
    private readonly kinds: number | null,
    private readonly readRootsOf: RootsReader,
  ) {}

  ofRange(changes: readonly ProviderChange[], to: Checkpoint) {
    const roots = changes.filter(({ uuid }) => uuid === this.inTree).flatMap(rootsIn);
    return this.inRoots(roots, to);
  }

  async ofGap(...[range, to, queued]: Parameters<Selection<ProviderChange>['ofGap']>) {
    const { inTree } = this;
    return this.inRoots(inTree === null ? [] : await queued(() => this.readRootsOf(range, inTree)), to);
  }

  /** Of these trees, which are those that the provider of `inTree` was in at any time in a range but the end. */
  private inRoots(before: readonly number[], to: Checkpoint): (change: ProviderChange) => boolean {
    const { inTree, kinds } = this;
    const root = inTree === null ? undefined : to.roots.get(inTree);
    const roots = new Set(root === undefined ? before : [...before, root]);
    return (change) =>
      (kinds === null || hasAny(change.kinds, kinds)) &&
      (inTree === null || rootsIn(change).some((each) => roots.has(each)));
  }
}
