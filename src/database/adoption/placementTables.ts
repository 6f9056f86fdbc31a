/** A column as this program relies on it. */
export interface ExpectedColumn {
  readonly type: string;
  readonly isNullable: boolean;
  readonly isCounted: boolean;
  readonly default: string | null;
}

/** A table of OpenStack Placement as this program relies on it: as its newest version has it. */
export interface ExpectedTable {
  readonly columns: Readonly<Record<string, ExpectedColumn>>;
  readonly primaryKey: readonly string[];
  /** Columns by name of the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** The table by the column that refers to its id. */
  readonly foreignKeys: Readonly<Record<string, string>>;
}

/** Indexes that statements name (`FORCE INDEX`), so that one with other columns or another name does not do. */
export const NAMED_INDEXES: ReadonlySet<string> = new Set([
  'allocations_resource_provider_class_used_idx',
  'uniq_inventories0resource_provider_resource_class',
  'resource_provider_traits_resource_provider_trait_idx',
]);

const required = (type: string): ExpectedColumn => ({
  type,
  isNullable: false,
  isCounted: false,
  default: null,
});
const optional = (type: string): ExpectedColumn => ({ ...required(type), isNullable: true });

const INT = required('int');
const UUID = required('varchar(36)');
const DATES = { created_at: optional('datetime'), updated_at: optional('datetime') };
const ID = { id: { ...INT, isCounted: true } };

/** A table of names: they are unique in it, and nothing else is there. */
const names = (table: string, column: string): ExpectedTable => ({
  columns: { ...DATES, ...ID, [column]: required('varchar(255)') },
  primaryKey: ['id'],
  unique: { [`uniq_${table}0${column}`]: [column] },
  indexes: {},
  foreignKeys: {},
});

export const EXPECTED_TABLES: Readonly<Record<string, ExpectedTable>> = {
  resource_providers: {
    columns: {
      ...DATES,
      ...ID,
      uuid: UUID,
      name: optional('varchar(200)'),
      generation: optional('int'),
      root_provider_id: optional('int'),
      parent_provider_id: optional('int'),
    },
    primaryKey: ['id'],
    unique: { uniq_resource_providers0uuid: ['uuid'], uniq_resource_providers0name: ['name'] },
    indexes: {
      resource_providers_parent_provider_id_idx: ['parent_provider_id'],
      resource_providers_root_provider_id_idx: ['root_provider_id'],
    },
    foreignKeys: { parent_provider_id: 'resource_providers', root_provider_id: 'resource_providers' },
  },
  inventories: {
    columns: {
      ...DATES,
      ...ID,
      resource_provider_id: INT,
      resource_class_id: INT,
      total: INT,
      reserved: INT,
      min_unit: INT,
      max_unit: INT,
      step_size: INT,
      allocation_ratio: required('float'),
    },
    primaryKey: ['id'],
    unique: {
      uniq_inventories0resource_provider_resource_class: ['resource_provider_id', 'resource_class_id'],
    },
    indexes: { inventories_resource_class_id_idx: ['resource_class_id'] },
    foreignKeys: {},
  },
  allocations: {
    columns: {
      ...DATES,
      ...ID,
      resource_provider_id: INT,
      consumer_id: UUID,
      resource_class_id: INT,
      used: INT,
    },
    primaryKey: ['id'],
    unique: {},
    indexes: {
      allocations_consumer_id_idx: ['consumer_id'],
      allocations_resource_class_id_idx: ['resource_class_id'],
      allocations_resource_provider_class_used_idx: ['resource_provider_id', 'resource_class_id', 'used'],
    },
    foreignKeys: {},
  },
  consumers: {
    columns: {
      ...DATES,
      ...ID,
      uuid: UUID,
      project_id: INT,
      user_id: INT,
      generation: { ...INT, default: '0' },
      consumer_type_id: optional('int'),
    },
    primaryKey: ['id'],
    unique: { uniq_consumers0uuid: ['uuid'] },
    indexes: {
      consumers_consumer_type_id_idx: ['consumer_type_id'],
      consumers_project_id_user_id_uuid_idx: ['project_id', 'user_id', 'uuid'],
      consumers_project_id_uuid_idx: ['project_id', 'uuid'],
    },
    foreignKeys: { consumer_type_id: 'consumer_types' },
  },
  consumer_types: names('consumer_types', 'name'),
  projects: names('projects', 'external_id'),
  users: names('users', 'external_id'),
  resource_classes: names('resource_classes', 'name'),
  traits: names('traits', 'name'),
  resource_provider_traits: {
    columns: { ...DATES, trait_id: INT, resource_provider_id: INT },
    primaryKey: ['trait_id', 'resource_provider_id'],
    unique: {},
    indexes: {
      resource_provider_traits_resource_provider_trait_idx: ['resource_provider_id', 'trait_id'],
    },
    foreignKeys: { resource_provider_id: 'resource_providers', trait_id: 'traits' },
  },
  placement_aggregates: {
    columns: { ...DATES, ...ID, uuid: optional('varchar(36)') },
    primaryKey: ['id'],
    unique: { uniq_placement_aggregates0uuid: ['uuid'] },
    indexes: {},
    foreignKeys: {},
  },
  resource_provider_aggregates: {
    columns: { ...DATES, resource_provider_id: INT, aggregate_id: INT },
    primaryKey: ['resource_provider_id', 'aggregate_id'],
    unique: {},
    indexes: { resource_provider_aggregates_aggregate_id_idx: ['aggregate_id'] },
    foreignKeys: {},
  },
};
