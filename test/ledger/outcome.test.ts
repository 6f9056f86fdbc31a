import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import type { ClaimWriter } from '../../src/ledger/allocation/claimQueue.js';
import { NotFound } from '../../src/ledger/errors.js';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { inTransaction, OutcomeUnknown } from '../../src/ledger/transaction.js';
import { Operations, type Operation } from '../../src/runtime/operation.js';
import { TimedOut } from '../../src/runtime/refusals.js';
import { failureOf } from '../support/failureOf.js';
import { TcpProxy, type ProxiedConnection } from '../support/tcpProxy.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { aProvider, inventory } from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { setInventories } from '../support/edits.js';

const database = useDatabase();
let proxy: TcpProxy;
/** Writes through the proxy. */
let writer: ProcessDatabase;

interface Setting {
  readonly proxy: TcpProxy;
  readonly writer: ProcessDatabase;
}

async function openSetting(): Promise<Setting & { readonly close: () => Promise<void> }> {
  const own = await TcpProxy.before(database.url);
  const process = openProcess(own.url);
  await process.ledger.feed.ready();
  await process.transactions.query('SELECT 1');
  const close = async (): Promise<void> => {
    own.onRequest = null;
    own.isUp = true;
    own.cutAll();
    await process.close();
    own.close();
  };
  return { proxy: own, writer: process, close };
}

let close: () => Promise<void>;
beforeEach(async () => void ({ proxy, writer, close } = await openSetting()));
afterEach(() => close());

async function providerWithRoom(): Promise<string> {
  const uuid = await aProvider(database);
  await setInventories(database.ledger, {
    resourceProvider: uuid,
    generation: 0,
    inventories: [inventory('VCPU', 8)],
  });
  return uuid;
}

