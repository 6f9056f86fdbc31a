import { ANY_CHANGE, NEW_WITH_ANYTHING, type Former } from '../../model/recordedChanges.js';
import { lockRows, inTransaction, type Ledger } from './transaction.js';

/**
 * Records changes by an external program, which does not write the change feed. `known` has the
 * providers in their former state. Locks the rows of the providers until the commit. Otherwise, a
 * later generation could be recorded first.
 */
export async function recordForeignChanges(
  ledger: Ledger,
  ids: readonly number[],
  known: readonly Former<'rootId'>[],
): Promise<void> {
  await inTransaction(ledger, async (tx) => {
    await lockRows(tx, 'resource_providers', ids);
    const before = new Set(known.map(({ id }) => id));
    const unknown = ids.filter((id) => !before.has(id));
    tx.recorded.addProviders(unknown, NEW_WITH_ANYTHING);
    tx.recorded.addLeaving(known, ANY_CHANGE);
  });
}
