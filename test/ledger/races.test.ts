import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createResourceClass, deleteResourceClass } from '../../src/store/ledger/catalog.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import {
  deleteAggregates,
  updateAggregateMembers,
} from '../../src/store/ledger/provider/aggregateMembers.js';
import { createProvider, deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { createTrait, deleteTrait } from '../../src/store/ledger/provider/traits.js';
import { type ProviderUpdate, updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { aProvider, endOf, generationOf, inventory, stocked, storedProvider, times } from './support.js';
import { aConsumer, consumerOf, storedConsumer } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';
import {
  addToAggregates,
  addTraits,
  deleteInventory,
  patchInventory,
  setAggregates,
  setInventories,
  setInventory,
  setTraits,
} from '../support/edits.js';

const database = useDatabase({ connections: 16 });

/** Starts all writes at once: how many succeeded, and how many were refused with each code. Anything else throws. */
async function race(writes: readonly (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const count: Record<string, number> = {};
  await Promise.all(
    writes.map(async (write) => {
      const end = await endOf(write());
      count[end] = (count[end] ?? 0) + 1;
    }),
  );
  return count;
}

async function count(sql: string): Promise<number> {
  const [row] = await database.pool.query<{ n: number }[]>(`SELECT COUNT(*) AS n FROM ${sql}`);
  return row.n;
}

describe('creating the same thing at once', () => {
  test('providers of one name: one is created', async () => {
    const writes = times(40, () => () => createProvider(database.ledger, { name: 'the one' }));
    expect(await race(writes)).toEqual({ done: 1, DUPLICATE_NAME: 39 });
  });

  test('providers of one uuid: one is created', async () => {
    const uuid = randomUUID();
    const writes = times(40, (n) => () => createProvider(database.ledger, { name: `same uuid ${n}`, uuid }));
    expect(await race(writes)).toEqual({ done: 1, DUPLICATE_UUID: 39 });
  });

  test('renames to one name: one gets it', async () => {
    const uuids = await Promise.all(times(20, () => aProvider(database)));
    const writes = uuids.map(
      (uuid) => () => updateProvider(database.ledger, { resourceProvider: uuid, name: 'wanted' }),
    );
    expect(await race(writes)).toEqual({ done: 1, DUPLICATE_NAME: 19 });
  });

  test('rules 67, 75: a trait or a class of one name: all succeed, one created it', async () => {
    for (const create of [createTrait, createResourceClass]) {
      const results = await Promise.all(times(40, () => create(database.ledger, { name: 'CUSTOM_SAME' })));
      expect(results.filter(({ created }) => created)).toHaveLength(1);
    }
  });

  test('rule 74: classes of different names all get ids of their own', async () => {
    await Promise.all(times(40, (n) => createResourceClass(database.ledger, { name: `CUSTOM_CLASS_${n}` })));
    expect(await count("resource_classes WHERE name LIKE 'CUSTOM\\_CLASS\\_%' AND id >= 10000")).toBe(40);
  });

  test('rule 78: providers that are the first in the same aggregates all get there', async () => {
    const aggregates = times(5, () => randomUUID());
    const uuids = await Promise.all(times(40, () => aProvider(database)));
    await Promise.all(
      uuids.map((resourceProvider, n) =>
        setAggregates(database.ledger, {
          resourceProvider,
          generation: 0,
          aggregates: [...aggregates.slice(n % 5), ...aggregates.slice(0, n % 5)],
        }),
      ),
    );
    expect(await count('placement_aggregates')).toBe(5);
    expect(await count('resource_provider_aggregates')).toBe(200);
  });
});

describe('rule 57: of writers with the same generation exactly one wins', () => {
  const at = (resourceProvider: string) => ({ resourceProvider, generation: 0 });
  const sets: [string, (on: ReturnType<typeof at>, n: number) => Promise<unknown>][] = [
    [
      'inventories',
      (on, n) => setInventories(database.ledger, { ...on, inventories: [inventory('VCPU', n + 1)] }),
    ],
    [
      'one inventory',
      (on, n) => setInventory(database.ledger, { ...on, inventory: inventory('VCPU', n + 1) }),
    ],
    [
      'traits',
      (on, n) => setTraits(database.ledger, { ...on, traits: [['HW_NUMA_ROOT', 'HW_CPU_X86_AVX2'][n % 2]] }),
    ],
    ['aggregates', (on) => setAggregates(database.ledger, { ...on, aggregates: [randomUUID()] })],
    ['name', (on, n) => updateProvider(database.ledger, { ...on, name: `racer ${n}` })],
    [
      'tree',
      ({ resourceProvider: uuid, generation }, n) =>
        applyProviderTree(database.ledger, { root: { uuid, generation, name: `tree ${n}` } }),
    ],
  ];
  test.each(sets)('%s', async (_, set) => {
    const uuid = await aProvider(database);
    const writes = times(32, (n) => () => set(at(uuid), n));
    expect(await race(writes)).toEqual({ done: 1, PROVIDER_GENERATION_CONFLICT: 31 });
    expect(await generationOf(database, uuid)).toBe(1);
  });

  test('without a generation all of them take place', async () => {
    const uuid = await aProvider(database);
    const writes = times(
      32,
      (n) => () => updateProvider(database.ledger, { resourceProvider: uuid, name: `runner ${n}` }),
    );
    expect(await race(writes)).toEqual({ done: 32 });
    expect(await generationOf(database, uuid)).toBe(32);
  });
});

describe('writes at once that need no generation all take effect', () => {
  /** Creates a provider with VCPU 8, at generation 1. */
  const host = () => stocked(database, inventory('VCPU', 8));
  const ofProvider = async (uuid: string, what: string): Promise<unknown> => {
    const select = `SELECT ${what} AS value FROM resource_providers p WHERE p.uuid = ?`;
    return (await database.pool.query<{ value: unknown }[]>(select, [uuid]))[0].value;
  };
  const countOf = (table: string): string =>
    `(SELECT COUNT(*) FROM ${table} l WHERE l.resource_provider_id = p.id)`;
  const TRAITS = ['HW_NUMA_ROOT', 'HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2', 'HW_CPU_X86_SGX'];
  const aggregates = times(4, () => randomUUID());

  test.each<[string, ((resourceProvider: string) => Promise<unknown>)[], string, unknown]>([
    [
      'patches of different fields of an inventory',
      [{ total: 20 }, { reserved: 5 }, { minUnit: 2 }, { stepSize: 3 }].map(
        (fields) => (resourceProvider) =>
          patchInventory(database.ledger, { resourceProvider, resourceClass: 'VCPU', ...fields }),
      ),
      "(SELECT CONCAT_WS(' ', total, reserved, min_unit, step_size) FROM inventories l WHERE l.resource_provider_id = p.id)",
      '20 5 2 3',
    ],
    [
      'added traits, each of them twice',
      [...TRAITS, ...TRAITS].map(
        (name) => (resourceProvider) => addTraits(database.ledger, { resourceProvider, traits: [name] }),
      ),
      countOf('resource_provider_traits'),
      4,
    ],
    [
      'added aggregates',
      aggregates.map(
        (uuid) => (resourceProvider) =>
          addToAggregates(database.ledger, { resourceProvider, aggregates: [uuid] }),
      ),
      countOf('resource_provider_aggregates'),
      4,
    ],
  ])('%s', async (_, edits, what, expected) => {
    const uuid = await host();
    await Promise.all(edits.map((edit) => edit(uuid)));
    expect(await ofProvider(uuid, what)).toEqual(expected);
    expect(await generationOf(database, uuid)).toBe(5);
  });

  test('updates of all parts of a provider, beside claims', async () => {
    const uuid = await host();
    const update = (edits: Omit<ProviderUpdate, 'resourceProvider'>) =>
      updateProvider(database.ledger, { resourceProvider: uuid, ...edits });
    const claim = () =>
      setAllocations(database.claims, { consumers: [consumerOf(randomUUID(), { [uuid]: { VCPU: 1 } })] });
    await Promise.all([
      update({ traits: { add: TRAITS }, inventories: { add: [inventory('MEMORY_MB', 1)] } }),
      update({ aggregates: { set: aggregates } }),
      update({ parent: await aProvider(database) }),
      update({ inventories: { add: [inventory('DISK_GB', 7)] } }),
      ...times(8, claim),
    ]);
    expect(await generationOf(database, uuid)).toBe(13);
  });

  test('allocations of one consumer that are unset', async () => {
    const hosts = await Promise.all(times(4, host));
    const consumer = await aConsumer(database, Object.fromEntries(hosts.map((uuid) => [uuid, { VCPU: 1 }])));
    const [kept, ...left] = hosts;
    await Promise.all(
      left.map((uuid) =>
        unsetAllocations(database.ledger, { consumer, resourceProviders: [uuid], resourceClasses: [] }),
      ),
    );
    expect(await storedConsumer(database, consumer)).toEqual({
      generation: 4,
      takes: { [kept]: { VCPU: 1 } },
    });
  });
});

describe('deleting a row that a concurrent write starts to use', () => {
  const rounds = times(25, (n) => n);

  test.each([
    {
      what: 'a trait',
      create: createTrait,
      use: (name: string) => ({ traits: { set: [name] } }),
      remove: deleteTrait,
      inUse: 'TRAIT_IN_USE',
    },
    {
      what: 'a resource class, which no foreign key protects',
      create: createResourceClass,
      use: (name: string) => ({ inventories: { set: [inventory('VCPU', 1), inventory(name, 1)] } }),
      remove: deleteResourceClass,
      inUse: 'RESOURCE_CLASS_IN_USE',
    },
  ])('$what', async ({ create, use, remove, inUse }) => {
    for (const round of rounds) {
      const name = `CUSTOM_FLEETING_${round}`;
      await create(database.ledger, { name });
      const uuids = await Promise.all(times(3, () => aProvider(database)));
      const ends = await race([
        ...uuids.map(
          (uuid) => () =>
            updateProvider(database.ledger, { resourceProvider: uuid, generation: 0, ...use(name) }),
        ),
        () => remove(database.ledger, { name }),
      ]);
      expect([
        { done: 3, [inUse]: 1 },
        { done: 1, INVALID_INPUT: 3 },
      ]).toContainEqual(ends);
    }
    expect(await count('inventories WHERE resource_class_id NOT IN (SELECT id FROM resource_classes)')).toBe(
      0,
    );
  });

  test('an aggregate, which no foreign key protects', async () => {
    for (const _round of rounds) {
      const aggregate = randomUUID();
      const [first, ...uuids] = await Promise.all(times(4, () => aProvider(database)));
      await updateAggregateMembers(database.ledger, { aggregate, add: [first], remove: [] });
      await updateAggregateMembers(database.ledger, { aggregate, add: [], remove: [first] });
      const ends = await race([
        ...uuids.map(
          (uuid) => () => updateAggregateMembers(database.ledger, { aggregate, add: [uuid], remove: [] }),
        ),
        () => deleteAggregates(database.ledger, [aggregate]),
      ]);
      expect([{ done: 4 }, { done: 3, AGGREGATE_IN_USE: 1 }]).toContainEqual(ends);
    }
    const dangling =
      'resource_provider_aggregates WHERE aggregate_id NOT IN (SELECT id FROM placement_aggregates)';
    expect(await count(dangling)).toBe(0);
  });

  test('a provider that gets inventories, traits, aggregates or a child', async () => {
    for (const round of rounds) {
      const parent = round % 2 === 0 ? null : await aProvider(database);
      const uuid = await aProvider(database, parent);
      const on = { resourceProvider: uuid, generation: 0 };
      const ends = await race([
        () => setInventories(database.ledger, { ...on, inventories: [inventory('VCPU', 1)] }),
        () => setTraits(database.ledger, { ...on, traits: ['HW_NUMA_ROOT'] }),
        () => deleteProvider(database.ledger, { resourceProvider: uuid }),
        () => setAggregates(database.ledger, { ...on, aggregates: [randomUUID()] }),
        () => createProvider(database.ledger, { name: `child ${round}`, parent: uuid }),
      ]);
      expect(Object.keys(ends)).not.toContain('CONCURRENT_UPDATE');
    }
    for (const table of ['inventories', 'resource_provider_traits', 'resource_provider_aggregates']) {
      expect(
        await count(`${table} WHERE resource_provider_id NOT IN (SELECT id FROM resource_providers)`),
      ).toBe(0);
    }
  });

  test('rules 32, 46: an inventory or a provider that is being claimed', async () => {
    let claimed = 0;
    for (const round of rounds) {
      const uuid = await stocked(database, inventory('VCPU', 8));
      const { id } = await storedProvider(database, uuid);
      const on = { resourceProvider: uuid };
      const consumers = [consumerOf(randomUUID(), { [uuid]: { VCPU: 1 } })];
      await race([
        () => setAllocations(database.claims, { consumers }),
        round % 2 === 0
          ? () => deleteProvider(database.ledger, on)
          : () => deleteInventory(database.ledger, { ...on, generation: 1, resourceClass: 'VCPU' }),
      ]);
      const used = await count(`allocations WHERE resource_provider_id = ${id}`);
      expect(await count(`inventories WHERE resource_provider_id = ${id}`)).toBe(used);
      claimed += used;
    }
    expect(claimed).toBeGreaterThan(0);
  });
});
