import type { InventoryRow } from './inventoryRows.js';
import type { ProviderRow } from '../provider/providerRows.js';
import { shelfKey, stockOf, type Shelves } from './inventoryUsage.js';
import type { Transaction } from '../transaction.js';

/** Providers, and what they have of some classes. */
export interface ProviderStock {
  /** By uuid; unknown ones are left out. */
  readonly providers: ReadonlyMap<string, ProviderRow>;
  /** The use of what there is an inventory of. */
  readonly shelves: Shelves;
}

type Row = ProviderRow & (InventoryRow | { readonly classId: null }) & { readonly used: number | null };

/**
 * Reads the providers with these uuids and those that these consumers have anything of, with their inventories of the classes of
 * these names (by the database's own equality, so perhaps of more) and the use of those: in one statement, so that no usage is
 * older than the generation that is compared at the end (architecture: writes).
 */
export async function readProviderStock(
  tx: Transaction,
  { uuids, consumers, classes }: Readonly<Record<'uuids' | 'consumers' | 'classes', readonly string[]>>,
): Promise<ProviderStock> {
  const providers = new Map<string, ProviderRow>();
  const shelves: Shelves = { stock: new Map(), used: new Map() };
  const rows = await tx.query<Row[]>(
    `SELECT p.id, p.uuid, p.name, p.generation, p.root_provider_id AS rootId, p.parent_provider_id AS parentId,
            p.id AS providerId, i.resource_class_id AS classId, i.total, i.reserved, i.min_unit AS minUnit,
            i.max_unit AS maxUnit, i.step_size AS stepSize, i.allocation_ratio + 0e0 AS allocationRatio,
            (SELECT CAST(SUM(a.used) AS SIGNED) FROM allocations a
              WHERE a.resource_provider_id = p.id AND a.resource_class_id = i.resource_class_id) AS used
       FROM (SELECT id FROM resource_providers WHERE uuid IN (?)
             UNION SELECT resource_provider_id FROM allocations WHERE consumer_id IN (?)) wanted
       STRAIGHT_JOIN resource_providers p ON p.id = wanted.id
       LEFT JOIN inventories i ON i.resource_provider_id = p.id
            AND i.resource_class_id IN (SELECT id FROM resource_classes WHERE name IN (?))`,
    [uuids.length > 0 ? uuids : [''], consumers, classes.length > 0 ? classes : ['']],
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
