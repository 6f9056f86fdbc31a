import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  allocationsOf,
  COMPUTE,
  consumesAt,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
  placed,
  providerId,
  wrongCounters,
} from '../ledger/partitionSupport.js';
import { uniqueNames } from '../ledger/support.js';
import { apiAt, type ApiClient } from '../support/api.js';
import { claimed, claimInput, newConsumers, requestOf, setAllocations } from '../support/claims.js';
import { ServerProcess } from '../support/serverProcess.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
let server: ServerProcess;
let api: ApiClient;

async function start(): Promise<void> {
  server = await ServerProcess.start(database.url, 256);
  api = apiAt(server.url);
}

/** Kills the server without warning, and starts a new one. */
async function restart(): Promise<void> {
  server.kill();
  await server.ended();
  await start();
}

beforeAll(async () => {
  await createClasses(database);
  await start();
});
afterAll(() => server.stop());

let host: string;
beforeEach(() => void (host = uniqueNames()('host')));

/** Returns the names of the providers of `resourceClass` among the candidates in the tree of the host. */
async function candidates(resourceClass: string): Promise<string[]> {
  const request = requestOf({ [resourceClass]: 1 }, { inTree: { name: host } });
  const { allocationCandidates } = await api.read<{
    allocationCandidates: {
      allocationRequests: { mappings: { resourceProviders: { name: string }[] }[] }[];
    };
  }>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
       allocationRequests { mappings { resourceProviders { name } } } } }`,
    { request },
  );
  return allocationCandidates.allocationRequests
    .flatMap(({ mappings: [{ resourceProviders }] }) => resourceProviders)
    .map(({ name }) => name.slice(host.length + 1))
    .sort();
}

async function headroom(resourceClass: string): Promise<number> {
  const request = requestOf({ [resourceClass]: 1 }, { inTree: { name: host } });
  const data = await api.read<{ headroom: { count: number } }>(
    'query ($request: AllocationCandidatesInput!) { headroom(request: $request) { count } }',
    { request },
  );
  return data.headroom.count;
}

/** Returns the uuid of a partition of the card. */
const uuidOf = async (name: string): Promise<string> => {
  const { resourceProvider } = await api.read<{ resourceProvider: { uuid: string } }>(
    'query ($name: String!) { resourceProvider(by: { name: $name }) { uuid } }',
    { name: `${host}-gpu0-${name}` },
  );
  return resourceProvider.uuid;
};

const claim = (resourceClass: string) =>
  api.mutate<{ __typename: string }>(
    'claim',
    claimInput(requestOf({ [resourceClass]: 1 }, { inTree: { name: host } }), newConsumers()),
    '__typename',
  );

const release = (consumer: string) => api.mutate('deleteConsumer', { consumer });

// Kubernetes issue 139034: an allocation of a device that several consumers share was ignored in the next cycle
describe('a server that was killed and started again', () => {
  test('counts what several consumers of one partition consume', async () => {
    const gpu = `${host}-gpu0`;
    const compute = (amount: number) => [{ resourceProvider: { name: gpu }, resourceClass: COMPUTE, amount }];
    const part = (name: string, resourceClass: string, total: number, amount: number) => ({
      name: `${gpu}-${name}`,
      inventories: [{ resourceClass, total, consumes: compute(amount) }],
    });
    const parts = [part('shared', 'CUSTOM_1G', 8, 1), part('whole', 'CUSTOM_4G', 1, 4)];
    const root = {
      name: host,
      children: [{ name: gpu, inventories: counterInventories(), children: parts }],
    };
    expect(await api.mutate('applyProviderTree', { root }, '__typename')).toMatchObject({
      __typename: 'ApplyProviderTreePayload',
    });
    const shares = { [await uuidOf('shared')]: { CUSTOM_1G: 1 } };
    const consumers = [await claimed(api, shares), await claimed(api, shares), await claimed(api, shares)];
    await restart();
    expect([await candidates('CUSTOM_4G'), await headroom('CUSTOM_1G')]).toEqual([[], 1]);
    expect(await claim('CUSTOM_4G')).toMatchObject({ __typename: 'NoCandidatesError' });
    consumers.push(await claimed(api, shares));
    expect(await claim('CUSTOM_1G')).toMatchObject({ __typename: 'NoCandidatesError' });
    await restart();
    for (const consumer of consumers) {
      expect(await candidates('CUSTOM_4G')).toEqual([]);
      await release(consumer);
    }
    expect([await candidates('CUSTOM_4G'), await headroom('CUSTOM_1G')]).toEqual([['gpu0-whole'], 4]);
    expect(await claim('CUSTOM_4G')).toMatchObject({ __typename: 'ClaimPayload' });
    expect(await candidates('CUSTOM_1G')).toEqual([]);
  });

  test('counts a partition that another program has allocated without its counters', async () => {
    const uuids = await created(database, hostWithCards(host, 1));
    const part = await providerId(database, uuids[`${host}-gpu0-2g-0`]);
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
       SELECT ?, ?, id, 1 FROM resource_classes WHERE name = 'CUSTOM_2G'`,
      [part, randomUUID()],
    );
    await restart();
    expect(await candidates('CUSTOM_1G')).toEqual(['gpu0-1g-2', 'gpu0-1g-3']);
    expect(await candidates('CUSTOM_4G')).toEqual([]);
    await database.pool.query('DELETE FROM allocations WHERE resource_provider_id = ?', [part]);
  });
});

