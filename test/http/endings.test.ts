import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { postJson } from '../support/httpPost.js';
import { useServer, withCode, withLimits } from './server.js';

/* Every end of a response, of any kind, ends its operation: nothing of its capacity is lost. */

const ENOUGH = 2_000;
const GROUPS = 'groups: [{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }]';
const CANDIDATES = `{ allocationCandidates(request: { ${GROUPS} }, limit: 500) {
  allocationRequests { mappings { suffix resourceProviders { uuid name } } } } }`;
const LARGE =
  '{ resourceProviders(first: 500) { nodes { uuid name inventories { resourceClass { name } total } } } }';
const SUBSCRIPTION = 'subscription { resourceProviderChanged { uuid resourceProvider { name } } }';

const served = useServer({ hosts: 300 });

const inUse = (): number[] => {
  const { small, large } = served.process.operations;
  return [small.cost, large.cost];
};

async function expectAllReleased(): Promise<void> {
  for (const end = Date.now() + ENOUGH; inUse().some((cost) => cost > 0) && Date.now() < end;) await sleep(5);
  expect(inUse()).toEqual([0, 0]);
  expect(served.process.operations.queue.size).toBe(0);
}

beforeEach(() => expectAllReleased());

const post = (query: string, accept: string, signal?: AbortSignal, at = served.url) =>
  postJson(at, { query }, { accept }, { signal });

describe('an operation ends with its answer:', () => {
  test.each([
    ['JSON', LARGE, 'application/json'],
    ['GraphQL JSON', LARGE, 'application/graphql-response+json'],
    ['candidates as text', CANDIDATES, '*/*'],
    ['a type beside an unknown one', CANDIDATES, 'application/xml, application/json;q=0.5'],
    ['a failed parse', '{', 'application/json'],
    ['a failed validation', '{ nothing }', 'application/json'],
    ['a refusal by cost', '{ resourceProviders(first: 999999999) { nodes { uuid } } }', '*/*'],
    ['a mutation', 'mutation { createTrait(input: { name: "no" }) { __typename } }', 'application/json'],
    ['a subscription that is refused', SUBSCRIPTION, 'application/json'],
  ])('%s', async (_kind, query, accept) => {
    const response = await post(query, accept);
    expect(JSON.parse(await response.text())).toBeInstanceOf(Object);
    await expectAllReleased();
  });

  test.each(['text/event-stream', 'text/event-stream, application/xml', 'Text/Event-Stream;charset=utf-8'])(
    'events for %s, whatever the length',
    async (accept) => {
      for (const query of [CANDIDATES, LARGE, '{ __typename }', '{ nothing }']) {
        const text = await (await post(query, accept)).text();
        const data = /^data: (\{.*)$/m.exec(text)?.[1];
        expect(JSON.parse(data!)).toBeInstanceOf(Object);
        expect(text).not.toContain('[object');
        await expectAllReleased();
      }
    },
  );

  test.each([
    'multipart/mixed',
    'multipart/mixed, application/xml',
    'image/png',
    'application/json;charset=latin1',
  ])('no type that is served: %s', async (accept) => {
    const response = await post(CANDIDATES, accept);
    expect(response.status).toBe(406);
    await response.text();
    await expectAllReleased();
  });

  test.each(['application/json', 'text/event-stream'])(
    'a client that leaves while %s is made',
    async (accept) => {
      await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const client = new AbortController();
          const asked = post(at % 2 ? LARGE : CANDIDATES, accept, client.signal).catch(() => null);
          await sleep(at);
          client.abort();
          await asked;
        }),
      );
      await expectAllReleased();
    },
  );
});

describe('idle subscriptions', () => {
  test('idle streams take no capacity, and each event takes it while it is produced', async () => {
    const client = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 60 }, () => post(SUBSCRIPTION, 'text/event-stream', client.signal)),
    );
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    await expectAllReleased();
    expect((await post(LARGE, 'application/json')).status).toBe(200);
    const written = await post(
      'mutation { createResourceProvider(input: { name: "seen" }) { __typename } }',
      'application/json',
    );
    expect(await written.text()).toContain('Payload');
    const reader = streams[0].body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; !text.includes('"seen"');) text += (await reader.read()).value;
    await expectAllReleased();
    client.abort();
    while (served.process.watch.size > 0) await sleep(20);
  });
});

describe('a client that does not read its answers', () => {
  const SMALL = { unsent: 1_000_000, unsentOfSender: 400_000, sendRate: 1e9, unreadTimeout: 60_000 };

  /** `count` times 200 kB. */
  const long = (count: number): string =>
    `{ ${Array.from(
      { length: count },
      (_, n) =>
        `a${n}: allocationCandidates(request: { ${GROUPS} }, limit: 300) { allocationRequests { mappings { resourceProviders { uuid name root { uuid name } } } } providerSummaries { resourceProvider { uuid name } traitNames resources { resourceClass { name } capacity used } } }`,
    ).join(' ')} }`;

  /** Sends a query and returns the answer, of which only the head has been read. */
  function unread(at: string, query: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const sent = httpRequest(at, { method: 'POST', agent: false, headers }, (response) => {
        resolve(response.pause().on('error', () => undefined));
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ query }));
    });
  }

  /** Reads an answer with a pause after each part. Returns true if the answer is complete. */
  async function read(response: IncomingMessage, pause: number): Promise<boolean> {
    response.on('data', () => {
      if (pause === 0) return;
      response.pause();
      setTimeout(() => response.resume(), pause);
    });
    response.resume();
    await new Promise((resolve) => response.once('close', resolve));
    return response.complete;
  }

  test('takes no capacity, and gets no further answers until it reads or leaves', () =>
    withLimits(served.process, SMALL, async (at) => {
      const answer = await unread(at, long(20)); // 4 MB: more than the buffers of a connection
      await expectAllReleased();
      const refused = await post('{ __typename }', '*/*', undefined, at);
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject(withCode('OVERLOADED'));
      answer.destroy();
      for (let status = 503; status === 503; await sleep(10))
        ({ status } = await post('{ __typename }', '*/*', undefined, at));
    }));

  test('is cut off if it reads at less than the minimum rate', () =>
    withLimits(served.process, { sendRate: 10_000_000, sendGrace: 500 }, async (at) => {
      const [slow, quick] = await Promise.all([unread(at, long(40)), unread(at, long(40))]);
      expect(await Promise.all([read(slow, 100), read(quick, 0)])).toEqual([false, true]);
    }));
});
