import { randomInt } from 'node:crypto';
import type Zongji from '@vlasky/zongji';
import type { BinlogEvent, QueryEvent, RowsEvent, XaPrepareEvent } from '@vlasky/zongji';
import type { Database } from '../database/database.js';
import { readUncommitted } from '../database/onConnection.js';
import { changedOutsideFeed, readProviders } from '../live/changes.js';
import type { LiveSnapshot } from '../live/liveSnapshot.js';
import { binaryLogProblem } from './binaryLogProblem.js';
import { CATALOG } from '../../model/recordedChanges.js';
import { systemClock, type Clock } from '../../model/operation/turns.js';
import { SingleFlight } from '../../model/operation/waiting.js';

/** The column with the provider's id by table; null for tables of the catalog. */
const PROVIDER_COLUMNS: Readonly<Record<string, string | null>> = {
  resource_providers: 'id',
  inventories: 'resource_provider_id',
  allocations: 'resource_provider_id',
  resource_provider_traits: 'resource_provider_id',
  resource_provider_aggregates: 'resource_provider_id',
  traits: null,
  resource_classes: null,
};

/** A transaction that writes this table is from a server of this program. */
const FEED = 'placement_feed_changes';

const EVENTS = ['tablemap', 'writerows', 'updaterows', 'deleterows', 'xid', 'query', 'xaprepare'];

/** The text of the event that ends a prepared XA transaction. */
const XA_END = /^XA (COMMIT|ROLLBACK) X'([0-9a-f]*)',X'([0-9a-f]*)',(\d+)$/i;

/** The time after a commit in which its changes have to become visible (ms). */
const VISIBLE_WITHIN = 2_000;
const RETRY_MS = 50;

const NOT_INSTALLED =
  'the optional package @vlasky/zongji is not installed: checksums find such writes later';

type LoggedRow = Readonly<Record<string, unknown>>;
/** Updated rows contain both states. */
interface ChangedRows extends RowsEvent {
  readonly rows: readonly (LoggedRow & { readonly before?: LoggedRow; readonly after?: LoggedRow })[];
}

function xaId(gtrid: string, bqual: string, format: string | number): string {
  return `${gtrid} ${bqual} ${format}`.toLowerCase();
}

/** Imports the optional package, which loads its own driver. @throws Error if the package is not installed */
export async function loadReader(load = () => import('@vlasky/zongji')): Promise<typeof Zongji> {
  try {
    return (await load()).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(NOT_INSTALLED, { cause: error });
  }
}

/**
 * Reads the binary log of the database server like a replica. It rechecks the providers that are changed by transactions
 * which do not write the change feed; 0 stands for the catalog. It misses an XA transaction that was prepared before
 * the log was opened.
 */
export class BinaryLog {
  private reader: Zongji | null = null;
  /** The changes of the current group of events, which a commit or XA PREPARE ends. */
  private readonly changed = new Set<number>();
  private isOfFeed = false;
  /** The changes of prepared XA transactions. */
  private readonly prepared = new Map<string, ReadonlySet<number>>();
  /** The providers to recheck, with the time until which changes may become visible (ms). */
  private readonly pending = new Map<number, number>();
  private retry: NodeJS.Timeout | undefined;
  private readonly rechecks = new SingleFlight(() => this.recheckPending());

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    /** Called once, after the log was closed because of an error. */
    private readonly failed: (error: unknown) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  get isOpen(): boolean {
    return this.reader !== null;
  }

  /** @throws Error if the log is insufficient or cannot be read */
  async open(): Promise<void> {
    const problem = await binaryLogProblem(this.database.pool);
    if (problem !== null) throw new Error(problem);
    const ZongJi = await loadReader();
    const { ssl, ...address } = this.database.address();
    const reader = new ZongJi({ ...address, ...(ssl && { ssl: {} }) });
    try {
      await new Promise<void>((resolve, reject) => {
        reader.on('ready', resolve);
        reader.on('error', reject);
        reader.start({
          serverId: randomInt(2 ** 30, 2 ** 32), // must differ from the ids of all replicas
          startAtEnd: true,
          includeEvents: EVENTS,
          includeSchema: { [address.database]: [...Object.keys(PROVIDER_COLUMNS), FEED] },
        });
      });
    } catch (error) {
      reader.stop();
      throw error;
    }
    this.reader = reader;
    reader.on('binlog', (event) => this.read(event));
    reader.on('error', (error) => this.fail(error));
  }

