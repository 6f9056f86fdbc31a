import type { Pool } from 'mariadb';
import type { RowKey } from './cursor.js';
import type { FeedPosition } from './position.js';

/** What one commit made of one provider. */
export interface ProviderChange extends RowKey {
  readonly uuid: string;
  /** Of the tree that it is in; null when it is gone. */
  readonly rootId: number | null;
  /** Of the tree that it has left by this; null when it has not. */
  readonly formerRootId: number | null;
}

/** The end of the feed at one moment. */
export interface FeedEnd {
  readonly position: FeedPosition;
  /** By the clock of the database, in seconds. */
  readonly time: number;
  /** The roots of the trees that certain providers are in, by their uuids; those that are nowhere have none. */
  readonly roots: ReadonlyMap<string, number>;
}

/** A gone provider's rows end with that, whatever its generation was: above any. */
const GONE = 2 ** 31;
const ORDER = `provider_id, COALESCE(generation, ${GONE}), writer_id, seq`;
const COLUMNS = `writer_id AS writerId, seq, provider_id AS providerId, uuid, generation, root_id AS rootId,
  former_root_id AS formerRootId`;

/**
 * Looks how far the feed goes by now, in one statement of which the answer is small, however much is new: of each writer its
 * highest settled number, and the numbers seen from there on.
 */
export async function readEnd(pool: Pool, from: FeedPosition, uuids: readonly string[]): Promise<FeedEnd> {
  const { sql, values } = from.condition();
  const rows = await pool.query<
    [kind: 'now' | 'seen' | 'root', a: number, b: number, c: number, uuid: string][]
  >(
    {
      rowsAsArray: true,
      sql: `
        SELECT 'now', UNIX_TIMESTAMP(), 0, 0, ''
        UNION ALL
        SELECT DISTINCT 'seen', f.writer_id, f.seq, h.settled, ''
          FROM (SELECT writer_id, MAX(settled) AS settled FROM placement_feed_changes WHERE ${sql} GROUP BY writer_id) h
          STRAIGHT_JOIN placement_feed_changes f ON f.writer_id = h.writer_id AND f.seq >= h.settled
        UNION ALL
        SELECT 'root', COALESCE(root_provider_id, id), 0, 0, uuid FROM resource_providers WHERE uuid IN (?)`,
    },
    [...values, uuids.length > 0 ? uuids : ['']],
  );
  const seen = rows.flatMap(([kind, writerId, seq, settled]) =>
    kind === 'seen' ? [{ writerId, seq, settled, providerId: 0 }] : [],
  );
  return {
    position: from.behind(seen).position,
    time: rows.find(([kind]) => kind === 'now')![1],
    roots: new Map(rows.flatMap(([kind, id, , , uuid]) => (kind === 'root' ? [[uuid, id]] : []))),
  };
}

/**
 * What is known of at one position and not yet at an earlier one, behind a row of it, at most so many rows: the providers one
 * after the other, each in the order of its generations. The position is one at which the feed was read: whoever could see a
 * commit there could also see all earlier ones of the same provider.
 */
export function readStretch(
  pool: Pool,
  { from, to, behind }: { from: FeedPosition; to: FeedPosition; behind: RowKey | null },
  limit: number,
): Promise<ProviderChange[]> {
  const { sql, values } = from.upTo(to);
  const isBehind = behind === null ? '' : `AND provider_id >= ? AND (${ORDER}) > (?, ?, ?, ?)`;
  const key =
    behind === null
      ? []
      : [behind.providerId, behind.providerId, behind.generation ?? GONE, behind.writerId, behind.seq];
  return pool.query<ProviderChange[]>(
    `SELECT ${COLUMNS} FROM placement_feed_changes WHERE ${sql} AND uuid IS NOT NULL ${isBehind}
     ORDER BY ${ORDER} LIMIT ${limit}`,
    [...values, ...key],
  );
}

/** The roots of all trees in which a provider was between two positions, but for that in which it was at the end of them. */
export async function readRoots(
  pool: Pool,
  { from, to }: { from: FeedPosition; to: FeedPosition },
  uuid: string,
): Promise<number[]> {
  const { sql, values } = from.upTo(to);
  const rows = await pool.query<Pick<ProviderChange, 'rootId' | 'formerRootId'>[]>(
    `SELECT DISTINCT root_id AS rootId, former_root_id AS formerRootId FROM placement_feed_changes
     WHERE ${sql} AND uuid = ?`,
    [...values, uuid],
  );
  return rows.flatMap(rootsIn);
}

/** The trees that a change is about. */
export function rootsIn({ rootId, formerRootId }: Pick<ProviderChange, 'rootId' | 'formerRootId'>): number[] {
  return [rootId, formerRootId].filter((root) => root !== null);
}

/** Whether the feed knows all these writers; a cursor of another database may name others. */
export async function hasWriters(pool: Pool, writers: readonly number[]): Promise<boolean> {
  if (writers.length === 0) return true;
  const rows = await pool.query<unknown[]>('SELECT id FROM placement_feed_writers WHERE id IN (?)', [
    writers,
  ]);
  return rows.length === writers.length;
}
