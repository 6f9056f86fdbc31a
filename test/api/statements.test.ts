import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { nodeId } from '../support/claims.js';
import { recordChanges, providerIds } from '../support/changeFeed.js';
import { createProviders } from '../support/createProviders.js';

const { api, database } = useApi({ hasBackground: false });

const FLEET = 'aaaaaaaa-0000-4000-8000-000000000001';
const uuid = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/**
 * One tree of 1,000 providers, three levels of ten below each other, and 100 trees of three, each provider with two
 * inventories, one of them in use, a trait and an aggregate. One storage shares with the 100.
 */
beforeAll(async () => {
  const { pool } = database;
  await createProviders(api, {
    name: 'storage',
    aggregates: [FLEET],
    inventories: { DISK_GB: 1000 },
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
  });
  const rows: [number, string, string, number | null, number][] = [];
  for (let n = 1000; n < 2000; n++) {
    const parent = n === 1000 ? null : 1000 + Math.floor((n - 1000) / 10);
    rows.push([n, uuid(n), `big-${n}`, parent, 1000]);
  }
  for (let n = 2000; n < 2300; n += 3) {
    rows.push([n, uuid(n), `host-${n}`, null, n]);
    rows.push([n + 1, uuid(n + 1), `numa-${n + 1}`, n, n]);
    rows.push([n + 2, uuid(n + 2), `nic-${n + 2}`, n + 1, n]);
  }
  await pool.batch(
    'INSERT INTO resource_providers (id, uuid, name, parent_provider_id, root_provider_id, generation) VALUES (?, ?, ?, ?, ?, 0)',
    rows,
  );
  const some = 'FROM resource_providers p WHERE p.id >= 1000';
  await pool.query(
    `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
     SELECT p.id, c.id, 10, 0, 1, 10, 1, 1 FROM resource_providers p, resource_classes c
      WHERE p.id >= 1000 AND c.name IN ('VCPU', 'MEMORY_MB')`,
  );
  await pool.query(
    `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
     SELECT p.id, (SELECT id FROM resource_classes WHERE name = 'VCPU'), UUID(), 3 ${some}`,
  );
  await pool.query(
    `INSERT INTO resource_provider_traits (resource_provider_id, trait_id)
     SELECT p.id, (SELECT id FROM traits WHERE name = 'HW_NUMA_ROOT') ${some}`,
  );
  await pool.query(
    `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)
     SELECT p.id, (SELECT id FROM placement_aggregates WHERE uuid = ?) ${some} AND p.id >= 2000`,
    [FLEET],
  );
  await recordChanges(database, await providerIds(database));
  await api.query('{ resourceProviders(first: 0) { totalCount } }'); // loads the snapshot
});

const DETAILS = `name uuid generation createdAt isSharing
  inventories { resourceClass { name } total capacity used available utilization }
  usages { resourceClass { name } used }
  traits { name isStandard }
  aggregates { uuid }`;

/** Runs a query without errors; gives its data and how many statements it took. */
async function measure<T>(document: string): Promise<{ data: T; statements: number }> {
  let data: T;
  const statements = await api.statements(async () => (data = await api.read<T>(document)));
  return { data: data!, statements: statements.length };
}

interface Provider {
  name: string;
  inventories: { used: number; resourceClass: { name: string } }[];
  traits: unknown[];
  descendants: Provider[];
  children: Provider[];
}

describe('a tree of 1,000 providers with everything takes at most 8 statements', () => {
  test('by its descendants', async () => {
    const { data, statements } = await measure<{ resourceProvider: Provider }>(
      `{ resourceProvider(by: { name: "big-1000" }) {
           ${DETAILS} sharingProviders { name } descendants { ${DETAILS} parent { name } root { name } ancestors { name } }
         } }`,
    );
    expect(statements).toBeLessThanOrEqual(8);
    const { descendants } = data.resourceProvider;
    expect(new Set(descendants.map(({ name }) => name)).size).toBe(999);
    for (const { inventories, traits } of descendants) {
      expect(inventories).toMatchObject([
        { resourceClass: { name: 'MEMORY_MB' }, used: 0 },
        { resourceClass: { name: 'VCPU' }, used: 3 },
      ]);
      expect(traits).toHaveLength(1);
    }
  });

  test('by children of children, four levels deep', async () => {
    const { data, statements } = await measure<{ resourceProvider: Provider }>(
      `{ resourceProvider(by: { name: "big-1000" }) {
           ${DETAILS} children { ${DETAILS} children { ${DETAILS} children { ${DETAILS} children { ${DETAILS} } } } }
         } }`,
    );
    expect(statements).toBeLessThanOrEqual(8);
    const count = ({ children = [] }: Provider): number =>
      children.reduce((sum, child) => sum + count(child), 1);
    expect(count(data.resourceProvider)).toBe(1000);
  });
});

