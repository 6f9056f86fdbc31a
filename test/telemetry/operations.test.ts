import { createHash } from 'node:crypto';
import type { PoolConnection } from 'mariadb';
import { describe, expect, test } from '@jest/globals';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { postJson } from '../support/httpPost.js';
import { ObservedServer, useObservedServer } from './server.js';

const SECRET = 'Tr0ub4dor&3';
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.c2lnbmVk';

let uuid: string;
const { database, server } = useObservedServer(async ({ ledger }) => {
  ({ uuid } = await createProvider(ledger, { name: 'host' }));
  return { slow: 300 };
});

const id = (name: string) => ({ 'x-request-id': name });
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

test('each operation has a line that tells what it was and what it took', async () => {
  const query =
    'query Host($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { name inventories { total } } }';
  await server.ask(query, { uuid }, id('one'));
  const line = await server.lineOf('one');
  expect(line).toEqual({
    level: 'info',
    time: expect.any(String) as unknown,
    pid: process.pid,
    msg: 'operation',
    requestId: 'one',
    operation: 'Host',
    kind: 'query',
    document: hashOf(query),
    ms: expect.any(Number) as unknown,
    status: 200,
    cost: expect.any(Number) as unknown,
    statements: 2,
    rows: 1,
    retries: 0,
  });
  expect(line.ms).toBeGreaterThan(0);
  expect(line.cost).toBeGreaterThan(0);
});

test.each([
  ['is not GraphQL', '{ trait(', 400, 'GRAPHQL_PARSE_FAILED'],
  ['does not fit the schema', '{ nothing }', 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['has too many aliases', `{ ${manyAliases()} }`, 400, 'LIMIT_EXCEEDED'],
])(
  'one that %s has a line with its status and code, and the hash of its document',
  async (what, query, status, code) => {
    await server.ask(
      query,
      {},
      { ...id(what.replaceAll(' ', '-')), accept: 'application/graphql-response+json' },
    );
    const line = await server.lineOf(what.replaceAll(' ', '-'));
    expect(line).toMatchObject({ codes: [code], document: hashOf(query), status });
    expect(line.kind).toBeUndefined();
  },
);

function manyAliases(): string {
  return Array.from({ length: 501 }, (_, at) => `t${at}: __typename`).join(' ');
}

test('one whose client left before its answer has the status 499, and counts as no response', async () => {
  const responses = async () => {
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    return [...text.matchAll(/^placement_graphql_http_responses_total\{.*\} (\d+)$/gm)].map(([, n]) =>
      Number(n),
    );
  };
  const holder = await database.pool.getConnection();
  await holder.query('LOCK TABLES traits WRITE');
  const before = await responses();
  const left = new AbortController();
  const asked = postJson(
    `${server.origin}/graphql`,
    { query: 'query Left { traits { name } }' },
    id('left'),
    { signal: left.signal },
  );
  await waitForThread(holder, 'traits');
  left.abort();
  await expect(asked).rejects.toThrow('aborted');
  expect(await server.lineOf('left')).toMatchObject({ operation: 'Left', status: 499 });
  await holder.query('UNLOCK TABLES');
  await holder.release();
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  expect(sum(await responses()) - sum(before)).toBe(1); // the first read of /metrics
});

/** Waits until a statement about a table waits for a lock. */
async function waitForThread(connection: PoolConnection, table: string): Promise<void> {
  const statement = "SELECT id FROM information_schema.processlist WHERE info LIKE ? AND state LIKE '%lock%'";
  while ((await connection.query<unknown[]>(statement, [`%\`${table}\`%`])).length === 0);
}

test('the log names the code of a rejected mutation', async () => {
  const mutation = `mutation { createResourceProvider(input: { name: "host" }) { __typename } }`;
  await server.ask(mutation, {}, id('rejected'));
  expect(await server.lineOf('rejected')).toMatchObject({
    kind: 'mutation',
    codes: ['DUPLICATE_NAME'],
    status: 200,
  });
});

test('the log contains no value of a client, also if the database repeats it', async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, cookie: `session=${SECRET}`, 'x-auth-token': TOKEN };
  await server.ask(`{ trait(name: "${SECRET}") { name } }`, {}, { ...headers, ...id('literal') });
  await server.ask(
    'query ($n: String!) { trait(name: $n) { name } }',
    { n: SECRET },
    { ...headers, ...id('variable') },
  );
  await server.ask(`{ trait(name: ${JSON.stringify(SECRET)} `, {}, { ...headers, ...id('unparsed') });
  await server.ask('query ($n: Int!) { __typename }', { n: SECRET }, { ...headers, ...id('mistyped') });
  await database.pool.query(
    'ALTER TABLE resource_providers ADD CONSTRAINT short CHECK (CHAR_LENGTH(name) < 5)',
  );
  const create = 'mutation ($n: String!) { createResourceProvider(input: { name: $n }) { __typename } }';
  const failed = await server.ask(create, { n: SECRET }, { ...headers, ...id('failed') });
  await database.pool.query('ALTER TABLE resource_providers DROP CONSTRAINT short');
  expect(failed.text).toContain('INTERNAL_SERVER_ERROR');
  for (const each of ['literal', 'variable', 'unparsed', 'mistyped', 'failed']) await server.lineOf(each);
  const all = await server.logText();
  for (const value of [TOKEN, 'Bearer', 'session=']) expect(all).not.toContain(value);
  // the audit log has what writes were given
  const others = all.split('\n').filter((line) => !line.includes('"msg":"write"'));
  expect(others.join('\n')).toContain('"level":"error"');
  expect(others.join('\n')).not.toContain(SECRET);
});

