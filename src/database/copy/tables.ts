import { EXPECTED_TABLES, HISTORY_TABLE, OWN_TABLES, type StoredTable } from '../adoption/tables.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { ALEMBIC_TABLE } from '../migrator.js';

/** A table of OpenStack Placement, all of whose columns are copied. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What is selected to get every digit of each column. */
  readonly values: readonly string[];
  /** One column of the primary key, or two. */
  readonly key: readonly string[];
  /** Whether ids are given by the database. */
  readonly isCounted: boolean;
}

/** In the order of copying; it means nothing, because foreign keys are not checked meanwhile. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.entries(EXPECTED_TABLES).map(
  ([name, { columns, primaryKey }]) => ({
    name,
    columns: Object.keys(columns),
    values: Object.entries(columns).map(([column, { type }]) =>
      type === 'float' ? `${column} + 0e0` : column,
    ),
    key: primaryKey,
    isCounted: Object.values(columns).some(({ isCounted }) => isCounted),
  }),
);

/** The tables that have rows in an empty database, too: the standard traits and resource classes. */
export const CATALOG_TABLES = ['traits', 'resource_classes'] as const;

/** The leases of the processes that work on the database. */
export const LEASE_TABLE = 'placement_feed_writers';

/** No backup has the change feed: after a restore every reader begins anew. */
const FEED = /^placement_feed_/;

/** Every table that belongs to this program, and that of OpenStack Placement's record. The lease of a migration is nothing to keep. */
export function knownTables(): string[] {
  return [...Object.keys(EXPECTED_TABLES), ...Object.keys(OWN_TABLES), HISTORY_TABLE, ALEMBIC_TABLE];
}

/** The tables of a database that a backup has, whole: also those that an older version has not made yet are missing only. */
export function storedTables(tables: ReadonlyMap<string, StoredTable>): CopiedTable[] {
  return knownTables().flatMap((name) => {
    const stored = FEED.test(name) ? undefined : tables.get(name);
    return stored === undefined ? [] : [copied(name, stored)];
  });
}

function copied(name: string, { columns: all, indexes }: StoredTable): CopiedTable {
  const expected = EXPECTED_TABLES[name]?.columns;
  const columns = expected === undefined ? all : all.filter((column) => column.name in expected);
  const missing = Object.keys(expected ?? {}).find((column) => !all.some((each) => each.name === column));
  if (missing !== undefined)
    throw new Error(
      `the table ${name} has no column ${missing}: \`placement-graphql doctor\` tells what is needed`,
    );
  const key = indexes.find((index) => index.name === 'PRIMARY')?.columns;
  if (key === undefined)
    throw new Error(
      `the table ${name} has no primary key: \`placement-graphql doctor\` tells what is needed`,
    );
  return {
    name,
    columns: columns.map((column) => column.name),
    // every digit of a float
    values: columns.map(({ name: column, type }) => (type === 'float' ? `${column} + 0e0` : column)),
    key,
    isCounted: columns.some(({ extra }) => extra.includes('auto_increment')),
  };
}

/** Tables and columns that are neither this program's nor OpenStack Placement's: no backup has them. */
export function foreignParts(tables: ReadonlyMap<string, StoredTable>): string[] {
  const known = new Set([...knownTables(), LOCK_TABLE]);
  return [...tables].flatMap(([table, { columns }]) => {
    if (!known.has(table)) return [`the table ${table}`];
    const expected = EXPECTED_TABLES[table]?.columns;
    const others = expected === undefined ? [] : columns.filter(({ name }) => !(name in expected));
    return others.map(({ name }) => `the column ${table}.${name}`);
  });
}
