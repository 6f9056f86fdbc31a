import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';

/** How many consumers belong to something, by its id: one statement, on an index alone, for all that are asked for. */
export function consumerCounts(
  { pool }: Database,
  owner: 'project_id' | 'consumer_type_id',
): DataLoader<number, number> {
  return new DataLoader(async (ids) => {
    const rows = await pool.query<{ id: number; consumers: number }[]>(
      `SELECT ${owner} AS id, COUNT(*) AS consumers FROM consumers WHERE ${owner} IN (?) GROUP BY ${owner}`,
      [ids],
    );
    const byId = new Map(rows.map(({ id, consumers }) => [id, consumers]));
    return ids.map((id) => byId.get(id) ?? 0);
  });
}
