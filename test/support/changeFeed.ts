import type { Database } from '../../src/store/database/database.js';
import type { ProcessDatabase } from './database.js';
import { inTransaction } from '../../src/store/ledger/transaction.js';
import { NEW_WITH_ANYTHING, CATALOG, RecordedChanges } from '../../src/model/recordedChanges.js';

/**
 * Records changes of providers (and of the catalog) that a test has made without the ledger, so
 * that server processes read them.
 */
export async function recordChanges({ ledger }: ProcessDatabase, ids: readonly number[]): Promise<void> {
  await inTransaction(ledger, (tx) => {
    tx.recorded.addProviders([...ids, CATALOG], NEW_WITH_ANYTHING);
    return Promise.resolve();
  });
}

export async function providerIds({ pool }: Database): Promise<number[]> {
  const rows = await pool.query<{ id: number }[]>('SELECT id FROM resource_providers');
  return rows.map(({ id }) => id);
}

/** Returns a record of a transaction that has changed everything about these providers. */
export function changesOf(ids: readonly number[]): RecordedChanges {
  const recorded = new RecordedChanges();
  recorded.addProviders(ids, NEW_WITH_ANYTHING);
  return recorded;
}
