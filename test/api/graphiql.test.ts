import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadSample } from '../../src/cli/sample/sample.js';
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
  GRAPHIQL.defaultTabs!.map(({ query }) => [
    /(?:query|mutation|subscription) (\w+)/.exec(query!)![1],
    query!,
  ]),
);

const run = async (tab: string) => {
  const { data, errors } = await api.query(tabs.get(tab)!);
  expect(errors).toBeUndefined();
  return data;
};

test('there are sixteen tabs', () => expect(tabs.size).toBe(16));

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

test.each(['Flavor', 'Affinity', 'Split', 'Order', 'SharedStorage'])('%s has candidates', async (tab) => {
  expect(await run(tab)).toMatchObject({ allocationCandidates: { allocationRequests: { length: 5 } } });
});

test('isolation and what is kept out of a subtree', async () => {
  const mapped = (suffix: string, name: string) => ({ suffix, resourceProviders: [{ name }] });
  const [node, far] = [mapped('_COMPUTE', 'host-00001-numa1'), mapped('_FAR', 'host-00001-numa0-pf0')];
  const cards = ['host-00001-numa1-pf0', 'host-00001-numa1-pf1'];
  const candidate = (near: string, more: string) =>
    expect.objectContaining({ mappings: [node, mapped('_NEAR', near), far, mapped('_MORE', more)] });
  expect(await run('AntiAffinity')).toEqual({
    allocationCandidates: {
      complete: true,
      allocationRequests: expect.arrayContaining([
        candidate(cards[0], cards[1]),
        candidate(cards[1], cards[0]),
      ]),
    },
  });
});

test('a split over both nodes of a host', async () => {
  expect(await run('Split')).toMatchObject({
    allocationCandidates: {
      allocationRequests: expect.arrayContaining([
        {
          allocations: expect.arrayContaining([
            expect.objectContaining({
              resources: expect.arrayContaining([{ resourceClass: 'VCPU', amount: 32 }]),
            }),
            expect.objectContaining({
              resources: expect.arrayContaining([{ resourceClass: 'VCPU', amount: 16 }]),
            }),
          ]),
        },
      ]),
    },
  });
});

test('shared storage', async () => {
  expect(await run('SharedStorage')).toMatchObject({
    resourceProvider: { name: 'storage-0001', isSharing: true },
  });
});

test('a claim for two, once', async () => {
  const { claim } = (await run('Claim')) as {
    claim: {
      claims: {
        allocationRequest: { allocations: { resourceProvider: { root: { name: string } } }[] };
      }[];
    };
  };
  const hosts = claim.claims.map(({ allocationRequest }) =>
    allocationRequest.allocations.map(({ resourceProvider }) => resourceProvider.root.name),
  );
  expect(hosts).toHaveLength(2);
  expect(hosts[0]).not.toContain(hosts[1][0]);
  expect(await run('Claim')).toMatchObject({ claim: { code: 'CONSUMER_GENERATION_CONFLICT' } });
});

test('fleet totals, of the whole and of zones', async () => {
  const ofProcessors = expect.arrayContaining([
    expect.objectContaining({ resourceClass: { name: 'VCPU' } }),
  ]) as unknown;
  expect(await run('Totals')).toMatchObject({
    fleet: { nodes: ofProcessors },
    zones: { nodes: ofProcessors },
  });
});

test('consumers, projects and types', async () => {
  expect(await run('Consumers')).toMatchObject({
    consumers: { nodes: { length: 20, 0: { allocations: { 0: {} } } } },
    projects: { nodes: { 0: { usages: { 0: {} } } } },
    consumerTypes: { 0: { name: 'INSTANCE' } },
  });
});

test('the audit of the sample cloud finds nothing', async () => {
  expect(await run('Audit')).toEqual({ audit: { totalCount: 0, nodes: [] } });
});

test('why nothing fits', async () => {
  expect(await run('WhyNot')).toMatchObject({
    allocationCandidates: {
      allocationRequests: [],
      explanation: {
        summary: expect.stringMatching(/providers have VGPU; none of \d+ providers has 5 VGPU free/),
        satisfiableWhenEmpty: false,
      },
    },
  });
});

test('how many more fit', async () => {
  const { headroom } = (await run('Headroom')) as { headroom: { count: number; trees: number } };
  expect(headroom).toMatchObject({ exact: true, reachedUpTo: false });
  expect(headroom.trees).toBeGreaterThan(0);
  expect(headroom.count).toBeGreaterThanOrEqual(headroom.trees);
});

test('creating a provider, once', async () => {
  expect(await run('Create')).toMatchObject({
    createResourceProvider: { resourceProvider: { name: 'my-first-host' } },
  });
  expect(await run('Create')).toMatchObject({ createResourceProvider: { code: 'DUPLICATE_NAME' } });
});

test('watching is for those who take a stream', async () => {
  const { errors } = await api.query(tabs.get('Watch')!);
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_ACCEPTABLE' } }]);
});
