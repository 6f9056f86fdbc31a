import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { timestampOf } from '../../src/database/timestamps.js';
import { shortestDecimal } from '../../src/domain/capacity.js';
import { createResourceClass } from '../../src/ledger/catalog.js';
import type { InventoryInput } from '../../src/ledger/inventory/inventoryRows.js';
import { allocate, aProvider, expectRefused, expectUnchanged, generationOf, inventory } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { deleteInventory, setInventories, setInventory } from '../support/edits.js';

let statements: string[] = [];
const database = useDatabase({
  onStatement: (sql) => !sql.includes('placement_feed') && statements.push(sql),
});
beforeAll(async () => {
  await createResourceClass(database.ledger, { name: 'CUSTOM_LICENSE' });
});

const set = (resourceProvider: string, generation: number, inventories: InventoryInput[]) =>
  setInventories(database.ledger, { resourceProvider, generation, inventories });
const setOne = (resourceProvider: string, generation: number, one: InventoryInput) =>
  setInventory(database.ledger, { resourceProvider, generation, inventory: one });
const remove = (resourceProvider: string, generation: number, resourceClass: string) =>
  deleteInventory(database.ledger, { resourceProvider, generation, resourceClass });

/** What is stored for the provider, as the API's input; by class id. */
async function storedOf(uuid: string): Promise<InventoryInput[]> {
  const rows = await database.pool.query<InventoryInput[]>(
    `SELECT c.name AS resourceClass, total, reserved, min_unit AS minUnit, max_unit AS maxUnit, step_size AS stepSize,
            allocation_ratio + 0e0 AS allocationRatio
     FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id
     JOIN resource_providers p ON p.id = i.resource_provider_id WHERE p.uuid = ? ORDER BY c.id`,
    [uuid],
  );
  return rows.map((row) => ({ ...row, allocationRatio: shortestDecimal(row.allocationRatio) }));
}

