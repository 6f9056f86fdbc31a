import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, claimInput, edit, newConsumers, requestOf } from '../support/claims.js';
import { createProviders, type ProviderInput } from '../support/createProviders.js';
import type { Named } from '../support/shapes.js';

const { api, database } = useApi({ hasBackground: false });
let uuids: Record<string, string>;
const consumers: Record<string, string> = {};

const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';

/** Host a with 12 of 16 VCPU in use below it, b with 2 of 8, c with 8 of 16; a pool without. */
beforeAll(async () => {
  const trees: ProviderInput[] = [
    {
      name: 'host-a',
      traits: ['HW_CPU_X86_AVX2'],
      children: [
        { name: 'host-a-numa0', inventories: { VCPU: 8 }, aggregates: [ZONE] },
        { name: 'host-a-numa1', inventories: { VCPU: { total: 8, maxUnit: 2 } } },
      ],
    },
    { name: 'host-b', inventories: { VCPU: 8, DISK_GB: 10 } },
    { name: 'host-c', inventories: { VCPU: 16 } },
    { name: 'pool_100%', inventories: { DISK_GB: 1000 } },
  ];
  uuids = {};
  for (const tree of trees) Object.assign(uuids, await createProviders(api, tree));
  const claim = async (name: string, provider: string, amount: number, owner: object) =>
    (consumers[name] = await claimed(api, { [uuids[provider]]: { VCPU: amount } }, owner));
  await claim('large', 'host-a-numa0', 8, { projectId: 'shop', userId: 'carol', consumerType: 'INSTANCE' });
  await claim('small', 'host-a-numa1', 2, { projectId: 'mail', userId: 'dave', consumerType: 'MIGRATION' });
  await claim('second', 'host-a-numa1', 2, { projectId: 'shop', userId: 'dave' });
  await claim('middle', 'host-c', 8, { projectId: 'mail', userId: 'carol', consumerType: 'INSTANCE' });
  await claim('least', 'host-b', 2, { projectId: 'shop', userId: 'carol' });
});

async function nodes<T = Named>(field: string, selection = 'name'): Promise<T[]> {
  const { list } = await api.read<{ list: { nodes: T[] } }>(`{ list: ${field} { nodes { ${selection} } } }`);
  return list.nodes;
}

const names = async (args: string) => (await nodes(`resourceProviders(${args})`)).map(({ name }) => name);

const consumersIn = async (args: string) => {
  const known = new Map(Object.entries(consumers).map(([name, uuid]) => [uuid, name]));
  return (await nodes<{ uuid: string }>(`consumers(${args})`, 'uuid')).map(({ uuid }) => known.get(uuid));
};

const FULLEST = 'orderBy: { treeUtilization: { resourceClass: "VCPU", direction: DESC } }';

