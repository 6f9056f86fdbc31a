import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, shown, takes, usedOf, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
let clouds = 0;
/** Two fresh hosts with VCPU 8 and DISK_GB 100, called A and B with a number, and a storage with DISK_GB 1000. */
let a: string;
let b: string;
let storage: string;
let names: { a: string; b: string; storage: string };

beforeEach(async () => {
  clouds += 1;
  names = { a: `A${clouds}`, b: `B${clouds}`, storage: `S${clouds}` };
  ({ [names.a]: a } = await createProviders(api, { name: names.a, inventories: { VCPU: 8, DISK_GB: 100 } }));
  ({ [names.b]: b } = await createProviders(api, { name: names.b, inventories: { VCPU: 8, DISK_GB: 100 } }));
  ({ [names.storage]: storage } = await createProviders(api, {
    name: names.storage,
    inventories: { DISK_GB: 1000 },
  }));
});

/** Replaces the inventories of A, at whatever generation it is. */
async function offer(...inventories: object[]): Promise<void> {
  const { data } = await api.query<{ resourceProvider: { generation: number } }>(
    `{ resourceProvider(by: { uuid: "${a}" }) { generation } }`,
  );
  const { generation } = data.resourceProvider;
  const answer = await api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: a },
    generation,
    inventories: { set: inventories },
  });
  expect(answer).toMatchObject({ __typename: 'UpdateResourceProviderPayload' });
}

const DONE = { __typename: 'SetAllocationsPayload' };
const exceeded = (requested: number, capacity: number, used: number, resourceClassName = 'VCPU') => ({
  __typename: 'CapacityExceededError',
  code: 'CAPACITY_EXCEEDED',
  retryable: false,
  resourceProviderUuid: a,
  resourceClassName,
  requested,
  capacity,
  used,
});

