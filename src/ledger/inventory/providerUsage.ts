import { columns, joinedColumns, read, select, type Column } from '../../database/statements.js';
import { AMOUNTS, usedSum } from './inventoryColumns.js';
import type { ProviderRow } from '../provider/providerRows.js';
import { inventoryKey, limitsOf, type InventoryUsage } from './inventoryUsage.js';
import type { Transaction } from '../transaction.js';

/** Providers, and what they have of some classes. */
export interface ProviderUsage {
  /** By uuid; unknown ones are left out. */
  readonly providers: ReadonlyMap<string, ProviderRow>;
  /** Only of what there is an inventory of. */
  readonly usage: InventoryUsage;
}

const p = columns('resource_providers', 'p');
const i = joinedColumns('inventories', 'i');
const a = columns('allocations', 'a');
const k = columns('resource_classes');
const READ = select(
  {
    id: p.id,
    uuid: p.uuid,
    name: p.name as Column<string>,
    generation: p.generation as Column<number>,
    rootId: p.root_provider_id as Column<number>,
    parentId: p.parent_provider_id,
    classId: i.resource_class_id,
    ...AMOUNTS,
    used: `(SELECT ${usedSum(a.used)} FROM allocations a WHERE ${a.resource_provider_id} = ${p.id}
             AND ${a.resource_class_id} = ${i.resource_class_id})` as Column<number | null>,
  },
  `FROM (SELECT ${p.id} FROM resource_providers p WHERE ${p.uuid} IN (?)
         UNION SELECT ${a.resource_provider_id} FROM allocations a WHERE ${a.consumer_id} IN (?)) wanted
   STRAIGHT_JOIN resource_providers p ON ${p.id} = wanted.id
   LEFT JOIN inventories i ON ${i.resource_provider_id} = ${p.id}
        AND ${i.resource_class_id} IN (SELECT ${k.id} FROM resource_classes WHERE ${k.name} IN (?))`,
);

/**
 * Reads the providers with these uuids and those that these consumers have anything of, with their inventories of the classes of
 * these names (by the database's own equality, so perhaps of more) and the use of those: in one statement, so that no usage is
 * older than the generation that is compared at the end (architecture: writes).
 */
export async function readProviderUsage(
  tx: Transaction,
  { uuids, consumers, classes }: Readonly<Record<'uuids' | 'consumers' | 'classes', readonly string[]>>,
): Promise<ProviderUsage> {
  const providers = new Map<string, ProviderRow>();
  const usage: InventoryUsage = { limits: new Map(), used: new Map() };
  const values = [uuids.length > 0 ? uuids : [''], consumers, classes.length > 0 ? classes : ['']];
  for (const { classId, used, ...row } of await read(tx, READ, values)) {
    const { id, uuid, name, generation, rootId, parentId } = row;
    providers.set(uuid, { id, uuid, name, generation, rootId, parentId });
    if (classId === null) continue;
    const key = inventoryKey({ providerId: id, classId });
    usage.limits.set(key, limitsOf(row));
    usage.used.set(key, used ?? 0);
  }
  return { providers, usage };
}
