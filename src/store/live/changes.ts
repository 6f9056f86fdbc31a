import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { type Column, columns, read, type Queryable, statement, tables } from '../sql/statements.js';
import { allowedUsageOf, capacityOf } from '../../model/input.js';
import {
  NOT_RECORDED,
  aggregatesOnce,
  type InventoryData,
  NameTable,
  type ProviderData,
} from '../../fleet/snapshot.js';
import { type FeedLog, MAX_POLL_MS } from '../feed/log.js';
import { deltaOf, type FeedDelta, type FeedPosition, type FeedRow, type ReadRows } from '../feed/position.js';
import {
  CATALOG,
  type RowKind,
  providersIn,
  type UsageCommit,
  usageOf,
} from '../../model/recordedChanges.js';
import { catalogChecksum } from '../external/checksums.js';
import { within } from '../../model/operation/waiting.js';
import type { FleetSnapshot, SnapshotNames } from '../../fleet/fleetSnapshot.js';
import type { ConsumptionRow } from '../../fleet/consumption.js';
import { NO_PARENT } from '../../fleet/providerColumns.js';

export interface Loaded {
  readonly snapshot: FleetSnapshot;
  readonly position: FeedPosition;
}

/** The changes since a position, in one consistent snapshot of the database. */
export interface Changes extends ReadRows {
  /** The current state of changed providers by id; null if deleted. */
  readonly providers: ReadonlyMap<number, ProviderData | null>;
  /** Usage changes on top of `providers`, and of providers that are otherwise unchanged. */
  readonly usage: readonly UsageCommit[];
  readonly inFeed: ReadonlySet<number>;
  readonly names: SnapshotNames;
}

export type Known = Pick<Changes, 'position' | 'names'>;

/** Additional time for each provider that the statement reads (ms). */
const PROVIDER_MS = 1;

/** The maximum number of ids in a condition. Above it, whether the server uses the index depends on its settings. */
const MAX_LISTED = 500;

/**
 * Returns what new rows of the feed tell, and the state of the `changed` providers, at least those that the rows name.
 *
 * Each commit counts once: as an amount, or in the state of a provider that was read after it. The
 * statement that reads providers also reads the feed, so both show the same commits.
 */
export async function readChanges(
  database: Database,
  log: FeedLog,
  { position, usage, names }: FeedDelta & Known,
  changed: ReadonlySet<number>,
): Promise<Changes> {
  const read = await readProviders(database, { position, names }, changed);
  log.extend(position, read);
  const before = usage.flatMap((commit) => usageOf(commit, (id) => !read.providers.has(id)));
  return { ...read, usage: [...before, ...read.usage] };
}

/**
 * Reads the providers in `changed` and those that the feed names by now. If the feed names others, a
 * second, slower statement joins the feed itself.
 */
export async function readProviders(
  database: Database,
  known: Known,
  changed: ReadonlySet<number>,
  reader: Queryable = database.pool,
): Promise<Changes> {
  const { position } = known;
  let all = changed;
  const read = async (isFromFeed: boolean): Promise<{ rows: ChangedRow[]; delta: FeedDelta }> => {
    const { sql, values } = changesQuery(position, [...changed], isFromFeed);
    const rows = await inTime(all.size, reader.query<ChangedRow[]>({ rowsAsArray: true, sql }, values));
    const delta = deltaOf(position.newIn(feedRowsIn(rows)));
    all = new Set([...changed, ...delta.changed]);
    return { rows, delta };
  };
  const isMany = changed.size > MAX_LISTED;
  let { rows, delta } = await read(isMany);
  if (!isMany && all.size > changed.size) ({ rows, delta } = await read(true));
  const found = providersFrom(rows);
  const ids = [...all].filter((id) => id !== CATALOG);
  const isKnown = [...found.values()].every((provider) => hasNamesOf(provider, known.names));
  const names =
    all.has(CATALOG) || !isKnown ? await inTime(0, readNames(reader, database, known.names)) : known.names;
  const providers = new Map(
    ids.map((id) => {
      const provider = found.get(id);
      if (provider === undefined) return [id, null];
      return [id, { ...provider, aggregates: aggregatesOnce(provider.aggregates, names.aggregates) }];
    }),
  );
  const usage = delta.usage.flatMap((commit) => usageOf(commit, (id) => !providers.has(id)));
  return { ...delta, providers, usage, inFeed: idsInFeed(delta), names };
}

function inTime<T>(providers: number, work: Promise<T>): Promise<T> {
  return within(readTimeout(providers), 'The database does not answer.', work);
}

/** Returns the maximum duration of a read of so many providers (ms). */
export function readTimeout(providers: number): number {
  return MAX_POLL_MS + PROVIDER_MS * providers;
}

