import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { databaseFacts, drift } from '../support/databaseFacts.js';
import { readSchema } from '../support/datamodel.js';
import { schemaFacts } from '../support/schemaFacts.js';
import { useDatabase } from '../support/useDatabase.js';

const schema = schemaFacts(readSchema());

const database = useDatabase();

test('the migrated database is what schema.prisma says', async () => {
  expect(drift(schema.facts, await databaseFacts(database.pool))).toEqual([]);
  expect(schema.facts.filter((fact) => fact.endsWith(': table'))).toHaveLength(15);
});

test('these relations have no foreign key, as in the reference: hot rows stay out of them', () => {
  expect(schema.relationsWithoutKey.sort()).toEqual([
    'allocations: (consumer_id) -> consumers (uuid)',
    'allocations: (resource_class_id) -> resource_classes (id)',
    'allocations: (resource_provider_id) -> resource_providers (id)',
    'consumers: (project_id) -> projects (id)',
    'consumers: (user_id) -> users (id)',
    'inventories: (resource_class_id) -> resource_classes (id)',
    'inventories: (resource_provider_id) -> resource_providers (id)',
    'resource_provider_aggregates: (aggregate_id) -> placement_aggregates (id)',
    'resource_provider_aggregates: (resource_provider_id) -> resource_providers (id)',
  ]);
});

