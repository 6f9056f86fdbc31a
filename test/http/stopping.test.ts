import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { createProcess } from '../../src/server/process.js';
import type { Server } from '../../src/server/server.js';
import { post, postJson } from '../support/httpPost.js';
import { useDatabase } from '../support/useDatabase.js';
import { serve } from './server.js';

const DRAIN = 600;

const shared = useDatabase();
let database: Database;
let server: Server;
let origin: string;
let url: string;

beforeEach(async () => {
  database = openDatabase(shared.url);
  ({ server, origin, url } = await serve(createProcess(database), { drain: DRAIN }));
});
afterEach(async () => {
  await server.close();
  await database.close();
});

const TRAITS = JSON.stringify({ query: '{ traits { name } }' });

test('a draining server is not ready, accepts requests, and announces the end of connections', async () => {
  const closed = server.close();
  const ready = await fetch(`${origin}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
  expect(ready.headers.get('connection')).toBe('close');
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  const answer = await postJson(url, TRAITS);
  expect(answer.headers.get('connection')).toBe('close');
  expect(await answer.json()).toMatchObject({ data: { traits: expect.any(Array) } });
  await closed;
  await expect(fetch(`${origin}/livez`)).rejects.toThrow('fetch failed');
});

test('a stopping server finishes running requests and closes idle connections', async () => {
  const blocker = await database.transactions.getConnection();
  await blocker.query("INSERT INTO traits (name, created_at) VALUES ('CUSTOM_SLOW', UTC_TIMESTAMP())");
  const agent = new Agent({ keepAlive: true });
  const idle = new Agent({ keepAlive: true });
  await post(url, idle, TRAITS);
  const mutation = 'mutation { createTrait(input: { name: "CUSTOM_SLOW" }) { __typename } }';
  const answer = post(url, agent, JSON.stringify({ query: mutation }));
  await sleep(100);
  let isClosed = false;
  const closed = server.close().then(() => (isClosed = true));
  await sleep(DRAIN + 400);
  expect(isClosed).toBe(false);
  expect(Object.values(idle.freeSockets).flat()).toEqual([]);
  await blocker.rollback();
  await blocker.release();
  expect(JSON.parse(await answer)).toMatchObject({
    data: { createTrait: { __typename: expect.any(String) } },
  });
  await closed;
  for (const each of [agent, idle]) each.destroy();
});

test('a stream continues while the server drains, and ends so that its client reconnects', async () => {
  const query = 'subscription { resourceProviderChanged { uuid } }';
  const response = await postJson(url, { query }, { accept: 'text/event-stream' });
  const began = Date.now();
  void server.close();
  const received = await response.text();
  expect(Date.now() - began).toBeGreaterThanOrEqual(DRAIN);
  expect(received).toMatch(/\n: the server is stopping\nretry: \d+\n\n$/);
  expect(received).not.toContain('complete');
});
