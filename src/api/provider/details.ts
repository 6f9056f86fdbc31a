import { sql, type InferResult, type NotNull } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import type { OwnedKind } from '../../store/ledger/tree/ownership.js';
import { list, read, statement, tables, type Queryable, dateOf } from '../../store/sql/statements.js';
import { capacityOf, shortestDecimal } from '../../model/input.js';
import { byCodePoint, byName } from '../../model/listing/orderedPage.js';
import type { ProviderEntity } from '../entities.js';
import { sumOf } from '../consumer/usages.js';
import { providerOf, PROVIDERS, type StoredProvider } from './providerRow.js';

/** The amounts of an inventory `i`. */
const AMOUNTS = [
  'i.total',
  'i.reserved',
  'i.min_unit as minUnit',
  'i.max_unit as maxUnit',
  'i.step_size as stepSize',
  // in double precision, because the database would return a FLOAT rounded
  sql<number>`${sql.ref('i.allocation_ratio')} + 0e0`.as('allocationRatio'),
] as const;

/** The used amount of an inventory `i`. */
const USED = sql<number>`${tables
  .selectFrom('allocations as a')
  .select((eb) => sumOf(eb.ref('a.used')).as('used'))
  .where('a.resource_provider_id', '=', sql.ref<number>('i.resource_provider_id'))
  .where('a.resource_class_id', '=', sql.ref<number>('i.resource_class_id'))}`.as('used');

const INVENTORY_QUERY = tables
  .selectFrom('inventories as i')
  .innerJoin('resource_classes as k', 'k.id', 'i.resource_class_id')
  .where('i.resource_provider_id', 'in', list<number>())
  .select([
    'i.resource_provider_id as providerId',
    'k.name as resourceClass',
    ...AMOUNTS,
    'i.created_at as createdAt',
    'i.updated_at as updatedAt',
    USED,
  ]);

type StoredInventory = Readonly<InferResult<typeof INVENTORY_QUERY>[number]>;

/** An inventory of a provider, with its capacity and the used amount. */
export interface InventoryRow extends Omit<StoredInventory, keyof Dates>, Dates {
  readonly capacity: number;
}

/** The times of a row. Null: it has none. */
export interface Dates {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

function dated<Row extends { readonly createdAt: string | null; readonly updatedAt: string | null }>(
  row: Row,
): Omit<Row, keyof Dates> & Dates {
  return { ...row, createdAt: dateOf(row.createdAt), updatedAt: dateOf(row.updatedAt) };
}

const INVENTORIES = statement(INVENTORY_QUERY);

/** Reads inventories with the sums of their allocations (rule 28), sorted by class name. */
export async function readInventories(
  reader: Queryable,
  providerIds: readonly number[],
): Promise<InventoryRow[]> {
  const rows = await read(reader, INVENTORIES, [providerIds]);
  return rows
    .map((row) => ({
      ...dated(row),
      allocationRatio: shortestDecimal(row.allocationRatio),
      capacity: capacityOf(row.total, row.reserved, row.allocationRatio),
    }))
    .sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass));
}

const TRAITS = statement(
  tables
    .selectFrom('resource_provider_traits as m')
    .innerJoin('traits as t', 't.id', 'm.trait_id')
    .where('m.resource_provider_id', 'in', list<number>())
    .select([
      'm.resource_provider_id as providerId',
      't.name',
      't.created_at as createdAt',
      't.updated_at as updatedAt',
    ]),
);

/** Reads the traits of these providers, sorted by name. */
export async function readTraits(reader: Queryable, providerIds: readonly number[]) {
  return (await read(reader, TRAITS, [providerIds])).map(dated).sort(byName);
}

const AGGREGATES = statement(
  tables
    .selectFrom('resource_provider_aggregates as m')
    .innerJoin('placement_aggregates as o', 'o.id', 'm.aggregate_id')
    .where('m.resource_provider_id', 'in', list<number>())
    .where('o.uuid', 'is not', null)
    .select(['m.resource_provider_id as providerId', 'o.uuid'])
    .$narrowType<{ uuid: string }>(),
);

/** Reads the aggregates that directly contain these providers, each once, sorted by uuid. */
export async function readAggregates(
  { pool, spellings }: Pick<ReadableDatabase, 'pool' | 'spellings'>,
  providerIds: readonly number[],
) {
  const rows = await read(pool, AGGREGATES, [providerIds]);
  const links = rows.map(({ providerId, uuid }) => ({ providerId, uuid: spellings.aggregates.uuidOf(uuid) }));
  const once =
    spellings.aggregates.size === 0
      ? links
      : [...new Map(links.map((link) => [`${link.providerId} ${link.uuid}`, link])).values()];
  return once.sort((a, b) => byCodePoint(a.uuid, b.uuid));
}

