import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';
import type { Page } from '../support/shapes.js';

const { api, database } = useApi();
let uuids: Record<string, string>;

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'bbbbbbbb-0000-4000-8000-000000000002';
const NOBODY = '00000000-0000-4000-8000-000000000000';

const DOCUMENT =
  'query ($filter: ResourceProviderFilter) { resourceProviders(filter: $filter) { totalCount nodes { name } } }';

const list = async (filter: object) => {
  const { resourceProviders } = await api.read<{ resourceProviders: Page }>(DOCUMENT, { filter });
  const names = resourceProviders.nodes.map(({ name }) => name);
  expect(resourceProviders.totalCount).toBe(names.length);
  return names;
};

const need = (resourceClass: string, amount: number) => ({ resourceClass, amount });

beforeAll(async () => {
  uuids = {
    ...(await createProviders(api, {
      name: 'tree',
      aggregates: [A],
      traits: ['COMPUTE_NODE'],
      inventories: { DISK_GB: 100 },
      children: [
        {
          name: 'tree-1',
          aggregates: [A, B],
          traits: ['HW_NUMA_ROOT', 'HW_CPU_X86_AVX2'],
          inventories: { VCPU: 8, MEMORY_MB: { total: 64, minUnit: 5, maxUnit: 40, stepSize: 10 } },
        },
        {
          name: 'tree-2',
          aggregates: [B],
          traits: ['HW_NUMA_ROOT'],
          inventories: { VCPU: { total: 10, allocationRatio: 0.7 } },
        },
      ],
    })),
    ...(await createProviders(api, { name: 'alone' })),
  };
  await insertAllocation(database, uuids['tree-1'], 'VCPU', 3);
});

// test/engine/providerListing.test.ts compares all conditions with a naive list
describe('conditions', () => {
  const BOTH = ['tree-1', 'tree-2'];
  const ALL = ['alone', 'tree', ...BOTH];
  test.each<[title: string, filter: object, names: string[]]>([
    ['nothing', {}, ALL],
    ['name', { name: 'tree' }, ['tree']],
    ['a name in another case', { name: 'Tree' }, []],
    ['a name with a space behind', { name: 'tree ' }, []],
    ['rootsOnly', { rootsOnly: true }, ['alone', 'tree']],
    ['memberOf is direct (rule 52)', { memberOf: [[{ uuid: A }]] }, ['tree', 'tree-1']],
    ['memberOf: one of several', { memberOf: [[{ uuid: A }, { uuid: B }]] }, ['tree', ...BOTH]],
    ['memberOf: a value for a list', { memberOf: { uuid: A } }, ['tree', 'tree-1']],
    ['memberOf: a list for lists is AND', { memberOf: [{ uuid: A }, { uuid: B }] }, ['tree-1']],
    [
      'memberOf in another spelling',
      { memberOf: { uuid: A.toUpperCase().replaceAll('-', '') } },
      ['tree', 'tree-1'],
    ],
    ['memberOf an unknown aggregate (rule 55)', { memberOf: [[{ uuid: NOBODY }]] }, []],
    ['forbidding an unknown aggregate (rule 55)', { forbiddenAggregates: [{ uuid: NOBODY }] }, ALL],
    [
      'required and forbidden aggregate',
      { memberOf: [[{ uuid: A }]], forbiddenAggregates: [{ uuid: A }] },
      [],
    ],
    [
      'required and forbidden trait (decision D16)',
      { requiredTraits: [['HW_NUMA_ROOT']], forbiddenTraits: ['HW_NUMA_ROOT'] },
      [],
    ],
    ['requiredTraits are its own (rule 53)', { requiredTraits: [['HW_NUMA_ROOT']] }, BOTH],
    [
      'requiredTraits: a list for lists is AND',
      { requiredTraits: ['HW_NUMA_ROOT', 'HW_CPU_X86_AVX2'] },
      ['tree-1'],
    ],
    [
      'required, but not with another',
      { requiredTraits: 'HW_NUMA_ROOT', forbiddenTraits: 'HW_CPU_X86_AVX2' },
      ['tree-2'],
    ],
    [
      'all conditions together (rule 49)',
      { memberOf: { uuid: A }, requiredTraits: 'COMPUTE_NODE', rootsOnly: true, name: 'tree' },
      ['tree'],
    ],
    ['empty lists', { memberOf: [], requiredTraits: [], forbiddenTraits: [], resources: [] }, ALL],
  ])('%s', async (_what, filter, names) => {
    expect(await list(filter)).toEqual(names);
  });

  test('uuid', async () => {
    expect(await list({ uuid: uuids['tree-1'] })).toEqual(['tree-1']);
    expect(await list({ uuid: NOBODY })).toEqual([]);
  });

  test('inTree, by any member of the tree (rule 51)', async () => {
    expect(await list({ inTree: { uuid: uuids['tree-2'] } })).toEqual(['tree', 'tree-1', 'tree-2']);
    expect(await list({ inTree: { uuid: uuids.tree }, requiredTraits: 'HW_NUMA_ROOT' })).toEqual([
      'tree-1',
      'tree-2',
    ]);
    expect(await list({ inTree: { uuid: NOBODY } })).toEqual([]);
  });
});

