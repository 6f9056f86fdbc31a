import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, exportSPKI, type JWK } from 'jose';
import { certificateOf } from '../support/certificates.js';
import { AUDIENCE, Issuer, newKey } from './issuer.js';
import { ask, FORGED, newFile, NO_KEY, open, refusal } from './support.js';

type Key = Awaited<ReturnType<typeof newKey>>;

let issuer: Issuer;
beforeEach(async () => void (issuer = await Issuer.start()));
afterEach(() => issuer.stop());

const jwk = async ({ publicKey }: Key, more: JWK = {}): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  ...more,
});

/** Returns two keys: the old one and the new one of a rotation. */
const twoKeys = (alg = 'RS256'): Promise<[Key, Key]> => Promise.all([newKey(alg), newKey(alg)]);

const settings = () => ({ 'jwt.issuer': issuer.url, 'jwt.audience': AUDIENCE, 'jwt.wholeCloud': true });

/** Opens authenticators that read the same keys: from a file and from the issuer. */
function openBoth(...keys: JWK[]): ReturnType<typeof open>['authenticator'][] {
  const body = JSON.stringify({ keys });
  issuer.instead = { status: 200, body };
  return [settings(), { ...settings(), 'jwt.keyFile': newFile(body) }].map(
    (given) => open(given).authenticator,
  );
}

/** Returns how each authenticator answers tokens that these keys signed: "alice", or the refusal. */
async function answers(
  authenticators: ReturnType<typeof openBoth>,
  keys: readonly Key[],
  header: object = {},
): Promise<string[]> {
  const all = authenticators.map((each) =>
    keys.map(async (key) => {
      const token = await issuer.token({ key, header: { kid: undefined, ...header } });
      return refusal(each, token).catch(async () => (await ask(each, token)).userId);
    }),
  );
  return [...new Set(await Promise.all(all.flat()))];
}

describe('a JWKS with several keys that fit a token accepts all of them', () => {
  test.each([
    ['a token without a key id', {}],
    ['a token with a key id', { kid: 'other' }],
  ])('if the keys have no id, and %s', async (_, header) => {
    const keys = await twoKeys();
    const both = openBoth(await jwk(keys[0]), await jwk(keys[1]));
    expect(await answers(both, keys, header)).toEqual(['alice']);
    expect(await answers(both, [await newKey('RS256')], header)).toEqual([FORGED]);
  });

  test('if the keys have an id and the token has none', async () => {
    const keys = await twoKeys('ES256');
    const both = openBoth(await jwk(keys[0], { kid: 'a' }), await jwk(keys[1], { kid: 'b' }));
    expect(await answers(both, keys)).toEqual(['alice']);
  });

  test('if the keys have one id', async () => {
    const keys = await twoKeys();
    const both = openBoth(await jwk(keys[0], { kid: 'a' }), await jwk(keys[1], { kid: 'a' }));
    expect(await answers(both, keys, { kid: 'a' })).toEqual(['alice']);
    expect(await answers(both, keys, { kid: 'b' })).toEqual([`${NO_KEY} RS256 and the key id "b".`]);
  });

  test('of several algorithms, beside keys for something else', async () => {
    const [one, other] = [await twoKeys('RS256'), await twoKeys('ES256')];
    const encrypting = await jwk(await newKey('RS256'), { use: 'enc' });
    const both = openBoth(encrypting, ...(await Promise.all([...one, ...other].map((key) => jwk(key)))));
    expect(await answers(both, [...one, ...other])).toEqual(['alice']);
    expect(await answers(both, [await newKey('EdDSA')])).toEqual([`${NO_KEY} EdDSA.`]);
  });

  test.each([
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
  ])('by the algorithm %s for keys of the algorithm %s, which is the same', async (used, stated) => {
    const keys = (await twoKeys('EdDSA')).map((key) => ({ ...key, alg: used }));
    const both = openBoth(await jwk(keys[0], { alg: stated, kid: 'a' }), await jwk(keys[1], { alg: stated }));
    expect(await answers(both, keys)).toEqual(['alice']);
    expect(await answers(both, [keys[0]], { kid: 'a' })).toEqual(['alice']);
  });

  test('up to sixteen keys for one token', async () => {
    const keys = await Promise.all(Array.from({ length: 17 }, () => newKey('ES256')));
    const both = openBoth(...(await Promise.all(keys.map((key) => jwk(key)))));
    expect(await answers(both, keys.slice(0, 16))).toEqual(['alice']);
    expect(await answers(both, [keys[16]])).toEqual([
      'Unauthenticated: More than 16 keys of the issuer match the token: it must name its key (kid).',
    ]);
  });
});

test('an expired token of the second key is expired, and not forged', async () => {
  const keys = await twoKeys();
  const [remote] = openBoth(await jwk(keys[0]), await jwk(keys[1]));
  const token = await issuer.token({ key: keys[1], claims: { exp: 1 }, header: { kid: undefined } });
  expect(await refusal(remote, token)).toBe('Unauthenticated: The token has expired.');
});

describe('a PEM file with several keys accepts all of them', () => {
  const openFile = (...texts: string[]) =>
    open({ ...settings(), 'jwt.keyFile': newFile(texts.join('\n')) }).authenticator;

  test('public keys and certificates, of several algorithms', async () => {
    const [a, b] = await twoKeys();
    const [c] = await twoKeys('ES256');
    const d = await newKey('RS256');
    const file = openFile(
      'the keys of our issuer\n',
      await exportSPKI(a.publicKey),
      await exportSPKI(b.publicKey),
      await exportSPKI(c.publicKey),
      await certificateOf('issuer', d),
    );
    expect(await answers([file], [a, b, c, d])).toEqual(['alice']);
    expect(await answers([file], [a, b, c, d], { kid: 'other' })).toEqual(['alice']);
    expect(await answers([file], await twoKeys())).toEqual([FORGED]);
  });

  test('two certificates of one subject, but not the authority of a chain', async () => {
    const [[a, b], [c, keys]] = [await twoKeys(), await twoKeys()];
    const authority = { name: 'authority', keys };
    const file = openFile(
      await certificateOf('issuer', a),
      await certificateOf('issuer', b),
      await certificateOf('issuer', c, authority),
      await certificateOf('authority', keys),
    );
    expect(await answers([file], [a, b, c])).toEqual(['alice']);
    expect(await answers([file], [keys])).toEqual([FORGED]);
  });
});

test('a new key under an old id, or without an id, is fetched at once', async () => {
  const [before, after] = await twoKeys();
  for (const more of [{}, { kid: 'a' }]) {
    const [remote] = openBoth(await jwk(before, more));
    expect(await answers([remote], [before], more)).toEqual(['alice']);
    openBoth(await jwk(after, more));
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 6_000);
    expect(await answers([remote], [after], more)).toEqual(['alice']);
    clock.mockRestore();
  }
});
