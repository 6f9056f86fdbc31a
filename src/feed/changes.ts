import type { Pool } from 'mariadb';
import {
  columns,
  joinedColumns,
  read,
  select,
  type Column,
  type SelectList,
  type RowOf,
} from '../database/statements.js';
import { CursorExpired, type RowKey, type Stream } from './cursor.js';
import { kindsOf, type KindSet } from './recordedChanges.js';
import type { FeedPosition } from './position.js';

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

const f = columns('placement_feed_changes', 'f');
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
    const rows = await rowsIn(pool, range, limit, { list: PROVIDER, from });
    return rows.map(({ kinds, ...row }) => ({ ...row, kinds: kindsOf(kinds, row.generation === null) }));
  },
};

export const CONSUMERS: Channel<ConsumerChange> = {
  stream: 'consumers',
  read(pool, range, limit) {
    const from = `placement_feed_changes f LEFT JOIN projects q ON ${q.id} = ${f.project_id}
      LEFT JOIN projects w ON ${w.id} = ${f.former_project_id} WHERE ${f.kind} IN ('CONSUMER', 'RESET')`;
    return rowsIn(pool, range, limit, { list: CONSUMER, from });
  },
};

async function rowsIn<List extends SelectList & typeof KEY>(
  pool: Pool,
  { from, to, after }: Range,
  limit: number,
  rows: { readonly list: List; readonly from: string },
): Promise<RowOf<List>[]> {
  const { id } = rows.list;
  const order = `${id}, COALESCE(${f.generation}, ${DELETED}), ${f.writer_id}, ${f.seq}`;
  const { sql, values } = from.rangeTo(to);
  const isAfter = after === null ? '' : `AND ${id} >= ? AND (${order}) > (?, ?, ?, ?)`;
  const key =
    after === null ? [] : [after.id, after.id, after.generation ?? DELETED, after.writerId, after.seq];
  const text = `FROM ${rows.from} AND (${f.uuid} IS NOT NULL OR ${f.kind} = 'RESET') AND ${sql} ${isAfter}
    ORDER BY ${order} LIMIT ${limit}`;
  const found = await read(pool, select(rows.list, text), [...values, ...key]);
  // a RESET row has the object 0, so it comes first
  if ((found.at(0) as RowOf<typeof KEY> | undefined)?.kind === 'RESET') throw new CursorExpired();
  return found;
}

export function rootsIn({ rootId, formerRootId }: Pick<ProviderChange, 'rootId' | 'formerRootId'>): number[] {
  return [rootId, formerRootId].filter((root) => root !== null);
}
