import type { FormerProvider } from '../feed/writer.js';
import { lockRows } from './lockRows.js';
import { inTransaction, type Ledger } from './transaction.js';

/**
 * Records changes by a writer that does not use the change feed; providers known before are given as they
 * were. Their rows are locked until the commit: else a later generation of theirs could be recorded first.
 */
export async function recordForeignChanges(
  ledger: Ledger,
  ids: readonly number[],
  known: readonly FormerProvider[],
): Promise<void> {
  await inTransaction(ledger, async (tx) => {
    await lockRows(tx, 'resource_providers', ids);
    tx.recordChanged(ids);
    tx.recordLeaving(known);
  });
}
