import type { Connection } from 'mariadb';
import {
  appended,
  columns,
  type Queryable,
  read,
  statement,
  tables,
  type Statement,
} from '../sql/statements.js';
import {
  CATALOG,
  type KindSet,
  type RowKind,
  usageChangeOf,
  type UsageChange,
  type UsageCommit,
} from '../../model/recordedChanges.js';

/** The columns of a row of the feed that snapshots read. */
export interface FeedRow {
  readonly writerId: number;
  readonly seq: number;
  readonly lowWatermark: number;
  readonly kind: RowKind;
  /** The id of the provider or consumer. */
  readonly objectId: number;
  /** The generation after the commit. Null: the commit deleted the object. */
  readonly generation: number | null;
  /** What changed of a provider. Null for other objects. */
  readonly changes: KindSet | null;
  /** The change of the usage if nothing else changed. Null: the provider must be read again. */
  readonly usageChange: string | null;
}

/** How far a reader has read the rows of one writer. */
export interface WriterProgress {
  /** All rows with lower sequences have been read. */
  readonly lowWatermark: number;
  /** The higher sequences that have been read. */
  readonly seen: Sequences;
}

/** The rows after a position, and the position after them. */
export interface ReadRows {
  readonly rows: readonly FeedRow[];
  readonly position: FeedPosition;
}

/** What the rows after a position change. */
export interface FeedDelta extends ReadRows {
  /** The ids of the providers that must be read again; 0 stands for the catalog. */
  readonly changed: ReadonlySet<number>;
  /** The usage changes of all other changed providers. */
  readonly usage: readonly UsageCommit[];
}

/** The database was restored or imported: everything must be read again. */
export class FeedReset extends Error {
  override readonly name = 'FeedReset';

  constructor() {
    super('the database was restored or imported');
  }
}

/** @throws FeedReset */
export function assertNoReset(rows: readonly FeedRow[]): void {
  if (rows.some(({ kind }) => kind === 'RESET')) throw new FeedReset();
}

export interface FeedCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface OpenRows extends FeedCondition {
  readonly select: Statement<FeedRow>;
}

const FEED_ROWS = statement(
  tables
    .selectFrom('placement_feed_changes')
    .select([
      'writer_id as writerId',
      'seq',
      'low_watermark as lowWatermark',
      'kind',
      'object_id as objectId',
      'generation',
      'changes',
      'usage_change as usageChange',
    ])
    .$narrowType<{ kind: RowKind }>(),
);
const { writer_id: WRITER, seq: SEQ } = columns('placement_feed_changes');

/**
 * How far a reader has read the change feed. It reads all rows of each writer from that writer's
 * low-watermark on (the open rows). Below the low-watermark no transaction is in flight, so the
 * reader misses no commit, in whatever order sequences become visible. A long idle writer without
 * rows is dropped from the position; if it writes again, it counts as new.
 */
export class FeedPosition {
  static readonly START = new FeedPosition(new Map());

  private compiledOpenRows: OpenRows | undefined;

  constructor(readonly writers: ReadonlyMap<number, WriterProgress>) {}

  /**
   * Reads the rows after this position in one statement. On a connection in a consistent snapshot the position after
   * them is that snapshot's.
   */
  async read(connection: Pick<Connection, 'execute'>): Promise<ReadRows> {
    const { select, values } = this.openRows();
    return this.newIn(await connection.execute<FeedRow[]>(select.text, values));
  }

  /** @throws FeedReset */
  async readDelta(connection: Pick<Connection, 'execute'>): Promise<FeedDelta> {
    return deltaOf(await this.read(connection));
  }

  /** Reads the rows between this position and a later one. */
  readTo(reader: Queryable, later: FeedPosition): Promise<FeedRow[]> {
    const { sql, values } = this.rangeTo(later);
    return read(reader, appended(FEED_ROWS, `where ${sql}`), values);
  }

  /** The condition for open rows, which may be new: ranges of the primary key, and all rows of unknown writers. */
  openRows(): OpenRows {
    return (this.compiledOpenRows ??= this.compileOpenRows());
  }