describe('providers', () => {
  test('the fullest hosts, with the figures that they are ordered by', async () => {
    const list = `resourceProviders(filter: { rootsOnly: true }, ${FULLEST}, first: 2)`;
    expect(
      await nodes(
        list,
        'name treeTotals(resourceClass: "VCPU") { group { ... on ResourceProvider { name } } capacity used utilization }',
      ),
    ).toEqual([
      {
        name: 'host-a',
        treeTotals: [{ group: { name: 'host-a' }, capacity: 16, used: 12, utilization: 0.75 }],
      },
      {
        name: 'host-c',
        treeTotals: [{ group: { name: 'host-c' }, capacity: 16, used: 8, utilization: 0.5 }],
      },
    ]);
  });

  test('a query shows a claim, a release and a new name that were committed before it', async () => {
    const list = `filter: { rootsOnly: true }, ${FULLEST}`;
    const owner = { projectId: 'shop', userId: 'carol' };
    const consumer = await claimed(api, { [uuids['host-b']]: { VCPU: 6 } }, owner);
    expect(await names(list)).toEqual(['host-b', 'host-a', 'host-c', 'pool_100%']);
    await api.mutate('deleteConsumer', { consumer });
    expect(await names(list)).toEqual(['host-a', 'host-c', 'host-b', 'pool_100%']);
    const rename = (name: string) => edit(api, uuids['host-b'], { name });
    await rename('host-z');
    expect(await names('filter: { nameContains: "z" }')).toEqual(['host-z']);
    await rename('host-b');
    expect(await names('filter: { nameContains: "z" }')).toEqual([]);
  });

  test.each([
    ['nameContains: "numa"', ['host-a-numa0', 'host-a-numa1']],
    ['nameContains: "NUMA"', []],
    ['nameStartsWith: "host-a"', ['host-a', 'host-a-numa0', 'host-a-numa1']],
    ['nameContains: "_100%"', ['pool_100%']],
    ['nameContains: "%"', ['pool_100%']],
    ['hasTraitInTree: "HW_CPU_X86_AVX2", rootsOnly: false', ['host-a', 'host-a-numa0', 'host-a-numa1']],
    [`memberOfInTree: { uuid: "${ZONE}" }, rootsOnly: true`, ['host-a']],
    ['resourcesInTree: { resourceClass: "VCPU", amount: 3 }, rootsOnly: true', ['host-b', 'host-c']],
    [
      'resourcesInTree: { resourceClass: "VCPU", amount: 2 }, rootsOnly: true',
      ['host-a', 'host-b', 'host-c'],
    ],
    [
      'resourcesInTree: [{ resourceClass: "VCPU", amount: 3 }, { resourceClass: "DISK_GB", amount: 1 }]',
      ['host-b'],
    ],
  ])('{ %s }', async (filter, expected) => {
    expect(await names(`filter: { ${filter} }`)).toEqual(expected);
  });

  test('by uuid, whether the list comes from the database or from memory', async () => {
    const uuidIn = `uuidIn: ["${uuids['host-c']}", "${ZONE}", "${uuids['host-b']}"]`;
    expect(await names(`filter: { ${uuidIn} }`)).toEqual(['host-b', 'host-c']);
    expect(await names(`filter: { ${uuidIn} }, ${FULLEST}`)).toEqual(['host-c', 'host-b']);
    expect(await names(`filter: { uuidIn: [] }`)).toEqual([]);
    expect(await names(`filter: { uuidIn: [] }, ${FULLEST}`)).toEqual([]);
  });

  test('by when they were changed; the dates are those of the database', async () => {
    await database.pool.query(
      `UPDATE resource_providers SET updated_at = '2050-01-01' WHERE name = 'host-b'`,
    );
    for (const name of ['pool', 'pool_100%']) await edit(api, uuids['pool_100%'], { name });
    const list = 'resourceProviders(orderBy: [{ updatedAt: DESC }])';
    const found = await nodes<{ name: string; updatedAt: string | null }>(list, 'name createdAt updatedAt');
    const dates = found.flatMap(({ updatedAt }) => updatedAt ?? []);
    expect(dates).toEqual(dates.toSorted().reverse());
    const { data } = await api.query(
      `{ resourceProvider(by: { name: "pool_100%" }) { name createdAt updatedAt } }`,
    );
    expect(found.find(({ name }) => name === 'pool_100%')).toEqual(data.resourceProvider);
  });

  test('treeTotals of any member, wherever it was found', async () => {
    const { data } = await api.query(
      '{ resourceProvider(by: { name: "host-a-numa0" }) { treeTotals { resourceClass { name } used capacity } } }',
    );
    expect(data.resourceProvider).toEqual({
      treeTotals: [{ resourceClass: { name: 'VCPU' }, used: 12, capacity: 16 }],
    });
  });

  test('allocations of one class, and of one type of consumers', async () => {
    const allocations = async (args: string) => {
      const { data } = await api.query<{
        resourceProvider: { allocations: { totalCount: number; nodes: { amount: number }[] } };
      }>(
        `{ resourceProvider(by: { name: "host-a-numa1" }) { allocations${args} { totalCount nodes { amount } } } }`,
      );
      const { nodes: found, totalCount } = data.resourceProvider.allocations;
      expect(found).toHaveLength(totalCount);
      return totalCount;
    };
    expect(await allocations('')).toBe(2);
    expect(await allocations('(resourceClass: "DISK_GB")')).toBe(0);
    expect(await allocations('(consumerType: { name: "MIGRATION" }, resourceClass: "VCPU")')).toBe(1);
    expect(await allocations('(consumerType: { none: true })')).toBe(1);
  });
});

