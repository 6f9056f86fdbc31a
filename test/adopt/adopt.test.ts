import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { NotAdoptable, adopt, undoAdoption } from '../../src/tools/adoption/adopt.js';
import { EXPECTED_TABLES } from '../../src/store/migrations/tables.js';
import { openDatabase } from '../../src/store/database/database.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { failureOf } from '../support/failureOf.js';
import { MIGRATION_NAMES } from '../support/migrations.js';
import {
  CHARACTERS,
  fingerprint,
  placementDatabase,
  runSql,
  tableNames,
  TRAIN,
} from './placementDatabase.js';

const CATALOG = ['resource_classes', 'traits'];
const STEPS = [
  'create the table placement_feed_writers',
  'create the table placement_feed_changes',
  'create the table placement_aggregate_names',
  'create the table placement_quota_groups',
  'create the table placement_quota_group_projects',
  'create the table placement_quotas',
  'create the table placement_quota_usages',
  'create the table placement_kept_consumers',
  'create the table placement_quota_state',
  'create the table placement_holds',
  'create the table placement_requests',
  'create the table placement_consumer_requests',
  'create the table placement_workloads',
  'create the table placement_workload_members',
  'create the table placement_ownerships',
  'create the table placement_consumptions',
  `record ${MIGRATION_NAMES.join(', ')} in _prisma_migrations`,
];

/** The tables that undoing drops, in this order. */
const DROPPED = [
  'placement_feed_writers',
  'placement_feed_changes',
  'placement_aggregate_names',
  'placement_quota_groups',
  'placement_quota_group_projects',
  'placement_quotas',
  'placement_quota_usages',
  'placement_kept_consumers',
  'placement_quota_state',
  'placement_holds',
  'placement_requests',
  'placement_consumer_requests',
  'placement_workloads',
  'placement_workload_members',
  'placement_ownerships',
  'placement_consumptions',
  '_prisma_migrations',
];

const opened: TestDatabase[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true }));
});

async function placement(...parameters: Parameters<typeof placementDatabase>): Promise<TestDatabase> {
  const database = await placementDatabase(...parameters);
  opened.push(database);
  return database;
}