const OWNERSHIPS = statement(
  tables
    .selectFrom('placement_ownerships as m')
    .innerJoin('resource_providers as p', 'p.id', 'm.provider_id')
    .leftJoin('resource_classes as k', (join) =>
      join.onRef('k.id', '=', 'm.object_id').on('m.kind', '=', sql.lit('INVENTORY')),
    )
    .leftJoin('traits as t', (join) =>
      join.onRef('t.id', '=', 'm.object_id').on('m.kind', '=', sql.lit('TRAIT')),
    )
    .leftJoin('placement_aggregates as o', (join) =>
      join.onRef('o.id', '=', 'm.object_id').on('m.kind', '=', sql.lit('AGGREGATE')),
    )
    .where('m.provider_id', 'in', list<number>())
    .select((eb) => [
      'm.provider_id as providerId',
      'm.kind',
      'm.owner',
      eb.fn.coalesce('k.name', 't.name', 'o.uuid', 'p.name').as('name'),
    ])
    .$narrowType<{ kind: OwnedKind; name: string }>(),
);

/** Reads the owners of these providers and of their parts, sorted by kind and name. */
export async function readOwnerships(reader: Queryable, providerIds: readonly number[]) {
  const rows = await read(reader, OWNERSHIPS, [providerIds]);
  return rows.sort((a, b) => byCodePoint(a.kind, b.kind) || byName(a, b));
}

/** A counter that an inventory of a provider consumes, or an inventory of the provider that is a counter. */
export interface ConsumptionDetail {
  readonly providerId: number;
  readonly isCounter: boolean;
  /** The class of the inventory that consumes; null of a counter. */
  readonly inventoryClass: string | null;
  /** The uuid of the counter's provider. */
  readonly counterProvider: string | null;
  /** The class of the counter. */
  readonly resourceClass: string;
  readonly amount: number;
}

const CONSUMPTIONS = statement(
  tables
    .selectFrom('placement_consumptions as c')
    .innerJoin('resource_classes as k', 'k.id', 'c.class_id')
    .innerJoin('resource_classes as n', 'n.id', 'c.counter_class_id')
    .leftJoin('resource_providers as p', 'p.id', 'c.counter_provider_id')
    .where('c.provider_id', 'in', list<number>())
    .select((eb) => [
      'c.provider_id as providerId',
      sql<number>`0`.as('isCounter'),
      eb.ref('k.name').$castTo<string | null>().as('inventoryClass'),
      'p.uuid as counterProvider',
      'n.name as resourceClass',
      'c.amount',
      'c.counter_provider_id as counterProviderId',
      'c.counter_class_id as counterClassId',
    ])
    .unionAll(
      tables
        .selectFrom('placement_consumptions as c')
        .innerJoin('resource_classes as n', 'n.id', 'c.counter_class_id')
        .where('c.counter_provider_id', 'in', list<number>())
        .distinct()
        .select([
          'c.counter_provider_id as providerId',
          sql<number>`1`.as('isCounter'),
          sql<string | null>`NULL`.as('inventoryClass'),
          sql<string | null>`NULL`.as('counterProvider'),
          'n.name as resourceClass',
          sql<number>`0`.as('amount'),
          'c.counter_provider_id as counterProviderId',
          'c.counter_class_id as counterClassId',
        ]),
    ),
);

/** Reads the counters that the inventories of these providers consume, by their ids, and which of them are counters. */
export async function readConsumptions(
  reader: Queryable,
  providerIds: readonly number[],
): Promise<ConsumptionDetail[]> {
  const rows = await read(reader, CONSUMPTIONS, [providerIds, providerIds]);
  return rows
    .map((row) => ({ ...row, isCounter: row.isCounter === 1 }))
    .sort(
      (one, other) =>
        one.counterProviderId - other.counterProviderId || one.counterClassId - other.counterClassId,
    );
}

/*
 * The following functions read providers by uuid with one kind of their details in one statement, so that the
 * generation belongs to the details.
 */

/** A provider with one of its details. A provider without details has one row, in which `detail` is null. */
export interface WithDetail<Detail> {
  readonly provider: ProviderEntity;
  readonly detail: Detail | null;
}

const BY_UUID = PROVIDERS.where('p.uuid', 'in', list<string>());
const WITH_INVENTORIES = BY_UUID.leftJoin('inventories as i', 'i.resource_provider_id', 'p.id')
  .leftJoin('resource_classes as k', 'k.id', 'i.resource_class_id')
  .select('k.name as resourceClass');

