import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { migrate } from '../../src/store/migrations/migrator.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { useMigrations } from '../support/useMigrations.js';
import { FIRST_MIGRATIONS, MIGRATION_NAMES } from '../support/migrations.js';

const INITIAL = '20261123200000_placement_tables';
const ALL = MIGRATION_NAMES;

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.close());

async function history(): Promise<Record<string, unknown>[]> {
  return database.pool.query('SELECT * FROM _prisma_migrations ORDER BY migration_name, started_at');
}

const withMigration = useMigrations();

test('migrate applies each migration once, reports it, and keeps the history as Prisma does', async () => {
  const lines: string[] = [];
  expect(await migrate(database, (line) => lines.push(line))).toEqual(ALL);
  expect(lines).toEqual(ALL.map((name) => `migrating the database: ${name}`));
  const checksum = createHash('sha256')
    .update(readFileSync(`prisma/migrations/${INITIAL}/migration.sql`))
    .digest('hex');
  const first = await history();
  expect(first).toMatchObject([
    { migration_name: INITIAL, checksum, logs: null, rolled_back_at: null, applied_steps_count: 1 },
    ...ALL.slice(1).map((name) => ({ migration_name: name })),
  ]);
  expect(first[0].finished_at).toMatch(/^\d{4}-/);

  expect(await migrate(database, (line) => lines.push(line))).toEqual([]);
  expect(lines).toHaveLength(ALL.length);
  expect(await history()).toEqual(first);

  const columns = await database.pool.query<{ line: string }[]>(
    `SELECT CONCAT_WS(' ', column_name, REGEXP_REPLACE(column_type, 'int\\\\(10\\\\)', 'int'), is_nullable,
                      IF(column_default = 'NULL', NULL, LOWER(column_default)), IF(column_key = '', NULL, column_key)) AS line
       FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = '_prisma_migrations'
      ORDER BY ordinal_position`,
  );
  expect(columns.map(({ line }) => line)).toEqual([
    'id varchar(36) NO PRI',
    'checksum varchar(64) NO',
    'finished_at datetime(3) YES',
    'migration_name varchar(255) NO',
    'logs text YES',
    'rolled_back_at datetime(3) YES',
    'started_at datetime(3) NO current_timestamp(3)',
    'applied_steps_count int unsigned NO 0',
  ]);
});

test('a later version applies what is new, and only that; older versions refuse the database, and edited migrations are refused', async () => {
  await migrate(database);
  const later = withMigration(
    '20990101000000_later',
    '-- a comment;\nCREATE TABLE later (a int);\n\nINSERT INTO later\nVALUES (1), (2);\n',
  );
  expect(await migrate(database, undefined, later.url)).toEqual(['20990101000000_later']);
  expect(await database.pool.query('SELECT COUNT(*) AS n FROM later')).toEqual([{ n: 2 }]);
  await expect(migrate(database)).rejects.toThrow(
    'newer than this program: it has the migration 20990101000000_later',
  );
  later.write('CREATE TABLE later (a bigint);');
  await expect(migrate(database, undefined, later.url)).rejects.toThrow(
    /^the migration 20990101000000_later was edited after it had been applied to this database$/,
  );
});

test('an older version works on a database that a newer one has only added to, also while it does so', async () => {
  const expanding = withMigration('20990101000000_expand_later', 'CREATE TABLE later (a int);');
  await migrate(database, undefined, expanding.url);
  expect(await migrate(database)).toEqual([]);
  await database.pool.query(
    "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%later'",
  );
  expect(await migrate(database)).toEqual([]);
  const contracting = withMigration('20990101000000_contract_later', 'CREATE TABLE much_later (a int);');
  await migrate(database, undefined, contracting.url);
  await expect(migrate(database)).rejects.toThrow(
    'newer than this program: it has the migration 20990101000000_contract_later, after which only newer versions can use it',
  );
});

