import type { Database } from '../../database/database.js';
import type { FeedWriter } from '../../feed/writer.js';
import { columns, deletionFrom, read, type Statement } from '../../sql/statements.js';
import { groupBy } from '../../../model/collections.js';
import { codeOf } from '../../../model/errors.js';
import type { Log } from '../../../model/observation.js';
import type { ClaimWriter } from './claimQueue.js';
import { checkConsumerGenerations } from './consumerRows.js';

/** The maximum number of holds that end at once. */
const ENDED_AT_ONCE = 100;

/** The maximum number of due holds of which a process takes its share. */
const OLDEST = 1_000;

/** The time between two reads of the holds (ms). A step that ends consumers for longer delays the next read. */
const POLL_MS = 250;

/** The time that the process of a hold has before others end it (ms). */
const OTHERS_MS = 500;

const h = columns('placement_holds', 'h');
const c = columns('consumers', 'c');
const a = columns('allocations', 'a');
const p = columns('resource_providers', 'p');
const w = columns('placement_feed_writers', 'w');
const SERVERS = `FROM placement_feed_writers w WHERE ${w.expires_at} > UTC_TIMESTAMP() AND ${w.version} IS NOT NULL`;
const FIRST_PROVIDER = `SELECT MIN(${a.resource_provider_id}) FROM allocations a WHERE ${a.consumer_id} = ${c.uuid}`;
const PROVIDERS = `SELECT GROUP_CONCAT(DISTINCT ${p.uuid}) FROM allocations a
  JOIN resource_providers p ON ${p.id} = ${a.resource_provider_id} WHERE ${a.consumer_id} = d.uuid`;
/** The processes with a lease share the providers, so that their transactions rarely change the same one. */
const IS_OWN = 'MOD(d.provider, s.count) = s.position';

/** A hold that is due, with its consumer: null if that is gone. */
interface Due {
  readonly consumerId: number;
  readonly generation: number;
  readonly uuid: string | null;
  readonly current: number | null;
  /** The lowest id of a provider of the consumer. */
  readonly provider: number;
  /** The uuids of its providers, separated by commas. Null if it has none. */
  readonly providers: string | null;
}

const DUE: Statement<Due> = {
  text: `SELECT d.consumerId, d.generation, d.uuid, d.current, d.provider, (${PROVIDERS}) AS providers
    FROM (SELECT GREATEST(1, COUNT(*)) AS count, COALESCE(SUM(${w.id} < ?), 0) AS position ${SERVERS}) s
    CROSS JOIN (
      SELECT ${h.consumer_id} AS consumerId, ${h.generation} AS generation, ${h.expires_at} AS expiresAt,
             ${c.uuid} AS uuid, ${c.generation} AS current, COALESCE((${FIRST_PROVIDER}), ${h.consumer_id}) AS provider
        FROM placement_holds h LEFT JOIN consumers c ON ${c.id} = ${h.consumer_id}
       WHERE ${h.expires_at} <= UTC_TIMESTAMP(3) ORDER BY ${h.expires_at} LIMIT ${OLDEST}) d
    WHERE ${IS_OWN} OR d.expiresAt <= UTC_TIMESTAMP(3) - INTERVAL ${OTHERS_MS * 1000} MICROSECOND
    ORDER BY ${IS_OWN} DESC, d.expiresAt LIMIT ${ENDED_AT_ONCE}`,
};
/** Removes rows of holds whose consumer another program has deleted or written. */
const REMOVE_ENDED = `${deletionFrom('placement_holds')} WHERE consumer_id IN (?) AND NOT EXISTS (
  SELECT ${c.id} FROM consumers c WHERE ${c.id} = placement_holds.consumer_id
     AND ${c.generation} = placement_holds.generation) ORDER BY consumer_id`;

/** A consumer to end, with the generation that its hold expects. */
interface Ending {
  readonly consumer: string;
  readonly generation: number;
  /** The uuids of its providers. */
  readonly held: readonly string[];
}

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
    const begun = performance.now();
    const { pool, spellings } = this.database;
    const due = await read(pool, DUE, [await this.feed.id()]);
    if (due.length === 0) return POLL_MS;
    const ended = due.flatMap(({ consumerId, generation, current }) =>
      generation === current ? [] : [consumerId],
    );
    if (ended.length > 0) await pool.query(REMOVE_ENDED, [ended]);
    const current = due.flatMap(({ uuid, generation, current, provider, providers }) =>
      uuid !== null && generation === current
        ? [
            {
              consumer: spellings.consumers.uuidOf(uuid),
              generation,
              provider,
              held: providers?.split(',') ?? [],
            },
          ]
        : [],
    );
    const groups = [...groupBy(current, ({ provider }) => provider).values()];
    const gone = (await Promise.all(groups.map((group) => this.end(group)))).flat();
    if (gone.length > 0) this.log.info({ consumers: gone }, 'consumers ended at their time');
    return due.length === ENDED_AT_ONCE ? 0 : Math.max(0, POLL_MS - (performance.now() - begun));
  }

  /**
   * Ends consumers in one claim. If one of them has been confirmed, extended or written meanwhile, or has ended, each
   * has a claim of its own. Returns those that this call has ended.
   */
  private async end(consumers: readonly Ending[]): Promise<string[]> {
    const inputs = consumers.map(({ consumer, generation }) => {
      return { consumer, generation, projectId: '', userId: '', allocations: [] };
    });
    try {
      await this.claims.write({
        inputs,
        held: [...new Set(consumers.flatMap(({ held }) => held))],
        takingOver: new Map(),
        check: () => undefined,
        validate: ({ stored }) => checkConsumerGenerations(inputs, stored),
      });
      return consumers.map(({ consumer }) => consumer);
    } catch (error) {
      if (codeOf(error) !== 'CONSUMER_GENERATION_CONFLICT') throw error;
      if (consumers.length === 1) return [];
      return (await Promise.all(consumers.map((each) => this.end([each])))).flat();
    }
  }
}
