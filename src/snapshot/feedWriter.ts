import type { Connection, UpsertResult } from 'mariadb';
import type { Database } from '../database/database.js';

/** Stands for the catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/**
 * Writes this process' part of the change feed. Every transaction that changes providers says so in rows of its own, under the
 * number that it has here. Numbers are no commit order, so each row also says up to which number everything of this process is
 * over: what a reader has not seen below that is gone for good (docs/decisions/0005).
 */
export class FeedWriter {
  private readonly inFlight = new Set<number>();
  private last = 0;
  private writerId: Promise<number> | null = null;

  constructor(private readonly database: Database) {}

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

  /** Adds the changed providers to the feed, as the last statement of the transaction that makes them. */
  async write(tx: Pick<Connection, 'query'>, providerIds: readonly number[]): Promise<FeedTicket> {
    const writerId = await this.writerId!;
    const seq = ++this.last;
    this.inFlight.add(seq);
    const ticket = { seq, first: providerIds[0] };
    try {
      await tx.query(
        `INSERT INTO placement_feed_changes (${COLUMNS})
         VALUES ${providerIds.map(() => '(?, UTC_TIMESTAMP())').join(', ')}`,
        providerIds.map((id) => this.row(writerId, seq, id)),
      );
    } catch (error) {
      this.settle(ticket);
      throw error;
    }
    return ticket;
  }

  /** The transaction is over. If the connection was lost while committing, its number stays in flight until it is known how. */
  settle(ticket: FeedTicket, isUnknown = false): void {
    if (isUnknown) void this.findOut(ticket);
    else this.inFlight.delete(ticket.seq);
  }

  /**
   * Writes a row in the place of the transaction's first one. That waits as long as the transaction still holds the place, finds
   * it taken if it was committed, and otherwise only makes readers look at a provider that has not changed.
   */
  private async findOut(ticket: FeedTicket): Promise<void> {
    const writerId = await this.writerId!;
    for (let pause = 100; ; pause = Math.min(2 * pause, 10_000)) {
      try {
        await this.database.pool.query(
          `INSERT IGNORE INTO placement_feed_changes (${COLUMNS}) VALUES (?, UTC_TIMESTAMP())`,
          [this.row(writerId, ticket.seq, ticket.first)],
        );
        return this.settle(ticket);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    }
  }

  private row(writerId: number, seq: number, providerId: number): number[] {
    return [writerId, seq, providerId, Math.min(...this.inFlight)];
  }

  private async register(): Promise<number> {
    const { insertId } = await this.database.pool.query<UpsertResult>(
      'INSERT INTO placement_feed_writers (started_at) VALUES (UTC_TIMESTAMP())',
    );
    return Number(insertId);
  }
}

/** A transaction's place in the feed. */
export interface FeedTicket {
  readonly seq: number;
  /** The first provider that the transaction changed. */
  readonly first: number;
}

const COLUMNS = 'writer_id, seq, provider_id, settled, created_at';

const writers = new WeakMap<Database, FeedWriter>();

/** The one feed writer of a process on a database. */
export function feedWriterOf(database: Database): FeedWriter {
  let writer = writers.get(database);
  if (writer === undefined) writers.set(database, (writer = new FeedWriter(database)));
  return writer;
}
