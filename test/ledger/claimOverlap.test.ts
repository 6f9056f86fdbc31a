import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import {
  deleteConsumer,
  removal,
  setAllocations,
  ClaimQueue,
} from '../../src/store/ledger/allocation/claimQueue.js';
import { Activity } from '../../src/model/observation.js';
import type { Ledger } from '../../src/store/ledger/transaction.js';
import { useDatabase } from '../support/useDatabase.js';
import { inventory, stocked, times } from './support.js';

const database = useDatabase();

/** Longer than the time after which a transaction no longer delays the next one (ms). */
const SLOW_COMMIT = 80;

/** The number of conflicts of the latest queue. */
let conflicts = 0;
let providers: string[];

beforeEach(async () => {
  providers = await Promise.all(times(6, () => stocked(database, inventory('VCPU', 10_000))));
});

const observer: Ledger['observer'] = {
  claimsTried: () => undefined,
  transactionRetried: () => void conflicts++,
  claimEnded: () => undefined,
};

/** Returns a queue whose conflicts are counted. */
function countingQueue(ledger: Ledger = database.ledger): ClaimQueue {
  conflicts = 0;
  return new ClaimQueue({ ...ledger, observer });
}

/** Returns a queue whose transactions overlap, because each COMMIT takes long. */
function slowQueue(): ClaimQueue {
  const { transactions } = database;
  const getConnection = async () => {
    const connection = await transactions.getConnection();
    const commit = connection.commit.bind(connection);
    connection.commit = async () => {
      connection.commit = commit;
      await new Promise((resolve) => setTimeout(resolve, SLOW_COMMIT));
      return commit();
    };
    return connection;
  };
  const slow = { ...database.ledger, database: { ...database, transactions: { getConnection } } };
  return countingQueue(slow as unknown as Ledger);
}

/** Returns an operation that ends with a signal. */
const operationOf = (signal: AbortSignal) => ({
  signal,
  pause: () => Promise.resolve(),
  activity: new Activity(),
});

function consumerOn(
  uuids: readonly string[],
  amount: number,
  rest: Partial<ConsumerAllocationsInput> = {},
): ConsumerAllocationsInput {
  const allocations = uuids.map((resourceProvider) => ({
    resourceProvider,
    resources: [{ resourceClass: 'VCPU', amount }],
  }));
  return { consumer: randomUUID(), projectId: 'a-project', userId: 'a-user', allocations, ...rest };
}

async function stored(count: number, at: (index: number) => readonly string[]): Promise<string[]> {
  const consumers = times(count, (index) => consumerOn(at(index), 1));
  await setAllocations(database.claims, { consumers });
  return consumers.map(({ consumer }) => consumer);
}

async function countAllocations(): Promise<number> {
  const [{ count }] = await database.pool.query<[{ count: bigint }]>(
    'SELECT COUNT(*) AS count FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid IN (?)',
    [providers],
  );
  return Number(count);
}

/** Runs a write of each consumer with this many clients. */
async function clients(
  count: number,
  consumers: readonly string[],
  write: (consumer: string, at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let at = next++; at < consumers.length; at = next++) await write(consumers[at], at);
  };
  await Promise.all(times(count, client));
}

test('slow deletes of consumers on the same providers cause no conflicts', async () => {
  const consumers = await stored(24, () => providers);
  const queue = slowQueue();
  await clients(8, consumers, (consumer) => deleteConsumer(queue, { consumer }));
  expect(conflicts).toBe(0);
  expect(await countAllocations()).toBe(0);
});

test('slow replacements wait for the providers that their consumers leave', async () => {
  const consumers = await stored(24, (at) => [providers[0], providers[1 + (at % 3)]]);
  const queue = slowQueue();
  const change = (consumer: string, at: number): Promise<unknown> => {
    const input = consumerOn([providers[3 + (at % 3)]], 2, { consumer, generation: 1 });
    return setAllocations(queue, { consumers: [input] });
  };
  await clients(8, consumers, change);
  expect(conflicts).toBe(0);
  expect(await countAllocations()).toBe(24);
});

test('slow claims, replacements and deletes of overlapping providers cause no conflicts', async () => {
  const consumers = await stored(30, (at) => [providers[at % 6], providers[(at + 1) % 6]]);
  const queue = slowQueue();
  const writes = [
    (consumer: string) => deleteConsumer(queue, { consumer }),
    (consumer: string, at: number) =>
      setAllocations(queue, {
        consumers: [consumerOn([providers[(at + 2) % 6]], 1, { consumer, generation: 1 })],
      }),
    (_: string, at: number) => setAllocations(queue, { consumers: [consumerOn([providers[at % 6]], 1)] }),
  ];
  await clients(10, consumers, (consumer, at) => writes[at % 3](consumer, at));
  expect(conflicts).toBe(0);
  // 10 deleted, 10 replaced with one allocation, and 10 more with one beside two
  expect(await countAllocations()).toBe(10 + 10 * 3);
});

/** Runs `work` while another program has locked a provider. */
async function whileLocked(provider: string, work: () => Promise<void>): Promise<void> {
  const rival = await database.pool.getConnection();
  await rival.beginTransaction();
  await rival.query('UPDATE resource_providers SET updated_at = NOW() WHERE uuid = ?', [provider]);
  await work();
  await rival.rollback();
  await rival.release();
}

test('a delete does not wait for a slow one of other providers', async () => {
  const [first, second] = await stored(2, (at) => [providers[at]]);
  const queue = countingQueue();
  let isDone = false;
  const running: Promise<unknown>[] = [];
  await whileLocked(providers[0], async () => {
    running.push(deleteConsumer(queue, { consumer: first }).then(() => (isDone = true)));
    await deleteConsumer(queue, { consumer: second });
    expect(isDone).toBe(false);
  });
  await Promise.all(running);
});

test('a delete that waits for a slow one of its provider ends with its operation', async () => {
  const [first, second, third] = await stored(3, () => providers.slice(0, 1));
  const queue = countingQueue();
  const ending = new AbortController();
  const reason = new Error('gone');
  const running: Promise<unknown>[] = [];
  await whileLocked(providers[0], async () => {
    running.push(deleteConsumer(queue, { consumer: first }));
    await new Promise((resolve) => setTimeout(resolve, SLOW_COMMIT));
    running.push(deleteConsumer(queue, { consumer: third }));
    const waiting = queue.write(removal(second), operationOf(ending.signal));
    setTimeout(() => ending.abort(reason), 300);
    await expect(waiting).rejects.toBe(reason);
  });
  await Promise.all(running);
  expect(conflicts).toBe(0);
  expect(await countAllocations()).toBe(1);
});

test('claims of one provider whose shared transaction failed run one after another', async () => {
  const queue = countingQueue();
  const writes = times(12, () =>
    setAllocations(queue, { consumers: [consumerOn(providers.slice(0, 1), 1)] }),
  );
  const broken = consumerOn(providers.slice(0, 1), 1, { consumer: 'x'.repeat(40) });
  await expect(setAllocations(queue, { consumers: [broken] })).rejects.toThrow();
  await Promise.all(writes);
  expect(conflicts).toBe(0);
  expect(await countAllocations()).toBe(12);
});
