import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, describe, test } from '@jest/globals';
import { type StoredTable, readStoredTables } from '../../src/store/migrations/tables.js';
import { readMigrations, type Migration, PACKAGE } from '../../src/store/migrations/migrator.js';
import { onConnection } from '../../src/store/database/onConnection.js';
import { readBlocks } from '../support/examples.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { incompatibilities } from '../support/incompatibilities.js';
import { readReleases } from '../support/releases.js';

const releases = readReleases();
const last = releases.at(-1)!;
const migrations = readMigrations(PACKAGE);
const released = migrations.filter(({ name }) => name in last.migrations);
const later = migrations.filter(({ name }) => !(name in last.migrations));

/** A database with the migrations of the last release. */
let database: TestDatabase;
beforeAll(async () => {
  database = await emptyDatabase();
  for (const migration of released) await execute(migration);
});
afterAll(() => database.close());

async function execute({ statements }: Migration): Promise<void> {
  for (const statement of statements) await database.pool.query(statement);
}

const storedTables = (): Promise<Map<string, StoredTable>> => onConnection(database, readStoredTables);

/** Executes a migration. Returns its changes with which the version before would fail. */
async function judged(migration: Migration): Promise<string[]> {
  const before = await storedTables();
  await execute(migration);
  return incompatibilities(migration, before, await storedTables());
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

test('the name of each later migration states whether it expands or contracts, and sorts after the earlier ones', () => {
  for (const { name } of later) expect(name).toMatch(/^\d{14}_(expand|contract)_[a-z0-9_]+$/);
  expect([...released, ...later].map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
});

/** Returns the first release that did not use the removed part: `-- Unused since 0.3.0.` */
function unusedSince({ name }: Migration): string | undefined {
  const text = readFileSync(new URL(`migrations/${name}/migration.sql`, PACKAGE), 'utf8');
  return /^-- Unused since (\d+\.\d+\.\d+)\b/m.exec(text)?.[1];
}

test('a server of the last release survives each of them, or has not used for long what it takes away', async () => {
  for (const migration of later) {
    const found = await judged(migration);
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

  test.each(readBlocks(new URL('./judgements.txt', import.meta.url)))('$title', async ({ title, lines }) => {
    const found = await judged(migration(title));
    for (const undo of lines['-'] ?? []) await database.pool.query(undo);
    if (lines['='] === undefined) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining(lines['=']));
  });
});
