import type { Database } from '../../database/database.js';
import { capacityOf, LARGEST_AMOUNT, shortestDecimal } from '../../domain/capacity.js';
import type { InventoryFields } from '../../domain/inventoryFields.js';
import { byCodePoint } from '../../domain/codePointOrder.js';

/** What a provider offers of one class, and how much of it is used. */
export interface InventoryRow extends InventoryFields {
  readonly providerId: number;
  readonly capacity: number;
  readonly used: number;
}

export interface TraitRow {
  readonly providerId: number;
  readonly name: string;
}

export interface AggregateRow {
  readonly providerId: number;
  readonly uuid: string;
}

/** The inventories of these providers by class name, each with the sum of its allocations (rule 28). */
export async function readInventories(
  { pool }: Database,
  providerIds: readonly number[],
): Promise<InventoryRow[]> {
  const rows = await pool.query<Omit<InventoryRow, 'capacity'>[]>(
    `SELECT i.resource_provider_id AS providerId, c.name AS resourceClass, i.total, i.reserved,
            i.min_unit AS minUnit, i.max_unit AS maxUnit, i.step_size AS stepSize,
            i.allocation_ratio + 0e0 AS allocationRatio,
            (SELECT CAST(LEAST(COALESCE(SUM(a.used), 0), ${LARGEST_AMOUNT}) AS SIGNED) FROM allocations a
              WHERE a.resource_provider_id = i.resource_provider_id
                AND a.resource_class_id = i.resource_class_id) AS used
       FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id
      WHERE i.resource_provider_id IN (?)`,
    [providerIds],
  );
  return rows
    .map((row) => ({
      ...row,
      allocationRatio: shortestDecimal(row.allocationRatio),
      capacity: capacityOf(row.total, row.reserved, row.allocationRatio),
    }))
    .sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass));
}

/** The traits of these providers, by name. */
export async function readTraits({ pool }: Database, providerIds: readonly number[]): Promise<TraitRow[]> {
  const rows = await pool.query<TraitRow[]>(
    `SELECT m.resource_provider_id AS providerId, t.name
       FROM resource_provider_traits m JOIN traits t ON t.id = m.trait_id
      WHERE m.resource_provider_id IN (?)`,
    [providerIds],
  );
  return rows.sort((a, b) => byCodePoint(a.name, b.name));
}

/** The aggregates that these providers are directly in, by uuid. */
export async function readAggregates(
  { pool }: Database,
  providerIds: readonly number[],
): Promise<AggregateRow[]> {
  const rows = await pool.query<AggregateRow[]>(
    `SELECT m.resource_provider_id AS providerId, a.uuid
       FROM resource_provider_aggregates m JOIN placement_aggregates a ON a.id = m.aggregate_id
      WHERE m.resource_provider_id IN (?) AND a.uuid IS NOT NULL`,
    [providerIds],
  );
  return rows.sort((a, b) => byCodePoint(a.uuid, b.uuid));
}
