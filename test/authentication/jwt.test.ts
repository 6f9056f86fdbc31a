import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, exportSPKI } from 'jose';
import type { Authenticator } from '../../src/server/authentication/authenticator.js';
import type { AuthenticationSettings } from '../../src/server/authentication/settings.js';
import { AUDIENCE, inSeconds, Issuer, newKey } from './issuer.js';
import { ask, FORGED, newFile, NO_KEY, open, refusal } from './support.js';

let issuer: Issuer;
beforeAll(async () => void (issuer = await Issuer.start()));
afterAll(() => issuer.stop());

const MALFORMED = 'Unauthenticated: The token is malformed.';
const NO_KIND = 'Unauthenticated: The server does not accept this kind of token. It accepts JWTs.';
const WRONG_ALGORITHM = 'Unauthenticated: The token is signed by an algorithm that is not allowed.';

function openWith(more: Partial<AuthenticationSettings> = {}): Authenticator {
  return open({ 'jwt.issuer': issuer.url, 'jwt.audience': AUDIENCE, 'jwt.wholeCloud': true, ...more })
    .authenticator;
}

const notText = (claim: string): string => `The claim "${claim}" of the token must be a text.`;

/** Returns an RSA key that the issuer never published, generated once. */
const otherKey = (): ReturnType<typeof newKey> => (other ??= newKey('RS256'));
let other: ReturnType<typeof newKey> | undefined;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of other parts: its signature, where it has one, is not of these. */
async function withParts(change: (parts: string[]) => string[]): Promise<string> {
  return change((await issuer.token()).split('.')).join('.');
}

describe('a JWT of the issuer', () => {
  let authenticator: Authenticator;
  beforeEach(() => void (authenticator = openWith()));

  test('says who sends a request, by its claims', async () => {
    const exp = inSeconds(600);
    const claims = { exp, roles: ['member', 'offline_access', '__proto__'], project_id: 'p1' };
    expect(await ask(authenticator, await issuer.token({ claims }))).toEqual({
      userId: 'alice',
      roles: new Set(['member', 'reader']),
      projectId: 'p1',
      expiresAt: 1_000 * (exp + 30),
    });
  });

  test.each(['p1 ', ' p1', 'p1\t', ' '])('with the project %j is refused', async (project_id) => {
    expect(await refusal(authenticator, await issuer.token({ claims: { project_id } }))).toBe(
      `Unauthenticated: The project id of the token, ${JSON.stringify(project_id)}, begins or ends with a blank.`,
    );
  });

  test('is verified once, and then known at once', async () => {
    const token = await issuer.token();
    const [first, second] = [ask(authenticator, token), ask(authenticator, token)];
    expect(first).toBeInstanceOf(Promise);
    expect(await second).toBe(await first);
    expect(ask(authenticator, token)).toBe(await first);
  });

  test('is known no longer when it has expired', async () => {
    const authenticator = openWith({ 'jwt.clockSkewSeconds': 0 });
    const exp = inSeconds(2);
    const token = await issuer.token({ claims: { exp } });
    await ask(authenticator, token);
    expect(ask(authenticator, token)).not.toBeInstanceOf(Promise);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * exp - Date.now() + 20));
    expect(await refusal(authenticator, token)).toBe('Unauthenticated: The token has expired.');
  });

  test('may have no roles: who may do nothing', async () => {
    expect(await ask(authenticator, await issuer.token({ claims: { roles: undefined } }))).toMatchObject({
      roles: new Set(),
    });
  });

  test('of a member without a project makes no reader of the whole cloud', async () => {
    const token = await issuer.token({ claims: { roles: ['member'] } });
    expect(await ask(authenticator, token)).toMatchObject({ roles: new Set(['member']), projectId: null });
  });

  test('has its claims where the settings say', async () => {
    const other = openWith({
      'jwt.userClaim': 'preferred_username',
      'jwt.rolesClaim': 'realm_access.roles',
      'jwt.projectClaim': 'https://cloud.example/project',
    });
    const claims = {
      preferred_username: 'bob',
      realm_access: { roles: ['admin'] },
      roles: ['service'],
      'https://cloud.example/project': 'p2',
    };
    expect(await ask(other, await issuer.token({ claims }))).toMatchObject({
      userId: 'bob',
      roles: new Set(['admin']),
      projectId: 'p2',
    });
  });

  test('may have its roles as a text', async () => {
    const other = openWith({ 'jwt.rolesClaim': 'scope' });
    const token = await issuer.token({ claims: { scope: 'openid service', roles: ['admin'] } });
    expect(await ask(other, token)).toMatchObject({ roles: new Set(['service']) });
  });

  test('may be for several audiences', async () => {
    const token = await issuer.token({ claims: { aud: ['account', AUDIENCE] } });
    expect(await ask(authenticator, token)).toMatchObject({ userId: 'alice' });
  });

  test.each(['PS256', 'ES256', 'EdDSA'])('may be signed by %s', async (alg) => {
    const before = issuer.key;
    await issuer.rotate(alg);
    expect(await ask(openWith(), await issuer.token())).toMatchObject({ userId: 'alice' });
    issuer.publish(before);
  });
});

