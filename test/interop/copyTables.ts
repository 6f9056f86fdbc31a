import { EXPECTED_TABLES } from '../../src/store/migrations/tables.js';
import type { TestDatabase } from '../support/database.js';

/** Makes OpenStack Placement's tables of one database equal to those of another database, ids included. */
export async function copyTables(from: TestDatabase, to: TestDatabase): Promise<void> {
  const source = new URL(from.url).pathname.slice(1);
  const connection = await to.longWork.getConnection();
  try {
    await connection.query('SET foreign_key_checks = 0');
    for (const table of Object.keys(EXPECTED_TABLES)) {
      await connection.query(`DELETE FROM ${table}`);
      await connection.query(`INSERT INTO ${table} SELECT * FROM ${source}.${table}`);
    }
    await connection.query('SET foreign_key_checks = 1');
  } finally {
    await connection.release();
  }
}