const DATED_INVENTORIES_BY_UUID = statement(
  WITH_INVENTORIES.select([...AMOUNTS, 'i.created_at as detailCreatedAt', 'i.updated_at as detailUpdatedAt'])
    // of rows with a class
    .$narrowType<Record<'total' | 'reserved' | 'minUnit' | 'maxUnit' | 'stepSize', NotNull>>(),
);
const USAGES_BY_UUID = statement(WITH_INVENTORIES.select(USED));
const TRAITS_BY_UUID = statement(
  BY_UUID.leftJoin('resource_provider_traits as m', 'm.resource_provider_id', 'p.id')
    .leftJoin('traits as t', 't.id', 'm.trait_id')
    .select(['t.name as trait', 't.created_at as detailCreatedAt', 't.updated_at as detailUpdatedAt']),
);
const AGGREGATES_BY_UUID = statement(
  BY_UUID.leftJoin('resource_provider_aggregates as m', 'm.resource_provider_id', 'p.id')
    .leftJoin('placement_aggregates as o', 'o.id', 'm.aggregate_id')
    .select('o.uuid as aggregate'),
);

const PARENTS_BY_UUID = statement(
  BY_UUID.leftJoin('resource_providers as parent', 'parent.id', 'p.parent_provider_id')
    .leftJoin('resource_providers as root', 'root.id', 'p.root_provider_id')
    .select(['parent.uuid as parentUuid', 'root.uuid as rootUuid']),
);

/** Reads providers with the uuids of their parent and root. */
export async function readParentsByUuid(reader: Queryable, uuids: readonly string[]) {
  const rows = await read(reader, PARENTS_BY_UUID, [uuids]);
  return rows.map((row) => ({
    provider: providerOf(row),
    detail: { parentUuid: row.parentUuid, rootUuid: row.rootUuid ?? row.uuid },
  }));
}

/** Reads the inventories of providers without their used amounts, sorted by class name. */
export async function readInventoriesByUuid(reader: Queryable, uuids: readonly string[]) {
  const rows = await read(reader, DATED_INVENTORIES_BY_UUID, [uuids]);
  return withDetails(rows, 'resourceClass', (resourceClass, row) => {
    const { total, reserved, minUnit, maxUnit, stepSize } = row;
    const allocationRatio = shortestDecimal(row.allocationRatio);
    return {
      resourceClass,
      ...{ total, reserved, minUnit, maxUnit, stepSize, allocationRatio },
      ...datesOfDetail(row),
    };
  });
}

/** Reads the used amounts of the inventories of providers, sorted by class name. */
export async function readUsagesByUuid(reader: Queryable, uuids: readonly string[]) {
  const rows = await read(reader, USAGES_BY_UUID, [uuids]);
  return withDetails(rows, 'resourceClass', (resourceClass, { used }) => ({ resourceClass, used }));
}

/** Reads the traits of providers, sorted by name. */
export async function readTraitsByUuid(reader: Queryable, uuids: readonly string[]) {
  const rows = await read(reader, TRAITS_BY_UUID, [uuids]);
  return withDetails(rows, 'trait', (name, row) => ({ name, ...datesOfDetail(row) }));
}

/** Reads the uuids of the aggregates that directly contain these providers, each once, sorted. */
export async function readAggregatesByUuid(
  { pool, spellings }: Pick<ReadableDatabase, 'pool' | 'spellings'>,
  uuids: readonly string[],
) {
  const found = await read(pool, AGGREGATES_BY_UUID, [uuids]);
  const rows = found.map((row) => ({
    ...row,
    aggregate: row.aggregate === null ? null : spellings.aggregates.uuidOf(row.aggregate),
  }));
  const once =
    spellings.aggregates.size === 0
      ? rows
      : [...new Map(rows.map((row) => [`${row.id} ${row.aggregate}`, row])).values()];
  return withDetails(once, 'aggregate', (aggregate) => aggregate);
}

/** Returns the providers and details of rows, sorted by a column with the name of a detail. It is null without a detail. */
function withDetails<
  Column extends string,
  Row extends StoredProvider & Readonly<Record<Column, string | null>>,
  Detail,
>(rows: readonly Row[], column: Column, detailOf: (name: string, row: Row) => Detail): WithDetail<Detail>[] {
  return [...rows]
    .sort((one, other) => byCodePoint(one[column] ?? '', other[column] ?? ''))
    .map((row) => ({
      provider: providerOf(row),
      detail: row[column] === null ? null : detailOf(row[column], row),
    }));
}

function datesOfDetail(row: {
  readonly detailCreatedAt: string | null;
  readonly detailUpdatedAt: string | null;
}): Dates {
  return { createdAt: dateOf(row.detailCreatedAt), updatedAt: dateOf(row.detailUpdatedAt) };
}
