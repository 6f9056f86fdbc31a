import { describe, expect, test } from '@jest/globals';
import { findDifferences } from '../../src/database/adoption/differences.js';
import {
  EXPECTED_TABLES,
  HISTORY,
  HISTORY_TABLE,
  OWN_TABLES,
  readStoredTables,
} from '../../src/database/adoption/tables.js';
import { LOCK_TABLE } from '../../src/database/cluster/migrationLock.js';
import { onConnection } from '../../src/database/onConnection.js';
import { readBlocks } from '../support/examples.js';
import { useDatabase } from '../support/useDatabase.js';

/** The tables of prisma/schema.prisma; `npm run generate -- --check` keeps them in sync with it. */
const tables = { ...EXPECTED_TABLES, ...OWN_TABLES };

const database = useDatabase();

async function differences(): Promise<string[]> {
  const stored = await onConnection(database, readStoredTables);
  const expected = { ...tables, [HISTORY_TABLE]: HISTORY };
  return findDifferences(stored, new Set([LOCK_TABLE]), { expected }).all.map(({ line }) => line);
}

test('the migrated database is what schema.prisma says', async () => {
  expect(await differences()).toEqual([]);
  expect(Object.keys(tables)).toHaveLength(15);
});

test('there are no other foreign keys, as in the reference: hot rows stay out of them', () => {
  const keys = Object.entries(tables).flatMap(([table, { foreignKeys }]) =>
    Object.entries(foreignKeys).map(([column, target]) => `${table}.${column} -> ${target}`),
  );
  expect(keys.sort()).toEqual([
    'consumers.consumer_type_id -> consumer_types',
    'resource_provider_traits.resource_provider_id -> resource_providers',
    'resource_provider_traits.trait_id -> traits',
    'resource_providers.parent_provider_id -> resource_providers',
    'resource_providers.root_provider_id -> resource_providers',
  ]);
});

test('every foreign key has an index that begins with its column', () => {
  for (const { foreignKeys, indexes, unique, primaryKey } of Object.values(tables)) {
    const firsts = [...Object.values(indexes), ...Object.values(unique), primaryKey].map(([first]) => first);
    for (const column of Object.keys(foreignKeys)) expect(firsts).toContain(column);
  }
});

test('every text column compares byte by byte', async () => {
  const others = await database.pool.query<unknown[]>(
    `SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name NOT IN ('_prisma_migrations', 'placement_migration_lock')
        AND collation_name IS NOT NULL AND collation_name <> 'utf8mb4_bin'`,
  );
  expect(others).toEqual([]);
});

describe('the comparison finds', () => {
  test.each(readBlocks(new URL('./drifts.txt', import.meta.url)))('$title', async ({ lines }) => {
    const [[change], [undo]] = [lines['+'], lines['-']];
    await database.pool.query(change);
    const found = await differences();
    await database.pool.query(undo);
    const [, table] = /TABLE (\w+)/.exec(change)!;
    expect(found).toContainEqual(expect.stringContaining(table));
    expect(await differences()).toEqual([]);
  });
});
