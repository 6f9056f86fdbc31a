import type { InventoryRow } from './inventoryRows.js';
import type { ProviderRow } from './providerRows.js';
import { shelfKey, stockOf, type Shelves } from './stock.js';
import type { Transaction } from './transaction.js';

/** Providers, and what they have of some classes. */
export interface ProviderStock {
  /** By uuid; unknown ones are left out. */
  readonly providers: ReadonlyMap<string, ProviderRow>;
  /** The use of what there is an inventory of. */
  readonly shelves: Shelves;
}

type Row = ProviderRow & (InventoryRow | { readonly classId: null }) & { readonly used: number | null };

/**
 * Reads the providers with these uuids and those with these ids, with their inventories of these classes and the use of those:
 * in one statement, so that no usage is older than the generation that is compared at the end (architecture: writes).
 */
export async function readProviderStock(
  tx: Transaction,
  uuids: readonly string[],
  ids: readonly number[],
  classIds: readonly number[],
): Promise<ProviderStock> {
  const providers = new Map<string, ProviderRow>();
  const shelves: Shelves = { stock: new Map(), used: new Map() };
  if (uuids.length + ids.length === 0) return { providers, shelves };
  const rows = await tx.query<Row[]>(
    `SELECT p.id, p.uuid, p.name, p.generation, p.root_provider_id AS rootId, p.parent_provider_id AS parentId,
            p.id AS providerId, i.resource_class_id AS classId, i.total, i.reserved, i.min_unit AS minUnit,
            i.max_unit AS maxUnit, i.step_size AS stepSize, i.allocation_ratio + 0e0 AS allocationRatio,
            (SELECT CAST(SUM(a.used) AS SIGNED) FROM allocations a
              WHERE a.resource_provider_id = p.id AND a.resource_class_id = i.resource_class_id) AS used
       FROM resource_providers p
       LEFT JOIN inventories i ON i.resource_provider_id = p.id AND i.resource_class_id IN (?)
      WHERE p.uuid IN (?) OR p.id IN (?)`,
    [classIds.length > 0 ? classIds : [-1], uuids.length > 0 ? uuids : [''], ids.length > 0 ? ids : [-1]],
  );
  for (const row of rows) {
    const { id, uuid, name, generation, rootId, parentId } = row;
    providers.set(uuid, { id, uuid, name, generation, rootId, parentId });
    if (row.classId === null) continue;
    shelves.stock.set(shelfKey(row), stockOf(row));
    shelves.used.set(shelfKey(row), row.used ?? 0);
  }
  return { providers, shelves };
}
