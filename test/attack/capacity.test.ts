import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { COSTLY_QUERY } from '../support/costlyQuery.js';
import { subscribeTo } from '../support/events.js';
import { attack, attackedServer, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, send } from './requests.js';
import { cases } from '../support/length.js';

attackedServer();

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
    expectAnswers([await ask(url, query)]);
    expectAnswers(await all(strength(10, 3), () => ask(url, query)));
  }
});

attack('event streams that receive no event and have a costly selection', async ({ url }) => {
  const query = `subscription { event: resourceProviderChanged(inTree: { uuid: "ffffffff-ffff-4fff-8fff-ffffffffffff" }) {
    uuid resourceProvider { name aggregates { resourceProviders(first: 50) { nodes { uuid } } } } } }`;
  const streams = await all(strength(400, 100), () => subscribeTo(url, { query }));
  expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
  for (let turn = 0; turn < 3; turn++) expect(codesOf(await ask(url, COSTLY_QUERY))).toEqual([]);
  for (const stream of streams) stream.close();
});

attack('large answers in media types beside unknown ones', async ({ url }) => {
  const types = [
    'text/event-stream, application/xml',
    'multipart/mixed, application/xml',
    'application/xml, text/event-stream;q=0.1',
    'multipart/mixed',
  ];
  for (const accept of types) {
    for (let turn = 0; turn < strength(30, cases(6, 1)); turn++) {
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
    expect(reply.ms).toBeLessThan(5_000);
  }
  gone.abort();
  await slow;
});

longAttack('a flood of connections', async ({ url }) => {
  const { hostname, port } = new URL(url);
  const end = Date.now() + strength(10_000, 3_000);
  await all(strength(200, 50), async () => {
    while (Date.now() < end) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write('GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await sleep(20);
      socket.destroy();
    }
  });
});
