import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';

const TABLES = [
  'resource_providers',
  'inventories',
  'allocations',
  'consumers',
  'consumer_types',
  'projects',
  'users',
  'traits',
  'resource_provider_traits',
  'resource_classes',
  'placement_aggregates',
  'resource_provider_aggregates',
];

/** Returns every row of every table, for tests that nothing was changed. */
async function everything({ pool }: Database): Promise<Record<string, unknown>> {
  const tables = await Promise.all(
    TABLES.map(async (table) => [
      table,
      await pool.query<unknown>(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`),
    ]),
  );
  return Object.fromEntries(tables) as Record<string, unknown>;
}

/** Expects the write to change no row of any table. Returns its answer. */
export async function unchanged<T>(database: Database, write: () => Promise<T>): Promise<T> {
  const before = await everything(database);
  const answer = await write();
  expect(await everything(database)).toEqual(before);
  return answer;
}
