import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { START } from '../races/process.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { post } from '../support/httpPost.js';
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

test('SIGHUP replaces all workers, and no request of a client fails meanwhile', async () => {
  const before = await server.pids();
  let isOver = false;
  const failures: unknown[] = [];
  const ask = async (): Promise<number> => {
    const agent = new Agent({ keepAlive: true });
    const body = JSON.stringify({ query: '{ consumerTypes { name } }' });
    let answers = 0;
    for (; !isOver; answers++)
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
