import type { Database } from '../../src/database/database.js';
import type { ProcessDatabase } from './database.js';
import { CATALOG } from '../../src/feed/writer.js';

/** Tells server processes of providers (and of the catalog) that a test has changed behind the ledger's back. */
export async function recordChanges(
  { pool, ledger: { feed } }: ProcessDatabase,
  ids: readonly number[],
): Promise<void> {
  await feed.ready();
  feed.complete(await feed.write(pool, [...new Set([...ids, CATALOG])]));
}

export async function providerIds({ pool }: Database): Promise<number[]> {
  const rows = await pool.query<{ id: number }[]>('SELECT id FROM resource_providers');
  return rows.map(({ id }) => id);
}
