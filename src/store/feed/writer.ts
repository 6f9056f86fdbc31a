import { SqlError } from 'mariadb';
import { columns, read, statement, tables, value, write, type Queryable } from '../sql/statements.js';
import { CATALOG, type RecordedChanges, usageText, type RowId } from '../../model/recordedChanges.js';
import type { Database, ServerConnection } from '../database/database.js';
import type { Report } from '../../model/operation/report.js';
import { ensureState, QuotaDefinitions, QUOTA_VERSION, readDefinitions } from '../quotas/definitions.js';
import { END_LEASE, LEASE_SECONDS, registerWriter, RENEW_LEASE } from './lease.js';

const changes = columns('placement_feed_changes');
const writers = columns('placement_feed_writers');
const p = columns('resource_providers', 'p');
const c = columns('consumers', 'c');

const KEY = [
  changes.writer_id,
  changes.seq,
  changes.low_watermark,
  changes.created_at,
  changes.kind,
  changes.object_id,
];
const ABOUT_OBJECT = [
  changes.uuid,
  changes.generation,
  changes.root_id,
  changes.former_root_id,
  changes.changes,
  changes.usage_change,
  changes.project_id,
  changes.former_project_id,
];
const COLUMNS = [...KEY, ...ABOUT_OBJECT].join(', ');

/** Writer, sequence and low-watermark. The writer's id is null, which the table rejects, if its lease was removed. */
export type RowStart = readonly [writerId: number, seq: number, lowWatermark: number];
const startedBy = (writer: string): string => `SELECT ${writer}, ?, ?, UTC_TIMESTAMP()`;
const leased = (and = ''): string =>
  startedBy(`(SELECT ${writers.id} FROM placement_feed_writers WHERE ${writers.id} = ?${and})`);
/** The id is also null if the quotas have another version than the transaction has read (ADR 48). */
const FENCED = leased(` AND ${QUOTA_VERSION} = ?`);
/** Follows a fenced query of the same statement. */
const NEXT = startedBy('?');

const ROOT = `COALESCE(${p.root_provider_id}, ${p.id})`;
const STORED = `'PROVIDER', ${p.id}, ${p.uuid}, COALESCE(${p.generation}, 0), ${ROOT}, NULL`;
/** A JSON_TABLE takes 40 us more, a tenth of a claim's time in the database. */
const ONE_STAYING = `${STORED}, ?, ?, NULL, NULL FROM resource_providers p WHERE ${p.id} = ?`;
const STAYING = `${STORED}, f.kinds, f.usage_change, NULL, NULL
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$[0]', kinds int PATH '$[1]', usage_change varchar(255) PATH '$[2]'
  )) f STRAIGHT_JOIN resource_providers p ON ${p.id} = f.id`;
const LEAVING = `'PROVIDER', f.id, f.uuid,
  IF(${p.id} IS NULL, NULL, COALESCE(${p.generation}, 0)), ${ROOT},
  NULLIF(f.root_id, ${ROOT}), f.kinds, NULL, NULL, NULL
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', root_id int PATH '$.rootId', kinds int PATH '$.kinds'
  )) f LEFT JOIN resource_providers p ON ${p.id} = f.id`;
const THE_CATALOG = `'CATALOG', ${CATALOG}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`;

const CONSUMER = `'CONSUMER', ${c.id}, ${c.uuid}, ${c.generation},
  NULL, NULL, NULL, NULL, ${c.project_id}, NULL
  FROM consumers c WHERE`;
const CONSUMERS = `${CONSUMER} ${c.id} IN (?)`;
const NEW_CONSUMERS = `${CONSUMER} ${c.uuid} IN (?) AND ${c.id} NOT IN (?)`;
const PROJECT = `COALESCE(${c.project_id}, f.project_id)`;
const LEAVING_CONSUMERS = `'CONSUMER', f.id, f.uuid, ${c.generation}, NULL, NULL, NULL, NULL,
  ${PROJECT}, NULLIF(f.project_id, ${PROJECT})
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', project_id int PATH '$.projectId'
  )) f LEFT JOIN consumers c ON ${c.id} = f.id`;

