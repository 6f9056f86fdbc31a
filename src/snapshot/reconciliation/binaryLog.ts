import { randomInt } from 'node:crypto';
import type Zongji from '@vlasky/zongji';
import type { BinlogEvent, RowsEvent } from '@vlasky/zongji';
import type { Database } from '../../database/database.js';
import { binaryLogProblem } from '../../database/diagnosis/server.js';
import { CATALOG } from '../../feed/recordedChanges.js';
import { SingleFlight } from '../../runtime/singleFlight.js';

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

const EVENTS = ['tablemap', 'writerows', 'updaterows', 'deleterows', 'xid'];

type Row = Readonly<Record<string, unknown>>;
/** Updated rows contain both states. */
interface ChangedRows extends RowsEvent {
  readonly rows: readonly (Row & { readonly before?: Row; readonly after?: Row })[];
}

/**
 * Reads the binary log of the database server like a replica, and reports the providers changed by
 * transactions that do not write the change feed; 0 stands for the catalog. It may report unchanged
 * providers: the callback compares them.
 */
export class BinaryLog {
  private reader: Zongji | null = null;
  /** The changes of the current transaction. */
  private readonly changed = new Set<number>();
  private isOfFeed = false;
  private readonly pending = new Set<number>();
  private readonly comparisons = new SingleFlight(() => this.comparePending());

  constructor(
    private readonly database: Database,
    private readonly compare: (providerIds: ReadonlySet<number>) => Promise<void>,
    /** Called once, after the log was closed because of an error. */
    private readonly failed: (error: unknown) => void,
  ) {}

  get isOpen(): boolean {
    return this.reader !== null;
  }

  /** @throws Error if the log is insufficient or cannot be read */
  async open(): Promise<void> {
    const problem = await binaryLogProblem(this.database.pool);
    if (problem !== null) throw new Error(problem);
    const { default: ZongJi } = await import('@vlasky/zongji'); // loads its own driver, on demand
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
    this.pending.clear();
  }

  private fail(error: unknown): void {
    if (!this.isOpen) return;
    this.close();
    this.failed(error);
  }

  private read(event: BinlogEvent): void {
    const kind = event.getEventName();
    if (kind === 'xid') return this.endTransaction();
    if (kind === 'tablemap') return;
    const { tableMap, tableId, rows } = event as ChangedRows;
    const { tableName: table } = tableMap[tableId];
    if (table === FEED) this.isOfFeed = true;
    if (this.isOfFeed || !(table in PROVIDER_COLUMNS)) return;
    const column = PROVIDER_COLUMNS[table];
    for (const row of rows) {
      for (const state of [row.before, row.after, row])
        if (state !== undefined) this.changed.add(column === null ? CATALOG : Number(state[column]));
    }
  }

  private endTransaction(): void {
    if (!this.isOfFeed) for (const id of this.changed) if (!Number.isNaN(id)) this.pending.add(id);
    this.isOfFeed = false;
    this.changed.clear();
    if (this.pending.size > 0) this.comparisons.join().catch((error: unknown) => this.fail(error));
  }

  private async comparePending(): Promise<void> {
    const ids = new Set(this.pending);
    this.pending.clear();
    if (ids.size > 0) await this.compare(ids);
  }
}
