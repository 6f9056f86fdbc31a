import type { Connection } from 'mariadb';

/** What is read of a row of the feed. */
export interface FeedRow {
  readonly writerId: number;
  readonly seq: number;
  readonly settled: number;
  readonly providerId: number;
}

/** How far one writer's rows have been read. */
interface Progress {
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

/**
 * How far a reader has read the change feed. Of each writer it reads all rows from where that writer itself said that
 * something may still have been in flight: so no commit is missed, in whatever order numbers become visible. A writer that has
 * long been silent has no rows left and is forgotten; should it write again it is new.
 */
export class FeedPosition {
  static readonly START = new FeedPosition(new Map());

  private constructor(private readonly writers: ReadonlyMap<number, Progress>) {}

  /** Reads what is new, in one statement. On a connection in a consistent snapshot the position is that snapshot's. */
  async news(connection: Pick<Connection, 'execute'>): Promise<FeedNews> {
    const { sql, values } = this.condition();
    const rows = await connection.execute<FeedRow[]>(
      `SELECT writer_id AS writerId, seq, settled, provider_id AS providerId FROM placement_feed_changes WHERE ${sql}`,
      values,
    );
    return this.behind(rows);
  }

  /**
   * The condition on placement_feed_changes for what may be new: of known writers the rows from their settled number on, of all
   * others every row. Ranges of the primary key.
   */
  condition(): { readonly sql: string; readonly values: readonly number[] } {
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
    return { sql: `(${ranges.join(' OR ')})`, values };
  }

  /** What is new among rows that were read by that condition, and the position behind them. */
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
      for (const { seq, providerId } of mine) if (known?.seen.has(seq) !== true) changed.add(providerId);
      const settled = mine.reduce((highest, row) => Math.max(highest, row.settled), known?.settled ?? 0);
      writers.set(writer, {
        settled,
        seen: new Set(mine.map(({ seq }) => seq).filter((seq) => seq >= settled)),
      });
    }
    return { changed, position: new FeedPosition(writers) };
  }
}
