import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { cpuUsage, execPath } from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/database.js';
import { createProcess, type Process } from '../../src/process/process.js';
import { OPERATION_LIMITS } from '../../src/runtime/operationLimits.js';
import { MAX_STREAMS } from '../../src/server/eventStream.js';
import { createHttpServer, HTTP_LIMITS, type HttpLimits } from '../../src/server/http/httpServer.js';
import { createServer, type Server } from '../../src/server/server.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { connection, exchange, rawQuery, rawRequest } from './rawHttp.js';

const DEADLINE_MS = 500;

let database: TestDatabase;
let process: Process;
let server: Server;
let url: string;
const logged: unknown[] = [];

beforeAll(async () => {
  database = await testDatabase();
  process = createProcess(openDatabase(database.url), {
    report: (error) => logged.push(error),
    limits: { ...OPERATION_LIMITS, deadline: DEADLINE_MS },
  });
  server = createServer(process);
  const { port } = await server.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${port}/graphql`;
});

afterAll(async () => {
  await server.close();
  await process.database.close();
  await database.close();
});

afterEach(async () => {
  expect(await (await post('{ __typename }')).json()).toMatchObject({ data: { __typename: 'Query' } });
  expect(logged).toEqual([]);
});

const post = (query: string, variables?: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets a test talk to a server of its own, with timeouts for tests. */
async function withServer(
  timeouts: Partial<HttpLimits>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const limits = { ...HTTP_LIMITS, ...timeouts };
  const nothing = { start: () => Promise.resolve(), stop: () => undefined };
  const impatient = createServer({ ...process, ...nothing }, { limits });
  const { port } = await impatient.listen(0, '127.0.0.1');
  try {
    await test(`http://127.0.0.1:${port}/graphql`);
  } finally {
    await impatient.close();
  }
}

describe('a client', () => {
  // connections are looked at every 500 ms
  const IMPATIENT = { headersTimeout: 500, requestTimeout: 1_000 };

  test('that sends its head too slowly', () =>
    withServer(IMPATIENT, async (address) => {
      const answer = await exchange(address, 'GET / HTTP/1.1\r\nhost: localhost\r\n', 4_000);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    }));

  test('that sends its body too slowly', () =>
    withServer(IMPATIENT, async (address) => {
      const headers = { 'content-type': 'application/json', 'content-length': 100 };
      const answer = await exchange(address, rawRequest('POST /graphql', headers, '{'), 5_000);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    }));

  test('that does not read its answer', () =>
    withServer({ unreadTimeout: 1_500 }, async (address) => {
      const socket = await connection(address);
      const closed = once(socket, 'close');
      socket.pause();
      const get = rawRequest('GET /graphql', { accept: 'text/html' });
      // more than the buffers of a connection
      const { length } = await exchange(address, get, 2_000);
      expect(length).toBeGreaterThan(5_000_000);
      socket.write(get.repeat(4));
      await sleep(8_000);
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(4 * length);
    }));

  test('that finds all connections taken is turned away until one of them ends', () =>
    withServer({ connections: 3 }, async (address) => {
      const ask = () => exchange(address, rawQuery('{ __typename }', { connection: 'close' }));
      const taken = await Promise.all([connection(address), connection(address), connection(address)]);
      expect(await ask()).toBe('');
      taken[0].destroy();
      let answer = '';
      while (answer === '') answer = await ask();
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      for (const socket of taken) socket.destroy();
    }));

  test('that connects among 700 others while the server is busy need not try again', () => {
    const { hostname, port } = new URL(url);
    const program = `
      let connected = 0;
      for (let n = 0; n < 700; n++) require('net').connect(${port}, '${hostname}', () => connected++);
      setTimeout(() => { console.log(connected); process.exit(); }, 900)`;
    // no event of the server runs until the program ends
    expect(execFileSync(execPath, ['-e', program]).toString()).toBe('700\n');
  });

  const GET = rawRequest('GET /graphql?query={__typename}');

  test.each([
    ['POST', rawQuery('{ __typename }')],
    ['GET', GET],
  ])('that sends 20,000 %s requests at once does not hold up others', async (_method, request) => {
    const flood = exchange(url, request.repeat(20_000));
    let slowest = 0;
    for (let asked = 0; asked < 30; asked++) {
      const begun = performance.now();
      expect((await post('{ __typename }')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - begun);
    }
    expect(slowest).toBeLessThan(2_000);
    await flood;
  });

  test.each([
    ['POST', rawQuery('{ __typename }')],
    ['GET', GET],
  ])('that sends too many %s requests without waiting is cut off', async (_method, request) => {
    const answer = await exchange(url, request.repeat(2_000));
    expect(answer.match(/HTTP\/1\.1 200 /g)!.length).toBeLessThan(2 * HTTP_LIMITS.requestsOfConnection);
    // the last answer may be lost with a connection that ends while more is sent
    expect(answer.split('HTTP/1.1 503 ').length).toBeLessThanOrEqual(2);
  });

  test('that is cut off is read no further', async () => {
    let read = 0;
    const answering = createHttpServer(HTTP_LIMITS, (request, response) => {
      request.resume().once('end', () => setTimeout(() => response.end(), 5));
    });
    answering.on('request', () => read++).listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const { port } = answering.address() as AddressInfo;
    await exchange(`http://127.0.0.1:${port}/`, rawQuery('{ __typename }').repeat(20_000));
    answering.close();
    expect(read).toBeGreaterThan(HTTP_LIMITS.requestsOfConnection);
    expect(read).toBeLessThan(1_000); // one chunk; 20,000 requests take many
  });

  test('that sends no more than a hundred gets them all', async () => {
    const answer = await exchange(url, GET.repeat(HTTP_LIMITS.requestsOfConnection));
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(HTTP_LIMITS.requestsOfConnection);
  });
});

describe('variables', () => {
  const ask = 'query ($i: TraitFilter) { traits(filter: $i) { name } }';
  const unknown = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`key${key}`, key]));

  test.each([100, 8_000, 50_000])('with %d unknown keys are refused quickly and briefly', async (count) => {
    const begun = performance.now();
    const text = await (await post(ask, { i: unknown(count) })).text();
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(text.length).toBeLessThan(60_000);
    if (count > 100) expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('"code":"BAD_USER_INPUT"');
    expect(text).toContain('$i');
  });

  test.each([
    ['a huge value beside unknown keys', { long: 'x'.repeat(900_000), ...unknown(6_500) }],
    ['100,000 values of the wrong type', { nameIn: Array.from({ length: 100_000 }, () => 1) }],
  ])('with %s are refused briefly', async (_what, i) => {
    const text = await (await post(ask, { i })).text();
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('"code":"BAD_USER_INPUT"');
  });

  test('that are large and right are taken', async () => {
    const nameIn = Array.from({ length: 1_000 }, (_, at) => `CUSTOM_NAME_${at}`);
    const answer: unknown = await (await post(ask, { i: { nameIn } })).json();
    expect(answer).toMatchObject({ data: { traits: [] } });
  });
});

