import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProcess } from '../../src/process/process.js';
import { createServer, type Server } from '../../src/server/server.js';
import { Command } from '../cli/command.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

const WRITE = 'mutation { createTrait(input: { name: "CUSTOM_FORGED" }) { __typename } }';

let database: TestDatabase;
let server: Server;
let port: number;

beforeAll(async () => {
  database = await testDatabase();
  server = createServer(createProcess(database), {
    allowedHosts: ['placement.example'],
    allowedOrigins: ['https://console.example'],
  });
  ({ port } = await server.listen(0, '127.0.0.1'));
});

afterAll(async () => {
  await server.close();
  await database.close();
});

interface Sent {
  readonly port?: number;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** By Node's own client: `fetch` chooses some of these headers itself. */
function send({
  port: to = port,
  method = 'POST',
  path = '/graphql',
  headers,
  query = '{ __typename }',
}: Sent) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const sent = request({ port: to, method, path, headers: { ...type, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject).end(method === 'POST' ? JSON.stringify({ query }) : undefined);
  });
}

const FORBIDDEN = expect.stringContaining('"code":"FORBIDDEN"') as unknown as string;

describe('hosts', () => {
  test.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.0.0.1:4000',
    '[::1]:80',
    'placement.example:8443',
  ])('%s is of this server', async (host) => {
    expect(await send({ headers: { host } })).toMatchObject({ status: 200 });
  });

  test.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '[::]',
  ])('%s, a name that may have been made to lead here, is not', async (host) => {
    for (const path of ['/graphql', '/', '/healthz']) {
      expect(await send({ path, headers: { host } })).toEqual({ status: 421, text: FORBIDDEN });
    }
    await send({ headers: { host }, query: WRITE });
  });
});

describe('web pages', () => {
  const own = (): string => `http://localhost:${port}`;

  test('of the server itself may send requests, also behind a proxy with TLS', async () => {
    const host = `localhost:${port}`;
    expect(await send({ headers: { host, origin: own() } })).toMatchObject({ status: 200 });
    const proxy = { host: 'placement.example', origin: 'https://placement.example' };
    expect(await send({ headers: proxy })).toMatchObject({ status: 200 });
    expect(await send({ headers: { origin: 'https://console.example' } })).toMatchObject({ status: 200 });
  });

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'http://127.0.0.1',
    'https://console.example.evil',
  ])('of %s may not', async (origin) => {
    const headers = { host: `localhost:${port}`, origin };
    expect(await send({ headers, query: WRITE })).toEqual({ status: 403, text: FORBIDDEN });
    const get = { method: 'GET', path: '/graphql?query={__typename}', headers };
    expect(await send(get)).toEqual({ status: 403, text: FORBIDDEN });
    expect(await send({ method: 'OPTIONS', headers })).toEqual({ status: 403, text: FORBIDDEN });
  });

  test.each(['cross-site', 'same-site'])('a script or picture (%s) runs no query', async (site) => {
    const headers = { 'sec-fetch-site': site };
    const get = { method: 'GET', path: '/graphql?query={__typename}', headers };
    expect(await send(get)).toEqual({ status: 403, text: FORBIDDEN });
  });

  test('links lead to the page, and run nothing', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html,*/*;q=0.8' };
    const { status, text } = await send({ method: 'GET', path: '/graphql?query={__typename}', headers });
    expect(status).toBe(200);
    expect(text.trimStart().slice(0, 15)).toBe('<!doctype html>');
  });

  test('links run nothing where there is no page', async () => {
    const own = createServer(createProcess(database), { hasGraphiql: false });
    const { port: other } = await own.listen(0, '127.0.0.1');
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html,*/*;q=0.8' };
    const path = '/graphql?query={__typename}';
    expect(await send({ port: other, method: 'GET', path, headers })).toEqual({
      status: 403,
      text: FORBIDDEN,
    });
    const sameSite = { ...headers, 'sec-fetch-site': 'none' };
    expect(await send({ port: other, method: 'GET', path, headers: sameSite })).toMatchObject({
      status: 200,
    });
    await own.close();
  });

  test('programs send neither header and are not concerned', async () => {
    expect(await send({ method: 'GET', path: '/graphql?query={__typename}' })).toMatchObject({ status: 200 });
  });

  test('nothing of what was refused took place', async () => {
    expect((await send({ query: '{ trait(name: "CUSTOM_FORGED") { name } }' })).text).toContain(
      '"trait":null',
    );
  });
});

test('the command takes both from its options', async () => {
  const options = ['--allowed-host', 'placement.example', '--allowed-origin', 'https://console.example'];
  const command = new Command(['serve', '--port', '0', ...options], {
    DATABASE_URL: database.url,
  });
  try {
    await command.says('/graphql\n');
    const own = Number(/:(\d+)\/graphql\n/.exec(command.said)![1]);
    const from = (host: string, origin: string) => send({ port: own, headers: { host, origin } });
    expect(await from('placement.example', 'https://console.example')).toMatchObject({ status: 200 });
    expect(await from('placement.example', 'https://other.example')).toMatchObject({ status: 403 });
    expect(await from('other.example', 'https://console.example')).toMatchObject({ status: 421 });
  } finally {
    command.signal('SIGTERM');
    await command.ended();
  }
}, 60_000);