export function idsInFeed({ changed, usage }: FeedDelta): Set<number> {
  return new Set([...changed, ...providersIn(usage)]);
}

/**
 * Returns which of `ids` another program has changed: those that the feed does not name, and that the snapshot would
 * show otherwise after reading them. {@link CATALOG} stands for the catalog.
 */
export function changedOutsideFeed(
  snapshot: FleetSnapshot,
  { providers, names, inFeed }: Changes,
  ids: Iterable<number>,
): number[] {
  const others = Array.from(ids).filter((id) => !inFeed.has(id));
  const unlike = others.filter((id) => id !== CATALOG && !snapshot.has(id, providers.get(id) ?? null));
  // a snapshot cannot show every state: a provider outside of any tree stays absent
  const next = snapshot.with(new Map(unlike.map((id) => [id, providers.get(id) ?? null])), names);
  const changed = unlike.filter((id) => !snapshot.has(id, next.providerOf(id) ?? null));
  const isCatalogChanged = catalogChecksum(names) !== catalogChecksum(snapshot.names);
  return others.includes(CATALOG) && isCatalogChanged ? [...changed, CATALOG] : changed;
}

/** A row of any of the tables: the columns that changesQuery selects, 0 or empty if the table has fewer. */
type ChangedRow = readonly [
  kind: 'feed' | 'provider' | 'inventory' | 'trait' | 'aggregate' | 'consumption',
  usageChangeOrUuid: string,
  rowKindOrName: string,
  ratio: number,
  ...numbers: number[],
];

const f = columns('placement_feed_changes');
const p = columns('resource_providers', 'p');
const i = columns('inventories', 'i');
const u = columns('allocations', 'u');
const t = columns('resource_provider_traits', 't');
const a = columns('resource_provider_aggregates', 'a');
const c = columns('placement_consumptions', 'c');

function secondsOf(date: Column): string {
  return `COALESCE(TIMESTAMPDIFF(SECOND, '1970-01-01', ${date}), ${NOT_RECORDED})`;
}

/** Stands for the generation of a deleted object. */
const DELETED = -1;

const TRAITS_INDEX = 'resource_provider_traits_resource_provider_trait_idx';

/**
 * Names the indexes and the order of the joins: after a bulk load the server's statistics may say that
 * tables are empty, and it would scan them.
 */
function changesQuery(
  position: FeedPosition,
  known: readonly number[],
  isFromFeed: boolean,
): { sql: string; values: unknown[] } {
  const { sql: isOpen, values } = position.openRows();
  const changed = `(SELECT id FROM JSON_TABLE(?, '$[*]' COLUMNS (id int PATH '$')) known
                    UNION SELECT ${f.object_id} FROM placement_feed_changes
                     WHERE ${isOpen} AND ${f.kind} = 'PROVIDER' AND ${f.usage_change} IS NULL) changed`;
  const rowsOf = (table: string, index: string, id: string): string =>
    isFromFeed
      ? `${changed} STRAIGHT_JOIN ${table} FORCE INDEX (${index}) ON ${id} = changed.id`
      : `${table} FORCE INDEX (${index}) WHERE ${id} IN (?)`;
  const sql = `
    SELECT 'feed', COALESCE(${f.usage_change}, ''), ${f.kind}, 0e0, ${f.writer_id}, ${f.seq}, ${f.low_watermark},
           ${f.object_id}, COALESCE(${f.generation}, ${DELETED}), COALESCE(${f.changes}, 0), 0, 0
      FROM placement_feed_changes WHERE ${isOpen}
    UNION ALL
    SELECT 'provider', ${p.uuid}, COALESCE(${p.name}, ${p.uuid}), 0e0, ${p.id}, COALESCE(${p.generation}, 0),
           COALESCE(${p.parent_provider_id}, ${NO_PARENT}), COALESCE(${p.root_provider_id}, ${p.id}),
           ${secondsOf(p.created_at)}, ${secondsOf(p.updated_at)}, 0, 0
      FROM ${rowsOf('resource_providers p', 'PRIMARY', p.id)}
    UNION ALL
    SELECT 'inventory', '', '', ${i.allocation_ratio} + 0e0, ${i.resource_provider_id}, ${i.resource_class_id},
           ${i.total}, ${i.reserved}, ${i.min_unit}, ${i.max_unit}, ${i.step_size},
           (SELECT CAST(COALESCE(SUM(${u.used}), 0) AS SIGNED)
              FROM allocations u FORCE INDEX (allocations_resource_provider_class_used_idx)
             WHERE ${u.resource_provider_id} = ${i.resource_provider_id}
               AND ${u.resource_class_id} = ${i.resource_class_id})
      FROM ${rowsOf('inventories i', 'uniq_inventories0resource_provider_resource_class', i.resource_provider_id)}
    UNION ALL
    SELECT 'trait', '', '', 0e0, ${t.resource_provider_id}, ${t.trait_id}, 0, 0, 0, 0, 0, 0
      FROM ${rowsOf('resource_provider_traits t', TRAITS_INDEX, t.resource_provider_id)}
    UNION ALL
    SELECT 'aggregate', '', '', 0e0, ${a.resource_provider_id}, ${a.aggregate_id}, 0, 0, 0, 0, 0, 0
      FROM ${rowsOf('resource_provider_aggregates a', 'PRIMARY', a.resource_provider_id)}
    UNION ALL
    SELECT 'consumption', '', '', 0e0, ${c.provider_id}, ${c.class_id}, ${c.counter_provider_id}, ${c.counter_class_id},
           ${c.amount}, 0, 0, 0
      FROM ${rowsOf('placement_consumptions c', 'PRIMARY', c.provider_id)}`;
  const once = isFromFeed ? [JSON.stringify(known), ...values] : [known];
  return { sql, values: [...values, ...once, ...once, ...once, ...once, ...once] };
}

