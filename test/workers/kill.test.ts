import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { startPrivateDatabase } from '../../src/tools/privateDatabase/privateDatabase.js';
import { stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { audit } from '../races/audit.js';
import { Client } from '../races/client.js';
import { recordHistory } from '../races/history.js';
import { Load } from '../races/load.js';
import { cases } from '../support/length.js';
import { START } from '../races/process.js';
import { Follower } from './follower.js';
import { TwoWorkers } from './workers.js';

/** A database server of this test's own: its connections are those of the two workers alone. */
let directory: string;
let database: Database;
let server: TwoWorkers;

beforeEach(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
  const program = await startPrivateDatabase({ directory, durable: true });
  const url = program.url('workers');
  await ensureDatabase(url);
  database = openDatabase(url);
  await migrate(database);
  await recordHistory(database);
  server = await TwoWorkers.start(url);
}, START);
afterEach(async () => {
  await server.stop();
  await database.close();
  await stopProcesses(directory);
  await rm(directory, { recursive: true, force: true });
});

/** What the feed has of providers, as subscriptions tell it. */
async function events(): Promise<string[]> {
  const rows = await database.pool.query<{ uuid: string; generation: number | null }[]>(
    "SELECT uuid, generation FROM placement_feed_changes WHERE kind = 'PROVIDER' AND uuid IS NOT NULL",
  );
  return [...new Set(rows.map(({ uuid, generation }) => `${uuid} ${generation}`))].sort();
}

test('kill -9 of one worker after the other under load loses no acknowledged write and no event of a subscription', async () => {
  const followers = await Promise.all([Follower.start(server.url), Follower.start(server.url)]);
  const clients = [new Client(server.url), new Client(server.url)];
  const load = new Load(clients, 3);
  await load.prepare();
  const running = load.run();
  const before = await server.pids();
  for (let kills = 0; kills < cases(4, 2); kills++) {
    await load.heat();
    await server.killOldest();
  }
  await load.heat();
  load.isOver = true;
  await running;

  const { findings, commits } = await audit(database, load);
  expect(findings.slice(0, 20)).toEqual([]);
  expect(commits).toBeGreaterThan(50);
  expect((await server.pids()).filter((pid) => before.includes(pid))).toEqual([]);
  expect(followers.reduce((sum, { returns }) => sum + returns, 0)).toBeGreaterThan(0);

  const all = await events();
  for (const follower of followers) {
    for (let waited = 0; waited < 300 && !follower.hasSeen(all); waited++) await sleep(100);
    follower.stop();
    expect(follower.missing(all)).toEqual([]);
  }
  for (const client of clients) client.close();
}, 180_000);
