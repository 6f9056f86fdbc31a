import { type ExpressionBuilder, sql } from 'kysely';
import type { Connection } from 'mariadb';
import { inConsistentSnapshot } from '../database/onConnection.js';
import type { Database } from '../database/database.js';
import { arrayStatement, type DB, type Statement, tables } from '../sql/statements.js';
import { allowedUsageOf, capacityOf } from '../../model/input.js';
import { inventoryAt, NOT_RECORDED, type NameTable } from '../../fleet/snapshot.js';
import { FeedLog, readPosition } from '../feed/log.js';
import { deltaOf, type FeedPosition, FeedReset } from '../feed/position.js';
import { absorbedIn, type Absorbed } from './absorbedWrites.js';
import {
  type Changes,
  readChanges,
  idsInFeed,
  type Loaded,
  readNames,
  changedOutsideFeed,
  readProviders,
} from './changes.js';
import { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import {
  NO_PARENT,
  NumberRows,
  type ProviderColumns,
  ProviderColumnsBuilder,
} from '../../fleet/providerColumns.js';
import { addToGroup, positionOf } from '../../model/collections.js';
import type { Former } from '../../model/recordedChanges.js';
import { systemClock, type Clock } from '../../model/operation/turns.js';
import { NO_OBSERVER, type Observer } from '../../model/observation.js';
import { SingleFlight } from '../../model/operation/waiting.js';

/**
 * Reads the whole fleet in one consistent snapshot. If a second connection for long work is free,
 * it reads the sums of allocations at the same time, in a slightly later snapshot. It then reads
 * the providers again that changed in between.
 */
export async function loadSnapshot(database: Database, log = new FeedLog(database)): Promise<Loaded> {
  const { loaded, stale } = await inConsistentSnapshot(database, async (connection) => {
    const position = await readPosition(connection);
    const usage = hasConnectionLeft(database) ? readUsageBeside(database, position) : null;
    usage?.catch(() => undefined); // thrown below
    const names = await readNames(connection, database);
    const columns = await readColumns(connection, names.aggregates);
    const { rows, stale } = (await usage) ?? { rows: await readUsage(connection), stale: [] };
    fillIn(columns, rows);
    return { loaded: { snapshot: FleetSnapshot.of(columns, names), position }, stale };
  });
  return stale.length === 0 ? loaded : followed(database, log, loaded, new Map(), stale);
}

/** A load never waits for a second connection, so two concurrent loads cannot deadlock. */
function hasConnectionLeft({ longWork, connections }: Database): boolean {
  return connections > 1 && longWork.activeConnections() === 1 && longWork.taskQueueSize() === 0;
}

/**
 * Returns the sums in a snapshot opened now, and the providers that have changed since `position`. Returns
 * null if this connection is to another node of the cluster, whose snapshot may be older.
 */
async function readUsageBeside(
  database: Database,
  position: FeedPosition,
): Promise<{ rows: NumberRows<UsageRow>; stale: number[] } | null> {
  const node = database.address();
  return inConsistentSnapshot(database, async (connection) => {
    if (database.address() !== node) return null;
    const since = await position.readDelta(connection);
    return { rows: await readUsage(connection), stale: [...idsInFeed(since)] };
  });
}

function secondsOf(column: 'created_at' | 'updated_at') {
  return (eb: ExpressionBuilder<DB, 'resource_providers'>) =>
    sql<number | null>`TIMESTAMPDIFF(SECOND, '1970-01-01', ${eb.ref(column)})`.as(column);
}

const PROVIDERS = arrayStatement(tables.selectFrom('resource_providers').orderBy('id'), [
  'id',
  'uuid',
  'name',
  'generation',
  'parent_provider_id',
  'root_provider_id',
  secondsOf('created_at'),
  secondsOf('updated_at'),
]);
const INVENTORIES = arrayStatement(tables.selectFrom('inventories'), [
  'resource_provider_id',
  'resource_class_id',
  'total',
  'reserved',
  'min_unit',
  'max_unit',
  'step_size',
  (eb) => sql<number>`${eb.ref('allocation_ratio')} + 0e0`.as('allocationRatio'), // all digits of the stored number
]);
const TRAITS = arrayStatement(tables.selectFrom('resource_provider_traits'), [
  'resource_provider_id',
  'trait_id',
]);
const AGGREGATES = arrayStatement(tables.selectFrom('resource_provider_aggregates'), [
  'resource_provider_id',
  'aggregate_id',
]);
const CONSUMPTIONS = arrayStatement(tables.selectFrom('placement_consumptions'), [
  'provider_id',
  'class_id',
  'counter_provider_id',
  'counter_class_id',
  'amount',
]);
const USAGE = arrayStatement(
  tables.selectFrom('allocations').groupBy(['resource_provider_id', 'resource_class_id']),
  [
    'resource_provider_id',
    'resource_class_id',
    (eb) => sql<number>`CAST(SUM(${eb.ref('used')}) AS SIGNED)`.as('used'),
  ],
);

/**
 * Scans the tables and joins them here: a join in the database would depend on table statistics,
 * which are wrong after a bulk load.
 */
async function readColumns(connection: Connection, aggregateNames: NameTable): Promise<ProviderColumns> {
  const builder = new ProviderColumnsBuilder();
  const { providers, uuids, names, inventories, reservedWhole, traits, aggregates } = builder;
  await streamRows(connection, PROVIDERS, ([id, uuid, name, generation, parent, root, created, updated]) => {
    const dates = [created ?? NOT_RECORDED, updated ?? NOT_RECORDED] as const;
    providers.add([id, generation ?? 0, parent ?? NO_PARENT, root ?? id, ...dates]);
    uuids.push(uuid);
    names.push(name ?? uuid);
  });
  await streamRows(
    connection,
    INVENTORIES,
    ([id, classId, total, reserved, minUnit, maxUnit, stepSize, ratio]) => {
      const capacity = capacityOf(total, reserved, ratio);
      const allowed = allowedUsageOf(total, reserved, ratio);
      inventories.add([id, classId, capacity, 0, minUnit, maxUnit, stepSize]);
      if (allowed !== capacity) reservedWhole.add([id, classId, allowed]);
    },
  );
  await streamRows(connection, TRAITS, (row) => traits.add(row));
  const replaced = aggregateNames.replacedIds();
  const repeated = new Set(replaced.values());
  const linked = new Set<string>();
  await streamRows(connection, AGGREGATES, ([providerId, id]) => {
    const link = [providerId, replaced.get(id) ?? id] as const;
    if (repeated.has(link[1]) && linked.has(link.join())) return;
    if (repeated.has(link[1])) linked.add(link.join());
    aggregates.add(link);
  });
  await streamRows(connection, CONSUMPTIONS, ([id, classId, counterProviderId, counterClassId, amount]) =>
    addToGroup(builder.consumption, id, { classId, counterProviderId, counterClassId, amount }),
  );
  return builder.build();
}

type UsageRow = readonly [providerId: number, classId: number, used: number];

async function readUsage(connection: Connection): Promise<NumberRows<UsageRow>> {
  const rows = new NumberRows<UsageRow>(3);
  await streamRows(connection, USAGE, (row) => rows.add(row));
  return rows;
}

/** Skips usage without an inventory. */
function fillIn(columns: ProviderColumns, usage: NumberRows<UsageRow>): void {
  const [ids, classes, amounts] = [usage.column(0), usage.column(1), usage.numbers(2)];
  for (let each = 0; each < ids.length; each++) {
    const row = positionOf(columns.ids, ids[each]);
    const at = row < 0 ? -1 : inventoryAt(columns, row, classes[each]);
    if (at >= 0) columns.used[at] = amounts[each];
  }
}

/** Streams rows, so that few of them are in memory at a time. */
export function streamRows<Row>(
  connection: Connection,
  { text }: Statement<Row>,
  take: (row: Row) => void,
  values: readonly unknown[] = [],
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const rows = connection.queryStream({ rowsAsArray: true, sql: text }, values);
    rows
      .on('data', take)
      .once('end', () => {
        rows.removeAllListeners(); // the connection keeps its last statement
        resolve();
      })
      .once('error', reject);
  });
}

