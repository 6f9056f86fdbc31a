import { sql } from 'kysely';
import type { Connection } from 'mariadb';
import type { Database } from '../database/database.js';
import { columns, read, statement, tables, value, write, type Reader } from '../database/statements.js';
import type { Report } from '../runtime/report.js';

/** Stands for the catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/** Stands for no provider: the row is a heartbeat, which only carries the low-watermark. */
export const NO_PROVIDER = -1;

/** How long a change stays in the feed, in minutes. */
export const FEED_MINUTES = 15;

/**
 * A writer that has been idle for so long (ms) sends a heartbeat, if there are more unacknowledged rows than this: every freshness
 * check would read them again.
 */
const IDLE_MS = 100;
const MAX_UNACKNOWLEDGED = 16;

/**
 * Writes this process' part of the change feed. Every transaction that changes providers records them in rows of its own, under its
 * sequence. Sequences are no commit order, so each row also carries the low-watermark, below which every transaction of this process
 * has ended: what a reader does not see below it was rolled back (ADR 5).
 */
export class FeedWriter {
  private readonly inFlight = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private lastSequence = 0;
  private writerId: Promise<number> | null = null;
  /** About how many rows there are from the last low-watermark on. */
  private unacknowledged = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly report: Report,
  ) {}

  /** Gets this process its writer's id, once: before its first transaction begins. */
  async ready(): Promise<void> {
    this.writerId ??= this.register();
    try {
      await this.writerId;
    } catch (error) {
      this.writerId = null;
      throw error;
    }
  }

  /**
   * Adds the changed providers to the feed, as the last statement of the transaction that changes them: it has their rows locked
   * until the commit, so what is read of them here is what the commit makes of them. Those that leave their tree, for another
   * one or for good, are given as they were.
   */
  async write(
    tx: Reader,
    providerIds: Iterable<number>,
    leaving: readonly FormerProvider[] = [],
  ): Promise<FeedSequence> {
    const writerId = await this.writerId!;
    const seq = ++this.lastSequence;
    this.inFlight.add(seq);
    const ids = new Set(providerIds);
    const sequence = { seq, providerId: leaving[0]?.id ?? [...ids][0] };
    try {
      const rows = rowsOf(ids, leaving);
      const lowWatermark = Math.min(...this.inFlight);
      const start = [writerId, seq, lowWatermark];
      this.unacknowledged = ids.size + (lowWatermark < seq ? this.unacknowledged : 0);
      const insert = `INSERT INTO placement_feed_changes (${COLUMNS}) ${rows.map(({ text }) => text).join(' UNION ALL ')}`;
      const { affectedRows } = await write(
        tx,
        { text: insert },
        rows.flatMap(({ values }) => [...start, ...values]),
      );
      if (affectedRows < ids.size) await writeInvalidations(tx, start, [...ids]);
    } catch (error) {
      this.complete(sequence);
      throw error;
    }
    return sequence;
  }

  /** The transaction has ended. */
  complete(sequence: FeedSequence): void {
    this.inFlight.delete(sequence.seq);
    for (const listener of this.listeners) listener();
    clearTimeout(this.idleTimer);
    if (this.unacknowledged > MAX_UNACKNOWLEDGED && !this.isStopped)
      this.idleTimer = setTimeout(() => void this.writeClosingWatermark(), IDLE_MS).unref();
  }

  /** Sends nothing more of its own and reports nothing, for connections are about to close. Writes go on. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.idleTimer);
  }

  /** Whatever begins from now on has a higher sequence. Should it fail, readers only read more than they need. */
  private async writeClosingWatermark(): Promise<void> {
    if (this.inFlight.size > 0) return;
    const seq = ++this.lastSequence;
    this.unacknowledged = 1;
    const start = [await this.writerId!, seq, seq];
    await writeInvalidations(this.database.pool, start, [NO_PROVIDER]).catch((error: unknown) =>
      this.reportUnlessStopped(error, 'closing the change feed of this process'),
    );
  }

  /** Calls `listener` whenever a transaction of this process has ended, until the returned function is called. */
  onCompleted(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Finds out whether a transaction was committed whose connection was lost, however long that takes; until then its sequence is in
   * flight. Null when the writer is stopped before.
   *
   * A row with the key of one of the transaction's own is written where there is none: that waits while the transaction still has
   * the key locked, and from then on nobody can commit it, on any node of a cluster. The row differs from all others in its
   * low-watermark; all that it does is that readers read a provider again that has not changed.
   */
  async outcome(
    { seq, providerId }: FeedSequence,
    connection: Pick<Connection, 'threadId'>,
  ): Promise<'committed' | 'lost' | null> {
    const key = [await this.writerId!, seq, providerId];
    for (let pause = 100; !this.isStopped; pause = Math.min(2 * pause, 10_000)) {
      // nobody can end the transaction otherwise, should the server still wait for its COMMIT
      const ending = setTimeout(() => void this.database.kill(connection), STILL_OPEN_MS);
      try {
        await write(this.database.pool, MARK_LOST, key);
        const [{ settled }] = await read(this.database.pool, SETTLED, key);
        this.complete({ seq, providerId });
        return settled === LOST ? 'lost' : 'committed';
      } catch (error) {
        if (pause === 100) this.reportUnlessStopped(error, 'finding out what became of a commit');
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      } finally {
        clearTimeout(ending);
      }
    }
    return null;
  }

  /** Once stopped, statements may fail because their connections are closed. */
  private reportUnlessStopped(error: unknown, during: string): void {
    if (!this.isStopped) this.report(error, during);
  }

  private async register(): Promise<number> {
    return Number((await write(this.database.pool, REGISTER)).insertId);
  }
}