// Kubernetes issue 140802: consumption followed from the present list of devices, which had changed since
describe('when the list of devices changes under an allocation', () => {
  /** The card, without a partition or with one that consumes other memory slices. */
  function republished(change: { without?: string; moved?: string }) {
    const root = hostWithCards(host, 1);
    const [card] = root.children!;
    const kept = card.children!.filter(({ name }) => name !== `${host}-gpu0-${change.without}`);
    const children = kept.map((each) =>
      each.name === `${host}-gpu0-${change.moved}`
        ? {
            ...each,
            inventories: [
              { resourceClass: 'CUSTOM_2G', total: 1, consumes: consumesAt(card.name, 'CUSTOM_2G', 2) },
            ],
          }
        : each,
    );
    return { ...root, children: [{ ...card, children }] };
  }

  /** Expects that a 2G partition at position 0 is in use, and everything else is as the vendor allows beside it. */
  async function expectInUse(): Promise<void> {
    const found = await Promise.all(['CUSTOM_1G', 'CUSTOM_2G', 'CUSTOM_4G'].map(candidates));
    expect(found).toEqual([['gpu0-1g-2', 'gpu0-1g-3'], ['gpu0-2g-2'], []]);
  }

  const apply = (root: object) =>
    api.mutate<{ __typename: string }>(
      'applyProviderTrees',
      { owner: host, trees: [root] },
      '__typename differences { provider outcome }',
    );

  test.each([
    ['no longer has the partition', { without: '2g-0' }],
    ['has the partition with other counters', { moved: '2g-0' }],
  ])('a list of an owner that %s leaves its counters in use', async (_what, change) => {
    expect(await apply(hostWithCards(host, 1))).toMatchObject({ __typename: 'ApplyProviderTreesPayload' });
    const consumer = await claimed(api, { [await uuidOf('2g-0')]: { CUSTOM_2G: 1 } });
    const differences = [{ provider: `${host}-gpu0-2g-0`, outcome: 'IN_USE' }];
    expect(await apply(republished(change))).toMatchObject({ differences });
    await expectInUse();
    await restart();
    await expectInUse();
    expect(await wrongCounters(database)).toEqual([]);
    await release(consumer);
    expect(await apply(republished(change))).toMatchObject({ __typename: 'ApplyProviderTreesPayload' });
    expect(await candidates('CUSTOM_4G')).toEqual(['gpu0-4g-0']);
    expect(await candidates('CUSTOM_2G')).toEqual(
      'moved' in change ? ['gpu0-2g-0', 'gpu0-2g-2'] : ['gpu0-2g-2'],
    );
  });

  test('a candidate of the old list is allocated with the counters of the new one', async () => {
    await apply(hostWithCards(host, 1));
    const request = requestOf({ CUSTOM_2G: 1 }, { inSubtree: { name: `${host}-gpu0-2g-0` } });
    const { allocationCandidates } = await api.read<{
      allocationCandidates: { allocationRequests: { claimToken: string }[] };
    }>(
      `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
         allocationRequests { claimToken } } }`,
      { request },
    );
    const [allocations] = allocationCandidates.allocationRequests;
    expect(await apply(republished({ moved: '2g-0' }))).toMatchObject({
      __typename: 'ApplyProviderTreesPayload',
    });
    const small = await claimed(api, { [await uuidOf('1g-3')]: { CUSTOM_1G: 1 } });
    const consumer = randomUUID();
    const allocate = () => setAllocations(api, { consumer, projectId: 'p', userId: 'u', allocations });
    expect(await allocate()).toMatchObject({
      code: 'CAPACITY_EXCEEDED',
      resourceClassName: 'CUSTOM_MEM_3',
    });
    await release(small);
    expect(await allocate()).toMatchObject({ __typename: 'SetAllocationsPayload' });
    expect(await allocationsOf(database, consumer)).toEqual([
      `${host}-gpu0 CUSTOM_COMPUTE 2`,
      `${host}-gpu0 CUSTOM_MEM_2 1`,
      `${host}-gpu0 CUSTOM_MEM_3 1`,
      `${host}-gpu0-2g-0 CUSTOM_2G 1`,
    ]);
    expect(await candidates('CUSTOM_1G')).toEqual(['gpu0-1g-0', 'gpu0-1g-1']);
  });

  test('counters stay in use after another program has removed the partition', async () => {
    const uuids = await created(database, hostWithCards(host, 1));
    const part = uuids[`${host}-gpu0-2g-0`];
    const consumer = await placed(database, { [part]: { CUSTOM_2G: 1 } });
    const id = await providerId(database, part);
    await database.pool.query('DELETE FROM inventories WHERE resource_provider_id = ?', [id]);
    await restart();
    await expectInUse();
    await release(consumer);
    expect(await candidates('CUSTOM_4G')).toEqual(['gpu0-4g-0']);
  });
});
