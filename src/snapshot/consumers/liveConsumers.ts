import type { Database } from '../../database/database.js';
import { onConnection } from '../../database/onConnection.js';
import type { ConsumerFiguresSource } from '../../domain/listing/consumerFigures.js';
import type { FeedPosition, FeedRow } from '../../feed/position.js';
import { readPosition } from '../../feed/reader.js';
import { CATALOG } from '../../feed/recordedChanges.js';
import { systemClock, type Clock } from '../../runtime/clock.js';
import { SingleFlight } from '../../runtime/singleFlight.js';
import type { ConsumerTable } from './consumerTable.js';
import { readAllConsumers, readConsumers, readConsumersOn } from './readConsumers.js';

/** How long the table is kept when nobody asks (ms): within that no row of the feed is pruned that it has not seen. */
const KEPT_MS = 10 * 60_000;

/** When more consumers than this have changed all are read again. */
const MOST_READ_ALONE = 20_000;

interface Loaded {
  readonly table: ConsumerTable;
  readonly position: FeedPosition;
  /** When the feed was last read (ms). */
  readonly at: number;
}

/**
 * All consumers as this process knows them: read when somebody first asks, then kept up by the feed, as the providers are, and forgotten
 * when nobody has asked for ten minutes.
 *
 * `current` has seen every transaction that any server process committed before the call, which costs one statement while nothing
 * changes. What other programs write it hears of when that is found in their providers.
 */
export class LiveConsumers implements ConsumerFiguresSource {
  private loaded: Loaded | null = null;
  private doubted = new Set<number>();
  private forgetting: NodeJS.Timeout | undefined;
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  current(): Promise<ConsumerTable> {
    return this.refreshes.join();
  }

  reread(ids: Iterable<number>): void {
    for (const id of ids) this.doubted.add(id);
  }

  /** Forgets the table. */
  close(): void {
    clearTimeout(this.forgetting);
    this.loaded = null;
  }

  private async refresh(): Promise<ConsumerTable> {
    const at = this.clock.elapsed();
    const { loaded } = this;
    const isKept = loaded !== null && at - loaded.at < KEPT_MS;
    this.loaded = isKept ? await this.updated(loaded, at) : await this.load(at);
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => (this.loaded = null), KEPT_MS).unref();
    return this.loaded.table;
  }

  /** The position is read first: what is committed after that is in the next delta, whether or not it has been read here. */
  private load(at: number): Promise<Loaded> {
    this.doubted = new Set();
    return onConnection(
      this.database,
      async (connection) => {
        const position = await readPosition(connection);
        return { table: await readAllConsumers(connection), position, at };
      },
      { pool: this.database.longWork },
    );
  }

  private async updated({ table, position }: Loaded, at: number): Promise<Loaded> {
    const { pool } = this.database;
    const rows = await position.readRows(pool);
    const delta = position.deltaFrom(rows);
    const { consumers, providers } = changedIn(rows.filter((row) => !position.has(row)));
    if (providers.size > 0)
      for (const id of [...(await readConsumersOn(pool, [...providers])), ...table.consumersOn(providers)])
        consumers.add(id);
    for (const id of this.doubted) consumers.add(id);
    if (consumers.size > MOST_READ_ALONE) return this.load(at);
    const found = await readConsumers(pool, [...consumers]);
    for (const id of consumers) {
      table.remove(id);
      this.doubted.delete(id);
    }
    for (const consumer of found) {
      table.add(consumer);
      for (const allocation of consumer.allocations) table.allocate(consumer.id, allocation);
    }
    return { table, position: delta.position, at };
  }
}

/**
 * The consumers that these rows of the feed name; and the providers of commits that name none, as whoever finds the writes of other
 * programs records them: any consumer may have been given something of these, or have lost it.
 */
function changedIn(rows: readonly FeedRow[]): { consumers: Set<number>; providers: Set<number> } {
  const commitOf = ({ writerId, seq }: FeedRow): string => `${writerId} ${seq}`;
  const ofConsumers = rows.filter(({ consumerId }) => typeof consumerId === 'number');
  const named = new Set(ofConsumers.map(commitOf));
  const others = rows.filter((row) => row.providerId > CATALOG && !named.has(commitOf(row)));
  return {
    consumers: new Set(ofConsumers.map(({ consumerId }) => consumerId!)),
    providers: new Set(others.map(({ providerId }) => providerId)),
  };
}
