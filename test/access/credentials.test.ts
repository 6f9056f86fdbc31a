import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportSPKI } from 'jose';
import { newToken } from '../../src/server/authentication/tokens/secret.js';
import { buildSchema } from '../../src/api/schema.js';
import { AUDIENCE, inSeconds, newKey } from '../authentication/issuer.js';
import { postJson } from '../support/httpPost.js';
import { unchanged } from '../support/unchanged.js';
import { argumentsFor, createCloud } from './cloud.js';
import { Documents } from './documents.js';
import { useGuardedApi } from './guardedApi.js';
import { TOKENS } from './viewers.js';

let operations: string[];
let credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;

const { api, database, issuer } = useGuardedApi({
  async fill(open) {
    operations = everyOperation(argumentsFor(await createCloud(open)));
  },
});
beforeAll(async () => void (credentials = await badCredentials()));

/** A document for every field of the root types. */
function everyOperation(argumentsOf: (field: string) => string): string[] {
  const schema = buildSchema();
  const documents = new Documents(schema, argumentsOf, () => true);
  return [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!].flatMap((type) =>
    Object.keys(type.getFields()).map((field) => documents.document(`${type.name}.${field}`)!),
  );
}

async function badCredentials(): Promise<typeof credentials> {
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { roles: ['admin'], aud: AUDIENCE, iss: issuer.url, sub: 'eve', exp: inSeconds(600) };
  const good = await issuer.token({ claims });
  const hmac = (key: string): string => {
    const text = `${encoded({ alg: 'HS256', kid: issuer.key.kid })}.${encoded(claims)}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  };
  const forged = await newKey('RS256');
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    none: {},
    empty: { authorization: '' },
    'another scheme': { authorization: `Basic ${Buffer.from(`admin:${TOKENS.admin}`).toString('base64')}` },
    'no token': { authorization: 'Bearer ' },
    'an unknown static token': bearer(newToken()),
    'a static token cut short': bearer(TOKENS.admin.slice(0, -1)),
    'a static token in the wrong case': bearer(TOKENS.admin.toUpperCase()),
    'two tokens': { ...bearer(TOKENS.admin), 'x-auth-token': TOKENS.admin },
    'a forged JWT': bearer(await issuer.token({ claims, key: { ...forged, kid: issuer.key.kid } })),
    'a JWT of an unknown key': bearer(await issuer.token({ claims, key: forged })),
    'an expired JWT': bearer(await issuer.token({ claims: { ...claims, exp: inSeconds(-3_600) } })),
    'a JWT not valid yet': bearer(await issuer.token({ claims: { ...claims, nbf: inSeconds(3_600) } })),
    'a JWT for another audience': bearer(await issuer.token({ claims: { ...claims, aud: 'other' } })),
    'a JWT of another issuer': bearer(
      await issuer.token({ claims: { ...claims, iss: 'https://evil.example' } }),
    ),
    'a JWT signed by HS256 with the public key': bearer(hmac(await exportSPKI(issuer.key.publicKey))),
    'a JWT without a signature': bearer(`${encoded({ alg: 'none' })}.${encoded(claims)}.`),
    'a JWT with other claims': bearer(
      [good.split('.')[0], encoded({ ...claims, sub: 'root' }), good.split('.')[2]].join('.'),
    ),
    'an oversized token': bearer(randomBytes(9_000).toString('base64url')),
    'an oversized JWT': bearer(await issuer.token({ claims: { ...claims, more: 'x'.repeat(9_000) } })),
  };
}

/**
 * Sends every operation without credentials, and with some of the others, so that each of them is sent with a few
 * operations. Returns the answers that are no rejections.
 */
async function tryAll(): Promise<string[]> {
  const wrong: string[] = [];
  const kinds = Object.entries(credentials);
  for (const [at, query] of operations.entries())
    for (const [kind, headers] of [kinds[0], kinds[at % kinds.length], kinds[(7 * at + 3) % kinds.length]]) {
      const accept = query.startsWith('subscription') ? 'text/event-stream' : 'application/json';
      const response = await postJson(api.url, { query }, { accept, ...headers });
      const text = await response.text();
      const isRejected = response.status === 401 && text.includes('"code":"UNAUTHENTICATED"');
      if (!isRejected || text.includes('"data"')) wrong.push(`${kind}: ${query}: ${response.status} ${text}`);
    }
  return wrong;
}

describe('without valid credentials', () => {
  test('no operation runs, and nothing changes', async () => {
    const wrong = await unchanged(database, tryAll);
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
    expect(Object.keys(credentials)).toHaveLength(19);
  });

  test('the answer names the scheme, and no valid credentials', async () => {
    const response = await fetch(`${api.url}?query={__typename}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="placement-graphql"');
    const text = await response.text();
    for (const secret of [...Object.values(TOKENS), issuer.url]) expect(text).not.toContain(secret);
  });

  test('GraphiQL and the probes need none', async () => {
    const page = await fetch(api.url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/livez', '/readyz']) expect((await fetch(new URL(path, api.url))).status).toBe(200);
  });

  test('a server reads no body before it has verified them', async () => {
    const query = `{ __typename } #${'x'.repeat(20_000_000)}`;
    const response = await postJson(api.url, { query }).catch(() => null);
    if (response !== null) expect(response.status).toBe(401);
  });
});

test('valid credentials may be in either header', async () => {
  const jwt = await issuer.token({ claims: { roles: ['reader'] } });
  const both: Record<string, string>[] = [
    { authorization: `Bearer ${TOKENS.reader}` },
    { authorization: `bearer ${jwt}` },
    { 'x-auth-token': TOKENS.reader },
  ];
  for (const headers of both) {
    const response = await fetch(`${api.url}?query={resourceProviders{totalCount}}`, { headers });
    expect(await response.json()).toMatchObject({ data: { resourceProviders: { totalCount: 1 } } });
  }
});
