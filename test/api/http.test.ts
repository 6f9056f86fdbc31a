import { request as httpRequest } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { openDatabase } from '../../src/store/database/database.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { createProcess } from '../../src/server/process.js';
import { createServer } from '../../src/server/server.js';
import { serve } from '../http/server.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

const { api, database } = useApi();

const QUERY = JSON.stringify({ query: '{ __typename }' });
const MUTATION = 'mutation { createTrait(input: { name: "CUSTOM_FORGED" }) { __typename } }';
const JSON_TYPE = { 'content-type': 'application/json' };

const post = (body: string | undefined, headers: Record<string, string> = JSON_TYPE) =>
  fetch(api.url, { method: 'POST', headers, body });

const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0].extensions.code;

const expectNothingForged = async () =>
  expect(await api.read('{ trait(name: "CUSTOM_FORGED") { name } }')).toEqual({ trait: null });

describe('POST', () => {
  test.each([
    ['text/plain', JSON.stringify({ query: MUTATION })],
    ['application/x-www-form-urlencoded', `query=${encodeURIComponent(MUTATION)}`],
    ['application/graphql', MUTATION],
    [
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="query"\r\n\r\n${MUTATION}\r\n--x--`,
    ],
    ['application/jsonp', JSON.stringify({ query: MUTATION })],
  ])('refuses %s, which a page of another origin could send', async (type, body) => {
    const response = await post(body, { 'content-type': type });
    expect([response.status, await codeOf(response)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    await expectNothingForged();
  });

  test.each([
    '{',
    '',
    'null',
    '"{ __typename }"',
    `[${QUERY}]`,
    '{}',
    '{"query": 1}',
    '{"query": "{ __typename }", "variables": [1]}',
    '{"query": "{ __typename }", "surprise": 1}',
  ])('with the body %p is a bad request', async (body) => {
    expect(await codeOf(await post(body))).toBe('BAD_REQUEST');
  });

  test('of more than 1 MiB is refused, also if it does not state its length', async () => {
    const long = JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_100_000)}` });
    const body = new Blob([long]).stream();
    const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' };
    const response = await fetch(api.url, init);
    expect([response.status, await codeOf(response)]).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE']);
  });

  test('that breaks off is nothing unexpected', async () => {
    const request = httpRequest(api.url, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-length': QUERY.length },
    });
    const ended = new Promise((resolve) => request.on('close', resolve));
    request.on('error', () => undefined);
    request.write(QUERY.slice(0, 5), () => request.destroy());
    await ended;
    expect((await post(QUERY)).status).toBe(200);
  });
});

describe('GET', () => {
  test('runs queries, and never mutations', async () => {
    const get = (query: string) => fetch(`${api.url}?query=${encodeURIComponent(query)}`);
    expect(await (await get('{ __typename }')).json()).toMatchObject({ data: { __typename: 'Query' } });
    const response = await get(MUTATION);
    expect([response.status, await codeOf(response)]).toEqual([405, 'BAD_REQUEST']);
    await expectNothingForged();
  });

  test('a request for a page returns GraphiQL, which sends no request to other servers', async () => {
    const response = await fetch(api.url, { headers: { accept: 'text/html' } });
    expect(response.headers.get('content-type')).toContain('text/html');
    const page = await response.text();
    expect(page).toContain('host-00001');
    expect(page).not.toMatch(/<(script|link|img)[^>]*(src|href)="?(https?:)?\/\//);
  });
});

test('without its database a server is not healthy; queries fail without details, logged once', async () => {
  const logged: string[] = [];
  const gone = openDatabase(database.url);
  const process = createProcess(gone, { report: (_error, during) => logged.push(during) });
  const { server, origin, url } = await serve(process);
  await gone.close();
  expect((await fetch(`${origin}/healthz`)).status).toBe(503);
  const body = JSON.stringify({ query: '{ resourceProviders { totalCount } }' });
  const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body });
  const answer = (await response.json()) as { errors: unknown[] };
  const requestId = response.headers.get('x-request-id')!;
  expect(answer).toMatchObject({
    data: { resourceProviders: null },
    errors: [{ path: ['resourceProviders'], extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } }],
  });
  expect(JSON.stringify(answer)).not.toMatch(/pool|mariadb|stack|\.[jt]s/i);
  expect(logged.filter((during) => during === `answering a request (request ${requestId})`)).toHaveLength(1);
  await server.close();
});

