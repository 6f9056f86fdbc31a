import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { readDuplicateConsumers } from '../../sql/consumers.js';
import { onConnection } from '../../database/onConnection.js';
import type { ConsumerFiguresSource } from '../../../model/listing/consumerFigures.js';
import { FeedLog, readPosition } from '../../feed/log.js';
import { FeedReset, type FeedPosition, type FeedRow } from '../../feed/position.js';
import { systemClock, type Clock } from '../../../model/operation/turns.js';
import { machineMemory } from './machineMemory.js';
import { SingleFlight, untilAborted } from '../../../model/operation/waiting.js';
import { checkBudget, loadConsumers, loadUses, readConsumers, readConsumersOn } from './consumerLoad.js';
import type { ConsumerTable } from './consumerTable.js';

/**
 * How long the table is cached without a request (ms). Measured by the time of day, which advances
 * while the machine sleeps, because the feed is pruned meanwhile.
 */
const KEEP_MS = 10 * 60_000;

/** If more consumers than this have changed, the whole table is read again. */
const MAX_READ_ALONE = 5_000;

/** The share of the machine's memory that the table may take. */
const SHARE_OF_MEMORY = 1 / 4;

/** Ends a refresh that no request waits for. Nobody receives it. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

interface Loaded {
  readonly table: ConsumerTable;
  readonly position: FeedPosition;
  readonly at: number;
}

/**
 * All consumers in the memory of this process: read on the first request, then updated from the
 * log, and dropped after ten minutes without a request. Consumers of providers that
 * reconciliation records are read again.
 *
 * The uses of a class are read when a request first needs them. The providers of allocations are
 * read once reconciliation has recorded a change, with the whole table: only servers beside another
 * program need them.
 */
export class LiveConsumers implements ConsumerFiguresSource {
  private loaded: Loaded | null = null;
  private stale = new Set<number>();
  private expiry: NodeJS.Timeout | undefined;
  private readonly refreshes = new SingleFlight(() => this.refresh());
  /** The classes that callers of the next refresh need. */
  private wanted = new Set<number>();
  private callers = 0;
  /** Ends the read of rows when no caller waits any more. Null while none runs. */
  private reading: AbortController | null = null;
  private needsProviders = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    private readonly budget = SHARE_OF_MEMORY * machineMemory(),
    private readonly log = new FeedLog(database),
  ) {}

  async current(classIds: readonly number[], signal?: AbortSignal): Promise<ConsumerTable> {
    signal?.throwIfAborted();
    for (const classId of classIds) this.wanted.add(classId);
    this.callers++;
    try {
      return await untilAborted(signal, this.refreshes.join());
    } finally {
      if (--this.callers === 0) this.reading?.abort(new Unwanted());
    }
  }

  reread(ids: Iterable<number>): void {
    for (const id of ids) this.stale.add(id);
  }

  close(): void {
    clearTimeout(this.expiry);
    this.loaded = null;
  }

  private async refresh(): Promise<ConsumerTable> {
    const at = this.clock.now();
    const { loaded, wanted } = this;
    this.wanted = new Set();
    if (this.callers === 0) throw new Unwanted();
    const isKept = loaded !== null && Math.abs(at - loaded.at) < KEEP_MS;
    const reloading = (error: unknown): Promise<Loaded> => {
      if (error instanceof FeedReset) return this.load(at, wanted);
      throw error;
    };
    this.loaded = isKept
      ? await this.updated(loaded, at, wanted).catch(reloading)
      : await this.load(at, wanted);
    this.loaded.table.keep(wanted);
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => (this.loaded = null), KEEP_MS).unref();
    return this.loaded.table;
  }

  /**
   * Releases the former table first. Reads the position before the rows, so that the next refresh reads
   * commits during the load again.
   */
  private load(at: number, wanted: ReadonlySet<number>): Promise<Loaded> {
    this.loaded = null;
    this.stale = new Set();
    const { needsProviders: withProviders, budget } = this;
    return this.read(async (connection) => {
      const position = await readPosition(connection);
      const options = { classIds: [...wanted], withProviders, budget };
      return {
        table: await loadConsumers(connection, this.database.spellings.consumers, options),
        position,
        at,
      };
    });
  }

  /** Runs a read of many rows, which ends when no caller waits for it. */
  private async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const reading = (this.reading = new AbortController());
    try {
      return await onConnection(this.database, work, {
        pool: this.database.longWork,
        signal: reading.signal,
      });
    } finally {
      this.reading = null;
    }
  }

  private async updated(
    { table, position }: Loaded,
    at: number,
    wanted: ReadonlySet<number>,
  ): Promise<Loaded> {
    const missing = table.classesWithout(wanted);
    if (missing.length > 0) {
      checkBudget(table.size, table.classes + missing.length, this.budget);
      await this.read((connection) => loadUses(connection, table, missing));
    }
    const news = await this.log.since(position);
    const { consumers, providers } = changedIn(news.rows);
    if (providers.size > 0) {
      this.needsProviders = true;
      if (!table.hasProviders) return this.load(at, wanted);
      for (const id of table.consumersOn(providers)) consumers.add(id);
      for (const id of await readConsumersOn(this.database, [...providers])) consumers.add(id);
    }
    for (const id of this.stale) consumers.add(id);
    if (consumers.size > MAX_READ_ALONE) return this.load(at, wanted);
    const duplicates = await readDuplicateConsumers(this.database);
    for (const { id, first } of duplicates) if (consumers.has(id)) consumers.add(first.id);
    const found = await readConsumers(this.database, [...consumers], duplicates);
    for (const id of consumers) {
      table.remove(id);
      this.stale.delete(id);
    }
    for (const consumer of found) table.set(consumer);
    return { table, position: news.position, at };
  }
}

/**
 * Returns the consumers in these rows, and the providers of commits without a consumer.
 * Reconciliation records such commits: any consumer may have an allocation on these providers.
 */
function changedIn(rows: readonly FeedRow[]): { consumers: Set<number>; providers: Set<number> } {
  const commitOf = ({ writerId, seq }: FeedRow): string => `${writerId} ${seq}`;
  const ofConsumers = rows.filter(({ kind }) => kind === 'CONSUMER');
  const named = new Set(ofConsumers.map(commitOf));
  const others = rows.filter((row) => row.kind === 'PROVIDER' && !named.has(commitOf(row)));
  return {
    consumers: new Set(ofConsumers.map(({ objectId }) => objectId)),
    providers: new Set(others.map(({ objectId }) => objectId)),
  };
}
