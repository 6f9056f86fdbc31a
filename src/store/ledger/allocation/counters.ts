import { addToGroup } from '../../../model/collections.js';
import {
  InvalidInput,
  LARGEST_AMOUNT,
  saturatingSum,
  type ConsumerAllocationsInput,
} from '../../../model/input.js';
import type { ProviderFields } from '../../../model/provider.js';
import { columns, joinedColumns, read, selectKinds, type Column } from '../../sql/statements.js';
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

/** Each allocated unit of the inventory consumes an amount of a counter (ADR 52). */
export interface ConsumptionRow extends InventoryKey {
  readonly counterProviderId: number;
  readonly counterClassId: number;
  readonly amount: number;
}

/** Returns the key of the counter. */
export function counterOf({ counterProviderId, counterClassId }: ConsumptionRow): InventoryKey {
  return { providerId: counterProviderId, classId: counterClassId };
}

/** What the inventories of some providers consume, and which inventories are counters. */
export class Consumption {
  static readonly NONE = new Consumption([]);
  readonly isEmpty: boolean;
  private readonly byInventory = new Map<string, ConsumptionRow[]>();
  private readonly counters = new Set<string>();

  constructor(
    rows: readonly ConsumptionRow[],
    counters: readonly InventoryKey[] = [],
    /** The names of the classes of counters. */
    readonly classNames: ReadonlyMap<number, string> = new Map(),
  ) {
    for (const row of rows) {
      addToGroup(this.byInventory, inventoryKey(row), row);
      this.counters.add(inventoryKey(counterOf(row)));
    }
    for (const key of counters) this.counters.add(inventoryKey(key));
    this.isEmpty = this.counters.size === 0;
  }

  isCounter(key: InventoryKey): boolean {
    return this.counters.has(inventoryKey(key));
  }

  /** Calls `add` with the amount of each counter that an allocation consumes. */
  each(
    row: InventoryKey & { readonly used: number },
    add: (counter: InventoryKey, amount: number) => void,
  ): void {
    for (const each of this.byInventory.get(inventoryKey(row)) ?? [])
      add(counterOf(each), each.amount * row.used);
  }

  /** Returns all inventories that consume a counter of these allocations. */
  inventoriesOf(rows: readonly AllocationRow[]): readonly InventoryKey[] {
    const wanted = new Set(rows.map(inventoryKey));
    return [...this.byInventory.values()].flat().filter((row) => wanted.has(inventoryKey(counterOf(row))));
  }

  /** Adds the usage of counters that follows from the usage of the inventories that consume them. */
  addImplied({ used, implied }: InventoryUsage): void {
    for (const row of [...this.byInventory.values()].flat()) {
      const key = inventoryKey(counterOf(row));
      const amount = row.amount * (used.get(inventoryKey(row)) ?? 0);
      implied.set(key, saturatingSum(implied.get(key) ?? 0, amount));
    }
  }

  /**
   * Returns the allocations of one consumer with the sums of what they consume in place of the counters among them. The
   * sums come last.
   */
  complete(rows: readonly AllocationRow[]): readonly AllocationRow[] {
    const own = rows.filter((row) => !this.isCounter(row));
    const sums = new Map<string, AllocationRow>();
    for (const row of own)
      this.each(row, (counter, amount) => {
        const key = inventoryKey(counter);
        const used = saturatingSum(sums.get(key)?.used ?? 0, amount);
        sums.set(key, { consumer: row.consumer, ...counter, used });
      });
    return [...own, ...sums.values()];
  }
}

const c = columns('placement_consumptions', 'c');
const u = columns('placement_consumptions', 'u');
const a = columns('allocations', 'a');
const p = joinedColumns('resource_providers', 'p');
const i = joinedColumns('inventories', 'i');
const n = joinedColumns('resource_classes', 'n');
const k = { providerId: 'k.provider_id' as Column<number>, classId: 'k.class_id' as Column<number> };

const CONSUMPTION = {
  providerId: c.provider_id,
  classId: c.class_id,
  counterProviderId: c.counter_provider_id,
  counterClassId: c.counter_class_id,
  amount: c.amount,
};

/** The usage of a counter that follows from the stored usage of the inventories that consume it. */
const IMPLIED = `(SELECT CAST(LEAST(COALESCE(SUM(${a.used} * ${u.amount}), 0), ${LARGEST_AMOUNT}) AS SIGNED)
    FROM placement_consumptions u STRAIGHT_JOIN allocations a ${BY_INVENTORY}
      ON ${a.resource_provider_id} = ${u.provider_id} AND ${a.resource_class_id} = ${u.class_id}
   WHERE ${u.counter_provider_id} = ${k.providerId} AND ${u.counter_class_id} = ${k.classId})` as Column<number>;

