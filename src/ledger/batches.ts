/** Rows that one statement takes at most, so that it stays far below what a server accepts. */
const BATCH = 2000;

/** Rows of a statement whose condition has a term for each of them. */
export const COMPARED_AT_ONCE = 500;

/** Splits rows into what one statement takes; none give no batch. */
export function* batches<T>(rows: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
