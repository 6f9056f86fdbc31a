import type { Database } from '../../database/database.js';
import type { FeedWriter } from '../../feed/writer.js';
import { columns, read, type Statement } from '../../sql/statements.js';
import { codeOf } from '../../../model/errors.js';
import type { Log } from '../../../model/observation.js';
import type { ClaimWriter } from './claimQueue.js';
import { checkConsumerGenerations } from './consumerRows.js';

/** The maximum number of holds that end at once. */
const ENDED_AT_ONCE = 100;

/** The maximum time between two reads of the holds (ms). */
const POLL_MS = 250;

/** The time that the process of a hold has before others end it (ms). */
const OTHERS_MS = 300;

const h = columns('placement_holds', 'h');
const c = columns('consumers', 'c');
const w = columns('placement_feed_writers', 'w');
const SERVERS = `FROM placement_feed_writers w WHERE ${w.expires_at} > UTC_TIMESTAMP() AND ${w.version} IS NOT NULL`;
/** The processes with a lease share the holds, so that they rarely try to end the same one. */
const IS_OWN = `MOD(${h.consumer_id}, s.count) = s.position`;

/** A hold that is due, with its consumer: null if that is gone. */
interface Due {
  readonly consumerId: number;
  readonly generation: number;
  readonly uuid: string | null;
  readonly current: number | null;
}

const DUE: Statement<Due> = {
  text: `SELECT ${h.consumer_id} AS consumerId, ${h.generation} AS generation, ${c.uuid} AS uuid, ${c.generation} AS current
    FROM (SELECT GREATEST(1, COUNT(*)) AS count, COALESCE(SUM(${w.id} < ?), 0) AS position ${SERVERS}) s
    CROSS JOIN placement_holds h LEFT JOIN consumers c ON ${c.id} = ${h.consumer_id}
    WHERE ${h.expires_at} <= UTC_TIMESTAMP(3)
      AND (${IS_OWN} OR ${h.expires_at} <= UTC_TIMESTAMP(3) - INTERVAL ${OTHERS_MS * 1000} MICROSECOND)
    ORDER BY ${IS_OWN} DESC, ${h.expires_at} LIMIT ${ENDED_AT_ONCE}`,
};
/** Removes rows of holds whose consumer another program has deleted or written. */
const REMOVE_ENDED = `DELETE h FROM placement_holds h
  LEFT JOIN consumers c ON ${c.id} = ${h.consumer_id} AND ${c.generation} = ${h.generation}
  WHERE ${h.consumer_id} IN (?) AND ${c.id} IS NULL`;

/**
 * Ends consumers whose holds are due by the clock of the database. Each is an ordinary deletion that expects the
 * generation of the hold, so that of a confirmation and the expiry only one is written.
 */
export class HoldExpiry {
  readonly name = 'ending holds';
  readonly pause = 5_000;

  constructor(
    private readonly database: Pick<Database, 'pool' | 'spellings'>,
    private readonly feed: FeedWriter,
    private readonly claims: ClaimWriter,
    private readonly log: Log,
  ) {}

  /** Ends the holds that are due, at most {@link ENDED_AT_ONCE}. */
  async step(): Promise<number> {
    const { pool, spellings } = this.database;
    const due = await read(pool, DUE, [await this.feed.id()]);
    if (due.length === 0) return POLL_MS;
    const ended = due.flatMap(({ consumerId, generation, current }) =>
      generation === current ? [] : [consumerId],
    );
    if (ended.length > 0) await pool.query(REMOVE_ENDED, [ended]);
    const consumers = due.flatMap(({ uuid, generation, current }) =>
      uuid !== null && generation === current
        ? [{ consumer: spellings.consumers.uuidOf(uuid), generation }]
        : [],
    );
    const outcomes = await Promise.all(consumers.map((consumer) => this.end(consumer)));
    const gone = consumers.filter((_, at) => outcomes[at]).map(({ consumer }) => consumer);
    if (gone.length > 0) this.log.info({ consumers: gone }, 'consumers ended at their time');
    return due.length === ENDED_AT_ONCE ? 0 : POLL_MS;
  }

  /** Returns false if the consumer has been confirmed, extended or written meanwhile, or has ended. */
  private async end(consumer: { readonly consumer: string; readonly generation: number }): Promise<boolean> {
    const inputs = [{ ...consumer, projectId: '', userId: '', allocations: [] }];
    try {
      await this.claims.write({
        inputs,
        takingOver: new Map(),
        check: () => undefined,
        validate: ({ stored }) => checkConsumerGenerations(inputs, stored),
      });
      return true;
    } catch (error) {
      if (codeOf(error) === 'CONSUMER_GENERATION_CONFLICT') return false;
      throw error;
    }
  }
}
