import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations, type ClaimWriter } from '../../src/store/ledger/allocation/claimQueue.js';
import { NotFound } from '../../src/model/rejections.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { inTransaction, OutcomeUnknown } from '../../src/store/ledger/transaction.js';
import { Operations, type Operation } from '../../src/model/operation/operation.js';
import { TimedOut } from '../../src/model/operation/waiting.js';
import { failureOf } from '../support/failureOf.js';
import { TcpProxy, type ProxiedConnection } from '../support/tcpProxy.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { inventory, stocked } from './support.js';
import { consumerOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();

/** A process that writes through a proxy. */
interface Setting {
  readonly proxy: TcpProxy;
  readonly writer: ProcessDatabase;
}

async function openSetting(): Promise<Setting & { readonly close: () => Promise<void> }> {
  const proxy = await TcpProxy.before(database.url);
  const writer = openProcess(proxy.url);
  await writer.ledger.feed.ready();
  await writer.transactions.query('SELECT 1');
  const close = async (): Promise<void> => {
    proxy.onRequest = null;
    proxy.isUp = true;
    proxy.cutAll();
    await writer.close();
    proxy.close();
  };
  return { proxy, writer, close };
}

const aHost = (): Promise<string> => stocked(database, inventory('VCPU', 8));

const claim = (writer: ClaimWriter, consumer: string, provider: string) =>
  setAllocations(writer, { consumers: [consumerOf(consumer, { [provider]: { VCPU: 1 } })] });

const rows = (sql: string, ...values: unknown[]): Promise<unknown> => database.pool.query(sql, values);

/** The COMMIT of a write, not that of the connector's or of a reader. */
function onFirstCommit(
  through: TcpProxy,
  fault: (connection: ProxiedConnection) => void,
): { commits: number } {
  const seen = { commits: 0 };
  through.onRequest = (data, connection) => {
    if (!data.toString('latin1').endsWith('\x03COMMIT')) return;
    if (++seen.commits === 1) fault(connection);
  };
  return seen;
}

const FAULTS: [string, committed: boolean, (connection: ProxiedConnection) => void][] = [
  ['its answer never comes', true, (connection) => connection.swallowAnswers()],
  ['it never arrives', false, (connection) => connection.silence()],
  ['the connection is cut before it arrives', false, (connection) => connection.cut()],
  [
    'the connection is cut behind it',
    true,
    (connection) => {
      connection.swallowAnswers();
      setTimeout(() => connection.cut(), 100);
    },
  ],
  [
    'it fails on a node that has lost the others of its cluster, and they have it',
    true,
    (connection) => connection.answerWithError(1180, 'Got error 6 "No such device or address" during COMMIT'),
  ],
  [
    'it fails on a node that is not ready any more, and took place',
    true,
    (connection) => connection.answerWithError(1047, 'WSREP has not yet prepared node for application use'),
  ],
  [
    'its node of a group says that it has rolled it back, and the others have committed it',
    true,
    (connection) => connection.answerWithError(3101, 'as a group says it'),
  ],
];

/** The tests of faults wait for seconds, all at the same time, so each has a proxy of its own. */
async function withSetting(work: (setting: Setting) => Promise<void>): Promise<void> {
  const { close: end, ...setting } = await openSetting();
  try {
    await work(setting);
  } finally {
    await end();
  }
}

describe('a COMMIT', () => {
  test.concurrent.each(FAULTS)('of a claim: %s; it takes place once', (_fault, committed, fault) =>
    withSetting(async ({ writer, proxy }) => {
      const [uuid, consumer] = [await aHost(), randomUUID()];
      const seen = onFirstCommit(proxy, fault);
      expect(await claim(writer.claims, consumer, uuid)).toMatchObject([{ uuid: consumer, generation: 1 }]);
      expect(seen.commits).toBe(committed ? 1 : 2);
      expect(await rows('SELECT used FROM allocations WHERE consumer_id = ?', consumer)).toEqual([
        { used: 1 },
      ]);
    }),
  );

  test.concurrent.each([FAULTS[0], FAULTS[FAULTS.length - 1]])(
    'of a rejected claim: %s; the claim is rejected',
    (_fault, _committed, fault) =>
      withSetting(async ({ writer, proxy }) => {
        const seen = onFirstCommit(proxy, fault);
        expect(await failureOf(claim(writer.claims, randomUUID(), randomUUID()))).toBeInstanceOf(NotFound);
        expect(seen.commits).toBe(1);
      }),
  );

  test.concurrent('a commit whose outcome cannot be read is reported as unknown', () =>
    withSetting(async ({ writer, proxy }) => {
      onFirstCommit(proxy, () => {
        proxy.isUp = false;
        proxy.cutAll();
      });
      const start = Date.now();
      const failure = await failureOf(createProvider(writer.ledger, { name: randomUUID() }));
      expect(failure).toBeInstanceOf(OutcomeUnknown);
      expect(Date.now() - start).toBeLessThan(8_000);
    }));
});

const gone = new Error('gone');
function operationOf(client: AbortSignal): Operation {
  const operation = new Operations().begin();
  client.addEventListener('abort', () => operation.abort(client.reason as Error));
  return operation;
}

describe('if its operation ends', () => {
  let proxy: TcpProxy;
  let writer: ProcessDatabase;
  let close: () => Promise<void>;
  beforeAll(async () => void ({ proxy, writer, close } = await openSetting()));
  afterEach(() => void (proxy.onRequest = null));
  afterAll(() => close());

  test('a write that waits for a lock is rolled back and releases its own locks', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    for (const name of [first, second]) await createProvider(database.ledger, { name });
    const lock = 'SELECT id FROM resource_providers WHERE name = ? FOR UPDATE';
    const rival = await database.transactions.getConnection();
    await rival.query(lock, [second]);
    const client = new AbortController();
    const write = inTransaction({ ...writer.ledger, operation: operationOf(client.signal) }, async (tx) => {
      await tx.query('UPDATE resource_providers SET generation = 7 WHERE name = ?', [first]);
      setTimeout(() => client.abort(gone), 50);
      await tx.query(lock, [second]);
    });
    // both end while the rival still holds the lock for which the statement waited
    expect(await failureOf(write)).toBe(gone);
    await database.transactions.query(lock, [first]);
    await rival.release();
    expect(await rows('SELECT generation FROM resource_providers WHERE name = ?', first)).toEqual([
      { generation: 0 },
    ]);
    expect(await writer.transactions.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('a write is not tried again', async () => {
    const signal = AbortSignal.timeout(300);
    let attempts = 0;
    const write = inTransaction({ ...writer.ledger, operation: operationOf(signal) }, async (tx) => {
      attempts++;
      await tx.query("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'deadlock'");
    });
    expect(await failureOf(write)).toBe(signal.reason);
    expect(attempts).toBeGreaterThan(1);
    const before = attempts;
    await sleep(300);
    expect(attempts).toBe(before);
  });

  test('a write is committed if it is committing', async () => {
    const client = new AbortController();
    const seen = onFirstCommit(proxy, () => client.abort(gone));
    const ledger = { ...writer.ledger, operation: operationOf(client.signal) };
    const { uuid } = await createProvider(ledger, { name: randomUUID() });
    expect(seen.commits).toBe(1);
    expect(await rows('SELECT 1 AS one FROM resource_providers WHERE uuid = ?', uuid)).toEqual([{ one: 1 }]);
  });

  test('a write leaves nothing in flight for the readers of the change feed', async () => {
    const client = new AbortController();
    proxy.onRequest = (data) => {
      if (data.includes('INSERT INTO placement_feed_changes')) client.abort(gone);
    };
    const ledger = { ...writer.ledger, operation: operationOf(client.signal) };
    expect(await failureOf(createProvider(ledger, { name: randomUUID() }))).toBe(gone);
    proxy.onRequest = null;
    await sleep(300);
    await createProvider(writer.ledger, { name: randomUUID() });
    const [last] = await database.pool.query<{ seq: number; lowWatermark: number }[]>(
      'SELECT seq, low_watermark AS lowWatermark FROM placement_feed_changes ORDER BY created_at DESC, seq DESC LIMIT 1',
    );
    expect(last.lowWatermark).toBe(last.seq);
  });

  const claimsOf = (signal: AbortSignal): ClaimWriter => ({
    write: (each) => writer.claims.write(each, operationOf(signal)),
  });

  test('a claim leaves the queue, and the claims behind it are written', async () => {
    const uuid = await aHost();
    const rival = await database.transactions.getConnection();
    await rival.query('SELECT id FROM resource_providers WHERE uuid = ? FOR UPDATE', [uuid]);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const first = failureOf(claim(claimsOf(running.signal), one, uuid));
    await sleep(100);
    const second = failureOf(claim(claimsOf(waiting.signal), two, uuid));
    const third = claim(writer.claims, three, uuid);
    waiting.abort(gone);
    expect(await second).toBe(gone);
    running.abort(new TimedOut('too long'));
    expect(await first).toBeInstanceOf(TimedOut);
    await rival.release();
    expect(await third).toMatchObject([{ uuid: three }]);
    const written = 'SELECT consumer_id AS uuid FROM allocations WHERE consumer_id IN (?)';
    expect(await rows(written, [one, two, three])).toEqual([{ uuid: three }]);
  });
});
