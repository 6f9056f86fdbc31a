import { afterEach } from '@jest/globals';
import type { Database } from '../../src/store/database/database.js';
import { placementDatabase } from '../adopt/placementDatabase.js';
import { Command, LocalCommand, type Running } from '../cli/command.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';

/** Makes databases, of OpenStack Placement and of this program, that are closed after the test. */
export function useDatabases() {
  const opened: TestDatabase[] = [];
  const opening = async (making: Promise<TestDatabase>): Promise<TestDatabase> => {
    const database = await making;
    opened.push(database);
    return database;
  };
  afterEach(async () => void (await Promise.all(opened.splice(0).map((database) => database.close()))));
  return {
    placement: (...parameters: Parameters<typeof placementDatabase>) =>
      opening(placementDatabase(...parameters)),
    ours: () => opening(testDatabase()),
    empty: () => opening(emptyDatabase()),
  };
}

export const CATALOG = ['resource_classes', 'traits'];
export const OTHERS = [
  'allocations',
  'consumer_types',
  'consumers',
  'inventories',
  'placement_aggregates',
  'projects',
  'resource_provider_aggregates',
  'resource_provider_traits',
  'resource_providers',
  'users',
];

/** The rows of each of these tables with every digit, in the order of their text. */
export async function rowsOf(
  { pool }: Pick<Database, 'pool'>,
  names: readonly string[],
): Promise<Record<string, unknown[]>> {
  const all = names.map(async (name): Promise<[string, unknown[]]> => {
    const more = name === 'inventories' ? ', allocation_ratio + 0e0 AS ratio' : '';
    const rows = await pool.query<object[]>({ sql: `SELECT *${more} FROM ${name}`, dateStrings: true });
    const sorted = rows.map((row) => Object.fromEntries(Object.entries(row).sort()));
    return [name, sorted.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
  });
  return Object.fromEntries(await Promise.all(all));
}

interface Named {
  readonly url: string;
}

export const startImport = (source: Named, target: Named, ...options: string[]): LocalCommand =>
  new LocalCommand(['import', '--from', source.url, ...options], { DATABASE_URL: target.url });

export const startImportProcess = (source: Named, target: Named): Command =>
  new Command(['import', '--from', source.url], { DATABASE_URL: target.url });

export const startExport = (source: Named, target: Named, ...options: string[]): LocalCommand =>
  new LocalCommand(['export', '--to', target.url, ...options], { DATABASE_URL: source.url });

/** The exit code and the lines of a command. */
export async function ended(command: Running): Promise<{ code: unknown; lines: string[] }> {
  const { code, said } = await command.ended();
  return { code, lines: said.trim().split('\n') };
}

/**
 * Rows as they come to be over the years, and by writers that no foreign key holds back: columns that are NULL, a parent with a higher
 * id than its child, a digit in the seventh place, every kind of character, a date that no calendar has, rows that point at nothing.
 */
export const ODD_ROWS = [
  "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'",
  `INSERT INTO resource_providers (created_at, id, uuid, name, generation, root_provider_id, parent_provider_id) VALUES
     (NULL, 10, '0a000000-0000-4000-8000-000000000010', NULL, NULL, NULL, NULL),
     ('2019-02-30 10:00:00', 11, '0a000000-0000-4000-8000-000000000011', 'child', 0, 12, 12),
     ('0000-00-00 00:00:00', 12, '0a000000-0000-4000-8000-000000000012', 'it''s a \\\\ "parent"\\n\\0%_', 0, 12, NULL),
     (NULL, 13, '0a000000-0000-4000-8000-000000000013', 'lost', 0, 999, 998)`,
  `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
     VALUES (11, 0, 2147483647, -1, 1, 2147483647, 1, 1.2345678), (999, 10777, 1, 0, 1, 1, 1, 1e30), (12, 0, 1, 0, 1, 1, 1, 1e-30)`,
  `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used) VALUES
     (999, '0c000000-0000-4000-8000-000000000999', 10777, 7), (11, 'no uuid', 0, 2147483647), (12, 'no uuid', 0, 2147483647)`,
  `INSERT INTO consumers (uuid, project_id, user_id, generation, consumer_type_id) VALUES ('lonely', 77, 78, -3, 79)`,
  `INSERT INTO consumer_types (id, name) VALUES (5, 'INSTANCE')`,
  `INSERT INTO projects (id, external_id) VALUES (0, ''), (9, 'Проект 企画')`,
  'INSERT INTO placement_aggregates (id, uuid) VALUES (20, NULL), (21, NULL)',
  'INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (10, 1), (999, 998)',
  'INSERT INTO resource_provider_traits (trait_id, resource_provider_id) VALUES (4, 12), (4, 10), (997, 999)',
];
