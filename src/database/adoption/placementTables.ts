import { expectedTables } from '../../generated/expectedTables.js';

/** A column as this program relies on it. */
export interface ExpectedColumn {
  readonly type: string;
  readonly isNullable: boolean;
  readonly isCounted: boolean;
  readonly default: string | null;
}

/** A table as this program relies on it; those of OpenStack Placement as its newest version has them. */
export interface ExpectedTable {
  readonly columns: Readonly<Record<string, ExpectedColumn>>;
  readonly primaryKey: readonly string[];
  /** The columns by the name of the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** The referenced table by the column that refers to its id. */
  readonly foreignKeys: Readonly<Record<string, string>>;
}

/** Indexes that statements name (`FORCE INDEX`), so that one with other columns or another name does not do. */
export const NAMED_INDEXES: ReadonlySet<string> = new Set([
  'allocations_resource_provider_class_used_idx',
  'uniq_inventories0resource_provider_resource_class',
  'resource_provider_traits_resource_provider_trait_idx',
]);

/** The tables of OpenStack Placement, and those of this program that its own migrations create. */
export const EXPECTED_TABLES = tablesOf(({ isOwn }) => !isOwn);
export const OWN_TABLES = tablesOf(({ isOwn }) => isOwn);

function tablesOf(isWanted: (table: { readonly isOwn: boolean }) => boolean) {
  const tables: Readonly<Record<string, ExpectedTable & { readonly isOwn: boolean }>> = expectedTables;
  return Object.fromEntries<ExpectedTable>(Object.entries(tables).filter(([, table]) => isWanted(table)));
}

export const HISTORY_TABLE = '_prisma_migrations';

const column = (type: string, isNullable: boolean, value: string | null = null): ExpectedColumn => ({
  type,
  isNullable,
  isCounted: false,
  default: value,
});

/** Prisma's history of migrations, as Prisma creates it. */
export const HISTORY: ExpectedTable = {
  columns: {
    id: column('varchar(36)', false),
    checksum: column('varchar(64)', false),
    finished_at: column('datetime(3)', true),
    migration_name: column('varchar(255)', false),
    logs: column('text', true),
    rolled_back_at: column('datetime(3)', true),
    started_at: column('datetime(3)', false, 'current_timestamp(3)'),
    applied_steps_count: column('int unsigned', false, '0'),
  },
  primaryKey: ['id'],
  unique: {},
  indexes: {},
  foreignKeys: {},
};
