import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OPERATION_LIMITS } from '../../src/runtime/operation.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let api: Api;
const CHILDREN = 400;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
  const children = Array.from({ length: CHILDREN }, (_, at) => ({ name: `child-${at}` }));
  await api.query(
    `mutation ($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) { __typename } }`,
    { input: { root: { name: 'host', children } } },
  );
});

afterAll(async () => {
  await api.close();
  await database.close();
});

const ofHost = (selection: string): string => `{ resourceProvider(by: { name: "host" }) { ${selection} } }`;

test('a list that is made in parts is whole and in order', async () => {
  const { data } = await api.query<{ resourceProvider: { children: { name: string; root: object }[] } }>(
    ofHost('children { name root { name } }'),
  );
  const { children } = data.resourceProvider;
  expect(children.map(({ name }) => name)).toEqual(children.map(({ name }) => name).sort());
  expect(children).toHaveLength(CHILDREN);
  expect(children.every(({ root }) => JSON.stringify(root) === '{"name":"host"}')).toBe(true);
});

test('a list counts with its true length, and an answer that would be too large ends before it is made', async () => {
  const { data, errors } = await api.query(
    ofHost('children { parent { children { parent { children { name } } } } }'),
  );
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
  expect(errors![0].message).toContain(String(OPERATION_LIMITS.cost));
});

test('failures of some objects, in any part, leave the server as it was', async () => {
  // what the second object of each list costs too much comes while others of the list still wait
  const failing = ofHost('children { name parent { children { parent { children { root { name } } } } } }');
  await Promise.all(Array.from({ length: 5 }, () => api.query(failing)));
  expect(await api.query(ofHost('name'))).toMatchObject({ data: { resourceProvider: { name: 'host' } } });
  expect(api.logged).toEqual([]);
});

test('an argument that is refused below a long list is told, and ends nothing', async () => {
  const { errors } = await api.query('{ traits { resourceProviders(after: "aWQ6NDc") { totalCount } } }');
  expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(['INVALID_INPUT']));
  expect(await api.query('{ __typename }')).toMatchObject({ data: { __typename: 'Query' } });
});

test('a mutation whose payload would be too large is answered, and nothing of it goes on', async () => {
  const { data } = await api.query<{
    resourceProvider: { children: { uuid: string; generation: number }[] };
  }>(ofHost('children { uuid generation }'));
  const [{ uuid, generation }] = data.resourceProvider.children;
  const { errors } = await api.query(
    `mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { ... on UpdateResourceProviderPayload {
       resourceProvider { parent { children { parent { children { parent { children { name } } } } } } } } } }`,
    { input: { resourceProvider: uuid, generation, name: 'renamed' } },
  );
  expect(errors![0].extensions.code).toBe('LIMIT_EXCEEDED');
  const before = process.memoryUsage().heapUsed;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 2 ** 20);
  expect(await api.query(ofHost('name'))).toMatchObject({ data: { resourceProvider: { name: 'host' } } });
});
