import type { Database } from '../database/database.js';
import { providersFrom } from './model/providerData.js';
import type { ProviderData } from './model/providerData.js';
import { CATALOG } from '../feed/writer.js';
import type { FeedNews, FeedPosition, FeedRow } from '../feed/position.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';
import { readNames } from './readNames.js';
import type { ProviderRecords } from './records.js';

/** What became of the providers that changed since a position, all at one moment. */
export interface Changes {
  /** As they are now; null where they are gone. */
  readonly providers: ReadonlyMap<number, ProviderData | null>;
  readonly position: FeedPosition;
  readonly names: SnapshotNames;
}

/** Ids that a condition lists at most: of longer lists it depends on the server whether an index serves them. */
const MOST_LISTED = 500;

/**
 * Reads all that changed since a position: the providers that are said to have, and what the feed tells of by now. The feed and the
 * rows of the providers come by one statement, and so from one moment: nothing half done is ever seen. The cost grows with the
 * changes.
 *
 * As a rule the feed tells of no others than those that are given. If it does a second statement looks them up in the feed itself,
 * which is the slower way, and certain.
 */
export async function loadChanges(
  { pool }: Database,
  position: FeedPosition,
  known: { readonly names: SnapshotNames; readonly changed: ReadonlySet<number> },
): Promise<Changes> {
  const read = async (isOfFeed: boolean): Promise<{ rows: Row[]; news: FeedNews }> => {
    const { sql, values } = changesQuery(position, [...known.changed], isOfFeed);
    const rows = await pool.query<Row[]>({ rowsAsArray: true, sql }, values);
    return { rows, news: position.behind(rows.flatMap((row) => (row[0] === 'feed' ? [feedRow(row)] : []))) };
  };
  const isMany = known.changed.size > MOST_LISTED;
  let { rows, news } = await read(isMany);
  if (!isMany && [...news.changed].some((id) => !known.changed.has(id))) ({ rows, news } = await read(true));
  const changed = new Set([...known.changed, ...news.changed]);
  const providers = new Map<number, ProviderData | null>();
  for (const id of changed) if (id !== CATALOG) providers.set(id, null);
  for (const entry of providersFrom(recordsFrom(rows))) providers.set(entry.id, entry);
  const isKnown = [...providers.values()].every((entry) => entry === null || hasNamesOf(entry, known.names));
  const names = changed.has(CATALOG) || !isKnown ? await readNames(pool) : known.names;
  return { providers, position: news.position, names };
}

/** One row of any of the tables, its columns by position: see changesQuery. */
type Row = [
  kind: 'feed' | 'provider' | 'stock' | 'trait' | 'aggregate',
  id: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  ratio: number,
  uuid: string,
  name: string,
];

/**
 * The providers come first in each join, because there are few of them, and the indexes are named: after a bulk load the server's
 * statistics may say that the tables are empty, and it would read them whole.
 */
function changesQuery(
  position: FeedPosition,
  given: readonly number[],
  isOfFeed: boolean,
): { sql: string; values: unknown[] } {
  const { sql: isInReach, values } = position.condition();
  const changed = `(SELECT id FROM JSON_TABLE(?, '$[*]' COLUMNS (id int PATH '$')) given
                    UNION SELECT provider_id FROM placement_feed_changes WHERE ${isInReach}) changed`;
  const rowsOf = (table: string, index: string, id: string): string =>
    isOfFeed
      ? `${changed} STRAIGHT_JOIN ${table} FORCE INDEX (${index}) ON ${id} = changed.id`
      : `${table} FORCE INDEX (${index}) WHERE ${id} IN (?)`;
  const sql = `
    SELECT 'feed' AS kind, writer_id AS id, seq AS a, settled AS b, provider_id AS c, 0 AS d, 0 AS e, 0 AS f, 0 AS g,
           0e0 AS ratio, '' AS uuid, '' AS name
      FROM placement_feed_changes WHERE ${isInReach}
    UNION ALL
    SELECT 'provider', p.id, COALESCE(p.generation, 0), p.parent_provider_id, COALESCE(p.root_provider_id, p.id),
           0, 0, 0, 0, 0e0, p.uuid, COALESCE(p.name, p.uuid)
      FROM ${rowsOf('resource_providers p', 'PRIMARY', 'p.id')}
    UNION ALL
    SELECT 'stock', i.resource_provider_id, i.resource_class_id, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
           (SELECT CAST(COALESCE(SUM(u.used), 0) AS SIGNED) FROM allocations u FORCE INDEX (allocations_resource_provider_class_used_idx)
             WHERE u.resource_provider_id = i.resource_provider_id AND u.resource_class_id = i.resource_class_id),
           i.allocation_ratio + 0e0, '', ''
      FROM ${rowsOf('inventories i', 'uniq_inventories0resource_provider_resource_class', 'i.resource_provider_id')}
    UNION ALL
    SELECT 'trait', t.resource_provider_id, t.trait_id, 0, 0, 0, 0, 0, 0, 0e0, '', ''
      FROM ${rowsOf('resource_provider_traits t', 'resource_provider_traits_resource_provider_trait_idx', 't.resource_provider_id')}
    UNION ALL
    SELECT 'aggregate', g.resource_provider_id, g.aggregate_id, 0, 0, 0, 0, 0, 0, 0e0, '', ''
      FROM ${rowsOf('resource_provider_aggregates g', 'PRIMARY', 'g.resource_provider_id')}`;
  const once = isOfFeed ? [JSON.stringify(given), ...values] : [given];
  return { sql, values: [...values, ...once, ...once, ...once, ...once] };
}

function feedRow([, writerId, seq, settled, providerId]: Row): FeedRow {
  return { writerId, seq, settled, providerId };
}

function recordsFrom(rows: readonly Row[]): ProviderRecords {
  const of = <T>(wanted: Row[0], make: (row: Row) => T): T[] =>
    rows.flatMap((row) => (row[0] === wanted ? [make(row)] : []));
  return {
    providers: of('provider', ([, id, generation, parentId, rootId, , , , , , uuid, name]) => ({
      id,
      uuid,
      name,
      generation,
      parentId: parentId,
      rootId,
    })),
    inventories: of(
      'stock',
      ([, providerId, classId, total, reserved, minUnit, maxUnit, stepSize, used, ratio]) => ({
        providerId,
        classId,
        total,
        reserved,
        minUnit,
        maxUnit,
        stepSize,
        used,
        allocationRatio: ratio,
      }),
    ),
    providerTraits: of('trait', ([, providerId, id]) => ({ providerId, id })),
    providerAggregates: of('aggregate', ([, providerId, id]) => ({ providerId, id })),
  };
}

function hasNamesOf({ inventories, traits, aggregates }: ProviderData, names: SnapshotNames): boolean {
  return (
    inventories.every(({ classId }) => names.classes.has(classId)) &&
    traits.every((id) => names.traits.has(id)) &&
    aggregates.every((id) => names.aggregates.has(id))
  );
}
