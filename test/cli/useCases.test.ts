import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import { useApi } from '../support/api.js';
import { unchanged } from '../support/unchanged.js';
import { consumerOf, grow, storedConsumer, treeOf, type Grown, type Takes } from '../ledger/treeSupport.js';
import { Command, LocalCommand } from './command.js';

const { database, api } = useApi();
beforeAll(async () => {
  await createResourceClass(database.ledger, { name: 'CUSTOM_FPGA' });
});

const lineOf = (plan: string, node: string): string[] => {
  const file = `examples/plans/${plan}.mjs`;
  return ['migrate-inventory', '--plan', file, '--node', node];
};

/** Migrates in a process of its own, beside the searches of this one. */
function migrate(plan: string, node: string): Promise<{ code: unknown; said: string }> {
  return new Command(lineOf(plan, node), { DATABASE_URL: database.url }).ended();
}

async function migrateAgain(plan: string, node: string): Promise<void> {
  await unchanged(database, () =>
    new LocalCommand(lineOf(plan, node), { DATABASE_URL: database.url }).ended(),
  );
}

const SEARCH = `query ($tree: UUID!) {
  allocationCandidates(
    request: { groups: [{ resources: [{ resourceClass: "PCI_DEVICE", amount: 1 }], inTree: { uuid: $tree } }] }
  ) {
    allocationRequests { allocations { resourceProvider { uuid } } }
    providerSummaries { resourceProvider { name } resources { resourceClass { name } capacity used } }
  }
}`;

interface Found {
  readonly allocationRequests: unknown[];
  readonly providerSummaries: readonly {
    readonly resourceProvider: { readonly name: string };
    readonly resources: readonly {
      readonly resourceClass: { readonly name: string };
      readonly capacity: number;
      readonly used: number;
    }[];
  }[];
}

/** What a candidates search shows of a tree: "provider class used/capacity", sorted. */
async function look(tree: string): Promise<string> {
  const { data } = await api.query<{ allocationCandidates: Found }>(SEARCH, { tree });
  const { allocationRequests, providerSummaries } = data.allocationCandidates;
  expect(allocationRequests).toHaveLength(1);
  return providerSummaries
    .flatMap(({ resourceProvider, resources }) =>
      resources.map(
        (each) => `${resourceProvider.name} ${each.resourceClass.name} ${each.used}/${each.capacity}`,
      ),
    )
    .sort()
    .join('\n');
}

/** Searches all the while that the work is done; gives the different states that were seen, in order. */
async function watch(tree: string, work: () => Promise<unknown>): Promise<string[]> {
  const seen = [await look(tree)];
  let searches = 0;
  let isBusy = true;
  const searcher = async (): Promise<void> => {
    while (isBusy) {
      const state = await look(tree);
      searches += 1;
      if (!seen.includes(state)) seen.push(state);
    }
  };
  const searching = searcher();
  await work().finally(() => (isBusy = false));
  await searching;
  expect(searches).toBeGreaterThan(10);
  const last = await look(tree);
  return seen.includes(last) ? seen : [...seen, last];
}

/** Amounts of each class over a whole tree. */
async function totals(tree: string): Promise<Record<string, string>> {
  const sums = new Map<string, [number, number]>();
  for (const line of (await look(tree)).split('\n')) {
    const [, resourceClass, figures] = line.split(' ');
    const [used, capacity] = figures.split('/').map(Number);
    const [before, room] = sums.get(resourceClass) ?? [0, 0];
    sums.set(resourceClass, [before + used, room + capacity]);
  }
  return Object.fromEntries([...sums].map(([name, [used, capacity]]) => [name, `${used}/${capacity}`]));
}

type StoredTree = Awaited<ReturnType<typeof treeOf>>;

interface Cloud {
  readonly host: string;
  readonly storage: string;
  readonly uuids: Record<string, string>;
  readonly consumers: readonly string[];
}

/** A host with unused PCI devices, storage beside it, and 200 consumers that have disk there. */
async function cloud(
  tree: Grown,
  takes: (consumer: number, uuids: Record<string, string>) => Takes,
): Promise<Cloud> {
  const aggregates = [randomUUID()];
  const uuids = await grow(database, {
    ...tree,
    inventories: { ...tree.inventories, PCI_DEVICE: 4 },
    aggregates,
  });
  const name = `${tree.name}-storage`;
  const sharing = {
    name,
    inventories: { DISK_GB: 10_000 },
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    aggregates,
  };
  const { [name]: storage } = await grow(database, sharing);
  const consumers = Array.from({ length: 200 }, () => randomUUID());
  await setAllocations(database.claims, {
    consumers: consumers.map((consumer, n) =>
      consumerOf(consumer, { ...takes(n, uuids), [storage]: { DISK_GB: 10 } }),
    ),
  });
  return { host: uuids[tree.name], storage, uuids, consumers };
}

/** What each consumer has. */
async function takesOf({ consumers }: Cloud): Promise<Record<string, Record<string, number>>[]> {
  const stored = await Promise.all(consumers.map((consumer) => storedConsumer(database, consumer)));
  return stored.map((consumer) => consumer!.takes);
}

