import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPlacement } from '../../src/server/direct/placement.js';
import { decodeCursor, RangeCursors } from '../../src/store/feed/cursor.js';
import { startApi, useApi, type Api } from '../support/api.js';
import { edit, nodeId, setAllocations, takes } from '../support/claims.js';
import { subscribe, type ChangeEvent, type EventStream } from '../support/events.js';
import { postJson } from '../support/httpPost.js';

const { database, api, other } = useApi({ hasOther: true });
let streams: EventStream[];

beforeEach(() => {
  streams = [];
});

/** A server keeps nothing for clients that are gone. */
afterEach(async () => {
  for (const stream of streams) stream.close();
  for (let left = 200; left > 0 && api.watch.size + other.watch.size > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect([api.watch.size, api.watch.buffered, other.watch.size, other.watch.buffered]).toEqual([0, 0, 0, 0]);
});

async function open(...args: Parameters<typeof subscribe>): Promise<EventStream> {
  const stream = await subscribe(...args);
  streams.push(stream);
  return stream;
}

async function create(server: Api, parent?: string): Promise<string> {
  const uuid = randomUUID();
  await server.mutate('createResourceProvider', { name: uuid, uuid, parent: parent && { uuid: parent } });
  return uuid;
}

const generations = (events: readonly ChangeEvent[], uuid: string) =>
  events.flatMap((event) => (event.uuid === uuid ? [event.generation] : []));

describe('a subscription', () => {
  test('sends every change, with the current provider', async () => {
    const stream = await open(
      api.url,
      {},
      'resourceProviderId uuid generation deleted cursor resourceProvider { generation name inventories { total } }',
    );
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    const uuid = await create(api);
    expect(await stream.next()).toMatchObject({
      resourceProviderId: nodeId('ResourceProvider', uuid),
      uuid,
      generation: 0,
      deleted: false,
      resourceProvider: { generation: 0, name: uuid, inventories: [] },
    });
    await edit(api, uuid, { generation: 0, inventories: { set: [{ resourceClass: 'VCPU', total: 8 }] } });
    expect(await stream.next()).toMatchObject({
      uuid,
      generation: 1,
      resourceProvider: { generation: 1, inventories: [{ total: 8 }] },
    });
    await setAllocations(api, takes(randomUUID(), null, { [uuid]: { VCPU: 1 } }));
    expect(await stream.next()).toMatchObject({ uuid, generation: 2 });
    const spare = await create(api);
    expect(await stream.next()).toMatchObject({ uuid: spare });
    await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: spare } });
    expect(await stream.next()).toMatchObject({
      uuid: spare,
      generation: null,
      deleted: true,
      resourceProvider: null,
    });
  });

  test('may use GET, as EventSource does', async () => {
    const query = encodeURIComponent('subscription { resourceProviderChanged { uuid } }');
    const gone = new AbortController();
    const response = await fetch(`${api.url}?query=${query}`, {
      headers: { accept: 'text/event-stream' },
      signal: gone.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const uuid = await create(other);
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes(uuid)) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain('event: next');
    gone.abort();
  });

  test('sends comments between events, so that no proxy takes the connection for dead', async () => {
    const { NODE_ENV } = process.env;
    process.env.NODE_ENV = 'test'; // so that Yoga says it every 300 ms, and not every 12 s
    const stream = await open(api.url);
    process.env.NODE_ENV = NODE_ENV;
    const reader = stream.response.body!.getReader();
    let text = '';
    while (text.length < 12) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toMatch(/^(:\n\n)+$/);
  });
});

describe('two servers', () => {
  test('send the same events for writes through either, and each resumes from a cursor of the other', async () => {
    const [here, there] = [await open(api.url), await open(other.url)];
    const uuids = await Promise.all([create(api), create(other), create(api), create(other)]);
    const first = await here.next();
    here.close();
    await Promise.all(
      uuids.map(async (uuid, at) => {
        const inventories = { set: [{ resourceClass: 'VCPU', total: 100 }] };
        await edit([other, api][at % 2], uuid, { generation: 0, inventories });
        for (let left = 10; left > 0; left--)
          await setAllocations([api, other][left % 2], takes(randomUUID(), null, { [uuid]: { VCPU: 1 } }));
      }),
    );
    const last = await create(api);
    const isLast = (event: ChangeEvent) => event.uuid === last;
    const resumed = await open(other.url, { since: first.cursor });
    const all = Array.from({ length: 12 }, (_, at) => at);
    const events = [first, ...(await resumed.until(isLast))];
    const seen = await there.until(isLast);
    for (const uuid of uuids) {
      expect(generations(events, uuid)).toEqual(all);
      expect(generations(seen, uuid)).toEqual(all);
    }
    const again = await open(api.url, { since: seen[20].cursor });
    const rest = await again.until(isLast);
    const uuidsOf = (all: readonly ChangeEvent[]) => all.map(({ uuid }) => uuid).sort();
    expect(uuidsOf(rest)).toEqual(uuidsOf(seen.slice(21)));
  });

  test('select the tree of a provider, which need not exist yet', async () => {
    const inTree = randomUUID();
    const stream = await open(other.url, { inTree: { uuid: inTree.toUpperCase().replaceAll('-', '') } });
    const root = await create(api);
    await api.mutate('createResourceProvider', { name: inTree, uuid: inTree, parent: { uuid: root } });
    await stream.until(({ uuid }) => uuid === inTree);
    await create(api);
    await edit(other, root, { name: `${root} renamed` });
    expect(await stream.next()).toMatchObject({ uuid: root, generation: 1 });
    await edit(api, inTree, { parent: { none: true } });
    expect(await stream.next()).toMatchObject({ uuid: inTree, generation: 1 });
    await edit(api, root, { name: root });
    const child = await create(api, inTree);
    expect(await stream.next()).toMatchObject({ uuid: child });
  });

  test('a tree named by a provider: a later rename of the provider does not end the events', async () => {
    const root = await create(api);
    const stream = await open(api.url, { inTree: { name: root } });
    const rename = (name: string) => edit(api, root, { name });
    await rename(`${root} renamed`);
    expect(await stream.next()).toMatchObject({ uuid: root, generation: 1 });
    await rename(`${root} renamed again`);
    expect(await stream.next()).toMatchObject({ uuid: root, generation: 2 });
  });
});

