import { beforeAll, expect, test } from '@jest/globals';
import { invalidInput, startApi, useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { damage } from '../support/damage.js';
import type { Page } from '../support/shapes.js';

const { api, database } = useApi({ hasBackground: false });
let a: string;
let numa: string;
let b: string;

const RACK = 'aaaaaaaa-0000-4000-8000-000000000001';

/** Host a, in a rack, with 16 VCPU below it; host b with 4; 6 of all in use. */
beforeAll(async () => {
  ({ 'host a': a, numa } = await createProviders(api, {
    name: 'host a',
    inventories: { DISK_GB: 100 },
    traits: ['HW_CPU_X86_AVX2'],
    aggregates: [RACK],
    children: [{ name: 'numa', inventories: { VCPU: { total: 9, reserved: 1, allocationRatio: 2 } } }],
  }));
  ({ b } = await createProviders(api, { name: 'b', inventories: { VCPU: 4 } }));
  await claimed(api, { [a]: { DISK_GB: 25 }, [numa]: { VCPU: 4 } });
  await claimed(api, { [b]: { VCPU: 2 } });
});

const ROW =
  'group { ... on ResourceProvider { uuid name } ... on Aggregate { uuid } ... on Trait { name isStandard } } resourceClass { name } capacity used available utilization providerCount';

const DOCUMENT = `query ($filter: FleetTotalsFilter, $groupBy: FleetGrouping, $first: Int) {
  fleetTotals(filter: $filter, groupBy: $groupBy, first: $first) {
    nodes { ${ROW} } totalCount pageInfo { hasNextPage endCursor }
  }
}`;

const totals = async (args?: object) =>
  (await api.read<{ fleetTotals: Page<object> }>(DOCUMENT, args)).fleetTotals;

const row = (group: object | null, name: string, [used, capacity]: [number, number], providerCount = 1) => ({
  group,
  resourceClass: { name },
  capacity,
  used,
  available: capacity - used,
  utilization: used / capacity,
  providerCount,
});

test('the whole fleet, a row for each class', async () => {
  expect(await totals()).toEqual({
    nodes: [row(null, 'DISK_GB', [25, 100]), row(null, 'VCPU', [6, 20], 2)],
    totalCount: 2,
    pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
  });
});

test('by tree, with the root', async () => {
  const { nodes } = await totals({ groupBy: 'TREE' });
  const [host, other] = [
    { uuid: a, name: 'host a' },
    { uuid: b, name: 'b' },
  ];
  expect(nodes).toEqual([
    row(other, 'VCPU', [2, 4]),
    row(host, 'DISK_GB', [25, 100]),
    row(host, 'VCPU', [4, 16]),
  ]);
});

test('by aggregate and by trait; the root has them for its NUMA nodes', async () => {
  const by = async (groupBy: string) => (await totals({ groupBy, filter: { resourceClass: 'VCPU' } })).nodes;
  expect(await by('AGGREGATE')).toEqual([row({ uuid: RACK }, 'VCPU', [4, 16])]);
  const trait = { name: 'HW_CPU_X86_AVX2', isStandard: true };
  expect(await by('TRAIT')).toEqual([row(trait, 'VCPU', [4, 16])]);
});

test('groups of every kind are read by one selection of their labels', async () => {
  const document = `query ($groupBy: FleetGrouping!) { fleetTotals(groupBy: $groupBy, filter: { resourceClass: "VCPU" }) {
    nodes { group { ... on ResourceProvider { label } ... on Aggregate { label } ... on Trait { label } } } } }`;
  const labels = async (groupBy: string) => {
    const { fleetTotals } = await api.read<{ fleetTotals: Page<{ group: { label: string } }> }>(document, {
      groupBy,
    });
    return fleetTotals.nodes.map(({ group }) => group.label);
  };
  expect(await labels('TREE')).toEqual(['b', 'host a']);
  expect(await labels('TRAIT')).toEqual(['HW_CPU_X86_AVX2']);
  expect(await labels('AGGREGATE')).toEqual([RACK]);
  const aggregate = { uuid: RACK };
  await api.mutate('nameAggregate', { aggregate, name: 'rack 1' });
  expect(await labels('AGGREGATE')).toEqual(['rack 1']);
  await api.mutate('nameAggregate', { aggregate, name: null });
  expect(await labels('AGGREGATE')).toEqual([RACK]);
});

const TREE = [row(null, 'DISK_GB', [25, 100]), row(null, 'VCPU', [4, 16])];

test.each([
  ['inTree', () => ({ inTree: { uuid: numa } }), TREE],
  ['memberOf', () => ({ memberOf: { uuid: RACK } }), TREE],
  ['requiredTraits', () => ({ requiredTraits: ['HW_CPU_X86_AVX2'] }), TREE],
  ['resourceClass', () => ({ resourceClass: 'DISK_GB' }), [row(null, 'DISK_GB', [25, 100])]],
  ['an unknown tree', () => ({ inTree: { uuid: RACK } }), []],
  ['an unknown aggregate', () => ({ memberOf: { uuid: a } }), []],
  ['a trait that no provider has', () => ({ requiredTraits: 'HW_NUMA_ROOT' }), []],
])('filtered: %s', async (_what, filter, nodes) => {
  expect(await totals({ filter: filter() })).toMatchObject({ nodes, totalCount: nodes.length });
});

test.each([
  [{ requiredTraits: ['CUSTOM_NONE'] }, 'filter.requiredTraits.0.0'],
  [{ memberOf: [[]] }, 'filter.memberOf.0'],
  [{ memberOf: [[{ uuid: RACK }, { uuid: RACK }]] }, 'filter.memberOf.0.1'],
  [{ resourceClass: 'NONE' }, 'filter.resourceClass'],
])('the filter %j is INVALID_INPUT', async (filter, path) => {
  expect(await api.failure(DOCUMENT, { filter })).toMatchObject(invalidInput(path));
});

test('an idle fleet costs one small read, and what was written just now counts', async () => {
  await totals();
  expect(await api.statements(() => totals({ groupBy: 'TREE' }))).toHaveLength(1);
  const consumer = await claimed(api, { [b]: { VCPU: 1 } });
  expect(await totals({ filter: { inTree: { uuid: b } } })).toMatchObject({ nodes: [{ used: 3 }] });
  await api.mutate('deleteConsumer', { consumer });
  expect(await totals({ filter: { inTree: { uuid: b } } })).toMatchObject({ nodes: [{ used: 2 }] });
});

test('rows with dangling ids do not affect the totals', async () => {
  await damage(
    database,
    `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
     SELECT id, 99999, 5, 0, 1, 5, 1, 1 FROM resource_providers WHERE uuid = '${b}'`,
    `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) SELECT id, 99999 FROM resource_providers WHERE uuid = '${b}'`,
  );
  const other = await startApi(database, { hasBackground: false });
  const data = await other.read<Record<string, { nodes: object[] }>>(
    `{ fleet: fleetTotals { nodes { ${ROW} } } traits: fleetTotals(groupBy: TRAIT) { nodes { group { ... on Trait { name } } } } }`,
  );
  await other.close();
  expect(data.fleet.nodes).toEqual([row(null, 'DISK_GB', [25, 100]), row(null, 'VCPU', [6, 20], 2)]);
  expect(data.traits.nodes).toEqual([
    { group: { name: 'HW_CPU_X86_AVX2' } },
    { group: { name: 'HW_CPU_X86_AVX2' } },
  ]);
});
