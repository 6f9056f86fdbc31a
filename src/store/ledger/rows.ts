import type { UpsertResult } from 'mariadb';
import { columns, updateOf, type Column } from '../sql/statements.js';
import type { Transaction } from './transaction.js';

/** The number of rows that a query with a LIMIT would return without it. */
export const COUNT_OF_ALL: Column<number> = 'COUNT(*) OVER ()';

/** The maximum number of rows in a statement, far below the limits of a server. */
const BATCH = 2000;

/** The maximum number of rows in a statement whose condition has a term for each row. */
export const COMPARED_AT_ONCE = 500;

/** Splits rows into batches for one statement each. */
export function* batches<T>(rows: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/**
 * Locks rows until the end of the transaction and returns how many of them exist. Transactions that must not run
 * concurrently lock a common row.
 *
 * The lock is an update in id order, because a read lock (FOR UPDATE) does not exclude writers on other nodes of a
 * cluster. An update that changes nothing is not replicated, so updated_at becomes `tx.now`, or a second later if it is
 * `tx.now` already.
 */
export async function lockRows(
  tx: Transaction,
  table: 'resource_providers' | 'resource_classes' | 'placement_aggregates',
  ids: Iterable<number>,
): Promise<number> {
  const { id, updated_at: at } = columns(table);
  let count = 0;
  for (const batch of batches([...ids].sort((a, b) => a - b))) {
    const { affectedRows } = await tx.query<UpsertResult>(
      `${updateOf(table)} SET ${at} = IF(${at} <=> ?, ? + INTERVAL 1 SECOND, ?) WHERE ${id} IN (?) ORDER BY ${id}`,
      [tx.now, tx.now, tx.now, batch],
    );
    count += affectedRows;
  }
  return count;
}

/** The rows to delete and the rows to write. */
export interface RowChange<Stored, Wanted = Stored> {
  readonly removed: readonly Stored[];
  readonly added: readonly Wanted[];
}

/**
 * Compares stored rows with the wanted ones that replace them. A row stays if exactly one stored row has its key and
 * equals it. Returns the other stored rows and the other wanted ones.
 */
export function changeOf<Stored, Wanted>(
  stored: readonly Stored[],
  wanted: readonly Wanted[],
  keyOf: (row: Stored | Wanted) => string,
  isEqual: (one: Stored, other: Wanted) => boolean = () => true,
): RowChange<Stored, Wanted> {
  const byKey = new Map<string, Stored | null>();
  for (const row of stored) byKey.set(keyOf(row), byKey.has(keyOf(row)) ? null : row);
  const staying = new Set<string>();
  for (const row of wanted) {
    const old = byKey.get(keyOf(row)) ?? null;
    if (old !== null && isEqual(old, row)) staying.add(keyOf(row));
  }
  return {
    removed: stored.filter((row) => !staying.has(keyOf(row))),
    added: wanted.filter((row) => !staying.has(keyOf(row))),
  };
}
