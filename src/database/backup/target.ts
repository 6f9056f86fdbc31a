import type { Connection } from 'mariadb';
import { HISTORY_TABLE } from '../adoption/adoption.js';
import { readStoredTables } from '../adoption/storedTables.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { UNFINISHED_RESTORE } from '../migrator.js';
import { requireEmpty } from '../transfer/emptiness.js';
import { COPIED_TABLES } from '../transfer/copiedTables.js';

/**
 * Checks that a backup may be restored into a database: it is empty, or is to be replaced, or a restore into it was not finished.
 *
 * @throws Error with a one-line message
 */
export async function requireRestorable(connection: Connection, isReplacing: boolean): Promise<void> {
  const tables = new Map(await readStoredTables(connection));
  tables.delete(LOCK_TABLE);
  if (tables.size === 0) return;
  if (!tables.has(HISTORY_TABLE))
    throw new Error(
      `the database is not empty and not one of this program's (it has the table ${[...tables.keys()][0]}): name an empty one`,
    );
  if (isReplacing || (await isUnfinished(connection))) return;
  const made = COPIED_TABLES.filter(({ name }) => tables.has(name));
  if (made.length === 0) return;
  if (made.length < COPIED_TABLES.length)
    throw new Error('the database is not empty: name an empty one, or replace it with --replace');
  await requireEmpty(connection).catch((error: Error) => {
    throw new Error(`${error.message}: name an empty database, or replace it with --replace`, {
      cause: error,
    });
  });
}

async function isUnfinished(connection: Connection): Promise<boolean> {
  const rows = await connection.query<unknown[]>(`SELECT 1 FROM ${HISTORY_TABLE} WHERE migration_name = ?`, [
    UNFINISHED_RESTORE,
  ]);
  return rows.length > 0;
}
