import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import {
  startPrivateDatabase,
  type PrivateDatabase,
} from '../../src/tools/privateDatabase/privateDatabase.js';
import { createProcess } from '../../src/server/process.js';
import type { Server } from '../../src/server/server.js';
import { apiAt } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { serve as serveProcess, type Served } from './server.js';

let folder: string;
let program: PrivateDatabase;
let database: Database;
let server: Server;
let origin: string;

/** Longer than the server uses the result of a check (ms). */
const STALE_MS = 1_050;

/** A database server of its own, because the tests make it read-only, slow and dead. */
beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
  program = await startPrivateDatabase({ directory: folder, durable: false });
  const url = program.url('placement');
  await ensureDatabase(url);
  database = openDatabase(url, { connections: 2 });
  await migrate(database);
  ({ server, origin } = await serve(database));
});
afterAll(async () => {
  await server.close();
  await database.close();
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

const serve = (served: Database): Promise<Served> =>
  serveProcess(createProcess(served, { report: () => undefined }));

async function ask(path: string, at = origin): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${at}${path}`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { status: response.status, body: await response.json() };
}

const READY = { status: 200, body: { status: 'ok', fullLoads: 1 } };
const unavailable = (reason: unknown) => ({
  status: 503,
  body: { status: 'database unavailable', reason, fullLoads: 1 },
});

beforeEach(() => sleep(STALE_MS));

test('a server that can serve is ready', async () => {
  expect(await ask('/readyz')).toEqual(READY);
  expect(await ask('/healthz')).toEqual(READY);
  expect(await ask('/livez')).toEqual({ status: 200, body: { status: 'ok' } });
});

test('a server is ready when all connections are busy: readiness has one of its own', async () => {
  const { pool, transactions, longWork } = database;
  const pools = [pool, pool, transactions, transactions, longWork, longWork];
  const busy = await Promise.all(pools.map((each) => each.getConnection()));
  expect(await ask('/readyz')).toEqual(READY);
  for (const connection of busy) await connection.release();
});

test('a server with a read-only database is not ready, and its result is used for a second', async () => {
  await database.pool.query('SET GLOBAL read_only = 1');
  const readOnly = unavailable('the database server is read-only (read_only)');
  expect(await ask('/readyz')).toEqual(readOnly);
  await database.pool.query('SET GLOBAL read_only = 0');
  expect(await ask('/readyz')).toEqual(readOnly);
  await sleep(STALE_MS);
  expect(await ask('/readyz')).toEqual(READY);
});

test('a server that starts on a read-only database answers reads, and writes when it may', async () => {
  await database.pool.query("CREATE USER plain@localhost IDENTIFIED BY ''"); // root may write nevertheless
  await database.pool.query('GRANT ALL ON placement.* TO plain@localhost');
  await database.pool.query('SET GLOBAL read_only = 1');
  const plain = openDatabase(program.url('placement').replace('root@', 'plain@'));
  const { server: own, origin: at, url } = await serve(plain);
  const client = apiAt(url);
  const create = () => client.mutate('createResourceProvider', { name: 'late' }, '__typename');
  try {
    expect(await ask('/readyz', at)).toEqual(unavailable('the database server is read-only (read_only)'));
    expect(await client.query('{ resourceProviders(first: 1) { totalCount } }')).toMatchObject({
      data: { resourceProviders: { totalCount: 0 } },
    });
    await expect(create()).rejects.toThrow('DATABASE_UNAVAILABLE');
    await database.pool.query('SET GLOBAL read_only = 0');
    expect(await create()).toEqual({ __typename: 'CreateResourceProviderPayload' });
  } finally {
    await database.pool.query('SET GLOBAL read_only = 0');
    await own.close();
    await plain.close();
  }
});

test('hundreds of probes at once cost one check', async () => {
  const count = async (): Promise<number> => {
    const [row] = await database.pool.query<{ Value: string }[]>("SHOW GLOBAL STATUS LIKE 'Questions'");
    return Number(row.Value);
  };
  const before = await count();
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask('/readyz')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await count()) - before).toBeLessThan(50);
});

test('the body has no message of the database', async () => {
  await database.pool.query('RENAME TABLE resource_classes TO elsewhere');
  expect(await ask('/readyz')).toEqual(unavailable('the database does not answer'));
  await database.pool.query('RENAME TABLE elsewhere TO resource_classes');
});

test('a check that fails because the event loop is blocked does not blame the database', async () => {
  const shared: TestDatabase = await testDatabase();
  const proxy = await TcpProxy.before(shared.url);
  const far = openDatabase(proxy.url);
  const { server: own, origin: at } = await serve(far);
  try {
    expect(await ask('/readyz', at)).toEqual(READY);
    await sleep(STALE_MS);
    proxy.onRequest = (_data, connection) => {
      connection.silence();
      for (const end = Date.now() + 4_000; Date.now() < end;); // blocks this process, which is the server, too
    };
    expect(await ask('/readyz', at)).toEqual(unavailable('the server is too busy to ask the database'));
  } finally {
    await own.close();
    proxy.close();
    await far.close();
    await shared.close();
  }
});

test('a database that does not answer is unavailable after two seconds, and the process lives', async () => {
  const shared: TestDatabase = await testDatabase();
  const proxy = await TcpProxy.before(shared.url);
  const far = openDatabase(proxy.url);
  const { server: own, origin: at } = await serve(far);
  try {
    expect(await ask('/readyz', at)).toEqual(READY);
    await sleep(STALE_MS);
    proxy.onRequest = (_data, connection) => connection.silence();
    const began = Date.now();
    expect(await ask('/readyz', at)).toEqual(unavailable('the database does not answer'));
    expect(Date.now() - began).toBeLessThan(4_000);
    expect((await ask('/livez', at)).status).toBe(200);
  } finally {
    await own.close();
    proxy.close();
    await far.close();
    await shared.close();
  }
});
