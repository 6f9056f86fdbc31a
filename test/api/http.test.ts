import { request as httpRequest } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { openDatabase } from '../../src/database/database.js';
import { Effort } from '../../src/engine/model/effort.js';
import { createProcess } from '../../src/process/process.js';
import { createServer } from '../../src/server/server.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

const { api, database } = useApi();

const QUERY = JSON.stringify({ query: '{ __typename }' });
const MUTATION = 'mutation { createTrait(input: { name: "CUSTOM_FORGED" }) { __typename } }';

const post = (
  body: string | undefined,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(api.url, { method: 'POST', headers, body });

const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0].extensions.code;

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
    expect(response.status).toBe(415);
    expect(await codeOf(response)).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect((await api.query('{ trait(name: "CUSTOM_FORGED") { name } }')).data).toEqual({ trait: null });
  });

  test.each([
    ['no JSON', '{'],
    ['an empty body', ''],
    ['null', 'null'],
    ['a string', '"{ __typename }"'],
    ['a list of requests', `[${QUERY}]`],
    ['no query', '{}'],
    ['a query that is no string', '{"query": 1}'],
    ['variables that are no object', '{"query": "{ __typename }", "variables": [1]}'],
    ['an unknown parameter', '{"query": "{ __typename }", "surprise": 1}'],
  ])('with %s is a bad request', async (_what, body) => {
    const response = await post(body);
    expect(await codeOf(response)).toBe('BAD_REQUEST');
  });

  test('of more than 1 MiB is refused, also if it does not state its length', async () => {
    const long = JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_100_000)}` });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: new Blob([long]).stream(), duplex: 'half' };
    const response = await fetch(api.url, init);
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('REQUEST_ENTITY_TOO_LARGE');
    expect((await post(QUERY)).status).toBe(200);
  });

  test('that breaks off is nothing unexpected', async () => {
    const request = httpRequest(api.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': QUERY.length },
    });
    const ended = new Promise((resolve) => request.on('close', resolve));
    request.on('error', () => undefined);
    request.write(QUERY.slice(0, 5), () => request.destroy());
    await ended;
    expect((await post(QUERY)).status).toBe(200);
  });

  test('nothing is granted to other origins', async () => {
    const response = await post(QUERY, {
      'content-type': 'application/json',
      origin: 'https://evil.example',
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('GET', () => {
  test('runs queries', async () => {
    const response = await fetch(`${api.url}?query=${encodeURIComponent('{ __typename }')}`);
    expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  test('never runs mutations', async () => {
    const response = await fetch(`${api.url}?query=${encodeURIComponent(MUTATION)}`);
    expect(response.status).toBe(405);
    expect(await codeOf(response)).toBe('BAD_REQUEST');
    expect((await api.query('{ trait(name: "CUSTOM_FORGED") { name } }')).data).toEqual({ trait: null });
  });

  test('for a page is answered with GraphiQL, which asks no other server for anything', async () => {
    const response = await fetch(api.url, { headers: { accept: 'text/html' } });
    expect(response.headers.get('content-type')).toContain('text/html');
    const page = await response.text();
    expect(page).toContain('host-00001');
    expect(page).not.toMatch(/<(script|link|img)[^>]*(src|href)="?(https?:)?\/\//);
  });

  test('of anything else is not found', async () => {
    expect((await fetch(new URL('/nothing', api.url))).status).toBe(404);
  });
});

describe('GET /healthz', () => {
  test('is 200 while the database answers, and tells how often the whole offer was read', async () => {
    const response = await fetch(new URL('/healthz', api.url));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', fullLoads: 1 });
  });

  test('is 503 when it does not; queries then fail without details, logged once', async () => {
    const logged: string[] = [];
    const gone = openDatabase(database.url);
    const server = createServer(createProcess(gone, { report: (_error, during) => logged.push(during) }));
    const { port } = await server.listen(0, '127.0.0.1');
    await gone.close();
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(503);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: '{ resourceProviders { totalCount } }' });
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
    const answer = (await response.json()) as { errors: unknown[] };
    const requestId = response.headers.get('x-request-id')!;
    expect(answer).toMatchObject({
      data: { resourceProviders: null },
      errors: [{ path: ['resourceProviders'], extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } }],
    });
    expect(JSON.stringify(answer)).not.toMatch(/pool|mariadb|stack|\.[jt]s/i);
    expect(logged.filter((during) => during === `answering a request (request ${requestId})`)).toHaveLength(
      1,
    );
    await server.close();
  });
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
    ['candidates', `{ allocationCandidates(request: ${REQUEST}) { seed } }`],
    ['headroom', `{ headroom(request: ${REQUEST}) { count } }`],
  ])(
    'stops its search for %s, and is no error of the server',
    async (_what, query) => {
      const logged: unknown[] = [];
      const current = () => Promise.resolve(snapshot);
      const snapshots = { current, speculative: null, fullLoads: 0, reread: () => Promise.resolve(false) };
      const server = createServer({
        ...createProcess(database, { report: (error) => logged.push(error) }),
        snapshots,
      });
      const { port } = await server.listen(0, '127.0.0.1');
      const url = `http://127.0.0.1:${port}/graphql`;
      // called at the beginning of each slice of work
      const slices = jest.spyOn(Effort.prototype, 'allow');
      try {
        const client = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
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
  const { port } = new URL(api.url);
  const taken = createServer(createProcess(database)).listen(Number(port), '127.0.0.1');
  await expect(taken).rejects.toThrow('EADDRINUSE');
});
