import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { newToken } from '../../src/server/authentication/tokens/secret.js';
import { Operations } from '../../src/model/operation/operation.js';
import { withReason } from '../../src/server/graphql/eventStream.js';
import { inSeconds } from '../authentication/issuer.js';
import { newFile, open } from '../authentication/support.js';
import { startApi } from '../support/api.js';
import { subscribeTo } from '../support/events.js';
import { postJson } from '../support/httpPost.js';
import { useGuardedApi } from './guardedApi.js';
import { entry } from './viewers.js';
import { collectGarbage } from '../support/garbage.js';

const { api, unguarded, database, issuer } = useGuardedApi();

test('a subscription ends with the credentials, and has every event before', async () => {
  const exp = inSeconds(5);
  const token = await issuer.token({ claims: { exp: exp - 30 } }); // clocks may differ by half a minute
  const send = (query: string, accept: string) =>
    postJson(api.url, { query }, { authorization: `Bearer ${token}`, accept });
  const response = await send('subscription { resourceProviderChanged { uuid } }', 'text/event-stream');
  const uuid = '3f0a52a4-0c0e-4f0a-9d1c-000000000001';
  await unguarded.mutate('createResourceProvider', { name: 'host', uuid });
  const text = await response.text(); // until it ends
  expect(Date.now()).toBeGreaterThanOrEqual(1_000 * exp);
  expect(text).toContain(uuid);
  expect(text).toContain('"code":"UNAUTHENTICATED"');
  expect(text).toMatch(/event: complete\s*(data:.*)?\s*$/);
  expect(api.watch.size).toBe(0);
  const again = await send('{ __typename }', 'application/json');
  expect(again.status).toBe(401);
  expect(again.headers.get('www-authenticate')).toContain('Bearer');
}, 30_000);

test('a subscription ends within seconds when its token is revoked, or has other roles', async () => {
  const tokens = [newToken(), newToken(), newToken()];
  const written = (...entries: object[]): string => JSON.stringify({ tokens: entries });
  const [revoked, demoted, kept] = tokens.map((each, at) => entry(`user-${at}`, each, { roles: ['reader'] }));
  const file = newFile(written(revoked, demoted, kept));
  const server = await startApi(database, open({ 'tokens.file': file }));
  const query = 'subscription { resourceProviderChanged { uuid } }';
  const streams = await Promise.all(
    tokens.map((each) => subscribeTo(server.url, { query }, { authorization: `Bearer ${each}` })),
  );
  writeFileSync(file, written({ ...demoted, roles: ['member'], projectId: 'p' }, kept));
  const began = Date.now();
  for (const stream of streams.slice(0, 2))
    expect(await stream.errors()).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(Date.now() - began).toBeLessThan(8_000);
  expect(server.watch.size).toBe(1);
  streams[2].close();
  await server.close();
}, 30_000);

test('a stream of an expiring credential retains no event', async () => {
  const operation = new Operations().begin();
  const seen: WeakRef<object>[] = [];
  async function* events(): AsyncGenerator<object> {
    for (let at = 0; at < 50; at++) {
      const event = { data: { large: new Array(10_000).fill(at) } };
      seen.push(new WeakRef(event));
      yield await Promise.resolve(event);
    }
  }
  for await (const event of withReason(events() as never, operation)) expect(event).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  expect(seen.filter((each) => each.deref() !== undefined).length).toBeLessThan(5);
});
