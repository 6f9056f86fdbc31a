import type { TestDatabase } from '../support/database.js';

/** What is stored of a fleet, in the tables of the reference. */
const TABLES = [
  'traits',
  'resource_classes',
  'placement_aggregates',
  'projects',
  'users',
  'consumer_types',
  'consumers',
  'resource_providers',
  'inventories',
  'allocations',
  'resource_provider_traits',
  'resource_provider_aggregates',
];

/** Makes the tables of one database equal to those of another one, row by row, ids included. */
export async function copyTables(from: TestDatabase, to: TestDatabase): Promise<void> {
  const source = new URL(from.url).pathname.slice(1);
  const connection = await to.longWork.getConnection();
  try {
    await connection.query('SET foreign_key_checks = 0');
    for (const table of TABLES) {
      await connection.query(`DELETE FROM ${table}`);
      await connection.query(`INSERT INTO ${table} SELECT * FROM ${source}.${table}`);
    }
    await connection.query('SET foreign_key_checks = 1');
  } finally {
    await connection.release();
  }
}
