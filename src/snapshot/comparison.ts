import type { Database } from '../database/database.js';
import type { FleetSnapshot } from './fleetSnapshot.js';

/** Providers compared at a time. */
const STEP = 10_000;

interface ProviderRow {
  readonly id: number;
  readonly generation: number;
}

interface UseRow {
  readonly id: number;
  readonly classId: number;
  readonly used: number;
}

/** What one step of a comparison found. */
export interface Differences {
  /** Providers whose generation or use in the database is not that of the snapshot. */
  readonly ids: readonly number[];
  /** The id to go on behind; null at the end. */
  readonly next: number | null;
}

/**
 * Compares the database with a snapshot, by generations and sums of use, for the providers with the next higher ids. It finds what a
 * writer changed that does not write the change feed, or what a reader missed that fell behind its pruning.
 */
export async function compare(
  { pool }: Database,
  snapshot: FleetSnapshot,
  behind: number,
): Promise<Differences> {
  const rows = await pool.query<ProviderRow[]>(
    `SELECT id, COALESCE(generation, 0) AS generation FROM resource_providers WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    [behind],
  );
  const isLast = rows.length < STEP;
  const last = isLast ? 2 ** 31 - 1 : rows[rows.length - 1].id;
  const uses = await pool.query<UseRow[]>(
    `SELECT resource_provider_id AS id, resource_class_id AS classId, CAST(SUM(used) AS SIGNED) AS used
     FROM allocations WHERE resource_provider_id > ? AND resource_provider_id <= ?
     GROUP BY resource_provider_id, resource_class_id`,
    [behind, last],
  );
  const stored = new Map(rows.map(({ id, generation }) => [id, String(generation)]));
  uses.sort((a, b) => a.id - b.id || a.classId - b.classId);
  for (const { id, classId, used } of uses) stored.set(id, `${stored.get(id) ?? ''} ${classId}:${used}`);
  const known = snapshot.fingerprints(behind, last);
  const ids = [...new Set([...stored.keys(), ...known.keys()])];
  return { ids: ids.filter((id) => stored.get(id) !== known.get(id)), next: isLast ? null : last };
}