describe('a server rejects', () => {
  const since = async (minutes: number): Promise<string> => {
    const stream = await open(api.url);
    await create(api);
    const { time, position } = decodeCursor((await stream.next()).cursor, 'providers');
    stream.close();
    return new RangeCursors('providers', time - minutes * 60, position, position).before();
  };

  test('a cursor older than fourteen minutes (CURSOR_EXPIRED), but not one of ten minutes', async () => {
    const late = await open(api.url, { since: await since(15) });
    expect(await late.errors()).toMatchObject([{ path: ['event'], extensions: { code: 'CURSOR_EXPIRED' } }]);
    const good = await open(api.url, { since: await since(10) });
    const uuid = await create(api);
    expect((await good.next()).uuid).toBe(uuid);
  });

  test('an invalid cursor, an invalid uuid, and events that cost too much', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'uuid' : `descendants { inventories { total } ${nested(depth - 1)} }`;
    const cases: [error: object, variables: object, selection?: string][] = [
      [{ path: ['event'], extensions: { code: 'INVALID_INPUT', path: ['since'] } }, { since: 'x' }],
      [{ extensions: { code: 'BAD_USER_INPUT' } }, { inTree: { uuid: 'host' } }],
      [{ extensions: { code: 'LIMIT_EXCEEDED' } }, {}, `resourceProvider { ${nested(7)} }`],
    ];
    for (const [error, variables, selection] of cases) {
      const stream = await open(api.url, variables, selection);
      expect(await stream.errors()).toMatchObject([error]);
    }
  });

  test('a client that does not accept a stream: NOT_ACCEPTABLE, with and without a server', async () => {
    const query = 'subscription { resourceProviderChanged { uuid } }';
    const response = await postJson(api.url, { query }, { accept: 'application/json' });
    const refusal = {
      errors: [
        {
          message: expect.stringContaining('send it to the server with `accept: text/event-stream`'),
          extensions: { code: 'NOT_ACCEPTABLE' },
        },
      ],
    };
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject(refusal);
    const placement = createPlacement({ databaseUrl: database.url });
    expect(await placement.execute({ document: query })).toMatchObject(refusal);
    await placement.close();
    expect(api.watch.size).toBe(0);
  });
});

/** test/snapshot/watch.test.ts has more changes than the server buffers. */
test('a server does not send more than a slow client reads, and loses nothing', async () => {
  const [root, to] = [randomUUID(), await create(api)];
  const children = Array.from({ length: 400 }, (_, at) => ({ name: `leaf ${at}` }));
  await api.mutate('applyProviderTree', { root: { name: 'wide', uuid: root, children } });
  // each event has twenty kilobytes, so that the buffers on the way are soon full
  const copies = Array.from({ length: 90 }, (_, at) => `${'a'.repeat(200)}${at}: uuid`).join(' ');
  const query = `subscription { resourceProviderChanged { uuid ${copies} } }`;
  const body = JSON.stringify({ query });
  const { port } = new URL(api.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `accept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  for (let times = 0; times < 5; times++)
    await edit(api, root, { parent: times % 2 === 0 ? { uuid: to } : { none: true } });
  const last = await create(api);
  let before: number;
  // until the server sends nothing more
  do {
    before = api.watch.buffered;
    await new Promise((resolve) => setTimeout(resolve, 500));
  } while (api.watch.buffered !== before);
  expect(before).toBeGreaterThan(0);
  expect(socket.readableLength).toBeLessThan(1_000_000);
  let text = '';
  let events = 0;
  socket.setEncoding('utf8');
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: string) => {
      text = text.slice(-200) + chunk;
      events += chunk.split('event: next').length - 1;
      if (text.includes(last)) resolve();
    });
    socket.resume();
  });
  // an `event: next` that a chunk cuts in two is not counted
  expect(events).toBeGreaterThan(1_900);
  socket.destroy();
}, 60_000);

describe('the end', () => {
  test('a server drops the watcher of a client that leaves, whether it waits or is behind', async () => {
    const [waiting, behind] = [await open(api.url), await open(other.url)];
    expect([api.watch.size, other.watch.size]).toEqual([1, 1]);
    await create(api);
    await behind.next();
    await create(api);
    waiting.close();
  });

  test('a server that closes ends its streams at once', async () => {
    const third = await startApi(database);
    const stream = await open(third.url);
    const uuid = await create(api);
    expect((await stream.next()).uuid).toBe(uuid);
    const rest = stream.rest();
    await third.close();
    expect(await rest).toEqual([]);
    expect(third.logged).toEqual([]);
  });
});
