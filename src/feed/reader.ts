import type { Connection, Pool } from 'mariadb';
import { appended, columns, read, statement, tables, value, list } from '../database/statements.js';
import { FeedPosition } from './position.js';
import { rootsIn } from './changes.js';

/** The end of the feed at one point in time. */
export interface FeedEnd {
  readonly position: FeedPosition;
  /** By the clock of the database, in seconds. */
  readonly time: number;
  /** Of the feed: another one after each restore of a backup; 0: it has never been restored. */
  readonly epoch: number;
  /** The roots of the trees that certain providers are in, by their uuids; those that do not exist have none. */
  readonly roots: ReadonlyMap<string, number>;
}

const changes = columns('placement_feed_changes');
const f = columns('placement_feed_changes', 'f');
const p = columns('resource_providers', 'p');

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

const { epoch: epochColumn } = columns('placement_feed_epochs');
/** The epoch of the feed, as a query. */
export const EPOCH = `SELECT COALESCE(MAX(${epochColumn}), 0) FROM placement_feed_epochs`;

type EndRow = [kind: 'time' | 'seen' | 'root', a: number, b: number, c: number, uuid: string];

/** Of each writer that has rows of this condition its highest low-watermark, and the sequences from there on. */
function unacknowledgedIn(condition: string): string {
  return `SELECT DISTINCT 'seen', ${f.writer_id}, ${f.seq}, w.low_watermark, ''
    FROM (SELECT ${changes.writer_id}, MAX(${changes.settled}) AS low_watermark
            FROM placement_feed_changes WHERE ${condition} GROUP BY ${changes.writer_id}) w
    STRAIGHT_JOIN placement_feed_changes f
       ON ${f.writer_id} = w.${changes.writer_id} AND ${f.seq} >= w.low_watermark`;
}

function positionAfter(from: FeedPosition, rows: readonly EndRow[]): FeedPosition {
  const seen = rows.flatMap(([kind, writerId, seq, lowWatermark]) =>
    kind === 'seen'
      ? [{ writerId, seq, lowWatermark, providerId: 0, generation: null, usageChange: null }]
      : [],
  );
  return from.deltaFrom(seen).position;
}

/** Reads the position at the end of the feed: for whoever is about to read all else. The answer is small, however long the feed is. */
export async function readPosition(connection: Pick<Connection, 'query'>): Promise<FeedPosition> {
  const rows = await connection.query<EndRow[]>({ rowsAsArray: true, sql: unacknowledgedIn('TRUE') });
  return positionAfter(FeedPosition.START, rows);
}

/**
 * Reads how far the feed goes by now, in one statement whose answer is small, however much is new: of each writer its highest
 * low-watermark, and the sequences from there on.
 */
export async function readEnd(pool: Pool, from: FeedPosition, uuids: readonly string[]): Promise<FeedEnd> {
  const { sql, values } = from.unacknowledged();
  const rows = await pool.query<EndRow[]>(
    {
      rowsAsArray: true,
      sql: `
        SELECT 'time', UNIX_TIMESTAMP(), (${EPOCH}), 0, ''
        UNION ALL
        ${unacknowledgedIn(sql)}
        UNION ALL
        SELECT 'root', COALESCE(${p.root_provider_id}, ${p.id}), 0, 0, ${p.uuid}
          FROM resource_providers p WHERE ${p.uuid} IN (?)`,
    },
    [...values, uuids.length > 0 ? uuids : ['']],
  );
  const [, time, epoch] = rows.find(([kind]) => kind === 'time')!;
  return {
    position: positionAfter(from, rows),
    time,
    epoch,
    roots: new Map(rows.flatMap(([kind, id, , , uuid]) => (kind === 'root' ? [[uuid, id]] : []))),
  };
}

/** The roots of all trees in which a provider was between two positions, but for that in which it was at the end of them. */
export async function readRoots(
  pool: Pool,
  { from, to }: { from: FeedPosition; to: FeedPosition },
  uuid: string,
): Promise<number[]> {
  const { sql, values } = from.rangeTo(to);
  const rows = await read(pool, appended(ROOTS, `AND ${sql}`), [uuid, ...values]);
  return rows.flatMap(rootsIn);
}

/** Whether the feed knows all these writers; a cursor of another database may name others. */
export async function hasWriters(pool: Pool, writers: readonly number[]): Promise<boolean> {
  if (writers.length === 0) return true;
  return (await read(pool, WRITERS, [writers])).length === writers.length;
}
