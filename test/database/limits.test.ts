import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inConsistentSnapshot, readableDatabase } from '../../src/store/database/onConnection.js';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { refusal } from '../../src/store/database/failures.js';
import { Operations, type Operation } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { TimedOut } from '../../src/model/operation/waiting.js';
import { readTimeout } from '../../src/store/live/changes.js';
import { failureOf } from '../support/failureOf.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { openProcess } from '../support/database.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();

/** Takes longer than any test. */
const SLOW = 'SELECT SLEEP(600) AS slow FROM traits LIMIT 1';

/** Returns the number of running statements that contain a text. */
const running = async (text: string): Promise<number> => {
  const rows = await database.pool.query<{ n: number }[]>(
    'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE ? AND id <> CONNECTION_ID()',
    [`%${text}%`],
  );
  return rows[0].n;
};

/** Waits until this number of statements runs. */
async function untilRunning(count: number, text: string, most = 5_000): Promise<void> {
  for (const end = Date.now() + most; (await running(text)) !== count; await sleep(20)) {
    if (Date.now() > end) throw new Error(`${await running(text)} statements run, not ${count}`);
  }
}

describe('a statement that takes longer than it may', () => {
  let limited: Database;
  beforeAll(() => void (limited = openDatabase(database.url, { statementTimeout: 500 })));
  afterAll(() => limited.close());

  // SLEEP that is ended is no error; a statement that works is. MySQL knows how many rows there would be without making them
  const long = 'SELECT MAX(a.id ^ b.id ^ c.id ^ d.id) AS n FROM traits a, traits b, traits c, traits d';

  test('is ended by the server, whoever sends it', async () => {
    const { prisma, pool } = limited;
    for (const work of [pool.query(long), pool.execute(long), prisma.$queryRawUnsafe(long)]) {
      const error = refusal(await failureOf(work));
      expect(error).toBeInstanceOf(TimedOut);
    }
    await untilRunning(0, 'traits d');
  });

  test('a statement of longWork may take longer', async () => {
    expect(await limited.longWork.query('SELECT SLEEP(0.8) AS slept')).toEqual([{ slept: 0 }]);
  });

  test('waits ten seconds for a lock, then may be tried again', async () => {
    const [{ wait }] = await database.transactions.query<{ wait: number }[]>(
      'SELECT @@innodb_lock_wait_timeout AS wait',
    );
    expect(wait).toBe(10);
  });
});

