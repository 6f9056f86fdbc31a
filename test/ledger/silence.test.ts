import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { openProcess, testDatabase, type TestDatabase } from '../support/database.js';
import { TcpProxy, type ProxiedConnection } from '../support/tcpProxy.js';
import { useDatabase } from '../support/useDatabase.js';
import { inventory, stocked } from './support.js';
import { consumerOf } from './treeSupport.js';

const shared = useDatabase();

/** Five seconds without an answer, two questions, and a busy machine; a statement may take thirty. */
const SOON_MS = 12_000;

/** A provider with one claim, and a process that writes through a proxy. */
interface Setting {
  readonly proxy: TcpProxy;
  readonly provider: string;
  readonly claim: () => Promise<unknown>;
  readonly used: () => Promise<number>;
}

/** The tests wait for seconds, all at the same time. */
async function behindProxy(
  work: (setting: Setting) => Promise<void>,
  database: TestDatabase = shared,
): Promise<void> {
  const proxy = await TcpProxy.before(database.url);
  const writer = openProcess(proxy.url);
  const provider = await stocked(database, inventory('VCPU', 8));
  const claim = () =>
    setAllocations(writer.claims, {
      consumers: [consumerOf(randomUUID(), { [provider]: { VCPU: 1 } })],
    });
  const used = async (): Promise<number> => {
    const [{ sum }] = await database.pool.query<{ sum: number }[]>(
      'SELECT SUM(used) AS sum FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ?',
      [provider],
    );
    return sum;
  };
  await claim();
  try {
    await work({ proxy, provider, claim, used });
  } finally {
    proxy.onRequest = null;
    proxy.cutAll();
    await writer.close();
    proxy.close();
  }
}

/** Expects that a claim takes place soon, over another connection after at least so many faults. */
async function expectClaimed({ claim, used }: Setting, faults: () => number, least: number): Promise<void> {
  const start = performance.now();
  await claim();
  expect(faults()).toBeGreaterThanOrEqual(least);
  expect(performance.now() - start).toBeLessThan(SOON_MS);
  expect(await used()).toBe(2);
}

test.concurrent.each([
  ['reaches the server', (connection: ProxiedConnection) => connection.silence()],
  ['is answered', (connection: ProxiedConnection) => connection.swallowAnswers()],
])('a write continues on another connection soon after its statement no longer %s', (_what, fault) =>
  behindProxy(async (setting) => {
    let faults = 0;
    setting.proxy.onRequest = (data, connection) => {
      if (data.includes('allocations') && faults++ === 0) fault(connection);
    };
    await expectClaimed(setting, () => faults, 2);
  }),
);

test.concurrent('a write continues when all connections fail at once', () =>
  behindProxy(async (setting) => {
    const { proxy } = setting;
    const silenced = new Set(proxy.connections);
    let faults = 0;
    proxy.onRequest = (_data, connection) => void (faults += silenced.has(connection) ? 1 : 0);
    proxy.silenceAll();
    await expectClaimed(setting, () => faults, 1);
  }));

test.concurrent('a write continues when the server has closed a connection without a message', async () => {
  const database = await testDatabase(); // so that its only transaction is the one to end
  const work = async (setting: Setting): Promise<void> => {
    let faults = 0;
    let ended: Promise<void> | undefined;
    setting.proxy.onRequest = (data, connection) => {
      // the first statement after a lock, so that the server lists the transaction
      if (!/insert into `?allocations/i.test(data.toString('latin1')) || faults++ > 0) return;
      connection.silence();
      ended = endTransaction(database);
    };
    await expectClaimed(setting, () => faults, 2);
    await ended;
  };
  try {
    await behindProxy(work, database);
  } finally {
    await database.close();
  }
});

/** Waits for a transaction of another connection to this database, and ends the connection. */
async function endTransaction({ pool }: TestDatabase): Promise<void> {
  for (let id: number | undefined; id === undefined; await sleep(20)) {
    const rows = await pool.query<{ id: number }[]>(
      `SELECT p.id AS id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
        WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()`,
    );
    id = rows.at(0)?.id;
    if (id !== undefined) await pool.query(`KILL ${id}`);
  }
}

/** Returns whether the promise is still pending. */
const isPending = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    sleep(0, true),
  ]);

test.concurrent('a write waits for a statement that the server still executes', () =>
  behindProxy(async ({ proxy, provider, claim, used }) => {
    let [questions, kills] = [0, 0];
    proxy.onRequest = (data) => {
      if (data.includes('PROCESSLIST')) questions += 1;
      if (data.includes('KILL ')) kills += 1;
    };
    const holder = await shared.transactions.getConnection();
    await holder.query('SELECT id FROM resource_providers WHERE uuid = ? FOR UPDATE', [provider]);
    const writing = claim();
    await sleep(9_000);
    expect(await isPending(writing)).toBe(true);
    expect(questions).toBeGreaterThan(0);
    await holder.rollback();
    await holder.release();
    await writing;
    expect(kills).toBe(0);
    expect(await used()).toBe(2);
  }));

test.concurrent('no connection is closed if the server does not report what it executes', () =>
  behindProxy(async ({ proxy, claim }) => {
    let [faults, questions, kills] = [0, 0, 0];
    proxy.onRequest = (data, connection) => {
      if (data.includes('KILL ')) kills += 1;
      const isQuestion = data.includes('PROCESSLIST');
      const isStatement = data.includes('allocations');
      if (isQuestion) questions += 1;
      if (isStatement) faults += 1;
      if (isQuestion || isStatement) connection.silence();
    };
    const ended = claim().catch(() => undefined);
    await sleep(9_000);
    expect(await isPending(ended)).toBe(true);
    expect(Math.min(faults, questions)).toBeGreaterThan(0);
    expect(kills).toBe(0);
    proxy.onRequest = null;
    proxy.cutAll();
    await ended;
  }));
