import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { audit } from './audit.js';
import { CONNECTION_LOST, type Outcome } from './client.js';
import { recordHistory } from './history.js';
import { Load } from './load.js';
import { ServerProcess, START } from './process.js';

const SECONDS = 30;

const KINDS = ['claim', 'move', 'swap', 'release', 'delete', 'share', 'stock', 'reshape'];

const isLost = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' && outcome.reason === CONNECTION_LOST;

let database: TestDatabase;
let servers: ServerProcess[];
beforeAll(async () => {
  database = await testDatabase();
  await recordHistory(database);
  servers = await Promise.all([ServerProcess.start(database.url), ServerProcess.start(database.url)]);
}, START);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await database.close();
});

test(
  'decision D15 holds at every commit of 32 writers on 8 providers through two servers, and no write is lost, doubled or halved',
  async () => {
    const load = new Load(
      servers.map(({ client }) => client),
      1,
    );
    await load.prepare();
    const running = load.run();
    await sleep(1000 * SECONDS);
    load.isOver = true;
    await running;

    const { findings, commits, overCapacity } = await audit(database, load);
    expect(findings.slice(0, 20)).toEqual([]);
    expect(load.log.unknown().filter(({ outcome }) => !isLost(outcome))).toEqual([]);
    expect(load.log.selfConflicts()).toEqual([]);
    const count = load.log.count();
    for (const kind of KINDS) expect({ kind, done: count[kind]?.done ?? 0 }).not.toEqual({ kind, done: 0 });
    expect(count.claim).toHaveProperty('CAPACITY_EXCEEDED');
    expect(count.share).toHaveProperty('CONSUMER_GENERATION_CONFLICT');
    expect(count.stock).toHaveProperty('PROVIDER_GENERATION_CONFLICT');
    expect(commits).toBeGreaterThan(100);
    expect(overCapacity).toBeGreaterThan(10);
    for (const server of servers) expect(await server.stop()).toBe('');
  },
  1000 * SECONDS + 60_000,
);
