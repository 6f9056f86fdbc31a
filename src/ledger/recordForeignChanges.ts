import { ANY_CHANGE, NEW_WITH_ANYTHING } from '../feed/kinds.js';
import type { FormerProvider } from '../feed/recordedChanges.js';
import { lockRows } from './lockRows.js';
import { inTransaction, type Ledger } from './transaction.js';

/**
 * Records changes by a writer that does not use the change feed, and so does not say what it has changed; providers known before are
 * given as they were. Their rows are locked until the commit: else a later generation of theirs could be recorded first.
 */
export async function recordForeignChanges(
  ledger: Ledger,
  ids: readonly number[],
  known: readonly FormerProvider[],
): Promise<void> {
  await inTransaction(ledger, async (tx) => {
    await lockRows(tx, 'resource_providers', ids);
    const before = new Set(known.map(({ id }) => id));
    const unknown = ids.filter((id) => !before.has(id));
    tx.recorded.addProviders(unknown, NEW_WITH_ANYTHING);
    tx.recorded.addLeaving(known, ANY_CHANGE);
  });
}
