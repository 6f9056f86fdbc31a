import { isUnavailable } from '../../store/database/failures.js';
import { ensure } from '../../model/input.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Total, TotalKey, TotalsGrouping } from '../../search/totals/totals.js';
import type { TotalsPlace, TotalsRow } from '../../search/totals/totalsTable.js';
import type { Operation } from '../../model/operation/operation.js';
import { EventStream } from '../../model/operation/eventStream.js';
import { TimedOut } from '../../model/operation/waiting.js';
import type { SnapshotSource } from '../../search/candidateSearch.js';
import { SharedTotals, type TotalsReader } from '../../search/totals/sharedTotals.js';
import type { TotalsFilter } from '../../search/totals/currentTotals.js';

/** The bounds of the poll interval in seconds, and its default. */
export const EVERY_SECONDS = { least: 1, most: 3_600, usual: 5 } as const;

/** The maximum number of rows of one event. */
const PAGE = 1_000;

export interface TotalsWatchOptions {
  readonly filter: TotalsFilter;
  readonly grouping: TotalsGrouping | null;
  readonly everySeconds: number;
}

/** The difference from the last event; all rows in the first event of a stream. */
export interface TotalsChange {
  /** Rows that are new or have other sums. */
  readonly totals: readonly Total[];
  readonly removed: readonly TotalKey[];
  /** False if more pages of the same change follow. */
  readonly complete: boolean;
}

/**
 * Watches totals for subscriptions. Each subscription polls at its interval. Subscriptions with equal filters and
 * groupings share one table. A poll is a freshness check, and a pass over the fleet only if anything has changed.
 */
export class TotalsWatch {
  private readonly tables = new Map<string, SharedTotals>();
  private readonly streams = new Set<TotalsStream>();
  private isClosed = false;

  constructor(private readonly snapshots: SnapshotSource) {}

  get size(): number {
    return this.streams.size;
  }

  /**
   * The last event is an Error if the watch cannot continue.
   *
   * @throws InvalidInput for an invalid filter or interval, and for too many rows
   */
  async watch(
    { filter, grouping, everySeconds }: TotalsWatchOptions,
    operation: Operation,
  ): Promise<AsyncIterableIterator<TotalsChange | Error>> {
    const { least, most } = EVERY_SECONDS;
    const message = `everySeconds is ${everySeconds}: it must be from ${least} to ${most}`;
    ensure(everySeconds >= least && everySeconds <= most, ['everySeconds'], message);
    const shared = this.tableOf(filter, grouping);
    const stream = new TotalsStream(shared, everySeconds, operation, () => {
      if (this.streams.delete(stream) && shared.remove(stream)) this.tables.delete(shared.key);
    });
    if (this.isClosed) return stream.stop();
    this.streams.add(stream);
    shared.add(stream);
    try {
      await stream.poll();
    } catch (error) {
      stream.stop();
      throw error;
    }
    return stream;
  }

  close(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream.stop();
  }

  private tableOf(
    { inTree, memberOf, requiredTraits, resourceClass }: TotalsFilter,
    grouping: TotalsGrouping | null,
  ): SharedTotals {
    const filter = { inTree, memberOf, requiredTraits, resourceClass };
    const key = JSON.stringify({ ...filter, grouping });
    let table = this.tables.get(key);
    if (table === undefined) {
      table = new SharedTotals(this.snapshots, key, filter, grouping);
      this.tables.set(key, table);
    }
    return table;
  }
}

/** A change that is sent in pages. */
interface SentChange {
  /** The version that the client knows after the last page. */
  readonly to: number;
  /** The last row of the page before. Null before the first page. */
  readonly after: TotalsPlace | null;
}

class TotalsStream extends EventStream<TotalsChange> implements TotalsReader {
  /** The version that the client knows. 0 before the first change. */
  private version = 0;
  private change: SentChange | null = null;
  private page: TotalsChange | null = null;
  private lastPoll = 0;
  /** When to continue, on the clock of `performance`. */
  private due = 0;

  constructor(
    private readonly shared: SharedTotals,
    private readonly everySeconds: number,
    readonly operation: Operation,
    private readonly remove: () => void,
  ) {
    super();
  }

  get versions(): readonly number[] {
    return this.change === null ? [this.version] : [this.version, this.change.to];
  }

  /** Begins to send a change if there is one. */
  async poll(): Promise<void> {
    this.lastPoll = performance.now();
    await this.shared.refresh(this);
    const { version } = this.shared.table;
    if (version > this.version) this.change = { to: version, after: null };
    else this.wait(this.lastPoll);
  }

  protected release(): void {
    this.change = null;
    this.page = null;
    this.remove();
  }

  protected take(): TotalsChange | null {
    const { page } = this;
    this.page = null;
    return page;
  }

  protected async advance(): Promise<void> {
    await this.pause();
    if (this.isDone) return;
    try {
      if (this.change === null) await this.poll();
      if (this.change !== null) await this.openPage(this.change);
    } catch (error) {
      this.passOver(error);
    }
  }

  /** Ignores temporary failures: the stream tries again after its interval. */
  private passOver(error: unknown): void {
    const isPassing = isUnavailable(error) || error instanceof TimedOut;
    if (!isPassing || this.operation.signal.aborted) throw error;
    this.wait(performance.now());
  }

  private async openPage({ to, after }: SentChange): Promise<void> {
    const { shared, operation } = this;
    await operation.pause(); // one pass causes a page in many streams
    const { rows, next } = shared.table.changes({ from: this.version, to }, after, PAGE);
    const isWanted = rows.length > 0 || this.version === 0;
    const snapshot = await shared.snapshot(operation);
    if (this.isDone) return;
    if (isWanted) this.page = { ...pageOf(rows, shared.grouping, snapshot), complete: next === null };
    if (next !== null) {
      this.change = { to, after: next };
      return;
    }
    this.change = null;
    this.version = to;
    this.wait(this.lastPoll);
  }

  private wait(since: number): void {
    this.due = since + 1_000 * this.everySeconds;
  }

  private pause(): Promise<void> {
    const left = this.due - performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(left, 0)).unref();
      this.onWake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Returns the rows with the trees of a snapshot. Omits trees that have been deleted since. */
function pageOf(
  rows: readonly TotalsRow[],
  grouping: TotalsGrouping | null,
  snapshot: Snapshot,
): Pick<TotalsChange, 'totals' | 'removed'> {
  const totals = rows
    .filter(({ removed }) => removed === null)
    .flatMap((row): Total[] => {
      const root = grouping === 'TREE' ? snapshot.locate(row.group) : null;
      return root === undefined ? [] : [{ ...row, root }];
    });
  return { totals, removed: rows.filter(({ removed }) => removed !== null) };
}
