import { slicesIn, type SliceRow } from '../../components/tree/slices';
import type { HostProviderFragment } from '../../generated/host/operations';

interface Ref {
  readonly resourceProvider: { readonly uuid: string } | null;
  readonly resourceClass: { readonly name: string };
}

export type DeviceInventory = Pick<
  HostProviderFragment['inventories'][number],
  'resourceClass' | 'used' | 'capacity' | 'available' | 'minUnit' | 'isCounter' | 'consumes'
>;

export interface DeviceProvider extends Pick<HostProviderFragment, 'uuid' | 'name'> {
  readonly inventories: readonly DeviceInventory[];
}

interface DeviceConsumer {
  readonly uuid: string;
  readonly allocations: readonly Ref[];
}

/** A provider with counters. */
export interface Device {
  readonly provider: DeviceProvider;
  readonly rows: readonly { readonly label: string; readonly blocks: readonly SliceBlock[] }[];
  /** The counters that are no slices. */
  readonly amounts: readonly DeviceInventory[];
  readonly partitions: readonly Partition[];
}

/** A slice, or adjacent slices that the same partitions use. */
export interface SliceBlock {
  readonly first: number;
  readonly last: number;
  /** The number of slices. */
  readonly span: number;
  readonly state: 'free' | 'used' | 'over' | 'reserved';
  /** Empty if the consumers are not among the known ones. */
  readonly occupants: readonly Occupant[];
}

export interface Occupant {
  /** Null if the consumer has an amount of the counter alone. */
  readonly partition: PartitionName | null;
  /** The uuid of the consumer. */
  readonly consumer: string;
}

export interface PartitionName {
  /** The name of the provider. */
  readonly name: string;
  readonly resourceClass: string;
}

export interface Partition extends PartitionName {
  readonly state: 'free' | 'used' | 'blocked';
  /** The classes of the counters of which too little is free. */
  readonly lacking: readonly string[];
}

const keyOf = ({ resourceProvider, resourceClass }: Ref): string =>
  `${resourceProvider?.uuid} ${resourceClass.name}`;

const keyIn = (provider: DeviceProvider, { resourceClass }: DeviceInventory): string =>
  keyOf({ resourceProvider: provider, resourceClass });

/** Returns whether an inventory or an allocation is of a counter of a tree. */
export function counterTest(tree: readonly DeviceProvider[]): (of: Ref) => boolean {
  const counters = tree.flatMap((provider) =>
    provider.inventories.filter((of) => of.isCounter).map((of) => keyIn(provider, of)),
  );
  const keys = new Set(counters);
  return (of) => keys.has(keyOf(of));
}

/** Returns the devices of a tree with what occupies their slices. */
export function devicesIn(
  tree: readonly DeviceProvider[],
  consumers: readonly DeviceConsumer[],
): readonly Device[] {
  const reader = new DeviceReader(tree, consumers);
  return tree
    .filter(({ inventories }) => inventories.some(({ isCounter }) => isCounter))
    .map((provider) => reader.read(provider));
}

interface PartitionInventory {
  readonly provider: DeviceProvider;
  readonly of: DeviceInventory;
}

class DeviceReader {
  /** The partitions, by the keys of their inventories. */
  private readonly partitions = new Map<string, PartitionInventory>();
  private readonly counters = new Map<string, DeviceInventory>();
  private readonly occupants = new Map<string, Occupant[]>();

  constructor(tree: readonly DeviceProvider[], consumers: readonly DeviceConsumer[]) {
    const implied = new Map<string, number>();
    const all = tree.flatMap((provider) => provider.inventories.map((of) => [provider, of] as const));
    for (const [provider, of] of all) {
      if (of.consumes.length > 0) this.partitions.set(keyIn(provider, of), { provider, of });
      for (const counter of of.consumes) addTo(implied, keyOf(counter), of.used * counter.amount);
    }
    for (const [provider, of] of all) {
      if (!of.isCounter) continue;
      // another program may have allocated a partition without its counters
      const used = Math.max(of.used, implied.get(keyIn(provider, of)) ?? 0);
      const available = of.available - (used - of.used);
      this.counters.set(keyIn(provider, of), { ...of, used, available });
    }
    for (const consumer of consumers) this.addOccupant(consumer);
  }

  private addOccupant({ uuid: consumer, allocations }: DeviceConsumer): void {
    const own = new Map<string, Occupant>();
    for (const key of allocations.map(keyOf))
      if (this.counters.has(key)) own.set(key, { partition: null, consumer });
    const partitions = allocations.flatMap((each) => this.partitions.get(keyOf(each)) ?? []);
    for (const { provider, of } of partitions)
      for (const counter of of.consumes)
        own.set(keyOf(counter), { partition: nameIn(provider, of), consumer });
    for (const [key, occupant] of own)
      this.occupants.set(key, [...(this.occupants.get(key) ?? []), occupant]);
  }

  read(provider: DeviceProvider): Device {
    const counters = provider.inventories.flatMap((of) => this.counters.get(keyIn(provider, of)) ?? []);
    const { rows, others } = slicesIn(counters);
    const partitions = Array.from(this.partitions.values()).filter(({ of }) =>
      of.consumes.some(({ resourceProvider }) => resourceProvider?.uuid === provider.uuid),
    );
    return {
      provider,
      rows: rows.map((row) => ({ label: row.label, blocks: this.blocksOf(provider, row) })),
      amounts: others,
      partitions: partitions.map((each) => this.partitionOf(each)),
    };
  }

  private blocksOf(provider: DeviceProvider, { slices }: SliceRow<DeviceInventory>): SliceBlock[] {
    const blocks: SliceBlock[] = [];
    for (const { number, inventory } of slices) {
      const occupants = this.occupants.get(keyIn(provider, inventory)) ?? [];
      const state = stateOf(inventory);
      const before = blocks.at(-1);
      if (before && occupants.length > 0 && before.state === state && isEqual(before.occupants, occupants))
        blocks[blocks.length - 1] = { ...before, last: number, span: before.span + 1 };
      else blocks.push({ first: number, last: number, span: 1, state, occupants });
    }
    return blocks;
  }

  private partitionOf({ provider, of }: PartitionInventory): Partition {
    const { used, available, minUnit, consumes } = of;
    const lacking = consumes.filter(
      (each) => (this.counters.get(keyOf(each))?.available ?? 0) < each.amount * minUnit,
    );
    const isFree = available >= minUnit && lacking.length === 0;
    return {
      ...nameIn(provider, of),
      state: isFree ? 'free' : used > 0 ? 'used' : 'blocked',
      lacking: lacking.map((counter) => counter.resourceClass.name),
    };
  }
}

const nameIn = ({ name }: DeviceProvider, { resourceClass }: DeviceInventory): PartitionName => ({
  name,
  resourceClass: resourceClass.name,
});

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function stateOf({ used, capacity, available }: DeviceInventory): SliceBlock['state'] {
  if (used > capacity) return 'over';
  if (used > 0) return 'used';
  return available > 0 ? 'free' : 'reserved';
}

const isEqual = (some: readonly Occupant[], others: readonly Occupant[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);
