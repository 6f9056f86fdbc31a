import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import {
  createClasses,
  created,
  hostWithCards,
  allocationsOf,
  wrongCounters,
} from '../ledger/partitionSupport.js';
import { uniqueNames } from '../ledger/support.js';
import { claimInput, newConsumers, requestOf, setAllocations } from '../support/claims.js';
import { useRest, type RestResponse } from './rest.js';

const server = useRest();
const { rest } = server;

beforeAll(() => createClasses(server.database));

type Allocations = RestResponse['json']['allocations'];

/** Changes the allocations of a consumer as Nova's report client does: it reads all, changes some, and writes all. */
async function change(consumer: string, edit: (allocations: Allocations) => Allocations): Promise<void> {
  const { json } = await rest('GET', `/allocations/${consumer}`);
  const { allocations, ...rest_ } = json;
  const left = Object.entries(edit(allocations)).map(([uuid, { resources }]) => [uuid, { resources }]);
  const body = { ...rest_, allocations: Object.fromEntries(left) as object };
  expect(await rest('PUT', `/allocations/${consumer}`, { body })).toMatchObject({ status: 204, text: '' });
  expect(await wrongCounters(server.database)).toEqual([]);
}

const without = (allocations: Allocations, resourceClass: string): Allocations =>
  Object.fromEntries(
    Object.entries(allocations).flatMap(([uuid, { resources }]) => {
      const left = Object.entries(resources).filter(([name]) => name !== resourceClass);
      return left.length === 0 ? [] : [[uuid, { resources: Object.fromEntries(left) }]];
    }),
  );

/** Claims by the first candidate, as a scheduler does. */
async function claimed(query: string): Promise<string> {
  const { json } = await rest('GET', `/allocation_candidates?limit=1&${query}`);
  const [{ allocations }] = (json as unknown as { allocation_requests: { allocations: Allocations }[] })
    .allocation_requests;
  const consumer = randomUUID();
  const owner = { project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'INSTANCE' };
  expect(await rest('PUT', `/allocations/${consumer}`, { body: { allocations, ...owner } })).toMatchObject({
    status: 204,
  });
  return consumer;
}

const inventories = async (uuid: string) =>
  (await rest('GET', `/resource_providers/${uuid}/inventories`)).json;

test("Nova's report client adds, removes, moves and evacuates partitions of one card, and counters follow", async () => {
  const n = uniqueNames();
  const [host, other] = [n('host'), n('other')];
  const uuids = await created(server.database, hostWithCards(host, 1));
  const query = 'resources=VCPU:2&resources_A=CUSTOM_2G:1&resources_B=CUSTOM_1G:1&group_policy=isolate';
  const consumer = await claimed(query);
  const has = async (uuid = consumer) =>
    (await allocationsOf(server.database, uuid)).map((text) => text.replace(`${host}-`, ''));
  const first = await has();
  const compute = (texts: readonly string[]) => texts.find((text) => text.includes('CUSTOM_COMPUTE'));
  expect(compute(first)).toBe('gpu0 CUSTOM_COMPUTE 3');
  expect(first).toHaveLength(7);

  await change(consumer, (all) => without(all, 'CUSTOM_1G'));
  const one = await has();
  expect(compute(one)).toBe('gpu0 CUSTOM_COMPUTE 2');
  expect(one).toHaveLength(5);

  const used = one
    .filter((text) => text.includes('MEM'))
    .map((text) => text.charAt('gpu0 CUSTOM_MEM_'.length));
  const free = ['0', '1', '2', '3'].find((slice) => !used.includes(slice))!;
  const added = { resources: { CUSTOM_1G: 1 } };
  await change(consumer, (all) => ({ ...all, [uuids[`${host}-gpu0-1g-${free}`]]: added }));
  expect(compute(await has())).toBe('gpu0 CUSTOM_COMPUTE 3');

  // a partition whose slices are in use does not fit
  const taken = { [uuids[`${host}-gpu0-1g-${used[0]}`]]: added };
  const body = {
    allocations: taken,
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  };
  expect(await rest('PUT', `/allocations/${randomUUID()}`, { body })).toMatchObject({ status: 409 });

  // a migration moves the allocations to another consumer
  const migration = randomUUID();
  const { allocations, ...owner } = (await rest('GET', `/allocations/${consumer}`)).json;
  const moved = await rest('POST', '/allocations', {
    body: {
      [migration]: { ...owner, allocations, consumer_generation: null, consumer_type: 'MIGRATION' },
      [consumer]: { ...owner, allocations: {} },
    },
  });
  expect(moved.status).toBe(204);
  expect(await wrongCounters(server.database)).toEqual([]);
  expect([await has(), (await has(migration)).length]).toEqual([[], 7]);

  // an evacuation adds the allocations of the destination, and then removes those of the source
  const others = await created(server.database, hostWithCards(other, 1));
  const destination: Allocations = {
    [others[other]]: { resources: { VCPU: 2 } },
    [others[`${other}-gpu0-2g-0`]]: { resources: { CUSTOM_2G: 1 } },
  };
  await change(migration, (all) => ({ ...all, ...destination }));
  expect((await has(migration)).filter((text) => text.includes('CUSTOM_COMPUTE'))).toEqual([
    'gpu0 CUSTOM_COMPUTE 3',
    `${other}-gpu0 CUSTOM_COMPUTE 2`,
  ]);
  const sources = new Set(Object.values(uuids));
  await change(migration, (all) =>
    Object.fromEntries(Object.entries(all).filter(([uuid]) => !sources.has(uuid))),
  );
  expect(await has(migration)).toHaveLength(5);
  await claimed(`${query}&in_tree=${uuids[host]}`);

  // only the counters are left: the consumer ceases to exist
  await change(migration, (all) => without(without(all, 'VCPU'), 'CUSTOM_2G'));
  expect(await has(migration)).toEqual([]);
});