describe('refused is a JWT', () => {
  let authenticator: Authenticator;
  beforeEach(() => void (authenticator = openWith()));

  test.each<[string, () => Record<string, unknown>, string]>([
    ['that has expired', () => ({ exp: inSeconds(-31) }), 'The token has expired.'],
    ['that never expires', () => ({ exp: undefined }), 'The token has no claim "exp".'],
    ['with an odd time', () => ({ exp: '2040-01-01' }), 'The claim "exp" of the token must be a number.'],
    ['that is not valid yet', () => ({ nbf: inSeconds(40) }), 'The token is not valid yet.'],
    ['for another audience', () => ({ aud: 'account' }), 'The token is for another audience.'],
    ['for no audience', () => ({ aud: undefined }), 'The token has no claim "aud".'],
    ['for a longer name', () => ({ aud: `${AUDIENCE}2` }), 'The token is for another audience.'],
    ['of another issuer', () => ({ iss: 'https://evil.example' }), 'The token is of another issuer.'],
    ['of an issuer like ours', () => ({ iss: `${issuer.url}/` }), 'The token is of another issuer.'],
    ['without a subject', () => ({ sub: undefined }), 'The token has no claim "sub".'],
    ['of a number', () => ({ sub: 5 }), notText('sub')],
    ['with a list for a project', () => ({ project_id: ['p'] }), notText('project_id')],
    ['with an empty project', () => ({ project_id: '' }), notText('project_id')],
    ['with null for a project', () => ({ project_id: null }), notText('project_id')],
    [
      'with odd roles',
      () => ({ roles: { admin: true } }),
      'The claim "roles" of the token must be a list of texts.',
    ],
  ])('%s', async (_, claims, message) => {
    expect(await refusal(authenticator, await issuer.token({ claims: claims() }))).toBe(
      `Unauthenticated: ${message}`,
    );
  });

  test('with other claims than were signed', async () => {
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: inSeconds(60), roles: ['admin'] };
    expect(
      await refusal(authenticator, await withParts(([head, , end]) => [head, encoded(claims), end])),
    ).toBe(FORGED);
  });

  test('a token with the id of the right key and another signature is rejected', async () => {
    const key = { ...(await otherKey()), kid: issuer.key.kid };
    expect(await refusal(authenticator, await issuer.token({ key }))).toBe(FORGED);
  });

  test('that brings its own key', async () => {
    const key = await otherKey();
    const jwk = await exportJWK(key.publicKey);
    const jku = 'https://evil.example/keys';
    for (const [kid, expected] of [
      [key.kid, NO_KEY],
      [issuer.key.kid, FORGED],
    ])
      expect(await refusal(authenticator, await issuer.token({ key, header: { jwk, jku, kid } }))).toContain(
        expected,
      );
  });

  test.each(['none', 'None', 'NONE', ''])('with the algorithm %j', async (alg) => {
    const header = { alg, kid: issuer.key.kid };
    const token = await withParts(([, payload]) => [encoded(header), payload, '']);
    expect([WRONG_ALGORITHM, MALFORMED]).toContain(await refusal(authenticator, token));
  });

  test.each(['HS256', 'HS512'])('with %s and the public key for a secret', async (alg) => {
    const pem = await exportSPKI(issuer.key.publicKey);
    const withFile = openWith({ 'jwt.keyFile': newFile(pem) });
    for (const secret of [pem, pem.trimEnd()]) {
      const token = await withParts(([, payload]) => {
        const signed = `${encoded({ alg, kid: issuer.key.kid })}.${payload}`;
        const digest = alg === 'HS256' ? 'sha256' : 'sha512';
        return [signed, createHmac(digest, secret).update(signed).digest('base64url')];
      });
      for (const each of [authenticator, withFile]) expect(await refusal(each, token)).toBe(WRONG_ALGORITHM);
    }
  });

  test('with an algorithm that the settings do not name, though the key would do', async () => {
    const strict = openWith({ 'jwt.algorithms': ['PS256'] });
    expect(await refusal(strict, await issuer.token())).toBe(WRONG_ALGORITHM);
  });

  test('that claims another algorithm than that of its key', async () => {
    const token = await withParts(([, payload, end]) => [
      encoded({ alg: 'ES256', kid: issuer.key.kid }),
      payload,
      end,
    ]);
    expect(await refusal(authenticator, token)).toBe(`${NO_KEY} ES256 and the key id "${issuer.key.kid}".`);
  });

  test.each([
    ['PS256', FORGED],
    ['ES256', NO_KEY],
    ['EdDSA', NO_KEY],
  ])('by %s, of a file with a key for something else', async (alg, expected) => {
    const key = await newKey(alg);
    const withFile = openWith({ 'jwt.keyFile': newFile(await exportSPKI(issuer.key.publicKey)) });
    expect(await refusal(withFile, await issuer.token({ key }))).toContain(expected);
  });

  test('a token with an unknown critical header is rejected', async () => {
    const header = { crit: ['exp'], exp: 5 };
    const token = await withParts(([head, ...rest]) => [
      encoded({ ...(JSON.parse(Buffer.from(head, 'base64url').toString()) as object), ...header }),
      ...rest,
    ]);
    expect(await refusal(authenticator, token)).toMatch(/^Unauthenticated: /);
  });

  test.each([
    ['two parts', (parts: string[]) => parts.slice(0, 2), NO_KIND],
    ['four parts', (parts: string[]) => [...parts, 'x'], NO_KIND],
    ['an empty head', ([, ...rest]: string[]) => ['', ...rest], NO_KIND],
    ['a payload that is no JSON', ([head, , end]: string[]) => [head, 'e30x', end], NO_KIND],
    ['a payload that is a list', ([head, , end]: string[]) => [head, encoded([1]), end], NO_KIND],
    ['no issuer', ([head, , end]: string[]) => [head, encoded({ sub: 'alice' }), end], NO_KIND],
    ['a head that is no JSON', ([, ...rest]: string[]) => ['e30x', ...rest], MALFORMED],
    ['no algorithm', ([, ...rest]: string[]) => [encoded({}), ...rest], MALFORMED],
    ['half a signature', ([head, body, end]: string[]) => [head, body, end.slice(0, 100)], FORGED],
    ['no signature', ([head, body]: string[]) => [head, body, ''], FORGED],
  ])('of %s', async (_, change, expected) => {
    expect(await refusal(authenticator, await withParts(change))).toBe(expected);
  });

  test('of more than 8 KiB, though it is right', async () => {
    const token = await issuer.token({ claims: { groups: 'x'.repeat(8_192) } });
    expect(await refusal(authenticator, token)).toBe(
      'Unauthenticated: The token is longer than 8192 characters.',
    );
    const shorter = await issuer.token({ claims: { groups: 'x'.repeat(4_096) } });
    expect(await ask(authenticator, shorter)).toMatchObject({ userId: 'alice' });
  });
});

