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

type InventoryRow = [number, number, number, number, number, number, number, number];

/**
 * Inventories with their use. Two plain scans that are put together here: as one join it would be at the mercy of table
 * statistics, which are far off after a bulk load.
 */
async function readInventories(connection: Connection): Promise<InventoryRecord[]> {
  const used = await readUse(connection);
  const rows = await connection.query<InventoryRow[]>({
    rowsAsArray: true,
    sql: `SELECT resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                 allocation_ratio + 0e0
            FROM inventories ORDER BY resource_provider_id, resource_class_id`,
  });
  return rows.map(([providerId, classId, total, reserved, minUnit, maxUnit, stepSize, allocationRatio]) => ({
    providerId,
    classId,
    total,
    reserved,
    minUnit,
    maxUnit,
    stepSize,
    allocationRatio,
    used: used.get(useKey(providerId, classId)) ?? 0,
  }));
}

async function readUse(connection: Connection): Promise<Map<number, number>> {
  const rows = await connection.query<[number, number, number][]>({
    rowsAsArray: true,
    sql: `SELECT resource_provider_id, resource_class_id, CAST(SUM(used) AS SIGNED)
            FROM allocations GROUP BY resource_provider_id, resource_class_id`,
  });
  return new Map(rows.map(([providerId, classId, used]) => [useKey(providerId, classId), used]));
}

/** One number for a provider and class: exact, as there are far fewer than a million classes. */
function useKey(providerId: number, classId: number): number {
  return providerId * 1_000_000 + classId;
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
