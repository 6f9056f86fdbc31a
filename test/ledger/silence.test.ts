import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { TcpProxy, type ProxiedConnection } from '../support/tcpProxy.js';
import { aProvider, inventory } from './support.js';
import { setInventories } from '../support/edits.js';

/** Five seconds without an answer, two questions, and a busy machine; a statement may take thirty. */
const SOON_MS = 12_000;

/** A database of the test alone with one claim, and a process that writes through a proxy. */
interface Setting {
  readonly database: TestDatabase;
  readonly proxy: TcpProxy;
  readonly provider: string;
  readonly claim: () => Promise<unknown>;
  readonly used: () => Promise<number>;
}

/** The tests wait for seconds, all at the same time. */
async function behindProxy(work: (setting: Setting) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const proxy = await TcpProxy.before(database.url);
  const writer = openProcess(proxy.url);
  const provider = await aProvider(database);
  const inventories = [inventory('VCPU', 8)];
  await setInventories(database.ledger, { resourceProvider: provider, generation: 0, inventories });
  const claim = (): Promise<unknown> => claimOn(writer, provider);
  await claim();
  try {
    await work({ database, proxy, provider, claim, used: () => usedIn(database) });
  } finally {
    proxy.onRequest = null;
    proxy.cutAll();
    await writer.close();
    proxy.close();
    await database.close();
  }
}

const claimOn = (writer: ProcessDatabase, resourceProvider: string): Promise<unknown> =>
  setAllocations(writer.claims, {
    consumers: [
      {
        consumer: randomUUID(),
        generation: null,
        projectId: 'p',
        userId: 'u',
        allocations: [{ resourceProvider, resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
      },
    ],
  });

async function usedIn({ pool }: TestDatabase): Promise<number> {
  const [{ sum }] = await pool.query<{ sum: number }[]>('SELECT SUM(used) AS sum FROM allocations');
  return sum;
}

test.concurrent.each([
  ['reaches the server', (connection: ProxiedConnection) => connection.silence()],
  ['is answered', (connection: ProxiedConnection) => connection.swallowAnswers()],
])('a write goes on over another connection soon after a statement of it no more %s', (_what, fault) =>
  behindProxy(async ({ proxy, claim, used }) => {
    let faults = 0;
    proxy.onRequest = (data, connection) => {
      if (data.includes('allocations') && faults++ === 0) fault(connection);
    };
    const start = performance.now();
    await claim();
    expect(faults).toBeGreaterThan(1);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(await used()).toBe(2);
  }),
);

test.concurrent('all connections at once: the write goes on', () =>
  behindProxy(async ({ proxy, claim, used }) => {
    proxy.silenceAll();
    const start = performance.now();
    await claim();
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(await used()).toBe(2);
  }),
);

test.concurrent('a connection that the server has ended without a word: the write goes on', () =>
  behindProxy(async ({ database, proxy, claim, used }) => {
    let faults = 0;
    proxy.onRequest = (data, connection) => {
      if (!data.includes('allocations') || faults++ > 0) return;
      connection.silence();
      void endTransactions(database);
    };
    const start = performance.now();
    await claim();
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(await used()).toBe(2);
  }),
);

/** Has the server end every connection to this database that is in the middle of a transaction. */
async function endTransactions({ pool }: TestDatabase): Promise<void> {
  const rows = await pool.query<{ id: number }[]>(
    `SELECT p.id AS id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()`,
  );
  for (const { id } of rows) await pool.query(`KILL ${id}`);
}

test.concurrent('a statement that the server is still at is waited for', () =>
  behindProxy(async ({ database, proxy, provider, claim, used }) => {
    let kills = 0;
    proxy.onRequest = (data) => void (kills += data.includes('KILL ') ? 1 : 0);
    const holder = await database.transactions.getConnection();
    await holder.query('SELECT id FROM resource_providers WHERE uuid = ? FOR UPDATE', [provider]);
    const writing = claim();
    await sleep(9_000);
    await holder.rollback();
    await holder.release();
    await writing;
    expect(kills).toBe(0);
    expect(await used()).toBe(2);
  }),
);

test.concurrent('nothing is ended where the server does not say what it is at', () =>
  behindProxy(async ({ proxy, claim }) => {
    let kills = 0;
    proxy.onRequest = (data, connection) => {
      if (data.includes('KILL ')) kills += 1;
      if (data.includes('allocations') || data.includes('PROCESSLIST')) connection.silence();
    };
    const ended = claim().catch(() => undefined);
    await sleep(9_000);
    expect(kills).toBe(0);
    proxy.onRequest = null;
    proxy.cutAll();
    await ended;
  }),
);
