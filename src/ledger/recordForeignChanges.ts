import type { FormerProvider } from '../feed/writer.js';
import { touch } from './lockRows.js';
import { inTransaction, type Ledger } from './transaction.js';

/**
 * Announces changes that a writer made who does not know the change feed; those providers that were known before are given as
 * they were. Their rows are written, so that what is announced is true until the commit: else a rival's later generation
 * could be announced first.
 */
export async function recordForeignChanges(
  ledger: Ledger,
  ids: readonly number[],
  known: readonly FormerProvider[],
): Promise<void> {
  await inTransaction(ledger, async (tx) => {
    await touch(tx, 'resource_providers', ids, tx.now);
    tx.announce(ids);
    tx.announceLeaving(known);
  });
}
