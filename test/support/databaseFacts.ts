import type { Pool } from 'mariadb';

/** Prisma's own record of its migrations, and the migrator's lock: schema.prisma does not mention them. */
const MIGRATOR = ['_prisma_migrations', 'placement_migration_lock'];

/**
 * What the tables of a database are like, as one line for each fact: tables, columns (type, nullability, default),
 * primary keys, indexes and foreign keys. The lines are the same on MariaDB and on MySQL.
 */
export async function databaseFacts(pool: Pool): Promise<string[]> {
  const facts = await Promise.all([tables(pool), columns(pool), indexes(pool), foreignKeys(pool)]);
  return facts.flat().filter((fact) => !MIGRATOR.some((table) => fact.startsWith(`${table}:`)));
}

/** The facts of which only one side knows: empty when schema and database agree. */
export function drift(schema: readonly string[], database: readonly string[]): string[] {
  return [
    ...schema.filter((fact) => !database.includes(fact)).map((fact) => `only in the schema: ${fact}`),
    ...database.filter((fact) => !schema.includes(fact)).map((fact) => `only in the database: ${fact}`),
  ].sort();
}

async function tables(pool: Pool): Promise<string[]> {
  const rows = await pool.query<{ name: string; kind: string }[]>(
    `SELECT table_name AS name, table_type AS kind FROM information_schema.tables WHERE table_schema = DATABASE()`,
  );
  return rows.map(({ name, kind }) => `${name}: ${kind === 'BASE TABLE' ? 'table' : kind}`);
}

interface ColumnRow {
  readonly tbl: string;
  readonly col: string;
  readonly type: string;
  readonly nullable: 'YES' | 'NO';
  readonly value: string | null;
  readonly extra: string;
}

async function columns(pool: Pool): Promise<string[]> {
  const rows = await pool.query<ColumnRow[]>(
    `SELECT table_name AS tbl, column_name AS col, CAST(column_type AS CHAR) AS type, is_nullable AS nullable,
            column_default AS value, extra AS extra
       FROM information_schema.columns WHERE table_schema = DATABASE()`,
  );
  return rows.map(({ tbl, col, type, nullable, value, extra }) => {
    // MariaDB writes int(11) for int and the word NULL for no default; MySQL does not
    const parts = [type.replace(/^(int|bigint)\(\d+\)/, '$1'), nullable === 'YES' ? 'null' : 'not null'];
    if (value !== null && value !== 'NULL') parts.push(`default ${value}`);
    if (extra !== '') parts.push(extra.toLowerCase());
    return `${tbl}: column ${col} ${parts.join(' ')}`;
  });
}

interface IndexRow {
  readonly tbl: string;
  readonly name: string;
  readonly duplicates: number;
  readonly kind: string;
  readonly cols: string;
}

async function indexes(pool: Pool): Promise<string[]> {
  const rows = await pool.query<IndexRow[]>(
    `SELECT table_name AS tbl, index_name AS name, MIN(non_unique) AS duplicates, MIN(index_type) AS kind,
            GROUP_CONCAT(CONCAT(column_name, IF(sub_part IS NULL, '', CONCAT('(', sub_part, ')')),
                                IF(collation = 'D', ' desc', '')) ORDER BY seq_in_index SEPARATOR ', ') AS cols
       FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name`,
  );
  return rows.map(({ tbl, name, duplicates, kind, cols }) => {
    if (name === 'PRIMARY') return `${tbl}: primary key (${cols})`;
    const type = kind === 'BTREE' ? (duplicates ? 'index' : 'unique') : kind.toLowerCase();
    return `${tbl}: ${type} ${name} (${cols})`;
  });
}

interface ForeignKeyRow {
  readonly tbl: string;
  readonly name: string;
  readonly target: string;
  readonly cols: string;
  readonly targets: string;
  readonly deletes: string;
  readonly updates: string;
}

async function foreignKeys(pool: Pool): Promise<string[]> {
  const rows = await pool.query<ForeignKeyRow[]>(
    `SELECT r.table_name AS tbl, r.constraint_name AS name, r.referenced_table_name AS target,
            MIN(r.delete_rule) AS deletes, MIN(r.update_rule) AS updates,
            GROUP_CONCAT(k.column_name ORDER BY k.ordinal_position SEPARATOR ', ') AS cols,
            GROUP_CONCAT(k.referenced_column_name ORDER BY k.ordinal_position SEPARATOR ', ') AS targets
       FROM information_schema.referential_constraints r
       JOIN information_schema.key_column_usage k
         ON k.constraint_schema = r.constraint_schema AND k.table_name = r.table_name
        AND k.constraint_name = r.constraint_name
      WHERE r.constraint_schema = DATABASE() GROUP BY r.table_name, r.constraint_name, r.referenced_table_name`,
  );
  // "restrict" and "no action" are one and the same in InnoDB, and MariaDB and MySQL each name another as the default
  const rule = (name: string): string => (name === 'RESTRICT' ? 'no action' : name.toLowerCase());
  return rows.map(
    ({ tbl, name, target, cols, targets, deletes, updates }) =>
      `${tbl}: foreign key ${name} (${cols}) -> ${target} (${targets})` +
      ` on delete ${rule(deletes)} on update ${rule(updates)}`,
  );
}
