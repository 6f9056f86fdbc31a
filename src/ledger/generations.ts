import { batches, COMPARED_AT_ONCE } from './batches.js';
import { ProviderGenerationConflict } from './errors.js';
import { type ProviderRow } from './provider/providerRows.js';
import { LostRace, type Transaction } from './transaction.js';

type Compared = Pick<ProviderRow, 'id' | 'generation'>;

/** Refuses a generation given by the caller that is not the provider's (rule 58, decision D6). */
export function judgeGeneration(provider: ProviderRow, expected: number): void {
  if (provider.generation !== expected) {
    throw new ProviderGenerationConflict(provider.uuid, expected, provider.generation);
  }
}

/**
 * For providers of which a write finds nothing to change, and so bumps nothing: the rows that were compared were read after
 * the generation was judged, so a rival who wrote the very same in between would pass unnoticed. Then the race is lost.
 */
export async function confirmUnchanged(tx: Transaction, providers: readonly Compared[]): Promise<void> {
  for (const batch of batches(providers, COMPARED_AT_ONCE)) {
    const rows = await tx.query<unknown[]>(
      `SELECT 1 FROM resource_providers WHERE ${asRead(batch)}`,
      compared(batch),
    );
    if (rows.length !== batch.length) throw new LostRace('a provider was changed by a rival');
  }
}

/**
 * Marks providers as changed in this transaction: the one place that every write passes through which changes what a
 * provider offers or who uses it (decision D5). Each generation is compared with the one that the transaction has
 * read and goes up by one, or by the number of writes that share the transaction and change the provider; if a rival was
 * faster with any of them the race is lost.
 *
 * Call it once per transaction, when everything is judged and before the provider's other rows are written. The
 * update is the write that all rivals on a provider have in common, on one server and across a cluster; coming
 * first, it makes the losers wait and fail there, instead of in deadlocks between the rows of a provider, some of
 * which lock it by foreign key. What was judged must have been read after, or with, the generations given here.
 */
export function markChanged<Provider extends Compared>(
  tx: Transaction,
  providers: readonly Provider[],
  now: Date,
  /** How many writes change it, where it may be more than one. */
  writes: ReadonlyMap<Provider, number> = new Map(),
): void {
  const inOrder = [...providers].sort((a, b) => a.id - b.id);
  tx.announce(inOrder.map(({ id }) => id));
  for (const batch of batches(inOrder, COMPARED_AT_ONCE)) {
    const steps = batch
      .map((provider) => [provider.id, writes.get(provider) ?? 1])
      .filter(([, step]) => step > 1);
    const step = steps.length > 0 ? `CASE id ${steps.map(() => 'WHEN ? THEN ?').join(' ')} ELSE 1 END` : '1';
    tx.send(
      `UPDATE resource_providers SET generation = generation + ${step}, updated_at = ?
        WHERE ${asRead(batch)} ORDER BY id`,
      [...steps.flat(), now, ...compared(batch)],
      ({ affectedRows }) => {
        if (affectedRows !== batch.length) throw new LostRace('a provider was changed by a rival');
      },
    );
  }
}

function asRead(providers: readonly Compared[]): string {
  return providers.map(() => '(id = ? AND generation = ?)').join(' OR ');
}

function compared(providers: readonly Compared[]): number[] {
  return providers.flatMap(({ id, generation }) => [id, generation]);
}