describe('resources: the amounts that one provider has free (rule 54)', () => {
  test.each([
    ['free capacity, which is 5 of 8', [need('VCPU', 5)], ['tree-1', 'tree-2']],
    ['more than is free on one', [need('VCPU', 6)], ['tree-2']],
    ['the whole exact capacity, 10 x 0.7 (decision D2)', [need('VCPU', 7)], ['tree-2']],
    ['one more than that', [need('VCPU', 8)], []],
    ['several classes from one provider', [need('VCPU', 1), need('MEMORY_MB', 10)], ['tree-1']],
    ['never from two providers', [need('VCPU', 1), need('DISK_GB', 1)], []],
    ['minUnit, which is no multiple of stepSize (decision D1)', [need('MEMORY_MB', 5)], ['tree-1']],
    ['above maxUnit, though more is free', [need('MEMORY_MB', 50)], []],
    ['the largest amount', [need('VCPU', 2147483647)], []],
  ])('%s', async (_what, resources, names) => {
    expect(await list({ resources })).toEqual(names);
  });

  test('pages and counts are exact where single precision is not', async () => {
    // 1000 x 1.001 is 1001; in single precision it is a little less
    const edge = { VCPU: { total: 1000, allocationRatio: 1.001 } };
    for (const name of ['edge-1', 'edge-2', 'edge-3', 'edge-4']) {
      Object.assign(uuids, await createProviders(api, { name, inventories: edge }));
    }
    await insertAllocation(database, uuids['edge-2'], 'VCPU', 1);
    const fits = { resources: [need('VCPU', 1001)] };
    expect(await list(fits)).toEqual(['edge-1', 'edge-3', 'edge-4']);
    const data = await api.read(
      `query ($filter: ResourceProviderFilter) {
         two: resourceProviders(filter: $filter, first: 2) { nodes { name } pageInfo { hasNextPage } }
         lastTwo: resourceProviders(filter: $filter, last: 2) { nodes { name } pageInfo { hasPreviousPage } }
       }`,
      { filter: fits },
    );
    expect(data).toEqual({
      two: { nodes: [{ name: 'edge-1' }, { name: 'edge-3' }], pageInfo: { hasNextPage: true } },
      lastTwo: { nodes: [{ name: 'edge-3' }, { name: 'edge-4' }], pageInfo: { hasPreviousPage: true } },
    });
  });
});

describe('an invalid filter', () => {
  test('is INVALID_INPUT with the path (rules 55, 56)', async () => {
    const many = Array.from({ length: 1025 }, () => ({ uuid: randomUUID() }));
    const cases: [path: string, named: string, filter: object][] = [
      ['requiredTraits.1.1', 'NO_SUCH', { requiredTraits: [['HW_NUMA_ROOT'], ['COMPUTE_NODE', 'NO_SUCH']] }],
      ['requiredTraits.0.0', 'hw_numa_root', { requiredTraits: 'hw_numa_root' }],
      ['forbiddenTraits.0', 'NO_SUCH', { forbiddenTraits: ['NO_SUCH'] }],
      ['resources.0.resourceClass', 'NO_SUCH', { resources: [need('NO_SUCH', 1)] }],
      ['requiredTraits.1', 'empty', { requiredTraits: [['HW_NUMA_ROOT'], []] }],
      ['memberOf.0', 'empty', { memberOf: [[]] }],
      ['resources.0.amount', '0', { resources: [need('VCPU', 0)] }],
      ['resources.0.amount', '-1', { resources: [need('VCPU', -1)] }],
      ['resources.1.resourceClass', 'VCPU', { resources: [need('VCPU', 1), need('VCPU', 2)] }], // decision D7
      ['forbiddenAggregates', '1025', { forbiddenAggregates: many }],
    ];
    for (const [path, named, filter] of cases) {
      const failure = await api.failure(DOCUMENT, { filter });
      expect(failure).toMatchObject({
        ...invalidInput(`filter.${path}`),
        message: expect.stringContaining(named) as unknown,
      });
    }
  });

  test('of one field keeps the other fields', async () => {
    const { data, errors } = await api.query(
      `{ bad: resourceProviders(filter: { requiredTraits: "NO_SUCH" }) { totalCount }
         good: resourceProviders(filter: { name: "alone" }) { totalCount } }`,
    );
    expect(data).toEqual({ bad: null, good: { totalCount: 1 } });
    expect(errors).toMatchObject([{ path: ['bad'], extensions: { code: 'INVALID_INPUT' } }]);
  });
});
