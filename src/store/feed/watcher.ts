import type { Channel, Range } from './log.js';
import { CursorExpired, RangeCursors, type FeedCursor, type RowKey } from './cursor.js';
import type { FeedPosition } from './position.js';
import { EventStream } from '../../model/operation/eventStream.js';
import { GAP_PAGE, READABLE_SECONDS, type Checkpoint, type FeedTail, type Follower } from './tail.js';

export interface FeedEvent<Change> {
  readonly change: Change;
  /** Resumes after this event. */
  readonly cursor: string;
}

type IsWanted<Change> = (change: Change) => boolean;

/** The changes that a subscription wants. */
export interface Selection<Change> extends Pick<Follower, 'inTree'> {
  /** Selects in a range that is in memory. */
  ofRange(changes: readonly Change[], to: Checkpoint): IsWanted<Change>;
  /** Selects in a range that is not read yet and that ends at `to`. */
  ofGap(
    range: { readonly from: FeedPosition; readonly to: FeedPosition },
    to: Checkpoint,
    queued: Queue,
  ): Promise<IsWanted<Change>>;
}

/** Runs one read at a time for all watchers that have fallen behind, so that they leave connections for other work. */
export type Queue = <T>(read: () => Promise<T>) => Promise<T>;

interface Source<Change extends RowKey> {
  readonly channel: Channel<Change>;
  read(range: Range): Promise<Change[]>;
  readonly queued: Queue;
  remove(): void;
}

/** The beginning or the end of a range. */
type End = Pick<Checkpoint, 'position' | 'time'>;

/** A range that the watcher reads itself because the tail does not buffer it. */
interface Gap {
  readonly from: End;
  readonly to: End;
  after: RowKey | null;
}

interface ChangePage<Change> {
  readonly changes: readonly Change[];
  readonly isWanted: IsWanted<Change>;
  readonly cursorOf: (change: Change) => string;
}

/**
 * One subscription. It sends its page, then reads the gaps behind the tail, then takes the ranges of the tail or waits
 * for the next one. If the tail no longer buffers the range after its checkpoint, that range becomes a gap.
 */
export class Watcher<Change extends RowKey> extends EventStream<FeedEvent<Change>> implements Follower {
  private checkpoint!: Checkpoint;
  /** The ranges to read, in order, before the range after the checkpoint. */
  private gaps: Gap[] = [];
  private isWantedOfGaps: IsWanted<Change> = () => false;
  private page: ChangePage<Change> | null = null;
  private index = 0;

  constructor(
    private readonly tail: FeedTail<Change>,
    private readonly selection: Selection<Change>,
    private readonly source: Source<Change>,
  ) {
    super();
  }

  get inTree(): string | null {
    return this.selection.inTree;
  }

  get buffered(): number {
    return this.page === null ? 0 : this.page.changes.length - this.index;
  }

  async start(cursor: FeedCursor | null): Promise<void> {
    this.tail.add(this);
    await this.tail.poll();
    if (this.isDone) return;
    this.checkpoint = this.tail.current;
    if (cursor === null) return;
    const { position, time, within } = cursor;
    const from = { position, time };
    if (within === null) return this.catchUp([{ from, to: this.checkpoint, after: null }]);
    const to = { ...from, position: within.to };
    await this.catchUp([
      { from, to, after: within.after },
      { from: to, to: this.checkpoint, after: null },
    ]);
  }

  wake(): void {
    this.onWake();
  }

  protected release(): void {
    this.page = null;
    this.tail.remove(this);
    this.source.remove();
  }

  protected take(): FeedEvent<Change> | null {
    if (this.page === null) return null;
    const { changes, isWanted, cursorOf } = this.page;
    while (this.index < changes.length) {
      const change = changes[this.index++];
      if (isWanted(change)) return { change, cursor: cursorOf(change) };
    }
    this.page = null;
    return null;
  }

  /** Opens the next page, or waits for the next range. */
  protected async advance(): Promise<void> {
    if (this.gaps.length > 0) return this.readGap(this.gaps[0]);
    const range = this.tail.rangeAfter(this.checkpoint);
    if (range === null) return new Promise<void>((resolve) => (this.onWake = resolve));
    if (range?.changes == null) {
      const from = this.checkpoint;
      this.checkpoint = this.tail.current;
      return this.catchUp([{ from, to: this.checkpoint, after: null }]);
    }
    this.checkpoint = range.to;
    this.openPage(range, range.changes, this.selection.ofRange(range.changes, range.to));
    return undefined;
  }

  /** Begins to read gaps up to the checkpoint. */
  private async catchUp(gaps: Gap[]): Promise<void> {
    this.gaps = gaps;
    this.assertReadable(gaps[0]);
    const range = { from: gaps[0].from.position, to: this.checkpoint.position };
    this.isWantedOfGaps = await this.selection.ofGap(range, this.checkpoint, this.source.queued);
  }

  private async readGap(gap: Gap): Promise<void> {
    const { from, to, after } = gap;
    const changes = await this.source.read({ from: from.position, to: to.position, after });
    this.assertReadable(gap);
    if (this.isDone) return;
    const isLast = changes.length < GAP_PAGE;
    if (isLast) this.gaps.shift();
    else gap.after = changes[changes.length - 1];
    this.openPage(gap, changes, this.isWantedOfGaps, isLast);
  }

  /** @throws CursorExpired if changes of the gap may have been pruned */
  private assertReadable({ from }: Gap): void {
    if (this.isDone) return;
    if (this.tail.current.time - from.time > READABLE_SECONDS) throw new CursorExpired();
  }

  private openPage(
    { from, to }: Pick<Gap, 'from' | 'to'>,
    changes: readonly Change[],
    isWanted: IsWanted<Change>,
    isLast = true,
  ): void {
    const { stream } = this.source.channel;
    const cursors = new RangeCursors(stream, from.time, from.position, to.position);
    const last = isLast ? changes.at(-1) : undefined;
    this.page = {
      changes,
      isWanted,
      cursorOf: (change) =>
        change === last
          ? new RangeCursors(stream, to.time, to.position, to.position).before()
          : cursors.after(change),
    };
    this.index = 0;
  }
}