describe('a slow operation', () => {
  test('has a warning with its document without literals, and what its time went into', async () => {
    const slow = `
      query Slow {
        # a comment
        resourceProviders(first: 17, filter: { name: "${SECRET}" }) { nodes { name } }
        traits(filter: { startsWith: "${SECRET}" }) { name }
      }`;
    const holder = await database.pool.getConnection();
    await holder.query('LOCK TABLES traits WRITE');
    const answer = server.ask(slow, {}, id('slow'));
    await new Promise((resolve) => setTimeout(resolve, 600));
    await holder.query('UNLOCK TABLES');
    await holder.release();
    await answer;
    await server.lineOf('slow');
    const line = (await server.lines()).find(
      ({ requestId, level }) => requestId === 'slow' && level === 'warn',
    )!;
    expect(line).toMatchObject({ msg: 'slow operation', operation: 'Slow', document: hashOf(slow) });
    expect(line.text).toBe(
      'query Slow{resourceProviders(first:0 filter:{name:""}){nodes{name}}' +
        'traits(filter:{startsWith:""}){name}}',
    );
    const phases = line.phases as Record<string, number>;
    expect(Object.keys(phases)).toEqual(['parse', 'validate', 'admission', 'execute', 'search', 'database']);
    expect(phases.database).toBeGreaterThan(250);
    expect(phases.execute).toBeGreaterThanOrEqual(phases.database);
    expect(phases.parse + phases.validate + phases.admission + phases.execute).toBeLessThanOrEqual(
      line.ms as number,
    );
  });

  test('others have none', async () => {
    await server.ask('{ __typename }', {}, id('quick'));
    await server.lineOf('quick');
    const lines = (await server.lines()).filter(({ requestId }) => requestId === 'quick');
    expect(lines.map(({ level }) => level)).toEqual(['info']);
  });
});

describe('Server-Timing', () => {
  const query = '{ resourceProviders(first: 1) { nodes { name } } }';

  test('is sent to a client that asks for it', async () => {
    const { response } = await server.ask(query, {}, { 'x-server-timing': '1' });
    const parts = response.headers.get('server-timing')!.split(', ');
    const durations = new Map(parts.map((part) => part.split(';dur=') as [string, string]));
    expect([...durations.keys()]).toEqual([
      'parse',
      'validate',
      'admission',
      'execute',
      'search',
      'database',
      'total',
    ]);
    expect(Number(durations.get('database'))).toBeGreaterThan(0);
    expect(Number(durations.get('total'))).toBeGreaterThan(Number(durations.get('database')));
  });

  test('and to no other', async () => {
    expect((await server.ask(query)).response.headers.has('server-timing')).toBe(false);
  });
});

test('beyond a rate the log omits operations, but neither failures nor writes', async () => {
  const busy = await ObservedServer.start(database.url, { linesPerSecond: 0 });
  const mutation = 'mutation { createTrait(input: { name: "CUSTOM_RATE" }) { __typename } }';
  for (let at = 0; at < 3; at++) await busy.ask('{ __typename }');
  await busy.ask(mutation);
  await busy.ask('{ nothing }', {}, id('wrong'));
  expect(await busy.lineOf('wrong')).toMatchObject({ codes: ['GRAPHQL_VALIDATION_FAILED'], omitted: 4 });
  expect((await busy.lines()).map(({ msg }) => msg)).toEqual(['write', 'operation']);
  const count = 'placement_graphql_operations_total{kind="query",operation="",status="200"}';
  expect(await busy.metric(count)).toBe(3);
  await busy.close();
});
