import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createAuthenticator } from '../../src/server/authentication/authenticator.js';
import { hashOf, newToken } from '../../src/server/authentication/tokens/secret.js';
import { tokensAsText } from '../../src/server/authentication/tokens/tokenFile.js';
import { newFile, newPath, open, settingsWith } from './support.js';

const token = newToken();
const created = '2030-01-01T00:00:00Z';
const text = tokensAsText([
  { name: 'nova', hash: hashOf(token), roles: ['service'], projectId: null, expires: null, created },
]);

/** Headers as Node's server gives them. */
async function received(lines: string[]): Promise<IncomingHttpHeaders> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  request({ port, host: '127.0.0.1', headers: ['host', 'localhost', ...lines] as never }).end();
  const [{ headers }] = (await once(server, 'request')) as [{ headers: IncomingHttpHeaders }];
  server.close();
  return headers;
}

describe('the token of a request', () => {
  const { authenticator } = open({ 'tokens.file': newFile(text) });

  test.each([
    ['authorization', `Bearer ${token}`],
    ['authorization', `bearer   ${token}`],
    ['x-auth-token', token],
  ])('is that of %s: %s', async (...lines) => {
    expect(authenticator.authenticate(await received(lines))).toMatchObject({ userId: 'nova' });
  });

  const noToken = 'The request has no token: send "Authorization: Bearer TOKEN" or "X-Auth-Token: TOKEN".';
  const notOne = 'The header does not have one token, or it has characters that no token has.';
  test.each([
    [noToken, []],
    [noToken, ['cookie', `token=${token}`]],
    ['Authorization must be "Bearer TOKEN".', ['authorization', token]],
    ['Authorization must be "Bearer TOKEN".', ['authorization', 'Bearer']],
    ['Authorization must be "Bearer TOKEN".', ['authorization', `Basic ${token}`]],
    [notOne, ['authorization', `Bearer ${token}, Bearer ${token}`]],
    [notOne, ['authorization', `Bearer ${token} ${token}`]],
    [notOne, ['x-auth-token', token, 'x-auth-token', token]],
    [notOne, ['x-auth-token', `${token},`]],
    [notOne, ['x-auth-token', '']],
    [
      'The request has both Authorization and X-Auth-Token: send one of them.',
      ['authorization', `Bearer ${token}`, 'x-auth-token', token],
    ],
    [
      'The request has both Authorization and X-Auth-Token: send one of them.',
      ['authorization', 'Basic x', 'x-auth-token', token],
    ],
    ['The token is longer than 8192 characters.', ['x-auth-token', 'x'.repeat(8_193)]],
    [
      'The server does not accept this kind of token. It accepts static tokens.',
      ['x-auth-token', 'x'.repeat(8_192)],
    ],
    ['The token is not known, or is revoked.', ['x-auth-token', newToken()]],
  ])('is invalid: %s %#', async (message, lines) => {
    const headers = await received(lines);
    expect(() => authenticator.authenticate(headers)).toThrow(message);
    expect(() => authenticator.authenticate(headers)).toThrow(
      expect.objectContaining({ name: 'Unauthenticated' }),
    );
  });
});

describe('settings', () => {
  const make = (given: Parameters<typeof settingsWith>[0]) =>
    createAuthenticator(settingsWith(given), () => undefined);

  test('may turn on no method', () => expect(make({})).toBe(null));

  test('contradictory settings and invalid files are reported together', () => {
    const file = newPath();
    expect(() => make({ 'jwt.audience': 'placement', 'jwt.keyFile': file, 'tokens.file': file })).toThrow(
      [
        'jwt.audience: is set without jwt.issuer: set both, or neither',
        'jwt.keyFile: is set without jwt.issuer: set both, or neither',
        `tokens.file: ENOENT: no such file or directory, open '${file}': "placement-graphql token create" creates it`,
      ].join('\n'),
    );
    const issuer = 'https://issuer.example';
    expect(() => make({ 'jwt.issuer': issuer })).toThrow(
      'jwt.issuer: is set without jwt.audience: the server would accept JWTs for other services',
    );
    const audience = 'placement';
    expect(() =>
      make({
        'jwt.issuer': issuer,
        'jwt.audience': audience,
        'jwt.keyFile': file,
        'jwt.jwksUrl': `${issuer}/keys`,
      }),
    ).toThrow('jwt.jwksUrl: is set together with jwt.keyFile: set only one of them');
  });
});
