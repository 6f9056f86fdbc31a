import { sql, type ExpressionBuilder } from 'kysely';
import type { Connection } from 'mariadb';
import { inConsistentSnapshot } from '../database/consistentSnapshot.js';
import type { Database } from '../database/database.js';
import { arrayStatement, tables, type DB } from '../database/statements.js';
import { streamRows } from './streamRows.js';
import { capacityOf } from '../domain/capacity.js';
import { inventoryAt, NOT_RECORDED } from '../engine/model/snapshot.js';
import { FeedPosition } from '../feed/position.js';
import { ProviderColumnsBuilder, NO_PARENT, type ProviderColumns } from './model/providerColumns.js';
import { FleetSnapshot } from './model/fleetSnapshot.js';
import { positionOf } from './model/numberRows.js';
import { readNames } from './readNames.js';

/** A consistent snapshot of the database, and the position of the change feed in it. */
export interface Loaded {
  readonly snapshot: FleetSnapshot;
  readonly position: FeedPosition;
}

/** Reads the whole fleet in one consistent snapshot. The cost grows with the fleet. */
export async function loadSnapshot(database: Database): Promise<Loaded> {
  return inConsistentSnapshot(database, async (connection) => {
    const { position } = await FeedPosition.START.readDelta(connection);
    const columns = await readColumns(connection);
    const names = await readNames(connection);
    return { snapshot: FleetSnapshot.of(columns, names), position };
  });
}

/** A date as seconds since 1970. */
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
 * Reads all tables row by row into columns. Plain scans that are joined here: a join in the database would depend on its table
 * statistics, which are far off after a bulk load.
 */
async function readColumns(connection: Connection): Promise<ProviderColumns> {
  const builder = new ProviderColumnsBuilder();
  await streamRows(connection, PROVIDERS, ([id, uuid, name, generation, parent, root, created, updated]) =>
    builder.addProvider(
      [
        ...([id, generation ?? 0, parent ?? NO_PARENT, root ?? id] as const),
        ...([created ?? NOT_RECORDED, updated ?? NOT_RECORDED] as const),
      ],
      uuid,
      name ?? uuid,
    ),
  );
  await streamRows(
    connection,
    INVENTORIES,
    ([id, classId, total, reserved, minUnit, maxUnit, stepSize, ratio]) =>
      builder.addInventory([id, classId, capacityOf(total, reserved, ratio), 0, minUnit, maxUnit, stepSize]),
  );
  await streamRows(connection, TRAITS, (row) => builder.addTrait(row));
  await streamRows(connection, AGGREGATES, (row) => builder.addAggregate(row));
  const columns = builder.build();
  await readUsage(connection, columns);
  return columns;
}

/** Fills in what is used of the inventories; usage without an inventory is passed over. */
async function readUsage(connection: Connection, columns: ProviderColumns): Promise<void> {
  await streamRows(connection, USAGE, ([id, classId, used]) => {
    const row = positionOf(columns.ids, id);
    const at = row < 0 ? -1 : inventoryAt(columns, row, classId);
    if (at >= 0) columns.used[at] = used;
  });
}
