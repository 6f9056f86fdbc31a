import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entriesOf, type Entry } from '../../src/command/compare/answerEntries.js';
import { restOf, type Rest } from '../rest/rest.js';
import { startApi, useApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { runClient } from './client.js';

const { api } = useApi();
let database: TestDatabase;
let other: Api;

beforeAll(async () => {
  database = await testDatabase();
  other = await startApi(database);
  await Promise.all([api, other].map(({ url }) => fill(restOf(() => url))));
});

afterAll(async () => {
  await other.close();
  await database.close();
});

const uuid = (digit: number, kind: string) => `${kind.repeat(8)}-0000-4000-8000-00000000000${digit}`;
const host = (digit: number) => uuid(digit, 'a');
const ZONE = uuid(1, 'b');
const GUEST = uuid(1, 'c');

/** Writes the same two hosts to any server. */
async function fill(rest: Rest): Promise<void> {
  await rest('PUT', '/traits/CUSTOM_FAST');
  for (const digit of [1, 2]) {
    await rest('POST', '/resource_providers', { body: { name: `host${digit}`, uuid: host(digit) } });
    const inventories = { VCPU: { total: 16 }, MEMORY_MB: { total: 4096, min_unit: 100, step_size: 128 } };
    await put(rest, host(digit), 'inventories', { inventories });
  }
  await put(rest, host(1), 'traits', { traits: ['CUSTOM_FAST'] });
  await put(rest, host(1), 'aggregates', { aggregates: [ZONE] });
  const owner = { project_id: 'shop', user_id: 'me', consumer_type: 'INSTANCE', consumer_generation: null };
  const body = { ...owner, allocations: { [host(1)]: { resources: { VCPU: 2 } } } };
  expect((await rest('PUT', `/allocations/${GUEST}`, { body })).status).toBe(204);
}

async function put(rest: Rest, provider: string, part: string, body: object): Promise<void> {
  const path = `/resource_providers/${provider}`;
  const { generation } = (await rest('GET', path)).json;
  const whole = { ...body, resource_provider_generation: generation };
  expect((await rest('PUT', `${path}/${part}`, { body: whole })).status).toBe(200);
}

const restUrl = ({ url }: Pick<Api, 'url'>) => url.replace(/graphql$/, 'placement');

async function compare(...options: string[]) {
  return runClient(api.url, ['compare', ...options]);
}

interface Row {
  readonly read: string;
  readonly at: string;
  readonly here?: unknown;
  readonly there?: unknown;
}

describe('two servers with the same fleet', () => {
  test('do not differ', async () => {
    const { code, out, error } = await compare(restUrl(other));
    expect({ code, out }).toEqual({ code: 0, out: 'no differences\n' });
    // classes, traits, providers; five parts of two hosts; a consumer; a project
    const reads = 3 + 2 * 5 + 1 + 1;
    const requests = 2 + 1 + 2 + 1 + 2 + 1; // classes, a pair, a trait twice, an aggregate, trees, too much
    expect(error).toBe(`compared ${reads + requests} reads\n`);
    expect((await compare(restUrl(other), '--candidates', '3', '--providers', '1', '-o', 'json')).out).toBe(
      '[]\n',
    );
  }, 30_000);

  test('a change between two reads is no difference, but a lasting one is', async () => {
    const path = `/resource_providers/${host(2)}/inventories`;
    const changed = (body: string) => body.replace('"total":16', '"total":20');
    for (const [times, code] of [
      [1, 0],
      [Infinity, 1],
    ]) {
      const proxy = await changing(other, path, times, changed);
      expect(await compare(urlOf(proxy), '--candidates', '0', '--json')).toMatchObject({
        code,
        out: code === 0 ? '[]\n' : expect.stringContaining(`"here": 16,\n    "there": 20`),
      });
      proxy.close();
    }
  }, 30_000);
});

test('each kind of difference is reported once, and the exit code is 1', async () => {
  const rest = restOf(() => other.url);
  await put(rest, host(2), 'inventories', { inventories: { VCPU: { total: 32 } } });
  await put(rest, host(2), 'traits', { traits: ['CUSTOM_FAST'] });
  await rest('POST', '/resource_providers', { body: { name: 'host3', uuid: host(3) } });
  const { code, out } = await compare(restUrl(other), '-o', 'json', '--candidates', '4');
  expect(code).toBe(1);
  const rows = JSON.parse(out) as Row[];
  const of = (read: string) => rows.filter((row) => row.read === `GET ${read}`);
  const path = `/resource_providers/${host(2)}`;
  expect(of(`/resource_providers?uuid=${host(2)}`)).toMatchObject([{ here: 1, there: 3 }]);
  expect(of(`/resource_providers?uuid=${host(3)}`)).toMatchObject([{ there: { name: 'host3' } }]);
  expect(of(`${path}/inventories`)).toEqual(
    expect.arrayContaining([
      { read: `GET ${path}/inventories`, at: 'inventories.VCPU.total', here: 16, there: 32 },
      expect.objectContaining({
        at: 'inventories.MEMORY_MB',
        here: expect.objectContaining({ total: 4096 }),
      }),
    ]),
  );
  expect(of(`${path}/traits`)).toContainEqual({
    read: `GET ${path}/traits`,
    at: 'traits.CUSTOM_FAST',
    there: 'CUSTOM_FAST',
  });
  expect(rows.some(({ read }) => read.startsWith('GET /allocation_candidates?'))).toBe(true);
  expect(rows.some(({ read }) => read.includes(host(1)) && !read.includes('?'))).toBe(false);

  const limited = await compare(restUrl(other), '--limit', '2', '--candidates', '0');
  expect(limited).toMatchObject({ code: 1, out: expect.stringMatching(/^READ .*\n.*\n.*\n$/) });
}, 60_000);

describe('a failure', () => {
  test.each([
    ['ftp://placement.example', 2, 'must be the address of a REST API'],
    ['http://127.0.0.1:1', 6, 'cannot be reached'],
  ])('%s ends with %i', async (url, code, message) => {
    expect(await compare(url)).toMatchObject({ code, error: expect.stringContaining(message) });
  });

  test('another server ends with 6, and missing credentials with 7', async () => {
    expect(await compare(other.url)).toMatchObject({
      code: 6,
      error: expect.stringContaining('is not the address of a Placement REST API'),
    });
    const closed = createServer(({ url, headers }, response) => {
      const document = JSON.stringify({ versions: [{ max_version: '1.39' }] });
      if (url === '/') response.end(document);
      else
        response
          .writeHead(headers['x-auth-token'] === 'secret' ? 503 : 401, { 'retry-after': '0' })
          .end('{}');
    });
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const message = expect.stringContaining('check PLACEMENT_OTHER_TOKEN');
    expect(await compare(urlOf(closed))).toMatchObject({ code: 7, error: message });
    const environment = { PLACEMENT_OTHER_TOKEN: 'secret' };
    expect(await runClient(api.url, ['compare', urlOf(closed)], { environment })).toMatchObject({
      code: 6,
      error: expect.stringContaining('answers 503'),
    });
    closed.close();
  });
});

describe('the entries of an answer', () => {
  const read = async (chunks: string[]): Promise<Entry[]> => {
    const found: Entry[] = [];
    for await (const entry of entriesOf(chunks as unknown as AsyncIterable<string>)) found.push(entry);
    return found;
  };
  const ANSWER = String.raw`{ "generation": 3, "empty": [], "of": {"A,\"{": {"b": [2, 1], "links": []}, "C": null},
    "list": ["x", {"uuid": "AAAAAAAA000040008000000000000001"}], "last": "\\"}`;

  test('are the same wherever the text is cut', async () => {
    const whole = await read([ANSWER]);
    expect(whole).toEqual([
      { path: ['generation'], value: 3 },
      { path: ['empty'], value: [] },
      { path: ['of'], value: {} },
      { path: ['of', 'A,"{'], value: { b: [1, 2] } },
      { path: ['of', 'C'], value: null },
      { path: ['list'], value: [] },
      { path: ['list', 'x'], value: 'x' },
      { path: ['list', host(1)], value: { uuid: host(1) } },
      { path: ['last'], value: '\\' },
    ]);
    for (let at = 0; at < ANSWER.length; at++)
      expect(await read([ANSWER.slice(0, at), ANSWER.slice(at)])).toEqual(whole);
    expect(await read([...ANSWER])).toEqual(whole);
  });

  test.each(['', '[]', '<html>', '{"a": 1', '{"a": [1}', '{"a": 1}{'])('%j is no answer', async (text) => {
    await expect(read([text])).rejects.toThrow(SyntaxError);
  });
});

/** Starts a server that forwards requests, and changes the first answers to one path. */
async function changing(
  { url }: Pick<Api, 'url'>,
  path: string,
  times: number,
  change: (body: string) => string,
): Promise<Server> {
  let left = times;
  const proxy = createServer(({ url: asked = '', headers }, response) => {
    const { host: _host, ...sent } = headers;
    const forwarded = httpRequest(restUrl({ url }) + asked, { headers: sent }, (answer) => {
      void text(answer).then((body) => {
        response.writeHead(answer.statusCode!, { 'content-type': 'application/json' });
        response.end(asked === path && left-- > 0 ? change(body) : body);
      });
    });
    forwarded.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
