import { type UpsertResult } from 'mariadb';
import { type Transaction } from './transaction.js';

/**
 * Writes these rows, in id order, without changing what they mean; gives the number of rows that there are. Transactions
 * that must not run at the same time touch a row that they have in common.
 *
 * It has to be a write: a lock that is only read for (FOR UPDATE) does not hold on the other nodes of a cluster. And it
 * has to change something, because an update to the same values is not replicated: so updated_at becomes `now`, or
 * a second later where it is `now` already.
 */
export async function touch(
  tx: Transaction,
  table: 'resource_providers' | 'resource_classes',
  ids: Iterable<number>,
  now: Date,
): Promise<number> {
  const { affectedRows } = await tx.query<UpsertResult>(
    `UPDATE ${table} SET updated_at = IF(updated_at <=> ?, ? + INTERVAL 1 SECOND, ?) WHERE id IN (?) ORDER BY id`,
    [now, now, now, [...ids]],
  );
  return affectedRows;
}
