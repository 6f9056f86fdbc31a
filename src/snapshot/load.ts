import type { Connection } from 'mariadb';
import type { Snapshot } from '../engine/snapshot.js';
import type { Database } from '../database/database.js';
import { buildSnapshot } from './build.js';
import type { InventoryRecord, LinkRecord, NamedRecord, ProviderRecord, SnapshotRecords } from './records.js';

/**
 * Reads the whole offer as it is at one moment: six statements, of which three read rows, in one consistent read-only
 * transaction (REPEATABLE READ, the one exception in this server). The cost grows with the fleet.
 */
export async function loadSnapshot(database: Database): Promise<Snapshot> {
  const connection = await database.pool.getConnection();
  try {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const records = await readRecords(connection);
    await connection.query('COMMIT');
    await connection.release();
    return buildSnapshot(records);
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function readRecords(connection: Connection): Promise<SnapshotRecords> {
  return {
    providers: await readProviders(connection),
    inventories: await readInventories(connection),
    ...(await readNamesAndLinks(connection)),
  };
}

type ProviderRow = [number, string, string, number, number | null, number];

async function readProviders(connection: Connection): Promise<ProviderRecord[]> {
  const rows = await connection.execute<ProviderRow[]>({
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

async function readInventories(connection: Connection): Promise<InventoryRecord[]> {
  const rows = await connection.execute<InventoryRow[]>({
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

type NameOrLinkRow = [kind: string, id: number, providerId: number | null, name: string | null];

async function readNamesAndLinks(
  connection: Connection,
): Promise<Omit<SnapshotRecords, 'providers' | 'inventories'>> {
  const rows = await connection.execute<NameOrLinkRow[]>({
    rowsAsArray: true,
    sql: `SELECT 'classes', id, NULL, name FROM resource_classes
          UNION ALL SELECT 'traits', id, NULL, name FROM traits
          UNION ALL SELECT 'aggregates', id, NULL, uuid FROM placement_aggregates
          UNION ALL SELECT 'providerTraits', trait_id, resource_provider_id, NULL FROM resource_provider_traits
          UNION ALL SELECT 'providerAggregates', aggregate_id, resource_provider_id, NULL
                      FROM resource_provider_aggregates`,
  });
  const names = (wanted: string): NamedRecord[] =>
    rows.flatMap(([kind, id, , name]) => (kind === wanted ? [{ id, name: name ?? '' }] : []));
  const links = (wanted: string): LinkRecord[] =>
    rows.flatMap(([kind, id, providerId]) => (kind === wanted ? [{ id, providerId: providerId ?? 0 }] : []));
  return {
    classes: names('classes'),
    traits: names('traits'),
    aggregates: names('aggregates'),
    providerTraits: links('providerTraits'),
    providerAggregates: links('providerAggregates'),
  };
}
