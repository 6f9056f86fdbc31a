import { isCatalogName } from '../../sql/catalog.js';
import { columns, joinedColumns, read, select, type Column } from '../../sql/statements.js';
import type { ProviderFields } from '../../../model/provider.js';
import type { Transaction } from '../transaction.js';
import {
  AMOUNTS,
  BY_INVENTORY,
  inventoryKey,
  limitsOf,
  usedSum,
  type InventoryUsage,
} from './allocationRows.js';
import { Consumption, readCounters } from './counters.js';

const i = columns('inventories', 'i');
const a = columns('allocations', 'a');
const p = columns('resource_providers', 'p');
const k = columns('resource_classes');
const m = columns('placement_consumptions');
const READ_PROVIDERS = select(
  {
    id: p.id,
    uuid: p.uuid,
    name: p.name as Column<string>,
    generation: p.generation as Column<number>,
    rootId: p.root_provider_id as Column<number>,
    parentId: p.parent_provider_id,
    classId: joinedColumns('inventories', 'i').resource_class_id,
    ...AMOUNTS,
    used: `(SELECT ${usedSum(a.used)} FROM allocations a ${BY_INVENTORY} WHERE ${a.resource_provider_id} = ${p.id}
             AND ${a.resource_class_id} = ${i.resource_class_id})` as Column<number | null>,
    hasCounters: `(EXISTS (SELECT 1 FROM placement_consumptions WHERE ${m.provider_id} = ${p.id}) OR
                   EXISTS (SELECT 1 FROM placement_consumptions WHERE ${m.counter_provider_id} = ${p.id}))` as Column<number>,
  },
  `FROM (SELECT ${p.id} FROM resource_providers p WHERE ${p.uuid} IN (?)
         UNION SELECT ${a.resource_provider_id} FROM allocations a WHERE ${a.consumer_id} IN (?)) wanted
   STRAIGHT_JOIN resource_providers p ON ${p.id} = wanted.id
   LEFT JOIN inventories i ON ${i.resource_provider_id} = ${p.id}
        AND ${i.resource_class_id} IN (SELECT ${k.id} FROM resource_classes WHERE ${k.name} IN (?))`,
);

/** The providers of a write by uuid, the usage of their inventories, and what they consume. */
interface ProviderUsage {
  readonly providers: ReadonlyMap<string, ProviderFields>;
  readonly usage: InventoryUsage;
  readonly consumption: Consumption;
}

/**
 * Reads the providers with these uuids or with allocations of these consumers, their inventories of
 * these classes and the usage of these inventories. The collation of the database may match more
 * classes. Uses one statement, so that no usage is older than the generation that is compared at
 * the end (architecture: writes). The providers are by uuid; the usage is only that of existing inventories.
 * If the providers have or consume counters, a second statement reads these with their providers.
 */
export async function readProviderUsage(
  tx: Transaction,
  { uuids, consumers, classes }: Readonly<Record<'uuids' | 'consumers' | 'classes', readonly string[]>>,
): Promise<ProviderUsage> {
  const providers = new Map<string, ProviderFields>();
  const usage: InventoryUsage = { limits: new Map(), used: new Map(), implied: new Map() };
  const withCounters = new Set<number>();
  // the database may be unable to compare an impossible class name with the names of classes
  const names = classes.filter(isCatalogName);
  const values = [uuids.length > 0 ? uuids : [''], consumers, names.length > 0 ? names : ['']];
  for (const { classId, used, hasCounters, ...row } of await read(tx, READ_PROVIDERS, values)) {
    const { id, uuid, name, generation, rootId, parentId } = row;
    providers.set(uuid, { id, uuid, name, generation, rootId, parentId });
    if (hasCounters) withCounters.add(id);
    if (classId === null) continue;
    const key = inventoryKey({ providerId: id, classId });
    usage.limits.set(key, limitsOf(row));
    usage.used.set(key, used ?? 0);
  }
  if (withCounters.size === 0) return { providers, usage, consumption: Consumption.NONE };
  const counters = await readCounters(tx, [...withCounters]);
  // the generation that was read first is compared
  for (const each of counters.providers) if (!providers.has(each.uuid)) providers.set(each.uuid, each);
  for (const part of ['limits', 'used', 'implied'] as const)
    for (const [key, amount] of counters.usage[part]) usage[part].set(key, amount as never);
  return { providers, usage, consumption: counters.consumption };
}
