import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import {
  startPrivateDatabase,
  type PrivateDatabase,
} from '../../src/tools/privateDatabase/privateDatabase.js';
import { databaseProcesses, stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { capacity } from '../oracle/capacity.js';
import type { InventoryRecord } from '../support/forest.js';
import { cases } from '../support/length.js';
import { audit } from './audit.js';
import { CONNECTION_LOST, type Client, type Outcome } from './client.js';
import { recordHistory } from './history.js';
import { BEACON, Load } from './load.js';
import { ServerProcess, START } from './process.js';
import { OVER_REST } from './writeLog.js';

/**
 * The duration of the load before the first kill in seconds: at least LEAST, then until all awaited
 * results have occurred, at most MOST.
 */
const [LEAST, MOST] = [cases(30, 3), 60];

/**
 * This test has its own database server, because a killed one must not lose acknowledged writes.
 */
let directory: string;
let server: PrivateDatabase;
let database: Database;
let processes: ServerProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
  server = await startPrivateDatabase({ directory, durable: true });
  await ensureDatabase(url());
  database = openDatabase(url());
  await migrate(database);
  await recordHistory(database);
  processes = await Promise.all([start(), start()]);
}, START);
afterEach(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await database.close();
  await stopProcesses(directory);
  await rm(directory, { recursive: true, force: true });
});

/** The kinds of writes, each with a result that must have occurred. */
const ENDS = ['', OVER_REST].flatMap((via) => [
  ...['claim', 'move', 'swap', 'release', 'delete', 'share', 'stock', 'reshape'].map((kind) => [
    via + kind,
    'done',
  ]),
  [`${via}claim`, 'CAPACITY_EXCEEDED'],
  [`${via}share`, 'CONSUMER_GENERATION_CONFLICT'],
  [`${via}stock`, 'PROVIDER_GENERATION_CONFLICT'],
]);

const missing = (count: Record<string, Record<string, number>>): string[][] =>
  ENDS.filter(([kind, end]) => (count[kind]?.[end] ?? 0) === 0);

const isLost = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' && outcome.reason === CONNECTION_LOST;

/** Waits until the load has run for some seconds, and until all awaited results have occurred. */
async function runUndisturbed({ log }: Load): Promise<void> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  while (seconds() < LEAST || (seconds() < MOST && missing(log.count()).length > 0)) await sleep(500);
  expect(missing(log.count())).toEqual([]);
  expect(log.unknown().filter(({ outcome }) => !isLost(outcome))).toEqual([]);
}

const url = (): string => server.url('races');
const start = (): Promise<ServerProcess> => ServerProcess.start(url());

/** Returns usage and capacity by provider and class from the candidates of a server. */
async function summaries(client: Client): Promise<string[]> {
  interface Summary {
    readonly resourceProvider: { readonly uuid: string };
    readonly resources: readonly { resourceClass: { name: string }; capacity: number; used: number }[];
  }
  const { allocationCandidates } = await client.read<{
    allocationCandidates: { providerSummaries: readonly Summary[] };
  }>(
    `{ allocationCandidates(request: { groups: [{ resources: [{ resourceClass: "${BEACON}", amount: 1 }] }] }) {
         providerSummaries { resourceProvider { uuid } resources { resourceClass { name } capacity used } } } }`,
  );
  return allocationCandidates.providerSummaries
    .flatMap(({ resourceProvider, resources }) =>
      resources.map(
        (each) => `${resourceProvider.uuid} ${each.resourceClass.name} ${each.used} of ${each.capacity}`,
      ),
    )
    .sort();
}

/** Returns the same texts from the tables. */
async function sums(): Promise<string[]> {
  const rows = await database.pool.query<(InventoryRecord & { uuid: string; name: string; used: number })[]>(
    `SELECT p.uuid, c.name, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size, i.allocation_ratio + 0e0 AS allocation_ratio,
            (SELECT CAST(COALESCE(SUM(used), 0) AS SIGNED) FROM allocations a
             WHERE a.resource_provider_id = p.id AND a.resource_class_id = c.id) AS used
     FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id
     JOIN resource_classes c ON c.id = i.resource_class_id`,
  );
  return rows.map((row) => `${row.uuid} ${row.name} ${row.used} of ${capacity(row)}`).sort();
}

/** Waits until the database has no transaction of a dead process left. */
async function quiet(): Promise<void> {
  for (let open = 1; open > 0; await sleep(150)) {
    open = (await database.pool.query<unknown[]>('SELECT 1 FROM information_schema.innodb_trx')).length;
  }
}

/**
 * Kills the database server and starts it again immediately. The server processes must reconnect by
 * themselves.
 */
async function killDatabase(): Promise<void> {
  for (const pid of await databaseProcesses(directory)) process.kill(pid, 'SIGKILL');
  expect(await server.died).toBe('it ended with SIGKILL');
  server = await startPrivateDatabase({ directory, durable: true });
  await database.close();
  database = openDatabase(url());
}

test('decision D15 holds at every commit of 32 writers over GraphQL and REST through two servers; what was acknowledged survives kill -9 of a server and of the database; of the rest each write is there wholly or not at all', async () => {
  const clients = processes.map(({ client }) => client);
  const load = new Load(clients, 2, 32, 50);
  await load.prepare();
  const running = load.run();
  await runUndisturbed(load);

  // usually once is enough; on a slow machine the killed server may have no write in progress
  const lost = load.log.unknown().length;
  for (let kills = 0; kills < 5 && load.log.unknown().length === lost; kills++) {
    await load.heat();
    await processes[0].kill();
    clients.splice(clients.indexOf(processes[0].client), 1);
    await sleep(500);
    processes[0] = await start();
    clients.push(processes[0].client);
  }
  for (let kills = 0; kills < cases(2, 1); kills++) {
    await load.heat();
    await killDatabase();
  }
  const before = load.log.attempts.length;
  await load.heat();
  load.isOver = true;
  await running;
  await quiet();

  const { findings, commits, overCapacity } = await audit(database, load);
  expect(findings.slice(0, 20)).toEqual([]);
  expect(load.log.selfConflicts()).toEqual([]);
  expect(commits).toBeGreaterThan(100);
  expect(overCapacity).toBeGreaterThan(10);
  expect(load.log.unknown().length).toBeGreaterThan(lost);
  expect(load.log.attempts.slice(before).map(({ outcome }) => outcome.kind)).toContain('done');

  const stored = await sums();
  for (const { client } of processes) expect(await summaries(client)).toEqual(stored);
  expect(await Promise.all(processes.map(({ client }) => client.fullLoads()))).toEqual([1, 1]);
}, 240_000);
