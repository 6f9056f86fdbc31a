import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { cpuUsage, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Operations } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { createHttpServer, HTTP_LIMITS } from '../../src/server/http/httpServer.js';
import { subscribe } from '../support/events.js';
import { postJson } from '../support/httpPost.js';
import { connection, exchange, rawQuery, rawRequest } from './rawHttp.js';
import { useServer, withLimits, withServer } from './server.js';

const served = useServer();

afterEach(async () => {
  expect(await (await post('{ __typename }')).json()).toMatchObject({ data: { __typename: 'Query' } });
  expect(served.reported).toEqual([]);
});

const post = (query: string, variables?: object) => postJson(served.url, { query, variables });

describe('a client', () => {
  // test/cli/networkSettings has those that send or read too slowly
  test('that finds all connections taken is turned away until one of them ends', () =>
    withLimits(served.process, { connections: 3 }, async (address) => {
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
    const { hostname, port } = new URL(served.url);
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
    const flood = exchange(served.url, request.repeat(20_000));
    let mostWork = 0;
    for (let asked = 0; asked < 30; asked++) {
      const begun = cpuUsage();
      expect((await post('{ __typename }')).status).toBe(200);
      mostWork = Math.max(mostWork, cpuUsage(begun).user / 1_000);
    }
    expect(mostWork).toBeLessThan(2_000); // does not depend on other programs
    await flood;
  });

  test.each([
    ['POST', rawQuery('{ __typename }')],
    ['GET', GET],
  ])('that sends too many %s requests without waiting is cut off', async (_method, request) => {
    const answer = await exchange(served.url, request.repeat(2_000));
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

  test('waits for an answer for longer than it may leave one unread', async () => {
    const answering = createHttpServer({ ...HTTP_LIMITS, unreadTimeout: 100 }, (_request, response) => {
      setTimeout(() => response.end('late'), 500);
    });
    answering.listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const { port } = answering.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late');
    answering.close();
  });

  test('a client that sends at most a hundred requests receives all answers', async () => {
    const answer = await exchange(served.url, GET.repeat(HTTP_LIMITS.requestsOfConnection));
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(HTTP_LIMITS.requestsOfConnection);
  });
});

describe('variables', () => {
  const ask = 'query ($i: TraitFilter) { traits(filter: $i) { name } }';
  const unknown = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`key${key}`, key]));

  test.each([100, 8_000, 50_000])('with %d unknown keys are refused quickly and briefly', async (count) => {
    const begun = cpuUsage();
    const text = await (await post(ask, { i: unknown(count) })).text();
    expect(cpuUsage(begun).user / 1_000).toBeLessThan(2_000); // does not depend on other programs
    expect(text.length).toBeLessThan(60_000);
    if (count > 100) expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('"code":"BAD_USER_INPUT"');
    expect(text).toContain('$i');
  });

  test.each([
    ['a huge value beside unknown keys', { long: 'x'.repeat(900_000), ...unknown(6_500) }],
    ['90,000 values of the wrong type', { nameIn: Array.from({ length: 90_000 }, () => 1) }],
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
  const createProvider = (name: string) =>
    post(`mutation { createResourceProvider(input: { name: "${name}" }) { __typename } }`);

  test('stay open between events for longer than an operation may take', () => {
    const deadline = 1_000;
    const operations = new Operations({ ...OPERATION_LIMITS, deadline });
    return withServer({ ...served.process, operations }, {}, async ({ url }) => {
      const stream = await subscribe(url);
      await createProvider('first');
      await stream.next();
      await sleep(2 * deadline);
      await createProvider('second');
      await stream.next();
      stream.close();
    });
  });

  const STREAMS = 20;
  const withStreams = (work: (url: string) => Promise<void>): Promise<void> =>
    withServer(served.process, { streams: STREAMS }, ({ url }) => work(url));
  const allEnded = async (): Promise<void> => {
    while (served.process.watch.size > 0) await sleep(10);
  };

  test('are counted: one too many is refused, and finds room when another ends', () =>
    withStreams(async (url) => {
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => subscribe(url)));
      const refused = await subscribe(url);
      expect(refused.response.status).toBe(503);
      expect(refused.response.headers.get('retry-after')).toBe('10');
      expect(await refused.response.text()).toContain('OVERLOADED');
      streams[0].close();
      while (served.process.watch.size === STREAMS) await sleep(10);
      const next = await subscribe(url);
      expect(next.response.status).toBe(200);
      for (const stream of [...streams, next]) stream.close();
      await allEnded();
    }));

  test('do not hold up others while each has an event', async () => {
    const streams = await Promise.all(Array.from({ length: 200 }, () => subscribe(served.url)));
    const write = createProvider('seen-by-all');
    let mostWork = 0;
    for (let asked = 0; asked < 20; asked++) {
      const begun = cpuUsage();
      await post('{ __typename }');
      mostWork = Math.max(mostWork, cpuUsage(begun).user / 1_000);
    }
    await write;
    expect(mostWork).toBeLessThan(300); // ms of this process, which do not depend on other programs
    for (const stream of streams) stream.close();
    await allEnded();
  });

  test('that are refused take no room', () =>
    withStreams(async (url) => {
      const query = 'subscription { resourceProviderChanged(since: "x") { uuid } }';
      for (let at = 0; at <= STREAMS; at++) {
        const response = await postJson(url, { query }, { accept: 'text/event-stream' });
        expect(await response.text()).toContain('INVALID_INPUT');
      }
      const stream = await subscribe(url);
      expect(stream.response.status).toBe(200);
      stream.close();
      await allEnded();
    }));
});
