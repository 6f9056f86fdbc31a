import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { subscribe } from '../support/events.js';
import { send, useServer, withServer, type Answer } from './server.js';

/** A long answer that is made before it is sent, and one that is so long that it is sent while it is made. */
const LONG = '{ traits { name isStandard } }';
const STREAMED = `{
  allocationCandidates(request: { seed: 1, groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) {
    allocationRequests {
      allocations { resourceProvider { uuid name generation } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { uuid name } }
    }
    providerSummaries { resourceProvider { uuid name } resources { resourceClass { name } capacity used } traitNames }
  }
}`;

const served = useServer({ hosts: 500 });

/** A client that neither asks for compression nor undoes it, unless it accepts a coding. */
const ask = (query: string, accepted?: string, port = served.port): Promise<Answer> =>
  send(port, { query, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

const text = ({ headers: { 'content-encoding': coding }, body }: Answer): string => {
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return (coding === 'gzip' ? gunzipSync(body) : body).toString();
};

type Accepted = [accepted: string | undefined, coding: string | undefined];

/** The first three have each coding once. */
const ACCEPTED: Accepted[] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  [undefined, undefined],
  ['br;q=0.9, gzip', 'br'],
  ['*', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ...['', 'identity', 'deflate', 'zstd', 'gzip;q=0', 'compress'].map((none): Accepted => [none, undefined]),
];

describe.each([
  ['a long answer', LONG, 8_192, ACCEPTED],
  ['an answer that is sent while it is made', STREAMED, 262_144, ACCEPTED.slice(0, 3)],
])('%s', (_what, query, longer, cases) => {
  let plain: string;
  beforeAll(async () => {
    plain = text(await ask(query));
    expect(plain.length).toBeGreaterThan(longer);
  });

  test.each(cases)('for a client that accepts %s has the coding %s', async (accepted, coding) => {
    const answer = await ask(query, accepted);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(text(answer)).toBe(plain);
    if (coding === undefined) return;
    expect(answer.headers.vary).toBe('accept-encoding');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body.length).toBeLessThan(plain.length / 3);
  });

  test('no answer is compressed if the setting disables it', () =>
    withServer(served.process, { hasCompression: false }, async ({ port }) => {
      const { headers } = await ask(query, 'gzip', port);
      expect(headers['content-encoding']).toBeUndefined();
    }));
});

test('a short answer is not compressed', async () => {
  const { headers } = await ask('{ __typename }', 'gzip, br');
  expect(headers['content-encoding']).toBeUndefined();
});

test('the page is compressed, too', async () => {
  const page = async (accepted: string) => {
    const response = await fetch(served.url, {
      headers: { accept: 'text/html', 'accept-encoding': accepted },
    });
    return { coding: response.headers.get('content-encoding'), text: await response.text() };
  };
  const plain = await page('identity');
  expect(plain).toMatchObject({ coding: null, text: expect.stringContaining('<!doctype html>') as unknown });
  for (const coding of ['br', 'gzip', 'br']) expect(await page(coding)).toEqual({ ...plain, coding });
});

test('events are sent uncompressed and immediately', async () => {
  const stream = await subscribe(served.url);
  expect(stream.response.headers.get('content-encoding')).toBe('none');
  await ask('mutation { createResourceProvider(input: { name: "told-at-once" }) { __typename } }');
  expect(await stream.next()).toMatchObject({ deleted: false });
  stream.close();
});

test('clients that leave in the middle of an answer are no failure', async () => {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
  for (let client = 0; client < 5; client++) {
    await new Promise((resolve) => {
      const sent = request(served.url, { method: 'POST', headers }, (response) => {
        response.once('data', () => response.destroy()).once('close', resolve);
      });
      sent.on('error', () => undefined).end(JSON.stringify({ query: STREAMED }));
    });
  }
  await sleep(100);
  expect(text(await ask(STREAMED, 'br'))).toMatch(/\}$/);
  expect(served.reported).toEqual([]);
});
