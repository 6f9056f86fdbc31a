import { sql, type AliasedExpression, type RawBuilder, type Selectable } from 'kysely';
import { groupBy } from '../../model/collections.js';
import type { ReadableDatabase } from '../database/database.js';
import { columns, read, select, type DB } from './statements.js';

/** A row of a consumer that has an older row in another spelling (decision D24). Reads show only the older row. */
export interface DuplicateConsumer {
  readonly id: number;
  readonly text: string;
  /** The oldest row of the consumer. */
  readonly first: { readonly id: number; readonly text: string };
}

const c = columns('consumers');
const ROWS = select({ id: c.id, text: c.uuid }, `FROM consumers WHERE ${c.uuid} IN (?)`);

/** Reads all such rows. Takes no statement unless another program has stored a consumer in another spelling. */
export async function readDuplicateConsumers({
  pool,
  spellings: { consumers },
}: Pick<ReadableDatabase, 'pool' | 'spellings'>): Promise<DuplicateConsumer[]> {
  await consumers.since();
  if (consumers.size === 0) return [];
  const texts = Array.from(consumers.entries(), ([, all]) => [...all]).flat();
  const rows = (await read(pool, ROWS, [texts])).sort((one, other) => one.id - other.id);
  return Array.from(groupBy(rows, ({ text }) => consumers.uuidOf(text)).values()).flatMap(
    ([first, ...others]) => others.map((row) => ({ ...row, first })),
  );
}

/** Returns the allocations as a table `a` in which those of duplicates have the text of the oldest row. */
export function allocationsOfOldest(
  duplicates: readonly DuplicateConsumer[],
): AliasedExpression<Selectable<DB['allocations']>, 'a'> {
  const allocations = sql.table('allocations');
  if (duplicates.length === 0) return sql<Selectable<DB['allocations']>>`${allocations}`.as('a');
  const cases = duplicates.map(({ text, first }) => sql`WHEN ${text} THEN ${first.text}`);
  return sql<Selectable<DB['allocations']>>`(
    SELECT id, resource_provider_id, resource_class_id, used,
           CASE consumer_id ${sql.join(cases, sql` `)} ELSE consumer_id END AS consumer_id
      FROM ${allocations})`.as('a');
}

/** Returns the condition for all consumers but some duplicates, at least one, by a column of their ids. */
export function isOldest(duplicates: readonly DuplicateConsumer[], id: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(id)} NOT IN (${sql.join(duplicates.map((row) => row.id))})`;
}