describe('a client that goes away', () => {
  // Each device takes one amount and no other, and no twenty of them make up an odd whole.
  const devices = Array.from({ length: 40 }, (_, at) => {
    const amount = 1_000_003 + 2 * at * at;
    return `  device${at} DISK_GB:${amount}(min=${amount},max=${amount},step=${amount})`;
  });
  const snapshot = snapshotOf(forest(['host', ...devices].join('\n')));
  const REQUEST = `{ groups: { canSplit: ["DISK_GB"], resources: { resourceClass: "DISK_GB", amount: 20020001 } } }`;

  test.each([
    ['candidates', `{ allocationCandidates(request: ${REQUEST}) { complete } }`],
    ['headroom', `{ headroom(request: ${REQUEST}) { count } }`],
  ])(
    'stops its search for %s, and is no error of the server',
    async (_what, query) => {
      const logged: unknown[] = [];
      const current = () => Promise.resolve(snapshot);
      const snapshots = { current, speculative: null, fullLoads: 0, recheck: () => Promise.resolve([]) };
      const process = createProcess(database, { report: (error) => logged.push(error) });
      const { server, url } = await serve({ ...process, snapshots });
      // called at the beginning of each slice of work
      const slices = jest.spyOn(Effort.prototype, 'allow');
      try {
        const client = httpRequest(url, { method: 'POST', headers: JSON_TYPE });
        client.on('error', () => undefined).end(JSON.stringify({ query }));
        while (slices.mock.calls.length < 20) await setImmediate();
        client.destroy();
        let before;
        do {
          before = slices.mock.calls.length;
          for (let turns = 0; turns < 100; turns++) await setImmediate();
        } while (slices.mock.calls.length > before);
        expect((await fetch(new URL('/healthz', url))).status).toBe(200);
        expect(slices.mock.calls.length).toBe(before);
        expect(logged).toEqual([]);
      } finally {
        slices.mockRestore();
        await server.close();
      }
    },
    20_000,
  );
});

test('a taken port is an error', async () => {
  const server = createServer(createProcess(database));
  const taken = server.listen(Number(new URL(api.url).port), '127.0.0.1');
  await expect(taken).rejects.toThrow('EADDRINUSE');
});

describe('a hash in place of a document, as the persisted-query link of Apollo sends it', () => {
  const persistedQuery = { version: 1, sha256Hash: 'ab'.repeat(32) };
  const REFUSED = {
    errors: [
      { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
    ],
  };
  const JSON_OR_GRAPHQL = 'application/graphql-response+json,application/json;q=0.9';

  test.each([
    ['POST', {}],
    ['POST with an empty document', { query: '' }],
    ['POST with null', { query: null }],
  ])('by %s is refused, so that the link sends the document', async (_, body) => {
    const text = JSON.stringify({ ...body, operationName: 'A', extensions: { persistedQuery } });
    expect(await (await post(text)).json()).toEqual(REFUSED);
    const response = await post(text, { ...JSON_TYPE, accept: JSON_OR_GRAPHQL });
    expect([response.status, await response.json()]).toEqual([400, REFUSED]);
  });

  test('by GET is refused, so that the link sends the document', async () => {
    const extensions = encodeURIComponent(JSON.stringify({ persistedQuery }));
    for (const address of [
      `extensions=${extensions}`,
      `operationName=A&variables={}&extensions=${extensions}`,
    ])
      expect(await (await fetch(`${api.url}?${address}`)).json()).toEqual(REFUSED);
  });

  test('beside the document changes nothing; without an object it is a bad request', async () => {
    const run = (body: object) => post(JSON.stringify(body));
    const both = await run({ query: '{ __typename }', extensions: { persistedQuery } });
    expect(await both.json()).toMatchObject({ data: { __typename: 'Query' } });
    for (const extensions of [{ persistedQuery: null }, { persistedQuery: 'ab' }, {}])
      expect(await codeOf(await run({ extensions }))).toBe('BAD_REQUEST');
  });
});
