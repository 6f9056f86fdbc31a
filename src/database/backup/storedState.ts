import { EXPECTED_TABLES, HISTORY_TABLE, OWN_TABLES } from '../adoption/placementTables.js';
import type { StoredTable } from '../adoption/storedTables.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import type { CopiedTable } from '../transfer/copiedTables.js';

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