test('a page of 100 providers with everything nested takes at most 10 statements', async () => {
  const { data, statements } = await measure<{ resourceProviders: { nodes: Provider[] } }>(
    `{ resourceProviders(filter: { rootsOnly: true, memberOf: { uuid: "${FLEET}" } }, first: 100) {
         totalCount
         nodes {
           ${DETAILS}
           parent { ${DETAILS} } root { ${DETAILS} } ancestors { ${DETAILS} }
           children { ${DETAILS} parent { ${DETAILS} } children { ${DETAILS} } }
           descendants { ${DETAILS} }
           sharingProviders { ${DETAILS} }
         }
       } }`,
  );
  expect(statements).toBeLessThanOrEqual(10);
  expect(data.resourceProviders.nodes).toHaveLength(100);
  const shared = data.resourceProviders.nodes.filter(({ name }) => name !== 'storage');
  for (const node of shared)
    expect(node).toMatchObject({ sharingProviders: [{ name: 'storage', inventories: [{ total: 1000 }] }] });
});

test('a page of children takes no more, and parents that are asked for one by one neither', async () => {
  const { statements } = await measure(
    `{ resourceProviders(filter: { requiredTraits: "HW_NUMA_ROOT" }, first: 100) {
         nodes { ${DETAILS} parent { ${DETAILS} parent { ${DETAILS} } } root { ${DETAILS} } sharingProviders { ${DETAILS} } }
       } }`,
  );
  expect(statements).toBeLessThanOrEqual(10);
});

test('a node with everything takes at most 6 statements', async () => {
  const { data, statements } = await measure(
    `{ node(id: "${nodeId('ResourceProvider', uuid(2001))}") { id ... on ResourceProvider {
         ${DETAILS} parent { name } root { name } children { ${DETAILS} } ancestors { ${DETAILS} } descendants { ${DETAILS} }
         sharingProviders { ${DETAILS} }
       } } }`,
  );
  expect(statements).toBeLessThanOrEqual(6);
  expect(data).toMatchObject({ node: { name: 'numa-2001', parent: { name: 'host-2000' } } });
});

// a list of 500 is made in parts, which share nothing that they read
test.each([
  [100, 4],
  [500, 22],
])('%d nodes are read together, in at most %d statements', async (count, most) => {
  const ids = Array.from({ length: count }, (_, i) => nodeId('ResourceProvider', uuid(1000 + i)));
  const { statements } = await measure(
    `{ nodes(ids: ${JSON.stringify(ids)}) { ... on ResourceProvider { ${DETAILS} } } }`,
  );
  expect(statements).toBeLessThanOrEqual(most);
});

test('the members of many traits and aggregates are read together, page and count', async () => {
  for (const name of ['CUSTOM_ONE', 'CUSTOM_TWO']) await api.mutate('createTrait', { name });
  const { data, statements } = await measure<{ traits: unknown[] }>(
    `{ traits { name resourceProviders(first: 10) { nodes { name } totalCount pageInfo { hasNextPage } } } }`,
  );
  expect(statements).toBe(3);
  expect(data.traits).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'HW_NUMA_ROOT',
        resourceProviders: {
          nodes: Array.from({ length: 10 }, (_, i) => ({ name: `big-${1000 + i}` })),
          totalCount: 1300,
          pageInfo: { hasNextPage: true },
        },
      }),
      expect.objectContaining({
        name: 'CUSTOM_ONE',
        resourceProviders: { nodes: [], totalCount: 0, pageInfo: { hasNextPage: false } },
      }),
    ]),
  );
  const nested = await measure(
    `{ resourceProviders(filter: { memberOf: { uuid: "${FLEET}" } }, first: 100) { nodes {
         aggregates { resourceProviders(first: 2) { totalCount nodes { name } } }
         traits { resourceProviders(first: 2) { totalCount nodes { name } } }
       } } }`,
  );
  expect(nested.statements).toBeLessThanOrEqual(9);
});

test('a filter with everything takes the freshness check alone', async () => {
  const { statements } = await measure(
    `{ resourceProviders(first: 10, filter: {
         memberOf: { uuid: "${FLEET}" }, requiredTraits: "HW_NUMA_ROOT", forbiddenTraits: ["HW_CPU_X86_AVX2"], inTree: { uuid: "${uuid(2001)}" },
         resources: [{ resourceClass: "VCPU", amount: 7 }, { resourceClass: "MEMORY_MB", amount: 10 }]
       }) { nodes { name } } }`,
  );
  expect(statements).toBe(1);
});

test('a candidates query takes at most 6 statements', async () => {
  const { data, statements } = await measure(
    `{ allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }, limit: 50) {
         allocationRequests { allocations { resourceProvider { id uuid name generation parent { uuid } root { uuid } } } }
         providerSummaries { resourceProvider { uuid parent { uuid } root { uuid } } resources { used } traitNames }
       } }`,
  );
  expect(statements).toBeLessThanOrEqual(6);
  expect(data).toMatchObject({ allocationCandidates: { allocationRequests: { length: 50 } } });
});