describe('setting all inventories', () => {
  test('rules 16, 17, 31: the set is stored as it is given, and replaced as a whole', async () => {
    const uuid = await aProvider(database);
    const vcpu = inventory('VCPU', 32, { allocationRatio: 4, maxUnit: 16 });
    const memory = inventory('MEMORY_MB', 131072, { reserved: 512, minUnit: 64, stepSize: 64 });
    const license = inventory('CUSTOM_LICENSE', 3, { allocationRatio: 0.7 });
    expect(await set(uuid, 0, [license, memory, vcpu])).toEqual({ uuid });
    expect(await storedOf(uuid)).toEqual([vcpu, memory, license]);
    await set(uuid, 1, [memory, inventory('DISK_GB', 100)]);
    expect(await storedOf(uuid)).toEqual([memory, inventory('DISK_GB', 100)]);
    await set(uuid, 2, []);
    expect(await storedOf(uuid)).toEqual([]);
    expect(await generationOf(database, uuid)).toBe(3);
  });

  test('rule 19: all six fields are replaced; decision D5: once for all, and not at all for the same', async () => {
    const uuid = await aProvider(database);
    const full = inventory('VCPU', 8, {
      reserved: 1,
      minUnit: 2,
      maxUnit: 4,
      stepSize: 2,
      allocationRatio: 1.15,
    });
    await set(uuid, 0, [full, inventory('DISK_GB', 10)]);
    await expectUnchanged(database, () => set(uuid, 1, [inventory('DISK_GB', 10), full]));
    const fields = ['reserved', 'minUnit', 'maxUnit', 'stepSize', 'allocationRatio'] as const;
    let generation = 1;
    for (const field of fields) {
      const plain = inventory('VCPU', 8);
      await set(uuid, generation++, [{ ...full, [field]: plain[field] }, inventory('DISK_GB', 10)]);
      await set(uuid, generation++, [full, inventory('DISK_GB', 10)]);
      expect(await generationOf(database, uuid)).toBe(generation);
    }
    await set(uuid, generation, [inventory('VCPU', 8), inventory('DISK_GB', 10)]);
    expect(await storedOf(uuid)).toEqual([inventory('VCPU', 8), inventory('DISK_GB', 10)]);
  });

  test('created_at stays and updated_at is set when an inventory is replaced', async () => {
    const uuid = await aProvider(database);
    await set(uuid, 0, [inventory('VCPU', 8)]);
    const dates = 'SELECT i.created_at, i.updated_at FROM inventories i ORDER BY i.id DESC LIMIT 1';
    await database.pool.query('UPDATE inventories SET created_at = ? ORDER BY id DESC LIMIT 1', [
      '2020-02-02 02:02:02',
    ]);
    const before = timestampOf(Date.now());
    await set(uuid, 1, [inventory('VCPU', 9)]);
    const [{ created_at, updated_at }] =
      await database.pool.query<{ created_at: string; updated_at: string }[]>(dates);
    expect(created_at).toEqual('2020-02-02 02:02:02');
    expect(updated_at >= before && updated_at <= timestampOf(Date.now())).toBe(true);
  });

  test('rules 12, 18, 22: the ends of each range', async () => {
    const uuid = await aProvider(database);
    const most = 2147483647;
    const largest = inventory('VCPU', most, { reserved: most, minUnit: most, maxUnit: most, stepSize: most });
    await set(uuid, 0, [largest]);
    expect(await storedOf(uuid)).toEqual([largest]);
    const smallest = inventory('VCPU', 1, { maxUnit: 1 });
    await set(uuid, 1, [smallest]);
    expect(await storedOf(uuid)).toEqual([smallest]);
  });

  test.each([1e-45, 1.17549435e-38, 0.001, 0.7, 1 / 3, 1.001, 1.15, 16, 16777217, 3.40282e38])(
    'decision D2: a ratio of %p is stored in single precision, and is the same when it is set again',
    async (allocationRatio) => {
      const uuid = await aProvider(database);
      const vcpu = inventory('VCPU', 10, { allocationRatio });
      await set(uuid, 0, [vcpu]);
      expect(Math.fround((await storedOf(uuid))[0].allocationRatio)).toBe(Math.fround(allocationRatio));
      await expectUnchanged(database, () => set(uuid, 1, [vcpu]));
    },
  );

  test('rule 32: an inventory with allocations cannot be left out', async () => {
    const uuid = await aProvider(database);
    await set(uuid, 0, [inventory('VCPU', 8), inventory('MEMORY_MB', 64), inventory('DISK_GB', 5)]);
    await allocate(database, uuid, 'DISK_GB', 1);
    await allocate(database, uuid, 'MEMORY_MB', 1);
    const refusal = { code: 'INVENTORY_IN_USE', resourceProviderUuid: uuid, resourceClassName: 'MEMORY_MB' };
    const both = { ...refusal, resourceClassNames: ['MEMORY_MB', 'DISK_GB'] };
    await expectRefused(database, () => set(uuid, 1, []), both);
    await expectRefused(database, () => set(uuid, 1, [inventory('VCPU', 80), inventory('DISK_GB', 5)]), {
      ...refusal,
      resourceClassNames: ['MEMORY_MB'],
    });
    await set(uuid, 1, [inventory('MEMORY_MB', 64), inventory('DISK_GB', 5)]);
  });

  test.each<[string, Partial<InventoryInput>, string]>([
    ['rule 18: total 0', { total: 0 }, 'total'],
    ['rule 18: total negative', { total: -1 }, 'total'],
    ['rule 12: total 2^31', { total: 2 ** 31 }, 'total'],
    ['rule 12: a total that is no whole number', { total: 1.5 }, 'total'],
    ['rule 18: reserved negative', { reserved: -1 }, 'reserved'],
    ['rule 12: reserved 2^31', { total: 2147483647, reserved: 2 ** 31 }, 'reserved'],
    ['rule 22: reserved above total', { total: 4, reserved: 5 }, 'reserved'],
    ['rule 18: minUnit 0', { minUnit: 0 }, 'minUnit'],
    ['rule 12: minUnit 2^31', { minUnit: 2 ** 31 }, 'minUnit'],
    ['rule 18: maxUnit 0', { maxUnit: 0 }, 'maxUnit'],
    ['rule 12: maxUnit 2^31', { maxUnit: 2 ** 31 }, 'maxUnit'],
    ['rule 18: stepSize 0', { stepSize: 0 }, 'stepSize'],
    ['rule 12: stepSize 2^31', { stepSize: 2 ** 31 }, 'stepSize'],
    ['decision D4: ratio 0', { allocationRatio: 0 }, 'allocationRatio'],
    ['rule 22: a small negative ratio', { allocationRatio: -0.1 }, 'allocationRatio'],
    ['decision D2: a ratio that is 0 in single precision', { allocationRatio: 1e-46 }, 'allocationRatio'],
    ['rule 13: a ratio above 3.40282e38', { allocationRatio: 3.5e38 }, 'allocationRatio'],
    ['rule 13: an infinite ratio', { allocationRatio: Infinity }, 'allocationRatio'],
    ['rule 13: a ratio that is no number', { allocationRatio: NaN }, 'allocationRatio'],
    ['rule 31: an unknown class', { resourceClass: 'CUSTOM_NEVER_MADE' }, 'resourceClass'],
    ['rule 31: a class in lower case', { resourceClass: 'vcpu' }, 'resourceClass'],
    ['rule 31: a class that no class can be', { resourceClass: 'V CPU\u0000' }, 'resourceClass'],
    ['decision D7: a class given twice', { resourceClass: 'MEMORY_MB' }, 'resourceClass'],
  ])('%s is refused by its path', async (_, wrong, field) => {
    const uuid = await aProvider(database);
    const bad = inventory('VCPU', 10, wrong);
    await expectRefused(database, () => set(uuid, 0, [inventory('MEMORY_MB', 1), bad]), {
      code: 'INVALID_INPUT',
      path: ['inventories', 'set', '1', field],
    });
    if (bad.resourceClass === 'MEMORY_MB') return;
    await expectRefused(database, () => setOne(uuid, 0, bad), {
      code: 'INVALID_INPUT',
      path: ['inventories', 'add', '0', field],
    });
  });

  test('of several invalid inventories the first is named, an unknown class or not', async () => {
    const uuid = await aProvider(database);
    const [unknown, zero] = [inventory('CUSTOM_NEVER_MADE', 1), inventory('VCPU', 0)];
    await expectRefused(database, () => set(uuid, 0, [unknown, zero]), {
      path: ['inventories', 'set', '0', 'resourceClass'],
      code: 'INVALID_INPUT',
    });
    await expectRefused(database, () => set(uuid, 0, [zero, unknown]), {
      path: ['inventories', 'set', '0', 'total'],
      code: 'INVALID_INPUT',
    });
  });

  test('rules 57, 58, decision D6: a stale generation names both; the precedence of refusals', async () => {
    const [uuid, unknown] = [await aProvider(database), randomUUID()];
    await set(uuid, 0, [inventory('VCPU', 8)]);
    await allocate(database, uuid, 'VCPU', 1);
    for (const generation of [0, 2, -1]) {
      await expectRefused(database, () => set(uuid, generation, []), {
        code: 'PROVIDER_GENERATION_CONFLICT',
        resourceProviderUuid: uuid,
        expectedGeneration: generation,
        currentGeneration: 1,
      });
    }
    await expectRefused(database, () => set(uuid, 1, []), { code: 'INVENTORY_IN_USE' });
    await expectRefused(database, () => set(unknown, 0, []), {
      code: 'NOT_FOUND',
      entity: 'RESOURCE_PROVIDER',
      key: unknown,
    });
    await expectRefused(database, () => set(unknown, 0, [inventory('VCPU', 0)]), { code: 'INVALID_INPUT' });
  });
});