function feedRowsIn(rows: readonly ChangedRow[]): FeedRow[] {
  const ofFeed = rows.filter(([kind]) => kind === 'feed');
  return ofFeed.map(
    ([, usageChange, kind, , writerId, seq, lowWatermark, objectId, generation, changes]) => ({
      writerId,
      seq,
      lowWatermark,
      kind: kind as RowKind,
      objectId,
      generation: generation === DELETED ? null : generation,
      changes,
      usageChange: usageChange || null,
    }),
  );
}

function providersFrom(rows: readonly ChangedRow[]): Map<number, ProviderData> {
  type Lists = Record<'traits' | 'aggregates', number[]> & {
    readonly inventories: InventoryData[];
    readonly consumption: ConsumptionRow[];
  };
  const providers = new Map<number, ProviderData & Lists>();
  for (const [kind, uuid, name, , id, generation, parent, rootId, createdAt, updatedAt] of rows) {
    if (kind !== 'provider') continue;
    const fields = { id, uuid, name, generation, parentId: parent || null, rootId, createdAt, updatedAt };
    providers.set(id, { ...fields, inventories: [], traits: [], aggregates: [], consumption: [] });
  }
  for (const row of rows) {
    if (row[0] === 'inventory') {
      const [, , , ratio, providerId, classId, total, reserved, minUnit, maxUnit, stepSize, used] = row;
      const capacity = capacityOf(total, reserved, ratio);
      const allowed = allowedUsageOf(total, reserved, ratio);
      const inventory = { classId, capacity, allowed, used, minUnit, maxUnit, stepSize };
      providers.get(providerId)?.inventories.push(inventory);
    } else if (row[0] === 'trait') {
      providers.get(row[4])?.traits.push(row[5]);
    } else if (row[0] === 'aggregate') {
      providers.get(row[4])?.aggregates.push(row[5]);
    } else if (row[0] === 'consumption') {
      const [, , , , providerId, classId, counterProviderId, counterClassId, amount] = row;
      providers.get(providerId)?.consumption.push({ classId, counterProviderId, counterClassId, amount });
    }
  }
  return providers;
}

function hasNamesOf({ inventories, traits, aggregates }: ProviderData, names: SnapshotNames): boolean {
  return (
    inventories.every(({ classId }) => names.classes.has(classId)) &&
    traits.every((id) => names.traits.has(id)) &&
    aggregates.every((id) => names.aggregates.has(id))
  );
}

const kind = (name: keyof SnapshotNames) => sql.lit<keyof SnapshotNames>(name).as('kind');

const NAMES = statement(
  tables
    .selectFrom('resource_classes')
    .select([kind('classes'), 'id', 'name'])
    .unionAll(tables.selectFrom('traits').select([kind('traits'), 'id', 'name']))
    .unionAll(
      tables
        .selectFrom('placement_aggregates')
        .select((eb) => [kind('aggregates'), 'id', eb.fn.coalesce('uuid', sql.lit('')).as('name')]),
    ),
);

/** Reads the names of all ids. The tables still name the ids of `previous` that were deleted. */
export async function readNames(
  reader: Queryable,
  { spellings }: Pick<Database, 'spellings'>,
  previous?: SnapshotNames,
): Promise<SnapshotNames> {
  const rows = await read(reader, NAMES, []);
  const names = (wanted: keyof SnapshotNames): NameTable => {
    const own = rows.filter(({ kind }) => kind === wanted);
    const named =
      wanted === 'aggregates'
        ? own.map(({ id, name }) => ({ id, name: spellings.aggregates.uuidOf(name) }))
        : own;
    return new NameTable(named, previous?.[wanted]);
  };
  return { classes: names('classes'), traits: names('traits'), aggregates: names('aggregates') };
}
