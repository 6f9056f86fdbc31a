import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { invalidInput, startApi, useApi } from '../support/api.js';
import { claimed, edit, nodeId } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { subscribeTo, type EventStream } from '../support/events.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';

interface Event {
  readonly totals: readonly object[];
  readonly removed: readonly object[];
  readonly complete: boolean;
}

const { database, api } = useApi();
let hosts: Record<string, string>;
let stream: EventStream<Event>;

beforeAll(async () => {
  hosts = {
    ...(await createProviders(api, { name: 'a', inventories: { VCPU: 8, MEMORY_MB: 100 } })),
    ...(await createProviders(api, { name: 'b', inventories: { VCPU: 4 } })),
  };
});

afterEach(() => stream.close());

async function open(args: string): Promise<EventStream<Event>> {
  stream = await subscribeTo<Event>(api.url, {
    query: `subscription { event: fleetTotalsChanged(${args}) {
      totals { group { ... on ResourceProvider { name } } resourceClass { name } capacity used providerCount }
      removed { groupId resourceClass { name } }
      complete
    } }`,
  });
  return stream;
}

const total = (root: string | null, name: string, capacity: number, used: number, providerCount = 1) => ({
  group: root === null ? null : { name: root },
  resourceClass: { name },
  capacity,
  used,
  providerCount,
});

const idOf = (name: string): string => nodeId('ResourceProvider', hosts[name]);

test('the first event has all totals, later ones the changed and removed totals, at most once in the requested interval', async () => {
  const began = Date.now();
  await open('groupBy: TREE, everySeconds: 1');
  expect(await stream.next()).toEqual({
    totals: [total('a', 'MEMORY_MB', 100, 0), total('a', 'VCPU', 8, 0), total('b', 'VCPU', 4, 0)],
    removed: [],
    complete: true,
  });
  await claimed(api, { [hosts.a]: { VCPU: 1 } });
  await claimed(api, { [hosts.a]: { VCPU: 1 } });
  expect(await stream.next()).toMatchObject({ totals: [total('a', 'VCPU', 8, 2)], removed: [] });
  expect(Date.now() - began).toBeGreaterThan(900);
  // changes nothing that is added up
  await edit(api, hosts.b, { traits: { add: ['HW_CPU_X86_AVX'] } });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: hosts.b } });
  await edit(api, hosts.a, { name: 'c' });
  const events = await stream.until(({ removed }) => removed.length === 3);
  expect(events.at(-1)).toEqual({
    totals: [total('c', 'MEMORY_MB', 100, 0), total('c', 'VCPU', 8, 2)],
    removed: [
      { groupId: idOf('a'), resourceClass: { name: 'MEMORY_MB' } },
      { groupId: idOf('a'), resourceClass: { name: 'VCPU' } },
      { groupId: idOf('b'), resourceClass: { name: 'VCPU' } },
    ],
    complete: true,
  });
});

test('an empty fleet has an event; a filter is that of fleetTotals', async () => {
  await open(`filter: { inTree: { uuid: "${randomUUID()}" } }`);
  expect(await stream.next()).toEqual({ totals: [], removed: [], complete: true });
  stream.close();
  await open('filter: { resourceClass: "MEMORY_MB" }');
  expect(await stream.next()).toMatchObject({ totals: [total(null, 'MEMORY_MB', 100, 0)] });
});

test('a filter by the name of a provider: a later rename of the provider does not end the events', async () => {
  const { named } = await createProviders(api, { name: 'named', inventories: { VCPU: 2 } });
  await open('filter: { inTree: { name: "named" } }, everySeconds: 1');
  expect(await stream.next()).toMatchObject({ totals: [total(null, 'VCPU', 2, 0)] });
  await edit(api, named, { name: 'renamed' });
  const consumer = await claimed(api, { [named]: { VCPU: 1 } });
  expect(await stream.next()).toMatchObject({ totals: [total(null, 'VCPU', 2, 1)] });
  await api.mutate('deleteConsumer', { consumer });
  await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: named } });
});