/** Returns the error that rejects the adoption of a database. */
async function refusal(database: TestDatabase): Promise<NotAdoptable> {
  const error = await failureOf(adopt(database));
  if (!(error instanceof NotAdoptable)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

const errorsOf = async (database: TestDatabase): Promise<readonly string[]> =>
  (await refusal(database)).errors;

test.each(CHARACTERS)(
  'a database of the newest version, %s, gets our tables, the history, and the standard traits and classes that it lacks',
  async (characters) => {
    const database = await placement(['newest', 'rows'], characters);
    const [before, names] = [await fingerprint(database), await tableNames(database.pool)];
    const { version, notes, steps } = await adopt(database);
    expect(version).toMatchObject({ revision: 'a082b8bb98d0', tooOld: null });
    const [isolation, ...others] = [...notes].reverse();
    expect(isolation).toMatch(
      /^the default isolation level is REPEATABLE READ: .* can then exceed a capacity/,
    );
    expect(others.every((note) => note.startsWith('names of '))).toBe(true);
    expect(others).toHaveLength(characters.startsWith('utf8mb3') ? 2 : 1);
    expect(steps).toEqual(STEPS);
    expect(await tableNames(database.pool)).toEqual(
      [...names, ...DROPPED, 'placement_migration_lock'].sort(),
    );
    expect(await fingerprint(database, names)).toEqual(before);
    expect(
      await database.pool.query(
        `SELECT migration_name, applied_steps_count, finished_at IS NOT NULL AS done, rolled_back_at
           FROM _prisma_migrations ORDER BY 1`,
      ),
    ).toEqual(
      MIGRATION_NAMES.map((name, at) => ({
        migration_name: name,
        applied_steps_count: at === 0 ? 0 : 1,
        done: 1,
        rolled_back_at: null,
      })),
    );

    const rows = (): Promise<unknown[][]> =>
      Promise.all(CATALOG.map((table) => database.pool.query<unknown[]>(`SELECT * FROM ${table}`)));
    const had = await rows();
    expect(await migrate(database)).toEqual([]);
    expect(await fingerprint(database, names)).toEqual({
      ...before,
      ...(await fingerprint(database, CATALOG)),
    });
    const has = await rows();
    expect(has.map((list) => list.length)).toEqual([21, 346]);
    for (const at of [0, 1]) expect(has[at]).toEqual(expect.arrayContaining(had[at]));
  },
);

describe('versions', () => {
  test("Xena's, which has more indexes, is adopted with notes", async () => {
    const database = await placement([...TRAIN, 'trainToXena', 'rows']);
    const { version, notes } = await adopt(database);
    expect(version.releases).toBe('Xena to 2023.1 (Antelope)');
    expect(notes.filter((note) => !/^(names of|the default isolation level is) /.test(note))).toEqual([
      'the index resource_providers_name_idx (name) of resource_providers is not needed',
      'the index resource_providers_uuid_idx (uuid) of resource_providers is not needed',
      'the index inventories_resource_provider_id_idx (resource_provider_id) of inventories is not needed',
      'the index inventories_resource_provider_resource_class_idx (resource_provider_id, resource_class_id) of inventories is not needed',
      'the index ix_placement_aggregates_uuid (uuid) of placement_aggregates is not needed',
    ]);
    await migrate(database);
  });

  test('a database of Train is rejected with a list of what is missing, and adopted after its upgrade', async () => {
    const database = await placement(TRAIN);
    const before = await fingerprint(database);
    expect(await errorsOf(database)).toEqual([
      'version b5c396305c25 (Train to Wallaby) is too old: consumers have no types yet: run `placement-manage db sync` of Xena or later, then try again',
      'the column consumers.consumer_type_id is missing',
      'the index consumers_consumer_type_id_idx (consumer_type_id) of consumers is missing',
      'the foreign key of consumers (consumer_type_id) to consumer_types (id) is missing',
      'the table consumer_types is missing',
    ]);
    expect(await fingerprint(database)).toEqual(before);
    await runSql(database.pool, 'trainToXena');
    await adopt(database);
  });
});

describe('differences', () => {
  test('all differences are reported together, and nothing is changed', async () => {
    const database = await placement(['newest']);
    for (const change of [
      'ALTER TABLE resource_providers MODIFY name varchar(100), MODIFY generation int NULL DEFAULT 1',
      'ALTER TABLE inventories MODIFY allocation_ratio double NOT NULL, MODIFY total int unsigned NOT NULL',
      'ALTER TABLE inventories DROP COLUMN step_size',
      'ALTER TABLE inventories RENAME INDEX uniq_inventories0resource_provider_resource_class TO another',
      'ALTER TABLE allocations DROP INDEX allocations_consumer_id_idx, ADD INDEX allocations_consumer_id_idx (consumer_id(8))',
      'ALTER TABLE allocations MODIFY used int NULL, MODIFY id int NOT NULL',
      "ALTER TABLE allocations ADD COLUMN tenant int NOT NULL, ADD COLUMN note varchar(9) NOT NULL DEFAULT ''",
      'ALTER TABLE allocations MODIFY consumer_id varchar(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL',
      'ALTER TABLE consumers DROP INDEX uniq_consumers0uuid, ADD INDEX plain (uuid), ADD UNIQUE one_each (user_id)',
      'ALTER TABLE consumers ALTER generation DROP DEFAULT',
      'ALTER TABLE consumers DROP INDEX consumers_project_id_uuid_idx, ADD INDEX consumers_project_id_uuid_idx (uuid, project_id)',
      'ALTER TABLE traits MODIFY created_at datetime(6) NULL',
      'ALTER TABLE users MODIFY updated_at datetime NULL ON UPDATE CURRENT_TIMESTAMP',
      'ALTER TABLE consumers ADD CONSTRAINT strange FOREIGN KEY (project_id) REFERENCES projects (id)',
      'ALTER TABLE resource_provider_traits DROP FOREIGN KEY resource_provider_traits_ibfk_2',
      `ALTER TABLE resource_provider_traits DROP FOREIGN KEY resource_provider_traits_ibfk_1,
         ADD CONSTRAINT ends FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id) ON DELETE CASCADE`,
      'ALTER TABLE resource_provider_aggregates DROP PRIMARY KEY, ADD PRIMARY KEY (aggregate_id, resource_provider_id)',
      'ALTER TABLE users MODIFY external_id varchar(300) NOT NULL, ENGINE = MyISAM',
      'ALTER TABLE projects RENAME INDEX uniq_projects0external_id TO by_name',
      'DROP TABLE placement_aggregates',
      'CREATE VIEW placement_aggregates AS SELECT 1',
      'CREATE TABLE stranger (a int)',
      'CREATE TABLE placement_feed_writers (a int)',
      "INSERT INTO resource_classes (id, name) VALUES (1, 'OTHER')",
    ]) {
      await database.pool.query(change);
    }
    const names = (await tableNames(database.pool)).filter((name) => name !== 'placement_aggregates');
    const before = await fingerprint(database, names);
    const error = await refusal(database);
    expect(error.errors).toEqual([
      'the column resource_providers.name is varchar(100), not varchar(200)',
      'the column inventories.total is int unsigned, not int',
      'the column inventories.step_size is missing',
      'the column inventories.allocation_ratio is double, not float',
      'the unique index uniq_inventories0resource_provider_resource_class of inventories is named another',
      'the column allocations.id is not AUTO_INCREMENT',
      'the column allocations.used is NULL, not NOT NULL',
      "the column allocations.tenant is not one of OpenStack Placement's and must be given a value, which only its own writer does",
      'the index allocations_consumer_id_idx (consumer_id) of allocations is missing',
      'the unique index uniq_consumers0uuid (uuid) of consumers is missing',
      'the index consumers_project_id_uuid_idx (project_id, uuid) of consumers is missing',
      'the unique index one_each (user_id) of consumers refuses rows that this program writes',
      'the foreign key strange of consumers (project_id) to projects must not be there',
      'the table users has the engine MyISAM, which must be InnoDB',
      'the column traits.created_at is datetime(6), not datetime',
      'the foreign key of resource_provider_traits (trait_id) to traits (id) is missing',
      'the foreign key ends of resource_provider_traits must be RESTRICT or NO ACTION, but it changes rows',
      'placement_aggregates is a view or of another kind, it must be a plain table',
      'the primary key of resource_provider_aggregates is (aggregate_id, resource_provider_id), not (resource_provider_id, aggregate_id)',
      'allocations.consumer_id is of utf8mb4_general_ci and consumers.uuid of utf8mb3_general_ci, which must be the same',
      'the resource class MEMORY_MB should have the id 1, which this database uses differently',
      'the table placement_feed_writers exists already, and no adoption has created it',
    ]);
    expect(error.notes).toEqual(
      expect.arrayContaining([
        'the column resource_providers.generation has the default 1, not null',
        "the column allocations.note is not one of OpenStack Placement's",
        'the index allocations_consumer_id_idx (consumer_id(8)) of allocations is not needed',
        'the column consumers.generation has the default null, not 0',
        'the index plain (uuid) of consumers is not needed',
        expect.stringMatching(/^the column users.updated_at is also "on update current_timestamp/),
        'the column users.external_id is varchar(300), not varchar(255)',
        'the unique index uniq_projects0external_id of projects is named by_name',
        "the table stranger is not one of OpenStack Placement's",
      ]),
    );
    expect(error.message.split('\n')).toHaveLength(error.errors.length + 1);
    expect(await fingerprint(database, names)).toEqual(before);
  });
});

/** The columns of OpenStack Placement's tables in their order. */
function columnsOf({ pool }: TestDatabase): Promise<unknown> {
  return pool.query(
    `SELECT table_name AS tbl, column_name AS name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name IN (?) ORDER BY table_name, ordinal_position`,
    [Object.keys(EXPECTED_TABLES)],
  );
}

describe('databases that are not to be adopted', () => {
  test('an empty one, and one of another program', async () => {
    const [empty, foreign] = [await emptyDatabase(), await emptyDatabase()];
    opened.push(empty, foreign);
    await foreign.pool.query('CREATE TABLE stranger (a int)');
    await expect(adopt(empty)).rejects.toThrow(
      'this database is empty: `placement-graphql serve` sets it up',
    );
    await expect(adopt(foreign)).rejects.toThrow('no database of OpenStack Placement');
    for (const each of [empty, foreign]) {
      await expect(undoAdoption(each)).rejects.toThrow('was not adopted');
    }
  });

  test('one of ours, also when OpenStack Placement works on it; its first migration creates what adopting relies on', async () => {
    const [own, reference] = [await testDatabase(), await placement(['newest'])];
    expect(await columnsOf(own)).toEqual(await columnsOf(reference));
    opened.push(own);
    const refuses = async (): Promise<void> => {
      const before = await fingerprint(own);
      await expect(adopt(own)).rejects.toThrow('this program made the database itself');
      await expect(undoAdoption(own)).rejects.toThrow('was not adopted');
      expect(await fingerprint(own)).toEqual(before);
    };
    await refuses();
    await own.pool.query('CREATE TABLE alembic_version (version_num varchar(32) NOT NULL PRIMARY KEY)');
    await own.pool.query("INSERT INTO alembic_version VALUES ('a082b8bb98d0')");
    await refuses();
    expect(await migrate(own)).toEqual([]);
    await own.pool.query(`DROP TABLE ${DROPPED.join(', ')}`);
    const { notes } = await adopt(own);
    expect(notes.filter((note) => !note.startsWith('the default isolation level is '))).toEqual([]);
  });
});

describe('one database, adopted and given back by each test', () => {
  let database: TestDatabase;
  let names: string[];
  let before: Record<string, unknown>;
  beforeAll(async () => {
    database = await placementDatabase();
    // the standard traits and classes, which stay
    await adopt(database);
    await migrate(database);
    await undoAdoption(database);
    names = await tableNames(database.pool);
    before = await fingerprint(database);
  });
  afterEach(async () => {
    expect(await undoAdoption(database, { isDroppingNames: true })).toEqual(DROPPED);
    expect(await tableNames(database.pool)).toEqual(names);
    expect(await fingerprint(database)).toEqual(before);
  });
  afterAll(() => database.close());

  test('dry runs and a second adoption change nothing', async () => {
    expect(await adopt(database, { isDryRun: true })).toMatchObject({ steps: STEPS });
    expect(await fingerprint(database)).toEqual(before);
    await expect(undoAdoption(database)).rejects.toThrow('was not adopted');
    await adopt(database);
    const adopted = await fingerprint(database);
    expect(await adopt(database)).toMatchObject({ version: { revision: 'a082b8bb98d0' }, steps: [] });
    expect(await undoAdoption(database, { isDryRun: true })).toEqual(DROPPED);
    expect(await fingerprint(database)).toEqual(adopted);
  });

  test('of several adoptions at once one does it, and the others find it done', async () => {
    const others = [1, 2].map(() => openDatabase(database.url));
    const done = await Promise.all([database, ...others].map((each) => adopt(each)));
    await Promise.all(others.map((each) => each.close()));
    expect(done.map(({ steps }) => steps.length).sort()).toEqual([0, 0, STEPS.length]);
    expect(await migrate(database)).toEqual([]);
  });

  test('a version that is unknown, missing or not alone is refused', async () => {
    for (const [change, problem] of [
      ["UPDATE alembic_version SET version_num = 'ffffffffffff'", 'has the version ffffffffffff'],
      ["INSERT INTO alembic_version VALUES ('a082b8bb98d0')", 'has no single version'],
      ['DELETE FROM alembic_version', 'has no single version'],
    ]) {
      await database.pool.query(change);
      const [error, ...others] = await errorsOf(database);
      expect(error).toMatch(
        new RegExp(`^alembic_version ${problem}, and this program knows b4ed3a175331 .*a082b8bb98d0`),
      );
      expect(others).toEqual([]);
    }
    await database.pool.query("INSERT INTO alembic_version VALUES ('a082b8bb98d0')");
    await adopt(database);
  });

  test('undoing drops the names of aggregates only on request', async () => {
    await adopt(database);
    await database.pool.query(
      "INSERT INTO placement_aggregate_names VALUES (UUID(), 'rack 1', UTC_TIMESTAMP()), (UUID(), 'rack 2', UTC_TIMESTAMP())",
    );
    const adopted = await fingerprint(database);
    for (const isDryRun of [true, false])
      await expect(undoAdoption(database, { isDryRun })).rejects.toThrow(
        /^2 aggregates have names .* would be lost.* --drop-names$/,
      );
    expect(await fingerprint(database)).toEqual(adopted);
  });

  test('undoing is left to the version that has added what this one does not know', async () => {
    await adopt(database);
    await database.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '2099_later', NOW())",
    );
    const adopted = await fingerprint(database);
    await expect(undoAdoption(database)).rejects.toThrow(
      'newer than this program (it has the migration 2099_later)',
    );
    expect(await fingerprint(database)).toEqual(adopted);
    await database.pool.query("DELETE FROM _prisma_migrations WHERE id = 'x'");
  });

  /** A copy of prisma/ whose last migration fails after its first statement. */
  function broken(): URL {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    folders.push(folder);
    cpSync('prisma', folder, { recursive: true });
    writeFileSync(
      join(folder, 'migrations', MIGRATION_NAMES[1], 'migration.sql'),
      'CREATE TABLE placement_feed_writers (id int);\nCREATE TABLE two (a nonsense);',
    );
    return pathToFileURL(`${folder}/`);
  }

  test('an adoption that was interrupted half way is refused by the migrator, and can be undone or repeated', async () => {
    await expect(adopt(database, { directory: broken() })).rejects.toThrow('nonsense');
    await undoAdoption(database);
    expect(await fingerprint(database)).toEqual(before);
    await expect(adopt(database, { directory: broken() })).rejects.toThrow('nonsense');
    await expect(migrate(database)).rejects.toThrow('was interrupted: run `placement-graphql adopt` again');
    expect(await adopt(database)).toMatchObject({
      steps: ['remove the tables of an interrupted adoption', ...STEPS],
    });
    expect(await adopt(database)).toMatchObject({ steps: [] });
    expect(await migrate(database)).toEqual([]);
  });

  test.each([
    ['before the first row of the history', 'DELETE FROM _prisma_migrations'],
    [
      'while it was being undone',
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE logs LIKE 'adopted%'; DROP TABLE placement_feed_writers",
    ],
  ])('an adoption that was interrupted %s can be repeated', async (_when, statements) => {
    await adopt(database);
    for (const statement of statements.split('; ')) await database.pool.query(statement);
    await expect(migrate(database)).rejects.toThrow('was interrupted: run `placement-graphql adopt` again');
    await adopt(database);
    expect(await migrate(database)).toEqual([]);
  });

  test('migrate continues an interrupted later migration', async () => {
    await adopt(database);
    await database.pool.query(
      'UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 2 WHERE migration_name LIKE ?',
      [MIGRATION_NAMES[1]],
    );
    expect(await migrate(database)).toEqual([MIGRATION_NAMES[1]]);
    expect(await adopt(database)).toMatchObject({ steps: [] });
  });
});