interface Insertion {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A query for rows of a transaction, from the kind of their object on; its values follow those of the start. */
type Query = readonly [text: string, ...values: unknown[]];

export function insertionOf(
  recorded: RecordedChanges,
  [writerId, seq, lowWatermark]: RowStart,
  quotas: number,
): Insertion {
  // the first one has rows: providers may have been deleted, and only changes of consumers count against quotas
  const queries = [...consumerQueries(recorded), ...providerQueries(recorded)];
  const texts = queries.map(([text], at) => `${at === 0 ? FENCED : NEXT}, ${text}`);
  return {
    text: `INSERT INTO placement_feed_changes (${COLUMNS}) ${texts.join(' UNION ALL ')}`,
    values: queries.flatMap(([, ...values], at) => [
      writerId,
      ...(at === 0 ? [quotas] : []),
      seq,
      lowWatermark,
      ...values,
    ]),
  };
}

/**
 * Returns a statement that inserts rows without details of the change. Subscriptions skip all of
 * them except RESET. An existing row with the same key is left unchanged.
 */
function invalidationOf(
  kind: 'PROVIDER' | 'HEARTBEAT' | 'RESET',
  ids: readonly number[],
  start: RowStart,
): Insertion {
  return {
    text: `INSERT INTO placement_feed_changes (${KEY.join(', ')})
      ${ids.map(() => `${leased()}, ?, ?`).join(' UNION ALL ')} 
      ON DUPLICATE KEY UPDATE placement_feed_changes.seq = placement_feed_changes.seq`,
    values: ids.flatMap((id) => [...start, kind, id]),
  };
}

function providerQueries({ providers, leaving, usage }: RecordedChanges): Query[] {
  const staying = [...providers].flatMap(([id, kinds]) => {
    if (id === CATALOG || leaving.has(id)) return [];
    const change = usage.get(id);
    return [{ id, kinds, text: change === undefined ? null : usageText(change) }];
  });
  const queries: Query[] = [];
  if (staying.length > 1) {
    const rows = staying.map(({ id, kinds, text }) => (text === null ? [id, kinds] : [id, kinds, text]));
    queries.push([STAYING, JSON.stringify(rows)]);
  } else for (const { id, kinds, text } of staying) queries.push([ONE_STAYING, kinds, text, id]);
  if (leaving.size > 0) {
    const former = Array.from(leaving.values(), (row) => ({ ...row, kinds: providers.get(row.id) }));
    queries.push([LEAVING, JSON.stringify(former)]);
  }
  if (providers.has(CATALOG)) queries.push([THE_CATALOG]);
  return queries;
}

function consumerQueries({ consumers, newConsumers, leavingConsumers }: RecordedChanges): Query[] {
  const staying = [...consumers].filter((id) => !leavingConsumers.has(id));
  const queries: Query[] = [];
  if (staying.length > 0) queries.push([CONSUMERS, staying]);
  // no consumer has the id 0, and the list of an IN must not be empty
  if (newConsumers.size > 0) queries.push([NEW_CONSUMERS, [...newConsumers], [0, ...consumers]]);
  if (leavingConsumers.size > 0)
    queries.push([LEAVING_CONSUMERS, JSON.stringify([...leavingConsumers.values()])]);
  return queries;
}

/** The time that a change stays in the feed (minutes). */
export const FEED_MINUTES = 15;

/**
 * An idle writer writes a heartbeat after this time (ms) if more rows than this are above its low-watermark, because
 * every freshness check reads them again.
 */
const IDLE_MS = 100;
const MAX_OPEN_ROWS = 16;

/** The interval at which a process renews its lease (ms). */
const RENEWAL_MS = 5_000;

/**
 * The lease of this process was removed, because the database was restored, or the quotas have changed since the
 * transaction began. The transaction must begin again.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The server's error number for a null in a column that must not be null. */
const NOT_NULL = 1048;

/**
 * Writes the changes of this process to the change feed. Each changing transaction has rows with its sequence.
 * Transactions do not commit in the order of their sequences, so each row also has the low-watermark, below which
 * every transaction of this process has ended: an invisible sequence below it was rolled back (ADR 5).
 *
 * The row of this process in placement_feed_writers is its lease. A restore removes all leases: it refuses to begin
 * while one is fresh, and no transaction of a process without a lease commits.
 */
export class FeedWriter {
  private readonly inFlight = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private lastSequence = 0;
  private writerId: Promise<number> | null = null;
  /** The approximate number of rows from the last low-watermark on. */
  private openRows = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private isStopped = false;
  private quotas = QuotaDefinitions.NONE;

