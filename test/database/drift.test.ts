import { expect, test } from '@jest/globals';
import { findDifferences } from '../../src/tools/adoption/differences.js';
import {
  EXPECTED_TABLES,
  HISTORY,
  HISTORY_TABLE,
  OWN_TABLES,
  readStoredTables,
} from '../../src/store/migrations/tables.js';
import { LOCK_TABLE } from '../../src/store/migrations/migrationLock.js';
import { onConnection } from '../../src/store/database/onConnection.js';
import { useDatabase } from '../support/useDatabase.js';

/** The tables of prisma/schema.prisma; `npm run generate -- --check` keeps them in sync with it. */
const tables = { ...EXPECTED_TABLES, ...OWN_TABLES };

const database = useDatabase();

// test/adopt shows that the comparison finds differences, and that Placement's own tables have none
test('the migrated database matches schema.prisma', async () => {
  const stored = await onConnection(database, readStoredTables);
  const expected = { ...tables, [HISTORY_TABLE]: HISTORY };
  expect(findDifferences(stored, new Set([LOCK_TABLE]), { expected }).all).toEqual([]);
  expect(Object.keys(tables)).toHaveLength(28);
});

test('every foreign key has an index that begins with its column; our own tables have none, so hot rows stay out of them', () => {
  for (const { foreignKeys, indexes, unique, primaryKey } of Object.values(tables)) {
    const firsts = [...Object.values(indexes), ...Object.values(unique), primaryKey].map(([first]) => first);
    expect(firsts).toEqual(expect.arrayContaining(Object.keys(foreignKeys)));
  }
  expect(Object.values(OWN_TABLES).flatMap(({ foreignKeys }) => Object.keys(foreignKeys))).toEqual([]);
});

test('every text column compares byte by byte', async () => {
  const others = await database.pool.query<unknown[]>(
    `SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name NOT IN ('_prisma_migrations', 'placement_migration_lock')
        AND collation_name IS NOT NULL AND collation_name <> 'utf8mb4_bin'`,
  );
  expect(others).toEqual([]);
});
