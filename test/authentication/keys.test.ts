import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, exportPKCS8, exportSPKI } from 'jose';
import type { AuthenticationSettings } from '../../src/server/authentication/settings.js';
import { certificateOf } from '../support/certificates.js';
import { AUDIENCE, Issuer, newKey } from './issuer.js';
import { ask, FORGED, newFile, NO_KEY, open, refusal } from './support.js';

let issuer: Issuer;
beforeEach(async () => void (issuer = await Issuer.start()));
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  return issuer.stop();
});

/** Has time pass for what is done at intervals, and for nothing else. */
function fakeIntervals(): void {
  const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  const timeouts = ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ doNotFake: [...others, ...timeouts] });
}

const DOWN =
  'AuthenticationUnavailable: The issuer of the token returned an invalid answer: try again later.';
const CONFIGURATION = '/realms/cloud/.well-known/openid-configuration';
const KEYS = '/realms/cloud/certs';

function openWith(more: Partial<AuthenticationSettings> = {}): ReturnType<typeof open> {
  return open({ 'jwt.issuer': issuer.url, 'jwt.audience': AUDIENCE, 'jwt.wholeCloud': true, ...more });
}

describe('keys of an issuer', () => {
  test('are where its configuration says, and are fetched once for all tokens', async () => {
    const { authenticator } = openWith();
    const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => issuer.token({ claims: { sub } })));
    await Promise.all(tokens.map(async (token) => ask(authenticator, token)));
    await ask(authenticator, await issuer.token({ claims: { sub: 'd' } }));
    expect(issuer.requests).toEqual([CONFIGURATION, KEYS]);
  });

  test('are where the settings say', async () => {
    const { authenticator } = openWith({ 'jwt.jwksUrl': `${issuer.url}/certs` });
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ userId: 'alice' });
    expect(issuer.requests).toEqual([KEYS]);
  });

  test('are not taken from whoever calls himself something else', async () => {
    issuer.claimedIssuer = 'https://evil.example';
    const { authenticator, reports } = openWith();
    expect(await refusal(authenticator, await issuer.token())).toBe(DOWN);
    expect(reports).toEqual([
      expect.stringContaining('it is of the issuer https://evil.example, not of http://127'),
    ]);
  });

  test('are fetched anew for a token with an unknown one, but not for each of them', async () => {
    const { authenticator } = openWith();
    await ask(authenticator, await issuer.token());
    const old = issuer.key;
    await issuer.rotate();
    const withNewKey = await issuer.token();
    let said: string | null = FORGED;
    for (const deadline = Date.now() + 8_000; said !== null && Date.now() < deadline; await sleep(50))
      said = await refusal(authenticator, withNewKey).catch(() => null);
    expect(said).toBe(null);
    expect(issuer.requests).toEqual([CONFIGURATION, KEYS, KEYS]);
    expect(await refusal(authenticator, await issuer.token({ key: old }))).toContain(NO_KEY);
    expect(await refusal(authenticator, await issuer.token({ key: await newKey('RS256') }))).toContain(
      NO_KEY,
    );
    expect(issuer.requests).toHaveLength(3);
  });

  test('keys that cannot be fetched are no error of the client, and are not requested repeatedly', async () => {
    await issuer.stop();
    const { authenticator, reports } = openWith();
    const token = await issuer.token();
    for (const expected of [DOWN, /^AuthenticationUnavailable: /, /^AuthenticationUnavailable: /])
      expect(await refusal(authenticator, token)).toEqual(
        typeof expected === 'string' ? expected : expect.stringMatching(expected),
      );
    expect(reports).toEqual([expect.stringMatching(/openid-configuration: Error: connect ECONNREFUSED/)]);
    await issuer.resume();
    await sleep(1_000);
    expect(await ask(authenticator, token)).toMatchObject({ userId: 'alice' });
  });

  test('keys are fetched again every ten minutes, so that a withdrawn key is rejected', async () => {
    fakeIntervals();
    const { authenticator } = openWith();
    await ask(authenticator, await issuer.token());
    const old = issuer.key;
    await issuer.rotate();
    expect(await ask(authenticator, await issuer.token({ key: old, claims: { sub: 'bob' } }))).toBeDefined();
    jest.advanceTimersByTime(600_000);
    for (const deadline = Date.now() + 5_000; issuer.requests.length < 3 && Date.now() < deadline;)
      await sleep(20);
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ userId: 'alice' });
    expect(await refusal(authenticator, await issuer.token({ key: old, claims: { sub: 'eve' } }))).toContain(
      NO_KEY,
    );
    expect(issuer.requests).toEqual([CONFIGURATION, KEYS, KEYS]);
  });

  test('are used for an hour at most while the issuer is away', async () => {
    const { authenticator } = openWith();
    await ask(authenticator, await issuer.token());
    await issuer.stop();
    const now = Date.now.bind(Date);
    const away = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_500_000);
    expect(await ask(authenticator, await issuer.token({ claims: { sub: 'bob' } }))).toBeDefined();
    away.mockImplementation(() => now() + 3_700_000);
    expect(await refusal(authenticator, await issuer.token({ claims: { sub: 'eve' } }))).toBe(DOWN);
  });

  test('are used on while the issuer is away', async () => {
    const { authenticator, reports } = openWith();
    await ask(authenticator, await issuer.token());
    await issuer.stop();
    expect(await ask(authenticator, await issuer.token({ claims: { sub: 'bob' } }))).toMatchObject({
      userId: 'bob',
    });
    expect(reports).toEqual([]);
  });

  test.each([
    ['an error', { status: 500, body: '{}' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no keys', { status: 200, body: '{}' }],
    ['too much', { status: 200, body: JSON.stringify({ keys: [], more: 'x'.repeat(2 ** 20) }) }],
    ['another address', { status: 302, body: '' }],
  ])('cannot be used where there is %s', async (_, instead) => {
    issuer.instead = instead;
    const { authenticator, reports } = openWith();
    const said = await refusal(authenticator, await issuer.token());
    expect(said).toBe(DOWN);
    expect(reports).toHaveLength(1);
  });

  test('that are too short or not public are no keys', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
    const secret = await exportJWK(issuer.key.privateKey);
    for (const jwk of [short, secret]) {
      const body = JSON.stringify({ keys: [{ ...jwk, kid: issuer.key.kid, alg: 'RS256' }] });
      issuer.instead = { status: 200, body };
      expect(await refusal(openWith().authenticator, await issuer.token())).toBe(FORGED);
    }
  });
});