  constructor(
    private readonly database: Database,
    private readonly report: Report,
    /** The traits of roots that searches of this process exclude. Absent if it does not serve. */
    private readonly excludedRootTraits?: readonly string[],
  ) {}

  /** Acquires the lease of this process unless it has one. Call it before each transaction, which uses these quotas. */
  async ready(): Promise<QuotaDefinitions> {
    this.writerId ??= this.register();
    try {
      await this.writerId;
      return this.quotas;
    } catch (error) {
      this.writerId = null;
      throw error;
    }
  }

  /** Returns the id of this process in placement_feed_writers. */
  async id(): Promise<number> {
    await this.ready();
    return this.writerId!;
  }

  /**
   * Adds the changes of a transaction to the feed, as its last statement. The transaction has locked the rows of its
   * providers and consumers, so they are read here as the commit leaves them.
   *
   * @param quotas the version with which the transaction has validated its changes
   * @throws LeaseLost if the database was restored since the lease was granted, or the quotas have another version
   */
  async write(tx: Queryable, recorded: RecordedChanges, quotas = this.quotas.version): Promise<FeedSequence> {
    const { size, anyRow, providers } = recorded;
    if (anyRow === undefined) throw new Error('nothing was changed');
    const writerId = await this.writerId!;
    const seq = ++this.lastSequence;
    this.inFlight.add(seq);
    const sequence = { writerId, seq, row: anyRow };
    try {
      const lowWatermark = Math.min(...this.inFlight);
      const start = [writerId, seq, lowWatermark] as const;
      this.openRows = size + (lowWatermark < seq ? this.openRows : 0);
      const { affectedRows } = await this.insert(tx, insertionOf(recorded, start, quotas));
      // providers that were deleted without being recorded as leaving
      if (affectedRows < size && providers.size > 0)
        await this.insert(tx, invalidationOf('PROVIDER', [...providers.keys()], start));
    } catch (error) {
      this.complete(sequence);
      throw error;
    }
    return sequence;
  }

  complete(sequence: Pick<FeedSequence, 'seq'>): void {
    this.inFlight.delete(sequence.seq);
    for (const listener of this.listeners) listener();
    clearTimeout(this.idleTimer);
    if (this.openRows > MAX_OPEN_ROWS && !this.isStopped)
      this.idleTimer = setTimeout(() => void this.writeHeartbeat(), IDLE_MS).unref();
  }

  /** Ends the lease and the background work before connections close. Writes may continue. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    clearTimeout(this.idleTimer);
    clearInterval(this.renewal);
    const { pool } = this.database;
    // if this fails, the lease expires
    this.writerId?.then((id) => write(pool, END_LEASE, [id])).catch(() => undefined);
  }

  /** Raises the low-watermark. If this fails, readers only read more than they need. */
  private async writeHeartbeat(): Promise<void> {
    if (this.inFlight.size > 0) return;
    const seq = ++this.lastSequence;
    this.openRows = 1;
    try {
      const start = [await this.writerId!, seq, seq] as const;
      await this.insert(this.database.pool, invalidationOf('HEARTBEAT', [0], start));
    } catch (error) {
      if (!(error instanceof LeaseLost))
        this.reportUnlessStopped(error, 'closing the change feed of this process');
    }
  }

