import { isUnavailable } from '../database/failures.js';
import { ensure } from '../domain/invalidInput.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { Total, TotalKey, TotalsGrouping } from '../engine/totals/totals.js';
import type { Operation } from '../runtime/operation.js';
import { EventStream } from '../runtime/eventStream.js';
import { TimedOut } from '../runtime/refusals.js';
import { currentSnapshot, type SnapshotSource } from './candidateSearch.js';
import { addUpTotals, COST_OF_PASS, type TotalsFilter } from './totals.js';

/** The bounds of the poll interval in seconds, and its default. */
export const EVERY_SECONDS = { least: 1, most: 3_600, usual: 5 } as const;

/** The maximum number of rows of a stream, because a stream stores the sums of each row. */
export const MOST_ROWS = 10_000;

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
 * Watches totals for subscriptions. Each subscription polls the snapshot at its interval. A poll is
 * a freshness check, and a pass over the fleet only if anything has changed.
 */
export class TotalsWatch {
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
    options: TotalsWatchOptions,
    operation: Operation,
  ): Promise<AsyncIterableIterator<TotalsChange | Error>> {
    const { least, most } = EVERY_SECONDS;
    const message = `everySeconds is ${options.everySeconds}: it must be from ${least} to ${most}`;
    const isInRange = options.everySeconds >= least && options.everySeconds <= most;
    ensure(isInRange, ['everySeconds'], message);
    const stream = new TotalsStream(this.snapshots, options, operation, () => this.streams.delete(stream));
    if (this.isClosed) return stream.stop();
    this.streams.add(stream);
    try {
      await stream.look();
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
}

class TotalsStream extends EventStream<TotalsChange> {
  private snapshot: Snapshot | null = null;
  /** The reported sums by row; null before the first poll. */
  private told: Map<string, { readonly key: TotalKey; readonly sums: string }> | null = null;
  private pages: TotalsChange[] = [];
  private lastLook = 0;

  constructor(
    private readonly snapshots: SnapshotSource,
    private readonly options: TotalsWatchOptions,
    private readonly operation: Operation,
    private readonly remove: () => void,
  ) {
    super();
  }

  protected release(): void {
    this.pages = [];
    this.told = null;
    this.remove();
  }

  protected take(): TotalsChange | null {
    return this.pages.shift() ?? null;
  }

  protected async advance(): Promise<void> {
    await this.pause();
    if (!this.isDone) await this.look().catch((error: unknown) => this.passOver(error));
  }

  /** Ignores temporary failures: the next poll tries again. */
  private passOver(error: unknown): void {
    const isPassing = isUnavailable(error) || error instanceof TimedOut;
    if (!isPassing || this.operation.signal.aborted) throw error;
  }

  private pause(): Promise<void> {
    const left = this.lastLook + 1_000 * this.options.everySeconds - performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(left, 0)).unref();
      this.onWake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Polls with the deadline and cost of a query of the same totals. */
  async look(): Promise<void> {
    const { snapshots, operation } = this;
    this.lastLook = performance.now();
    await operation.beginEvent(COST_OF_PASS);
    try {
      const snapshot = await currentSnapshot(snapshots, operation);
      if (snapshot === this.snapshot) return;
      const { filter, grouping } = this.options;
      const bounds = { limit: MOST_ROWS };
      const { placedRows, count } = await addUpTotals(snapshots, { filter, grouping }, bounds, operation);
      const advice = 'name a resource class or a tree in the filter, or another group';
      const message = `these are ${count} totals: at most ${MOST_ROWS} can be watched; ${advice}`;
      ensure(count <= MOST_ROWS, ['groupBy'], message);
      this.snapshot = snapshot;
      this.tell(placedRows.map(({ item }) => item));
    } finally {
      operation.endEvent();
    }
  }

  private tell(rows: readonly Total[]): void {
    const { told } = this;
    const now = new Map(
      rows.map((row) => {
        const { group, root, resourceClass, capacity, used, available, allowedUsage, providers } = row;
        const key = { group: root === null ? group : root.block.uuids[root.row], resourceClass };
        return [keyOf(row), { key, sums: [capacity, used, available, allowedUsage, providers].join(' ') }];
      }),
    );
    const totals = rows.filter((row) => told?.get(keyOf(row))?.sums !== now.get(keyOf(row))!.sums);
    const removed = [...(told ?? [])].flatMap(([name, { key }]) => (now.has(name) ? [] : [key]));
    this.told = now;
    if (told === null || totals.length + removed.length > 0) this.pages.push(...pagesOf(totals, removed));
  }
}

function keyOf({ group, resourceClass }: TotalKey): string {
  return `${resourceClass} ${group}`; // no class has a space in its name
}

function pagesOf(totals: readonly Total[], removed: readonly TotalKey[]): TotalsChange[] {
  const pages: TotalsChange[] = [];
  const end = Math.max(totals.length, removed.length);
  for (let at = 0; at < end || at === 0; at += PAGE)
    pages.push({
      totals: totals.slice(at, at + PAGE),
      removed: removed.slice(at, at + PAGE),
      complete: at + PAGE >= end,
    });
  return pages;
}
