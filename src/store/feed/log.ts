import type { Pool } from 'mariadb';
import {
  appended,
  columns,
  joinedColumns,
  list,
  read,
  select,
  statement,
  tables,
  value,
  type Column,
  type Queryable,
  type RowOf,
  type SelectList,
} from '../sql/statements.js';
import { uuidOf } from '../../model/input.js';
import { CursorExpired, type RowKey, type Stream } from './cursor.js';
import { FeedPosition, type FeedRow, assertNoReset, type ReadRows } from './position.js';
import { kindsOf, type KindSet } from '../../model/recordedChanges.js';
import { SingleFlight, within } from '../../model/operation/waiting.js';
import type { Database } from '../database/database.js';

/** The change of one provider by one commit. */
export interface ProviderChange extends RowKey {
  readonly uuid: string;
  /** The root of its tree; null if the provider was deleted. */
  readonly rootId: number | null;
  /** The root of the tree that it left; null if it did not leave one. */
  readonly formerRootId: number | null;
  readonly kinds: KindSet;
}

/** The change of one consumer by one commit. */
export interface ConsumerChange extends RowKey {
  readonly uuid: string;
  /** The project of the consumer, or its last one if it was deleted. */
  readonly projectId: string;
  /** The project that it left for another one; null if it did not leave one. */
  readonly formerProjectId: string | null;
}

/** The rows between two positions; only those after the row `after` if it is not null. */
export interface Range {
  readonly from: FeedPosition;
  /** A position at which the feed was read: it contains all earlier commits to the same object, too. */
  readonly to: FeedPosition;
  readonly after: RowKey | null;
}

/** The rows of the feed about one kind of object. */
export interface Channel<Change extends RowKey> {
  readonly stream: Stream;
  /**
   * Reads the first `limit` rows of a range, ordered by object and then by generation.
   *
   * @throws CursorExpired if the database was restored or imported in this range
   */
  read(pool: Pool, range: Range, limit: number): Promise<Change[]>;
}

const changes = columns('placement_feed_changes');
const f = columns('placement_feed_changes', 'f');
const p = columns('resource_providers', 'p');
const q = joinedColumns('projects', 'q');
const w = joinedColumns('projects', 'w');

/** Above any generation: sorts the row of a deletion last. */
const DELETED = 2 ** 31;

const KEY = {
  kind: f.kind,
  id: f.object_id,
  writerId: f.writer_id,
  seq: f.seq,
  generation: f.generation,
  uuid: f.uuid as Column<string>,
};
const PROVIDER = {
  ...KEY,
  rootId: f.root_id,
  formerRootId: f.former_root_id,
  kinds: f.changes as Column<number>,
};
const CONSUMER = {
  ...KEY,
  projectId: `COALESCE(${q.external_id}, '')` as Column<string>,
  formerProjectId: w.external_id,
};

export const PROVIDERS: Channel<ProviderChange> = {
  stream: 'providers',
  async read(pool, range, limit) {
    const from = `placement_feed_changes f WHERE ${f.kind} IN ('PROVIDER', 'RESET')`;
    const rows = await rowsIn(pool, range, limit, PROVIDER, from);
    return rows.map((row) => ({ ...row, kinds: kindsOf(row.kinds, row.generation === null) }));
  },
};

export const CONSUMERS: Channel<ConsumerChange> = {
  stream: 'consumers',
  async read(pool, range, limit) {
    const from = `placement_feed_changes f LEFT JOIN projects q ON ${q.id} = ${f.project_id}
      LEFT JOIN projects w ON ${w.id} = ${f.former_project_id} WHERE ${f.kind} IN ('CONSUMER', 'RESET')`;
    const rows = await rowsIn(pool, range, limit, CONSUMER, from);
    return rows.map((row) => ({ ...row, uuid: uuidOf(row.uuid) }));
  },
};

