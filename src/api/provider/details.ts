import { sql, type InferResult } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import type { OwnedKind } from '../../store/ledger/tree/ownership.js';
import { list, read, statement, tables, type Queryable, dateOf } from '../../store/sql/statements.js';
import { capacityOf, shortestDecimal } from '../../model/input.js';
import { byCodePoint, byName } from '../../model/listing/orderedPage.js';
import { sumOf } from '../consumer/usages.js';

const INVENTORY_QUERY = tables
  .selectFrom('inventories as i')
  .innerJoin('resource_classes as k', 'k.id', 'i.resource_class_id')
  .where('i.resource_provider_id', 'in', list<number>())
  .select((eb) => [
    'i.resource_provider_id as providerId',
    'k.name as resourceClass',
    'i.total',
    'i.reserved',
    'i.min_unit as minUnit',
    'i.max_unit as maxUnit',
    'i.step_size as stepSize',
    'i.created_at as createdAt',
    'i.updated_at as updatedAt',
    // in double precision, because the database would return a FLOAT rounded
    sql<number>`${eb.ref('i.allocation_ratio')} + 0e0`.as('allocationRatio'),
    sql<number>`${eb
      .selectFrom('allocations as a')
      .select((sub) => sumOf(sub.ref('a.used')).as('used'))
      .whereRef('a.resource_provider_id', '=', 'i.resource_provider_id')
      .whereRef('a.resource_class_id', '=', 'i.resource_class_id')}`.as('used'),
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
