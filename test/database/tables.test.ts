import { expect, test } from '@jest/globals';
import { databaseFacts } from '../support/databaseFacts.js';
import { useDatabase } from '../support/useDatabase.js';

/**
 * The tables of OpenStack Placement as its newest migrations create them on MariaDB (revision a082b8bb98d0), all but
 * its own record of its migrations. Nothing here goes through Prisma's schema.
 */
const REFERENCE = `
resource_providers
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column uuid varchar(36) not null
  column name varchar(200) null
  column generation int null
  column root_provider_id int null
  column parent_provider_id int null
  primary key (id)
  index resource_providers_parent_provider_id_idx (parent_provider_id)
  index resource_providers_root_provider_id_idx (root_provider_id)
  unique uniq_resource_providers0name (name)
  unique uniq_resource_providers0uuid (uuid)
  foreign key resource_providers_ibfk_1 (parent_provider_id) -> resource_providers (id)
  foreign key resource_providers_ibfk_2 (root_provider_id) -> resource_providers (id)
inventories
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column resource_provider_id int not null
  column resource_class_id int not null
  column total int not null
  column reserved int not null
  column min_unit int not null
  column max_unit int not null
  column step_size int not null
  column allocation_ratio float not null
  index inventories_resource_class_id_idx (resource_class_id)
  primary key (id)
  unique uniq_inventories0resource_provider_resource_class (resource_provider_id, resource_class_id)
allocations
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column resource_provider_id int not null
  column consumer_id varchar(36) not null
  column resource_class_id int not null
  column used int not null
  index allocations_consumer_id_idx (consumer_id)
  index allocations_resource_class_id_idx (resource_class_id)
  index allocations_resource_provider_class_used_idx (resource_provider_id, resource_class_id, used)
  primary key (id)
consumers
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column uuid varchar(36) not null
  column project_id int not null
  column user_id int not null
  column generation int not null default 0
  column consumer_type_id int null
  index consumers_consumer_type_id_idx (consumer_type_id)
  index consumers_project_id_user_id_uuid_idx (project_id, user_id, uuid)
  index consumers_project_id_uuid_idx (project_id, uuid)
  primary key (id)
  unique uniq_consumers0uuid (uuid)
  foreign key consumers_consumer_type_id_fkey (consumer_type_id) -> consumer_types (id)
consumer_types
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column name varchar(255) not null
  primary key (id)
  unique uniq_consumer_types0name (name)
projects
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column external_id varchar(255) not null
  primary key (id)
  unique uniq_projects0external_id (external_id)
users
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column external_id varchar(255) not null
  primary key (id)
  unique uniq_users0external_id (external_id)
resource_classes
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column name varchar(255) not null
  primary key (id)
  unique uniq_resource_classes0name (name)
traits
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column name varchar(255) not null
  primary key (id)
  unique uniq_traits0name (name)
resource_provider_traits
  column created_at datetime null
  column updated_at datetime null
  column trait_id int not null
  column resource_provider_id int not null
  primary key (trait_id, resource_provider_id)
  index resource_provider_traits_resource_provider_trait_idx (resource_provider_id, trait_id)
  foreign key resource_provider_traits_ibfk_1 (resource_provider_id) -> resource_providers (id)
  foreign key resource_provider_traits_ibfk_2 (trait_id) -> traits (id)
placement_aggregates
  column created_at datetime null
  column updated_at datetime null
  column id int not null auto_increment
  column uuid varchar(36) null
  primary key (id)
  unique uniq_placement_aggregates0uuid (uuid)
resource_provider_aggregates
  column created_at datetime null
  column updated_at datetime null
  column resource_provider_id int not null
  column aggregate_id int not null
  primary key (resource_provider_id, aggregate_id)
  index resource_provider_aggregates_aggregate_id_idx (aggregate_id)
`;

const database = useDatabase();

/** Tables beside those of the reference, which does not see them. */
const OUR_OWN = /^placement_(feed_|aggregate_names)/;

test('our tables are those of the reference, to the last column and key', async () => {
  const facts = await databaseFacts(database.pool);
  const shared = facts.filter((fact) => !OUR_OWN.test(fact));
  const ours = shared.map((fact) => fact.replace(/ on delete no action on update no action$/, ''));
  expect(ours.sort()).toEqual(referenceFacts().sort());
});

function referenceFacts(): string[] {
  let table = '';
  return REFERENCE.trim()
    .split('\n')
    .map((line) => {
      if (line.startsWith(' ')) return `${table}: ${line.trim()}`;
      table = line;
      return `${table}: table`;
    });
}

test('columns come in the order of the reference', async () => {
  const rows = await database.pool.query<{ tbl: string; col: string }[]>(
    `SELECT table_name AS tbl, column_name AS col FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name NOT IN ('_prisma_migrations', 'placement_migration_lock')
      ORDER BY ordinal_position`,
  );
  const reference = referenceFacts().flatMap((fact) => {
    const [, tbl, col] = /^(\w+): column (\w+)/.exec(fact) ?? [];
    return tbl ? [{ tbl, col }] : [];
  });
  expect(columnsByTable(rows.filter(({ tbl }) => !OUR_OWN.test(tbl)))).toEqual(columnsByTable(reference));
});

function columnsByTable(columns: { tbl: string; col: string }[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const { tbl, col } of columns) (lists[tbl] ??= []).push(col);
  return lists;
}

test('custom resource classes get ids from 10000', async () => {
  const { id } = await database.prisma.resourceClass.create({ data: { name: 'CUSTOM_FIRST' } });
  expect(id).toBe(10_000);
});
