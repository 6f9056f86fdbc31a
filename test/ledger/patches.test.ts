import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import { unsetAllocations } from '../../src/ledger/allocation/unsetAllocations.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { aProvider, expectRefused, expectUnchanged, generationOf, inventory } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import {
  addToAggregates,
  addTraits,
  patchInventory,
  removeFromAggregates,
  removeTraits,
  setInventories,
} from '../support/edits.js';

const database = useDatabase({ connections: 16 });
beforeAll(async () => {
  for (const name of ['CUSTOM_GOLD', 'CUSTOM_RED']) await createTrait(database.ledger, { name });
});

/** A provider at generation 1. */
async function host(): Promise<string> {
  const resourceProvider = await aProvider(database);
  const inventories = [
    inventory('VCPU', 8, { reserved: 2, allocationRatio: 1.1, maxUnit: 6 }),
    inventory('MEMORY_MB', 100),
  ];
  await setInventories(database.ledger, { resourceProvider, generation: 0, inventories });
  return resourceProvider;
}

async function stored(uuid: string): Promise<unknown> {
  const [row] = await database.pool.query<unknown[]>(
    `SELECT total, reserved, min_unit, max_unit, step_size, ROUND(allocation_ratio, 4) AS ratio FROM inventories i
       JOIN resource_providers p ON p.id = i.resource_provider_id WHERE p.uuid = ? AND resource_class_id = 0`,
    [uuid],
  );
  return row;
}

async function linksOf(uuid: string, kind: 'trait' | 'aggregate'): Promise<string[]> {
  const [links, targets, name] = {
    trait: ['resource_provider_traits', 'traits', 'name'],
    aggregate: ['resource_provider_aggregates', 'placement_aggregates', 'uuid'],
  }[kind];
  const rows = await database.pool.query<{ name: string }[]>(
    `SELECT t.${name} AS name FROM ${links} l JOIN ${targets} t ON t.id = l.${kind}_id
     JOIN resource_providers p ON p.id = l.resource_provider_id WHERE p.uuid = ? ORDER BY 1`,
    [uuid],
  );
  return rows.map((row) => row.name);
}

