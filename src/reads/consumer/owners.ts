import type { ReadableDatabase } from '../../database/database.js';
import { readOnce, tables, type Reader } from '../../database/statements.js';
import { isStorable, storable } from '../../database/storable.js';

/** A project or a user. */
export interface Project {
  readonly id: number;
  readonly externalId: string;
}

export type OwnerTable = 'projects' | 'users';

interface Owners {
  readonly projectId?: string | null;
  readonly userId?: string | null;
}

/** Whether there can be a project and a user of these ids, as far as they are given. */
export async function areOwnersStorable(reader: Reader, { projectId, userId }: Owners): Promise<boolean> {
  return (
    (projectId == null || (await isStorable(reader, 'projects', projectId))) &&
    (userId == null || (await isStorable(reader, 'users', userId)))
  );
}

/** Those of these projects or users that there are: exactly these, whatever the collation of the database. */
export async function readOwners(
  { pool }: ReadableDatabase,
  table: OwnerTable,
  externalIds: readonly string[],
): Promise<Project[]> {
  const wanted = await storable(pool, table, externalIds);
  if (wanted.size === 0) return [];
  const found = await readOnce(
    pool,
    tables
      .selectFrom(`${table} as o` as 'projects as o')
      .where('o.external_id', 'in', [...wanted])
      .select(['o.id', 'o.external_id as externalId']),
  );
  return found.filter(({ externalId }) => wanted.has(externalId));
}