test('every foreign key has an index that begins with its column', () => {
  for (const fact of schema.facts) {
    const [, table, column] = /^(\w+): foreign key \S+ \((\w+)\)/.exec(fact) ?? [];
    if (!table) continue;
    const served = schema.facts.some((other) =>
      new RegExp(`^${table}: (index|unique|primary key).* \\(${column}[,)]`).test(other),
    );
    expect([fact, served]).toEqual([fact, true]);
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

test('the comparison really reads schema.prisma', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edited-schema-'));
  const edited = readFileSync('prisma/schema.prisma', 'utf8')
    .replace('@db.VarChar(200)', '@db.VarChar(100)')
    .replace('total           Int', 'total           BigInt?')
    .replace('@default(0)', '@default(7)')
    .replace(/^ *@@index\(\[consumerUuid\].*\n/m, '')
    .replace(', map: "resource_providers_ibfk_1"', '');
  writeFileSync(join(folder, 'schema.prisma'), edited);
  const { facts, relationsWithoutKey } = schemaFacts(readSchema(join(folder, 'schema.prisma')));
  rmSync(folder, { recursive: true });
  const parentKey = '(parent_provider_id) -> resource_providers (id)';
  expect(drift(facts, await databaseFacts(database.pool))).toEqual([
    'only in the database: allocations: index allocations_consumer_id_idx (consumer_id)',
    'only in the database: consumers: column generation int not null default 0',
    'only in the database: inventories: column total int not null',
    'only in the database: resource_providers: column name varchar(200) null',
    `only in the database: resource_providers: foreign key resource_providers_ibfk_1 ${parentKey} on delete no action on update no action`,
    'only in the schema: consumers: column generation int not null default 7',
    'only in the schema: inventories: column total bigint null',
    'only in the schema: resource_providers: column name varchar(100) null',
  ]);
  expect(relationsWithoutKey).toContain(`resource_providers: ${parentKey}`);
});

/** What was changed behind the schema's back, how it is undone, and what the comparison has to say about it. */
const drifts: [what: string, change: string, undo: string, report: string[]][] = [
  [
    'a wrong column type',
    'ALTER TABLE inventories MODIFY total bigint NOT NULL',
    'ALTER TABLE inventories MODIFY total int NOT NULL',
    ['database: inventories: column total bigint', 'schema: inventories: column total int not null'],
  ],
  [
    'a ratio of double precision',
    'ALTER TABLE inventories MODIFY allocation_ratio double NOT NULL',
    'ALTER TABLE inventories MODIFY allocation_ratio float NOT NULL',
    [
      'database: inventories: column allocation_ratio double not null',
      'schema: inventories: column allocation_ratio float not null',
    ],
  ],
  [
    'a shorter text column',
    'ALTER TABLE projects MODIFY external_id varchar(64) NOT NULL',
    'ALTER TABLE projects MODIFY external_id varchar(255) NOT NULL',
    [
      'database: projects: column external_id varchar(64) not null',
      'schema: projects: column external_id varchar(255) not null',
    ],
  ],
  [
    'fractions of a second',
    'ALTER TABLE traits MODIFY created_at datetime(6) NULL',
    'ALTER TABLE traits MODIFY created_at datetime NULL',
    [
      'database: traits: column created_at datetime(6) null',
      'schema: traits: column created_at datetime null',
    ],
  ],
  [
    'an unsigned column',
    'ALTER TABLE allocations MODIFY used int unsigned NOT NULL',
    'ALTER TABLE allocations MODIFY used int NOT NULL',
    [
      'database: allocations: column used int unsigned not null',
      'schema: allocations: column used int not null',
    ],
  ],
  [
    'a column that may not be null any more',
    'ALTER TABLE resource_providers MODIFY name varchar(200) NOT NULL',
    'ALTER TABLE resource_providers MODIFY name varchar(200) NULL',
    [
      'database: resource_providers: column name varchar(200) not null',
      'schema: resource_providers: column name varchar(200) null',
    ],
  ],
  [
    'a lost default',
    'ALTER TABLE consumers MODIFY generation int NOT NULL',
    'ALTER TABLE consumers MODIFY generation int NOT NULL DEFAULT 0',
    [
      'database: consumers: column generation int not null',
      'schema: consumers: column generation int not null default 0',
    ],
  ],
  [
    'another default',
    'ALTER TABLE resource_providers MODIFY generation int NULL DEFAULT 1',
    'ALTER TABLE resource_providers MODIFY generation int NULL',
    [
      'database: resource_providers: column generation int null default 1',
      'schema: resource_providers: column generation int null',
    ],
  ],
  [
    'a time that sets itself',
    'ALTER TABLE users MODIFY updated_at datetime NULL ON UPDATE CURRENT_TIMESTAMP',
    'ALTER TABLE users MODIFY updated_at datetime NULL',
    [
      'database: users: column updated_at datetime null on update current_timestamp',
      'schema: users: column updated_at datetime null',
    ],
  ],
  [
    'ids that are not generated',
    'ALTER TABLE allocations MODIFY id int NOT NULL',
    'ALTER TABLE allocations MODIFY id int NOT NULL AUTO_INCREMENT',
    [
      'database: allocations: column id int not null',
      'schema: allocations: column id int not null auto_increment',
    ],
  ],
  [
    'a missing column',
    'ALTER TABLE consumers DROP COLUMN updated_at',
    'ALTER TABLE consumers ADD updated_at datetime NULL',
    ['schema: consumers: column updated_at datetime null'],
  ],
  [
    'an extra column',
    'ALTER TABLE consumers ADD note text',
    'ALTER TABLE consumers DROP COLUMN note',
    ['database: consumers: column note text null'],
  ],
  [
    'a missing index',
    'ALTER TABLE allocations DROP INDEX allocations_consumer_id_idx',
    'ALTER TABLE allocations ADD INDEX allocations_consumer_id_idx (consumer_id)',
    ['schema: allocations: index allocations_consumer_id_idx (consumer_id)'],
  ],
  [
    'an extra index',
    'ALTER TABLE traits ADD INDEX traits_created (created_at)',
    'ALTER TABLE traits DROP INDEX traits_created',
    ['database: traits: index traits_created (created_at)'],
  ],
  [
    'an index with its columns in another order',
    'ALTER TABLE consumers DROP INDEX consumers_project_id_uuid_idx, ADD INDEX consumers_project_id_uuid_idx (uuid, project_id)',
    'ALTER TABLE consumers DROP INDEX consumers_project_id_uuid_idx, ADD INDEX consumers_project_id_uuid_idx (project_id, uuid)',
    [
      'database: consumers: index consumers_project_id_uuid_idx (uuid, project_id)',
      'schema: consumers: index consumers_project_id_uuid_idx (project_id, uuid)',
    ],
  ],
  [
    'an index on the beginning of a text',
    'ALTER TABLE allocations DROP INDEX allocations_consumer_id_idx, ADD INDEX allocations_consumer_id_idx (consumer_id(8))',
    'ALTER TABLE allocations DROP INDEX allocations_consumer_id_idx, ADD INDEX allocations_consumer_id_idx (consumer_id)',
    [
      'database: allocations: index allocations_consumer_id_idx (consumer_id(8))',
      'schema: allocations: index allocations_consumer_id_idx (consumer_id)',
    ],
  ],
  [
    'an index of another name',
    'ALTER TABLE inventories RENAME INDEX inventories_resource_class_id_idx TO by_class',
    'ALTER TABLE inventories RENAME INDEX by_class TO inventories_resource_class_id_idx',
    [
      'database: inventories: index by_class (resource_class_id)',
      'schema: inventories: index inventories_resource_class_id_idx (resource_class_id)',
    ],
  ],
  [
    'an index that is not unique any more',
    'ALTER TABLE users DROP INDEX uniq_users0external_id, ADD INDEX uniq_users0external_id (external_id)',
    'ALTER TABLE users DROP INDEX uniq_users0external_id, ADD UNIQUE uniq_users0external_id (external_id)',
    [
      'database: users: index uniq_users0external_id (external_id)',
      'schema: users: unique uniq_users0external_id (external_id)',
    ],
  ],
  [
    'another primary key',
    'ALTER TABLE resource_provider_aggregates DROP PRIMARY KEY, ADD PRIMARY KEY (aggregate_id, resource_provider_id)',
    'ALTER TABLE resource_provider_aggregates DROP PRIMARY KEY, ADD PRIMARY KEY (resource_provider_id, aggregate_id)',
    [
      'database: resource_provider_aggregates: primary key (aggregate_id, resource_provider_id)',
      'schema: resource_provider_aggregates: primary key (resource_provider_id, aggregate_id)',
    ],
  ],
  [
    'a missing foreign key',
    'ALTER TABLE resource_providers DROP FOREIGN KEY resource_providers_ibfk_2',
    'ALTER TABLE resource_providers ADD CONSTRAINT resource_providers_ibfk_2 FOREIGN KEY (root_provider_id) REFERENCES resource_providers (id)',
    [
      'schema: resource_providers: foreign key resource_providers_ibfk_2 (root_provider_id) -> resource_providers (id)',
    ],
  ],
  [
    'an extra foreign key',
    'ALTER TABLE inventories ADD CONSTRAINT hot FOREIGN KEY (resource_provider_id) REFERENCES resource_providers (id)',
    'ALTER TABLE inventories DROP FOREIGN KEY hot',
    ['database: inventories: foreign key hot (resource_provider_id) -> resource_providers (id)'],
  ],
  [
    'a foreign key that cascades',
    'ALTER TABLE resource_provider_traits DROP FOREIGN KEY resource_provider_traits_ibfk_2, ADD CONSTRAINT cascading FOREIGN KEY (trait_id) REFERENCES traits (id) ON DELETE CASCADE',
    'ALTER TABLE resource_provider_traits DROP FOREIGN KEY cascading, ADD CONSTRAINT resource_provider_traits_ibfk_2 FOREIGN KEY (trait_id) REFERENCES traits (id)',
    [
      'database: resource_provider_traits: foreign key cascading (trait_id) -> traits (id) on delete cascade',
      'schema: resource_provider_traits: foreign key resource_provider_traits_ibfk_2 (trait_id) -> traits (id) on delete no action',
    ],
  ],
  [
    'an extra table',
    'CREATE TABLE notes (id int)',
    'DROP TABLE notes',
    ['database: notes: column id int null', 'database: notes: table'],
  ],
  [
    'a missing table',
    'RENAME TABLE allocations TO gone',
    'RENAME TABLE gone TO allocations',
    ['database: gone: table', 'schema: allocations: table'],
  ],
];

describe('the comparison reports', () => {
  test.each(drifts)('%s', async (_what, change, undo, report) => {
    await database.pool.query(change);
    const found = drift(schema.facts, await databaseFacts(database.pool));
    await database.pool.query(undo);
    for (const line of report) expect(found).toContainEqual(expect.stringContaining(`only in the ${line}`));
    if (!report.some((line) => line.endsWith(': table'))) expect(found).toHaveLength(report.length);
    expect(drift(schema.facts, await databaseFacts(database.pool))).toEqual([]);
  });
});
