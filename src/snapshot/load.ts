import type { Connection } from 'mariadb';
import type { Database } from '../database/database.js';
import { buildSnapshot } from './build.js';
import { FeedPosition } from './feedPosition.js';
import type { FleetSnapshot } from './fleetSnapshot.js';
import { readNames } from './readNames.js';
import type { InventoryRecord, LinkRecord, ProviderRecord, ProviderRecords } from './records.js';

/** What a database holds at one moment, and the position of the change feed at that moment. */
export interface Loaded {
  readonly snapshot: FleetSnapshot;
  readonly position: FeedPosition;
}

/** Reads the whole offer as it is at one moment. The cost grows with the fleet. */
export async function loadSnapshot(database: Database): Promise<Loaded> {
  return atOneMoment(database, async (connection) => {
    const { position } = await FeedPosition.START.news(connection);
    const records = await readProviders(connection);
    const names = await readNames(connection);
    return { snapshot: buildSnapshot(records, names), position };
  });
}

/** Runs reads in one consistent read-only transaction: REPEATABLE READ, the one exception in this server. */
async function atOneMoment<T>(database: Database, read: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await database.pool.getConnection();
  try {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const result = await read(connection);
    await connection.query('COMMIT');
    await connection.release();
    return result;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function readProviders(connection: Connection): Promise<ProviderRecords> {
  return {
    providers: await readProviderRows(connection),
    inventories: await readInventories(connection),
    ...(await readLinks(connection)),
  };
}

type ProviderRow = [number, string, string, number, number | null, number];

async function readProviderRows(connection: Connection): Promise<ProviderRecord[]> {
  const rows = await connection.query<ProviderRow[]>({
    rowsAsArray: true,
    sql: `SELECT id, uuid, COALESCE(name, uuid), COALESCE(generation, 0), parent_provider_id,
                 COALESCE(root_provider_id, id)
            FROM resource_providers ORDER BY id`,
  });
  return rows.map(([id, uuid, name, generation, parentId, rootId]) => ({
    id,
    uuid,
    name,
    generation,
    parentId,
    rootId,
  }));
}

type InventoryRow = [number, number, number, number, number, number, number, number, number];

/** Inventories with their use; for all providers the use is summed in one pass over the allocations. */
async function readInventories(connection: Connection): Promise<InventoryRecord[]> {
  const rows = await connection.query<InventoryRow[]>({
    rowsAsArray: true,
    sql: `SELECT i.resource_provider_id, i.resource_class_id, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
                 i.allocation_ratio + 0e0, CAST(COALESCE(a.used, 0) AS SIGNED)
            FROM inventories i
            LEFT JOIN (SELECT resource_provider_id, resource_class_id, SUM(used) AS used
                         FROM allocations GROUP BY resource_provider_id, resource_class_id) a
              ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id
           ORDER BY i.resource_provider_id, i.resource_class_id`,
  });
  return rows.map(
    ([providerId, classId, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, used]) => ({
      providerId,
      classId,
      total,
      reserved,
      minUnit,
      maxUnit,
      stepSize,
      allocationRatio,
      used,
    }),
  );
}

type LinkRow = [kind: 'trait' | 'aggregate', providerId: number, id: number];

async function readLinks(
  connection: Connection,
): Promise<Pick<ProviderRecords, 'providerTraits' | 'providerAggregates'>> {
  const rows = await connection.query<LinkRow[]>({
    rowsAsArray: true,
    sql: `SELECT 'trait', resource_provider_id, trait_id FROM resource_provider_traits
          UNION ALL
          SELECT 'aggregate', resource_provider_id, aggregate_id FROM resource_provider_aggregates`,
  });
  const links = (wanted: LinkRow[0]): LinkRecord[] =>
    rows.flatMap(([kind, providerId, id]) => (kind === wanted ? [{ providerId, id }] : []));
  return { providerTraits: links('trait'), providerAggregates: links('aggregate') };
}
