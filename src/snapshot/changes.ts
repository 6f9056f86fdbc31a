import type { Database } from '../database/database.js';
import { columns, type Column } from '../database/statements.js';
import { NOT_RECORDED } from '../engine/model/snapshot.js';
import { providersFrom } from './model/providerData.js';
import type { ProviderData } from './model/providerData.js';
import { CATALOG } from '../feed/recordedChanges.js';
import type { FeedDelta, FeedPosition, FeedRow } from '../feed/position.js';
import { providersIn, usageOf, type UsageCommit } from '../feed/usage.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';
import { readNames } from './readNames.js';
import type { InventoryRecord, LinkRecord, ProviderRecord, ProviderRecords } from './records.js';

/** The providers that changed since a position, in one consistent snapshot. */
export interface Changes {
  /** As they are now; null where they were deleted. */
  readonly providers: ReadonlyMap<number, ProviderData | null>;
  /** How usage has changed besides: of providers as they are above, or as they are known. */
  readonly usage: readonly UsageCommit[];
  /** Those that the feed names. */
  readonly published: ReadonlySet<number>;
  readonly position: FeedPosition;
  readonly names: SnapshotNames;
}

/** Ids that a condition lists at most: whether an index serves longer lists depends on the server. */
const MAX_LISTED = 500;

/**
 * Reads the providers that have changed since a position: those already known to have, and those that the feed names by now. The feed
 * and the rows of the providers are read in one statement, and so in one consistent snapshot: no transaction is seen in part. The
 * cost grows with the changes.
 *
 * As a rule the feed names no others than the known ones. If it does, a second statement looks them up in the feed itself, which is
 * slower, and certain.
 */
export async function loadChanges(
  { pool }: Database,
  position: FeedPosition,
  known: { readonly names: SnapshotNames; readonly changed: ReadonlySet<number> },
): Promise<Changes> {
  const read = async (isFromFeed: boolean): Promise<{ rows: Row[]; delta: FeedDelta }> => {
    const { sql, values } = changesQuery(position, [...known.changed], isFromFeed);
    const rows = await pool.query<Row[]>({ rowsAsArray: true, sql }, values);
    return { rows, delta: position.deltaFrom(feedRowsIn(rows)) };
  };
  const isMany = known.changed.size > MAX_LISTED;
  let { rows, delta } = await read(isMany);
  if (!isMany && [...delta.changed].some((id) => !known.changed.has(id)))
    ({ rows, delta } = await read(true));
  const changed = new Set([...known.changed, ...delta.changed]);
  const providers = new Map<number, ProviderData | null>();
  for (const id of changed) if (id !== CATALOG) providers.set(id, null);
  for (const entry of providersFrom(recordsFrom(rows))) providers.set(entry.id, entry);
  const isKnown = [...providers.values()].every((entry) => entry === null || hasNamesOf(entry, known.names));
  const names = changed.has(CATALOG) || !isKnown ? await readNames(pool) : known.names;
  const usage = delta.usage.flatMap((commit) => usageOf(commit, (id) => !providers.has(id)));
  return { providers, usage, published: publishedIn(delta), position: delta.position, names };
}

/** The providers that the feed names. */
export function publishedIn({ changed, usage }: FeedDelta): Set<number> {
  return new Set([...changed, ...providersIn(usage)]);
}

/** One row of any of the tables, the columns by position: see changesQuery. */
type Row =
  | [
      kind: 'feed',
      usageChange: string,
      name: '',
      ratio: 0,
      writerId: number,
      seq: number,
      lowWatermark: number,
      providerId: number,
      generation: number,
    ]
  | [
      kind: 'provider',
      uuid: string,
      name: string,
      0,
      id: number,
      generation: number,
      parentId: number | null,
      rootId: number,
      createdAt: number,
      updatedAt: number,
    ]
  | [
      kind: 'inventory',
      '',
      '',
      ratio: number,
      providerId: number,
      classId: number,
      total: number,
      reserved: number,
      minUnit: number,
      maxUnit: number,
      stepSize: number,
      used: number,
    ]
  | [kind: 'trait' | 'aggregate', ...Unused, providerId: number, id: number];

type Unused = [uuid: '', name: '', ratio: 0];

const f = columns('placement_feed_changes');
const p = columns('resource_providers', 'p');
const i = columns('inventories', 'i');
const u = columns('allocations', 'u');
const t = columns('resource_provider_traits', 't');
const a = columns('resource_provider_aggregates', 'a');

/** A date as seconds since 1970. */
function secondsOf(date: Column): string {
  return `COALESCE(TIMESTAMPDIFF(SECOND, '1970-01-01', ${date}), ${NOT_RECORDED})`;
}

/**
 * The providers come first in each join, because there are few of them, and the indexes are named: after a bulk load the server's
 * statistics may say that the tables are empty, and it would read them whole.
 */