test('a silent connection is closed and its statements fail; the pool opens others', async () => {
  const proxy = await TcpProxy.before(database.url);
  const other = openDatabase(proxy.url, { connections: 2, statementTimeout: 500 });
  proxy.onRequest = (data, connection) => {
    if (data.includes('into the void')) connection.silence();
  };
  try {
    const start = Date.now();
    const failures = await Promise.all(
      [1, 2].map((n) => failureOf(other.pool.query(`SELECT 'into the void', ${n}`))),
    );
    expect(failures).toMatchObject([{ errno: 45026 }, { errno: 45026 }]);
    expect(Date.now() - start).toBeLessThan(8_000);
    expect(await other.pool.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect([other.pool.activeConnections(), other.pool.idleConnections()]).toEqual([0, 1]);
  } finally {
    proxy.close();
    await other.close();
  }
});

test('searches fail if their freshness check waits on a dead connection, and the next searches succeed', async () => {
  const proxy = await TcpProxy.before(database.url);
  const other = openProcess(proxy.url);
  try {
    await other.snapshots.current();
    proxy.onRequest = (data, connection) => {
      if (data.includes('placement_feed_changes')) connection.silence();
    };
    const start = Date.now();
    const waiting = [failureOf(other.snapshots.current()), failureOf(other.snapshots.current())];
    await sleep(100);
    proxy.onRequest = null;
    const [first, second] = await Promise.all(waiting);
    expect(first).toBeInstanceOf(TimedOut);
    expect(second).toBeUndefined();
    expect(Date.now() - start).toBeLessThan(6_000);
  } finally {
    proxy.close();
    await other.close();
  }
});

test('a read of changes may take five seconds, and a millisecond more for each provider', () => {
  expect([readTimeout(1), readTimeout(1_234)]).toEqual([5_001, 6_234]);
});

test('a pool without a free connection is overload; one that cannot connect is a database that is not available', async () => {
  const busy = openDatabase(database.url, { connections: 1 });
  const holder = await busy.pool.getConnection();
  const unreachable = openDatabase('mysql://root@127.0.0.1:1/nothing', { connections: 1 });
  const failures = await Promise.all(
    [
      busy.pool.query('SELECT 1'),
      busy.prisma.trait.count(),
      busy.prisma.$queryRaw`SELECT 1`,
      busy.prisma.$transaction([busy.prisma.trait.count()]),
      unreachable.pool.query('SELECT 1'),
      unreachable.prisma.trait.count(),
    ].map(failureOf),
  );
  await holder.release();
  await Promise.all([busy.close(), unreachable.close()]);
  expect(failures.every((error) => error instanceof Error)).toBe(true);
  expect(failures.map((error) => refusal(error)?.name)).toEqual([
    ...['Overloaded', 'Overloaded', 'Overloaded', 'Overloaded'],
    ...['DatabaseUnavailable', 'DatabaseUnavailable'],
  ]);
});

describe('a read for an operation', () => {
  let own: Database;
  beforeEach(() => void (own = openDatabase(database.url, { connections: 4 })));
  afterEach(() => own.close());

  const read = (operation: Operation, sql: string): Promise<unknown> =>
    readableDatabase(own, operation).pool.query(sql);

  test('ends with the client, and the statement within a second', async () => {
    const operation = new Operations().begin();
    const reading = failureOf(read(operation, SLOW));
    await untilRunning(1, SLOW);
    const reason = new Error('gone');
    const start = Date.now();
    operation.abort(reason);
    expect(await reading).toBe(reason);
    expect(Date.now() - start).toBeLessThan(1_000);
    await untilRunning(0, SLOW, 1_000);
    expect(await own.pool.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('ends with the deadline', async () => {
    const operation = new Operations({ ...OPERATION_LIMITS, deadline: 200 }).begin();
    expect(await failureOf(read(operation, SLOW))).toBeInstanceOf(TimedOut);
    await untilRunning(0, SLOW, 1_000);
  });

  test('ends in the middle of a consistent snapshot', async () => {
    const client = new AbortController();
    const reading = failureOf(
      inConsistentSnapshot(own, (connection) => connection.query(SLOW), { signal: client.signal }),
    );
    await untilRunning(1, SLOW);
    client.abort(new Error('gone'));
    expect(await reading).toMatchObject({ message: 'gone' });
    await untilRunning(0, SLOW, 1_000);
  });

  test('leaves no connection behind, wherever it is when it ends', async () => {
    const operations = new Operations({ ...OPERATION_LIMITS, connections: 3 });
    const reads = Array.from({ length: 100 }, async (_, at) => {
      const operation = operations.begin();
      const reading = failureOf(read(operation, SLOW));
      await sleep(5 * at);
      operation.abort(new Error('gone'));
      operation.end();
      return reading;
    });
    expect(await Promise.all(reads)).toMatchObject(Array.from({ length: 100 }, () => ({ message: 'gone' })));
    await untilRunning(0, SLOW, 1_000);
    for (const end = Date.now() + 1_000; own.pool.activeConnections() > 0 && Date.now() < end;)
      await sleep(10);
    expect(own.pool.activeConnections()).toBe(0);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => read(operations.begin(), 'SELECT 1 AS one')),
    );
    expect(answers).toEqual(Array.from({ length: 8 }, () => [{ one: 1 }]));
  });

  test('leaves the line of those who wait for a connection', async () => {
    const holders = await Promise.all([1, 2, 3, 4].map(() => own.pool.getConnection()));
    const operation = new Operations().begin();
    const reading = failureOf(read(operation, 'SELECT 1'));
    await sleep(20);
    operation.abort(new Error('gone'));
    expect(await reading).toMatchObject({ message: 'gone' });
    await Promise.all(holders.map((holder) => holder.release()));
    await sleep(50);
    expect(own.pool.activeConnections()).toBe(0);
  });

  test.each(['SQL', 'Prisma'])('leaves connections to other operations, by %s', async (means) => {
    const operations = new Operations();
    const pool = openDatabase(database.url);
    const greedy = readableDatabase(pool, operations.begin());
    const slow = 'SELECT SLEEP(0.1) AS slow FROM traits LIMIT 1';
    const reads = Array.from({ length: 30 }, () =>
      means === 'SQL' ? greedy.pool.query(slow) : greedy.prisma.$queryRawUnsafe(slow),
    );
    const waits: number[] = [];
    for (let count = 0; count < 20; count++) {
      const start = Date.now();
      await Promise.all([
        readableDatabase(pool, operations.begin()).pool.query('SELECT 1'),
        pool.pool.query('SELECT 1'),
        pool.prisma.trait.count(),
      ]);
      waits.push(Date.now() - start);
    }
    await Promise.all(reads);
    await pool.close();
    const median = waits.sort((a, b) => a - b)[10];
    expect(median).toBeLessThan(250); // not the longest: others use the machine, too
  });
});
