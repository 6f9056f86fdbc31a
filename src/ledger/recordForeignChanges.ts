import { ANY_CHANGE, NEW_WITH_ANYTHING, type FormerProvider } from '../feed/recordedChanges.js';
import { lockRows } from './rows.js';
import { inTransaction, type Ledger } from './transaction.js';

/**
 * Records changes by another program, which writes no change feed; `known` are the providers as they were. Their rows
 * are locked until the commit, because a later generation could otherwise be recorded first.
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
