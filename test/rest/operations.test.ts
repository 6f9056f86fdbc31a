import { afterEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_REST } from '../../src/api/rest/settings.js';
import { NO_LOG, type LogFields } from '../../src/model/observation.js';
import { operationLimits } from '../../src/model/operation/admission.js';
import { Metrics } from '../../src/server/telemetry/telemetry.js';
import {
  CostExceeded,
  DatabaseUnavailable,
  MemoryExceeded,
  Overloaded,
  Throttled,
  TimedOut,
} from '../../src/model/operation/waiting.js';
import { restErrorOf } from '../../src/api/rest/restErrors.js';
import { createProcess } from '../../src/server/process.js';
import { openDatabase } from '../../src/store/database/database.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { freePort } from '../support/freePort.js';
import { exchange, rawRequest } from '../http/rawHttp.js';
import { serve, useServer, withServer } from '../http/server.js';
import { restOf } from './rest.js';

const lines: LogFields[] = [];
const collect = (fields: LogFields): void => void lines.push(fields);
const log = { ...NO_LOG, isLevelEnabled: () => true, record: collect, info: collect };
const metrics = new Metrics({ version: '0', aggregates: 0 });
const DEADLINE = 3_000;
const limits = { ...operationLimits(10), deadline: DEADLINE, longestWait: 50, longestQueue: 1 };

const served = useServer({ process: { log, metrics, limits } });
const rest = restOf(() => served.url);

afterEach(() => void lines.splice(0));

describe('a request that gets no capacity', () => {
  const CAPACITY = limits.smallCostInAll;

  test('waits longer than an operation of the GraphQL API', async () => {
    const { small } = served.process.operations;
    await small.admit(CAPACITY);
    const waiting = rest('GET', '/resource_providers');
    await new Promise((resolve) => setTimeout(resolve, 4 * limits.longestWait));
    small.release(CAPACITY);
    expect((await waiting).status).toBe(200);
  });

  test('is 503 after its deadline, and at once if too many others wait', async () => {
    const { small } = served.process.operations;
    await small.admit(CAPACITY);
    const start = performance.now();
    const [first, second] = [rest('GET', '/traits'), rest('GET', '/traits')];
    const soon = await Promise.race([first, second]);
    expect(performance.now() - start).toBeLessThan(DEADLINE);
    const answers = await Promise.all([first, second]);
    small.release(CAPACITY);
    expect(performance.now() - start).toBeGreaterThan(DEADLINE - 50);
    expect(answers).toContain(soon);
    for (const { status, headers, json } of answers) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(json.errors[0]).toMatchObject({ status: 503, title: 'Service Unavailable' });
    }
    expect(lines.flatMap(({ codes }) => codes).sort()).toEqual(['OVERLOADED', 'TIMEOUT']);
  });
});

describe('what the server cannot serve is 503, and never a status that Neutron takes for final', () => {
  const unservable = { status: 503, code: 'placement.undefined_code', members: {} };

  test.each([
    new CostExceeded(2, 1),
    new MemoryExceeded('an answer', 2, 1, 'Request less.'),
    new DatabaseUnavailable('the database is away'),
    new Throttled('a client has its share'),
    new Overloaded('too many requests wait'),
    new TimedOut('too late'),
  ])('%s', (error) => {
    const found = restErrorOf(error, { params: {} });
    expect(found).toMatchObject({
      ...unservable,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
    });
  });

  test('reads and writes while the database is away', async () => {
    const proxy = await TcpProxy.before(served.database.url);
    const process = createProcess(openDatabase(proxy.url), { report: () => undefined });
    const own = await serve(process);
    const ask = restOf(() => own.url);
    try {
      expect((await ask('PUT', '/traits/CUSTOM_AWAY')).status).toBe(201);
      proxy.isUp = false;
      proxy.cutAll();
      const provider = '/resource_providers/5e08ea53-c4c6-448e-9334-ac4953de3cfa';
      const requests = [
        ['GET', '/traits'],
        ['GET', `${provider}/inventories`],
        ['GET', '/allocation_candidates?resources=VCPU:1'],
        ['PUT', '/traits/CUSTOM_AWAY_2'],
        ['PUT', `${provider}/traits`, { traits: [], resource_provider_generation: 0 }],
      ] as const;
      // together, because each waits for a connection for ten seconds
      await Promise.all(
        requests.map(async ([method, path, body]) => {
          const { status, headers, json } = await ask(method, path, { body });
          expect([path, status]).toEqual([path, 503]);
          expect(headers.get('retry-after')).toMatch(/^[1-9]/);
          expect(json.errors[0]).toMatchObject({ status: 503, code: 'placement.undefined_code' });
        }),
      );
      proxy.isUp = true;
      expect((await ask('GET', '/traits')).status).toBe(200);
    } finally {
      await own.server.close();
      await process.database.close();
      proxy.close();
    }
  }, 60_000);
});