describe('deleting one inventory', () => {
  test('rules 32, 33, decision D12: the refusals in their order', async () => {
    const [uuid, unknown] = [await aProvider(database), randomUUID()];
    await set(uuid, 0, [inventory('VCPU', 8)]);
    await allocate(database, uuid, 'VCPU', 1);
    const stale = { code: 'PROVIDER_GENERATION_CONFLICT', expectedGeneration: 0, currentGeneration: 1 };
    const cases = [
      [
        () => remove(unknown, 0, 'CUSTOM_NEVER_MADE'),
        { code: 'INVALID_INPUT', path: ['inventories', 'remove', '0'] },
      ],
      [() => remove(unknown, 0, 'VCPU'), { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: unknown }],
      [() => remove(uuid, 0, 'DISK_GB'), { code: 'NOT_FOUND', entity: 'INVENTORY', key: 'DISK_GB' }],
      [() => remove(uuid, 0, 'VCPU'), { ...stale, resourceProviderUuid: uuid }],
      [
        () => remove(uuid, 1, 'VCPU'),
        { code: 'INVENTORY_IN_USE', resourceProviderUuid: uuid, resourceClassName: 'VCPU' },
      ],
    ] as const;
    for (const [write, refusal] of cases) await expectRefused(database, write, refusal);
  });
});

test('a set of 20 inventories takes a handful of statements, changed or new', async () => {
  const uuid = await aProvider(database);
  const names = Array.from({ length: 20 }, (_, n) => `CUSTOM_MANY_${n}`);
  for (const name of names) await createResourceClass(database.ledger, { name });
  for (const [generation, total] of [5, 6].entries()) {
    statements = [];
    await set(
      uuid,
      generation,
      names.map((name) => inventory(name, total)),
    );
    expect(statements.length).toBeLessThanOrEqual(8);
  }
  statements = [];
  await set(
    uuid,
    2,
    names.slice(10).map((name) => inventory(name, 7)),
  );
  expect(statements.length).toBeLessThanOrEqual(9);
});
