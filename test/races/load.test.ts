import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { cases } from '../support/length.js';
import { audit } from './audit.js';
import { CONNECTION_LOST, type Outcome } from './client.js';
import { recordHistory } from './history.js';
import { Load } from './load.js';
import { ServerProcess, START } from './process.js';

/**
 * The duration of the load in seconds: at least LEAST, then until all awaited results have
 * occurred, at most MOST.
 */
const [LEAST, MOST] = [cases(30, 8), 60];

/** The kinds of writes, each with a result that must have occurred. */
const ENDS = [
  ...['claim', 'move', 'swap', 'release', 'delete', 'share', 'stock', 'reshape'].map((kind) => [
    kind,
    'done',
  ]),
  ['claim', 'CAPACITY_EXCEEDED'],
  ['share', 'CONSUMER_GENERATION_CONFLICT'],
  ['stock', 'PROVIDER_GENERATION_CONFLICT'],
];

const missing = (count: Record<string, Record<string, number>>): string[][] =>
  ENDS.filter(([kind, end]) => (count[kind]?.[end] ?? 0) === 0);

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
    const began = performance.now();
    const seconds = (): number => (performance.now() - began) / 1000;
    while (seconds() < LEAST || (seconds() < MOST && missing(load.log.count()).length > 0)) await sleep(500);
    load.isOver = true;
    await running;

    const { findings, commits, overCapacity } = await audit(database, load);
    expect(findings.slice(0, 20)).toEqual([]);
    expect(load.log.unknown().filter(({ outcome }) => !isLost(outcome))).toEqual([]);
    expect(load.log.selfConflicts()).toEqual([]);
    expect(missing(load.log.count())).toEqual([]);
    expect(commits).toBeGreaterThan(100);
    expect(overCapacity).toBeGreaterThan(10);
    for (const server of servers) expect(await server.stop()).toBe('');
  },
  1000 * MOST + 60_000,
);
