import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { nodeId } from '../support/claims.js';
import { aggregate, forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';

const { api, database } = useApi({ hasBackground: false });

const FLEET = aggregate('F');
const uuid = (name: string) => uuidOf('provider', name);

/** A tree of 600 providers with three levels of ten below each other, and 100 trees of three that share the storage. */
beforeAll(async () => {
  const has = 'VCPU:10(used=3) MEMORY_MB:10 +HW_NUMA_ROOT';
  const tree = (n: number, indent: string): string[] => {
    const children = Array.from({ length: 10 }, (_, at) => 10 * (n - 1000) + 1000 + at);
    const below = children.filter((child) => child > n && child < 1600);
    return [`${indent}big-${n} ${has}`, ...below.flatMap((child) => tree(child, `${indent}  `))];
  };
  const hosts = Array.from({ length: 100 }, (_, at) =>
    [`host-${at} ${has} @F`, `  numa-${at} ${has} @F`, `    nic-${at} ${has} @F`].join('\n'),
  );
  const picture = ['storage DISK_GB:1000 @F sharing', ...tree(1000, ''), ...hosts].join('\n');
  await loadForest(database, forest(picture));
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

describe('a tree of 600 providers with everything takes at most 8 statements', () => {
  test('by its descendants', async () => {
    const { data, statements } = await measure<{ resourceProvider: Provider }>(
      `{ resourceProvider(by: { name: "big-1000" }) {
           ${DETAILS} sharingProviders { name } descendants { ${DETAILS} parent { name } root { name } ancestors { name } }
         } }`,
    );
    expect(statements).toBeLessThanOrEqual(8);
    const { descendants } = data.resourceProvider;
    expect(new Set(descendants.map(({ name }) => name)).size).toBe(599);
    const details = new Set(
      descendants.map(({ inventories, traits }) => {
        const used = inventories.map((each) => [each.resourceClass.name, each.used]);
        return JSON.stringify([used, traits.length]);
      }),
    );
    expect([...details]).toEqual(['[[["MEMORY_MB",0],["VCPU",3]],1]']);
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
    expect(count(data.resourceProvider)).toBe(600);
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

test('a page of children with their parents takes at most 10 statements', async () => {
  const { statements } = await measure(
    `{ resourceProviders(filter: { requiredTraits: "HW_NUMA_ROOT" }, first: 100) {
         nodes { ${DETAILS} parent { ${DETAILS} parent { ${DETAILS} } } root { ${DETAILS} } sharingProviders { ${DETAILS} } }
       } }`,
  );
  expect(statements).toBeLessThanOrEqual(10);
});

test('a node with everything takes at most 6 statements', async () => {
  const { data, statements } = await measure(
    `{ node(id: "${nodeId('ResourceProvider', uuid('numa-0'))}") { id ... on ResourceProvider {
         ${DETAILS} parent { name } root { name } children { ${DETAILS} } ancestors { ${DETAILS} } descendants { ${DETAILS} }
         sharingProviders { ${DETAILS} }
       } } }`,
  );
  expect(statements).toBeLessThanOrEqual(6);
  expect(data).toMatchObject({ node: { name: 'numa-0', parent: { name: 'host-0' } } });
});

// the executor resolves a list of 500 in parts, which share no statement
test.each([
  [100, 4],
  [500, 22],
])('%d nodes take at most %d statements', async (count, most) => {
  const ids = Array.from({ length: count }, (_, i) => nodeId('ResourceProvider', uuid(`big-${1000 + i}`)));
  const { statements } = await measure(
    `{ nodes(ids: ${JSON.stringify(ids)}) { ... on ResourceProvider { ${DETAILS} } } }`,
  );
  expect(statements).toBeLessThanOrEqual(most);
});

test('pages and counts of the members of many traits and aggregates share statements', async () => {
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
          totalCount: 900,
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

test('a filter with all conditions takes only the statement of the freshness check', async () => {
  const { statements } = await measure(
    `{ resourceProviders(first: 10, filter: {
         memberOf: { uuid: "${FLEET}" }, requiredTraits: "HW_NUMA_ROOT", forbiddenTraits: ["HW_CPU_X86_AVX2"], inTree: { uuid: "${uuid('numa-0')}" },
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
