import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ask, open, refusal } from './support.js';

// Keystone itself is asked in test/keystone; here is what one only answers that is broken, misused or slow

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function answering(listener: RequestListener): Promise<ReturnType<typeof open>> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return open({ 'keystone.url': `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const AWAY = 'AuthenticationUnavailable: Keystone returned an invalid answer: try again later.';
const REFUSED = 'Unauthenticated: The token is not known to Keystone, has expired or is revoked.';
const future = '2100-01-01T00:00:00.000000Z';
const whole = { user: { id: 'u1' }, roles: [{ name: 'Admin' }], project: { id: 'p1' }, expires_at: future };

test.each<[string, number, string]>([
  ['500', 500, ''],
  ['503', 503, '{}'],
  ['429', 429, '{}'],
  ['400', 400, '{}'],
  ['a redirection', 302, ''],
  ['no JSON', 200, '<html>'],
  ['no token', 200, '{}'],
  ['no user', 200, JSON.stringify({ token: { ...whole, user: undefined } })],
  ['no end', 200, JSON.stringify({ token: { ...whole, expires_at: null } })],
  ['odd roles', 200, JSON.stringify({ token: { ...whole, roles: ['admin'] } })],
  ['an odd project', 200, JSON.stringify({ token: { ...whole, project: { id: '' } } })],
  ['too much', 200, JSON.stringify({ token: whole, more: 'x'.repeat(2 ** 20) })],
])('an answer with %s says nothing of the token', async (_, status, body) => {
  const { authenticator, reports } = await answering((__, response) => response.writeHead(status).end(body));
  expect(await refusal(authenticator, 'abc')).toBe(AWAY);
  expect(await refusal(authenticator, 'abc')).toBe(AWAY);
  expect(reports).toHaveLength(1); // not one for each request
  expect(reports.join()).not.toContain('abc');
});

test.each([401, 404])('%s says that the token does not hold', async (status) => {
  const { authenticator, reports } = await answering((_, response) => response.writeHead(status).end());
  expect(await refusal(authenticator, 'abc')).toBe(REFUSED);
  expect(reports).toEqual([]);
});

test('403 tells the operator which policy is in the way', async () => {
  const { authenticator, reports } = await answering((_, response) => response.writeHead(403).end());
  expect(await refusal(authenticator, 'abc')).toBe(AWAY);
  expect(reports.join()).toContain('identity:validate_token must allow rule:token_subject');
});

test('Keystone is shown the token alone, and roles in capitals are what they are', async () => {
  const seen: unknown[] = [];
  const { authenticator } = await answering(({ method, url, headers }, response) => {
    seen.push([method, url, headers['x-auth-token'], headers['x-subject-token']]);
    response.end(JSON.stringify({ token: whole }));
  });
  expect(await ask(authenticator, 'abc')).toEqual({
    userId: 'u1',
    roles: new Set(['admin']),
    projectId: 'p1',
    isOfSystem: false,
    expiresAt: Date.parse(future),
  });
  expect(seen).toEqual([['GET', '/v3/auth/tokens?nocatalog', 'abc', 'abc']]);
});

test('a token that has expired by the time of the answer is not remembered', async () => {
  let count = 0;
  const { authenticator } = await answering((_, response) => {
    count += 1;
    const token = { ...whole, expires_at: new Date(Date.now() - 1_000).toISOString() };
    response.end(JSON.stringify({ token }));
  });
  expect(await refusal(authenticator, 'abc')).toBe('Unauthenticated: The token has expired.');
  expect(await refusal(authenticator, 'abc')).toBe('Unauthenticated: The token has expired.');
  expect(count).toBe(2);
});

describe('a Keystone that does not answer', () => {
  test('is waited for, but not for long', async () => {
    const { authenticator, reports } = await answering(() => undefined);
    const began = Date.now();
    expect(await refusal(authenticator, 'abc')).toBe(AWAY);
    expect(Date.now() - began).toBeGreaterThan(4_500);
    expect(Date.now() - began).toBeLessThan(7_000);
    expect(reports).toEqual([expect.stringMatching(/abort|timeout/i)]);
  });

  test('in full is not waited for, either', async () => {
    const { authenticator } = await answering((_, response) => response.writeHead(200).write('{"token":'));
    const began = Date.now();
    expect(await refusal(authenticator, 'abc')).toBe(AWAY);
    expect(Date.now() - began).toBeLessThan(7_000);
  });

  test('Keystone receives few concurrent requests, and the number of waiting ones is limited', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const answer = (response: ServerResponse) => response.end(JSON.stringify({ token: whole }));
    const { authenticator } = await answering((_, response) => {
      if (most > 0) return void answer(response);
      held.push(response);
      if (held.length !== 32) return;
      setTimeout(() => {
        most = held.length; // more than 32, if more requests than that were sent
        held.forEach(answer);
      }, 100);
    });
    const tokens = Array.from({ length: 1_050 }, (_, at) => `token-${at}`);
    const answers = await Promise.all(
      tokens.map((token) => refusal(authenticator, token).catch(() => 'taken')),
    );
    const tooMany = 'AuthenticationUnavailable: Too many tokens are being checked: try again later.';
    expect(most).toBe(32);
    expect(new Set(answers.slice(0, 32))).toEqual(new Set(['taken'])); // a slow machine may not answer all others in time
    expect(answers.map((answer) => answer === tooMany)).toEqual(tokens.map((_, at) => at >= 1_000));
  });
});