/** What each consumer has, by the names of classes alone. */
async function held(made: Cloud): Promise<Record<string, number>[]> {
  return (await takesOf(made)).map((takes) => {
    const amounts: Record<string, number> = {};
    for (const classes of Object.values(takes)) {
      for (const [name, amount] of Object.entries(classes)) amounts[name] = (amounts[name] ?? 0) + amount;
    }
    return amounts;
  });
}

/** Migrates a host while it is searched. Expects two states, and equal sums before and after. Returns its tree. */
async function migrated(made: Cloud, plan: string, report: RegExp, renamed = same): Promise<StoredTree> {
  const { name } = await treeOf(database, made.host);
  const before = { totals: await totals(made.host), held: await held(made) };
  const states = await watch(made.host, async () => {
    const { code, said } = await migrate(plan, name);
    expect(said).toMatch(report);
    expect(code).toBe(0);
  });
  expect(states).toHaveLength(2);
  expect({ totals: await totals(made.host), held: await held(made) }).toEqual({
    totals: renamed(before.totals),
    held: before.held.map(renamed),
  });
  await migrateAgain(plan, name);
  return treeOf(database, made.host);
}

type Renamed = <T>(amounts: Record<string, T>) => Record<string, T>;
const same: Renamed = (amounts) => amounts;
const withoutCustom: Renamed = (amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name.replace('CUSTOM_', ''), amount]));

describe("the reshape spec's use cases, with 200 consumers, while candidates are searched", () => {
  test('VGPU from the root to physical GPUs', async () => {
    const made = await cloud(
      { name: 'vgpu', inventories: { VGPU: 320, VCPU: 400 }, children: [{ name: 'vgpu-nic' }] },
      (n, { vgpu }) => ({ [vgpu]: { VCPU: 1, ...(n % 4 === 3 ? {} : { VGPU: 1 + (n % 4) }) } }),
    );
    const storage = await treeOf(database, made.storage);
    const { inventories, children } = await migrated(
      made,
      'vgpu-to-physical-gpus',
      /^\[1\/1\] vgpu: changed: 20 created, 1 updated, allocations moved\n1 nodes: 1 changed, 0 unchanged, 0 failed\n$/,
    );
    expect(inventories).toEqual({ VCPU: 400, PCI_DEVICE: 4 });
    expect(children).toHaveLength(21);
    expect(children.filter(({ inventories: { VGPU } }) => VGPU === 16)).toHaveLength(20);
    // each consumer has its VGPUs of one physical GPU, and shared storage was left alone
    for (const takes of await takesOf(made)) {
      expect(Object.values(takes).filter(({ VGPU }) => VGPU > 0).length).toBeLessThanOrEqual(1);
      expect([takes[made.storage], takes[made.host]]).toEqual([{ DISK_GB: 10 }, { VCPU: 1 }]);
    }
    expect(await treeOf(database, made.storage)).toEqual(storage);
  }, 60_000);

  test('VCPU, MEMORY_MB and SRIOV_NET_VF from the root to NUMA nodes and their network functions', async () => {
    const made = await cloud(
      { name: 'numa', inventories: { VCPU: 501, MEMORY_MB: 204_800, SRIOV_NET_VF: 140, VGPU: 8 } },
      (n, { numa }) => ({
        [numa]: {
          VCPU: 1 + (n % 3),
          MEMORY_MB: 512 + 256 * (n % 3),
          ...(n % 2 === 0 ? { SRIOV_NET_VF: 1 } : {}),
        },
      }),
    );
    const changed = /numa: changed: 4 created, 1 updated, allocations moved\n/;
    const { inventories, children } = await migrated(made, 'numa-nodes', changed);
    expect(inventories).toEqual({ VGPU: 8, PCI_DEVICE: 4 });
    expect(children).toMatchObject(
      [251, 250].map((VCPU) => ({
        inventories: { VCPU, MEMORY_MB: 102_400 },
        traits: ['HW_NUMA_ROOT'],
        children: [{ inventories: { SRIOV_NET_VF: 70 } }],
      })),
    );
    // each consumer has its processors, memory and network function on one node
    const nodeOf = new Map(
      children.flatMap((node) => [node, ...node.children].map(({ uuid }) => [uuid, node.uuid])),
    );
    for (const takes of await takesOf(made)) {
      const nodes = Object.keys(takes).flatMap((uuid) => nodeOf.get(uuid) ?? []);
      expect(new Set(nodes).size).toBe(1);
      expect(takes[made.storage]).toEqual({ DISK_GB: 10 });
    }
  }, 60_000);

  test('a custom class renamed to a standard one, wherever it is in the tree', async () => {
    const made = await cloud(
      {
        name: 'fpga',
        inventories: { VCPU: 400, CUSTOM_FPGA: 100 },
        children: [
          { name: 'fpga-a', children: [{ name: 'fpga-b', inventories: { CUSTOM_FPGA: 150 } }] },
          { name: 'fpga-c' },
        ],
      },
      (n, { fpga, 'fpga-b': below }) => ({
        [fpga]: { VCPU: 1, ...(n % 2 === 0 ? { CUSTOM_FPGA: 1 } : {}) },
        ...(n % 3 === 0 ? { [below]: { CUSTOM_FPGA: 2 } } : {}),
      }),
    );
    expect(await totals(made.host)).toHaveProperty('CUSTOM_FPGA');
    const changed = /fpga: changed: 2 updated, allocations moved\n/;
    await migrated(made, 'rename-class', changed, withoutCustom);
  }, 60_000);
});
