import type { Connection } from 'mariadb';
import { checkCompatibility } from '../adoption/compatibility.js';
import { HISTORY_TABLE, OWN_TABLES } from '../adoption/placementTables.js';
import type { PlacementVersion } from '../adoption/placementVersions.js';
import { readStoredTables, type StoredTable } from '../adoption/storedTables.js';
import { readCatalog } from '../catalog.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { ALEMBIC_TABLE, PACKAGE } from '../migrator.js';
import { COPIED_TABLES } from './copiedTables.js';

/** A database of OpenStack Placement to copy from, or to. */
export interface PlacementEnd {
  readonly version: PlacementVersion;
  readonly tables: ReadonlyMap<string, StoredTable>;
}

/**
 * Checks that it is a database of OpenStack Placement as `adopt` would accept it; of a source, indexes and keys do not matter.
 *
 * @throws Error that tells in a line each what is not as it must be
 */
export async function requirePlacement(
  connection: Connection,
  end: 'source' | 'target',
): Promise<PlacementEnd> {
  const tables = await readStoredTables(connection);
  if (!tables.has(ALEMBIC_TABLE)) {
    throw new Error(
      `the ${end} is no database of OpenStack Placement: it has no table ${ALEMBIC_TABLE}, which \`placement-manage db sync\` makes`,
    );
  }
  const [own, catalog] = [Object.keys(OWN_TABLES), readCatalog(PACKAGE)];
  const expectations = { own, catalog, isOnlyRead: end === 'source' };
  const { version, errors } = await checkCompatibility(connection, tables, expectations);
  if (version === undefined || errors.length > 0) {
    throw new Error(
      [`the ${end} is not as it must be:`, ...errors.map((line) => `error: ${line}`)].join('\n'),
    );
  }
  return { version, tables };
}

/** Tables and columns of a source that are neither OpenStack Placement's nor ours: they are not copied. */
export function othersIn(tables: ReadonlyMap<string, StoredTable>): string[] {
  const known = new Map(COPIED_TABLES.map(({ name, columns }) => [name, columns]));
  const ours = new Set([ALEMBIC_TABLE, HISTORY_TABLE, LOCK_TABLE, ...Object.keys(OWN_TABLES)]);
  return [...tables].flatMap(([table, { columns }]) => {
    const copied = known.get(table);
    if (copied === undefined) return ours.has(table) ? [] : [`the table ${table}`];
    const others = columns.filter(({ name }) => !copied.includes(name));
    return others.map(({ name }) => `the column ${table}.${name}`);
  });
}
