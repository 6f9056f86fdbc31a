import type { Database } from '../database/database.js';
import type { FleetSnapshot } from './model/fleetSnapshot.js';

/** Providers compared at a time: so few that other work of the process waits for some milliseconds only. */
const STEP = 1_000;

/** Differences found at a time, for the same reason: each provider is read again. */
const MOST_FOUND = 200;

type ProviderRow = [id: number, generation: number];
type UseRow = [id: number, classId: number, used: number];

/** What one step of a comparison found. */
export interface Differences {
  /** Providers whose generation or use in the database is not that of the snapshot; there may be more of them behind `next`. */
  readonly ids: readonly number[];
  /** Their fingerprints in the database; those that are gone have none. */
  readonly stored: ReadonlyMap<number, string>;
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
    {
      rowsAsArray: true,
      sql: `SELECT id, COALESCE(generation, 0) FROM resource_providers WHERE id > ? ORDER BY id LIMIT ${STEP}`,
    },
    [behind],
  );
  const last = rows.length < STEP ? LARGEST_ID : rows[rows.length - 1][0];
  const uses = await pool.query<UseRow[]>(
    {
      rowsAsArray: true,
      sql: `SELECT resource_provider_id, resource_class_id, CAST(SUM(used) AS SIGNED)
              FROM allocations WHERE resource_provider_id > ? AND resource_provider_id <= ?
             GROUP BY resource_provider_id, resource_class_id`,
    },
    [behind, last],
  );
  const stored = new Map(rows.map(([id, generation]) => [id, String(generation)]));
  uses.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [id, classId, used] of uses) stored.set(id, `${stored.get(id) ?? ''} ${classId}:${used}`);
  const known = snapshot.fingerprints(behind, last);
  const ids = [...new Set([...stored.keys(), ...known.keys()])]
    .filter((id) => stored.get(id) !== known.get(id))
    .sort((a, b) => a - b);
  if (ids.length > MOST_FOUND) return { ids: ids.slice(0, MOST_FOUND), stored, next: ids[MOST_FOUND - 1] };
  return { ids, stored, next: last === LARGEST_ID ? null : last };
}

/**
 * Of the differences those that nobody told the feed of: a snapshot that was kept up by the feed since the comparison does not have
 * them either, nor anything later of these providers.
 */
export function untold({ ids, stored }: Differences, keptUp: FleetSnapshot): number[] {
  return ids.filter((id) => {
    const [here, there] = [stored.get(id), keptUp.providerOf(id)];
    if (here === undefined || there === undefined) return here !== there;
    return here !== there.fingerprint && parseInt(here) >= there.generation;
  });
}

const LARGEST_ID = 2 ** 31 - 1;