describe('consumers, projects and users', () => {
  test.each([
    [
      'orderBy: { used: { resourceClass: "VCPU", direction: DESC } }',
      ['large', 'middle', 'small', 'second', 'least'],
    ],
    ['orderBy: [{ projectId: ASC }, { age: DESC }]', ['middle', 'small', 'least', 'second', 'large']],
    ['orderBy: { type: DESC }', ['small', 'large', 'middle', 'second', 'least']],
    ['filter: { userId: "dave" }, orderBy: { age: DESC }', ['second', 'small']],
  ])('consumers(%s)', async (args, expected) => {
    expect(await consumersIn(args)).toEqual(expected);
  });

  test('the largest consumers of a host, and some by uuid', async () => {
    const largest = `orderBy: { used: { resourceClass: "VCPU", direction: DESC } }`;
    expect(await consumersIn(`filter: { inTree: { uuid: "${uuids['host-a']}" } }, ${largest}`)).toEqual([
      'large',
      'small',
      'second',
    ]);
    expect(await consumersIn(`filter: { uuidIn: ["${consumers.least}", "${ZONE}"] }`)).toEqual(['least']);
    expect(await consumersIn('filter: { uuidIn: [] }')).toEqual([]);
    const some = `uuidIn: ["${consumers.least}", "${ZONE}", "${consumers.small}", "${consumers.large}"]`;
    expect(await consumersIn(`filter: { ${some} }, ${largest}`)).toEqual(['large', 'small', 'least']);
    expect(await consumersIn(`filter: { ${some}, userId: "dave" }, ${largest}`)).toEqual(['small']);
    expect(await consumersIn(`filter: { ${some}, userId: "nobody" }, ${largest}`)).toEqual([]);
    expect(await consumersIn(`filter: { uuidIn: [] }, ${largest}`)).toEqual([]);
  });

  test('projects and users by what they have', async () => {
    const order = 'orderBy: { used: { resourceClass: "VCPU", direction: DESC } }';
    expect(await nodes(`projects(${order})`, 'projectId consumerCount')).toMatchObject([
      { projectId: 'shop', consumerCount: 3 },
      { projectId: 'mail', consumerCount: 2 },
    ]);
    expect(
      await nodes(`users(${order})`, 'userId consumerCount usages { resourceClass { name } used }'),
    ).toMatchObject([
      { userId: 'carol', consumerCount: 3, usages: [{ resourceClass: { name: 'VCPU' }, used: 18 }] },
      { userId: 'dave', consumerCount: 2, usages: [{ resourceClass: { name: 'VCPU' }, used: 4 }] },
    ]);
  });

  test('an order by count reads owners in parts, and finds those of all parts', async () => {
    const idle = Array.from({ length: 2_500 }, (_, at) => [`idle-${at}`]);
    await database.pool.batch('INSERT INTO projects (external_id) VALUES (?)', idle);
    try {
      const order = 'orderBy: { consumerCount: ASC }';
      const statements = await api.statements(async () => {
        const last = await nodes(`projects(last: 3, ${order})`, 'projectId consumerCount');
        expect(last).toMatchObject([
          { projectId: 'idle-999', consumerCount: 0 },
          { projectId: 'mail', consumerCount: 2 },
          { projectId: 'shop', consumerCount: 3 },
        ]);
      });
      expect(statements.filter((text) => /FROM\W+\w*\W*projects\b/.test(text)).length).toBeGreaterThanOrEqual(
        3,
      );
    } finally {
      await database.pool.query("DELETE FROM projects WHERE external_id LIKE 'idle-%'");
    }
  });

  test('dates of a consumer, also of one that was just claimed', async () => {
    const [listed] = await nodes<{ createdAt: string; updatedAt: string | null }>(
      'consumers(first: 1)',
      'createdAt updatedAt',
    );
    expect(Date.now() - Date.parse(listed.createdAt)).toBeLessThan(600_000);
    expect(listed.updatedAt).toBeNull();
    const claim = await api.mutate<{ claims: { consumer: { createdAt: string; uuid: string } }[] }>(
      'claim',
      claimInput(requestOf({ DISK_GB: 1 }), newConsumers()),
      'claims { consumer { uuid createdAt } }',
    );
    const [{ consumer }] = claim.claims;
    expect(Date.now() - Date.parse(consumer.createdAt)).toBeLessThan(600_000);
    await api.mutate('deleteConsumer', { consumer: consumer.uuid });
  });

  test('totals by tree, the fullest first', async () => {
    const list =
      'fleetTotals(groupBy: TREE, filter: { resourceClass: "VCPU" }, orderBy: { utilization: DESC })';
    expect(await nodes(list, 'group { ... on ResourceProvider { name } }')).toEqual([
      { group: { name: 'host-a' } },
      { group: { name: 'host-c' } },
      { group: { name: 'host-b' } },
    ]);
  });
});

const NAME = '{ name: ASC }';
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

const providers = (args: string) => `resourceProviders(${args})`;
const by = (argument: 'after' | 'before', text: string, key = NAME) =>
  `orderBy: ${key}, ${argument}: "${cursorOf(text)}"`;

test.each([
  [providers(`orderBy: [${NAME}, { used: { resourceClass: "CUSTOM_X" } }]`), 'orderBy.1.used.resourceClass'],
  [providers(`orderBy: [${NAME}, { name: DESC }]`), 'orderBy.1'],
  [providers(by('after', 'name:host-a')), 'after'],
  [providers(by('before', 'by name DESC:["a","b"]')), 'before'],
  [providers(by('after', 'by name ASC:["a"]')), 'after'],
  [providers(by('after', 'by name ASC:[{},"b"]')), 'after'],
  [providers(by('after', 'by name ASC:nonsense')), 'after'],
  [providers('filter: { hasTraitInTree: "CUSTOM_X" }'), 'filter.hasTraitInTree.0.0'],
  [
    providers('filter: { resourcesInTree: { resourceClass: "VCPU", amount: 0 } }'),
    'filter.resourcesInTree.0.amount',
  ],
  ['consumers(orderBy: { used: { resourceClass: "CUSTOM_X" } })', 'orderBy.0.used.resourceClass'],
  ...['["x"]', '["1"]', '[1.5]', '[1, 2]'].map((key) => [
    `consumers(${by('after', `by age ASC:${key}`, '{ age: ASC }')})`,
    'after',
  ]),
  [`consumers(${by('before', 'by age DESC:[null]', '{ age: DESC }')})`, 'before'],
  ['projects(orderBy: [{ id: ASC }, { id: ASC }])', 'orderBy.1'],
  ['fleetTotals(orderBy: [{ used: ASC }, { used: ASC }])', 'orderBy.1'],
])('%s is INVALID_INPUT', async (field, path) => {
  expect(await api.failure(`{ ${field} { totalCount } }`)).toMatchObject(invalidInput(path));
});
