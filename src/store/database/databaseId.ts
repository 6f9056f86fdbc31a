import { HISTORY_TABLE } from '../migrations/tables.js';
import type { Queryable } from '../sql/statements.js';

/**
 * Returns the id of the database: the random id of its first migration in the history. `backup` and `restore` keep
 * it.
 */
export async function readDatabaseId(reader: Queryable): Promise<string> {
  const [{ id }] = await reader.query<{ id: string }[]>(
    `SELECT id FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL ORDER BY migration_name LIMIT 1`,
  );
  return id;
}
