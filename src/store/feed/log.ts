import { SingleFlight } from '../../model/operation/singleFlight.js';
import { within } from '../../model/operation/waiting.js';
import type { Database } from '../database/database.js';
import { assertNoReset, type FeedPosition, type FeedRow, type ReadRows } from './position.js';
import { readPosition } from './reader.js';

/** All searches wait for a poll, so a dead connection must not hold them up for longer (ms). */
export const MAX_POLL_MS = 5_000;

/** The maximum numbers of buffered rows and polls. A follower that is further behind reads its rows from the table. */
const MAX_BUFFERED_ROWS = 10_000;
const MAX_BUFFERED_RANGES = 1_000;

interface Range extends ReadRows {
  readonly from: FeedPosition;
}

/**
 * The reader of the change feed in this process. Its followers (the snapshot, the table of consumers, the
 * subscriptions) each have a position and pull the rows after it; one poll serves all that wait. Positions of
 * consecutive polls form a chain, whose last rows are buffered.
 */
export class FeedLog {
  /** The end of the chain. Null before the first poll. */
  private end: FeedPosition | null = null;
  private ranges: Range[] = [];
  private bufferedRows = 0;
  private readonly polls = new SingleFlight(() => this.readNext());

  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns a position with every transaction that was committed before the call. Concurrent calls share a poll. */
  poll(): Promise<FeedPosition> {
    return this.polls.join();
  }

  /**
   * Polls, and returns the rows after a position. That position may have been read by another statement.
   *
   * @throws FeedReset if the database was restored or imported since
   */
  async since(from: FeedPosition): Promise<ReadRows> {
    this.end ??= from;
    await this.poll();
    const position = this.end;
    const rows = this.buffered(from) ?? (await inTime(from.readTo(this.database.pool, position)));
    assertNoReset(rows);
    return { rows, position };
  }

  /** Adds rows that a statement with more than the feed has read after `from`, unless another poll was faster. */
  extend(from: FeedPosition, { rows, position }: ReadRows): void {
    if (this.end !== from || position === from) return;
    this.end = position;
    this.ranges.push({ from, rows, position });
    this.bufferedRows += rows.length;
    const isFull = () => this.bufferedRows > MAX_BUFFERED_ROWS || this.ranges.length > MAX_BUFFERED_RANGES;
    while (isFull() && this.ranges.length > 1) this.bufferedRows -= this.ranges.shift()!.rows.length;
  }

  private async readNext(): Promise<FeedPosition> {
    const { pool } = this.database;
    if (this.end === null) {
      const position = await inTime(readPosition(pool));
      this.end ??= position;
    }
    for (;;) {
      const from = this.end;
      const read = await inTime(from.read(pool));
      const isLast = this.end === from; // else a statement that began before this poll has extended the log
      this.extend(from, read);
      if (isLast) return this.end;
    }
  }

  /** Returns null if the rows after the position are not all buffered. */
  private buffered(from: FeedPosition): readonly FeedRow[] | null {
    if (from === this.end) return [];
    const first = this.ranges.findLastIndex((range) => range.from === from);
    return first < 0 ? null : this.ranges.slice(first).flatMap(({ rows }) => rows);
  }
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return within(MAX_POLL_MS, 'The database does not answer.', reading);
}