  close(): void {
    this.reader?.stop();
    this.reader = null;
    this.isOfFeed = false;
    this.changed.clear();
    this.prepared.clear();
    this.pending.clear();
    clearTimeout(this.retry);
  }

  private fail(error: unknown): void {
    if (!this.isOpen) return;
    this.close();
    this.failed(error);
  }

  private read(event: BinlogEvent): void {
    switch (event.getEventName()) {
      case 'tablemap':
        return;
      case 'xid':
        return this.committed(this.endGroup());
      case 'xaprepare':
        return this.endPrepared(event as XaPrepareEvent);
      case 'query':
        return this.readQuery((event as QueryEvent).query);
      default:
        return this.readRows(event as ChangedRows);
    }
  }

  private readRows({ tableMap, tableId, rows }: ChangedRows): void {
    const { tableName: table } = tableMap[tableId];
    if (table === FEED) this.isOfFeed = true;
    if (this.isOfFeed || !(table in PROVIDER_COLUMNS)) return;
    const column = PROVIDER_COLUMNS[table];
    for (const row of rows) {
      for (const state of [row.before, row.after, row]) {
        const id = column === null ? CATALOG : Number(state?.[column]);
        if (!Number.isNaN(id)) this.changed.add(id);
      }
    }
  }

  /** Rows of an XA transaction precede its XA PREPARE, so it may still be rolled back. */
  private endPrepared({ onePhase, xidFormatId, xidGtrid, xidBqual }: XaPrepareEvent): void {
    const ids = this.endGroup();
    if (onePhase) return this.committed(ids);
    const id = xaId(xidGtrid.toString('hex'), xidBqual.toString('hex'), xidFormatId);
    if (ids.size > 0) this.prepared.set(id, ids);
  }

  private readQuery(query: string): void {
    // ends changes without a transaction, which a ROLLBACK does not undo
    if (query === 'COMMIT' || query === 'ROLLBACK') return this.committed(this.endGroup());
    const [, end, gtrid, bqual, format] = XA_END.exec(query) ?? [];
    if (end === undefined) return;
    const id = xaId(gtrid, bqual, format);
    if (end === 'COMMIT') this.committed(this.prepared.get(id) ?? new Set());
    this.prepared.delete(id);
  }

  /** Returns the changes since the last group of events. They are empty if the group wrote the feed. */
  private endGroup(): ReadonlySet<number> {
    const ids = new Set(this.isOfFeed ? [] : this.changed);
    this.isOfFeed = false;
    this.changed.clear();
    return ids;
  }

  private committed(ids: ReadonlySet<number>): void {
    const until = this.clock.elapsed() + VISIBLE_WITHIN;
    for (const id of ids) this.pending.set(id, until);
    this.startRecheck();
  }

  private startRecheck(): void {
    clearTimeout(this.retry);
    if (this.pending.size > 0) this.rechecks.join().catch((error: unknown) => this.fail(error));
  }

  /** Rechecks providers until their changes are visible: an event may be read before its commit has ended. */
  private async recheckPending(): Promise<void> {
    const ids = new Map(this.pending);
    this.pending.clear();
    if (ids.size === 0) return;
    const hidden = await this.recheck(new Set(ids.keys()));
    if (!this.isOpen) return;
    const now = this.clock.elapsed();
    for (const [id, until] of ids)
      if (hidden.has(id) && until > now && !this.pending.has(id)) this.pending.set(id, until);
    if (this.pending.size > 0) this.retry = setTimeout(() => this.startRecheck(), RETRY_MS).unref();
  }

  /** Returns the ids whose changes are not visible yet: those of open transactions and of commits in progress. */
  private async recheck(ids: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const { database, live } = this;
    const { snapshot, position } = await live.read();
    const known = { position, names: snapshot.names };
    const written = await readUncommitted(database, (connection) =>
      readProviders(database, known, ids, connection),
    );
    await live.recheck(ids);
    return new Set(changedOutsideFeed(await live.current(), written, ids));
  }
}
