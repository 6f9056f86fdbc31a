import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startApi, type Api } from '../support/api.js';
import { setAllocations, takes } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';

/** Amounts are judged by the rules, up to the largest that JSON holds exactly, and not by their type (decision D17). */
let database: TestDatabase;
let api: Api;
const host = uuidOf('provider', 'host');

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
});
afterAll(async () => {
  expect(api.logged).toEqual([]);
  await api.close();
  await database.close();
});
beforeEach(() => loadForest(database, forest('host VCPU:8\nother VCPU:8')));

const HUGE = [2147483648, Number.MAX_SAFE_INTEGER];
const REQUEST = `query ($amount: SafeInt!, $limit: SafeInt) {
  allocationCandidates(limit: $limit, request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: $amount }] }] }) {
    complete
    allocationRequests { mappings { suffix } }
    explanation { summary }
  }
}`;

describe.each(HUGE)('the amount %d', (amount) => {
  test('has no candidates', async () => {
    const { data, errors } = await api.query(REQUEST, { amount });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ allocationCandidates: { complete: true, allocationRequests: [] } });
  });

  test('has none when it may be split, in several groups, or in headroom', async () => {
    const resources = [{ resourceClass: 'VCPU', amount }];
    const request = {
      groups: [
        { resources, canSplit: ['VCPU'] },
        { suffix: 'a', resources },
      ],
    };
    const { data, errors } = await api.query(
      `query ($request: AllocationCandidatesInput!) {
        allocationCandidates(request: $request) { allocationRequests { mappings { suffix } } explanation { summary } }
        headroom(request: $request) { count }
      }`,
      { request },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ allocationCandidates: { allocationRequests: [] }, headroom: { count: 0 } });
  });

  test('is no place for a claim', async () => {
    const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }] };
    const consumers = [{ consumer: randomUUID(), projectId: 'p', userId: 'u' }];
    expect(await api.mutate('claim', { request, consumers })).toMatchObject({ code: 'NO_CANDIDATES' });
  });

  test('is in no list of providers', async () => {
    const { data, errors } = await api.query(
      `query ($amount: SafeInt!) {
        resourceProviders(filter: { resources: [{ resourceClass: "VCPU", amount: $amount }] }) { totalCount nodes { name } }
      }`,
      { amount },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ resourceProviders: { totalCount: 0, nodes: [] } });
  });

  test('is UNIT_VIOLATION in an allocation, also of several consumers', async () => {
    const consumers = [1, 2, 3].map(() => takes(randomUUID(), null, { [host]: { VCPU: amount } }));
    expect(await unchanged(database, () => setAllocations(api, ...consumers))).toMatchObject({
      code: 'UNIT_VIOLATION',
      requested: amount,
      maxUnit: 2147483647,
    });
    const allocations = consumers;
    const inventories = [
      { resourceProvider: host, generation: 0, inventories: [{ resourceClass: 'VCPU', total: 9 }] },
    ];
    const reshaped = await unchanged(database, () => api.mutate('reshape', { inventories, allocations }));
    expect(reshaped).toMatchObject({ code: 'RESHAPE_REFUSED' });
    expect(reshaped.violations).toContainEqual(expect.objectContaining({ code: 'UNIT_VIOLATION' }));
  });

  test.each(['total', 'reserved', 'minUnit', 'maxUnit', 'stepSize'])(
    'is INVALID_INPUT as %s of an inventory, which names field and value',
    async (field) => {
      const inventory = { resourceClass: 'VCPU', total: 8, [field]: amount };
      const on = { resourceProvider: host, generation: 0 };
      const writes = [
        ['setInventory', { ...on, inventory }, ['inventory', field]],
        ['setInventories', { ...on, inventories: [inventory] }, ['inventories', '0', field]],
        [
          'reshape',
          { inventories: [{ ...on, inventories: [inventory] }], allocations: [] },
          ['inventories', '0', 'inventories', '0', field],
        ],
        [
          'applyProviderTree',
          { root: { name: 'host', inventories: [inventory] } },
          ['root', 'inventories', '0', field],
        ],
      ] as const;
      for (const [mutation, input, path] of writes) {
        expect(await unchanged(database, () => api.mutate(mutation, input))).toMatchObject({
          code: 'INVALID_INPUT',
          path,
          message: expect.stringContaining(String(amount)) as unknown,
        });
      }
    },
  );

  test('is the largest limit', async () => {
    const { data, errors } = await api.query(REQUEST, { amount: 1, limit: amount });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ allocationCandidates: { complete: true, allocationRequests: [{}, {}] } });
  });
});

test.each([0, -1, -9007199254740991])('the limit %d is INVALID_INPUT', async (limit) => {
  const { errors } = await api.query(REQUEST, { amount: 1, limit });
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: ['limit'] } }]);
});

test.each([-9007199254740991, 0])('the amount %d is INVALID_INPUT', async (amount) => {
  const path = ['groups', '0', 'resources', '0', 'amount'];
  const { errors } = await api.query(REQUEST, { amount });
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path } }]);
  expect(await setAllocations(api, takes(randomUUID(), null, { [host]: { VCPU: amount } }))).toMatchObject({
    code: 'INVALID_INPUT',
    path: ['consumers', '0', 'allocations', '0', 'resources', '0', 'amount'],
  });
});

test.each([1.5, 9007199254740992])('%d is no amount', async (amount) => {
  const { errors } = await api.query(REQUEST, { amount });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});
