import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadSample } from '../../src/cli/sample.js';
import { GRAPHIQL } from '../../src/server/graphiql.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  await loadSample(database, { hosts: 100 });
  api = await startApi(database);
});

afterAll(async () => {
  await api.close();
  await database.close();
});

const tabs = new Map(
  GRAPHIQL.defaultTabs!.map(({ query }) => [/(?:query|mutation) (\w+)/.exec(query!)![1], query!]),
);

const run = async (tab: string) => {
  const { data, errors } = await api.query(tabs.get(tab)!);
  expect(errors).toBeUndefined();
  return data;
};

test('there are six tabs', () => expect(tabs.size).toBe(6));

test('a tree', async () => {
  expect(await run('Tree')).toMatchObject({
    resourceProvider: {
      name: 'host-00001',
      inventories: [{ resourceClass: { name: 'DISK_GB' } }],
      descendants: expect.arrayContaining([expect.objectContaining({ name: 'host-00001-numa0' })]),
      sharingProviders: [{ name: 'storage-0001' }],
    },
  });
});

test('free capacity by host', async () => {
  expect(await run('FreeCapacity')).toMatchObject({
    resourceProviders: { totalCount: 100, nodes: { length: 20, 0: { name: 'host-00001', numa: [{}, {}] } } },
  });
});

test.each(['Flavor', 'Affinity', 'SharedStorage'])('%s has candidates', async (tab) => {
  expect(await run(tab)).toMatchObject({ allocationCandidates: { allocationRequests: { length: 5 } } });
});

test('shared storage', async () => {
  expect(await run('SharedStorage')).toMatchObject({
    resourceProvider: { name: 'storage-0001', isSharing: true },
  });
});

test('creating a provider, once', async () => {
  expect(await run('Create')).toMatchObject({
    createResourceProvider: { resourceProvider: { name: 'my-first-host' } },
  });
  expect(await run('Create')).toMatchObject({ createResourceProvider: { code: 'DUPLICATE_NAME' } });
});
