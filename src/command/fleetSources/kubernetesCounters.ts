import { listAt, objectAt, quantitiesAt, textAt, type Item } from './kubernetesItems.js';
import { distinctNames, namesOfCounterSet } from './kubernetesNames.js';
import { inUnits, isAbove, readQuantity, type Quantity } from './quantity.js';
import { customName, invalid, type SourceInventory, type SourceNode } from './source.js';

/** A host to which devices are added. */
export interface DeviceHost {
  readonly name: string;
  /** Adds a device below a provider of its NUMA node, or below the host. */
  addDevice(device: SourceNode, numa: string | null): void;
}

/** A counter of a set of a pool. */
interface Counter {
  readonly set: CounterSet;
  readonly name: string;
  readonly total: Quantity;
}

/** A set of shared counters. Sets from which one device consumes are at one provider. */
interface CounterSet {
  /** Its driver and its pool. */
  readonly pool: string;
  readonly name: string;
  readonly counters: ReadonlyMap<string, Counter>;
  /** The set of the same provider, up to the first one. */
  joined: CounterSet | null;
}

/** A counter that a device consumes. */
export interface Consumption {
  readonly counter: Counter;
  readonly quantity: Quantity;
  readonly item: Item;
}

interface Partition {
  readonly host: DeviceHost;
  readonly device: SourceNode;
  readonly resourceClass: string;
  readonly numa: string | null;
  readonly consumes: readonly Consumption[];
}

const MAX_AMOUNT = 2n ** 31n - 1n;

/** The units of counters, in the order in which they are tried. */
const UNITS = ['1', '1Mi', '1k', '1m', '1Ki', '1M', '1Gi', '1G', '1Ti', '1T', '1u', '1n'].map((unit) =>
  readQuantity(unit)!,
);

/** The providers of shared counters: the devices that consume them are its children. */
export class CounterProviders {
  /** By pool and name. */
  private readonly sets = new Map<string, CounterSet>();
  private readonly partitions: Partition[] = [];

  /** Reads the counters of the slices of each pool. */
  constructor(slices: readonly (readonly [pool: string, slice: Item])[]) {
    for (const [pool, slice] of slices)
      for (const item of listAt(slice, 'spec', 'sharedCounters')) {
        const name = textAt(item, 'name');
        const key = `${pool}/${name}`;
        if (this.sets.has(key)) throw invalid(item.file, item.path, `the counter set ${key} is there twice`);
        this.sets.set(key, counterSet(pool, name, item));
      }
  }

  /** Returns the counters that a device consumes, without amounts of 0. */
  consumptionOf(pool: string, device: Item): Consumption[] {
    return listAt(device, 'consumesCounters').flatMap((item) => {
      const name = textAt(item, 'counterSet');
      const set = this.sets.get(`${pool}/${name}`);
      if (set === undefined) throw invalid(item.file, item.path, `there is no counter set ${name}`);
      return Array.from(quantities(item), ([counterName, quantity]) => {
        const counter = set.counters.get(counterName);
        if (counter === undefined)
          throw invalid(item.file, item.path, `the counter set ${name} has no counter ${counterName}`);
        return { counter, quantity, item };
      }).filter(({ quantity }) => quantity.numerator > 0n);
    });
  }

  /** Adds a device that consumes counters. */
  add(
    host: DeviceHost,
    device: SourceNode,
    resourceClass: string,
    numa: string | null,
    consumes: readonly Consumption[],
  ): void {
    const first = topOf(consumes[0].counter.set);
    for (const { counter } of consumes) {
      const top = topOf(counter.set);
      if (top !== first) top.joined = first;
    }
    this.partitions.push({ host, device, resourceClass, numa, consumes });
  }

