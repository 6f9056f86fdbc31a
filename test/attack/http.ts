import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/store/database/database.js';
import { connection, exchange, rawQuery, rawRequest } from '../http/rawHttp.js';
import { COSTLY_QUERY } from '../support/costlyQuery.js';
import { subscribeTo } from '../support/events.js';
import { attack, longAttack, ROOM_MS, strength } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, expectAnswersTo, send } from './requests.js';

longAttack('requests by the thousand on one connection, none of them waited for', async ({ url }) => {
  const count = strength(20_000, 4_000);
  const text = await exchange(url, rawQuery('{ __typename }').repeat(count), 2_000);
  const answers = text.match(/"Query"/g)?.length ?? 0;
  // the server answers all, or rejects one and closes the connection
  expect(answers).toBeGreaterThan(0);
  if (answers < count) expect(text.split('HTTP/1.1 503 ').length).toBeLessThanOrEqual(2);
  expect(answers).toBeLessThanOrEqual(count);
});

longAttack('documents of 19 kB, each another one, that are refused', async ({ url }) => {
  for (let number = 0; number < strength(260, 130); number++) {
    const query = `{ ${Array.from({ length: 1_500 }, (_, at) => `unknown${at}`).join(' ')} x${number} }`;
    const reply = await ask(url, query);
    expect(codesOf(reply)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  }
});

longAttack('half-sent requests', async ({ url }) => {
  const half = rawRequest('POST /graphql', { 'content-type': 'application/json', 'content-length': 900_000 });
  const sockets = await all(strength(200, 100), async (number) => {
    const socket = await connection(url);
    socket.write(number % 2 === 0 ? half.slice(0, -2) : `${half}{"query":"`);
    return socket;
  });
  for (let turn = 0; turn < strength(20, 5); turn++) {
    await sleep(200);
    sockets.forEach(
      (socket, number) => socket.writable && socket.write(number % 2 === 0 ? `X-${turn}: 1\r\n` : ' '),
    );
  }
  for (const socket of sockets) socket.destroy();
});

attack('bodies of 20 MiB', async ({ url }) => {
  const body = Buffer.alloc(20 * 2 ** 20, 32);
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[])
    for (const { status, failure } of await all(strength(20, 5), () => send(url, body, { headers })))
      expect(status === 413 || (status === 0 && failure !== null)).toBe(true);
});

/** The time within which the server must end the statements of a client that has left (ms). */
const GRACE_MS = 2_000;

/** Returns the reads of allocations that other connections to the database run now. */
async function allocationReads({ pool }: Database): Promise<string[]> {
  const rows = await pool.query<{ info: string }[]>(
    `SELECT INFO AS info FROM information_schema.PROCESSLIST
     WHERE COMMAND IN ('Query', 'Execute') AND ID <> CONNECTION_ID() AND DB = DATABASE()
       AND INFO LIKE '%\`allocations\`%'`,
  );
  return rows.map(({ info }) => info.slice(0, 200));
}

longAttack(
  'a filter of 1,000 pairs of traits, counted, and 30 of these, by a client that leaves',
  async ({ url, database }) => {
    const rows = await database.pool.query<{ name: string }[]>('SELECT name FROM traits');
    const pick = (number: number): string => rows[number % rows.length].name;
    const requiredTraits = Array.from({ length: 1_000 }, (_, number) => [pick(number), pick(7 * number + 1)]);
    const one = 'resourceProviders(first: 1, filter: $filter) { totalCount nodes { uuid } }';
    for (const selection of [one, aliases(30, one)]) {
      const gone = AbortSignal.timeout(200);
      const query = `query ($filter: ResourceProviderFilter) { ${selection} }`;
      await ask(url, query, { filter: { requiredTraits } }, { signal: gone });
    }
  },
);

longAttack('statements of clients that leave while a table is locked', async ({ url, database }) => {
  const query = '{ resourceProviders(first: 10) { nodes { allocations { nodes { amount } } } } }';
  const locking = await database.pool.getConnection();
  await locking.query('LOCK TABLES allocations WRITE');
  try {
    const gone = new AbortController();
    const asked = all(strength(10, 3), () => ask(url, query, {}, { signal: gone.signal }));
    while ((await allocationReads(database)).length === 0) await sleep(20);
    gone.abort();
    await asked;
    const began = performance.now();
    while ((await allocationReads(database)).length > 0 && performance.now() - began < GRACE_MS)
      await sleep(50);
    expect(await allocationReads(database)).toEqual([]);
  } finally {
    await locking.query('UNLOCK TABLES');
    await locking.release();
  }
});

