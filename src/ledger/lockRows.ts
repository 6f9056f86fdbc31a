import { type UpsertResult } from 'mariadb';
import { columns } from '../database/statements.js';
import { type Transaction } from './transaction.js';

/**
 * Locks these rows until the end of the transaction: updates them, in id order, without changing what they mean. Gives the
 * number of rows that there are. Transactions that must not run at the same time lock a row that they have in common.
 *
 * It has to be a write: a lock that is only read for (FOR UPDATE) does not hold on the other nodes of a cluster. And it
 * has to change something, because an update to the same values is not replicated: so updated_at becomes `tx.now`, or
 * a second later where it is that already.
 */
export async function lockRows(
  tx: Transaction,
  table: 'resource_providers' | 'resource_classes',
  ids: Iterable<number>,
): Promise<number> {
  const { id, updated_at: at } = columns(table);
  const { affectedRows } = await tx.query<UpsertResult>(
    `UPDATE ${table} SET ${at} = IF(${at} <=> ?, ? + INTERVAL 1 SECOND, ?) WHERE ${id} IN (?) ORDER BY ${id}`,
    [tx.now, tx.now, tx.now, [...ids]],
  );
  return affectedRows;
}
