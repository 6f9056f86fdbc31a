import { describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import { randomUUID } from 'node:crypto';
import { aProvider, allocate, expectRefused, expectUnchanged, generationOf, inventory } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { deleteInventory, setInventories, setTraits } from '../support/edits.js';

/** Rules 33, 58, 71: what removes needs no generation, and then removes what is there, whatever is written meanwhile. */
const database = useDatabase();

async function host(): Promise<string> {
  const uuid = await aProvider(database);
  const inventories = [inventory('VCPU', 8), inventory('MEMORY_MB', 8)];
  await setInventories(database.ledger, { resourceProvider: uuid, generation: 0, inventories });
  await setTraits(database.ledger, { resourceProvider: uuid, generation: 1, traits: ['HW_NUMA_ROOT'] });
  return uuid;
}

type Removal = (resourceProvider: string, generation?: number | null) => Promise<unknown>;
const removals: readonly (readonly [title: string, remove: Removal])[] = [
  [
    'deleteInventory',
    (on, generation) =>
      deleteInventory(database.ledger, { resourceProvider: on, generation, resourceClass: 'VCPU' }),
  ],
  [
    'setInventories to []',
    (on, generation) =>
      setInventories(database.ledger, { resourceProvider: on, generation, inventories: [] }),
  ],
  [
    'setTraits to []',
    (on, generation) => setTraits(database.ledger, { resourceProvider: on, generation, traits: [] }),
  ],
];

describe.each(removals)('%s', (title, remove) => {
  test.each([null, undefined, 2])('with the generation %p', async (generation) => {
    const uuid = await host();
    await remove(uuid, generation);
    expect(await generationOf(database, uuid)).toBe(3);
    if (title !== 'deleteInventory') await expectUnchanged(database, () => remove(uuid, null));
  });

  test('an old generation is a conflict all the same', async () => {
    const uuid = await host();
    await expectRefused(database, () => remove(uuid, 1), { code: 'PROVIDER_GENERATION_CONFLICT' });
  });

  test('beside claims of the same provider all succeed', async () => {
    const uuid = await host();
    await setInventories(database.ledger, {
      resourceProvider: uuid,
      generation: 2,
      inventories: [inventory('VCPU', 8), inventory('MEMORY_MB', 8), inventory('DISK_GB', 99)],
    });
    const claims = Array.from({ length: 20 }, () =>
      setAllocations(database.claims, {
        consumers: [
          {
            consumer: randomUUID(),
            projectId: 'p',
            userId: 'u',
            allocations: [{ resourceProvider: uuid, resources: [{ resourceClass: 'DISK_GB', amount: 1 }] }],
          },
        ],
      }),
    );
    const ends = await Promise.allSettled([
      ...claims,
      title === 'setInventories to []'
        ? setTraits(database.ledger, { resourceProvider: uuid, traits: [] })
        : remove(uuid),
    ]);
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await generationOf(database, uuid)).toBe(24);
  });
});

test('an inventory in use stays (rule 32)', async () => {
  const uuid = await host();
  await allocate(database, uuid, 'VCPU', 1);
  for (const [title, remove] of removals) {
    if (title !== 'setTraits to []')
      await expectRefused(database, () => remove(uuid), { code: 'INVENTORY_IN_USE' });
  }
});

test('whoever sets something names the generation', async () => {
  const uuid = await host();
  const missing = { code: 'INVALID_INPUT', path: ['generation'] };
  await expectRefused(
    database,
    () => setInventories(database.ledger, { resourceProvider: uuid, inventories: [inventory('VCPU', 8)] }),
    missing,
  );
  await expectRefused(
    database,
    () => setTraits(database.ledger, { resourceProvider: uuid, traits: ['HW_NUMA_ROOT'] }),
    missing,
  );
});
