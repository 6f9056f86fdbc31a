import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { OTHER, OWN } from '../access/cloud.js';
import { useGuardedApi } from '../access/guardedApi.js';
import { TOKENS, type Name } from '../access/viewers.js';
import { startApi } from '../support/api.js';
import { nodeId, setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { subscribeTo, type EventStream } from '../support/events.js';

interface Event {
  readonly uuid: string;
  readonly generation: number | null;
  readonly deleted: boolean;
  readonly projectId: string | null;
  readonly cursor: string;
  readonly consumer: { readonly generation: number } | null;
}

const { api: guarded, unguarded: api, database } = useGuardedApi();
let host: string;
let streams: EventStream<Event>[] = [];

beforeAll(async () => {
  ({ host } = await createProviders(api, { name: 'host', inventories: { VCPU: 10_000 } }));
});

afterEach(() => {
  for (const stream of streams) stream.close();
  streams = [];
});

async function open(variables: object = {}, viewer?: Name): Promise<EventStream<Event>> {
  const query = `subscription ($consumer: UUID, $projectId: String, $since: String) {
    event: consumerChanged(consumer: $consumer, projectId: $projectId, since: $since) {
      consumerId uuid generation deleted projectId cursor consumer { generation }
    }
  }`;
  const headers = viewer && { authorization: `Bearer ${TOKENS[viewer]}` };
  const stream = await subscribeTo<Event>((viewer ? guarded : api).url, { query, variables }, headers);
  streams.push(stream);
  return stream;
}

const has = (consumer: string, generation: number | null, amount: number, projectId = OWN) =>
  setAllocations(
    api,
    takes(consumer, generation, amount === 0 ? {} : { [host]: { VCPU: amount } }, { projectId }),
  );

test('the watch emits every change of a consumer, with its current state', async () => {
  const stream = await open();
  const uuid = randomUUID();
  await has(uuid, null, 1);
  expect(await stream.next()).toMatchObject({
    consumerId: nodeId('Consumer', uuid),
    uuid,
    generation: 1,
    deleted: false,
    projectId: OWN,
    consumer: { generation: 1 },
  });
  await has(uuid, 1, 2);
  expect(await stream.next()).toMatchObject({ uuid, generation: 2 });
  await has(uuid, 2, 2); // changes nothing, and is no event
  await has(uuid, 2, 2, OTHER); // its owner alone, and no provider
  expect(await stream.next()).toMatchObject({ uuid, generation: 3, projectId: OTHER });
  await has(uuid, 3, 0, OTHER);
  const gone = { uuid, generation: null, deleted: true, projectId: OTHER, consumer: null };
  expect(await stream.next()).toMatchObject(gone);
  await has(uuid, null, 1);
  expect(await stream.next()).toMatchObject({ uuid, generation: 1, deleted: false });
  const unset = { consumer: uuid, resourceProviders: [{ uuid: host }] };
  await api.mutate('unsetAllocations', unset);
  expect(await stream.next()).toMatchObject({ ...gone, projectId: OWN });
});

test('a watch of one consumer or one project emits its changes, also when a consumer leaves the project', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const [ofOne, ofOther, ofOwn] = await Promise.all([
    open({ consumer: one }),
    open({ projectId: OTHER }),
    open({ projectId: OWN }),
  ]);
  await has(other, null, 1, OTHER);
  await has(one, null, 1, OWN);
  await has(other, 1, 1, OWN);
  expect(await ofOne.next()).toMatchObject({ uuid: one });
  for (const generation of [1, 2]) expect(await ofOther.next()).toMatchObject({ uuid: other, generation });
  // different consumers come in no order
  const seen = [await ofOwn.next(), await ofOwn.next()].map(({ uuid, generation }) => [uuid, generation]);
  expect(new Map(seen as [string, number][])).toEqual(
    new Map([
      [one, 1],
      [other, 2],
    ]),
  );
});

test('consumers of one transaction each come, and behind every cursor, at any server, the rest of them', async () => {
  const stream = await open();
  const uuids = Array.from({ length: 20 }, () => randomUUID());
  await setAllocations(api, ...uuids.map((uuid) => takes(uuid, null, { [host]: { VCPU: 1 } })));
  await setAllocations(api, ...uuids.map((uuid, n) => takes(uuid, 1, n % 2 ? {} : { [host]: { VCPU: 2 } })));
  const events: Event[] = [];
  while (events.length < 40) events.push(await stream.next());
  for (const [n, uuid] of uuids.entries())
    expect(events.flatMap((event) => (event.uuid === uuid ? [event.generation] : []))).toEqual([
      1,
      n % 2 ? null : 2,
    ]);
  for (const at of [0, 17, 38]) {
    const resumed = await open({ since: events[at].cursor }, 'reader');
    const rest: string[] = [];
    while (rest.length < 39 - at) rest.push((await resumed.next()).uuid);
    const later = events.slice(at + 1).map(({ uuid }) => uuid);
    expect(rest.sort()).toEqual(later.sort());
  }
});

test('readers of a project get what is of their project alone', async () => {
  const member = await open({}, 'member');
  const [own, other] = [randomUUID(), randomUUID()];
  await has(other, null, 1, OTHER);
  await has(own, null, 1, OWN);
  expect(await member.next()).toMatchObject({ uuid: own, projectId: OWN, consumer: { generation: 1 } });
  await has(own, 1, 1, OTHER);
  expect(await member.next()).toMatchObject({ uuid: own, generation: 2, projectId: null, consumer: null });
  await has(own, 2, 2, OTHER);
  await has(other, 1, 1, OWN);
  expect(await member.next()).toMatchObject({ uuid: other, generation: 2, projectId: OWN });
  const refused = await open({ projectId: OTHER }, 'member');
  expect(await refused.errors()).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('a cursor of another subscription and an invalid project id are rejected', async () => {
  const changes = await subscribeTo<{ cursor: string }>(api.url, {
    query: 'subscription { event: resourceProviderChanged { cursor } }',
  });
  await has(randomUUID(), null, 1);
  const { cursor } = await changes.next();
  changes.close();
  for (const [variables, path] of [
    [{ since: cursor }, 'since'],
    [{ projectId: '' }, 'projectId'],
  ] as const) {
    const refused = await open(variables);
    expect(await refused.errors()).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: [path] } }]);
  }
});

test('a server that closes ends its streams', async () => {
  const third = await startApi(database);
  const query = 'subscription { event: consumerChanged { uuid } }';
  const stream = await subscribeTo<Event>(third.url, { query });
  const rest = stream.rest();
  await third.close();
  expect(await rest).toEqual([]);
  expect(third.logged).toEqual([]);
});
