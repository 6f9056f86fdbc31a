import { request } from 'node:http';
import { createServer as createTlsProxy, type Server as Proxy } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createProcess, type Process } from '../../src/process/process.js';
import type { Server, ServerOptions } from '../../src/server/server.js';
import { issuePair, type IssuedPair } from '../support/certificates.js';
import { useDatabase } from '../support/useDatabase.js';
import { send, serve, type Answer, type Sent } from './server.js';

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

const database = useDatabase();
let process: Process;
let pair: IssuedPair;
let server: Server;
let proxy: Proxy;

beforeAll(async () => void (pair = await issuePair('placement.example')));
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await server.close();
});

async function start(options: ServerOptions, host?: string): Promise<void> {
  const served = await serve(createProcess(database), options);
  ({ process, server } = served);
  proxy = await startProxy(served.port, pair, host);
}

/** Asks the proxy as a client does that knows it as placement.example. */
const ask = ({ headers, ...sent }: Sent): Promise<Answer> =>
  send(
    (proxy.address() as AddressInfo).port,
    {
      method: sent.query === undefined ? 'GET' : 'POST',
      ...sent,
      headers: { host: 'placement.example', ...headers },
    },
    { host: '127.0.0.1', servername: 'placement.example', ca: pair.authority },
  );

const PAGE = { origin: 'https://placement.example' };
const QUERY = '{ __typename }';

describe('behind a proxy that passes the Host on', () => {
  const options = { allowedHosts: ['placement.example'] };

  test('programs and pages of the proxy are served', async () => {
    await start(options);
    expect(await ask({ query: QUERY })).toMatchObject({ status: 200 });
    expect(await ask({ query: QUERY, headers: PAGE })).toMatchObject({ status: 200 });
    expect(await ask({ query: QUERY, headers: { origin: 'https://evil.example' } })).toMatchObject({
      status: 403,
    });
  });

  test('addresses in answers are relative: they are those of the proxy', async () => {
    await start({ ...options, hasDashboard: false });
    expect(await ask({ path: '/' })).toMatchObject({ status: 302, headers: { location: '/graphql' } });
    const page = await ask({ headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/https?:\/\/(127\.0\.0\.1|placement\.example)/);
  });

  test('the host must be allowed, whatever headers of proxies say', async () => {
    await start({});
    expect(await ask({ query: QUERY })).toMatchObject({ status: 421 });
    expect(await ask({ query: QUERY, headers: { 'x-forwarded-host': 'localhost' } })).toMatchObject({
      status: 421,
    });
  });
});

describe('behind a proxy that sends a Host of its own', () => {
  test('programs are served, and pages once their origin is allowed', async () => {
    await start({}, 'localhost:4000');
    expect(await ask({ query: QUERY })).toMatchObject({ status: 200 });
    expect(await ask({ query: QUERY, headers: PAGE })).toMatchObject({ status: 403 });
  });

  test('so are its pages', async () => {
    await start({ allowedOrigins: ['https://placement.example'] }, 'localhost:4000');
    expect(await ask({ query: QUERY, headers: PAGE })).toMatchObject({ status: 200 });
  });
});

test('events come through as they happen, and the subscription ends with its client', async () => {
  await start({ allowedHosts: ['placement.example'] });
  const subscription = ask({
    query: 'subscription { resourceProviderChanged { uuid } }',
    headers: { accept: 'text/event-stream' },
    isEnough: (text) => text.includes('event: next'),
  });
  while (process.watch.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await ask({ query: 'mutation { createResourceProvider(input: { name: "behind" }) { __typename } }' });
  const { headers, text } = await subscription;
  expect(text).toContain('resourceProviderChanged');
  expect(headers).toMatchObject({ 'x-accel-buffering': 'no', 'cache-control': 'no-cache' });
  proxy.closeAllConnections();
  while (process.watch.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
