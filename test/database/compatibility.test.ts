import { readFileSync } from 'node:fs';
import { afterEach, expect, describe, test } from '@jest/globals';
import { type StoredTable, readStoredTables } from '../../src/database/adoption/tables.js';
import { readMigrations, type Migration, PACKAGE } from '../../src/database/migrator.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { incompatibilities } from '../support/incompatibilities.js';
import { readReleases } from '../support/releases.js';

const releases = readReleases();
const last = releases.at(-1)!;
const migrations = readMigrations(PACKAGE);
const released = migrations.filter(({ name }) => name in last.migrations);
const later = migrations.filter(({ name }) => !(name in last.migrations));

const opened: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

/** A database as the last release has made it. */
async function atLastRelease(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  opened.push(database);
  for (const migration of released) await execute(database, migration);
  return database;
}

async function execute({ pool }: TestDatabase, { statements }: Migration): Promise<void> {
  for (const statement of statements) await pool.query(statement);
}

async function tablesOf({ pool }: TestDatabase): Promise<Map<string, StoredTable>> {
  const connection = await pool.getConnection();
  return readStoredTables(connection).finally(() => connection.release());
}

/** What a migration does that the version before it does not survive. */
async function judged(database: TestDatabase, migration: Migration): Promise<string[]> {
  const before = await tablesOf(database);
  await execute(database, migration);
  return incompatibilities(migration, before, await tablesOf(database));
}

test('every released migration is there, unchanged', () => {
  for (const { version, migrations: recorded } of releases) {
    const found = migrations.filter(({ name }) => name in recorded);
    expect([version, Object.fromEntries(found.map(({ name, checksum }) => [name, checksum]))]).toEqual([
      version,
      recorded,
    ]);
  }
});

test('every later one says whether it expands or contracts, and comes behind', () => {
  for (const { name } of later) expect(name).toMatch(/^\d{14}_(expand|contract)_[a-z0-9_]+$/);
  expect([...released, ...later].map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
});

/** The release that no longer used what the migration takes away: `-- Unused since 0.3.0.` */
function unusedSince({ name }: Migration): string | undefined {
  const text = readFileSync(new URL(`migrations/${name}/migration.sql`, PACKAGE), 'utf8');
  return /^-- Unused since (\d+\.\d+\.\d+)\b/m.exec(text)?.[1];
}

test('a server of the last release survives each of them, or has not used for long what it takes away', async () => {
  const database = await atLastRelease();
  for (const migration of later) {
    const found = await judged(database, migration);
    if (/_expand_/.test(migration.name)) expect([migration.name, found]).toEqual([migration.name, []]);
    else expect(releases.map(({ version }) => version)).toContain(unusedSince(migration));
  }
});

describe('the judgement', () => {
  const migration = (sql: string): Migration => ({
    name: 'planted',
    checksum: '',
    statements: sql.split(';').map((each) => each.trim()),
  });

  const survived = [
    'CREATE TABLE notes (id int PRIMARY KEY, text varchar(9) NOT NULL); INSERT INTO notes VALUES (1, "a")',
    'ALTER TABLE consumers ADD COLUMN note varchar(9) NULL',
    "ALTER TABLE consumers ADD COLUMN note varchar(9) NOT NULL DEFAULT ''",
    'ALTER TABLE consumers ADD INDEX by_time (created_at)',
    'CREATE INDEX by_time ON consumers (created_at)',
    'ALTER TABLE placement_feed_changes MODIFY object_id bigint NOT NULL',
    'ALTER TABLE projects MODIFY external_id varchar(300) COLLATE utf8mb4_bin NOT NULL',
    'ALTER TABLE placement_feed_writers MODIFY started_at datetime NULL',
  ];
  test.each(survived)('accepts: %s', async (sql) => {
    expect(await judged(await atLastRelease(), migration(sql))).toEqual([]);
  });

  const broken: [sql: string, found: string][] = [
    ['DROP TABLE placement_feed_changes', 'the table placement_feed_changes is gone'],
    ['RENAME TABLE users TO people', 'the table users is gone'],
    ['ALTER TABLE consumers DROP COLUMN generation', 'the column consumers.generation is gone'],
    ['ALTER TABLE consumers RENAME COLUMN generation TO version', 'the column consumers.generation is gone'],
    [
      'ALTER TABLE consumers ADD COLUMN note int NOT NULL',
      'the new column consumers.note must be given a value',
    ],
    [
      'ALTER TABLE consumers MODIFY generation smallint NOT NULL DEFAULT 0',
      'the column consumers.generation is smallint and was int',
    ],
    [
      'ALTER TABLE projects MODIFY external_id varchar(64) COLLATE utf8mb4_bin NOT NULL',
      'the column projects.external_id is varchar(64) and was varchar(255)',
    ],
    [
      'ALTER TABLE consumers MODIFY generation varchar(9) NOT NULL',
      'the column consumers.generation is varchar(9) and was int',
    ],
    [
      'ALTER TABLE consumers MODIFY generation int NOT NULL',
      'the column consumers.generation has lost its default',
    ],
    [
      'ALTER TABLE resource_providers MODIFY generation int NOT NULL',
      'the column resource_providers.generation must have a value now',
    ],
    [
      'ALTER TABLE projects MODIFY external_id varchar(255) COLLATE utf8mb4_general_ci NOT NULL',
      'the column projects.external_id is of another collation',
    ],
    [
      'ALTER TABLE allocations ADD UNIQUE INDEX one_each (used)',
      'the new unique index one_each of allocations refuses rows',
    ],
    [
      'ALTER TABLE inventories ADD CONSTRAINT hot FOREIGN KEY (resource_class_id) REFERENCES resource_classes (id)',
      'the new foreign key hot of inventories refuses rows',
    ],
    [
      'ALTER TABLE allocations DROP INDEX allocations_resource_provider_class_used_idx',
      'the index allocations_resource_provider_class_used_idx of allocations is gone or another one',
    ],
    [
      'UPDATE consumers SET generation = 0',
      'is neither a new table nor a new column or index: UPDATE consumers SET generation = 0',
    ],
    [
      "INSERT INTO traits (name) VALUES ('HW_NEW')",
      "writes rows of traits: INSERT INTO traits (name) VALUES ('HW_NEW')",
    ],
  ];
  test.each(broken)('finds: %s', async (sql, found) => {
    expect(await judged(await atLastRelease(), migration(sql))).toContain(found);
  });
});
