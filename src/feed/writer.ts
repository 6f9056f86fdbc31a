import type { Connection, UpsertResult } from 'mariadb';
import type { Database } from '../database/database.js';
import type { Report } from '../runtime/report.js';

/** Stands for the catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/** Stands for no provider: the row only says what is settled. */
export const NOTHING = -1;

/** How long a change stays in the feed, in minutes. */
export const FEED_MINUTES = 15;

/**
 * A writer that falls silent for so long (ms) says that all is over, if readers would else read more than so many rows of it
 * again and again.
 */
const SILENT_MS = 100;
const MOST_IN_REACH = 16;

/**
 * Writes this process' part of the change feed. Every transaction that changes providers says so in rows of its own, under the
 * number that it has here. Numbers are no commit order, so each row also says up to which number everything of this process is
 * over: what a reader has not seen below that is gone for good (ADR 5).
 */
export class FeedWriter {
  private readonly inFlight = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private last = 0;
  private writerId: Promise<number> | null = null;
  /** About how many rows there are from the last settled number on. */
  private inReach = 0;
  private silence: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly report: Report,
  ) {}

  /** Sees to it that this process has a writer's id: once, before its first transaction begins. */
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
   * Adds the changed providers to the feed, as the last statement of the transaction that changes them: their rows are its own
   * until the commit, so what is read of them here is what the commit makes of them. Those that leave their tree, for another
   * one or for good, are given as they were.
   */
  async write(
    tx: Pick<Connection, 'query'>,
    providerIds: Iterable<number>,
    leaving: readonly FormerProvider[] = [],
  ): Promise<FeedTicket> {
    const writerId = await this.writerId!;
    const seq = ++this.last;
    this.inFlight.add(seq);
    const ids = new Set(providerIds);
    const ticket = { seq, first: leaving[0]?.id ?? [...ids][0] };
    try {
      const { sql, values } = rowsOf(ids, leaving);
      const settled = Math.min(...this.inFlight);
      const place = [writerId, seq, settled];
      this.inReach = ids.size + (settled < seq ? this.inReach : 0);
      const { affectedRows } = await tx.query<UpsertResult>(
        `INSERT INTO placement_feed_changes (${COLUMNS}) ${sql.join(' UNION ALL ')}`,
        values.flatMap((each) => [...place, ...each]),
      );
      if (affectedRows < ids.size) await this.writeBare(tx, place, ids);
    } catch (error) {
      this.settle(ticket);
      throw error;
    }
    return ticket;
  }

  /** Names the providers that are gone without having been given as they were: snapshots must hear of them all the same. */
  private async writeBare(
    tx: Pick<Connection, 'query'>,
    place: readonly number[],
    ids: Iterable<number>,
  ): Promise<void> {
    const rows = Array.from(ids, (id) => [...place, id]);
    await tx.query(`${BARE} VALUES ${rows.map(() => BARE_ROW).join(', ')}`, rows.flat());
  }

  /** The transaction is over. If the connection was lost while committing, its number stays in flight until it is known how. */
  settle(ticket: FeedTicket, isUnknown = false): void {
    if (isUnknown) return void this.findOut(ticket);
    this.inFlight.delete(ticket.seq);
    for (const listener of this.listeners) listener();
    clearTimeout(this.silence);
    if (this.inReach > MOST_IN_REACH && !this.isStopped)
      this.silence = setTimeout(() => void this.close(), SILENT_MS).unref();
  }

  /** Begins no more work of its own: the connections are about to be closed. What is being written goes on. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.silence);
  }

  /** Says that all is over: what is in flight by now has higher numbers. If it fails readers go on reading more than they need. */
  private async close(): Promise<void> {
    if (this.inFlight.size > 0) return;
    const seq = ++this.last;
    this.inReach = 1;
    const place = [await this.writerId!, seq, seq, NOTHING];
    await this.database.pool
      .query(`${BARE} VALUES ${BARE_ROW}`, place)
      .catch((error: unknown) => this.report(error, 'closing the change feed of this process'));
  }

  /** Calls `listener` whenever a transaction of this process is over; gives what ends that. */
  onSettled(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Writes a row in the place of the transaction's first one. That waits as long as the transaction still holds the place, finds
   * it taken if it was committed, and otherwise only makes readers look at a provider that has not changed.
   */
  private async findOut(ticket: FeedTicket): Promise<void> {
    const writerId = await this.writerId!;
    for (let pause = 100; !this.isStopped; pause = Math.min(2 * pause, 10_000)) {
      try {
        const place = [writerId, ticket.seq, Math.min(...this.inFlight), ticket.first];
        await this.database.pool.query(`${BARE} VALUES ${BARE_ROW}`, place);
        return this.settle(ticket);
      } catch (error) {
        if (pause === 100) this.report(error, 'finding out what became of a commit');
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    }
  }

  private async register(): Promise<number> {
    const { insertId } = await this.database.pool.query<UpsertResult>(
      'INSERT INTO placement_feed_writers (started_at) VALUES (UTC_TIMESTAMP())',
    );
    return Number(insertId);
  }
}

/** A provider as it was before a transaction that moves it to another tree or deletes it. */
export interface FormerProvider {
  readonly id: number;
  readonly uuid: string;
  readonly rootId: number;
}

/** A transaction's place in the feed. */
export interface FeedTicket {
  readonly seq: number;
  /** One of the providers that the transaction changed. */
  readonly first: number;
}

const COLUMNS = 'writer_id, seq, settled, created_at, provider_id, uuid, generation, root_id, former_root_id';

/** Rows that tell those who watch nothing. */
const BARE = `INSERT IGNORE INTO placement_feed_changes (${COLUMNS})`;
const BARE_ROW = '(?, ?, ?, UTC_TIMESTAMP(), ?, NULL, NULL, NULL, NULL)';

/** The queries that give the rows of a transaction; the values of each come behind its place in the feed. */
function rowsOf(
  ids: ReadonlySet<number>,
  leaving: readonly FormerProvider[],
): { sql: string[]; values: unknown[][] } {
  const left = new Set(leaving.map(({ id }) => id));
  const staying = [...ids].filter((id) => id !== CATALOG && !left.has(id));
  const queries: [sql: string, values: unknown[]][] = [];
  if (staying.length > 0) queries.push([STAYING, [staying]]);
  if (leaving.length > 0) queries.push([LEAVING, [JSON.stringify(leaving)]]);
  if (ids.has(CATALOG)) queries.push([`${PLACE}, ${CATALOG}, NULL, NULL, NULL, NULL`, []]);
  return { sql: queries.map(([sql]) => sql), values: queries.map(([, values]) => values) };
}

const PLACE = 'SELECT ?, ?, ?, UTC_TIMESTAMP()';
const ROOT = 'COALESCE(p.root_provider_id, p.id)';
const STAYING = `${PLACE}, p.id, p.uuid, COALESCE(p.generation, 0), ${ROOT}, NULL
  FROM resource_providers p WHERE p.id IN (?)`;
const LEAVING = `${PLACE}, f.id, f.uuid, IF(p.id IS NULL, NULL, COALESCE(p.generation, 0)), ${ROOT}, NULLIF(f.root_id, ${ROOT})
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', root_id int PATH '$.rootId'
  )) f LEFT JOIN resource_providers p ON p.id = f.id`;
