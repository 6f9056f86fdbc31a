import { sql } from 'kysely';
import { ok, warning, type Finding } from '../finding.js';
import { read, statement, tables, type Queryable } from '../sql/statements.js';
import { groupBy } from '../../model/collections.js';

/** The running servers. A process that does not serve, or is of version 1.0, has no value. */
const SERVERS = statement(
  tables
    .selectFrom('placement_feed_writers')
    .where(sql<boolean>`expires_at > UTC_TIMESTAMP()`)
    .where('excluded_root_traits', 'is not', null)
    .select(['holder', sql<string>`excluded_root_traits`.as('traits')])
    .orderBy('holder'),
);

const CHECK = 'excluded root traits';

/** Returns the value of the setting in the form that servers write. */
export function excludedRootsText(traits: readonly string[]): string {
  return traits.toSorted().join(',');
}

/** Compares the setting `search.excludedRootTraits` of the running servers with each other and with these settings. */
export async function checkExcludedRoots(reader: Queryable, own: readonly string[]): Promise<Finding[]> {
  const servers = await read(reader, SERVERS, []);
  const holders = groupBy(servers, ({ traits }) => traits);
  const expected = excludedRootsText(own);
  if ([...holders.keys()].every((traits) => traits === expected))
    return servers.length === 0 ? [] : [ok(CHECK, `${shown(expected)} on all ${servers.length} servers`)];
  const differing = Array.from(holders, ([traits, of]) => `${shown(traits)} (${of[0].holder})`);
  const found = `servers exclude ${differing.join(', ')}; these settings say ${shown(expected)}`;
  const change =
    'set `search.excludedRootTraits` alike for all servers: otherwise answers depend on the server';
  return [warning(CHECK, found, { change })];
}

function shown(traits: string): string {
  return traits === '' ? 'nothing' : traits;
}