describe('streams of events', () => {
  const SUBSCRIPTION = 'subscription { resourceProviderChanged { uuid } }';

  async function subscribe() {
    const client = new AbortController();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: SUBSCRIPTION }),
      signal: client.signal,
    });
    return { response, end: () => client.abort() };
  }

  const createProvider = (name: string) =>
    post(`mutation { createResourceProvider(input: { name: "${name}" }) { __typename } }`);

  test('stay open between events for longer than an operation may take', async () => {
    const { response, end } = await subscribe();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const event = async (count: number): Promise<void> => {
      while (text.split('event: next').length <= count) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream has ended: ${text}`);
        text += value;
      }
    };
    await createProvider('first');
    await event(1);
    await sleep(3 * DEADLINE_MS);
    await createProvider('second');
    await event(2);
    end();
  });

  test('are counted: one too many is refused, and finds room when another ends', async () => {
    const streams = [];
    for (let at = 0; at < MAX_STREAMS; at++) streams.push(await subscribe());
    const refused = await subscribe();
    expect(refused.response.status).toBe(503);
    expect(refused.response.headers.get('retry-after')).toBe('10');
    expect(await refused.response.text()).toContain('OVERLOADED');
    streams[0].end();
    while (process.watch.size === MAX_STREAMS) await sleep(10);
    const next = await subscribe();
    expect(next.response.status).toBe(200);

    // an event of each, while others are answered
    const write = createProvider('seen-by-all');
    let mostWork = 0;
    for (let asked = 0; asked < 20; asked++) {
      const begun = cpuUsage();
      await post('{ __typename }');
      mostWork = Math.max(mostWork, cpuUsage(begun).user / 1_000);
    }
    await write;
    expect(mostWork).toBeLessThan(500); // ms of this process, which do not depend on other programs
    for (const { end } of [...streams, next]) end();
    while (process.watch.size > 0) await sleep(10);
  }, 60_000);

  test('that are refused take no room', async () => {
    for (let at = 0; at < MAX_STREAMS + 1; at++) {
      const response = await post(
        'subscription { resourceProviderChanged(since: "x") { uuid } }',
        undefined,
        {
          accept: 'text/event-stream',
        },
      );
      expect(await response.text()).toContain('INVALID_INPUT');
    }
    const { response, end } = await subscribe();
    expect(response.status).toBe(200);
    end();
    while (process.watch.size > 0) await sleep(10);
  }, 60_000);
});