/** After this time without a poll (the machine slept), rows may have been pruned unread. */
const MAX_SILENCE_MS = 10 * 60_000;

/** Records changed providers in the feed; `known` are their former states. */
export type RecordChanges = (ids: readonly number[], known: readonly Former<'rootId'>[]) => Promise<void>;

/** The maximum number of providers to recheck at a time: recording locks them. */
const MAX_RECHECKED = 256;

/** A speculative search is worthwhile if nothing has changed for this time (ms). */
const QUIET_MS = 100;

/**
 * The fleet in the memory of this process: loaded once, then updated from the change feed.
 *
 * `current` returns a snapshot with every transaction that any server process committed before the call.
 * Without changes it costs one freshness check, which concurrent calls share if it was sent after them.
 */
export class LiveSnapshot {
  /** Greater than 1 only after a failed load, a reset of the feed or a sleep of the machine. */
  fullLoads = 0;
  private loaded: Loaded | null = null;
  private lastPoll = 0;
  private lastChange = 0;
  /** The changes of other programs that the snapshot has read together with recorded ones. */
  private readonly absorbed: Absorbed = new Map();
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    private readonly recordChanges: RecordChanges = () => Promise.resolve(),
    private readonly observer: Pick<Observer, 'snapshotRead'> = NO_OBSERVER,
    private readonly log = new FeedLog(database),
  ) {}

  /** The last snapshot and the time since it was found current (ms); null before the first load. */
  get latest(): { readonly snapshot: FleetSnapshot; readonly age: number } | null {
    return this.loaded && { snapshot: this.loaded.snapshot, age: this.clock.now() - this.lastPoll };
  }

  current(): Promise<FleetSnapshot> {
    return this.read().then(({ snapshot }) => snapshot);
  }

  read(): Promise<Loaded> {
    return this.refreshes.join();
  }

  /** The snapshot that `current` will probably return; null if there was a change recently. */
  get speculative(): FleetSnapshot | null {
    return this.clock.elapsed() - this.lastChange > QUIET_MS ? (this.loaded?.snapshot ?? null) : null;
  }

  /**
   * Reads these providers (0 stands for the catalog) and records in the feed those that another program has changed.
   * Every process reads them from there, this one too, so the next call of `current` returns them. If recording fails,
   * the next recheck finds the same changes. Returns the changed ones.
   */
  async recheck(ids: ReadonlySet<number>): Promise<readonly number[]> {
    const inOrder = [...ids].sort((a, b) => a - b);
    const changed: number[] = [];
    for (let at = 0; at < inOrder.length; at += MAX_RECHECKED)
      changed.push(...(await this.recheckSome(new Set(inOrder.slice(at, at + MAX_RECHECKED)))));
    return changed;
  }

  /**
   * Records in the feed the changes of other programs that the snapshot has read together with recorded ones: no
   * comparison finds them. One process does this for all, because each may have read them so.
   */
  async recordAbsorbed(): Promise<void> {
    while (this.absorbed.size > 0) {
      const some = new Map([...this.absorbed].slice(0, MAX_RECHECKED));
      // a refresh may add one of them again while it is recorded
      for (const id of some.keys()) this.absorbed.delete(id);
      try {
        await this.recordChanges(
          [...some.keys()],
          [...some.values()].filter((former) => former !== null),
        );
      } catch (error) {
        for (const [id, former] of some) this.absorbed.set(id, former);
        throw error;
      }
    }
  }

  /** Leaves the recording to another process. */
  forgetAbsorbed(): void {
    this.absorbed.clear();
  }

  private async recheckSome(ids: ReadonlySet<number>): Promise<readonly number[]> {
    const { snapshot, position } = await this.read();
    const changes = await readProviders(this.database, { position, names: snapshot.names }, ids);
    const changed = changedOutsideFeed(snapshot, changes, ids);
    const former = changed.flatMap((id) => snapshot.providerOf(id) ?? []);
    if (changed.length > 0) await this.recordChanges(changed, former);
    return changed;
  }

  private async refresh(): Promise<Loaded> {
    const now = this.clock.now();
    const began = this.clock.elapsed();
    const before = this.loaded;
    const isUsable = before !== null && Math.abs(now - this.lastPoll) <= MAX_SILENCE_MS;
    this.loaded = isUsable ? await this.updated(before) : await this.load();
    this.lastPoll = now;
    const how = before?.snapshot === this.loaded.snapshot ? 'check' : 'refresh';
    this.observer.snapshotRead(isUsable ? how : 'load', (this.clock.elapsed() - began) / 1_000);
    return this.loaded;
  }

  private load(): Promise<Loaded> {
    this.fullLoads++;
    for (const spellings of Object.values(this.database.spellings)) spellings.reset();
    return loadSnapshot(this.database, this.log);
  }

  private async updated(before: Loaded): Promise<Loaded> {
    const updated = await followed(this.database, this.log, before, this.absorbed).catch((error: unknown) => {
      if (error instanceof FeedReset) return this.load();
      throw error;
    });
    if (updated.snapshot !== before.snapshot) this.lastChange = this.clock.elapsed();
    return updated;
  }
}

