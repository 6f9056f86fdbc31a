import type { Connection } from 'mariadb';
import type { Database } from '../database/database.js';
import { inConsistentSnapshot } from '../database/consistentSnapshot.js';
import { capacityOf } from '../domain/capacity.js';
import { inventoryAt } from '../engine/model/snapshot.js';
import { ProviderColumnsBuilder, NO_PARENT, type ProviderColumns } from './model/providerColumns.js';
import { FeedPosition } from '../feed/position.js';
import { FleetSnapshot } from './model/fleetSnapshot.js';
import { positionOf } from './model/numberRows.js';
import { readNames } from './readNames.js';

/** What a database holds at one moment, and the position of the change feed at that moment. */
export interface Loaded {
  readonly snapshot: FleetSnapshot;
  readonly position: FeedPosition;
}

/** Reads the whole offer as it is at one moment. The cost grows with the fleet. */
export async function loadSnapshot(database: Database): Promise<Loaded> {
  return inConsistentSnapshot(database, async (connection) => {
    const { position } = await FeedPosition.START.news(connection);
    const columns = await readColumns(connection);
    const names = await readNames(connection);
    return { snapshot: FleetSnapshot.of(columns, names), position };
  });
}

type ProviderRow = [
  id: number,
  uuid: string,
  name: string,
  generation: number,
  parent: number | null,
  root: number,
];

type InventoryRow = [
  providerId: number,
  classId: number,
  total: number,
  reserved: number,
  minUnit: number,
  maxUnit: number,
  stepSize: number,
  ratio: number,
];

/**
 * Reads all tables row by row into columns. Plain scans that are put together here: as joins they would be at the mercy of table
 * statistics, which are far off after a bulk load.
 */
async function readColumns(connection: Connection): Promise<ProviderColumns> {
  const builder = new ProviderColumnsBuilder();
  await eachRow<ProviderRow>(
    connection,
    `SELECT id, uuid, COALESCE(name, uuid), COALESCE(generation, 0), parent_provider_id, COALESCE(root_provider_id, id)
       FROM resource_providers ORDER BY id`,
    ([id, uuid, name, generation, parent, root]) =>
      builder.addProvider([id, generation, parent ?? NO_PARENT, root], uuid, name),
  );
  await eachRow<InventoryRow>(
    connection,
    `SELECT resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
            allocation_ratio + 0e0
       FROM inventories`,
    ([id, classId, total, reserved, minUnit, maxUnit, stepSize, ratio]) =>
      builder.addInventory([id, classId, capacityOf(total, reserved, ratio), 0, minUnit, maxUnit, stepSize]),
  );
  await eachRow<LinkRow>(
    connection,
    'SELECT resource_provider_id, trait_id FROM resource_provider_traits',
    (row) => builder.addTrait(row),
  );
  await eachRow<LinkRow>(
    connection,
    'SELECT resource_provider_id, aggregate_id FROM resource_provider_aggregates',
    (row) => builder.addAggregate(row),
  );
  const columns = builder.build();
  await readUse(connection, columns);
  return columns;
}

type LinkRow = [providerId: number, id: number];

/** Fills in what is used of the inventories; use without an inventory is passed over. */
async function readUse(connection: Connection, columns: ProviderColumns): Promise<void> {
  await eachRow<[providerId: number, classId: number, used: number]>(
    connection,
    `SELECT resource_provider_id, resource_class_id, CAST(SUM(used) AS SIGNED)
       FROM allocations GROUP BY resource_provider_id, resource_class_id`,
    ([id, classId, used]) => {
      const row = positionOf(columns.ids, id);
      const at = row < 0 ? -1 : inventoryAt(columns, row, classId);
      if (at >= 0) columns.used[at] = used;
    },
  );
}

/** Shows the rows of a statement one by one, as they come from the server: never are many of them in memory. */
function eachRow<Row>(connection: Connection, sql: string, show: (row: Row) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection
      .queryStream({ rowsAsArray: true, sql })
      .on('data', show)
      .once('end', resolve)
      .once('error', reject);
  });
}
