import { beforeAll, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { Named, Total } from '../support/shapes.js';

const { api } = useApi({ hasBackground: false });
let uuids: Record<string, string>;

const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const RACK = 'aaaaaaaa-0000-4000-8000-000000000002';

beforeAll(async () => {
  uuids = {
    ...(await createProviders(api, {
      name: 'host b',
      inventories: { DISK_GB: 100 },
      aggregates: [ZONE],
      children: [
        { name: 'numa 0', inventories: { VCPU: { total: 9, reserved: 1, allocationRatio: 2 } } },
        { name: 'numa 1', inventories: { VCPU: 8 }, traits: ['HW_CPU_X86_AVX2'], aggregates: [RACK] },
      ],
    })),
    ...(await createProviders(api, {
      name: 'host a',
      inventories: { VCPU: 4 },
      aggregates: [ZONE],
      traits: ['HW_CPU_X86_AVX2'],
    })),
    ...(await createProviders(api, { name: 'storage', inventories: { DISK_GB: 1000 } })),
  };
  await api.mutate('nameAggregate', { aggregate: { uuid: ZONE }, name: 'zone-1' });
  await claimed(api, { [uuids['numa 0']]: { VCPU: 3 }, [uuids['numa 1']]: { VCPU: 1 } });
});

const COLUMNS = 'names capacities used';

const map = async <T = object>(args: string, selection = COLUMNS): Promise<T> =>
  (await api.read<{ fleetMap: T }>(`{ fleetMap(${args}) { ${selection} } }`)).fleetMap;

test('the trees with an inventory of the class, by the name of the root, each with the sums of all of it', async () => {
  expect(await map('resourceClass: "VCPU"')).toEqual({
    names: ['host a', 'host b'],
    capacities: [4, 24],
    used: [0, 4],
  });
  expect(await map('resourceClass: "DISK_GB"')).toMatchObject({ names: ['host b', 'storage'] });
  expect(await map('resourceClass: "VGPU"')).toEqual({ names: [], capacities: [], used: [] });
});

test('the map lists the aggregates of each tree, of any of its providers', async () => {
  const { aggregates } = await map<{ aggregates: object[] }>(
    'resourceClass: "VCPU"',
    'aggregates { aggregate { uuid name } trait { name } trees }',
  );
  expect(aggregates).toHaveLength(2);
  expect(aggregates).toContainEqual({
    aggregate: { uuid: ZONE, name: 'zone-1' },
    trait: null,
    trees: [0, 1],
  });
  expect(aggregates).toContainEqual({ aggregate: { uuid: RACK, name: null }, trait: null, trees: [1] });
});

test('the map lists the requested traits of each tree, in their order', async () => {
  const names = '["COMPUTE_VOLUME_MULTI_ATTACH", "HW_CPU_X86_AVX2"]';
  expect(
    await map('resourceClass: "VCPU"', `traits(names: ${names}) { trait { name } aggregate { uuid } trees }`),
  ).toEqual({
    traits: [
      { trait: { name: 'COMPUTE_VOLUME_MULTI_ATTACH' }, aggregate: null, trees: [] },
      { trait: { name: 'HW_CPU_X86_AVX2' }, aggregate: null, trees: [0, 1] },
    ],
  });
});

test('chosen trees, by any of their providers, each once', async () => {
  const inTrees = [uuids['numa 1'], uuids['host b'], ZONE].map((uuid) => `{ uuid: "${uuid}" }`).join(' ');
  const expected = { names: ['host b'], capacities: [24], used: [4] };
  expect(await map(`resourceClass: "VCPU", inTrees: [${inTrees}]`)).toEqual(expected);
  expect(await map('resourceClass: "VCPU", inTrees: { name: "numa 0" }')).toEqual(expected);
});

test.each([
  ['an unknown class', 'resourceClass: "NOTHING"', 'names', 'resourceClass'],
  [
    'too many providers',
    `resourceClass: "VCPU", inTrees: [${`{ uuid: "${ZONE}" } `.repeat(1025)}]`,
    'names',
    'inTrees',
  ],
  ['an unknown trait', 'resourceClass: "VCPU"', 'traits(names: "NOTHING") { trees }', 'names.0'],
  [
    'a trait that is there twice',
    'resourceClass: "VCPU"',
    'traits(names: ["HW_CPU_X86_AVX2", "HW_CPU_X86_AVX2"]) { trees }',
    'names',
  ],
])('%s is rejected', async (_what, args, selection, path) => {
  expect(await api.failure(`{ fleetMap(${args}) { ${selection} } }`)).toMatchObject(invalidInput(path));
});

test('is of the same sums as fleetTotals by tree, and takes no statement but the freshness check and that of names', async () => {
  const { fleetTotals } = await api.read<{ fleetTotals: { nodes: (Total & { group: Named })[] } }>(
    '{ fleetTotals(groupBy: TREE, filter: { resourceClass: "VCPU" }, first: 10) { nodes { group { ... on ResourceProvider { name } } capacity used } } }',
  );
  const { nodes } = fleetTotals;
  let columns: object = {};
  const statements = await api.statements(async () => {
    columns = await map('resourceClass: "VCPU"', `${COLUMNS} aggregates { aggregate { name } trees }`);
  });
  expect(columns).toMatchObject({
    names: nodes.map(({ group }) => group.name),
    capacities: nodes.map(({ capacity }) => capacity),
    used: nodes.map(({ used }) => used),
  });
  expect(nodes.length).toBe(2);
  expect(statements.length).toBeLessThanOrEqual(2);
});
