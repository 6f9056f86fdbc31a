import { expect, test } from '@jest/globals';
import { requestOf, setAllocations, shown, takes } from '../support/claims.js';
import type { Named } from '../support/shapes.js';
import { useSharedDatabase } from './sharedDatabase.js';

const shared = useSharedDatabase();

const [ONE, TWO] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'];
const RACK = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';

/** Keys of consumers that OpenStack Placement stores as they are, and their uuids. */
const CONSUMERS = {
  'ABCDEF00-1B7D-4D32-9D0E-2F8C1A7E4B12': 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b12',
  'Abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b13': 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b13',
  'abcdef001b7d-4d32-9d0e--2f8c1a7e4b14': 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b14',
  'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b-1': 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b-1',
};

/** The aggregate of each provider, in different spellings. */
const AGGREGATES = { [ONE]: RACK.toUpperCase(), [TWO]: RACK.replaceAll('-', '') };

async function send(method: string, path: string, body?: object): Promise<void> {
  const { status, body: answer } = await shared.reference.send(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
}

/** The consumers on a provider, as OpenStack Placement shows them. */
async function theirConsumers(provider: string): Promise<string[]> {
  const { body } = await shared.reference.send('GET', `/resource_providers/${provider}/allocations`);
  return Object.keys((body as { allocations: object }).allocations).sort();
}

async function hosts(group: object, request: object = {}): Promise<string[]> {
  const { allocationCandidates } = await shared.api.read<{
    allocationCandidates: { allocationRequests: { allocations: { resourceProvider: Named }[] }[] };
  }>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
       allocationRequests { allocations { resourceProvider { name } } } } }`,
    { request: { ...requestOf({ VCPU: 1 }, group), ...request } },
  );
  return allocationCandidates.allocationRequests
    .map((each) => each.allocations[0].resourceProvider.name)
    .sort();
}

test('aggregates and consumers that OpenStack Placement stores as clients spell them', async () => {
  const { api, database } = shared;
  for (const [name, uuid] of Object.entries({ one: ONE, two: TWO })) {
    await send('POST', '/resource_providers', { name, uuid });
    const inventories = { VCPU: { total: 16 } };
    await send('PUT', `/resource_providers/${uuid}/inventories`, {
      inventories,
      resource_provider_generation: 0,
    });
    const aggregates = [AGGREGATES[uuid]];
    await send('PUT', `/resource_providers/${uuid}/aggregates`, {
      aggregates,
      resource_provider_generation: 1,
    });
  }
  const allocation = {
    allocations: { [ONE]: { resources: { VCPU: 2 } } },
    consumer_generation: null,
    consumer_type: 'INSTANCE',
    project_id: 'p',
    user_id: 'u',
  };
  await send(
    'POST',
    '/allocations',
    Object.fromEntries(Object.keys(CONSUMERS).map((key) => [key, allocation])),
  );
  const stored = await database.pool.query<{ uuid: string }[]>('SELECT uuid FROM consumers');
  expect(stored.map(({ uuid }) => uuid).sort()).toEqual(Object.keys(CONSUMERS).sort());
  const texts = await database.pool.query<{ uuid: string }[]>('SELECT uuid FROM placement_aggregates');
  expect(texts.map(({ uuid }) => uuid).sort()).toEqual(Object.values(AGGREGATES).sort());

  await shared.reload();
  const memberOf = [[{ uuid: RACK }]];
  expect(await hosts({ memberOf })).toEqual(['one', 'two']);
  expect(await hosts({ forbiddenAggregates: [{ uuid: RACK }] })).toEqual([]);
  expect(await hosts({ memberOf }, { awayFromConsumers: Object.values(CONSUMERS) })).toEqual(['two']);
  for (const uuid of Object.values(CONSUMERS)) {
    expect(await shown(api, uuid)).toMatchObject({ generation: 1, has: { one: { VCPU: 2 } } });
    expect(await setAllocations(api, takes(uuid, 1, { [TWO]: { VCPU: 2 } }))).toMatchObject({
      consumers: [{ uuid, generation: 2 }],
    });
  }
  expect([await theirConsumers(ONE), await theirConsumers(TWO)]).toEqual([[], Object.keys(CONSUMERS).sort()]);
  for (const consumer of Object.values(CONSUMERS)) await api.mutate('deleteConsumer', { consumer });
  expect(await theirConsumers(TWO)).toEqual([]);
  const remove = { resourceProvider: { uuid: TWO }, aggregates: { remove: [{ uuid: RACK }] } };
  await api.mutate('updateResourceProvider', remove);
  expect(await hosts({ memberOf })).toEqual(['one']);
}, 120_000);
