import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../support/database.js';

const ZONES = 20;
const COLUMNS_OF_INVENTORY =
  'resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio';

/**
 * Hosts without anything below them, in zones, half of them in use: as many trees as the demo data of that size has, in a tenth of
 * the time. Gives their uuids.
 */
export async function loadFlatFleet({ pool }: TestDatabase, hosts: number): Promise<string[]> {
  const all = Array.from({ length: hosts }, (_, index) => ({
    id: index + 1,
    uuid: randomUUID(),
    name: `host-${String(index + 1).padStart(5, '0')}`,
  }));
  const insert = (table: string, columns: string, rows: unknown[][]): Promise<unknown> => {
    const values = columns.split(',').map(() => '?');
    return pool.batch(`INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')})`, rows);
  };
  const classes = new Map<string, number>();
  for (const { id, name } of await pool.query<{ id: number; name: string }[]>(
    "SELECT id, name FROM resource_classes WHERE name IN ('VCPU', 'MEMORY_MB')",
  ))
    classes.set(name, id);
  await insert(
    'resource_providers',
    'id, uuid, name, generation, root_provider_id',
    all.map(({ id, uuid, name }) => [id, uuid, name, 0, id]),
  );
  const inventory = (resourceClass: string, total: number): unknown[][] =>
    all.map(({ id }) => [id, classes.get(resourceClass), total, 0, 1, total, 1, 1]);
  await insert('inventories', COLUMNS_OF_INVENTORY, [
    ...inventory('VCPU', 128),
    ...inventory('MEMORY_MB', 262_144),
  ]);
  const zones = Array.from({ length: ZONES }, (_, index) => ({ id: index + 1, uuid: randomUUID() }));
  await insert(
    'placement_aggregates',
    'id, uuid',
    zones.map(({ id, uuid }) => [id, uuid]),
  );
  await insert(
    'placement_aggregate_names',
    'aggregate_uuid, name, created_at',
    zones.map(({ id, uuid }) => [uuid, `zone-${String(id).padStart(2, '0')}`, new Date()]),
  );
  await insert(
    'resource_provider_aggregates',
    'resource_provider_id, aggregate_id',
    all.map(({ id }) => [id, (id % ZONES) + 1]),
  );
  await insert('projects', 'id, external_id', [[1, 'a-project']]);
  await insert('users', 'id, external_id', [[1, 'a-user']]);
  const consumers = all.filter(({ id }) => id % 2 === 0).map(({ id }) => [id, randomUUID(), 1, 1, 1]);
  await insert('consumers', 'id, uuid, project_id, user_id, generation', consumers);
  await insert(
    'allocations',
    'resource_provider_id, consumer_id, resource_class_id, used',
    consumers.map(([id, uuid]) => [id, uuid, classes.get('VCPU'), (((id as number) * 7919) % 128) + 1]),
  );
  return all.map(({ uuid }) => uuid);
}
