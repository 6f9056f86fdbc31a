import { sql } from 'kysely';
import { read, statement, tables, value, type Reader } from '../../database/statements.js';
import type { FleetSnapshot } from '../model/fleetSnapshot.js';
import { grouped } from '../model/providerData.js';
import type { IdRange } from './idRange.js';

const PROVIDERS = statement(
  tables
    .selectFrom('resource_providers')
    .select((eb) => [
      'id',
      eb.fn.coalesce('name', 'uuid').as('name'),
      eb.fn.coalesce('generation', sql.lit(0)).as('generation'),
      eb.fn.coalesce('parent_provider_id', sql.lit(0)).as('parentId'),
      eb.fn.coalesce('root_provider_id', 'id').as('rootId'),
    ])
    .where('id', '>', value<number>())
    .where('id', '<=', value<number>()),
);
const AGGREGATES = statement(
  tables
    .selectFrom('resource_provider_aggregates')
    .select(['resource_provider_id as providerId', 'aggregate_id as id'])
    .where('resource_provider_id', '>', value<number>())
    .where('resource_provider_id', '<=', value<number>()),
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

/** How providers of the database differ from those of a snapshot. */
export interface Differences {
  /** Those that are not in the database as in the snapshot. */
  readonly ids: readonly number[];
  /** The fingerprints of all providers of the range in the database; those that were deleted have none. */
  readonly stored: ReadonlyMap<number, string>;
}

/** Compares the providers of a range of ids, one by one, with those of a snapshot. */
export async function findDifferences(
  reader: Reader,
  snapshot: FleetSnapshot,
  range: IdRange,
): Promise<Differences> {
  const stored = await readFingerprints(reader, range);
  const known = snapshot.fingerprints(range.after, range.last);
  const ids = [...new Set([...stored.keys(), ...known.keys()])]
    .filter((id) => stored.get(id) !== known.get(id))
    .sort((a, b) => a - b);
  return { ids, stored };
}

/** As the snapshot's fingerprints are, of what the database has. */
async function readFingerprints(reader: Reader, { after, last }: IdRange): Promise<Map<number, string>> {
  const providers = await read(reader, PROVIDERS, [after, last]);
  const aggregates = grouped(await read(reader, AGGREGATES, [after, last]), ({ id }) => id);
  const usages = grouped(await read(reader, USAGES, [after, last]), (row) => row);
  return new Map(
    providers.map(({ id, generation, parentId, rootId, name }) => {
      const ids = (aggregates.get(id) ?? []).sort((a, b) => a - b);
      const uses = (usages.get(id) ?? []).filter(({ used }) => used > 0);
      uses.sort((a, b) => a.classId - b.classId);
      const parts = [generation, parentId, rootId, JSON.stringify(name), `[${ids.join(' ')}]`];
      return [id, [...parts, ...uses.map(({ classId, used }) => `${classId}:${used}`)].join(' ')];
    }),
  );
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
