import { beforeAll, describe, expect, test } from '@jest/globals';
import type { GraphQLInterfaceType } from 'graphql';
import { buildSchema } from '../../src/api/schema.js';
import { invalidInput, useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { claimed, nodeId, setAllocations, takes } from '../support/claims.js';

const { api } = useApi();

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
const OWNER = { projectId: 'p: q', userId: 'u', consumerType: 'INSTANCE' };
const IDS = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

let host: string;
let consumer: string;
beforeAll(async () => {
  ({ host } = await createProviders(api, {
    name: 'host',
    inventories: { VCPU: 8, DISK_GB: 10 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: [AGGREGATE],
  }));
  consumer = await claimed(api, { [host]: { VCPU: 2, DISK_GB: 1 } }, OWNER);
});

test('each object of every type is found again by its id', async () => {
  const data = await api.read(
    `{ resourceProvider(by: { name: "host" }) {
         ...Id traits { ...Id } aggregates { ...Id } inventories { ...Id resourceClass { ...Id } } allocations { nodes { ...Id } }
       }
       consumer(uuid: "${consumer}") { ...Id type { ...Id } project { ...Id } user { ...Id } allocations { ...Id } } }
     fragment Id on Node { __typename id }`,
  );
  const found = new Map<string, string>();
  JSON.stringify(data, (_key, value: { __typename?: string; id?: string } | null) => {
    if (value?.id !== undefined) found.set(value.id, value.__typename!);
    return value;
  });
  expect(found.size).toBe(13);
  const schema = buildSchema();
  const types = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType);
  expect([...new Set(found.values())].sort()).toEqual(types.map(({ name }) => name).sort());
  const objects = Array.from(found, ([id, __typename]) => ({ __typename, id }));
  expect(await api.read(IDS, { ids: [...found.keys()] })).toEqual({ nodes: objects });
});

test('several fields of a document may have the same id', async () => {
  const id = nodeId('Consumer', consumer);
  const fields = ['node(id: $id)', 'nodes(ids: [$id, $id])', 'node(id: $id)'];
  const selected = fields.map((field, at) => `f${at}: ${field} { __typename id }`);
  const object = { __typename: 'Consumer', id };
  expect(await api.read(`query ($id: ID!) { ${selected.join(' ')} }`, { id })).toEqual({
    f0: object,
    f1: [object, object],
    f2: object,
  });
});

test('an allocation keeps its id when its amount changes; a deleted one is null', async () => {
  const data = await api.read<{ consumer: { allocations: { id: string }[] } }>(
    `{ consumer(uuid: "${consumer}") { allocations { id } } }`,
  );
  const ids = data.consumer.allocations.map(({ id }) => id);
  const used = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Allocation { amount resourceClass { name } } } }`;
  const part = (name: string, amount: number) => ({ amount, resourceClass: { name } });
  expect(await api.read(used, { ids })).toEqual({ nodes: [part('DISK_GB', 1), part('VCPU', 2)] });
  await setAllocations(api, takes(consumer, 1, { [host]: { VCPU: 3 } }, OWNER));
  expect(await api.read(used, { ids })).toEqual({ nodes: [null, part('VCPU', 3)] });
});

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

test('a missing node is null at its position', async () => {
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
