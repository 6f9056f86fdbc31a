import { afterEach, describe, expect, test } from '@jest/globals';
import { TOKEN_FILE, TOKENS, type Name } from '../access/viewers.js';
import { newFile, open } from '../authentication/support.js';
import { startApi, useApi } from '../support/api.js';
import { testDatabase } from '../support/database.js';
import { postJson } from '../support/httpPost.js';
import { exchange, rawQuery, rawRequest } from './rawHttp.js';
import { withCode } from './server.js';
import { claimInput } from '../support/claims.js';

const { api } = useApi();

/** Whatever was sent: the server lives, answers, and met nothing unexpected. */
afterEach(async () => {
  expect(await api.query('{ __typename }')).toMatchObject({ data: { __typename: 'Query' } });
  expect(api.logged).toEqual([]);
});

const INTERNALS = /node_modules|\.[jt]s\b| {4}at |fastify|FST_/i;

const post = (body: object, headers: Record<string, string> = {}) => postJson(api.url, body, headers);

describe('invalid requests', () => {
  test.each(['POST /nothing', 'POST /', 'PUT /livez', 'POST /metrics'])(
    '%s is refused before its body is read',
    async (start) => {
      const length = 16_777_216;
      const headers = { 'content-type': 'application/json', 'content-length': length };
      expect(await exchange(api.url, rawRequest(start, headers))).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test.each([10, 1_001])('variables that are a text of %d characters', async (length) => {
    const answer = await post({ query: '{ __typename }', variables: 'a'.repeat(length) });
    expect([answer.status, await answer.json()]).toMatchObject([400, withCode('BAD_REQUEST')]);
  });

  test.each([
    '//',
    '///',
    '//[',
    '//a:b',
    '/\\',
    'http://',
    'http://a:99999999/',
    'http://[/',
    '/%',
    '/%zz',
    '/graphql%00',
  ])('GET %s is refused without details, with a request id (decision D20)', async (target) => {
    const answer = await exchange(api.url, rawRequest(`GET ${target}`));
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).toContain('"errors":[');
    const [, id] = /x-request-id: (\S+)/.exec(answer)!;
    expect(answer).toContain(`"requestId":"${id}"`);
    expect(answer).not.toMatch(INTERNALS);
  });

  test.each(['[', '', 'a:b:c', 'localhost:', '[::1', 'local_host'])('host %p', async (host) => {
    const answer = await exchange(api.url, rawRequest('GET /graphql?query={__typename}', { host }));
    expect(answer).toMatch(host === 'localhost:' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 421 /);
    expect(answer).not.toMatch(INTERNALS);
  });

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', '400'],
    [
      'two lengths',
      'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      '400',
    ],
    ['too long a head', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
    ['an unknown method', rawRequest('PURGE /graphql'), '40[045]'],
    ...['PUT', 'DELETE', 'TRACE', 'PATCH', 'OPTIONS', 'HEAD'].map((method) => [
      `the method ${method}`,
      rawRequest(`${method} /graphql`),
      '(204|40[045])',
    ]),
  ])('%s', async (_what, bytes, status) => {
    const answer = await exchange(api.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toMatch(INTERNALS);
  });

  test("Yoga's own health check, which always succeeds", async () => {
    expect((await fetch(new URL('/health', api.url))).status).toBe(404);
    const response = await fetch(`${api.url}?query={nothing}&operationName=/health`);
    expect(await response.json()).toHaveProperty('errors');
  });
});

describe('request ids', () => {
  test.each(['/graphql', '/', '/nothing', '/healthz'])('the answer of %s has one', async (path) => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await fetch(new URL(path, api.url))).headers.get('x-request-id')),
    );
    expect(ids[0]).toMatch(/^[\w.-]{1,100}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ['a', true],
    ['Trace-1_2.3', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['with space', false],
    ['<b>', false],
  ])('%s of the client counts: %p', async (id, counts) => {
    const response = await post({ query: '{ __typename }' }, { 'x-request-id': id });
    const given = response.headers.get('x-request-id');
    if (counts) expect(given).toBe(id);
    else expect(given).not.toBe(id);
  });
});

describe('every answer', () => {
  test.each([
    ['/graphql?query={__typename}', ''],
    ['/graphql', 'text/html'],
    ['/nothing', ''],
    ['/healthz', ''],
  ])(
    '%s keeps browsers from framing it, guessing its type and passing its address on',
    async (path, accept) => {
      const { headers } = await fetch(new URL(path, api.url), { headers: { accept } });
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as unknown,
      });
    },
  );

  test('the page runs its own scripts alone', async () => {
    const { headers } = await fetch(api.url, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src( 'sha256-[^']+')+;/);
  });
});