test('a client that does not know counters replaces inventories and keeps what they consume', async () => {
  const host = uniqueNames()('host');
  const uuids = await created(server.database, hostWithCards(host, 1));
  const part = uuids[`${host}-gpu0-1g-0`];
  const body = await inventories(part);
  const { api } = server;
  const read = async (uuid: string) =>
    (
      await api.read<{ resourceProvider: { inventories: object[] } }>(
        `query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { inventories {
           resourceClass { name } isCounter consumes { resourceProvider { name } resourceClass { name } amount } } } }`,
        { uuid },
      )
    ).resourceProvider.inventories;
  const before = await read(part);
  expect(before).toEqual([
    {
      resourceClass: { name: 'CUSTOM_1G' },
      isCounter: false,
      consumes: ['CUSTOM_COMPUTE', 'CUSTOM_MEM_0']
        .map((name) => ({ resourceProvider: { name: `${host}-gpu0` }, resourceClass: { name }, amount: 1 }))
        .sort((one, two) => (one.resourceClass.name > two.resourceClass.name ? -1 : 1)),
    },
  ]);
  expect(await rest('PUT', `/resource_providers/${part}/inventories`, { body })).toMatchObject({
    status: 200,
  });
  expect(await read(part)).toEqual(before);
  expect(await read(uuids[`${host}-gpu0`])).toMatchObject(
    Array.from({ length: 5 }, () => ({ isCounter: true, consumes: [] })),
  );
  const gone = await rest('DELETE', `/resource_providers/${uuids[`${host}-gpu0`]}/inventories/CUSTOM_MEM_0`);
  expect(gone).toMatchObject({ status: 409, json: { errors: [{ code: 'placement.inventory.inuse' }] } });
});

test('claims and a drain write counters, and a counter cannot be requested', async () => {
  const host = uniqueNames()('host');
  await created(server.database, hostWithCards(host, 2));
  const { api } = server;
  const inTree = { inTree: { name: host } };
  const consumers = Array.from({ length: 3 }, () => ({
    consumer: randomUUID(),
    projectId: 'p',
    userId: 'u',
  }));
  const request = requestOf({ CUSTOM_2G: 1 }, inTree);
  const answer = await api.mutate('claim', claimInput(request, consumers), '__typename');
  expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await wrongCounters(server.database)).toEqual([]);
  const [row] = await server.database.pool.query<{ used: number }[]>(
    `SELECT CAST(SUM(a.used) AS SIGNED) AS used FROM allocations a JOIN resource_classes k ON k.id = a.resource_class_id
      WHERE k.name = 'CUSTOM_COMPUTE' AND a.consumer_id IN (?)`,
    [consumers.map(({ consumer }) => consumer)],
  );
  expect(row.used).toBe(6);
  const counter = await api.mutate(
    'claim',
    claimInput(requestOf({ CUSTOM_MEM_0: 1 }, inTree), newConsumers()),
  );
  expect(counter).toMatchObject({ __typename: 'InvalidInputError' });

  await created(server.database, hostWithCards(uniqueNames()('spare'), 2));
  interface Move {
    readonly consumer: { readonly uuid: string; readonly generation: number };
    readonly allocationRequest: { readonly claimToken: string };
  }
  const plan = await api.read<{ planDrain: { complete: boolean; moves: readonly Move[] } }>(
    `query ($name: String!) { planDrain(from: { providers: { name: $name } }) {
       complete moves { consumer { uuid generation } allocationRequest { claimToken } } } }`,
    { name: host },
  );
  expect(plan.planDrain).toMatchObject({ complete: true, moves: { length: 3 } });
  const moves = plan.planDrain.moves.map(
    ({ consumer: { uuid, generation }, allocationRequest: { claimToken } }) => {
      return { consumer: uuid, generation, projectId: 'p', userId: 'u', allocations: { claimToken } };
    },
  );
  expect(await setAllocations(api, ...moves)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  expect(await wrongCounters(server.database)).toEqual([]);
  const [left] = await server.database.pool.query<{ count: number }[]>(
    `SELECT CAST(COUNT(*) AS SIGNED) AS count FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
       JOIN resource_providers r ON r.id = p.root_provider_id WHERE r.name = ?`,
    [host],
  );
  expect(left.count).toBe(0);

  // a migration keeps the old allocations under another consumer until it ends
  const [{ consumer }] = moves;
  const kept = randomUUID();
  const moving = { consumer, generation: 2, projectId: 'p', userId: 'u', keepOldAs: { consumer: kept } };
  const away = claimInput({ ...requestOf({ CUSTOM_1G: 1 }) }, [moving]);
  expect(await api.mutate('claim', away, '__typename')).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await wrongCounters(server.database)).toEqual([]);
  const of = async (uuid: string) =>
    (await allocationsOf(server.database, uuid)).map((text) => text.split(' ')[1]);
  expect((await of(kept)).filter((name) => name === 'CUSTOM_2G')).toEqual(['CUSTOM_2G']);
  expect((await of(consumer)).filter((name) => name === 'CUSTOM_1G')).toEqual(['CUSTOM_1G']);
});
