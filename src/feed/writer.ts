import { sql } from 'kysely';
import type { ServerConnection } from '../database/serverThreads.js';
import type { Database } from '../database/database.js';
import { columns, read, statement, tables, value, write, type Reader } from '../database/statements.js';
import type { Report } from '../runtime/report.js';
import { NO_PROVIDER, type RecordedChanges } from './recordedChanges.js';
import { insertionOf, KEY } from './rows.js';

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
   * Adds what was changed to the feed, as the last statement of the transaction that changes it: it has the rows of those providers and
   * consumers locked until the commit, so what is read of them here is what the commit makes of them. Those that leave their tree or
   * project, for another one or for good, are given as they were.
   */
  async write(tx: Reader, recorded: RecordedChanges): Promise<FeedSequence> {
    const { size, anyRow, providers } = recorded;
    if (anyRow === undefined) throw new Error('nothing was changed');
    const writerId = await this.writerId!;
    const seq = ++this.lastSequence;
    this.inFlight.add(seq);
    const sequence = { writerId, seq, rowId: anyRow };
    try {
      const lowWatermark = Math.min(...this.inFlight);
      const start = [writerId, seq, lowWatermark];
      this.unacknowledged = size + (lowWatermark < seq ? this.unacknowledged : 0);
      const { text, values } = insertionOf(recorded, start);
      const { affectedRows } = await write(tx, { text }, values);
      if (affectedRows < size) await writeInvalidations(tx, start, [...providers.keys()]);
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
    { writerId, seq, rowId }: FeedSequence,
    connection: ServerConnection,
  ): Promise<'committed' | 'lost' | null> {
    const key = [writerId, seq, rowId];
    for (let pause = 100; !this.isStopped; pause = Math.min(2 * pause, 10_000)) {
      // nobody can end the transaction otherwise, should the server still wait for its COMMIT
      const ending = setTimeout(() => void this.database.kill(connection), STILL_OPEN_MS);
      try {
        await write(this.database.pool, MARK_LOST, key);
        const [{ settled }] = await read(this.database.pool, SETTLED, key);
        this.complete({ writerId, seq, rowId });
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

/** A transaction that has rows in the feed and has not ended. */
export interface FeedSequence {
  readonly writerId: number;
  readonly seq: number;
  /** Of one of its rows: a provider that it changed, or what stands for a consumer. */
  readonly rowId: number;
}

const REGISTER = statement(
  tables.insertInto('placement_feed_writers').values({ started_at: sql`UTC_TIMESTAMP()` }),
);

const changes = columns('placement_feed_changes');

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