describe('media types', () => {
  test.each([
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; profile=x',
    'application/json; charset=utf8',
  ])('%s is taken', async (type) => {
    expect((await post({ query: '{ __typename }' }, { 'content-type': type })).status).toBe(200);
  });

  test.each([
    [415, { 'content-type': 'application/json; charset=utf-16' }],
    [415, { 'content-type': 'application/json; charset=latin1' }],
    [415, { 'content-type': 'application/json-patch' }],
    [415, { 'content-type': 'application/graphql+json' }],
    [415, { 'content-type': 'json' }],
    [415, { 'content-type': ';' }],
    [415, { 'content-type': 'text/plain, application/json' }],
    [415, { 'content-encoding': 'gzip' }],
    [406, { accept: 'image/png' }],
  ] as [number, Record<string, string>][])('are refused with %d: %j', async (status, headers) => {
    const response = await post({ query: '{ __typename }' }, headers);
    const code = status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'NOT_ACCEPTABLE';
    expect([response.status, await response.json()]).toMatchObject([status, withCode(code)]);
  });

  test.each([
    ['application/graphql-response+json', 400],
    ['Application/GraphQL-Response+JSON', 400],
    ['application/json', 200],
  ])('%s: variables of the wrong type are answered with %d', async (accept, status) => {
    const query = 'query ($first: Int) { resourceProviders(first: $first) { totalCount } }';
    const response = await post({ query, variables: { first: 'many' } }, { accept });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain(accept.toLowerCase());
    const error: unknown = expect.objectContaining({
      extensions: { code: 'BAD_USER_INPUT', path: ['first'] },
    });
    expect(await response.json()).toEqual({ errors: [error] });
  });

  const resource = (amount: unknown) => ({ groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }] });
  const BY = 'query ($by: ProviderRef!) { resourceProvider(by: $by) { name } }';
  const CANDIDATES =
    'query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { complete } }';
  const CONSUMER = { consumer: 'no uuid', projectId: 'a', userId: 'b' };
  const CLAIM = 'mutation ($input: ClaimInput!) { claim(input: $input) { __typename } }';
  test.each([
    [BY, {}, ['by']],
    [BY, { by: null }, ['by']],
    [BY, { by: { uuid: 'no uuid' } }, ['by', 'uuid']],
    [BY, { by: { name: 'a " at "by.b', uuid: 7 } }, ['by', 'uuid']],
    [BY, { by: { name: 'a', colour: 'red' } }, ['by']],
    [CANDIDATES, { request: resource('4') }, ['request', 'groups', '0', 'resources', '0', 'amount']],
    [
      CLAIM,
      { input: claimInput(resource(1), [CONSUMER]) },
      ['input', 'members', '0', 'consumers', '0', 'consumer'],
    ],
    [
      CLAIM,
      { input: claimInput(resource(1), ['; " at "x"; ']) },
      ['input', 'members', '0', 'consumers', '0'],
    ],
  ])('the path leads to what is wrong with a variable: %s %j', async (query, variables, path) => {
    const response = await post({ query, variables }, { accept: 'application/graphql-response+json' });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { extensions: object }[] };
    expect(errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT', path });
  });
});

describe('the length of bodies', () => {
  const padded = (query: string, length: number) =>
    JSON.stringify({ query: `${query} # ` }).slice(0, -2) + 'x'.repeat(length) + '"}';
  const send = (body: string) => postJson(api.url, body);
  const WRITE = 'mutation { createTrait(input: { name: "CUSTOM_LONG" }) { __typename } }';
  const WRITTEN = { data: { createTrait: { __typename: 'CreateTraitPayload' } } };
  const TOO_LARGE = withCode('REQUEST_ENTITY_TOO_LARGE');

  test.each([
    ['a query of 1 MB', '{ __typename }', 1_000_000, 200, { data: { __typename: 'Query' } }],
    ['a longer query', '{ __typename }', 1_048_576, 413, TOO_LARGE],
    ['a mutation of 16 MB', WRITE, 16_000_000, 200, WRITTEN],
    ['a longer mutation', WRITE, 16_777_216, 413, TOO_LARGE],
  ])('%s', async (_what, query, length, status, answer) => {
    const response = await send(padded(query, length));
    expect([response.status, await response.json()]).toMatchObject([status, answer]);
  });

  test('only viewers who may write may send more than 1 MiB', async () => {
    const database = await testDatabase();
    const guarded = await startApi(database, open({ 'tokens.file': newFile(TOKEN_FILE) }));
    const statusFor = async (viewer: Name) => {
      const headers = { authorization: `Bearer ${TOKENS[viewer]}` };
      const answer = await postJson(guarded.url, padded(WRITE, 1_100_000), headers);
      await answer.text();
      return answer.status;
    };
    try {
      expect(await statusFor('reader')).toBe(413);
      expect(await statusFor('admin')).toBe(200);
    } finally {
      await guarded.close();
      await database.close();
    }
  });

  test('a body over the limit is not read to its end', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': 1_000_000_000 };
    const begun = performance.now();
    const answer = await exchange(api.url, rawRequest('POST /graphql', headers, '{"query": "'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('connection: close');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

test('mixed: two requests on one connection are answered in order', async () => {
  const answer = await exchange(api.url, rawQuery('{ a: __typename }') + rawQuery('{ b: __typename }'));
  expect(answer.match(/"data":\{"."/g)).toEqual(['"data":{"a"', '"data":{"b"']);
});
