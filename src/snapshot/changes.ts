import type { Database } from '../database/database.js';
import { entriesFrom } from './entriesFrom.js';
import type { ProviderEntry } from './entries.js';
import { CATALOG } from './feedWriter.js';
import type { FeedPosition, FeedRow } from './feedPosition.js';
import type { SnapshotNames } from './fleetSnapshot.js';
import { readNames } from './readNames.js';
import type { ProviderRecords } from './records.js';

/** What became of the providers that changed since a position, all at one moment. */
export interface Changes {
  /** As they are now; null where they are gone. */
  readonly providers: ReadonlyMap<number, ProviderEntry | null>;
  readonly position: FeedPosition;
  readonly names: SnapshotNames;
}

/**
 * Reads all that changed since a position, and providers that are suspected to have. The feed and the rows of the providers in it
 * come by one statement, and so from one moment: nothing half done is ever seen. The cost grows with the changes.
 */
export async function loadChanges(
  { pool }: Database,
  position: FeedPosition,
  known: { readonly names: SnapshotNames; readonly suspects: ReadonlySet<number> },
): Promise<Changes> {
  const { sql, values } = changesQuery(position, [...known.suspects]);
  const rows = await pool.query<Row[]>({ rowsAsArray: true, sql }, values);
  const news = position.behind(rows.flatMap((row) => (row[0] === 'feed' ? [feedRow(row)] : [])));
  const providers = new Map<number, ProviderEntry | null>();
  for (const id of [...news.changed, ...known.suspects]) if (id !== CATALOG) providers.set(id, null);
  for (const entry of entriesFrom(recordsFrom(rows))) providers.set(entry.id, entry);
  const isKnown = [...providers.values()].every((entry) => entry === null || hasNamesOf(entry, known.names));
  const names = news.changed.has(CATALOG) || !isKnown ? await readNames(pool) : known.names;
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
  suspects: readonly number[],
): { sql: string; values: unknown[] } {
  const { sql: isInReach, values } = position.condition();
  const beyondSeen = position.beyondSeen();
  const suspected = "UNION SELECT id FROM JSON_TABLE(?, '$[*]' COLUMNS (id int PATH '$')) suspects";
  const changed = `(SELECT DISTINCT provider_id AS id FROM placement_feed_changes
                     WHERE ${isInReach} AND ${beyondSeen.sql} ${suspects.length > 0 ? suspected : ''}) changed`;
  const sql = `
    SELECT 'feed' AS kind, writer_id AS id, seq AS a, settled AS b, provider_id AS c, 0 AS d, 0 AS e, 0 AS f, 0 AS g,
           0e0 AS ratio, '' AS uuid, '' AS name
      FROM placement_feed_changes WHERE ${isInReach}
    UNION ALL
    SELECT 'provider', p.id, COALESCE(p.generation, 0), p.parent_provider_id, COALESCE(p.root_provider_id, p.id),
           0, 0, 0, 0, 0e0, p.uuid, COALESCE(p.name, p.uuid)
      FROM ${changed} STRAIGHT_JOIN resource_providers p FORCE INDEX (PRIMARY) ON p.id = changed.id
    UNION ALL
    SELECT 'stock', i.resource_provider_id, i.resource_class_id, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
           (SELECT CAST(COALESCE(SUM(u.used), 0) AS SIGNED) FROM allocations u FORCE INDEX (allocations_resource_provider_class_used_idx)
             WHERE u.resource_provider_id = i.resource_provider_id AND u.resource_class_id = i.resource_class_id),
           i.allocation_ratio + 0e0, '', ''
      FROM ${changed} STRAIGHT_JOIN inventories i FORCE INDEX (uniq_inventories0resource_provider_resource_class)
           ON i.resource_provider_id = changed.id
    UNION ALL
    SELECT 'trait', t.resource_provider_id, t.trait_id, 0, 0, 0, 0, 0, 0, 0e0, '', ''
      FROM ${changed} STRAIGHT_JOIN resource_provider_traits t
           FORCE INDEX (resource_provider_traits_resource_provider_trait_idx) ON t.resource_provider_id = changed.id
    UNION ALL
    SELECT 'aggregate', g.resource_provider_id, g.aggregate_id, 0, 0, 0, 0, 0, 0, 0e0, '', ''
      FROM ${changed} STRAIGHT_JOIN resource_provider_aggregates g FORCE INDEX (PRIMARY)
           ON g.resource_provider_id = changed.id`;
  const unseen = [...values, ...beyondSeen.values];
  const once = suspects.length > 0 ? [...unseen, JSON.stringify(suspects)] : unseen;
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

function hasNamesOf({ stock, traits, aggregates }: ProviderEntry, names: SnapshotNames): boolean {
  return (
    stock.every(({ classId }) => names.classes.has(classId)) &&
    traits.every((id) => names.traits.has(id)) &&
    aggregates.every((id) => names.aggregates.has(id))
  );
}