test('a migration that fails stops everything until the cause is gone; only an interrupted one may find its work done', async () => {
  const broken = withMigration(
    '20990101000000_broken',
    'CREATE TABLE one (a int);\nCREATE TABLE two (a int);\nCREATE TABLE three (a int);',
  );
  withLater(broken.url);
  await migrate(database);
  await database.pool.query('CREATE TABLE two (b int)');
  const failure = await migrate(database, undefined, broken.url).then(String, String);
  expect(failure).toMatch(
    /^Error: the migration 20990101000000_broken failed at statement 2 of 3: .*two.* \(earlier statements are applied: remove the cause/,
  );
  expect(failure).not.toContain('\n');
  expect(await lockHeldHere()).toEqual([]);
  const rows = await history();
  expect(rows).toMatchObject([
    ...ALL.map((name) => ({ migration_name: name })),
    { finished_at: null, applied_steps_count: 1 },
  ]);
  expect(rows[ALL.length].logs).toContain('two');
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(migrate(database, undefined, broken.url)).rejects.toThrow('failed at statement 2 of 3');

  await database.pool.query('DROP TABLE two');
  expect(await migrate(database, undefined, broken.url)).toEqual([
    '20990101000000_broken',
    '20990201000000_last',
  ]);
  expect((await history())[ALL.length]).toMatchObject({ applied_steps_count: 1, logs: null });
  expect(await database.pool.query("SHOW TABLES LIKE 't%'")).toHaveLength(3); // three, traits, two

  // as if the process was killed after the last statement, and before that was recorded
  await database.pool.query(
    "UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 2 WHERE migration_name LIKE '%broken'",
  );
  expect(await migrate(database, undefined, broken.url)).toEqual(['20990101000000_broken']);
});

test('a migration that failed and then was interrupted after a statement is continued', async () => {
  const broken = withMigration(
    '20990101000000_broken',
    'CREATE TABLE one (a int);\nCREATE TABLE two (a int);',
  );
  const { pool } = database;
  await migrate(database);
  await pool.query('CREATE TABLE two (b int)');
  await expect(migrate(database, undefined, broken.url)).rejects.toThrow('failed at statement 2 of 2');
  await pool.query('DROP TABLE two');
  // the second statement is committed, but cannot be counted
  await pool.query(`CREATE TRIGGER no_count BEFORE UPDATE ON _prisma_migrations FOR EACH ROW
    IF NEW.applied_steps_count = 2 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'interrupted'; END IF`);
  await expect(migrate(database, undefined, broken.url)).rejects.toThrow('interrupted');
  await pool.query('DROP TRIGGER no_count');
  expect(await migrate(database, undefined, broken.url)).toEqual(['20990101000000_broken']);
  expect(await pool.query("SHOW COLUMNS FROM two LIKE 'a'")).toHaveLength(1);
});

test('a database of an earlier version is rejected with a line that states how to keep its data', async () => {
  await migrate(database);
  await database.pool.query(
    "UPDATE _prisma_migrations SET migration_name = '20261120000000_initial' WHERE migration_name = ?",
    [INITIAL],
  );
  const failure = await migrate(database).then(String, String);
  expect(failure).toMatch(
    /^Error: the database was made by a version before the first release: export it .* import/,
  );
  expect(failure).not.toContain('\n');
});

test('a migration that failed and was edited then is refused, with the way out', async () => {
  const broken = withMigration(
    '20990101000000_broken',
    'CREATE TABLE one (a int);\nCREATE TABLE two (a nonsense);',
  );
  await expect(migrate(database, undefined, broken.url)).rejects.toThrow('nonsense');

  broken.write('CREATE TABLE two (a int);');
  const failure = await migrate(database, undefined, broken.url).then(String, String);
  expect(failure).toMatch(
    /20990101000000_broken stopped half way, after 1 of its statements, and has been edited since/,
  );
  expect(failure).not.toMatch(/drop it|restore/);

  await database.pool.query(/UPDATE .*$/.exec(failure)![0]);
  expect(await migrate(database, undefined, broken.url)).toEqual(['20990101000000_broken']);
});

function withLater(url: URL): void {
  const folder = new URL('migrations/20990201000000_last/', url);
  mkdirSync(folder);
  writeFileSync(new URL('migration.sql', folder), 'DO 1;');
}

test('a database with tables that are not ours is refused and left alone', async () => {
  await database.pool.query('CREATE TABLE stranger (a int)');
  await expect(migrate(database)).rejects.toThrow(
    "the database is not empty and not one of this program's (it has the table stranger): name an empty one",
  );
  expect(await database.pool.query('SHOW TABLES')).toHaveLength(1);
});

test('the migrator reports that it waits for the lock of another process, and continues afterwards', async () => {
  const holder = await database.pool.getConnection();
  await holder.query("SELECT GET_LOCK('prisma_migrate', 60)");
  expect(await lockHeldHere()).toHaveLength(1);
  const lines: string[] = [];
  const migrating = migrate(database, (line) => {
    lines.push(line);
    if (line.startsWith('waiting')) void holder.query("DO RELEASE_LOCK('prisma_migrate')");
  });
  expect(await migrating).toEqual(ALL);
  expect(lines[0]).toBe('waiting for another process that migrates a database on this server');
  await holder.release();
});

/** Returns the connections to this test's database that hold the lock, which belongs to the whole server. */
function lockHeldHere(): Promise<unknown[]> {
  return database.pool.query(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id = IS_USED_LOCK('prisma_migrate')",
  );
}

test.each(MIGRATION_NAMES.slice(FIRST_MIGRATIONS))('the migration %s has one statement', (name) => {
  const statements = readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8')
    .split(/;\s*$/m)
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
  expect(statements).toHaveLength(1);
});
