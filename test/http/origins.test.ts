import { describe, expect, test } from '@jest/globals';
import { send as sendTo, useServer, withServer, type Answer, type Sent } from './server.js';

const WRITE = 'mutation { createTrait(input: { name: "CUSTOM_FORGED" }) { __typename } }';

const served = useServer({
  allowedHosts: ['placement.example'],
  allowedOrigins: ['https://console.example'],
});

async function send(sent: Sent, port = served.port): Promise<Pick<Answer, 'status' | 'text'>> {
  const { status, text } = await sendTo(port, sent);
  return { status, text };
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
  const own = (): string => `http://localhost:${served.port}`;

  test('of the server itself may send requests, also behind a proxy with TLS', async () => {
    const host = `localhost:${served.port}`;
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
    'https://console.example:444',
    'http://console.example',
  ])('pages of %s get no CORS header and an error that names the setting', async (origin) => {
    const headers = { host: `localhost:${served.port}`, origin };
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    for (const sent of [
      { headers, query: WRITE },
      { method: 'GET', path: '/graphql?query={__typename}', headers },
      { method: 'OPTIONS', headers },
      { method: 'OPTIONS', headers: preflight },
    ]) {
      const answer = await sendTo(served.port, sent);
      expect(answer).toMatchObject({ status: 403, text: FORBIDDEN });
      expect(answer.text).toContain('http.allowedOrigins');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
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

  test('links run no operation without a page', () =>
    withServer(served.process, { hasGraphiql: false }, async ({ port }) => {
      const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html,*/*;q=0.8' };
      const get = { method: 'GET', path: '/graphql?query={__typename}' };
      expect(await send({ ...get, headers }, port)).toEqual({ status: 403, text: FORBIDDEN });
      const sameSite = { ...headers, 'sec-fetch-site': 'none' };
      expect(await send({ ...get, headers: sameSite }, port)).toMatchObject({ status: 200 });
    }));

  test('programs send neither header and are not concerned', async () => {
    expect(await send({ method: 'GET', path: '/graphql?query={__typename}' })).toMatchObject({ status: 200 });
  });

  test('the rejected requests changed nothing', async () => {
    expect((await send({ query: '{ trait(name: "CUSTOM_FORGED") { name } }' })).text).toContain(
      '"trait":null',
    );
  });
});
