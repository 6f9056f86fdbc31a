import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { aProvider, inventory } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { setInventories } from '../support/edits.js';

/** Five seconds without an answer, two questions, and a busy machine; a statement may take thirty. */
const SOON_MS = 12_000;

const database = useDatabase();
let proxy: TcpProxy;
/** Writes through the proxy. */
let writer: ProcessDatabase;
let provider: string;

beforeEach(async () => {
  proxy = await TcpProxy.before(database.url);
  writer = openProcess(proxy.url);
  provider = await aProvider(database);
  const inventories = [inventory('VCPU', 8)];
  await setInventories(database.ledger, { resourceProvider: provider, generation: 0, inventories });
  await claim();
});
afterEach(async () => {
  proxy.onRequest = null;
  proxy.cutAll();
  await writer.close();
  proxy.close();
});

const claim = () =>
  setAllocations(writer.claims, {
    consumers: [
      {
        consumer: randomUUID(),
        generation: null,
        projectId: 'p',
        userId: 'u',
        allocations: [{ resourceProvider: provider, resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
      },
    ],
  });

async function used(): Promise<number> {
  const [{ sum }] = await database.pool.query<{ sum: number }[]>(
    'SELECT SUM(used) AS sum FROM allocations WHERE resource_provider_id = (SELECT id FROM resource_providers WHERE uuid = ?)',
    [provider],
  );
  return sum;
}

test.each([
  ['reaches the server', (connection: { silence(): void }) => connection.silence()],
  ['is answered', (connection: { swallowAnswers(): void }) => connection.swallowAnswers()],
])(
  'a write goes on over another connection soon after a statement of it no more %s',
  async (_what, fault) => {
    let faults = 0;
    proxy.onRequest = (data, connection) => {
      if (data.includes('allocations') && faults++ === 0) fault(connection);
    };
    const start = performance.now();
    await claim();
    expect(faults).toBeGreaterThan(1);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(await used()).toBe(2);
  },
);

test('all connections at once: the write goes on', async () => {
  proxy.silenceAll();
  const start = performance.now();
  await claim();
  expect(performance.now() - start).toBeLessThan(SOON_MS);
  expect(await used()).toBe(2);
});

test('a connection that the server has ended without a word: the write goes on', async () => {
  let faults = 0;
  proxy.onRequest = (data, connection) => {
    if (!data.includes('allocations') || faults++ > 0) return;
    connection.silence();
    void endTransactions();
  };
  const start = performance.now();
  await claim();
  expect(performance.now() - start).toBeLessThan(SOON_MS);
  expect(await used()).toBe(2);
});

/** Has the server end every connection to this database that is in the middle of a transaction. */
async function endTransactions(): Promise<void> {
  const rows = await database.pool.query<{ id: number }[]>(
    `SELECT p.id AS id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()`,
  );
  for (const { id } of rows) await database.pool.query(`KILL ${id}`);
}

test('a statement that the server is still at is waited for', async () => {
  let kills = 0;
  proxy.onRequest = (data) => void (kills += data.includes('KILL ') ? 1 : 0);
  const holder = await database.transactions.getConnection();
  await holder.query('SELECT id FROM resource_providers WHERE uuid = ? FOR UPDATE', [provider]);
  const writing = claim();
  await new Promise((resolve) => setTimeout(resolve, 9_000));
  await holder.rollback();
  await holder.release();
  await writing;
  expect(kills).toBe(0);
  expect(await used()).toBe(2);
});

test('nothing is ended where the server does not say what it is at', async () => {
  let kills = 0;
  proxy.onRequest = (data, connection) => {
    if (data.includes('KILL ')) kills += 1;
    if (data.includes('allocations') || data.includes('PROCESSLIST')) connection.silence();
  };
  const ended = claim().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 9_000));
  expect(kills).toBe(0);
  proxy.onRequest = null;
  proxy.cutAll();
  await ended;
});
