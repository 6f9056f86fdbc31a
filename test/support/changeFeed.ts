import type { Database } from '../../src/database/database.js';
import { CATALOG, feedWriterOf } from '../../src/snapshot/feedWriter.js';

/** Tells server processes of providers (and of the catalog) that a test has changed behind the ledger's back. */
export async function recordChanges(database: Database, ids: readonly number[]): Promise<void> {
  const feed = feedWriterOf(database);
  await feed.ready();
  feed.settle(await feed.write(database.pool, [...new Set([...ids, CATALOG])]));
}

export async function providerIds({ pool }: Database): Promise<number[]> {
  const rows = await pool.query<{ id: number }[]>('SELECT id FROM resource_providers');
  return rows.map(({ id }) => id);
}
