import type { Connection } from 'mariadb';
import { NOTHING } from './writer.js';

/** What is read of a row of the feed. */
export interface FeedRow {
  readonly writerId: number;
  readonly seq: number;
  readonly settled: number;
  readonly providerId: number;
}

/** How far one writer's rows have been read. */
export interface Progress {
  /** Everything below is known. */
  readonly settled: number;
  /** What is known from there on. */
  readonly seen: ReadonlySet<number>;
}

/** What is new in the feed, and the position behind it. */
export interface FeedNews {
  /** Ids of the providers that changed; 0 stands for the catalog. */
  readonly changed: ReadonlySet<number>;
  readonly position: FeedPosition;
}

/** What may be new in placement_feed_changes. */
interface Condition {
  readonly sql: string;
  readonly values: readonly number[];
  /** The statement that reads it. */
  readonly select: string;
}

const SELECT =
  'SELECT writer_id AS writerId, seq, settled, provider_id AS providerId FROM placement_feed_changes';

/**
 * How far a reader has read the change feed. Of each writer it reads all rows from where that writer itself said that
 * something may still have been in flight: so no commit is missed, in whatever order numbers become visible. A writer that has
 * long been silent has no rows left and is forgotten; should it write again it is new.
 */
export class FeedPosition {
  static readonly START = new FeedPosition(new Map());

  private inReach: Condition | undefined;

  private constructor(readonly writers: ReadonlyMap<number, Progress>) {}

  static of(writers: ReadonlyMap<number, Progress>): FeedPosition {
    return new FeedPosition(writers);
  }

  /** Reads what is new, in one statement. On a connection in a consistent snapshot the position is that snapshot's. */
  async news(connection: Pick<Connection, 'execute'>): Promise<FeedNews> {
    const { select, values } = this.condition();
    return this.behind(await connection.execute<FeedRow[]>(select, values));
  }

  /**
   * The condition on placement_feed_changes for what may be new: of known writers the rows from their settled number on, of all
   * others every row. Ranges of the primary key.
   */
  condition(): Condition {
    return (this.inReach ??= this.makeCondition());
  }

  private makeCondition(): Condition {
    const known = [...this.writers].sort(([a], [b]) => a - b);
    const ranges: string[] = [];
    const values: number[] = [];
    let previous = 0;
    for (const [writer, { settled }] of known) {
      if (writer > previous + 1) {
        ranges.push('(writer_id > ? AND writer_id < ?)');
        values.push(previous, writer);
      }
      ranges.push('(writer_id = ? AND seq >= ?)');
      values.push(writer, settled);
      previous = writer;
    }
    ranges.push('writer_id > ?');
    values.push(previous);
    const sql = `(${ranges.join(' OR ')})`;
    return { sql, values, select: `${SELECT} WHERE ${sql}` };
  }

  /** The condition on placement_feed_changes for what is known at a later position, and not at this one. */
  upTo(later: FeedPosition): { readonly sql: string; readonly values: readonly unknown[] } {
    const ranges: string[] = [];
    const values: unknown[] = [];
    for (const [writer, { settled, seen }] of [...later.writers].sort(([a], [b]) => a - b)) {
      if (later.isSameOf(writer, this)) continue;
      const known = this.writers.get(writer) ?? { settled: 0, seen: new Set() };
      const last = [...seen].reduce((highest, seq) => Math.max(highest, seq), settled - 1);
      ranges.push('(writer_id = ? AND seq BETWEEN ? AND ? AND (seq < ? OR seq IN (?)) AND seq NOT IN (?))');
      values.push(writer, known.settled, last, settled, numbersIn(seen), numbersIn(known.seen));
    }
    return { sql: ranges.length === 0 ? 'FALSE' : `(${ranges.join(' OR ')})`, values };
  }

  /** Whether nothing is known here that is not known there, nor the other way round. */
  isSame(other: FeedPosition): boolean {
    return [...this.writers.keys(), ...other.writers.keys()].every((writer) => this.isSameOf(writer, other));
  }

  isSameOf(writer: number, other: FeedPosition): boolean {
    const [mine, its] = [this.writers.get(writer), other.writers.get(writer)];
    if (mine === undefined || its === undefined) return mine === its;
    return (
      mine.settled === its.settled &&
      mine.seen.size === its.seen.size &&
      [...mine.seen].every((seq) => its.seen.has(seq))
    );
  }

  /** What is new among rows that were read by that condition, and the position behind them: this one, if nothing is. */
  behind(rows: readonly FeedRow[]): FeedNews {
    const changed = new Set<number>();
    const byWriter = new Map<number, FeedRow[]>();
    for (const row of rows) {
      const others = byWriter.get(row.writerId);
      if (others === undefined) byWriter.set(row.writerId, [row]);
      else others.push(row);
    }
    const writers = new Map<number, Progress>();
    for (const [writer, mine] of byWriter) {
      const known = this.writers.get(writer);
      for (const { seq, providerId } of mine) {
        if (providerId !== NOTHING && known?.seen.has(seq) !== true) changed.add(providerId);
      }
      const settled = mine.reduce((highest, row) => Math.max(highest, row.settled), known?.settled ?? 0);
      writers.set(writer, {
        settled,
        seen: new Set(mine.map(({ seq }) => seq).filter((seq) => seq >= settled)),
      });
    }
    const position = new FeedPosition(writers);
    return { changed, position: this.isSame(position) ? this : position };
  }
}

/** For an IN of SQL, whose list must not be empty; no transaction has the number -1. */
function numbersIn(numbers: ReadonlySet<number>): number[] {
  return numbers.size === 0 ? [-1] : [...numbers];
}