longAttack('slow filters from 20 clients that stay', async ({ url }) => {
  const lists = [
    'consumers(first: 1000, filter: { resourceClass: "VCPU" }) { totalCount nodes { allocations { amount } } }',
    'resourceProviders(last: 1000, filter: { resources: [{ resourceClass: "VCPU", amount: 1 }] }) { totalCount }',
    'usages(projectId: "project-01") { consumerCount usages { used } byType { type { name } consumerCount usages { used } } }',
    'consumerTypes { name consumerCount }',
  ];
  expectAnswers(await all(20, (number) => ask(url, `{ ${aliases(10, lists[number % lists.length])} }`)));
});

const GROUPS = 'groups: [{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }]';

/** An answer of several megabytes. */
const LARGE = `{ ${aliases(
  4,
  `allocationCandidates(request: { ${GROUPS} }, limit: 1000) {
    allocationRequests { mappings { suffix resourceProviders { uuid name root { uuid name } } } }
    providerSummaries { resourceProvider { uuid name } traitNames } }`,
)} }`;

longAttack('half a million fields without an object of their own', async ({ url }) => {
  const fields = `${aliases(240, 'uuid')} ${aliases(240, 'name').replaceAll(/a(\d+):/g, 'b$1:')}`;
  const lists = [
    `{ resourceProviders(first: 1000) { nodes { ${fields} } } }`,
    `{ allocationCandidates(request: { ${GROUPS} }, limit: 1000) {
      allocationRequests { mappings { resourceProviders { ${fields} } } } } }`,
  ];
  for (const query of lists) {
    await expectAnswersTo(url, query, strength(10, 3));
  }
});

longAttack('event streams that receive no event and have a costly selection', async ({ url }) => {
  const query = `subscription { event: resourceProviderChanged(inTree: { uuid: "ffffffff-ffff-4fff-8fff-ffffffffffff" }) {
    uuid resourceProvider { name aggregates { resourceProviders(first: 50) { nodes { uuid } } } } } }`;
  const streams = await all(strength(400, 100), () => subscribeTo(url, { query }));
  expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
  for (let turn = 0; turn < 3; turn++) expect(codesOf(await ask(url, COSTLY_QUERY))).toEqual([]);
  for (const stream of streams) stream.close();
});

longAttack('large answers in media types beside unknown ones', async ({ url }) => {
  const types = [
    'text/event-stream, application/xml',
    'multipart/mixed, application/xml',
    'application/xml, text/event-stream;q=0.1',
    'multipart/mixed',
  ];
  for (const accept of types) {
    for (let turn = 0; turn < strength(30, 6); turn++) {
      const reply = await send(url, JSON.stringify({ query: LARGE }), { headers: { accept } });
      expect(reply.failure).toBeNull();
      expect(reply.text).not.toContain('[object');
      expect([200, 406, 503]).toContain(reply.status);
    }
  }
});

longAttack('large answers on connections that are read slowly or not at all', async ({ url }) => {
  const gone = new AbortController();
  const slow = all(strength(40, 20), (number) =>
    ask(url, LARGE, {}, { reads: number % 2 === 0 ? 'slowly' : 'nothing', signal: gone.signal }),
  );
  await sleep(strength(10_000, 3_000));
  const other = { localAddress: '127.0.0.3' };
  for (let turn = 0; turn < 3; turn++) {
    const reply = await ask(url, COSTLY_QUERY, {}, other);
    expect({ codes: codesOf(reply), failure: reply.failure }).toEqual({ codes: [], failure: null });
    expect(reply.ms).toBeLessThan(ROOM_MS);
  }
  gone.abort();
  await slow;
});

longAttack('a flood of connections', async ({ url }) => {
  const end = Date.now() + strength(10_000, 3_000);
  await all(strength(200, 50), async () => {
    while (Date.now() < end) {
      const socket = await connection(url);
      socket.write(rawRequest('GET /graphql?query={__typename}'));
      await sleep(20);
      socket.destroy();
    }
  });
});