/** A provider as it was before a transaction that moves it to another tree or deletes it. */
export interface FormerProvider {
  readonly id: number;
  readonly uuid: string;
  readonly rootId: number;
}

/** A transaction that has rows in the feed and has not ended. */
export interface FeedSequence {
  readonly seq: number;
  /** One of the providers that the transaction changed. */
  readonly providerId: number;
}

const REGISTER = statement(
  tables.insertInto('placement_feed_writers').values({ started_at: sql`UTC_TIMESTAMP()` }),
);

const changes = columns('placement_feed_changes');
const p = columns('resource_providers', 'p');

const KEY = [changes.writer_id, changes.seq, changes.settled, changes.created_at, changes.provider_id];
/** Instead of a low-watermark: the transaction was not committed. All others are above. */
const LOST = 0;

/** When a transaction whose outcome is looked up is ended by force (ms). */
const STILL_OPEN_MS = 500;

const MARK_LOST = {
  text: `INSERT IGNORE INTO placement_feed_changes (${changes.writer_id}, ${changes.seq}, ${changes.provider_id}, ${changes.settled}, ${changes.created_at})
    VALUES (?, ?, ?, ${LOST}, UTC_TIMESTAMP())`,
};
const SETTLED = statement(
  tables
    .selectFrom('placement_feed_changes')
    .select('settled')
    .where('writer_id', '=', value<number>())
    .where('seq', '=', value<number>())
    .where('provider_id', '=', value<number>()),
);

const COLUMNS = [...KEY, changes.uuid, changes.generation, changes.root_id, changes.former_root_id].join(
  ', ',
);

/** What a row begins with: writer, sequence and low-watermark. */
const ROW_START = 'SELECT ?, ?, ?, UTC_TIMESTAMP()';
const ROOT = `COALESCE(${p.root_provider_id}, ${p.id})`;
const STAYING = `${ROW_START}, ${p.id}, ${p.uuid}, COALESCE(${p.generation}, 0), ${ROOT}, NULL
  FROM resource_providers p WHERE ${p.id} IN (?)`;
const LEAVING = `${ROW_START}, f.id, f.uuid, IF(${p.id} IS NULL, NULL, COALESCE(${p.generation}, 0)), ${ROOT}, NULLIF(f.root_id, ${ROOT})
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', root_id int PATH '$.rootId'
  )) f LEFT JOIN resource_providers p ON ${p.id} = f.id`;

/** The queries that give the rows of a transaction; the values of each follow those of its ROW_START. */
function rowsOf(
  ids: ReadonlySet<number>,
  leaving: readonly FormerProvider[],
): { text: string; values: unknown[] }[] {
  const left = new Set(leaving.map(({ id }) => id));
  const staying = [...ids].filter((id) => id !== CATALOG && !left.has(id));
  return [
    ...(staying.length > 0 ? [{ text: STAYING, values: [staying] }] : []),
    ...(leaving.length > 0 ? [{ text: LEAVING, values: [JSON.stringify(leaving)] }] : []),
    ...(ids.has(CATALOG) ? [{ text: `${ROW_START}, ${CATALOG}, NULL, NULL, NULL, NULL`, values: [] }] : []),
  ];
}

/**
 * Writes rows that invalidate providers in snapshots and are no event for subscriptions, unless there is one with the same key: for
 * providers that are deleted and were not given as they were, and heartbeats.
 */
async function writeInvalidations(
  tx: Reader,
  start: readonly number[],
  ids: readonly number[],
): Promise<void> {
  const text = `INSERT IGNORE INTO placement_feed_changes (${KEY.join(', ')})
    VALUES ${ids.map(() => '(?, ?, ?, UTC_TIMESTAMP(), ?)').join(', ')}`;
  await write(
    tx,
    { text },
    ids.flatMap((id) => [...start, id]),
  );
}
