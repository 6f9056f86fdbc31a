import type { Connection } from 'mariadb';
import { appended, columns, statement, tables, type Statement } from '../database/statements.js';
import { CATALOG } from './recordedChanges.js';
import { usageChangeOf, type UsageChange, type UsageCommit } from './usage.js';

/** What is read of a row of the feed. */
export interface FeedRow {
  readonly writerId: number;
  readonly seq: number;
  readonly lowWatermark: number;
  /** Below 0: it is a heartbeat, or about a consumer. */
  readonly providerId: number;
  /** Absent where it was not asked for. */
  readonly consumerId?: number | null;
  /** Of the provider after the commit. */
  readonly generation: number | null;
  /** How its usage has changed, where nothing else of it has; null: it may have. */
  readonly usageChange: string | null;
}

/** How far one writer's rows have been read. */
export interface WriterProgress {
  /** All rows with lower sequences have been read. */
  readonly lowWatermark: number;
  /** The sequences from there on that have been read. */
  readonly seen: ReadonlySet<number>;
}

/** What has changed since a position, and the position after that. */
export interface FeedDelta {
  /** Ids of the providers that have to be read again; 0 stands for the catalog. */
  readonly changed: ReadonlySet<number>;
  /** How the usage of others has changed. */
  readonly usage: readonly UsageCommit[];
  readonly position: FeedPosition;
}

/** A condition on placement_feed_changes. */
export interface FeedCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface UnacknowledgedRows extends FeedCondition {
  /** The statement that reads them. */
  readonly select: Statement<FeedRow>;
}

const FEED_ROWS: Statement<FeedRow> = statement(
  tables
    .selectFrom('placement_feed_changes')
    .select([
      'writer_id as writerId',
      'seq',
      'settled as lowWatermark',
      'provider_id as providerId',
      'consumer_id as consumerId',
      'generation',
      'usage_change as usageChange',
    ]),
);
const { writer_id: WRITER, seq: SEQ } = columns('placement_feed_changes');

/**
 * How far a reader has read the change feed. Of each writer it reads all rows from that writer's low-watermark on, below which
 * none of its transactions was in flight: so no commit is missed, in whatever order sequences become visible. A writer that has
 * been idle for long has no rows left and is forgotten; should it write again it is new.
 */
export class FeedPosition {
  static readonly START = new FeedPosition(new Map());

  private unacknowledgedRows: UnacknowledgedRows | undefined;

  private constructor(readonly writers: ReadonlyMap<number, WriterProgress>) {}

  static of(writers: ReadonlyMap<number, WriterProgress>): FeedPosition {
    return new FeedPosition(writers);
  }

  /** Reads what has changed, in one statement. On a connection in a consistent snapshot the position is that snapshot's. */
  async readDelta(connection: Pick<Connection, 'execute'>): Promise<FeedDelta> {
    return this.deltaFrom(await this.readRows(connection));
  }

  /** Reads the unacknowledged rows. */
  readRows(connection: Pick<Connection, 'execute'>): Promise<FeedRow[]> {
    const { select, values } = this.unacknowledged();
    return connection.execute<FeedRow[]>(select.text, values);
  }

  /** Whether what was committed with this sequence has been read. */
  has({ writerId, seq }: Pick<FeedRow, 'writerId' | 'seq'>): boolean {
    const progress = this.writers.get(writerId);
    return progress !== undefined && (seq < progress.lowWatermark || progress.seen.has(seq));
  }

  /**
   * The condition for unacknowledged rows, which may be new: of known writers the rows from the low-watermark on, of all others
   * every row. Ranges of the primary key.
   */
  unacknowledged(): UnacknowledgedRows {
    return (this.unacknowledgedRows ??= this.compileUnacknowledged());
  }

