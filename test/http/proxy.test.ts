import { request } from 'node:http';
import { createServer as createTlsProxy, type Server as Proxy } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { ServerOptions } from '../../src/server/server.js';
import { issuePair, type IssuedPair } from '../support/certificates.js';
import { send, useServer, withServer, type Answer, type Sent } from './server.js';

/** A reverse proxy with TLS before a server without: as nginx passes requests on, with the client's Host or one of its own. */
async function startProxy(port: number, pair: IssuedPair, host?: string): Promise<Proxy> {
  const proxy = createTlsProxy({ cert: pair.certificate, key: pair.key }, (received, answer) => {
    const { method, url: path, headers } = received;
    const passed = {
      ...headers,
      ...(host !== undefined && { host }),
      'x-forwarded-proto': 'https',
      'x-forwarded-host': headers.host,
      'x-forwarded-for': '203.0.113.7',
    };
    const sent = request({ port, method, path, headers: passed }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    answer.once('close', () => sent.destroy());
    received.pipe(sent.on('error', () => answer.destroy()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

const served = useServer();
let pair: IssuedPair;
beforeAll(async () => void (pair = await issuePair('placement.example')));

type Ask = (sent?: Sent) => Promise<Answer>;

/** Serves behind a proxy while `work` runs, whose requests are those of a client that knows the proxy as placement.example. */
const behindProxy = (
  options: ServerOptions,
  host: string | undefined,
  work: (ask: Ask, proxy: Proxy) => Promise<void>,
): Promise<void> =>
  withServer(served.process, options, async ({ port }) => {
    const proxy = await startProxy(port, pair, host);
    const { port: proxyPort } = proxy.address() as AddressInfo;
    const tls = { host: '127.0.0.1', servername: 'placement.example', ca: pair.authority };
    const ask: Ask = ({ headers, ...sent } = {}) =>
      send(proxyPort, { ...sent, headers: { host: 'placement.example', ...headers } }, tls);
    try {
      await work(ask, proxy);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

const HOSTS = { allowedHosts: ['placement.example'] };
const ORIGINS = { allowedOrigins: ['https://placement.example'] };
const OWN = 'localhost:4000';

test.each([
  ['passes an allowed Host on', HOSTS, undefined, [200, 200, 403]],
  ['passes a Host on that is not allowed, whatever its other headers say', {}, undefined, [421, 421, 421]],
  ['sends a Host of its own', {}, OWN, [200, 403, 403]],
  ['sends a Host of its own, and whose origin is allowed', ORIGINS, OWN, [200, 200, 403]],
])(
  'behind a proxy that %s, programs, its pages and other pages get the right status',
  (_what, options, host, statuses) =>
    behindProxy(options, host, async (ask) => {
      const senders: Sent['headers'][] = [
        {},
        { origin: 'https://placement.example' },
        { origin: 'https://evil.example' },
      ];
      const answers = await Promise.all(senders.map((headers) => ask({ headers })));
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    }),
);

test('addresses in answers are relative: they are those of the proxy', () =>
  behindProxy({ ...HOSTS, hasDashboard: false }, undefined, async (ask) => {
    const root = await ask({ method: 'GET', path: '/' });
    expect(root).toMatchObject({ status: 302, headers: { location: '/graphql' } });
    const page = await ask({ method: 'GET', headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/https?:\/\/(127\.0\.0\.1|placement\.example)/);
  }));

test('events come through as they happen, and the subscription ends with its client', () =>
  behindProxy(HOSTS, undefined, async (ask, proxy) => {
    const { watch } = served.process;
    const subscription = ask({
      query: 'subscription { resourceProviderChanged { uuid } }',
      headers: { accept: 'text/event-stream' },
      isEnough: (text) => text.includes('event: next'),
    });
    while (watch.size === 0) await sleep(20);
    await ask({ query: 'mutation { createResourceProvider(input: { name: "behind" }) { __typename } }' });
    const { headers, text } = await subscription;
    expect(text).toContain('resourceProviderChanged');
    expect(headers).toMatchObject({ 'x-accel-buffering': 'no', 'cache-control': 'no-cache' });
    proxy.closeAllConnections();
    while (watch.size > 0) await sleep(20);
  }));