  /**
   * Adds the providers of the counters to their hosts.
   * @param taken the names of other providers
   */
  attach(taken: ReadonlySet<string>): void {
    const groups = new Map<CounterSet, Partition[]>();
    for (const partition of this.partitions) {
      const top = topOf(partition.consumes[0].counter.set);
      const group = groups.get(top) ?? [];
      groups.set(top, group);
      group.push(partition);
    }
    const choices = Array.from(groups, ([top, [{ host, consumes }]]) => {
      const { set } = consumes[0].counter;
      return [top, namesOfCounterSet({ ...set, host: host.name })] as const;
    });
    const names = distinctNames(new Map(choices), taken);
    for (const [top, group] of groups) attachGroup(names.get(top)!, top, group);
  }
}

function counterSet(pool: string, name: string, item: Item): CounterSet {
  const counters = new Map<string, Counter>();
  const set: CounterSet = { pool, name, counters, joined: null };
  for (const [counter, total] of quantities(item)) counters.set(counter, { set, name: counter, total });
  return set;
}

/** Reads the values of the field `counters`. */
function quantities(item: Item): Map<string, Quantity> {
  const values = Object.entries(objectAt(item, 'counters')).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? (value as { readonly value?: unknown }).value : value,
  ]);
  return quantitiesAt({ ...item, object: { counters: Object.fromEntries(values) as object } }, 'counters');
}

function topOf(set: CounterSet): CounterSet {
  let top = set;
  while (top.joined !== null) top = top.joined;
  return top;
}

function attachGroup(name: string, top: CounterSet, group: readonly Partition[]): void {
  const [{ host, numa }] = group;
  const other = group.find((each) => each.host !== host);
  if (other !== undefined) {
    const { item } = other.consumes[0];
    throw invalid(item.file, item.path, `devices of ${host.name} and ${other.host.name} share ${top.name}`);
  }
  const counters = new Set(group.flatMap((each) => each.consumes.map(({ counter }) => counter)));
  const isOneSet = new Set(Array.from(counters, ({ set }) => set)).size === 1;
  const classOf = ({ set, name: counter }: Counter): string =>
    isOneSet ? customName(counter) : customName(set.name, counter);
  const units = new Map(Array.from(counters, (counter) => [counter, unitOf(counter)]));
  const children = group.map(({ device, resourceClass, consumes: all }): SourceNode => {
    const entries = all.map(({ counter, quantity }) => ({
      resourceProvider: { name },
      resourceClass: classOf(counter),
      amount: amountOf(counter, quantity, units.get(counter)!),
    }));
    return { ...device, inventories: { [resourceClass]: { total: 1, consumes: entries } } };
  });
  const inventories: Record<string, SourceInventory> = {};
  for (const [counter, unit] of units) {
    const { item } = group.flatMap((each) => each.consumes).find((each) => each.counter === counter)!;
    const total = Number(inUnits(counter.total, unit));
    if (total === 0) throw invalid(item.file, item.path, `the counter ${counter.name} has no total`);
    if (Object.hasOwn(inventories, classOf(counter)))
      throw invalid(item.file, item.path, `two counters have the class ${classOf(counter)}`);
    inventories[classOf(counter)] = { total };
  }
  host.addDevice({ name, inventories, children }, group.every((each) => each.numa === numa) ? numa : null);
}

/**
 * Returns the unit in which a counter is counted: the first in which its total is a whole amount, or else the first in
 * which the total is not too large. It depends on nothing else, so that a new device changes no amount in use.
 */
function unitOf({ total }: Counter): Quantity {
  const fitting = UNITS.filter((unit) => inUnits(total, unit) <= MAX_AMOUNT);
  return fitting.find((unit) => isWholeIn(total, unit)) ?? fitting.at(0) ?? UNITS[0];
}

const isWholeIn = (quantity: Quantity, unit: Quantity): boolean =>
  inUnits(quantity, unit) === inUnits(quantity, unit, 'up');

/**
 * Returns an amount, rounded up but not above the total. Of more than the total, one more than the total: it can never be
 * allocated.
 */
function amountOf({ total }: Counter, quantity: Quantity, unit: Quantity): number {
  const most = Number(inUnits(total, unit));
  return isAbove(quantity, total) ? most + 1 : Math.min(Number(inUnits(quantity, unit, 'up')), most);
}
