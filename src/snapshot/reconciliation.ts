import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { read, statement, tables, value } from '../database/statements.js';
import type { FleetSnapshot } from './model/fleetSnapshot.js';

/** Providers compared at a time: so few that other work of the process waits for some milliseconds only. */
const STEP = 1_000;

/** Differences found at a time, for the same reason: each provider is read again. */
const MAX_FOUND = 200;

const PROVIDERS = statement(
  tables
    .selectFrom('resource_providers')
    .select((eb) => [
      'id',
      'name',
      eb.fn.coalesce('generation', sql.lit(0)).as('generation'),
      eb.fn.coalesce('parent_provider_id', sql.lit(0)).as('parentId'),
      eb.fn.coalesce('root_provider_id', 'id').as('rootId'),
    ])
    .where('id', '>', value<number>())
    .orderBy('id')
    .limit(sql.lit(STEP)),
);
const USAGES = statement(
  tables
    .selectFrom('allocations')
    .select(['resource_provider_id as providerId', 'resource_class_id as classId'])
    .select((eb) => sql<number>`CAST(SUM(${eb.ref('used')}) AS SIGNED)`.as('used'))
    .where('resource_provider_id', '>', value<number>())
    .where('resource_provider_id', '<=', value<number>())
    .groupBy(['resource_provider_id', 'resource_class_id']),
);

/** What one step of a reconciliation found. */
export interface Differences {
  /**
   * Providers whose generation, name, place in a tree or usage in the database is not that of the snapshot; there may be more of
   * them after `next`.
   */
  readonly ids: readonly number[];
  /** Their fingerprints in the database; those that were deleted have none. */
  readonly stored: ReadonlyMap<number, string>;
  /** The id to continue after; null at the end. */
  readonly next: number | null;
}

/**
 * Compares generations, names, places in trees and sums of usage in the database with those of a snapshot, for the providers with
 * the next higher ids. It finds what was changed by a writer that does not write the change feed, and what a reader missed that was
 * slower than its pruning.
 */
export async function findDifferences(
  { pool }: Database,
  snapshot: FleetSnapshot,
  after: number,
): Promise<Differences> {
  const providers = await read(pool, PROVIDERS, [after]);
  const last = providers.length < STEP ? LARGEST_ID : providers[providers.length - 1].id;
  const usages = await read(pool, USAGES, [after, last]);
  const stored = new Map(
    providers.map(({ id, generation, parentId, rootId, name }) => [
      id,
      `${generation} ${parentId} ${rootId} ${JSON.stringify(name)}`,
    ]),
  );
  usages.sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);
  for (const { providerId, classId, used } of usages) {
    stored.set(providerId, `${stored.get(providerId) ?? ''} ${classId}:${used}`);
  }
  const known = snapshot.fingerprints(after, last);
  const ids = [...new Set([...stored.keys(), ...known.keys()])]
    .filter((id) => stored.get(id) !== known.get(id))
    .sort((a, b) => a - b);
  if (ids.length > MAX_FOUND) return { ids: ids.slice(0, MAX_FOUND), stored, next: ids[MAX_FOUND - 1] };
  return { ids, stored, next: last === LARGEST_ID ? null : last };
}

/**
 * The differences that are not in the feed: a snapshot that has followed the feed since they were found does not have them, nor any
 * later generation of these providers.
 */
export function unpublished({ ids, stored }: Differences, current: FleetSnapshot): number[] {
  return ids.filter((id) => {
    const [here, there] = [stored.get(id), current.providerOf(id)];
    if (here === undefined || there === undefined) return here !== there;
    return here !== there.fingerprint && parseInt(here) >= there.generation;
  });
}

const LARGEST_ID = 2 ** 31 - 1;
