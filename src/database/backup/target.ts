import type { Connection } from 'mariadb';
import { HISTORY_TABLE } from '../adoption/placementTables.js';
import { readStoredTables, type StoredTable } from '../adoption/storedTables.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { readMigrations } from '../migrations.js';
import { PACKAGE, UNFINISHED_RESTORE } from '../migrator.js';
import { requireEmpty } from '../transfer/emptiness.js';
import { COPIED_TABLES } from '../transfer/copiedTables.js';

/**
 * Checks that a backup may be restored into a database: it is empty, or is to be replaced, or a restore into it was not finished.
 * Returns its tables.
 *
 * @throws Error with a one-line message
 */
export async function requireRestorable(
  connection: Connection,
  isReplacing: boolean,
): Promise<ReadonlyMap<string, StoredTable>> {
  const tables = new Map(await readStoredTables(connection));
  tables.delete(LOCK_TABLE);
  if (tables.size === 0) return tables;
  if (!tables.has(HISTORY_TABLE))
    throw new Error(
      `the database is not empty and not one of this program's (it has the table ${[...tables.keys()][0]}): name an empty one`,
    );
  const done = await migrationsIn(connection);
  const known = new Set([UNFINISHED_RESTORE, ...readMigrations(PACKAGE).map(({ name }) => name)]);
  const unknown = done.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(
      `the database has the migration ${unknown} of another version, whose tables would remain: name an empty one`,
    );
  if (isReplacing || done.includes(UNFINISHED_RESTORE)) return tables;
  const made = COPIED_TABLES.filter(({ name }) => tables.has(name));
  if (made.length === 0) return tables;
  if (made.length < COPIED_TABLES.length)
    throw new Error('the database is not empty: name an empty one, or replace it with --replace');
  await requireEmpty(connection).catch((error: Error) => {
    throw new Error(`${error.message}: name an empty database, or replace it with --replace`, {
      cause: error,
    });
  });
  return tables;
}

async function migrationsIn(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ name: string }[]>(
    `SELECT migration_name AS name FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL`,
  );
  return rows.map(({ name }) => name);
}
