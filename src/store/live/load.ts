import { inConsistentSnapshot } from '../database/onConnection.js';
import type { Database } from '../database/database.js';
import { arrayStatement, type DB, type Statement, tables } from '../sql/statements.js';
import { allowedUsageOf, capacityOf } from '../../model/capacity.js';
import { inventoryAt, NOT_RECORDED } from '../../fleet/snapshot.js';
import { FeedLog } from '../feed/log.js';
import type { FeedPosition } from '../feed/position.js';
import { readPosition } from '../feed/reader.js';
import { followed, idsInFeed, type Loaded, readNames } from './changes.js';
import { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import type { NameTable } from '../../fleet/providerData.js';
import {
  NO_PARENT,
  NumberRows,
  positionOf,
  type ProviderColumns,
  ProviderColumnsBuilder,
} from '../../fleet/providerColumns.js';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Connection } from 'mariadb';

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
  return stale.length === 0 ? loaded : followed(database, log, loaded, stale);
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
