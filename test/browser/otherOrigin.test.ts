import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { useServer } from '../http/server.js';
import { launchChromium } from './chromium.js';

const pages: Server[] = [];
/** Two origins with a page each. */
let allowedOrigin: string;
let otherOrigin: string;
const allowedOrigins: string[] = [];
let browser: Browser;
let page: Page;

/** Chromium takes `127.0.0.1` and `localhost` for different sites, so that the requests are cross-site ones. */
async function startPage(): Promise<string> {
  const started = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>console</title>');
  });
  pages.push(started);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(started.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  [allowedOrigin, otherOrigin] = [await startPage(), await startPage()];
  allowedOrigins.push(allowedOrigin);
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  for (const each of pages) each.close();
});

const served = useServer({ hosts: 20, allowedOrigins });

interface Seen {
  readonly status?: number;
  readonly body?: unknown;
  readonly requestId?: string | null;
  readonly error?: string;
}

/** What a script of the open page gets that posts a document. */
const post = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> =>
  page.evaluate(
    async ([to, body, more]): Promise<Seen> => {
      try {
        const response = await fetch(to, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...more },
          body,
        });
        const requestId = response.headers.get('x-request-id');
        return { status: response.status, requestId, body: await response.json() };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [served.url, JSON.stringify({ query }), headers] as const,
  );

const QUERY = `{ allocationCandidates(
  request: { seed: 1, groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }, limit: 3
) { allocationRequests { mappings { suffix } } } }`;

const claim = (uuid: string): string => `mutation { claim(input: { members: { name: "vm"
  consumers: [{ consumer: "${uuid}", projectId: "p", userId: "u" }]
  requests: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }
} }) { __typename } }`;

const consumerOf = (uuid: string): string => `{ consumer(uuid: "${uuid}") { uuid } }`;

describe('a page of an allowed origin', () => {
  beforeEach(() => page.goto(allowedOrigin));

  test('queries, and reads the id of its request', async () => {
    const { status, body, requestId } = await post(QUERY, { 'x-request-id': 'from-the-page' });
    expect([status, requestId]).toEqual([200, 'from-the-page']);
    expect(body).toHaveProperty('data.allocationCandidates.allocationRequests.2');
  });

  test('sends tokens, and headers by which requests are traced', async () => {
    const { status } = await post('{ __typename }', {
      authorization: 'Bearer token',
      'x-auth-token': 'token',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    expect(status).toBe(200);
  });

  test('claims', async () => {
    const uuid = '01000000-0000-4000-8000-000000000001';
    expect(await post(claim(uuid))).toMatchObject({
      body: { data: { claim: { __typename: 'ClaimPayload' } } },
    });
    expect(await post(consumerOf(uuid))).toMatchObject({ body: { data: { consumer: { uuid } } } });
  });

  test('subscribes', async () => {
    await page.evaluate((to) => {
      const events: string[] = [];
      Object.assign(window, { events });
      void fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { resourceProviderChanged { uuid } }' }),
      }).then(async (response) => {
        events.push('open');
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read()) events.push(read.value);
      });
    }, served.url);
    const has = (text: string) =>
      page.waitForFunction(
        (wanted) => String((window as { events?: string[] }).events).includes(wanted),
        text,
      );
    await has('open');
    await post('mutation { createResourceProvider(input: { name: "seen-by-the-page" }) { __typename } }');
    await has('"resourceProviderChanged":{"uuid"');
  });

  test('another origin receives the error of its request', async () => {
    expect(await post('{ nothing }')).toMatchObject({
      body: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    });
  });
});

describe('a page of another origin', () => {
  beforeEach(() => page.goto(otherOrigin));

  test.each([
    ['query', {}],
    ['query with a token', { authorization: 'Bearer token' }],
  ])('cannot %s', async (_what, headers) => {
    expect(await post(QUERY, headers)).toEqual({ error: 'TypeError: Failed to fetch' });
  });

  test('cannot claim', async () => {
    const uuid = '01000000-0000-4000-8000-000000000002';
    expect(await post(claim(uuid))).toEqual({ error: 'TypeError: Failed to fetch' });
    await page.goto(allowedOrigin);
    expect(await post(consumerOf(uuid))).toMatchObject({ body: { data: { consumer: null } } });
  });

  test('cannot subscribe', async () => {
    const subscription = 'subscription { resourceProviderChanged { uuid } }';
    expect(await post(subscription, { accept: 'text/event-stream' })).toHaveProperty('error');
  });

  test('cannot send what needs no preflight either', async () => {
    const seen = await page.evaluate(async (to) => {
      const body =
        '{"query":"mutation { createTrait(input: { name: \\"CUSTOM_FORGED\\" }) { __typename } }"}';
      const type = (await fetch(to, { method: 'POST', mode: 'no-cors', body })).type;
      const get = await fetch(`${to}?query={__typename}`).catch(String);
      return [type, get];
    }, served.url);
    expect(seen).toEqual(['opaque', 'TypeError: Failed to fetch']);
    await page.goto(allowedOrigin);
    expect(await post('{ trait(name: "CUSTOM_FORGED") { name } }')).toMatchObject({
      body: { data: { trait: null } },
    });
  });
});