describe('the clock of the issuer', () => {
  test('may differ by half a minute, unless the settings say otherwise', async () => {
    const late = await issuer.token({ claims: { exp: inSeconds(-25) } });
    const early = await issuer.token({ claims: { nbf: inSeconds(25) } });
    const [usual, exact] = [openWith(), openWith({ 'jwt.clockSkewSeconds': 0 })];
    for (const token of [late, early]) expect(await ask(usual, token)).toMatchObject({ userId: 'alice' });
    expect(await refusal(exact, late)).toBe('Unauthenticated: The token has expired.');
    expect(await refusal(exact, early)).toBe('Unauthenticated: The token is not valid yet.');
  });
});

describe('tokens that are not access tokens', () => {
  const OTHER = 'Unauthenticated: The token is not an access token.';

  test.each([
    ['an ID token', { at_hash: 'x' }, {}],
    ['an ID token with a nonce', { nonce: 'x' }, {}],
    ['an ID token of Keycloak', { typ: 'ID', nonce: 'x' }, { typ: 'JWT' }],
    ['a refresh token', { typ: 'Refresh' }, { typ: 'JWT' }],
    ['a logout token', {}, { typ: 'logout+jwt' }],
  ])('%s is rejected', async (_kind, claims, header) => {
    expect(await refusal(openWith(), await issuer.token({ claims, header }))).toBe(OTHER);
  });

  test.each([
    ['of RFC 9068', {}, { typ: 'at+jwt' }],
    ['of Keycloak', { typ: 'Bearer', nonce: 'x' }, { typ: 'JWT' }],
  ])('an access token %s is accepted', async (_kind, claims, header) => {
    expect(await ask(openWith(), await issuer.token({ claims, header }))).toMatchObject({ userId: 'alice' });
  });

  test('the type of the issuer is required if it is set', async () => {
    const authenticator = openWith({ 'jwt.type': 'at+jwt' });
    expect(await refusal(authenticator, await issuer.token())).toContain('Unauthenticated: The token');
    expect(await refusal(authenticator, await issuer.token({ header: { typ: 'JWT' } }))).toContain('typ');
    expect(await ask(authenticator, await issuer.token({ header: { typ: 'at+jwt' } }))).toMatchObject({
      userId: 'alice',
    });
  });
});

test('a token without a project is for the whole cloud only if the settings say so', async () => {
  const strict = openWith({ 'jwt.wholeCloud': false });
  expect(await refusal(strict, await issuer.token())).toContain('The token has no claim "project_id"');
  const token = await issuer.token({ claims: { project_id: 'p1' } });
  expect(await ask(strict, token)).toMatchObject({ projectId: 'p1' });
});