describe('patching an inventory', () => {
  const patch = (resourceProvider: string, fields: object, resourceClass = 'VCPU') =>
    patchInventory(database.ledger, { resourceProvider, resourceClass, ...fields });

  test('what is named changes, the rest stays, the generation grows once, and not where nothing changes', async () => {
    const uuid = await host();
    await patch(uuid, { total: 16, reserved: null });
    const after = { total: 16, reserved: 2, min_unit: 1, max_unit: 6, step_size: 1, ratio: 1.1 };
    expect(await stored(uuid)).toEqual(after);
    expect(await generationOf(database, uuid)).toBe(2);
    await expectUnchanged(database, () => patch(uuid, { total: 16, allocationRatio: 1.1 }));
    await expectUnchanged(database, () => patch(uuid, {}));
    await patch(uuid, { generation: 2, minUnit: 2, maxUnit: 4, stepSize: 2, allocationRatio: 0.5 });
    expect(await stored(uuid)).toEqual({ ...after, min_unit: 2, max_unit: 4, step_size: 2, ratio: 0.5 });
    expect(await generationOf(database, uuid)).toBe(3);
  });

  test('what is rejected names the field that was given, and changes nothing', async () => {
    const uuid = await host();
    const path = (field: string) => ['inventories', 'patch', '0', field];
    const cases: [object, Record<string, unknown>][] = [
      [{ total: 0 }, { path: path('total') }],
      [{ total: 1 }, { path: path('total') }],
      [{ reserved: 9 }, { path: path('reserved') }],
      [{ total: 4, reserved: 5 }, { path: path('reserved') }],
      [{ allocationRatio: 0 }, { path: path('allocationRatio') }],
    ];
    for (const [fields, refusal] of cases)
      await expectRefused(database, () => patch(uuid, fields), { code: 'INVALID_INPUT', ...refusal });
    await expectRefused(database, () => patch(uuid, { total: 1 }, 'CUSTOM_NONE'), { code: 'INVALID_INPUT' });
    await expectRefused(database, () => patch(uuid, { total: 1 }, 'DISK_GB'), { code: 'NOT_FOUND' });
    await expectRefused(database, () => patch(randomUUID(), { total: 1 }), { code: 'NOT_FOUND' });
    await expectRefused(database, () => patch(uuid, { total: 1, generation: 7 }), {
      code: 'PROVIDER_GENERATION_CONFLICT',
    });
  });

  test('two at once of different fields both take effect; with one generation one of them does', async () => {
    const uuid = await host();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch(uuid, n % 2 ? { total: 20 + n } : { reserved: n })),
    );
    expect(await generationOf(database, uuid)).toBeGreaterThan(2);
    await patch(uuid, { total: 50 });
    const generation = await generationOf(database, uuid);
    const ends = await Promise.allSettled([
      patch(uuid, { generation, total: 51 }),
      patch(uuid, { generation, reserved: 0 }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('adding and removing traits', () => {
  const some = (resourceProvider: string, ...traits: string[]) => ({ resourceProvider, traits });

  test('leave the others, and change nothing where there is nothing to change', async () => {
    const uuid = await aProvider(database);
    await addTraits(database.ledger, some(uuid, 'CUSTOM_GOLD', 'HW_CPU_X86_AVX2'));
    await addTraits(database.ledger, some(uuid, 'CUSTOM_RED', 'CUSTOM_GOLD'));
    expect(await linksOf(uuid, 'trait')).toEqual(['CUSTOM_GOLD', 'CUSTOM_RED', 'HW_CPU_X86_AVX2']);
    await expectUnchanged(database, () => addTraits(database.ledger, some(uuid, 'CUSTOM_RED')));
    await expectUnchanged(database, () => addTraits(database.ledger, some(uuid)));
    await removeTraits(database.ledger, some(uuid, 'CUSTOM_GOLD', 'HW_CPU_X86_AVX'));
    expect(await linksOf(uuid, 'trait')).toEqual(['CUSTOM_RED', 'HW_CPU_X86_AVX2']);
    await expectUnchanged(database, () => removeTraits(database.ledger, some(uuid, 'CUSTOM_GOLD')));
    expect(await generationOf(database, uuid)).toBe(3);
  });

  test.each([
    ['add', addTraits],
    ['remove', removeTraits],
  ])('%s: unknown traits, and those given twice, are rejected', async (field, write) => {
    const uuid = await aProvider(database);
    const rejected = (...traits: string[]) =>
      expectRefused(database, () => write(database.ledger, some(uuid, ...traits)), {
        code: 'INVALID_INPUT',
        path: ['traits', field, '1'],
      });
    await rejected('CUSTOM_GOLD', 'CUSTOM_NEVER_MADE');
    await rejected('CUSTOM_GOLD', 'CUSTOM_GOLD');
    await expectRefused(database, () => write(database.ledger, some(randomUUID())), { code: 'NOT_FOUND' });
  });

  test('at once: each takes effect, and each is one generation', async () => {
    const uuid = await aProvider(database);
    const traits = ['CUSTOM_GOLD', 'CUSTOM_RED', 'HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2'];
    await Promise.all([...traits, ...traits].map((name) => addTraits(database.ledger, some(uuid, name))));
    expect(await linksOf(uuid, 'trait')).toEqual(traits);
    expect(await generationOf(database, uuid)).toBe(4);
  });
});

describe('joining and leaving aggregates', () => {
  const some = (resourceProvider: string, ...aggregates: string[]) => ({ resourceProvider, aggregates });

  test('leave the others; unknown ones come into being by joining, and not by leaving', async () => {
    const uuid = await aProvider(database);
    const [a, b, unknown] = [randomUUID(), randomUUID(), randomUUID()].sort();
    await addToAggregates(database.ledger, some(uuid, a));
    await addToAggregates(database.ledger, some(uuid, b, a));
    expect(await linksOf(uuid, 'aggregate')).toEqual([a, b]);
    await expectUnchanged(database, () => addToAggregates(database.ledger, some(uuid, b)));
    await removeFromAggregates(database.ledger, some(uuid, a, unknown));
    expect(await linksOf(uuid, 'aggregate')).toEqual([b]);
    await expectUnchanged(database, () => removeFromAggregates(database.ledger, some(uuid, a, unknown)));
    expect(await generationOf(database, uuid)).toBe(3);
    await expectRefused(database, () => addToAggregates(database.ledger, some(uuid, a, a)), {
      code: 'INVALID_INPUT',
      path: ['aggregates', 'add', '1'],
    });
  });

  test('at once: each takes effect', async () => {
    const uuid = await aProvider(database);
    const aggregates = Array.from({ length: 4 }, () => randomUUID()).sort();
    await Promise.all(aggregates.map((each) => addToAggregates(database.ledger, some(uuid, each))));
    expect(await linksOf(uuid, 'aggregate')).toEqual(aggregates);
    expect(await generationOf(database, uuid)).toBe(4);
  });
});

describe('unsetting allocations', () => {
  async function consumerOf(amounts: Record<string, Record<string, number>>): Promise<string> {
    const consumer = randomUUID();
    const allocations = Object.entries(amounts).map(([resourceProvider, classes]) => ({
      resourceProvider,
      resources: Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount })),
    }));
    const consumers = [{ consumer, projectId: 'project', userId: 'user', allocations }];
    await setAllocations(database.claims, { consumers });
    return consumer;
  }

  const unset = (consumer: string, more: object) =>
    unsetAllocations(database.ledger, { consumer, resourceProviders: [], resourceClasses: [], ...more });

  async function has(consumer: string): Promise<unknown> {
    const rows = await database.pool.query<{ what: string }[]>(
      `SELECT CONCAT_WS(' ', p.uuid, k.name, a.used) AS what FROM allocations a
         JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes k ON k.id = a.resource_class_id
        WHERE a.consumer_id = ? ORDER BY a.resource_provider_id, a.resource_class_id`,
      [consumer],
    );
    const [row] = await database.pool.query<{ generation: number }[]>(
      'SELECT generation FROM consumers WHERE uuid = ?',
      [consumer],
    );
    return row === undefined && rows.length === 0 ? null : [row.generation, ...rows.map(({ what }) => what)];
  }

  test('takes what is of the providers, of the classes, or of both, and no more', async () => {
    const [a, b] = [await host(), await host()];
    const both = { VCPU: 2, MEMORY_MB: 10 };
    const consumer = await consumerOf({ [a]: both, [b]: both });
    await unset(consumer, { resourceProviders: [b], resourceClasses: ['VCPU'] });
    expect(await has(consumer)).toEqual([2, `${a} VCPU 2`, `${a} MEMORY_MB 10`, `${b} MEMORY_MB 10`]);
    expect([await generationOf(database, a), await generationOf(database, b)]).toEqual([2, 3]);
    await unset(consumer, { resourceClasses: ['VCPU'], generation: 2 });
    expect(await has(consumer)).toEqual([3, `${a} MEMORY_MB 10`, `${b} MEMORY_MB 10`]);
    await expectUnchanged(database, () => unset(consumer, { resourceClasses: ['VCPU'] }));
    await unset(consumer, { resourceProviders: [b] });
    expect(await has(consumer)).toEqual([4, `${a} MEMORY_MB 10`]);
    await unset(consumer, { resourceProviders: [a, b] });
    expect(await has(consumer)).toBeNull();
    expect([await generationOf(database, a), await generationOf(database, b)]).toEqual([4, 4]);
  });

  test('what stays is not validated again, though it is no longer within the units or the capacity', async () => {
    const a = await host();
    const consumer = await consumerOf({ [a]: { VCPU: 2, MEMORY_MB: 10 } });
    await patchInventory(database.ledger, {
      resourceProvider: a,
      resourceClass: 'VCPU',
      total: 2,
      reserved: 2,
      minUnit: 3,
    });
    await unset(consumer, { resourceClasses: ['MEMORY_MB'] });
    expect(await has(consumer)).toEqual([2, `${a} VCPU 2`]);
  });

  test('what is rejected changes nothing', async () => {
    const a = await host();
    const consumer = await consumerOf({ [a]: { VCPU: 2 } });
    const cases: [object, { code: string } & Record<string, unknown>][] = [
      [{}, { code: 'INVALID_INPUT', path: ['resourceProviders'] }],
      [{ resourceClasses: ['CUSTOM_NONE'] }, { code: 'INVALID_INPUT', path: ['resourceClasses', '0'] }],
      [{ resourceProviders: [a, a] }, { code: 'INVALID_INPUT', path: ['resourceProviders', '1'] }],
      [{ resourceProviders: [randomUUID()] }, { code: 'NOT_FOUND' }],
      [
        { resourceProviders: [a], generation: 2 },
        { code: 'CONSUMER_GENERATION_CONFLICT', expectedGeneration: 2, currentGeneration: 1 },
      ],
    ];
    for (const [more, refusal] of cases) await expectRefused(database, () => unset(consumer, more), refusal);
    const unknown = () => unset(randomUUID(), { resourceProviders: [a] });
    await expectRefused(database, unknown, { code: 'NOT_FOUND', entity: 'CONSUMER' });
  });

  test('at once with others of the same consumer: each takes effect', async () => {
    const hosts = await Promise.all(Array.from({ length: 4 }, host));
    const amounts = Object.fromEntries(hosts.map((uuid) => [uuid, { VCPU: 1 }]));
    const consumer = await consumerOf(amounts);
    await Promise.all(hosts.slice(1).map((uuid) => unset(consumer, { resourceProviders: [uuid] })));
    expect(await has(consumer)).toEqual([4, `${hosts[0]} VCPU 1`]);
  });
});
