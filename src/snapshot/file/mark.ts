import { randomInt } from 'node:crypto';
import { columns, read, select, type Column, type Reader } from '../../database/statements.js';
import type { FeedPosition } from '../../feed/position.js';
import { EPOCH } from '../../feed/reader.js';
import { NO_PROVIDER } from '../../feed/recordedChanges.js';
import { READABLE_SECONDS } from '../../feed/tail.js';
import type { FeedWriter } from '../../feed/writer.js';

/**
 * A row of the feed that says nothing, and shows that what is kept beside the database belongs to it: a database that has the row has in
 * it what was committed before. It is neither another one, nor one that was taken back to an earlier state.
 */
export interface Mark {
  readonly writerId: number;
  readonly seq: number;
  /** Chosen at random. In the row they are in columns of which heartbeats make no use. */
  readonly numbers: readonly [number, number];
  /** Of the feed when it was set. */
  readonly epoch: number;
}

const f = columns('placement_feed_changes', 'f');
const number = (text: string): Column<number> => text;

const EPOCH_NOW = select({ epoch: number(`(${EPOCH})`) }, '');

const MARK = select(
  {
    age: number(`TIMESTAMPDIFF(SECOND, ${f.created_at}, UTC_TIMESTAMP())`),
    epoch: number(`(${EPOCH})`),
  },
  `FROM placement_feed_changes f WHERE ${f.writer_id} = ? AND ${f.seq} = ? AND ${f.provider_id} = ${NO_PROVIDER}
    AND ${f.root_id} = ? AND ${f.former_root_id} = ?`,
);

/** Sets a mark behind whatever was committed before. */
export async function setMark(feed: FeedWriter, reader: Reader): Promise<Mark> {
  const numbers = [randomInt(2 ** 31), randomInt(2 ** 31)] as const;
  const place = await feed.mark(numbers);
  const [{ epoch }] = await read(reader, EPOCH_NOW, []);
  return { ...place, numbers, epoch };
}

/** Why what belongs to a mark cannot be brought up to date by the feed; null where it can. */
export async function obstacleTo(reader: Reader, mark: Mark): Promise<string | null> {
  const { writerId, seq, numbers, epoch } = mark;
  const [found] = await read(reader, MARK, [writerId, seq, ...numbers]);
  if (found === undefined) return 'it is too old, of another database, or of one that was taken back since';
  if (found.epoch !== epoch) return 'the database was restored since';
  // by one clock, that of the database: changes are kept a little longer
  if (found.age < 0 || found.age > READABLE_SECONDS) return `it is too old: ${found.age} s`;
  return null;
}

/** How many rows of the feed are behind a position; at most one more than `most`. */
export async function countBehind(reader: Reader, position: FeedPosition, most: number): Promise<number> {
  const { sql, values } = position.unacknowledged();
  const rows = `SELECT 1 FROM placement_feed_changes WHERE ${sql} LIMIT ${most + 1}`;
  const [{ amount }] = await read(reader, select({ amount: number('COUNT(*)') }, `FROM (${rows}) r`), values);
  return amount;
}