const READ = selectKinds(
  {
    consumption: CONSUMPTION,
    counter: {
      providerId: k.providerId,
      classId: k.classId,
      className: n.name,
      id: p.id,
      uuid: p.uuid,
      name: p.name,
      generation: `COALESCE(${p.generation}, 0)` as Column<number>,
      rootId: `COALESCE(${p.root_provider_id}, ${p.id})` as Column<number>,
      parentId: p.parent_provider_id,
      inventoryId: i.id,
      ...AMOUNTS,
      used: `(SELECT ${usedSum(a.used)} FROM allocations a ${BY_INVENTORY} WHERE ${a.resource_provider_id} = ${k.providerId}
               AND ${a.resource_class_id} = ${k.classId})` as Column<number | null>,
      implied: IMPLIED,
    },
  },
  {
    consumption: `FROM placement_consumptions c WHERE ${c.provider_id} IN (?)`,
    counter: `FROM (SELECT ${c.counter_provider_id} AS provider_id, ${c.counter_class_id} AS class_id
                      FROM placement_consumptions c WHERE ${c.provider_id} IN (?)
                    UNION SELECT ${c.counter_provider_id}, ${c.counter_class_id}
                      FROM placement_consumptions c WHERE ${c.counter_provider_id} IN (?)) k
       LEFT JOIN resource_providers p ON ${p.id} = ${k.providerId}
       LEFT JOIN inventories i ON ${i.resource_provider_id} = ${k.providerId} AND ${i.resource_class_id} = ${k.classId}
       LEFT JOIN resource_classes n ON ${n.id} = ${k.classId}`,
  },
);

/** Counters with their providers, and their usage as {@link InventoryUsage}. */
interface ReadCounters {
  readonly consumption: Consumption;
  readonly providers: readonly ProviderFields[];
  readonly usage: InventoryUsage;
}

/**
 * Reads what the inventories of these providers consume, and all counters that they have or consume, with the usage
 * that their partitions imply. The usage is as old as the generations of the returned providers, or younger.
 */
export async function readCounters(tx: Transaction, providerIds: readonly number[]): Promise<ReadCounters> {
  const usage: InventoryUsage = { limits: new Map(), used: new Map(), implied: new Map() };
  const providers = new Map<number, ProviderFields>();
  const rows: ConsumptionRow[] = [];
  const counters: InventoryKey[] = [];
  const classNames = new Map<number, string>();
  const found = providerIds.length === 0 ? [] : await read(tx, READ, [providerIds, providerIds, providerIds]);
  for (const row of found) {
    if (row.kind === 'consumption') {
      rows.push(row);
      continue;
    }
    const { id, uuid, name, generation, rootId, parentId } = row;
    counters.push(row);
    if (row.className !== null) classNames.set(row.classId, row.className);
    const key = inventoryKey(row);
    usage.used.set(key, row.used ?? 0);
    usage.implied.set(key, row.implied);
    if (id === null || uuid === null) continue;
    providers.set(id, { id, uuid, name: name ?? uuid, generation, rootId, parentId });
    if (row.inventoryId !== null) usage.limits.set(key, limitsOf(row));
  }
  return {
    consumption: new Consumption(rows, counters, classNames),
    providers: [...providers.values()],
    usage,
  };
}

/**
 * Rejects an amount of a counter in the input that is not the sum of what the consumer's allocations consume
 * (INVALID_INPUT). Checks only consumers whose input states the amounts of counters.
 *
 * @param path the path of the consumers
 */
export function checkCounters(
  inputs: readonly ConsumerAllocationsInput[],
  { wanted, consumption, providers, names }: WithConsumption,
  path: readonly string[],
): void {
  const sums = new Map(wanted.map((row) => [`${row.consumer} ${inventoryKey(row)}`, row.used]));
  for (const [at, { consumer, allocations, statesCounters }] of inputs.entries()) {
    if (!statesCounters) continue;
    for (const [provider, { resourceProvider, resources }] of allocations.entries()) {
      const providerId = providers.get(resourceProvider)?.id ?? -1;
      for (const [resource, { resourceClass, amount }] of resources.entries()) {
        const key = { providerId, classId: names.classes.get(resourceClass) ?? -1 };
        if (!consumption.isCounter(key)) continue;
        const sum = sums.get(`${consumer} ${inventoryKey(key)}`) ?? 0;
        if (amount === sum) continue;
        const here = ['allocations', 'providers', String(provider), 'resources', String(resource), 'amount'];
        const what = `the amount of the counter ${resourceClass} of resource provider ${resourceProvider} is ${amount}`;
        const message = `${what}, but the consumer's other allocations consume ${sum}: omit counters`;
        throw new InvalidInput([...path, String(at), ...here], message);
      }
    }
  }
}

/** The parts of a plan of consumers with which their counters are checked. */
interface WithConsumption {
  readonly wanted: readonly AllocationRow[];
  readonly consumption: Consumption;
  readonly providers: ReadonlyMap<string, ProviderFields>;
  readonly names: { readonly classes: ReadonlyMap<string, number> };
}