  private compileOpenRows(): OpenRows {
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
      const known = this.writers.get(writer) ?? { lowWatermark: 0, seen: Sequences.NONE };
      const read = [`${SEQ} < ?`, ...seen.runs.map(() => `${SEQ} BETWEEN ? AND ?`)].join(' OR ');
      const before = known.seen.runs.map(() => ` AND ${SEQ} NOT BETWEEN ? AND ?`).join('');
      ranges.push(`(${WRITER} = ? AND ${SEQ} BETWEEN ? AND ? AND (${read})${before})`);
      values.push(writer, known.lowWatermark, seen.highest ?? lowWatermark - 1);
      values.push(lowWatermark, ...seen.runs.flat(), ...known.seen.runs.flat());
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
    return mine.lowWatermark === its.lowWatermark && mine.seen.equals(its.seen);
  }

  /** Returns the new ones of the open rows. The position is this object if there are none. */
  newIn(open: readonly FeedRow[]): ReadRows {
    const rows = open.filter((row) => this.writers.get(row.writerId)?.seen.has(row.seq) !== true);
    const position = this.after(open);
    return { rows, position: this.isSame(position) ? this : position };
  }

  /** Returns the position after reading these rows, which must be all open rows. */
  after(rows: readonly Pick<FeedRow, 'writerId' | 'seq' | 'lowWatermark'>[]): FeedPosition {
    const byWriter = new Map<number, { lowWatermark: number; readonly read: number[] }>();
    for (const { writerId, seq, lowWatermark } of rows) {
      const known = this.writers.get(writerId)?.lowWatermark ?? 0;
      const writer = byWriter.get(writerId) ?? { lowWatermark: known, read: [] };
      byWriter.set(writerId, writer);
      writer.lowWatermark = Math.max(writer.lowWatermark, lowWatermark);
      writer.read.push(seq);
    }
    const writers = new Map<number, WriterProgress>();
    for (const [writer, { lowWatermark, read }] of byWriter)
      writers.set(writer, { lowWatermark, seen: Sequences.of(read.filter((seq) => seq >= lowWatermark)) });
    return new FeedPosition(writers);
  }
}

/** @throws FeedReset */
export function deltaOf({ rows, position }: ReadRows): FeedDelta {
  assertNoReset(rows);
  const changed = new Set<number>();
  const usage = new Map<string, UsageCommit & { readonly providers: UsageChange[] }>();
  for (const { writerId, seq, kind, objectId, generation, usageChange } of rows) {
    if (kind === 'CATALOG') changed.add(CATALOG);
    if (kind !== 'PROVIDER') continue;
    if (usageChange === null || generation === null) {
      changed.add(objectId);
      continue;
    }
    const key = `${writerId} ${seq}`;
    const commit = usage.get(key) ?? { writerId, seq, providers: [] };
    commit.providers.push(usageChangeOf(objectId, generation, usageChange));
    usage.set(key, commit);
  }
  return { changed, usage: [...usage.values()], rows, position };
}

/** A set of sequences, stored as runs of consecutive numbers: under load a reader sees many, with few gaps. */
export class Sequences {
  static readonly NONE = new Sequences([]);

  /** @param runs the first and the last number of each run, in ascending order and not adjacent */
  constructor(readonly runs: readonly (readonly [first: number, last: number])[]) {}

  static of(numbers: Iterable<number>): Sequences {
    const runs: [number, number][] = [];
    for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
      const run = runs.at(-1);
      if (run !== undefined && run[1] + 1 === number) run[1] = number;
      else runs.push([number, number]);
    }
    return new Sequences(runs);
  }

  /** Null if there are none. */
  get highest(): number | null {
    return this.runs.at(-1)?.[1] ?? null;
  }

  has(number: number): boolean {
    return this.runs.some(([first, last]) => first <= number && number <= last);
  }

  equals(other: Sequences): boolean {
    return (
      this.runs.length === other.runs.length &&
      this.runs.every(([first, last], at) => other.runs[at][0] === first && other.runs[at][1] === last)
    );
  }
}
