import { type UpsertResult } from 'mariadb';
import { ProviderGenerationConflict } from './errors.js';
import { type ProviderRow } from './providerRows.js';
import { LostRace, type Transaction } from './transaction.js';

/** Refuses a generation given by the caller that is not the provider's (rule 58, decision D6). */
export function judgeGeneration(provider: ProviderRow, expected: number): void {
  if (provider.generation !== expected) {
    throw new ProviderGenerationConflict(provider.uuid, expected, provider.generation);
  }
}

/**
 * For a write that finds nothing to change, and so bumps nothing: the rows that were compared were read after the
 * generation was judged, so a rival who wrote the very same in between would pass unnoticed. Then the race is lost.
 */
export async function confirmUnchanged(tx: Transaction, provider: ProviderRow): Promise<void> {
  const rows = await tx.query<unknown[]>('SELECT 1 FROM resource_providers WHERE id = ? AND generation = ?', [
    provider.id,
    provider.generation,
  ]);
  if (rows.length === 0) throw new LostRace('a provider was changed by a rival');
}

/**
 * Marks providers as changed in this transaction: the one place that every write passes through which changes what a
 * provider offers or who uses it (decision D5). Each generation is compared with the one that the transaction has
 * read and goes up by one; if a rival was faster with any of them the race is lost.
 *
 * Call it once per transaction, when everything is judged and before the provider's other rows are written. The
 * update is the write that all rivals on a provider have in common, on one server and across a cluster; coming
 * first, it makes the losers wait and fail there, instead of in deadlocks between the rows of a provider, some of
 * which lock it by foreign key. What was judged must have been read after, or with, the generations given here.
 */
export async function markChanged(
  tx: Transaction,
  providers: readonly Pick<ProviderRow, 'id' | 'generation'>[],
  now: Date,
): Promise<void> {
  const { affectedRows } = await tx.query<UpsertResult>(
    `UPDATE resource_providers SET generation = generation + 1, updated_at = ?
     WHERE ${providers.map(() => '(id = ? AND generation = ?)').join(' OR ')} ORDER BY id`,
    [now, ...providers.flatMap(({ id, generation }) => [id, generation])],
  );
  if (affectedRows !== providers.length) throw new LostRace('a provider was changed by a rival');
}