test('more than a thousand come in several events', async () => {
  const PARTS = [
    [1_000, false],
    [200, true],
  ];
  await database.pool.query(
    `INSERT INTO placement_aggregates (uuid) VALUES ${Array(1_200).fill('(UUID())').join(', ')}`,
  );
  const aggregates = await database.pool.query<{ uuid: string }[]>('SELECT uuid FROM placement_aggregates');
  const { many } = await createProviders(api, {
    name: 'many',
    inventories: { VCPU: 1 },
    aggregates: aggregates.map(({ uuid }) => uuid),
  });
  await open('groupBy: AGGREGATE, everySeconds: 1');
  const [first, second] = [await stream.next(), await stream.next()];
  expect([first, second].map(({ totals, complete }) => [totals.length, complete])).toEqual(PARTS);
  await edit(api, many, { inventories: { set: [] } });
  const [gone, rest] = [await stream.next(), await stream.next()];
  expect([gone, rest].map(({ removed, complete }) => [removed.length, complete])).toEqual(PARTS);
});

test('equal subscriptions share one table, which is released with the last of them', async () => {
  const aggregates = await database.pool.query<{ uuid: string }[]>('SELECT uuid FROM placement_aggregates');
  const { held } = await createProviders(api, {
    name: 'held',
    inventories: { VCPU: 1, MEMORY_MB: 1 },
    aggregates: aggregates.map(({ uuid }) => uuid),
  });
  const other = await startApi(database, { limits: { ...OPERATION_LIMITS, heldBytes: 500_000 } });
  const subscribe = (resourceClass: string): Promise<EventStream<Event>> => {
    const args = `groupBy: AGGREGATE, filter: { resourceClass: "${resourceClass}" }, everySeconds: 1`;
    const query = `subscription { event: fleetTotalsChanged(${args}) { totals { used } complete } }`;
    return subscribeTo<Event>(other.url, { query });
  };
  const equal = [];
  for (let count = 0; count < 5; count++) equal.push(await subscribe('VCPU'));
  for (const each of equal)
    expect([(await each.next()).complete, (await each.next()).complete]).toEqual([false, true]);
  const REFUSED = [{ extensions: { code: 'OVERLOADED' } }];
  expect(await (await subscribe('MEMORY_MB')).errors()).toMatchObject(REFUSED);

  equal.shift()!.close();
  await claimed(api, { [held]: { VCPU: 1 } });
  for (const each of equal) expect((await each.next()).totals).toHaveLength(1_000);
  expect(await (await subscribe('MEMORY_MB')).errors()).toMatchObject(REFUSED);

  for (const each of equal) each.close();
  for (let refused = true; refused;) {
    const again = await subscribe('MEMORY_MB');
    refused = (await again.next().catch(() => null)) === null;
    again.close();
  }
  await other.close();
});

test('a request that holds much memory is refused while other streams hold it', async () => {
  const other = await startApi(database, { limits: { ...OPERATION_LIMITS, heldBytes: 200_000 } });
  const fields = Array.from({ length: 200 }, (_, at) => `a${at}: complete`).join(' ');
  const query = `subscription { event: fleetTotalsChanged { complete ${fields} } }`;
  const first = await subscribeTo<Event>(other.url, { query });
  expect(await first.next()).toMatchObject({ complete: true });
  const second = await subscribeTo<Event>(other.url, { query });
  expect(await second.errors()).toMatchObject([{ extensions: { code: 'OVERLOADED', retryAfter: 10 } }]);
  first.close();
  await other.close();
});

test.each([
  ['everySeconds: 0', 'everySeconds'],
  ['everySeconds: 3601', 'everySeconds'],
  ['filter: { resourceClass: "CUSTOM_NONE" }', 'filter.resourceClass'],
])('%s is INVALID_INPUT', async (args, path) => {
  await open(args);
  expect(await stream.errors()).toMatchObject([{ extensions: invalidInput(path) }]);
});

test('a server that closes ends its streams, and logs nothing', async () => {
  const other = await startApi(database);
  stream = await subscribeTo<Event>(other.url, {
    query: 'subscription { event: fleetTotalsChanged { complete } }',
  });
  await stream.next();
  const rest = stream.rest();
  await other.close();
  expect(await rest).toEqual([]);
  expect(other.logged).toEqual([]);
});
