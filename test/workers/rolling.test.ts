import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../races/client.js';
import { START } from '../races/process.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { post } from '../support/httpPost.js';
import { TwoWorkers } from './workers.js';

/** The pause of a client between two requests (ms), which leaves time to the workers that start. */
const PAUSE = 3;

let database: TestDatabase;
let server: TwoWorkers;

beforeAll(async () => {
  database = await testDatabase();
  server = await TwoWorkers.start(database.url);
}, START);
afterAll(async () => {
  await server.stop();
  await database.close();
});

/** A client of a worker that answers: a stopped one accepts no connection, or never answers. */
async function clientOfRunningWorker(): Promise<Client> {
  for (;;) {
    const client = new Client(server.url);
    const answer = client.read('{ consumerTypes { name } }').catch(() => null);
    if ((await Promise.race([answer, sleep(1_000, null)])) !== null) return client;
    client.close();
  }
}

const WRITES = 20;
const TRAITS = ['HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2'];

test('a worker that was stopped for a while continues with current answers', async () => {
  const [stopped] = await server.pids();
  process.kill(stopped, 'SIGSTOP');
  try {
    const client = await clientOfRunningWorker();
    const uuid = randomUUID();
    const done = { kind: 'done' };
    const create = { name: uuid, uuid };
    expect(await client.mutate('createResourceProvider', create, '__typename')).toMatchObject(done);
    for (let generation = 0; generation < WRITES; generation++) {
      const input = { resourceProvider: { uuid }, generation, traits: { set: TRAITS.slice(generation % 2) } };
      expect(await client.mutate('updateResourceProvider', input, '__typename')).toMatchObject(done);
    }
    client.close();
  } finally {
    process.kill(stopped, 'SIGCONT');
  }
  const clients = Array.from({ length: 8 }, () => new Client(server.url));
  const query = '{ resourceProviders(first: 1) { nodes { generation } } }';
  for (const client of clients)
    expect(await client.read(query)).toEqual({ resourceProviders: { nodes: [{ generation: WRITES }] } });
  for (const client of clients) client.close();
}, 120_000);

test('SIGHUP replaces all workers, and no request of a client fails meanwhile', async () => {
  const before = await server.pids();
  let isOver = false;
  const failures: unknown[] = [];
  const ask = async (): Promise<number> => {
    const agent = new Agent({ keepAlive: true });
    const body = JSON.stringify({ query: '{ consumerTypes { name } }' });
    let answers = 0;
    for (; !isOver; answers++, await sleep(PAUSE))
      await post(server.url, agent, body).catch((error: unknown) => failures.push(error));
    agent.destroy();
    return answers;
  };
  const asking = [ask(), ask(), ask()];
  await sleep(300);
  server.command.signal('SIGHUP');
  await server.command.says('all workers were replaced');
  await sleep(300);
  isOver = true;
  expect(Math.min(...(await Promise.all(asking)))).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  const after = await server.pids();
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
}, 90_000);

test('an old worker that dies while its replacement starts leaves no additional worker', async () => {
  const before = await server.pids();
  const replacements = (): number => server.command.said.split('all workers were replaced').length;
  const earlier = replacements();
  server.command.signal('SIGHUP');
  while ((await server.pids()).length < 3) await sleep(5);
  process.kill(before[0], 'SIGKILL');
  while (replacements() === earlier) await sleep(50);
  await sleep(2_000);
  const after = await server.pids();
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
}, 90_000);
