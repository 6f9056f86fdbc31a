import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../races/client.js';
import { START } from '../races/process.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TwoWorkers } from './workers.js';

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

/** The memory of a process that swapping could not take (MiB). */
async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

/** A client of a worker that answers: a stopped one accepts no connection, or never answers. */
async function clientOfRunningWorker(): Promise<Client> {
  for (;;) {
    const client = new Client(server.url);
    const answer = client.read('{ consumerTypes { name } }').catch(() => null);
    if ((await Promise.race([answer, sleep(1_000, null)])) !== null) return client;
    client.close();
  }
}

const WRITES = 400;
const TRAITS = 300;

test('the primary needs no memory for a stopped worker, which goes on with current answers', async () => {
  const [stopped] = await server.pids();
  process.kill(stopped, 'SIGSTOP');
  try {
    const client = await clientOfRunningWorker();
    const uuid = randomUUID();
    const done = { kind: 'done' };
    const create = { name: uuid, uuid };
    expect(await client.mutate('createResourceProvider', create, '__typename')).toMatchObject(done);
    const traits = Array.from({ length: TRAITS }, (_, at) => `CUSTOM_STOPPED_${at}`);
    for (const name of traits) await client.mutate('createTrait', { name }, '__typename');
    const before = await residentMiB(server.command.pid);
    for (let generation = 0; generation < WRITES; generation++) {
      const input = { resourceProvider: { uuid }, generation, traits: { set: traits.slice(generation % 2) } };
      expect(await client.mutate('updateResourceProvider', input, '__typename')).toMatchObject(done);
      await client.read(
        '{ allocationCandidates(request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }, limit: 1) { __typename } }',
      );
    }
    expect((await residentMiB(server.command.pid)) - before).toBeLessThan(8);
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
