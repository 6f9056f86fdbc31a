import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, edit, generations, nodeId, setAllocations, takes, usedOf } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const inventories = { VCPU: 8, DISK_GB: 100 };
/** A fresh host with VCPU 8 and DISK_GB 100 for each test, called A with a number, and another host, called B. */
let a: string;
let b: string;
let hosts = 0;

beforeAll(async () => {
  ({ B: b } = await createProviders(api, { name: 'B', inventories }));
});

beforeEach(async () => {
  const name = `A${++hosts}`;
  ({ [name]: a } = await createProviders(api, { name, inventories }));
});

/** Replaces the inventories of A, at whatever generation it is. */
async function offer(...inventories: object[]): Promise<void> {
  const [generation] = await generations(api, a);
  const answer = await edit(api, a, { generation, inventories: { set: inventories } });
  expect(answer).toMatchObject({ __typename: 'UpdateResourceProviderPayload' });
}

const DONE = { __typename: 'SetAllocationsPayload' };
const claimVcpu = (amount: number) =>
  setAllocations(api, takes(randomUUID(), null, { [a]: { VCPU: amount } }));
const exceeded = (requested: number, capacity: number, used: number) => ({
  __typename: 'CapacityExceededError',
  code: 'CAPACITY_EXCEEDED',
  retryable: false,
  resourceProviderUuid: a,
  resourceClassName: 'VCPU',
  requested,
  capacity,
  used,
});

describe('rule 90: the rows of a new set', () => {
  test('an amount that changes is a new row, never an updated one', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 2 } });
    const row = async () => {
      const select = 'SELECT id, used FROM allocations WHERE consumer_id = ?';
      const [found] = await database.pool.query<{ id: number; used: number }[]>(select, [uuid]);
      return found;
    };
    const before = await row();
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 3 } }));
    const after = await row();
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

test('rule 91: the payload shows consumers with all that a query shows', async () => {
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
      expect(await unchanged(database, () => claimVcpu(amount))).toMatchObject(units(amount, rest));
    }
  });

  test('a minUnit that is no multiple of stepSize may be taken', async () => {
    await offer({ resourceClass: 'VCPU', total: 100, minUnit: 3, stepSize: 4 });
    for (const amount of [3, 4, 8]) await claimed(api, { [a]: { VCPU: amount } });
    expect(await claimVcpu(6)).toMatchObject(units(6, { minUnit: 3, maxUnit: 2147483647, stepSize: 4 }));
  });
});

test('rule 99, decision D15, fixture F6: total 4 used 4, shrunk to 2: 4 may stay, 3 is better, then 4 is worse; others get none', async () => {
  await offer({ resourceClass: 'VCPU', total: 4 });
  const uuid = await claimed(api, { [a]: { VCPU: 4 } });
  await offer({ resourceClass: 'VCPU', total: 2 });
  const write = (generation: number, amount: number) =>
    setAllocations(api, takes(uuid, generation, { [a]: { VCPU: amount } }, { userId: `user-${generation}` }));
  expect(await write(1, 4)).toMatchObject(DONE);
  expect(await write(2, 3)).toMatchObject(DONE);
  expect(await unchanged(database, () => write(3, 4))).toMatchObject(exceeded(4, 2, 0));
  expect(await unchanged(database, () => claimVcpu(1))).toMatchObject(exceeded(1, 2, 3));
  expect(await usedOf(api, a)).toEqual({ VCPU: 3 });
});

describe('decision D2: capacity in exact decimals', () => {
  test.each([
    [{ total: 10, allocationRatio: 0.7 }, 7],
    [{ total: 12, reserved: 2, allocationRatio: 0.7 }, 7],
  ])('%j gives %d and no more', async (inventory, capacity) => {
    await offer({ resourceClass: 'VCPU', ...inventory });
    await claimed(api, { [a]: { VCPU: capacity - 1 } });
    await claimed(api, { [a]: { VCPU: 1 } });
    expect(await unchanged(database, () => claimVcpu(1))).toMatchObject(exceeded(1, capacity, capacity));
  });

  test('a fully reserved inventory has no free amount, and sums may exceed 2^31', async () => {
    await offer({ resourceClass: 'VCPU', total: 5, reserved: 5 });
    expect(await claimVcpu(1)).toMatchObject(exceeded(1, 0, 0));
    await offer({ resourceClass: 'VCPU', total: 2147483647, allocationRatio: 2 });
    for (let i = 0; i < 2; i++) await claimed(api, { [a]: { VCPU: 2147483647 } });
    expect(await claimVcpu(1)).toMatchObject(exceeded(1, 4294967294, 4294967294));
  });
});

test('a provider that a claim bumps tells when it was changed (rule 60)', async () => {
  // the list is sorted in memory, where B keeps its time in whole seconds
  await sleep(1_000 - (Date.now() % 1_000));
  await database.pool.query(`UPDATE resource_providers SET updated_at = '2020-01-01' WHERE uuid IN (?)`, [
    [a, b],
  ]);
  await claimed(api, { [a]: { VCPU: 1 } });
  const { nodes, resourceProviders } = await api.read<{
    nodes: { updatedAt: string }[];
    resourceProviders: { nodes: { uuid: string; updatedAt: string }[] };
  }>(
    `query ($ids: [ID!]!, $uuids: [UUID!]!) {
       nodes(ids: $ids) { ... on ResourceProvider { updatedAt } }
       resourceProviders(filter: { uuidIn: $uuids }, orderBy: { updatedAt: DESC }) { nodes { uuid updatedAt } }
     }`,
    { ids: [a, b].map((uuid) => nodeId('ResourceProvider', uuid)), uuids: [a, b] },
  );
  expect(Date.now() - Date.parse(nodes[0].updatedAt)).toBeLessThan(60_000);
  expect(resourceProviders.nodes[0]).toEqual({ uuid: a, updatedAt: nodes[0].updatedAt });
  expect(nodes[1].updatedAt).toBe('2020-01-01T00:00:00.000Z');
});

test('rule 107: allocations are seen from both ends', async () => {
  const byProvider = { [b]: { DISK_GB: 2 }, [a]: { VCPU: 1, DISK_GB: 3 } };
  const uuid = await claimed(api, byProvider, { consumerType: 'INSTANCE' });
  const { consumer, resourceProvider } = await api.read<Record<string, object>>(
    `query ($uuid: UUID!, $provider: UUID!) {
       consumer(uuid: $uuid) {
         allocations { amount resourceClass { name } resourceProvider { uuid generation } consumer { uuid } }
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
  const part = (amount: number, name: string, provider: object, owner = {}) => ({
    amount,
    resourceClass: { name },
    resourceProvider: provider,
    consumer: { uuid, ...owner },
  });
  const [onA, onB] = [
    { uuid: a, generation: 2 },
    { uuid: b, generation: expect.any(Number) },
  ];
  expect(consumer).toEqual({
    allocations: [part(3, 'DISK_GB', onA), part(1, 'VCPU', onA), part(2, 'DISK_GB', onB)],
  });
  const owner = { generation: 1, type: { name: 'INSTANCE' }, projectId: 'a-project', userId: 'a-user' };
  expect(resourceProvider).toEqual({
    allocations: {
      nodes: [part(1, 'VCPU', { uuid: a }, owner), part(3, 'DISK_GB', { uuid: a }, owner)],
    },
  });
});
