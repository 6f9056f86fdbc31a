import { saturatingSum, unitsFit } from '../../../model/input.js';
import { CapacityExceeded, NoInventory, UnitViolation } from '../../../model/rejections.js';
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
  type AllocationRow,
  type InventoryKey,
  type InventoryUsage,
} from './allocationRows.js';
import { Consumption, readCounters } from './counters.js';

const i = columns('inventories', 'i');
const a = columns('allocations', 'a');
const p = columns('resource_providers', 'p');
const k = columns('resource_classes');
/** Evaluated once: a condition for each provider makes claims in fleets without counters slower by 7 %. */
const HAS_COUNTERS: Column<number> = 'EXISTS (SELECT 1 FROM placement_consumptions)';
const READ_PROVIDERS = select(
  {
    id: p.id,
    uuid: p.uuid,
    name: p.name as Column<string>,
    generation: `COALESCE(${p.generation}, 0)` as Column<number>,
    rootId: `COALESCE(${p.root_provider_id}, ${p.id})` as Column<number>,
    parentId: p.parent_provider_id,
    classId: joinedColumns('inventories', 'i').resource_class_id,
    ...AMOUNTS,
    used: `(SELECT ${usedSum(a.used)} FROM allocations a ${BY_INVENTORY} WHERE ${a.resource_provider_id} = ${p.id}
             AND ${a.resource_class_id} = ${i.resource_class_id})` as Column<number | null>,
    hasCounters: HAS_COUNTERS,
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
 * If the fleet has counters, a second statement reads those of these providers.
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

/** The usage of an inventory before a write, and the part of it by consumers that the write does not name. */
interface UsageBefore {
  readonly before: number;
  readonly others: number;
}

/**
 * Returns the usage of inventories. That of a counter is the larger of the stored usage and of what the usage of its
 * partitions implies: another program may have written a partition without its counters.
 */
function usagesBefore(
  { used, implied, isImpliedByWrite }: InventoryUsage,
  named: readonly AllocationRow[],
  consumption: Consumption,
): (key: string) => UsageBefore {
  const namedUsed = new Map<string, number>();
  const namedImplied = new Map<string, number>();
  const add = (sums: Map<string, number>, key: InventoryKey, amount: number): void => {
    const text = inventoryKey(key);
    sums.set(text, saturatingSum(sums.get(text) ?? 0, amount));
  };
  for (const row of named) {
    add(namedUsed, row, row.used);
    consumption.each(row, (counter, amount) => add(namedImplied, counter, amount));
  }
  return (key) => {
    const stored = used.get(key) ?? 0;
    const consumed = implied.get(key) ?? 0;
    const others = [stored - (namedUsed.get(key) ?? 0), consumed - (namedImplied.get(key) ?? 0)];
    return { before: Math.max(stored, isImpliedByWrite ? 0 : consumed), others: Math.max(0, ...others) };
  };
}

/** Returns the names that a rejection uses for the ids of rows. */
export interface Labels {
  provider(id: number): string;
  class(id: number): string;
}

/** A rule that the wanted allocations of a consumer break. */
interface AllocationViolation {
  readonly consumer: string;
  /** Creates the error on demand: its stack trace costs more time than finding the violation. */
  readonly rejection: () => NoInventory | UnitViolation | CapacityExceeded;
}

/**
 * Validates the final allocations of the named consumers. Checks every amount against the units of
 * the inventory (rule 98, decision D1). Checks the sum on each provider and class, plus the usage
 * by others, against the capacity (97). A sum over capacity passes if the usage does not increase
 * (99, decision D15). Orders violations by the precedence of their codes, then by the input.
 *
 * `named` has the current allocations of the consumers: they are not usage by others (rule 96).
 */
export function allocationViolations(
  wanted: readonly AllocationRow[],
  named: readonly AllocationRow[],
  usage: InventoryUsage,
  labels: Labels,
  consumption: Consumption,
  /** Whether an amount is checked. The others count as usage. */
  isChecked: (row: AllocationRow) => boolean = () => true,
): AllocationViolation[] {
  const withoutInventory: AllocationViolation[] = [];
  const outsideUnits: AllocationViolation[] = [];
  const overCapacity: AllocationViolation[] = [];
  const wantedSums = sums(wanted);
  const usageBefore = usagesBefore(usage, named, consumption);
  for (const row of wanted) {
    const { consumer } = row;
    if (!isChecked(row)) continue;
    const key = inventoryKey(row);
    const names = (): [string, string] => [labels.provider(row.providerId), labels.class(row.classId)];
    const inventory = usage.limits.get(key);
    if (inventory === undefined) {
      withoutInventory.push({ consumer, rejection: () => new NoInventory(...names()) });
      continue;
    }
    const units = [inventory.minUnit, inventory.maxUnit, inventory.stepSize] as const;
    if (!unitsFit(row.used, ...units)) {
      outsideUnits.push({ consumer, rejection: () => new UnitViolation(...names(), row.used, ...units) });
    }
    const { before, others } = usageBefore(key);
    const requested = wantedSums.get(key) ?? 0;
    if (others + requested > inventory.capacity && others + requested > before) {
      const { capacity } = inventory;
      const rejection = (): CapacityExceeded => new CapacityExceeded(...names(), requested, capacity, others);
      overCapacity.push({ consumer, rejection });
    }
  }
  return [...withoutInventory, ...outsideUnits, ...overCapacity];
}

function sums(rows: readonly AllocationRow[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const row of rows)
    sum.set(inventoryKey(row), saturatingSum(sum.get(inventoryKey(row)) ?? 0, row.used));
  return sum;
}