/**
 * Returns the snapshot after all later commits. Reads the `stale` providers again, and those whose generation does not
 * follow from the change: another program has changed them without the feed. Adds these to `absorbed`.
 */
async function followed(
  database: Database,
  log: FeedLog,
  { snapshot, position }: Loaded,
  absorbed: Absorbed,
  stale: readonly number[] = [],
): Promise<Loaded> {
  const since = await log.since(position);
  if (since.rows.length === 0 && stale.length === 0) return { snapshot, position: since.position };
  const delta = { ...deltaOf(since), names: snapshot.names };
  const changed = new Set([...delta.changed, ...stale]);
  const changes: Changes =
    changed.size === 0
      ? { ...delta, providers: new Map<number, never>(), inFeed: new Set() }
      : await readChanges(database, log, delta, changed);
  const next = snapshot.with(changes.providers, changes.names).withUsage(changes.usage);
  const rows = changed.size === 0 ? since.rows : [...since.rows, ...changes.rows];
  const readTogether = changed.size === 0 ? [] : absorbedIn(snapshot, next.snapshot, changes, rows);
  for (const id of [...next.stale, ...readTogether])
    absorbed.set(id, absorbed.get(id) ?? snapshot.providerOf(id) ?? null);
  const loaded = { snapshot: next.snapshot, position: changes.position };
  return next.stale.length === 0 ? loaded : followed(database, log, loaded, absorbed, next.stale);
}
