import { beforeEach, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { edit } from '../support/claims.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';

const { api, database } = useApi();
/** A fresh provider with VCPU 8 and DISK_GB 100, at generation 1. */
let host: string;
let hosts = 0;

beforeEach(async () => {
  const name = `host-${++hosts}`;
  ({ [name]: host } = await createProviders(api, { name, inventories: { VCPU: 8, DISK_GB: 100 } }));
});

const WHOLE = `resourceProvider { generation inventories {
  resourceClass { name } total reserved minUnit maxUnit stepSize allocationRatio capacity used available utilization
} }`;
const NAMES = 'resourceProvider { generation inventories { resourceClass { name } total } }';

const setAll = (inventories: object[], generation = 1) =>
  edit(api, host, { generation, inventories: { set: inventories } }, WHOLE);
const setOne = (inventory: object, generation = 1) =>
  edit(api, host, { generation, inventories: { add: [inventory] } }, WHOLE);
const deleteOne = (resourceClass: string, generation = 1) =>
  edit(api, host, { generation, inventories: { remove: [resourceClass] } }, NAMES);

describe('defaults and arithmetic', () => {
  test('only the total is required (rule 17)', async () => {
    expect(await setAll([{ resourceClass: 'VCPU', total: 16 }])).toEqual({
      __typename: 'UpdateResourceProviderPayload',
      resourceProvider: {
        generation: 2,
        inventories: [
          {
            resourceClass: { name: 'VCPU' },
            total: 16,
            reserved: 0,
            minUnit: 1,
            maxUnit: 2147483647,
            stepSize: 1,
            allocationRatio: 1,
            capacity: 16,
            used: 0,
            available: 16,
            utilization: 0,
          },
        ],
      },
    });
  });

  test.each([
    [{ total: 10, allocationRatio: 0.7 }, 7],
    [{ total: 5, reserved: 5 }, 0],
    [{ total: 2147483647, allocationRatio: 3.4e38 }, 9007199254740991],
  ])('%j has the capacity %d (decision D2)', async (inventory, capacity) => {
    expect(await setOne({ resourceClass: 'VCPU', ...inventory })).toMatchObject({
      resourceProvider: {
        inventories: [
          { resourceClass: { name: 'DISK_GB' } },
          { ...inventory, capacity, available: capacity, utilization: capacity === 0 ? null : 0 },
        ],
      },
    });
  });

  test('use counts over all consumers, may pass the capacity after a shrink, and passes 2^31 (rules 28, 34)', async () => {
    for (const used of [2, 3]) await insertAllocation(database, host, 'VCPU', used);
    for (let i = 0; i < 3; i++) await insertAllocation(database, host, 'DISK_GB', 2147483647);
    expect(
      await setAll([
        { resourceClass: 'VCPU', total: 4 },
        { resourceClass: 'DISK_GB', total: 1 },
      ]),
    ).toMatchObject({
      resourceProvider: {
        inventories: [
          { resourceClass: { name: 'DISK_GB' }, used: 6442450941, available: -6442450940 },
          { resourceClass: { name: 'VCPU' }, capacity: 4, used: 5, available: -1, utilization: 1.25 },
        ],
      },
    });
  });

  test('one class can be asked for, and usages list every inventoried class', async () => {
    await insertAllocation(database, host, 'VCPU', 6);
    const { data } = await api.query(
      `query ($host: UUID!) { resourceProvider(by: { uuid: $host }) {
         inventory(resourceClass: "VCPU") { used resourceProvider { uuid } }
         none: inventory(resourceClass: "MEMORY_MB") { used }
         usages { resourceClass { name } used }
       } }`,
      { host },
    );
    expect(data).toEqual({
      resourceProvider: {
        inventory: { used: 6, resourceProvider: { uuid: host } },
        none: null,
        usages: [
          { resourceClass: { name: 'DISK_GB' }, used: 0 },
          { resourceClass: { name: 'VCPU' }, used: 6 },
        ],
      },
    });
  });
});

describe('an edit that sets all inventories', () => {
  test('replaces the whole set; what is left out of one goes back to its default (rules 19, 31)', async () => {
    await setAll([{ resourceClass: 'VCPU', total: 8, reserved: 2, maxUnit: 4 }]);
    expect(
      await setAll(
        [
          { resourceClass: 'VCPU', total: 8 },
          { resourceClass: 'MEMORY_MB', total: 64 },
        ],
        2,
      ),
    ).toMatchObject({
      resourceProvider: {
        generation: 3,
        inventories: [
          { resourceClass: { name: 'MEMORY_MB' } },
          { resourceClass: { name: 'VCPU' }, reserved: 0, maxUnit: 2147483647 },
        ],
      },
    });
    expect(await setAll([], 3)).toMatchObject({ resourceProvider: { generation: 4, inventories: [] } });
  });

  test('that changes nothing bumps nothing (decision D5)', async () => {
    const same = [
      { resourceClass: 'DISK_GB', total: 100 },
      { resourceClass: 'VCPU', total: 8 },
    ];
    expect(await setAll(same)).toMatchObject({ resourceProvider: { generation: 1 } });
  });

  test('does not judge how the units go together (rule 23)', async () => {
    expect(
      await setOne({ resourceClass: 'VCPU', total: 1, minUnit: 7, maxUnit: 5, stepSize: 9 }),
    ).toMatchObject({
      __typename: 'UpdateResourceProviderPayload',
    });
  });

  test('refuses to leave out one that is in use (rule 32)', async () => {
    for (const name of ['DISK_GB', 'VCPU']) await insertAllocation(database, host, name, 1);
    expect(await setAll([])).toMatchObject({
      code: 'INVENTORY_IN_USE',
      resourceProviderUuid: host,
      resourceClassName: 'VCPU',
      resourceClassNames: ['VCPU', 'DISK_GB'],
    });
    expect(await deleteOne('VCPU')).toMatchObject({ code: 'INVENTORY_IN_USE', resourceClassNames: ['VCPU'] });
  });
});

describe('edits that add and remove inventories', () => {
  test('changes of one inventory keep the others', async () => {
    expect(await setOne({ resourceClass: 'MEMORY_MB', total: 5 })).toMatchObject({
      resourceProvider: { generation: 2, inventories: [{ total: 100 }, { total: 5 }, { total: 8 }] },
    });
    expect(await setOne({ resourceClass: 'MEMORY_MB', total: 6 }, 2)).toMatchObject({
      resourceProvider: { generation: 3, inventories: [{ total: 100 }, { total: 6 }, { total: 8 }] },
    });
    expect(await deleteOne('MEMORY_MB', 3)).toEqual({
      __typename: 'UpdateResourceProviderPayload',
      resourceProvider: {
        generation: 4,
        inventories: [
          { resourceClass: { name: 'DISK_GB' }, total: 100 },
          { resourceClass: { name: 'VCPU' }, total: 8 },
        ],
      },
    });
  });
});

test('both edits reject an inventory that breaks a rule, with its path (rules 13, 18, 22, 31, decision D2)', async () => {
  const invalid: [wrong: object, field: string][] = [
    [{ resourceClass: 'NO_SUCH', total: 1 }, 'resourceClass'],
    [{ resourceClass: 'vcpu', total: 1 }, 'resourceClass'],
    [{ resourceClass: 'V CPU\u0000', total: 1 }, 'resourceClass'],
    [{ total: 0 }, 'total'],
    [{ total: -1 }, 'total'],
    [{ total: 1, reserved: -1 }, 'reserved'],
    [{ total: 1, reserved: 2 }, 'reserved'],
    [{ total: 1, minUnit: 0 }, 'minUnit'],
    [{ total: 1, maxUnit: 0 }, 'maxUnit'],
    [{ total: 1, stepSize: 0 }, 'stepSize'],
    [{ total: 1, allocationRatio: 0 }, 'allocationRatio'],
    [{ total: 2, allocationRatio: -0.1 }, 'allocationRatio'],
    // 0 in single precision, and above single precision
    [{ total: 1, allocationRatio: 1e-46 }, 'allocationRatio'],
    [{ total: 1, allocationRatio: 3.5e38 }, 'allocationRatio'],
  ];
  for (const [wrong, field] of invalid) {
    const inventory = { resourceClass: 'VCPU', ...wrong };
    const two = await setAll([{ resourceClass: 'DISK_GB', total: 1 }, inventory]);
    expect([wrong, await setOne(inventory), two]).toMatchObject([
      wrong,
      invalidInput(`inventories.add.0.${field}`),
      invalidInput(`inventories.set.1.${field}`),
    ]);
  }
});

test.each([2147483648, -2147483649, 1.5, '1'])('total %p does not fit its type (rule 12)', async (total) => {
  const inventories = { add: [{ resourceClass: 'VCPU', total }] };
  const failure = await api.failure(
    'mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }',
    { input: { resourceProvider: { uuid: host }, generation: 1, inventories } },
  );
  expect(failure).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(failure.message).toContain(String(total));
});