describe('rule 90: a write gives the whole new set', () => {
  test('across all providers: what it does not name is gone', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 2, DISK_GB: 10 }, [storage]: { DISK_GB: 50 } });
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 3 }, [b]: { DISK_GB: 7 } }));
    expect(await shown(api, uuid)).toMatchObject({
      generation: 2,
      has: { [names.a]: { VCPU: 3 }, [names.b]: { DISK_GB: 7 } },
    });
    expect(await usedOf(api, a)).toEqual({ VCPU: 3, DISK_GB: 0 });
    expect(await usedOf(api, storage)).toEqual({ DISK_GB: 0 });
  });

  test('an amount that changes is a new row, never an updated one', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 2 } });
    const row = async () =>
      (
        await database.pool.query<object[]>('SELECT id, used FROM allocations WHERE consumer_id = ?', [uuid])
      )[0];
    const before = (await row()) as { id: number };
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 3 } }));
    const after = (await row()) as { id: number; used: number };
    expect(after.used).toBe(3);
    expect(after.id).toBeGreaterThan(before.id);
  });

  test('rows that another server has doubled become one', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 2 } });
    await database.pool.query(
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used)
       SELECT consumer_id, resource_provider_id, resource_class_id, used FROM allocations WHERE consumer_id = ?`,
      [uuid],
    );
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 4 });
    expect(await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 2 } }))).toMatchObject(DONE);
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 2 });
  });
});

describe('rule 91: several consumers in one write', () => {
  test('all get what they ask for', async () => {
    const [first, second] = [await claimed(api, { [a]: { VCPU: 1 } }), randomUUID()];
    const answer = await setAllocations(
      api,
      takes(second, null, { [b]: { VCPU: 2 } }),
      takes(first, 1, { [a]: { VCPU: 3 } }),
    );
    expect(answer).toEqual({
      ...DONE,
      consumers: [
        { uuid: second, generation: 1 },
        { uuid: first, generation: 2 },
      ],
    });
  });

  test('or none does', async () => {
    const [good, bad] = [await claimed(api, { [b]: { VCPU: 1 } }), randomUUID()];
    const write = () =>
      setAllocations(api, takes(good, 1, { [b]: { VCPU: 2 } }), takes(bad, null, { [a]: { VCPU: 9 } }));
    expect(await unchanged(database, write)).toMatchObject(exceeded(9, 8, 0));
  });

  test('the payload has those that still exist, in the order of the input', async () => {
    const [kept, emptied] = [
      await claimed(api, { [a]: { VCPU: 1 } }),
      await claimed(api, { [a]: { VCPU: 1 } }),
    ];
    const fresh = randomUUID();
    const one = { [b]: { VCPU: 1 } };
    const answer = await setAllocations(
      api,
      takes(fresh, null, one),
      takes(emptied, 1, {}),
      takes(kept, 1, one),
    );
    expect(answer).toEqual({
      ...DONE,
      consumers: [
        { uuid: fresh, generation: 1 },
        { uuid: kept, generation: 2 },
      ],
    });
  });

  test('the payload shows consumers with all that a query shows', async () => {
    const uuid = randomUUID();
    const answer = await api.mutate(
      'setAllocations',
      { consumers: [takes(uuid, null, { [a]: { VCPU: 1 } })] },
      `consumers { allocations { amount consumer { uuid } resourceClass { name }
         resourceProvider { uuid generation inventory(resourceClass: "VCPU") { used available } } } }`,
    );
    expect(answer).toMatchObject({
      consumers: [
        {
          allocations: [
            {
              amount: 1,
              consumer: { uuid },
              resourceClass: { name: 'VCPU' },
              resourceProvider: { uuid: a, generation: 2, inventory: { used: 1, available: 7 } },
            },
          ],
        },
      ],
    });
  });
});

describe('rule 92, decision D9: two ways to take everything from a consumer', () => {
  test('an empty set looks at the generation, deleteConsumer does not', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    expect(await setAllocations(api, takes(uuid, 5, {}))).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
    });
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 2 } }));
    expect(await api.mutate('deleteConsumer', { consumer: uuid }, 'uuid')).toMatchObject({ uuid });
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 0 });
  });

  test('deleteConsumer of a consumer that has none is NOT_FOUND', async () => {
    for (const consumer of [randomUUID(), await claimed(api, { [a]: { VCPU: 1 } })]) {
      await api.mutate('deleteConsumer', { consumer });
      const again = () => api.mutate('deleteConsumer', { consumer });
      expect(await unchanged(database, again)).toEqual({
        __typename: 'NotFoundError',
        code: 'NOT_FOUND',
        message: `consumer ${consumer} has no allocations`,
        retryable: false,
        path: ['consumer'],
        entity: 'CONSUMER',
        key: consumer,
      });
    }
  });
});

test('rule 94: there is no generation and no mapping to give along with amounts', async () => {
  for (const extra of [{ generation: 1 }, { mappings: {} }]) {
    const consumer = takes(randomUUID(), null, { [a]: { VCPU: 1 } });
    const [part] = consumer.allocations.providers;
    const input = { consumers: [{ ...consumer, allocations: { providers: [{ ...part, ...extra }] } }] };
    await expect(api.mutate('setAllocations', input)).rejects.toThrow('BAD_USER_INPUT');
  }
});

describe('rules 95, 96: capacity is judged with the named consumers’ old allocations gone', () => {
  test('two consumers that fill two hosts swap them', async () => {
    const [x, y] = [await claimed(api, { [a]: { VCPU: 8 } }), await claimed(api, { [b]: { VCPU: 8 } })];
    const swap = [takes(x, 1, { [b]: { VCPU: 8 } }), takes(y, 1, { [a]: { VCPU: 8 } })] as const;
    expect(await setAllocations(api, ...swap)).toMatchObject(DONE);
    expect([await shown(api, x), await shown(api, y)]).toMatchObject([
      { has: { [names.b]: { VCPU: 8 } } },
      { has: { [names.a]: { VCPU: 8 } } },
    ]);
    expect(await setAllocations(api, takes(x, 2, { [a]: { VCPU: 1 } }))).toMatchObject(exceeded(1, 8, 8));
  });

  test('a migration hands over to a consumer of its own, on a host that is full', async () => {
    const [instance, migration] = [await claimed(api, { [a]: { VCPU: 8 } }), randomUUID()];
    const start = await setAllocations(
      api,
      takes(migration, null, { [a]: { VCPU: 8 } }, { consumerType: 'MIGRATION' }),
      takes(instance, 1, { [b]: { VCPU: 8 } }),
    );
    expect(start).toMatchObject(DONE);
    expect([await usedOf(api, a), await usedOf(api, b)]).toMatchObject([{ VCPU: 8 }, { VCPU: 8 }]);
    const back = await setAllocations(api, takes(instance, 2, { [a]: { VCPU: 8 } }), takes(migration, 1, {}));
    expect(back).toMatchObject({ ...DONE, consumers: [{ uuid: instance, generation: 3 }] });
  });

  test('one shrinks and another grows on a host that is full', async () => {
    const [x, y] = [await claimed(api, { [a]: { VCPU: 6 } }), await claimed(api, { [a]: { VCPU: 2 } })];
    expect(await setAllocations(api, takes(y, 1, { [a]: { VCPU: 6 } }))).toMatchObject(exceeded(6, 8, 6));
    const both = [takes(y, 1, { [a]: { VCPU: 6 } }), takes(x, 1, { [a]: { VCPU: 2 } })] as const;
    expect(await setAllocations(api, ...both)).toMatchObject(DONE);
  });
});

test('rule 97: the sum of all consumers of the write counts, with what others use', async () => {
  await claimed(api, { [a]: { VCPU: 3 } });
  const claim = (amount: number) => takes(randomUUID(), null, { [a]: { VCPU: amount } });
  expect(await unchanged(database, () => setAllocations(api, claim(3), claim(3)))).toMatchObject(
    exceeded(6, 8, 3),
  );
  expect(await setAllocations(api, claim(3), claim(2))).toMatchObject(DONE);
  expect(await unchanged(database, () => setAllocations(api, claim(1)))).toMatchObject(exceeded(1, 8, 8));
});

describe('rule 98, decision D1: each single amount respects the units', () => {
  const units = (requested: number, rest: object) => ({
    __typename: 'UnitViolationError',
    code: 'UNIT_VIOLATION',
    retryable: false,
    resourceProviderUuid: a,
    resourceClassName: 'VCPU',
    requested,
    ...rest,
  });

  test('base models spec: from 5 to 1000 in steps of 10 takes 5, 10, 20 and 1000, not 4, 6, 7, 8, 15 and 1010', async () => {
    const rest = { minUnit: 5, maxUnit: 1000, stepSize: 10 };
    await offer({ resourceClass: 'VCPU', total: 5000, ...rest });
    for (const amount of [5, 10, 20, 1000]) await claimed(api, { [a]: { VCPU: amount } });
    for (const amount of [4, 6, 7, 8, 15, 1010]) {
      const write = () => setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: amount } }));
      expect(await unchanged(database, write)).toMatchObject(units(amount, rest));
    }
  });

  test('a minUnit that is no multiple of stepSize may be taken', async () => {
    await offer({ resourceClass: 'VCPU', total: 100, minUnit: 3, stepSize: 4 });
    for (const amount of [3, 4, 8]) await claimed(api, { [a]: { VCPU: amount } });
    expect(await setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: 6 } }))).toMatchObject(
      units(6, { minUnit: 3, maxUnit: 2147483647, stepSize: 4 }),
    );
  });

  test('units bind the amount of one consumer, not the sum', async () => {
    await offer({ resourceClass: 'VCPU', total: 10, maxUnit: 4 });
    const claim = () => takes(randomUUID(), null, { [a]: { VCPU: 4 } });
    expect(await setAllocations(api, claim(), claim())).toMatchObject(DONE);
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 8 });
  });
});

describe('rule 99, decision D15, fixture F6: over capacity, never worse', () => {
  test('total 4 used 4, shrunk to 2: 4 may stay, 3 is better, then 4 is worse; others get none', async () => {
    await offer({ resourceClass: 'VCPU', total: 4 });
    const uuid = await claimed(api, { [a]: { VCPU: 4 } });
    await offer({ resourceClass: 'VCPU', total: 2 });
    const write = (generation: number, amount: number) =>
      setAllocations(
        api,
        takes(uuid, generation, { [a]: { VCPU: amount } }, { userId: `user-${generation}` }),
      );
    expect(await write(1, 4)).toMatchObject(DONE);
    expect(await write(2, 3)).toMatchObject(DONE);
    expect(await unchanged(database, () => write(3, 4))).toMatchObject(exceeded(4, 2, 0));
    const other = () => setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: 1 } }));
    expect(await unchanged(database, other)).toMatchObject(exceeded(1, 2, 3));
    expect(await usedOf(api, a)).toEqual({ VCPU: 3 });
  });

  test('a sum of several consumers may stay or shrink, whoever gets it', async () => {
    const [x, y] = [await claimed(api, { [a]: { VCPU: 4 } }), await claimed(api, { [a]: { VCPU: 4 } })];
    await offer({ resourceClass: 'VCPU', total: 2 });
    const both = (p: number, q: number, generation: number) =>
      setAllocations(
        api,
        takes(x, generation, { [a]: { VCPU: p } }),
        takes(y, generation, { [a]: { VCPU: q } }),
      );
    expect(await both(7, 1, 1)).toMatchObject(DONE);
    expect(await unchanged(database, () => both(7, 2, 2))).toMatchObject(exceeded(9, 2, 0));
    expect(await both(4, 2, 2)).toMatchObject(DONE);
  });

  test('moving from one class over capacity to another does not pass for staying', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 8 } });
    await offer({ resourceClass: 'VCPU', total: 2 }, { resourceClass: 'DISK_GB', total: 3 });
    const write = () => setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 3, DISK_GB: 4 } }));
    expect(await unchanged(database, write)).toMatchObject(exceeded(4, 3, 0, 'DISK_GB'));
  });

  test('units still apply', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 8 } });
    await offer({ resourceClass: 'VCPU', total: 2, maxUnit: 4 });
    expect(
      await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 8 } }, { userId: 'another' })),
    ).toMatchObject({
      code: 'UNIT_VIOLATION',
      requested: 8,
    });
  });

  test('leaving a host that is over capacity is always possible, in parts and as a whole', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 8, DISK_GB: 10 } });
    await offer({ resourceClass: 'VCPU', total: 1 }, { resourceClass: 'DISK_GB', total: 1 });
    expect(
      await setAllocations(api, takes(uuid, 1, { [b]: { VCPU: 8 }, [a]: { DISK_GB: 10 } })),
    ).toMatchObject(DONE);
    expect(await setAllocations(api, takes(uuid, 2, {}))).toMatchObject(DONE);
  });
});

describe('decision D2: capacity in exact decimals', () => {
  test.each([
    [{ total: 10, allocationRatio: 0.7 }, 7],
    [{ total: 100, allocationRatio: 1.15 }, 115],
    [{ total: 1000, allocationRatio: 1.001 }, 1001],
    [{ total: 12, reserved: 2, allocationRatio: 0.7 }, 7],
    [{ total: 8, allocationRatio: 16 }, 128],
  ])('%j gives %d and no more', async (inventory, capacity) => {
    await offer({ resourceClass: 'VCPU', ...inventory });
    await claimed(api, { [a]: { VCPU: capacity - 1 } });
    await claimed(api, { [a]: { VCPU: 1 } });
    const write = () => setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: 1 } }));
    expect(await unchanged(database, write)).toMatchObject(exceeded(1, capacity, capacity));
  });

  test('what is all reserved gives nothing, and sums pass 2^31', async () => {
    await offer({ resourceClass: 'VCPU', total: 5, reserved: 5 });
    expect(await setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: 1 } }))).toMatchObject(
      exceeded(1, 0, 0),
    );
    await offer({ resourceClass: 'VCPU', total: 2147483647, allocationRatio: 2 });
    for (let i = 0; i < 2; i++) await claimed(api, { [a]: { VCPU: 2147483647 } });
    expect(await setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: 1 } }))).toMatchObject(
      exceeded(1, 4294967294, 4294967294),
    );
  });
});

describe('rules 102-105, decision D14: rivals', () => {
  const together = (writes: number, claim: (at: number) => Takes) =>
    Promise.all(
      Array.from({ length: writes }, (_, at) => setAllocations(api, takes(randomUUID(), null, claim(at)))),
    );

  test('claims that all fit all succeed', async () => {
    for (const { __typename } of await together(8, () => ({ [a]: { VCPU: 1 } }))) {
      expect(__typename).toBe('SetAllocationsPayload');
    }
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 8 });
  });

  test('of two that want the last unit one gets it, and the other is told that capacity is gone', async () => {
    await claimed(api, { [a]: { VCPU: 7 } });
    const answers = await together(2, () => ({ [a]: { VCPU: 1 } }));
    expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
      'CapacityExceededError',
      'SetAllocationsPayload',
    ]);
    expect(await usedOf(api, a)).toMatchObject({ VCPU: 8 });
  });

  test('claims on the same hosts in opposite order do not stop each other', async () => {
    const answers = await together(8, (at) =>
      at % 2 === 0 ? { [a]: { VCPU: 1 }, [b]: { VCPU: 1 } } : { [b]: { VCPU: 1 }, [a]: { VCPU: 1 } },
    );
    for (const { __typename } of answers) expect(__typename).toBe('SetAllocationsPayload');
  });

  test('of two writes to one consumer at the same generation one is told of the conflict', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    const answers = await Promise.all(
      [a, b].map((host) => setAllocations(api, takes(uuid, 1, { [host]: { VCPU: 2 } }))),
    );
    expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
      'ConsumerGenerationConflictError',
      'SetAllocationsPayload',
    ]);
  });
});

test('rule 106: any mix of providers can be claimed, whether they belong together or not', async () => {
  const { stranger } = await createProviders(api, {
    name: 'above-the-stranger',
    children: [{ name: 'stranger', inventories: { SRIOV_NET_VF: 2 } }],
  });
  const uuid = await claimed(api, { [a]: { VCPU: 1 }, [b]: { VCPU: 1 }, [stranger]: { SRIOV_NET_VF: 1 } });
  expect(await shown(api, uuid)).toMatchObject({
    has: { [names.a]: { VCPU: 1 }, [names.b]: { VCPU: 1 }, stranger: { SRIOV_NET_VF: 1 } },
  });
});

test('rule 107: allocations are seen from both ends', async () => {
  const uuid = await claimed(
    api,
    { [b]: { DISK_GB: 2 }, [a]: { VCPU: 1, DISK_GB: 3 } },
    { consumerType: 'INSTANCE' },
  );
  const { data } = await api.query(
    `query ($uuid: UUID!, $provider: UUID!) {
       consumer(uuid: $uuid) {
         generation type { name } projectId userId
         allocations { amount resourceClass { name } resourceProvider { name generation } consumer { uuid } }
       }
       resourceProvider(by: { uuid: $provider }) {
         allocations { nodes {
           amount resourceClass { name } resourceProvider { uuid }
           consumer { uuid generation type { name } projectId userId }
         } }
       }
     }`,
    { uuid, provider: a },
  );
  const owner = { generation: 1, type: { name: 'INSTANCE' }, projectId: 'a-project', userId: 'a-user' };
  const consumer = { uuid, ...owner };
  const part = (name: string, resourceClass: string, amount: number) => ({
    amount,
    resourceClass: { name: resourceClass },
    resourceProvider: { name, generation: 2 },
    consumer: { uuid },
  });
  const half = (resourceClass: string, amount: number) => ({
    amount,
    resourceClass: { name: resourceClass },
    resourceProvider: { uuid: a },
    consumer,
  });
  expect(data).toEqual({
    consumer: {
      ...owner,
      allocations: [part(names.a, 'DISK_GB', 3), part(names.a, 'VCPU', 1), part(names.b, 'DISK_GB', 2)],
    },
    resourceProvider: { allocations: { nodes: [half('VCPU', 1), half('DISK_GB', 3)] } },
  });
});