  /** Calls `listener` whenever a transaction of this process has ended, until the returned function is called. */
  onCompleted(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Determines whether a transaction whose connection was lost has committed. Retries without a
   * limit; until then its sequence is in flight. Returns null if the writer is stopped before.
   *
   * Inserts a row with the key of one of the transaction's rows unless there is one. The insertion
   * waits while the transaction has the key locked; afterwards the transaction cannot commit on any
   * node of a cluster. The inserted row has the low-watermark LOST. It only makes readers read an
   * unchanged provider again.
   */
  async outcome(
    { writerId, seq, row }: FeedSequence,
    connection: ServerConnection,
  ): Promise<'committed' | 'lost' | null> {
    const key = [writerId, seq, row.kind, row.objectId];
    for (let pause = 100; !this.isStopped; pause = Math.min(2 * pause, 10_000)) {
      // the server may still wait for the transaction's COMMIT, and would keep it open
      const ending = setTimeout(() => void this.database.kill(connection), STILL_OPEN_MS);
      try {
        await write(this.database.pool, INSERT_LOST, key);
        const [{ lowWatermark }] = await read(this.database.pool, LOW_WATERMARK, key);
        this.complete({ seq });
        return lowWatermark === LOST ? 'lost' : 'committed';
      } catch (error) {
        if (pause === 100) this.reportUnlessStopped(error, 'checking whether a commit was written');
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      } finally {
        clearTimeout(ending);
      }
    }
    return null;
  }

  /** After the writer is stopped, statements may fail because their connections are closed. */
  private reportUnlessStopped(error: unknown, during: string): void {
    if (!this.isStopped) this.report(error, during);
  }

  private async insert(tx: Queryable, { text, values }: ReturnType<typeof insertionOf>) {
    try {
      return await write(tx, { text }, values);
    } catch (error) {
      if (!(error instanceof SqlError) || error.errno !== NOT_NULL) throw error;
      this.refresh();
      throw new LeaseLost('the database was restored from a backup, or its quotas have changed', {
        cause: error,
      });
    }
  }

  /** Makes the next transaction wait for the present lease and quotas. */
  refresh(): void {
    this.writerId = this.writerId?.then((id) => this.recovered(id)) ?? null;
    this.writerId?.catch(() => undefined); // the next transaction reports it
  }

  private async recovered(id: number): Promise<number> {
    if ((await write(this.database.pool, RENEW_LEASE, [id])).affectedRows === 0) return this.register();
    this.quotas = await readDefinitions(this.database.pool);
    return id;
  }

  private async register(): Promise<number> {
    const id = await registerWriter(this.database.pool, LEASE_SECONDS, this.excludedRootTraits);
    await ensureState(this.database.pool);
    this.quotas = await readDefinitions(this.database.pool);
    if (!this.isStopped) this.renewal ??= setInterval(() => void this.renew(), RENEWAL_MS).unref();
    return id;
  }

  /** Renews the lease, or acquires another if it was removed. A failure only lets it expire. */
  private async renew(): Promise<void> {
    try {
      const id = await this.writerId;
      const isHeld = id !== null && (await write(this.database.pool, RENEW_LEASE, [id])).affectedRows === 1;
      if (isHeld || this.isStopped) return;
      this.writerId = null;
      await this.ready();
    } catch {
      return;
    }
  }
}

/** A transaction that has rows in the feed and has not ended. */
export interface FeedSequence {
  readonly writerId: number;
  readonly seq: number;
  readonly row: RowId;
}

/** Records that everything may have changed: snapshots reload and subscriptions end. For restores and imports. */
export async function recordReset(tx: Queryable): Promise<void> {
  const start: RowStart = [await registerWriter(tx, 0), 1, 1];
  const { text, values } = invalidationOf('RESET', [0], start);
  await write(tx, { text }, values);
}

/** The low-watermark of a transaction that has not committed. All others are higher. */
const LOST = 0;

/** The time after which `outcome` kills the connection of the transaction (ms). */
const STILL_OPEN_MS = 500;

const INSERT_LOST = {
  text: `INSERT IGNORE INTO placement_feed_changes (${changes.writer_id}, ${changes.seq}, ${changes.kind},
    ${changes.object_id}, ${changes.low_watermark}, ${changes.created_at})
    VALUES (?, ?, ?, ?, ${LOST}, UTC_TIMESTAMP())`,
};
const LOW_WATERMARK = statement(
  tables
    .selectFrom('placement_feed_changes')
    .select('low_watermark as lowWatermark')
    .where('writer_id', '=', value<number>())
    .where('seq', '=', value<number>())
    .where('kind', '=', value<string>())
    .where('object_id', '=', value<number>()),
);
