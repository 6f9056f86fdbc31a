import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { claimed, nodeId, setAllocations, takes } from '../support/claims.js';

const { api } = useApi();

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';

beforeAll(async () => {
  await createProviders(api, {
    name: 'host',
    inventories: { VCPU: 1 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: [AGGREGATE],
  });
});

test('every object is found again by the id that it gave', async () => {
  const { resourceProvider } = await api.read<{ resourceProvider: Found & Record<string, Found[]> }>(
    `{ resourceProvider(by: { name: "host" }) {
         __typename id traits { __typename id } aggregates { __typename id }
         inventories { resourceClass { __typename id } }
       } }`,
  );
  const { __typename, id, traits, aggregates, inventories } = resourceProvider;
  const [{ resourceClass }] = inventories as unknown as { resourceClass: Found }[];
  const objects = [{ __typename, id }, ...traits, ...aggregates, resourceClass];
  expect(objects).toHaveLength(4);
  const answer = await api.query('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
    ids: objects.map((object) => object.id),
  });
  expect(answer.data).toEqual({ nodes: objects });
  for (const object of objects) {
    const one = await api.query('query ($id: ID!) { node(id: $id) { __typename id } }', { id: object.id });
    expect(one.data).toEqual({ node: object });
  }
});

test('what a consumer has, and who it is, is found by ids of its own', async () => {
  const { shared } = await createProviders(api, { name: 'shared', inventories: { VCPU: 8, DISK_GB: 10 } });
  const owner = { projectId: 'p: q', userId: 'u', consumerType: 'INSTANCE' };
  const uuid = await claimed(api, { [shared]: { VCPU: 2, DISK_GB: 1 } }, owner);
  const { consumer, project, consumerTypes, resourceProvider } = await api.read<{
    consumer: { allocations: Found[] };
    project: Found;
    consumerTypes: Found[];
    resourceProvider: { inventories: Found[]; allocations: { nodes: Found[] } };
  }>(
    `{ consumer(uuid: "${uuid}") { allocations { __typename id } }
       project(projectId: "p: q") { __typename id }
       consumerTypes { __typename id }
       resourceProvider(by: { name: "shared" }) {
         inventories { __typename id } allocations { nodes { __typename id } } } }`,
  );
  const { inventories, allocations } = resourceProvider;
  const byId = (found: Found[]): Found[] => [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(byId(allocations.nodes)).toEqual(byId(consumer.allocations));
  const objects = [...consumer.allocations, project, ...consumerTypes, ...inventories];
  expect(new Set(objects.map(({ id }) => id)).size).toBe(6);
  const ids = objects.map(({ id }) => id);
  const document = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
  expect((await api.query(document, { ids })).data).toEqual({ nodes: objects });

  const before = consumer.allocations;
  await setAllocations(api, takes(uuid, 1, { [shared]: { VCPU: 3 } }, owner));
  const used = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Allocation { amount resourceClass { name } } } }`;
  expect((await api.query(used, { ids: before.map(({ id }) => id) })).data).toEqual({
    nodes: [null, { amount: 3, resourceClass: { name: 'VCPU' } }],
  });
});

interface Found {
  readonly __typename: string;
  readonly id: string;
}

test('a project that never was is null', async () => {
  const document = 'query ($projectId: String!) { project(projectId: $projectId) { id } }';
  for (const projectId of ['nobody', 'P: Q', '', '\u{1f980}'])
    expect(await api.read(document, { projectId })).toEqual({ project: null });
});

test('a node can be read like any other object', async () => {
  const { data } = await api.query(
    `query ($id: ID!) { node(id: $id) { ... on Trait { name resourceProviders { nodes { name } } } } }`,
    { id: nodeId('Trait', 'HW_NUMA_ROOT') },
  );
  expect(data).toEqual({ node: { name: 'HW_NUMA_ROOT', resourceProviders: { nodes: [{ name: 'host' }] } } });
});

test('what does not exist is null, in its place', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const ids = [
    nodeId('ResourceProvider', nobody),
    nodeId('Trait', 'NO_SUCH'),
    nodeId('ResourceClass', 'VCPU'),
    nodeId('Aggregate', nobody),
    nodeId('ResourceClass', 'vcpu'),
    nodeId('Inventory', `${nobody}:VCPU`),
    nodeId('Inventory', '1'),
    nodeId('Allocation', `${nobody}:x`),
    nodeId('Project', 'nobody'),
    nodeId('ConsumerType', 'NO_SUCH'),
  ];
  const data = await api.read('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
  expect(data).toEqual({ nodes: ids.map((id, at) => (at === 2 ? { id } : null)) });
});

describe('an id that this server never gave is INVALID_INPUT', () => {
  test.each([
    ['no base64', 'nonsense!'],
    ['empty', ''],
    ['without a key', nodeId('Trait', '')],
    ['of a type that is no node', nodeId('Usage', '1')],
    ['of an unknown type', nodeId('Nothing', '1')],
    ['very long', 'A'.repeat(100_000)],
  ])('%s', async (_what, id) => {
    const { data, errors } = await api.query(
      'query ($id: ID!, $good: ID!) { node(id: $id) { id } nodes(ids: [$good, $id]) { id } }',
      { id, good: nodeId('ResourceClass', 'VCPU') },
    );
    expect(data).toEqual({ node: null, nodes: [{ id: nodeId('ResourceClass', 'VCPU') }, null] });
    expect(errors).toMatchObject([
      { path: ['node'], extensions: { code: 'INVALID_INPUT', path: ['id'] } },
      { path: ['nodes', 1], extensions: { code: 'INVALID_INPUT', path: ['ids', '1'] } },
    ]);
    expect(errors![0].message.length).toBeLessThan(200);
  });

  test('1001 ids are too many', async () => {
    const ids = Array.from({ length: 1001 }, () => nodeId('ResourceClass', 'VCPU'));
    expect(await api.failure('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toMatchObject(
      invalidInput('ids'),
    );
  });
});
