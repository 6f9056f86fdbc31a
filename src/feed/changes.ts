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
import type { RowKey, Stream } from './cursor.js';
import { kindsOf, type KindSet } from './kinds.js';
import type { FeedPosition } from './position.js';

/** What one commit made of one provider. */
export interface ProviderChange extends RowKey {
  readonly uuid: string;
  /** Of the tree that it is in; null when it was deleted. */
  readonly rootId: number | null;
  /** Of the tree that it has left by this; null when it has not. */
  readonly formerRootId: number | null;
  /** What the commit has changed of it, or may have. */
  readonly kinds: KindSet;
}

/** What one commit made of one consumer. */
export interface ConsumerChange extends RowKey {
  readonly uuid: string;
  /** The project that it belongs to, or did when it was deleted. */
  readonly projectId: string;
  /** The project that it has left by this for another one; null when it has not. */
  readonly formerProjectId: string | null;
}

/** Rows between two positions, after one of them if that is given. */
export interface Range {
  readonly from: FeedPosition;
  /** A position at which the feed was read: whoever could see a commit there could also see all earlier ones of the same object. */
  readonly to: FeedPosition;
  readonly after: RowKey | null;
}

/** One kind of rows of the feed. */
export interface Channel<Change extends RowKey> {
  readonly stream: Stream;
  /** The first `limit` rows of a range: the providers or consumers one after the other, each in the order of its generations. */
  read(pool: Pool, range: Range, limit: number): Promise<Change[]>;
}

const f = columns('placement_feed_changes', 'f');
const q = joinedColumns('projects', 'q');
const w = joinedColumns('projects', 'w');

/** Sorts the row of a deletion last, whatever the generation was: above any. */
const DELETED = 2 ** 31;

const KEY = { writerId: f.writer_id, seq: f.seq, generation: f.generation };
const PROVIDER = {
  ...KEY,
  id: f.provider_id,
  uuid: f.uuid as Column<string>,
  rootId: f.root_id,
  formerRootId: f.former_root_id,
  kinds: f.kinds,
};
const CONSUMER = {
  ...KEY,
  id: f.consumer_id as Column<number>,
  uuid: f.consumer_uuid as Column<string>,
  projectId: `COALESCE(${q.external_id}, '')` as Column<string>,
  formerProjectId: w.external_id,
};

export const PROVIDERS: Channel<ProviderChange> = {
  stream: 'providers',
  async read(pool, range, limit) {
    const from = `placement_feed_changes f WHERE ${f.uuid} IS NOT NULL`;
    const rows = await rowsIn(pool, range, limit, { list: PROVIDER, from });
    return rows.map(({ kinds, ...row }) => ({ ...row, kinds: kindsOf(kinds, row.generation === null) }));
  },
};

export const CONSUMERS: Channel<ConsumerChange> = {
  stream: 'consumers',
  read(pool, range, limit) {
    const from = `placement_feed_changes f LEFT JOIN projects q ON ${q.id} = ${f.project_id}
      LEFT JOIN projects w ON ${w.id} = ${f.former_project_id} WHERE ${f.consumer_uuid} IS NOT NULL`;
    return rowsIn(pool, range, limit, { list: CONSUMER, from });
  },
};

function rowsIn<List extends SelectList & { readonly id: Column<number> }>(
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
  const text = `FROM ${rows.from} AND ${sql} ${isAfter} ORDER BY ${order} LIMIT ${limit}`;
  return read(pool, select(rows.list, text), [...values, ...key]);
}

/** The trees that a change is about. */
export function rootsIn({ rootId, formerRootId }: Pick<ProviderChange, 'rootId' | 'formerRootId'>): number[] {
  return [rootId, formerRootId].filter((root) => root !== null);
}
