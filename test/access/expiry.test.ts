import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAuthenticator, type Authenticator } from '../../src/authentication/authenticator.js';
import { newToken } from '../../src/authentication/tokens/secret.js';
import { newFile, settingsWith } from '../authentication/support.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { entry } from './viewers.js';

const token = newToken();
let database: TestDatabase;
let unguarded: Api;
let api: Api;
let authenticator: Authenticator;
let expires: number;

beforeAll(async () => {
  database = await testDatabase();
  unguarded = await startApi(database);
  expires = Date.now() + 5_000;
  const more = { roles: ['reader'], expires: new Date(expires).toISOString() };
  const file = newFile(JSON.stringify({ tokens: [entry('brief', token, more)] }));
  authenticator = createAuthenticator(settingsWith({ 'tokens.file': file }), console.error)!;
  api = await startApi(database, { authenticator });
});

afterAll(async () => {
  await Promise.all([api.close(), unguarded.close()]);
  await database.close();
  authenticator.close();
});

const send = (query: string, accept: string) =>
  fetch(api.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept },
    body: JSON.stringify({ query }),
  });

test('a subscription ends with the credentials, and has every event before', async () => {
  const response = await send('subscription { resourceProviderChanged { uuid } }', 'text/event-stream');
  const uuid = '3f0a52a4-0c0e-4f0a-9d1c-000000000001';
  await unguarded.mutate('createResourceProvider', { name: 'host', uuid });
  const text = await response.text(); // until it ends
  expect(Date.now()).toBeGreaterThanOrEqual(expires);
  expect(text).toContain(uuid);
  expect(text).toContain('"code":"UNAUTHENTICATED"');
  expect(text).toMatch(/event: complete\s*(data:.*)?\s*$/);
  expect(api.watch.size).toBe(0);

  const again = await send('{ __typename }', 'application/json');
  expect(again.status).toBe(401);
  expect(again.headers.get('www-authenticate')).toContain('Bearer');
}, 30_000);