const claimOf = (consumer: string, resourceProvider: string) => ({
  consumers: [
    {
      consumer,
      generation: null,
      projectId: 'p',
      userId: 'u',
      allocations: [{ resourceProvider, resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
    },
  ],
});

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

/** The tests of faults wait for seconds, all at the same time, and so each has a proxy of its own. */
async function withSetting(work: (setting: Setting) => Promise<void>): Promise<void> {
  const { close: end, ...setting } = await openSetting();
  try {
    await work(setting);
  } finally {
    await end();
  }
}

describe('a COMMIT', () => {
  test.concurrent.each(FAULTS)(
    'of a write: %s; it takes place once, and is answered as if nothing had happened',
    (_fault, committed, fault) =>
      withSetting(async ({ writer, proxy }) => {
        const seen = onFirstCommit(proxy, fault);
        const name = randomUUID();
        const { uuid } = await createProvider(writer.ledger, { name });
        expect(seen.commits).toBe(committed ? 1 : 2);
        const rows = await database.pool.query<{ uuid: string }[]>(
          'SELECT uuid FROM resource_providers WHERE name = ?',
          [name],
        );
        expect(rows).toEqual([{ uuid }]);
      }),
  );

  test.concurrent.each(FAULTS)('of a claim: %s; it takes place once', (_fault, committed, fault) =>
    withSetting(async ({ writer, proxy }) => {
      const uuid = await providerWithRoom();
      const seen = onFirstCommit(proxy, fault);
      const consumer = randomUUID();
      expect(await setAllocations(writer.claims, claimOf(consumer, uuid))).toMatchObject([
        { uuid: consumer, generation: 1 },
      ]);
      expect(seen.commits).toBe(committed ? 1 : 2);
      const rows = await database.pool.query<unknown>('SELECT used FROM allocations WHERE consumer_id = ?', [
        consumer,
      ]);
      expect(rows).toEqual([{ used: 1 }]);
    }),
  );

  test.concurrent.each(FAULTS)(
    'of a rejected claim: %s; the claim is rejected',
    (_fault, _committed, fault) =>
      withSetting(async ({ writer, proxy }) => {
        onFirstCommit(proxy, fault);
        const claim = setAllocations(writer.claims, claimOf(randomUUID(), randomUUID()));
        expect(await failureOf(claim)).toBeInstanceOf(NotFound);
      }),
  );

  test.concurrent('whose outcome cannot be found out is told to be open', () =>
    withSetting(async ({ writer, proxy }) => {
      onFirstCommit(proxy, () => {
        proxy.isUp = false;
        proxy.cutAll();
      });
      const start = Date.now();
      expect(await failureOf(createProvider(writer.ledger, { name: randomUUID() }))).toBeInstanceOf(
        OutcomeUnknown,
      );
      expect(Date.now() - start).toBeLessThan(8_000);
    }));
});

const gone = new Error('gone');
function operationOf(client: AbortSignal): Operation {
  const operation = new Operations().begin();
  client.addEventListener('abort', () => operation.abort(client.reason as Error));
  return operation;
}

describe('a write whose operation ends', () => {
  test('is rolled back while it waits for a lock, and lets go of its own', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    for (const name of [first, second]) await createProvider(database.ledger, { name });
    const lock = 'SELECT id FROM resource_providers WHERE name = ? FOR UPDATE';
    const rival = await database.transactions.getConnection();
    await rival.query(lock, [second]);
    const client = new AbortController();
    let isWaiting: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const write = inTransaction({ ...writer.ledger, operation: operationOf(client.signal) }, async (tx) => {
      await tx.query('UPDATE resource_providers SET generation = 7 WHERE name = ?', [first]);
      setTimeout(isWaiting, 50);
      await tx.query(lock, [second]);
    });
    await waiting;
    client.abort(gone);
    // both end while the rival still holds the lock for which the statement waited
    expect(await failureOf(write)).toBe(gone);
    await database.transactions.query(lock, [first]);
    await rival.release();
    const stored = 'SELECT generation FROM resource_providers WHERE name = ?';
    expect(await database.pool.query<unknown>(stored, [first])).toEqual([{ generation: 0 }]);
    expect(await writer.transactions.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('is not tried again', async () => {
    const signal = AbortSignal.timeout(300);
    let attempts = 0;
    const write = inTransaction({ ...writer.ledger, operation: operationOf(signal) }, async (tx) => {
      attempts++;
      await tx.query("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'deadlock'");
    });
    expect(await failureOf(write)).toBe(signal.reason);
    expect(attempts).toBeGreaterThan(1);
    const { attempts: before } = { attempts };
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(attempts).toBe(before);
  });

  test('is committed if it ends while it commits', async () => {
    const client = new AbortController();
    const seen = onFirstCommit(proxy, () => client.abort(gone));
    const name = randomUUID();
    const { uuid } = await createProvider(
      { ...writer.ledger, operation: operationOf(client.signal) },
      { name },
    );
    expect(seen.commits).toBe(1);
    const rows = await database.pool.query<unknown>('SELECT uuid FROM resource_providers WHERE name = ?', [
      name,
    ]);
    expect(rows).toEqual([{ uuid }]);
  });

  test('leaves nothing in flight for the readers of the change feed', async () => {
    const client = new AbortController();
    proxy.onRequest = (data) => {
      if (data.includes('INSERT INTO placement_feed_changes')) client.abort(gone);
    };
    const ledger = { ...writer.ledger, operation: operationOf(client.signal) };
    expect(await failureOf(createProvider(ledger, { name: randomUUID() }))).toBe(gone);
    proxy.onRequest = null;
    await new Promise((resolve) => setTimeout(resolve, 300));
    await createProvider(writer.ledger, { name: randomUUID() });
    const [last] = await database.pool.query<{ seq: number; lowWatermark: number }[]>(
      'SELECT seq, low_watermark AS lowWatermark FROM placement_feed_changes ORDER BY created_at DESC, seq DESC LIMIT 1',
    );
    expect(last.lowWatermark).toBe(last.seq);
  });
});

describe('a claim whose operation ends', () => {
  const claimsOf = (signal: AbortSignal): ClaimWriter => ({
    write: (claim) => writer.claims.write(claim, operationOf(signal)),
  });

  test('leaves the line, and those behind it are written', async () => {
    const uuid = await providerWithRoom();
    const rival = await database.transactions.getConnection();
    await rival.query('SELECT id FROM resource_providers WHERE uuid = ? FOR UPDATE', [uuid]);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const first = failureOf(setAllocations(claimsOf(running.signal), claimOf(one, uuid)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = failureOf(setAllocations(claimsOf(waiting.signal), claimOf(two, uuid)));
    const third = setAllocations(writer.claims, claimOf(three, uuid));
    waiting.abort(gone);
    expect(await second).toBe(gone);
    running.abort(new TimedOut('too long'));
    expect(await first).toBeInstanceOf(TimedOut);
    await rival.release();
    expect(await third).toMatchObject([{ uuid: three }]);
    const rows = await database.pool.query<unknown>(
      'SELECT consumer_id AS uuid FROM allocations WHERE consumer_id IN (?)',
      [[one, two, three]],
    );
    expect(rows).toEqual([{ uuid: three }]);
  });
});
