import { expect } from '@jest/globals';
import { EXPECTED_TABLES } from '../../src/store/migrations/tables.js';
import type { Database } from '../../src/store/database/database.js';

/** Returns every row of the tables of OpenStack Placement. */
async function everything({ pool }: Database): Promise<object> {
  const tables = Object.keys(EXPECTED_TABLES).map(async (table) => {
    return [table, await pool.query<unknown>(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** Expects the write to change no row of any table. Returns its answer. */
export async function unchanged<T>(database: Database, write: () => Promise<T>): Promise<T> {
  const before = await everything(database);
  const answer = await write();
  expect(await everything(database)).toEqual(before);
  return answer;
}