  private compileUnacknowledged(): UnacknowledgedRows {
    const known = [...this.writers].sort(([a], [b]) => a - b);
    const ranges: string[] = [];
    const values: number[] = [];
    let previous = 0;
    for (const [writer, { lowWatermark }] of known) {
      if (writer > previous + 1) {
        ranges.push(`(${WRITER} > ? AND ${WRITER} < ?)`);
        values.push(previous, writer);
      }
      ranges.push(`(${WRITER} = ? AND ${SEQ} >= ?)`);
      values.push(writer, lowWatermark);
      previous = writer;
    }
    ranges.push(`${WRITER} > ?`);
    values.push(previous);
    const sql = `(${ranges.join(' OR ')})`;
    return { sql, values, select: appended(FEED_ROWS, `where ${sql}`) };
  }

  /** The condition for rows that have been read at a later position, and not at this one. */
  rangeTo(later: FeedPosition): FeedCondition {
    const ranges: string[] = [];
    const values: unknown[] = [];
    for (const [writer, { lowWatermark, seen }] of [...later.writers].sort(([a], [b]) => a - b)) {
      if (later.isSameFor(writer, this)) continue;
      const known = this.writers.get(writer) ?? { lowWatermark: 0, seen: new Set() };
      const last = [...seen].reduce((highest, seq) => Math.max(highest, seq), lowWatermark - 1);
      ranges.push(
        `(${WRITER} = ? AND ${SEQ} BETWEEN ? AND ? AND (${SEQ} < ? OR ${SEQ} IN (?)) AND ${SEQ} NOT IN (?))`,
      );
      values.push(writer, known.lowWatermark, last, lowWatermark, listOf(seen), listOf(known.seen));
    }
    return { sql: ranges.length === 0 ? 'FALSE' : `(${ranges.join(' OR ')})`, values };
  }

  /** Whether the same rows have been read at both positions. */
  isSame(other: FeedPosition): boolean {
    return [...this.writers.keys(), ...other.writers.keys()].every((writer) => this.isSameFor(writer, other));
  }

  isSameFor(writer: number, other: FeedPosition): boolean {
    const [mine, its] = [this.writers.get(writer), other.writers.get(writer)];
    if (mine === undefined || its === undefined) return mine === its;
    return (
      mine.lowWatermark === its.lowWatermark &&
      mine.seen.size === its.seen.size &&
      [...mine.seen].every((seq) => its.seen.has(seq))
    );
  }

  /** The delta that the unacknowledged rows contain; its position is this very one when they contain nothing new. */
  deltaFrom(rows: readonly FeedRow[]): FeedDelta {
    const news = new News();
    const byWriter = new Map<number, FeedRow[]>();
    for (const row of rows) {
      const others = byWriter.get(row.writerId);
      if (others === undefined) byWriter.set(row.writerId, [row]);
      else others.push(row);
    }
    const writers = new Map<number, WriterProgress>();
    for (const [writer, mine] of byWriter) {
      const known = this.writers.get(writer);
      for (const row of mine) if (known?.seen.has(row.seq) !== true) news.add(row);
      const lowWatermark = mine.reduce(
        (highest, row) => Math.max(highest, row.lowWatermark),
        known?.lowWatermark ?? 0,
      );
      const seen = new Set(mine.map(({ seq }) => seq).filter((seq) => seq >= lowWatermark));
      writers.set(writer, { lowWatermark, seen });
    }
    const position = new FeedPosition(writers);
    return { ...news.found(), position: this.isSame(position) ? this : position };
  }
}

/** What rows say that had not been read before. */
class News {
  private readonly changed = new Set<number>();
  private readonly usage = new Map<string, UsageCommit & { readonly providers: UsageChange[] }>();

  add({ writerId, seq, providerId: id, generation, usageChange }: FeedRow): void {
    if (id < CATALOG) return;
    if (usageChange === null || generation === null) {
      this.changed.add(id);
      return;
    }
    const key = `${writerId} ${seq}`;
    const commit = this.usage.get(key) ?? { writerId, seq, providers: [] };
    commit.providers.push(usageChangeOf(id, generation, usageChange));
    this.usage.set(key, commit);
  }

  found(): Pick<FeedDelta, 'changed' | 'usage'> {
    return { changed: this.changed, usage: [...this.usage.values()] };
  }
}

/** For an IN of SQL, whose list must not be empty; no transaction has the sequence -1. */
function listOf(sequences: ReadonlySet<number>): number[] {
  return sequences.size === 0 ? [-1] : [...sequences];
}