test('logs, metrics and the audit log name the route', async () => {
  const headers = { 'x-openstack-request-id': 'req-b7b1a6a4-8f5c-4d3a-9d67-1c9b7c3f2a10' };
  const route = 'PUT /traits/{name}';
  const { headers: answered } = await rest('PUT', '/traits/CUSTOM_LOGGED', { headers });
  expect((await rest('PUT', '/traits/no')).status).toBe(400);
  const requestId = answered.get('x-openstack-request-id');
  const audit = lines.filter((line) => 'audit' in line);
  expect(audit).toMatchObject([
    { requestId, audit: { mutation: route, outcome: 'OK', input: '{"name":"CUSTOM_LOGGED"}' } },
    { audit: { mutation: route, outcome: 'INVALID_INPUT' } },
  ]);
  const operations = lines.filter((line) => !('audit' in line));
  const globalRequestId = headers['x-openstack-request-id'];
  expect(operations).toMatchObject([
    { operation: route, kind: 'mutation', status: 201, requestId, globalRequestId },
    { operation: route, status: 400, codes: ['INVALID_INPUT'] },
  ]);
  const series = `operations_total{kind="mutation",operation="${route}",status="201"} 1`;
  expect((await metrics.text()).includes(series)).toBe(true);
});

describe('the settings', () => {
  const paths = (origin: string, mount: string) =>
    Promise.all(
      [`${mount}/`, `${mount}/resource_providers`].map(async (path) => {
        const { status } = await fetch(origin + path, { headers: { accept: 'application/json' } });
        return status;
      }),
    );

  test('rest.enabled: false removes the API', () =>
    withServer(served.process, { rest: null }, async ({ origin }) => {
      expect(await paths(origin, '/placement')).toEqual([404, 404]);
    }));

  test('rest.port serves it at the root of a second port', async () => {
    const port = await freePort();
    await withServer(served.process, { rest: { ...DEFAULT_REST, port } }, async ({ origin }) => {
      const second = `http://127.0.0.1:${port}`;
      expect(await paths(second, '')).toEqual([200, 200]);
      expect(await paths(origin, '/placement')).toEqual([200, 200]);
      expect(await paths(second, '/placement')).toEqual([404, 404]);
      const response = await fetch(`${second}/traits/CUSTOM_PORT`, {
        method: 'PUT',
        headers: { 'openstack-api-version': 'placement 1.39' },
      });
      expect(response.headers.get('location')).toBe(`${second}/traits/CUSTOM_PORT`);
    });
  });
});

describe('pages of other origins', () => {
  const ALLOWED = 'https://console.example';
  const preflight = (origin: string, from: string) =>
    fetch(`${origin}/placement/resource_providers`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'PUT' },
    });

  test('get no permission unless they are allowed', async () => {
    const response = await preflight(served.origin, ALLOWED);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  test('may write if they are allowed', () =>
    withServer(served.process, { allowedOrigins: [ALLOWED] }, async ({ origin }) => {
      const response = await preflight(origin, ALLOWED);
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED);
      expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
      const other = await preflight(origin, 'https://other.example');
      expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([200, null]);
      const read = await fetch(`${origin}/placement/resource_providers`, { headers: { origin: ALLOWED } });
      expect(read.headers.get('vary')).toBe('origin, openstack-api-version');
    }));
});

describe('a malformed head', () => {
  const CASES = [
    [400, 'Bad Request', 'GET /placement/traits HTTP/1.1\r\nno header\r\n\r\n'],
    [400, 'Bad Request', rawRequest('PUT /placement/traits/CUSTOM_A', { 'content-length': 'one' })],
    [
      431,
      'Request Header Fields Too Large',
      rawRequest('GET /placement/traits', { 'x-auth-token': 'x'.repeat(20_000) }),
    ],
  ] as const;
  const answerTo = async (url: string, bytes: string) => {
    const [head, body] = (await exchange(url, bytes)).split('\r\n\r\n');
    return { head, entry: (JSON.parse(body) as { errors: object[] }).errors[0] };
  };

  test.each(CASES)('is answered with %i in the form of both APIs', async (status, title, bytes) => {
    const { head, entry } = await answerTo(served.url, bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${title}\r\n`));
    const { message, extensions } = entry as { message: string; extensions: { requestId: string } };
    const request_id = `req-${extensions.requestId}`;
    const code = 'placement.undefined_code';
    const detail = expect.stringMatching(new RegExp(`\\n\\n ${message}$`)) as unknown;
    expect(entry).toEqual({ status, title, detail, code, request_id, message, extensions });
    expect(head).toContain(`\r\nx-openstack-request-id: ${request_id}\r\n`);
    expect(extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is answered in the form of GraphQL alone by a server without the REST API', () =>
    withServer(served.process, { rest: null }, async ({ url }) => {
      for (const [, , bytes] of CASES) {
        const { head, entry } = await answerTo(url, bytes);
        expect(Object.keys(entry)).toEqual(['message', 'extensions']);
        expect(head).not.toContain('x-openstack-request-id');
      }
    }));
});
