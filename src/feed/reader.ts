import type { Connection, Pool } from 'mariadb';
import { appended, columns, read, statement, tables, value, list } from '../database/statements.js';
import { FeedPosition } from './position.js';
import { rootsIn } from './changes.js';

export interface FeedEnd {
  readonly position: FeedPosition;
  /** In seconds, by the clock of the database. */
  readonly time: number;
  /** The roots of the trees of certain providers, by provider uuid. Omits unknown providers. */
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

type EndRow = [row: 'time' | 'open' | 'root', a: number, b: number, c: number, uuid: string];

/** SQL for the highest low-watermark of each writer with matching rows, and the sequences from there on. */
function openRowsIn(condition: string): string {
  return `SELECT DISTINCT 'open', ${f.writer_id}, ${f.seq}, w.low_watermark, ''
    FROM (SELECT ${changes.writer_id}, MAX(${changes.low_watermark}) AS low_watermark
            FROM placement_feed_changes WHERE ${condition} GROUP BY ${changes.writer_id}) w
    STRAIGHT_JOIN placement_feed_changes f
       ON ${f.writer_id} = w.${changes.writer_id} AND ${f.seq} >= w.low_watermark`;
}

function positionAfter(from: FeedPosition, rows: readonly EndRow[]): FeedPosition {
  return from.after(
    rows.flatMap(([row, writerId, seq, lowWatermark]) =>
      row === 'open' ? [{ writerId, seq, lowWatermark }] : [],
    ),
  );
}

/** Reads the position at the end of the feed. The result is small, however long the feed is. */
export async function readPosition(connection: Pick<Connection, 'query'>): Promise<FeedPosition> {
  const rows = await connection.query<EndRow[]>({ rowsAsArray: true, sql: openRowsIn('TRUE') });
  return positionAfter(FeedPosition.START, rows);
}

/** Reads the end of the feed, in one statement whose result is small, however much is new. */
export async function readEnd(pool: Pool, from: FeedPosition, uuids: readonly string[]): Promise<FeedEnd> {
  const { sql, values } = from.openRows();
  const rows = await pool.query<EndRow[]>(
    {
      rowsAsArray: true,
      sql: `
        SELECT 'time', UNIX_TIMESTAMP(), 0, 0, ''
        UNION ALL
        ${openRowsIn(sql)}
        UNION ALL
        SELECT 'root', COALESCE(${p.root_provider_id}, ${p.id}), 0, 0, ${p.uuid}
          FROM resource_providers p WHERE ${p.uuid} IN (?)`,
    },
    [...values, uuids.length > 0 ? uuids : ['']],
  );
  const [, time] = rows.find(([row]) => row === 'time')!;
  return {
    position: positionAfter(from, rows),
    time,
    roots: new Map(rows.flatMap(([row, id, , , uuid]) => (row === 'root' ? [[uuid, id]] : []))),
  };
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
