import { describe, expect, test } from '@jest/globals';
import {
  fleet,
  zoneAggregate,
  type DemoConsumer,
  type FleetOptions,
  type DemoProvider,
} from '../../src/tools/demo/fleet.js';

interface Fleet {
  readonly providers: DemoProvider[];
  readonly consumers: DemoConsumer[];
  readonly byId: Map<number, DemoProvider>;
}

function whole(options: FleetOptions): Fleet {
  const racks = [...fleet(options)];
  const providers = racks.flatMap((rack) => rack.providers);
  const consumers = racks.flatMap((rack) => rack.consumers);
  return { providers, consumers, byId: new Map(providers.map((provider) => [provider.id, provider])) };
}

const named = ({ providers }: Fleet, pattern: RegExp): DemoProvider[] =>
  providers.filter(({ name }) => pattern.test(name));
const having = (providers: DemoProvider[], trait: string): DemoProvider[] =>
  providers.filter(({ traits }) => traits.includes(trait));
/** How many consumers use each provider. */
function loads({ providers, consumers }: Fleet): Map<number, number> {
  const counts = new Map(providers.map(({ id }) => [id, 0]));
  for (const { allocations } of consumers) {
    for (const id of new Set(allocations.map(({ providerId }) => providerId)))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

const HOST = /^host-\d{5,}$/;
const NODE = /^host-\d{5,}-numa[01]$/;
const CARD = /-pf[01]$/;
const GRAPHICS = /-vgpu$/;
const STORAGE = /^storage-\d{4}$/;

describe('the demo data of 100 hosts', () => {
  const cloud = whole({ hosts: 100 });

  test('has about 7.3 providers a host', () => {
    const counts = [STORAGE, HOST, NODE, CARD, GRAPHICS].map((pattern) => named(cloud, pattern).length);
    expect(counts).toEqual([2, 100, 200, 400, 25]);
    expect(cloud.providers).toHaveLength(727);
  });

  test('has the traits of the description, each in its share', () => {
    const counts = (pattern: RegExp, ...traits: string[]): number[] =>
      traits.map((trait) => having(named(cloud, pattern), trait).length);
    expect(counts(HOST, 'COMPUTE_VOLUME_MULTI_ATTACH')).toEqual([50]);
    expect(counts(NODE, 'HW_NUMA_ROOT', 'HW_CPU_X86_AVX2')).toEqual([200, 100]);
    expect(counts(STORAGE, 'MISC_SHARES_VIA_AGGREGATE')).toEqual([2]);
    const [first, second] = counts(CARD, 'CUSTOM_PHYSNET_1', 'CUSTOM_PHYSNET_2');
    expect(first + second).toBe(400);
    expect(Math.min(first, second)).toBeGreaterThan(150);
  });

  test('has a tenth of the nodes full, a tenth empty, and one to ten consumers on the others', () => {
    const counts = loads(cloud);
    const onNodes = named(cloud, NODE).map(({ id }) => counts.get(id) ?? 0);
    expect(onNodes.filter((load) => load === 15)).toHaveLength(20);
    expect(onNodes.filter((load) => load === 0)).toHaveLength(20);
    const others = onNodes.filter((load) => load > 0 && load < 15);
    expect(others).toHaveLength(160);
    expect(new Set(others)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  });

  test('deals the hosts over 20 zones, and puts storage in no zone', () => {
    const zones = Array.from({ length: 20 }, (_, zone) => zoneAggregate(zone));
    expect(
      zones.map((zone) => cloud.providers.filter(({ aggregates }) => aggregates.includes(zone)).length),
    ).toEqual(zones.map(() => 5));
    expect(
      named(cloud, STORAGE).flatMap(({ aggregates }) => aggregates.filter((uuid) => zones.includes(uuid))),
    ).toEqual([]);
    expect(new Set(cloud.providers.flatMap(({ aggregates }) => aggregates)).size).toBe(22);
  });

  test('has the inventories of the description', () => {
    const of = (pattern: RegExp): string[] => {
      const all = named(cloud, pattern).map(({ inventories }) =>
        inventories
          .map((i) => `${i.resourceClass} ${i.total}-${i.reserved} x ${i.allocationRatio}`)
          .join(', '),
      );
      return [...new Set(all)];
    };
    expect(of(STORAGE)).toEqual(['DISK_GB 1000000-0 x 1']);
    expect(of(HOST)).toEqual(['DISK_GB 2000-0 x 1']);
    expect(of(NODE)).toEqual(['VCPU 32-0 x 4, MEMORY_MB 131072-512 x 1']);
    expect(of(CARD)).toEqual(['SRIOV_NET_VF 8-0 x 1']);
    expect(of(GRAPHICS)).toEqual(['VGPU 4-0 x 1']);
  });
});

test('the same seed gives the same fleet, another seed another one', () => {
  const fleetOf = (seed?: number): unknown => [...fleet({ hosts: 120, seed })];
  expect(fleetOf(7)).toEqual(fleetOf(7));
  expect(fleetOf()).toEqual(fleetOf(1));
  const uuids = (seed: number): string[] => whole({ hosts: 120, seed }).providers.map(({ uuid }) => uuid);
  const one = new Set(uuids(1));
  expect(uuids(2).filter((uuid) => one.has(uuid))).toEqual([]);
});

test('chance is spread over seeds: which host has a graphics card, which network a card is on', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => whole({ hosts: 50, seed }));
  const withGraphics = seeds.filter((cloud) =>
    cloud.providers.some(({ name }) => /^host-00007-.*vgpu$/.test(name)),
  );
  expect(withGraphics.length).toBeGreaterThan(2);
  expect(withGraphics.length).toBeLessThan(22);
  const onFirst = seeds.filter(
    (cloud) => having(named(cloud, /^host-00007-numa1-pf0$/), 'CUSTOM_PHYSNET_1').length === 1,
  );
  expect(onFirst.length).toBeGreaterThan(8);
  expect(onFirst.length).toBeLessThan(32);
});

test('a large fleet comes rack by rack', () => {
  const racks = fleet({ hosts: 100_000 });
  const { value: first } = racks.next() as { value: Fleet };
  expect(named(first, HOST)).toHaveLength(50);
  racks.return(undefined);
});

describe.each([
  [1, 1],
  [2, 1],
  [49, 3],
  [50, 4],
  [51, 0],
  [333, 99],
  [1_000, -5],
])('a fleet of %d hosts with seed %d', (hosts, seed) => {
  const cloud = whole({ hosts, seed });

  test('has its shares to within one host', () => {
    const share = (providers: DemoProvider[]): number => providers.length;
    expect(share(named(cloud, HOST))).toBe(hosts);
    expect(share(named(cloud, STORAGE))).toBe(Math.ceil(hosts / 50));
    expect(share(having(named(cloud, HOST), 'COMPUTE_VOLUME_MULTI_ATTACH'))).toBe(Math.floor(hosts / 2));
    expect(share(having(named(cloud, NODE), 'HW_CPU_X86_AVX2'))).toBe(2 * Math.floor(hosts / 2));
    expect(share(named(cloud, GRAPHICS))).toBe(Math.floor(hosts / 4));
  });

  test('is a forest: ids in order, parents first, one root for a tree, no name or uuid twice', () => {
    const { providers, consumers, byId } = cloud;
    expect(providers.map(({ id }) => id)).toEqual(providers.map((_, at) => at + 1));
    const misplaced = providers.filter(({ id, parentId, rootId }) =>
      parentId === null ? rootId !== id : parentId >= id || rootId !== byId.get(parentId)?.rootId,
    );
    expect(misplaced).toEqual([]);
    expect(new Set(providers.map(({ name }) => name)).size).toBe(providers.length);
    const uuids = [...providers, ...consumers].map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(uuids.filter((uuid) => !form.test(uuid))).toEqual([]);
  });

  test('uses no inventory beyond its capacity, in no unit that it refuses', () => {
    const inventories = new Map(
      cloud.providers.flatMap(({ id, inventories }) =>
        inventories.map((i) => [`${id} ${i.resourceClass}`, i]),
      ),
    );
    const used = new Map<string, number>();
    const refused = cloud.consumers
      .flatMap(({ allocations }) => allocations)
      .filter(({ providerId, resourceClass, used: amount }) => {
        const key = `${providerId} ${resourceClass}`;
        used.set(key, (used.get(key) ?? 0) + amount);
        const { minUnit, maxUnit, stepSize } = inventories.get(key) ?? {
          minUnit: 0,
          maxUnit: 0,
          stepSize: 1,
        };
        return amount < minUnit || amount > maxUnit || amount % stepSize !== 0;
      });
    expect(refused).toEqual([]);
    const over = [...inventories].filter(
      ([key, { total, reserved, allocationRatio }]) =>
        (used.get(key) ?? 0) > (total - reserved) * allocationRatio,
    );
    expect(over).toEqual([]);
  });

  test('a consumer takes CPU, memory, disk and a network function of one host, near its node', () => {
    const odd = cloud.consumers.filter(({ allocations }) => {
      const taken = allocations.map(({ resourceClass, used }) => `${resourceClass} ${used}`).sort();
      const providers = allocations.map(({ providerId }) => cloud.byId.get(providerId));
      const node = providers.find((provider) => NODE.test(provider?.name ?? ''));
      const card = providers.find((provider) => CARD.test(provider?.name ?? ''));
      return (
        taken.join() !== 'DISK_GB 20,MEMORY_MB 8192,SRIOV_NET_VF 1,VCPU 4' ||
        new Set(providers.map((provider) => provider?.rootId)).size !== 1 ||
        node === undefined ||
        card?.parentId !== node.id
      );
    });
    expect(odd).toEqual([]);
  });

  test('a generation counts the writes: the parts of the offer, and every consumer that came', () => {
    const came = loads(cloud);
    const wrong = cloud.providers.filter(({ id, generation, inventories, traits, aggregates }) => {
      const parts = [inventories, traits, aggregates].filter(({ length }) => length > 0).length;
      return generation !== parts + (came.get(id) ?? 0);
    });
    expect(wrong).toEqual([]);
  });
});