function changesQuery(
  position: FeedPosition,
  known: readonly number[],
  isFromFeed: boolean,
): { sql: string; values: unknown[] } {
  const { sql: isUnacknowledged, values } = position.unacknowledged();
  const changed = `(SELECT id FROM JSON_TABLE(?, '$[*]' COLUMNS (id int PATH '$')) known
                    UNION SELECT ${f.provider_id} FROM placement_feed_changes WHERE ${isUnacknowledged} AND ${f.usage_change} IS NULL) changed`;
  const rowsOf = (table: string, index: string, id: string): string =>
    isFromFeed
      ? `${changed} STRAIGHT_JOIN ${table} FORCE INDEX (${index}) ON ${id} = changed.id`
      : `${table} FORCE INDEX (${index}) WHERE ${id} IN (?)`;
  const sql = `
    SELECT 'feed', COALESCE(${f.usage_change}, ''), '', 0e0, ${f.writer_id}, ${f.seq}, ${f.settled}, ${f.provider_id},
           COALESCE(${f.generation}, 0), 0, 0, 0
      FROM placement_feed_changes WHERE ${isUnacknowledged}
    UNION ALL
    SELECT 'provider', ${p.uuid}, COALESCE(${p.name}, ${p.uuid}), 0e0, ${p.id}, COALESCE(${p.generation}, 0),
           ${p.parent_provider_id}, COALESCE(${p.root_provider_id}, ${p.id}), ${secondsOf(p.created_at)},
           ${secondsOf(p.updated_at)}, 0, 0
      FROM ${rowsOf('resource_providers p', 'PRIMARY', p.id)}
    UNION ALL
    SELECT 'inventory', '', '', ${i.allocation_ratio} + 0e0, ${i.resource_provider_id}, ${i.resource_class_id}, ${i.total},
           ${i.reserved}, ${i.min_unit}, ${i.max_unit}, ${i.step_size},
           (SELECT CAST(COALESCE(SUM(${u.used}), 0) AS SIGNED)
              FROM allocations u FORCE INDEX (allocations_resource_provider_class_used_idx)
             WHERE ${u.resource_provider_id} = ${i.resource_provider_id} AND ${u.resource_class_id} = ${i.resource_class_id})
      FROM ${rowsOf('inventories i', 'uniq_inventories0resource_provider_resource_class', i.resource_provider_id)}
    UNION ALL
    SELECT 'trait', '', '', 0e0, ${t.resource_provider_id}, ${t.trait_id}, 0, 0, 0, 0, 0, 0
      FROM ${rowsOf('resource_provider_traits t', 'resource_provider_traits_resource_provider_trait_idx', t.resource_provider_id)}
    UNION ALL
    SELECT 'aggregate', '', '', 0e0, ${a.resource_provider_id}, ${a.aggregate_id}, 0, 0, 0, 0, 0, 0
      FROM ${rowsOf('resource_provider_aggregates a', 'PRIMARY', a.resource_provider_id)}`;
  const once = isFromFeed ? [JSON.stringify(known), ...values] : [known];
  return { sql, values: [...values, ...once, ...once, ...once, ...once] };
}

function feedRowsIn(rows: readonly Row[]): FeedRow[] {
  return rows.flatMap((row) => {
    if (row[0] !== 'feed') return [];
    const [, usageChange, , , writerId, seq, lowWatermark, providerId, generation] = row;
    return [{ writerId, seq, lowWatermark, providerId, generation, usageChange: usageChange || null }];
  });
}

function recordsFrom(rows: readonly Row[]): ProviderRecords {
  const providers: ProviderRecord[] = [];
  const inventories: InventoryRecord[] = [];
  const links: Record<'trait' | 'aggregate', LinkRecord[]> = { trait: [], aggregate: [] };
  for (const row of rows) {
    if (row[0] === 'provider') {
      const [, uuid, name, , id, generation, parentId, rootId, createdAt, updatedAt] = row;
      providers.push({ id, uuid, name, generation, parentId, rootId, createdAt, updatedAt });
    } else if (row[0] === 'inventory') {
      const [, , , allocationRatio, providerId, classId, total, reserved, minUnit, maxUnit, stepSize, used] =
        row;
      const amounts = { total, reserved, minUnit, maxUnit, stepSize, allocationRatio, used };
      inventories.push({ providerId, classId, ...amounts });
    } else if (row[0] !== 'feed') {
      const [kind, , , , providerId, id] = row;
      links[kind].push({ providerId, id });
    }
  }
  return { providers, inventories, providerTraits: links.trait, providerAggregates: links.aggregate };
}

function hasNamesOf({ inventories, traits, aggregates }: ProviderData, names: SnapshotNames): boolean {
  return (
    inventories.every(({ classId }) => names.classes.has(classId)) &&
    traits.every((id) => names.traits.has(id)) &&
    aggregates.every((id) => names.aggregates.has(id))
  );
}
