import type { Connection } from 'mariadb';
import { expectedTables } from '../../generated/expectedTables.js';

export interface ExpectedColumn {
  readonly type: string;
  readonly isNullable: boolean;
  readonly isCounted: boolean;
  readonly default: string | null;
}

/** A required table. The tables of OpenStack Placement are defined as in its newest version. */
export interface ExpectedTable {
  readonly columns: Readonly<Record<string, ExpectedColumn>>;
  readonly primaryKey: readonly string[];
  /** The columns by the name of the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** The referenced table by the column that refers to its id. */
  readonly foreignKeys: Readonly<Record<string, string>>;
}

/** The indexes that statements name (`FORCE INDEX`). Their names and columns must match. */
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

export interface StoredColumn {
  readonly name: string;
  /** A type that both servers name alike: `int`, not `int(11)`. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly default: string | null;
  /** `auto_increment` and the like, in lower case. */
  readonly extra: string;
  /** Null for a column that is not text. */
  readonly collation: string | null;
}

interface StoredIndex {
  /** `PRIMARY` for the primary key. */
  readonly name: string;
  readonly isUnique: boolean;
  readonly columns: readonly string[];
}

interface StoredForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  /** True if the foreign key changes rows, for example ON DELETE CASCADE. */
  readonly isCascading: boolean;
}

export interface StoredTable {
  readonly isTable: boolean;
  readonly engine: string | null;
  readonly columns: readonly StoredColumn[];
  readonly indexes: readonly StoredIndex[];
  readonly foreignKeys: readonly StoredForeignKey[];
}

/** Returns every table and view of the database, by name. Equal on MariaDB and MySQL. */
export async function readStoredTables(connection: Connection): Promise<Map<string, StoredTable>> {
  const tables = await connection.query<{ name: string; kind: string; engine: string | null }[]>(
    `SELECT table_name AS name, table_type AS kind, engine AS engine FROM information_schema.tables
      WHERE table_schema = DATABASE() ORDER BY table_name`,
  );
  const columns = await readColumns(connection);
  const indexes = await readIndexes(connection);
  const foreignKeys = await readForeignKeys(connection);
  return new Map(
    tables.map(({ name, kind, engine }) => [
      name,
      {
        isTable: kind === 'BASE TABLE',
        engine,
        columns: columns.filter(({ tbl }) => tbl === name),
        indexes: indexes.filter(({ tbl }) => tbl === name),
        foreignKeys: foreignKeys.filter(({ tbl }) => tbl === name),
      },
    ]),
  );
}

type OfTable<T> = T & { readonly tbl: string };

async function readColumns(connection: Connection): Promise<OfTable<StoredColumn>[]> {
  type Row = OfTable<Omit<StoredColumn, 'isNullable' | 'default'>> & {
    nullable: string;
    value: string | null;
  };
  const rows = await connection.query<Row[]>(
    `SELECT table_name AS tbl, column_name AS name, CAST(column_type AS CHAR) AS type, is_nullable AS nullable,
            CAST(column_default AS CHAR) AS value, extra AS extra, collation_name AS collation
       FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
  );
  return rows.map(({ type, nullable, value, extra, ...row }) => ({
    ...row,
    type: type.replace(/^(\w*int)\(\d+\)/, '$1'), // MariaDB includes the display width
    isNullable: nullable === 'YES',
    default: value === 'NULL' ? null : value, // MariaDB returns the text NULL for no default
    extra: extra.toLowerCase(),
  }));
}

async function readIndexes(connection: Connection): Promise<OfTable<StoredIndex>[]> {
  const rows = await connection.query<OfTable<{ name: string; duplicates: number; cols: string }>[]>(
    `SELECT table_name AS tbl, index_name AS name, MIN(non_unique) AS duplicates,
            GROUP_CONCAT(CONCAT(COALESCE(column_name, '(expression)'),
                                IF(sub_part IS NULL, '', CONCAT('(', sub_part, ')')))
                         ORDER BY seq_in_index SEPARATOR ',') AS cols
       FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_type = 'BTREE'
      GROUP BY table_name, index_name ORDER BY table_name, index_name`,
  );
  return rows.map(({ duplicates, cols, ...row }) => ({
    ...row,
    isUnique: duplicates === 0,
    columns: cols.split(','),
  }));
}

async function readForeignKeys(connection: Connection): Promise<OfTable<StoredForeignKey>[]> {
  type Row = OfTable<Record<'name' | 'target' | 'cols' | 'targets' | 'rules', string>>;
  const rows = await connection.query<Row[]>(
    `SELECT r.table_name AS tbl, r.constraint_name AS name, r.referenced_table_name AS target,
            CONCAT(MIN(r.delete_rule), ',', MIN(r.update_rule)) AS rules,
            GROUP_CONCAT(k.column_name ORDER BY k.ordinal_position SEPARATOR ',') AS cols,
            GROUP_CONCAT(k.referenced_column_name ORDER BY k.ordinal_position SEPARATOR ',') AS targets
       FROM information_schema.referential_constraints r
       JOIN information_schema.key_column_usage k
         ON k.constraint_schema = r.constraint_schema AND k.table_name = r.table_name
        AND k.constraint_name = r.constraint_name
      WHERE r.constraint_schema = DATABASE()
      GROUP BY r.table_name, r.constraint_name, r.referenced_table_name ORDER BY r.table_name, r.constraint_name`,
  );
  return rows.map(({ cols, targets, rules, ...row }) => ({
    ...row,
    columns: cols.split(','),
    targetColumns: targets.split(','),
    isCascading: rules.split(',').some((rule) => rule !== 'RESTRICT' && rule !== 'NO ACTION'),
  }));
}
