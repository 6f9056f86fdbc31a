import { beforeEach } from '@jest/globals';
import type { ProcessDatabase } from './database.js';
import { recordChanges, providerIds } from './changeFeed.js';
import { forest as drawn, type Forest } from './forest.js';
import { insertRows, type Row } from './insertRows.js';

const EMPTIED = [
  'allocations',
  'placement_consumer_requests',
  'placement_workload_members',
  'placement_workloads',
  'consumers',
  'projects',
  'users',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'placement_aggregates',
];

const AMOUNTS = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const;

/** Replaces the content of the database by a drawn forest before each test. */
export function useForest(database: ProcessDatabase, picture: string): void {
  beforeEach(() => loadForest(database, drawn(picture)));
}

/**
 * Replaces the whole content of the database by a forest. The catalog keeps its content, and gets
 * the names of the forest and `moreTraits`.
 */
export async function loadForest(
  database: ProcessDatabase,
  forest: Forest,
  moreTraits: string[] = [],
): Promise<void> {
  const { pool } = database;
  const before = await providerIds(database);
  for (const table of EMPTIED) await pool.query(`DELETE FROM ${table}`);
  await pool.query('UPDATE resource_providers SET parent_provider_id = NULL, root_provider_id = NULL');
  await pool.query('DELETE FROM resource_providers');
  const { providers, allocations } = forest;
  const insert = (table: string, columns: string, rows: Row[]) => insertRows(database, table, columns, rows);
  const traits = await ensure('traits', 'name', [...providers.flatMap((each) => each.traits), ...moreTraits]);
  const classNames = providers.flatMap((each) => Object.keys(each.inventories));
  const classes = await ensure('resource_classes', 'name', classNames);
  const uuids = providers.flatMap((each) => each.aggregates);
  const aggregates = await ensure('placement_aggregates', 'uuid', uuids);
  const ids = new Map(providers.map(({ name }, at) => [name, at + 1]));
  const roots = new Map<string, string>();
  for (const { name, parent } of providers) roots.set(name, parent === null ? name : roots.get(parent)!);
  await insert(
    'resource_providers',
    'id, uuid, name, generation, root_provider_id, parent_provider_id',
    providers.map(({ name, uuid, parent }) => [
      ids.get(name),
      uuid,
      name,
      0,
      ids.get(roots.get(name)!),
      parent === null ? null : ids.get(parent),
    ]),
  );
  await insert(
    'inventories',
    `resource_provider_id, resource_class_id, ${AMOUNTS.join(', ')}`,
    providers.flatMap(({ name, inventories }) =>
      Object.entries(inventories).map(([key, row]) => [
        ids.get(name),
        classes.get(key),
        ...AMOUNTS.map((column) => row[column]),
      ]),
    ),
  );
  await insert(
    'resource_provider_traits',
    'resource_provider_id, trait_id',
    providers.flatMap((each) => each.traits.map((name) => [ids.get(each.name), traits.get(name)])),
  );
  await insert(
    'resource_provider_aggregates',
    'resource_provider_id, aggregate_id',
    providers.flatMap((each) => each.aggregates.map((uuid) => [ids.get(each.name), aggregates.get(uuid)])),
  );
  await insert(
    'allocations',
    'resource_provider_id, resource_class_id, consumer_id, used',
    allocations.map(({ provider, resourceClass, consumer, used }) => [
      ids.get(provider),
      classes.get(resourceClass),
      consumer,
      used,
    ]),
  );
  await recordChanges(database, [...before, ...(await providerIds(database))]);

  async function ensure(table: string, column: string, names: string[]): Promise<Map<string, number>> {
    const wanted = [...new Set(names)];
    if (wanted.length === 0) return new Map();
    await pool.query(
      `INSERT IGNORE INTO ${table} (${column}) VALUES ${wanted.map(() => '(?)').join(', ')}`,
      wanted,
    );
    const rows = await pool.query<{ id: number; name: string }[]>(
      `SELECT id, ${column} AS name FROM ${table} WHERE ${column} IN (?)`,
      [wanted],
    );
    return new Map(rows.map(({ id, name }) => [name, id]));
  }
}