describe('a file', () => {
  test('may have a public key, for whatever key the token names', async () => {
    const file = newFile(await exportSPKI(issuer.key.publicKey));
    const { authenticator } = openWith({ 'jwt.keyFile': file });
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ userId: 'alice' });
    expect(await refusal(authenticator, await issuer.token({ key: await newKey('RS256') }))).toBe(FORGED);
    expect(issuer.requests).toEqual([]);
  });

  test('may have a certificate', async () => {
    const certificate = await certificateOf('issuer', issuer.key);
    expect(certificate).toContain('BEGIN CERTIFICATE');
    const { authenticator } = openWith({ 'jwt.keyFile': newFile(certificate) });
    expect(await ask(authenticator, await issuer.token())).toMatchObject({ userId: 'alice' });
  });

  test('may have several keys, of which the token names one', async () => {
    const before = issuer.key;
    const keys = await issuer.publicKeys();
    await issuer.rotate('ES256');
    const file = newFile(JSON.stringify({ keys: [...keys, ...(await issuer.publicKeys())] }));
    const { authenticator } = openWith({ 'jwt.keyFile': file });
    for (const key of [before, issuer.key])
      expect(await ask(authenticator, await issuer.token({ key }))).toMatchObject({ userId: 'alice' });
    expect(await refusal(authenticator, await issuer.token({ header: { kid: 'other' } }))).toContain(NO_KEY);
  });

  test('a replaced key file is read again; an invalid one is reported once, and the keys stay in use', async () => {
    const before = issuer.key;
    const file = newFile(await exportSPKI(before.publicKey));
    const { authenticator, reports } = openWith({ 'jwt.keyFile': file });
    await issuer.rotate('ES256');
    expect(await refusal(authenticator, await issuer.token())).toContain(NO_KEY);
    writeFileSync(file, 'hello');
    while (reports.length === 0) await sleep(50);
    expect(await ask(authenticator, await issuer.token({ key: before }))).toMatchObject({ userId: 'alice' });
    writeFileSync(file, await exportSPKI(issuer.key.publicKey));
    const token = await issuer.token();
    const isTaken = (): Promise<boolean> =>
      Promise.resolve(ask(authenticator, token)).then(Boolean, () => false);
    while (!(await isTaken())) await sleep(50);
    expect(
      await refusal(authenticator, await issuer.token({ key: before, claims: { jti: 'another' } })),
    ).toContain(NO_KEY);
    expect(reports).toHaveLength(1);
  });

  test.each<[string, () => string | Promise<string>, string]>([
    [
      'a private key',
      () => exportPKCS8(issuer.key.privateKey),
      'is a private key: use the public key of the issuer',
    ],
    ['a secret', () => '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', 'has a secret key'],
    [
      'a private key among others',
      async () => JSON.stringify({ keys: [await exportJWK(issuer.key.privateKey)] }),
      'has a secret key',
    ],
    ['no keys', () => '{"keys":[]}', 'has no keys'],
    ['something else', () => 'hello', 'unsupported'],
    [
      'a short key',
      () =>
        generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({
          type: 'spki',
          format: 'pem',
        }) as string,
      'an RSA key must have 2048 bits or more, not 1024',
    ],
  ])('must not have %s', async (_, content, message) => {
    const file = newFile(await content());
    expect(() => openWith({ 'jwt.keyFile': file })).toThrow(`jwt.keyFile: ${file}: `);
    expect(() => openWith({ 'jwt.keyFile': file })).toThrow(message);
  });
});
