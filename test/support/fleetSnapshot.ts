import { fleet, zoneAggregate, type DemoProvider, type Rack } from '../../src/tools/demo/fleet.js';
import { columnsOf } from '../../src/fleet/providerColumns.js';
import { type ProviderData, NameTable } from '../../src/fleet/snapshot.js';
import { allowedUsageOf, capacityOf } from '../../src/model/input.js';
import { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';

/**
 * Returns the demo fleet with this number of hosts as a snapshot, without a database, and the uuids
 * of one zone and one host.
 */
export function fleetSnapshot(hosts: number): { snapshot: FleetSnapshot; zone: string; host: string } {
  const classes = new Numbering();
  const traits = new Numbering();
  const aggregates = new Numbering();
  const providers: ProviderData[] = [];
  let host = '';
  for (const rack of fleet({ hosts })) {
    const used = useOf(rack);
    for (const provider of rack.providers) {
      const { id, uuid, name, generation, parentId, rootId } = provider;
      if (name.startsWith('host-')) host = uuid;
      providers.push({
        ...{ id, uuid, name, generation, parentId, rootId, createdAt: id, updatedAt: id },
        inventories: inventoriesOf(provider, used, classes),
        traits: provider.traits.map((trait) => traits.of(trait)),
        aggregates: provider.aggregates.map((aggregate) => aggregates.of(aggregate)),
      });
    }
  }
  traits.of('CUSTOM_FOO');
  const names = { classes: classes.table(), traits: traits.table(), aggregates: aggregates.table() };
  return { snapshot: FleetSnapshot.of(columnsOf(providers), names), zone: zoneAggregate(0), host };
}

/** Assigns ids to names. */
export class Numbering {
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.numbers.get(name) ?? this.numbers.size + 1;
    this.numbers.set(name, known);
    return known;
  }

  table(): NameTable {
    return new NameTable(Array.from(this.numbers, ([name, id]) => ({ id, name })));
  }
}

function useOf({ consumers }: Rack): Map<string, number> {
  const allocations = consumers.flatMap((consumer) => consumer.allocations);
  return usageBy(
    allocations.map(({ providerId, ...allocation }) => ({ provider: providerId, ...allocation })),
  );
}

/** Returns the usage by provider and class. */
export function usageBy(
  allocations: readonly { readonly provider: string | number; resourceClass: string; used: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { provider, resourceClass, used } of allocations) {
    const key = `${provider} ${resourceClass}`;
    sums.set(key, (sums.get(key) ?? 0) + used);
  }
  return sums;
}

function inventoriesOf(
  { id, inventories }: DemoProvider,
  used: ReadonlyMap<string, number>,
  classes: Numbering,
): ProviderData['inventories'] {
  return inventories.map(
    ({ resourceClass, total, reserved, allocationRatio, minUnit, maxUnit, stepSize }) => ({
      classId: classes.of(resourceClass),
      capacity: capacityOf(total, reserved, allocationRatio),
      allowed: allowedUsageOf(total, reserved, allocationRatio),
      used: used.get(`${id} ${resourceClass}`) ?? 0,
      ...{ minUnit, maxUnit, stepSize },
    }),
  );
}
