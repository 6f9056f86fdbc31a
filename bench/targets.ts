import { fleet, zoneAggregate, type Rack } from '../src/cli/sample/fleet.js';

/** Places in a fleet that requests name. */
export interface FleetTargets {
  /** The aggregate of a zone. */
  readonly zone: string;
  /** A host with room on each of its NUMA nodes. */
  readonly host: string;
  /** NUMA nodes with room for more, of the first thousand hosts at most. */
  readonly nodes: readonly string[];
}

const RACKS = 20;
/** Consumers on a node that has room left for as many as half of them again. */
const MAX_CONSUMERS = 10;

/** Finds them in the generator, which knows the fleet without a look at the database. */
export function targetsOf(hosts: number, seed: number): FleetTargets {
  const nodes: string[] = [];
  let host: string | undefined;
  let racks = 0;
  for (const rack of fleet({ hosts, seed })) {
    const roomy = nodesWithCapacity(rack);
    nodes.push(...roomy.map(({ uuid }) => uuid));
    const rootIds = roomy.map(({ rootId }) => rootId);
    const wholeId = rootIds.find((id, index) => rootIds.indexOf(id) !== index);
    host ??= rack.providers.find(({ id }) => id === wholeId)?.uuid;
    if (++racks === RACKS) break;
  }
  if (host === undefined) throw new Error('no host of the fleet has room on both nodes: give it more hosts');
  return { zone: zoneAggregate(0, seed), host, nodes };
}

function nodesWithCapacity({ providers, consumers }: Rack): Rack['providers'] {
  const loads = new Map<number, number>();
  for (const { allocations } of consumers) {
    for (const { providerId, resourceClass } of allocations) {
      if (resourceClass === 'VCPU') loads.set(providerId, (loads.get(providerId) ?? 0) + 1);
    }
  }
  return providers.filter(
    ({ id, inventories }) =>
      inventories.some(({ resourceClass }) => resourceClass === 'VCPU') &&
      (loads.get(id) ?? 0) <= MAX_CONSUMERS,
  );
}
