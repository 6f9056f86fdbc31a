import { fleet, zoneAggregate, type Rack } from '../src/tools/demo/fleet.js';

/** The objects of a fleet that requests refer to. */
export interface FleetTargets {
  /** The aggregate of a zone. */
  readonly zone: string;
  /** A host with free capacity on each of its NUMA nodes. */
  readonly host: string;
  /** NUMA nodes with free capacity, of the first thousand hosts at most. */
  readonly nodes: readonly string[];
}

const RACKS = 20;
/**
 * A node with at most this many consumers has free capacity. A full node has half as many again.
 */
const MAX_CONSUMERS = 10;

/** Finds the targets in the generator of the fleet, without a database. */
export function targetsOf(hosts: number, seed: number): FleetTargets {
  const nodes: string[] = [];
  let host: string | undefined;
  let racks = 0;
  for (const rack of fleet({ hosts, seed })) {
    const free = nodesWithCapacity(rack);
    nodes.push(...free.map(({ uuid }) => uuid));
    const rootIds = free.map(({ rootId }) => rootId);
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