async function rowsIn<List extends SelectList & typeof KEY>(
  pool: Pool,
  { from: position, to, after }: Range,
  limit: number,
  selected: List,
  from: string,
): Promise<RowOf<List>[]> {
  const { id } = selected;
  const order = `${id}, COALESCE(${f.generation}, ${DELETED}), ${f.writer_id}, ${f.seq}`;
  const { sql, values } = position.rangeTo(to);
  const isAfter = after === null ? '' : `AND ${id} >= ? AND (${order}) > (?, ?, ?, ?)`;
  const key =
    after === null ? [] : [after.id, after.id, after.generation ?? DELETED, after.writerId, after.seq];
  const text = `FROM ${from} AND (${f.uuid} IS NOT NULL OR ${f.kind} = 'RESET') AND ${sql} ${isAfter}
    ORDER BY ${order} LIMIT ${limit}`;
  const found = await read(pool, select(selected, text), [...values, ...key]);
  // a RESET row has the object 0, so it comes first
  if ((found.at(0) as RowOf<typeof KEY> | undefined)?.kind === 'RESET') throw new CursorExpired();
  return found;
}

export function rootsIn({ rootId, formerRootId }: Pick<ProviderChange, 'rootId' | 'formerRootId'>): number[] {
  return [rootId, formerRootId].filter((root) => root !== null);
}

export interface FeedTime {
  /** In seconds, by the clock of the database. */
  readonly time: number;
  /** The roots of the trees of certain providers, by provider uuid. Omits unknown providers. */
  readonly roots: ReadonlyMap<string, number>;
}

const ROOTS = statement(
  tables
    .selectFrom('placement_feed_changes')
    .select(['root_id as rootId', 'former_root_id as formerRootId'])
    .distinct()
    .where('uuid', '=', value<string>()),
);
const WRITERS = statement(
  tables.selectFrom('placement_feed_writers').select('id').where('id', 'in', list<number>()),
);

/** Reads the position at the end of the feed. The result is small, however long the feed is. */
export async function readPosition(reader: Queryable): Promise<FeedPosition> {
  const sql = `SELECT DISTINCT ${f.writer_id} AS writerId, ${f.seq} AS seq, w.low_watermark AS lowWatermark
    FROM (SELECT ${changes.writer_id}, MAX(${changes.low_watermark}) AS low_watermark
            FROM placement_feed_changes GROUP BY ${changes.writer_id}) w
    STRAIGHT_JOIN placement_feed_changes f
       ON ${f.writer_id} = w.${changes.writer_id} AND ${f.seq} >= w.low_watermark`;
  return FeedPosition.START.after(await reader.query<FeedRow[]>(sql));
}

/** Reads the time and the roots in one statement. A position that is read later is not older than them. */
export async function readTime(pool: Pool, uuids: readonly string[]): Promise<FeedTime> {
  const rows = await pool.query<[root: number, uuid: string | null][]>(
    {
      rowsAsArray: true,
      sql: `
        SELECT UNIX_TIMESTAMP(), NULL
        UNION ALL
        SELECT COALESCE(${p.root_provider_id}, ${p.id}), ${p.uuid}
          FROM resource_providers p WHERE ${p.uuid} IN (?)`,
    },
    [uuids.length > 0 ? uuids : ['']],
  );
  const [[time], ...roots] = rows;
  return { time, roots: new Map(roots.map(([root, uuid]) => [uuid!, root])) };
}

/** Reads the roots of a provider's trees between two positions, without the tree at the end. */
export async function readRoots(
  pool: Pool,
  { from, to }: { from: FeedPosition; to: FeedPosition },
  uuid: string,
): Promise<number[]> {
  const { sql, values } = from.rangeTo(to);
  const rows = await read(pool, appended(ROOTS, `AND ${sql}`), [uuid, ...values]);
  return rows.flatMap(rootsIn);
}

/** Returns whether all these writers are known. A cursor of another database may name others. */
export async function hasWriters(pool: Pool, writers: readonly number[]): Promise<boolean> {
  if (writers.length === 0) return true;
  return (await read(pool, WRITERS, [writers])).length === writers.length;
}

/** All searches wait for a poll, so a dead connection must not hold them up for longer (ms). */
export const MAX_POLL_MS = 5_000;

/** The maximum numbers of buffered rows and polls. A follower that is further behind reads its rows from the table. */
const MAX_BUFFERED_ROWS = 10_000;
const MAX_BUFFERED_RANGES = 1_000;

interface ChangesRange extends ReadRows {
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
  private ranges: ChangesRange[] = [];
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
