import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import {
  deleteConsumer,
  removal,
  replacement,
  setAllocations,
  ClaimQueue,
} from '../../src/store/ledger/allocation/claimQueue.js';
import { codeOf } from '../../src/model/errors.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { writeClaims, type Outcome } from '../../src/store/ledger/allocation/claims.js';
import { inTransaction, type Ledger } from '../../src/store/ledger/transaction.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { cases } from '../support/length.js';
import { useDatabase } from '../support/useDatabase.js';
import { inventory, stocked, times } from './support.js';
import { setInventories } from '../support/edits.js';

const database = useDatabase();
/** The same again, for writes one after another. */
const other = useDatabase();

/** How a write ended: what it gave, or its rejection; any other error is given as it is. */
type End = Record<string, unknown>;

async function endOf(write: Promise<unknown>): Promise<End> {
  return write.then((written) => ({ written }), endOfRejection);
}

function endOfRejection(error: unknown): End {
  const { message } = error as Error;
  return { ...(error as object), message, code: codeOf(error) ?? 'UNEXPECTED' };
}

/** Begins all writes in one turn of the event loop. */
function atOnce(writes: readonly (() => Promise<unknown>)[]): Promise<End[]> {
  return Promise.all(writes.map((write) => endOf(write())));
}

const wish = (
  provider: string,
  amount: number,
  rest: Partial<ConsumerAllocationsInput> & { readonly resourceClass?: string } = {},
): ConsumerAllocationsInput => {
  const { resourceClass = 'VCPU', ...others } = rest;
  return {
    consumer: randomUUID(),
    projectId: 'a-project',
    userId: 'a-user',
    allocations: [{ resourceProvider: provider, resources: [{ resourceClass, amount }] }],
    ...others,
  };
};

const claim =
  (...consumers: ConsumerAllocationsInput[]) =>
  () =>
    setAllocations(database.claims, { consumers });

async function rows(sql: string, on: ProcessDatabase = database): Promise<unknown[]> {
  return on.pool.query<unknown[]>(sql);
}

async function usedOf(uuid: string): Promise<number> {
  const used = await database.pool.query<{ used: number }[]>(
    `SELECT a.used FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ?`,
    [uuid],
  );
  return used.reduce((sum, row) => sum + row.used, 0);
}

/** Returns claims of one unit each, for consumers of their own. */
const claims = (count: number, provider: string) => times(count, () => claim(wish(provider, 1)));

/** Returns an observer that counts the claims of each transaction. */
const counting = (tried: number[]): Ledger['observer'] => ({
  claimsTried: (count) => void tried.push(count),
  transactionRetried: () => undefined,
  claimEnded: () => undefined,
});

test('each of very different calls gets its own answer', async () => {
  const provider = await stocked(database, inventory('VCPU', 4, { maxUnit: 3 }));
  const [known, nobody] = [randomUUID(), randomUUID()];
  await claim(wish(provider, 1, { consumer: known }))();
  const calls: [() => Promise<unknown>, end: string][] = [
    [claim(wish(provider, 0)), 'INVALID_INPUT'],
    [claim(wish(nobody, 1)), 'NOT_FOUND'],
    [claim(wish(provider, 1, { consumer: known, generation: 7 })), 'CONSUMER_GENERATION_CONFLICT'],
    [claim(wish(provider, 1, { resourceClass: 'DISK_GB' })), 'NO_INVENTORY'],
    [claim(wish(provider, 4)), 'UNIT_VIOLATION'],
    [claim(wish(provider, 3)), 'done'],
    [claim(wish(provider, 1)), 'CAPACITY_EXCEEDED'],
    [claim(wish(provider, 1, { resourceClass: 'CUSTOM_UNHEARD_OF' })), 'INVALID_INPUT'],
    [claim(wish(provider, 2), wish(provider, 1)), 'CAPACITY_EXCEEDED'],
    [() => deleteConsumer(database.claims, { consumer: nobody }), 'NOT_FOUND'],
    [claim({ ...wish(provider, 1), allocations: [] }), 'done'],
    [claim(), 'INVALID_INPUT'],
  ];
  const ends = await atOnce(calls.map(([call]) => call));
  expect(ends.map(({ code, written }) => (written ? 'done' : code))).toEqual(calls.map(([, end]) => end));
  expect(ends[6]).toMatchObject({ requested: 1, capacity: 4, used: 4 });
  expect(ends[8]).toMatchObject({ requested: 3, capacity: 4, used: 4 });
  expect(await usedOf(provider)).toBe(4);
});

test('a claim that the database cannot take fails alone', async () => {
  const provider = await stocked(database, inventory('VCPU', 100));
  const broken = claim(wish(provider, 1, { consumer: 'x'.repeat(40) }));
  const ends = await atOnce([...claims(5, provider), broken, ...claims(1, provider)]);
  expect(ends.map(({ code }) => code)).toEqual([...times(5, () => undefined), 'UNEXPECTED', undefined]);
  expect(await usedOf(provider)).toBe(6);
});

test('a claim that waits for a rival from elsewhere does not hold up those for other providers', async () => {
  const [held, free] = await Promise.all(times(2, () => stocked(database, inventory('VCPU', 9))));
  const rival = await database.pool.getConnection();
  await rival.beginTransaction();
  await rival.query('UPDATE resource_providers SET updated_at = NOW() WHERE uuid = ?', [held]);
  const waiting = atOnce(claims(1, held));
  expect(await atOnce(claims(1, free))).toMatchObject([{ written: [{}] }]);
  await rival.rollback();
  await rival.release();
  expect(await waiting).toMatchObject([{ written: [{}] }]);
});

test('claims of more than one transaction takes are all written', async () => {
  const provider = await stocked(database, inventory('VCPU', 10_000));
  const large = claim(...times(300, () => wish(provider, 1)));
  const ends = await atOnce([...claims(1, provider), large, ...claims(300, provider)]);
  expect(ends.filter(({ written }) => written)).toHaveLength(302);
  expect(await usedOf(provider)).toBe(601);
});

test('16 claims that share a transaction take as many statements as one', async () => {
  const seen: string[] = [];
  const own = openProcess(database.url, { onStatement: (sql) => seen.push(sql) });
  const provider = await stocked(database, inventory('VCPU', 1000));
  const owner = { projectId: 'counted', userId: 'counted', consumerType: 'COUNTED' };
  const write = async (count: number): Promise<{ statements: number; transactions: number }> => {
    seen.length = 0;
    await Promise.all(
      times(count, () => setAllocations(own.claims, { consumers: [wish(provider, 1, owner)] })),
    );
    return { statements: seen.length, transactions: seen.filter((sql) => sql === 'COMMIT').length };
  };
  await write(1);
  const one = await write(1);
  expect(one.transactions).toBe(1);
  const many = await write(33);
  expect(many.statements).toBe(many.transactions * one.statements);
  // usually three: the first alone, because no claim was in progress; then two halves
  expect(many.transactions).toBeLessThan(6);
  await own.close();
});

/** Providers 0 and 1 have some of both classes, provider 2 of the first alone; provider 3 does not exist. */
const PROVIDERS = times(4, (n) => `aaaaaaaa-0000-4000-8000-00000000000${n}`);
const CONSUMERS = times(6, (n) => `bbbbbbbb-0000-4000-8000-00000000000${n}`);
const CLASSES = ['VCPU', 'DISK_GB'];

interface Step {
  readonly kind: 'SET' | 'DELETE';
  readonly consumers: readonly ConsumerAllocationsInput[];
}

const some = fc.constantFrom;

/** Right more often than not: most consumers are new, or written once, and most amounts fit while there is room. */
const consumerOf = (consumer: string) =>
  fc.record({
    consumer: fc.constant(consumer),
    generation: some(null, null, null, null, 1, 1, 2),
    projectId: some(...times(4, () => ['one', 'two', 'three']).flat(), ''),
    userId: some('me', 'you'),
    consumerType: some(null, 'INSTANCE', 'VOLUME'),
    allocations: fc.uniqueArray(
      fc.record({
        resourceProvider: some(...times(5, () => PROVIDERS.slice(0, 3)).flat(), PROVIDERS[0], PROVIDERS[3]),
        resources: fc.uniqueArray(
          fc.record({
            resourceClass: some('VCPU', 'VCPU', 'DISK_GB'),
            amount: some(1, 2, 3, 4, 3, 2, 1, 3, 4, 2, 3, 5, 0),
          }),
          { minLength: 1, maxLength: 2, selector: ({ resourceClass }) => resourceClass },
        ),
      }),
      { maxLength: 2, selector: ({ resourceProvider }) => resourceProvider },
    ),
  });

/** Steps of which no two have a consumer in common. */
const batch: fc.Arbitrary<Step[]> = fc
  .shuffledSubarray(CONSUMERS, { minLength: 2 })
  .chain((consumers) => fc.tuple(fc.tuple(...consumers.map(consumerOf)), fc.nat(), fc.nat()))
  .map(([consumers, joined, deleted]) => {
    const steps: Step[] = consumers.map((consumer) => ({ kind: 'SET', consumers: [consumer] }));
    if (joined % 2 === 0)
      steps.unshift({ kind: 'SET', consumers: steps.splice(0, 2).flatMap((each) => each.consumers) });
    return steps.map((step, at) => (at > 0 && (deleted + at) % 5 === 0 ? { ...step, kind: 'DELETE' } : step));
  });

const claimOf = ({ kind, consumers }: Step) =>
  kind === 'SET' ? replacement(consumers) : removal(consumers[0].consumer);

const endOfOutcome = (outcome: Outcome): End =>
  'rejection' in outcome ? endOfRejection(outcome.rejection) : { ...outcome };

function alone(on: ProcessDatabase, { kind, consumers }: Step): Promise<End> {
  const [{ consumer }] = consumers;
  return endOf(
    kind === 'SET'
      ? setAllocations(on.claims, { consumers })
      : deleteConsumer(on.claims, { consumer }).then(() => []),
  );
}

const EMPTIED = ['allocations', 'consumers', 'inventories', 'projects', 'users', 'consumer_types'];

async function begin(on: ProcessDatabase): Promise<void> {
  for (const table of EMPTIED) await on.pool.query(`DELETE FROM ${table}`);
  await on.pool.query('UPDATE resource_providers SET root_provider_id = NULL');
  await on.pool.query('DELETE FROM resource_providers');
  for (const [at, uuid] of PROVIDERS.slice(0, 3).entries()) {
    await createProvider(on.ledger, { uuid, name: uuid });
    const inventories = CLASSES.slice(0, at === 2 ? 1 : 2).map((name) => inventory(name, 5, { maxUnit: 4 }));
    await setInventories(on.ledger, { resourceProvider: uuid, generation: 0, inventories });
  }
}

/** Everything that writes of consumers change, without the numbers of rows. */
function everything(on: ProcessDatabase): Promise<unknown[]> {
  return Promise.all(
    [
      'SELECT uuid, generation FROM resource_providers ORDER BY uuid',
      `SELECT c.uuid, c.generation, p.external_id AS project, u.external_id AS user, t.name AS type FROM consumers c
         JOIN projects p ON p.id = c.project_id JOIN users u ON u.id = c.user_id
         LEFT JOIN consumer_types t ON t.id = c.consumer_type_id ORDER BY c.uuid`,
      `SELECT a.consumer_id, p.uuid, a.resource_class_id, a.used FROM allocations a
         JOIN resource_providers p ON p.id = a.resource_provider_id ORDER BY 1, 2, 3`,
      'SELECT external_id FROM projects ORDER BY 1',
      'SELECT external_id FROM users ORDER BY 1',
      'SELECT name FROM consumer_types ORDER BY 1',
    ].map((sql) => rows(sql, on)),
  );
}

test('claims that share a transaction end as if they had come one after another', async () => {
  const seen = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      await Promise.all([begin(database), begin(other)]);
      for (const steps of batches) {
        const verdicts = await inTransaction(database.ledger, (tx) => writeClaims(tx, steps.map(claimOf)));
        const expected: End[] = [];
        for (const step of steps) expected.push(await alone(other, step));
        expect(verdicts.map(endOfOutcome)).toEqual(expected);
        expect(await everything(database)).toEqual(await everything(other));
        for (const { code } of expected) seen.set(code, (seen.get(code) ?? 0) + 1);
      }
    }),
    { numRuns: cases(50, 20) },
  );
  const codes =
    'INVALID_INPUT NOT_FOUND CONSUMER_GENERATION_CONFLICT NO_INVENTORY UNIT_VIOLATION CAPACITY_EXCEEDED';
  expect([...seen.keys()]).toEqual(expect.arrayContaining([undefined, ...codes.split(' ')]));
});

test('clients that send one claim after another share transactions, of which none has more than half of them', async () => {
  const tried: number[] = [];
  const queue = new ClaimQueue({ ...database.ledger, observer: counting(tried) });
  const providers = await Promise.all(times(32, () => stocked(database, inventory('VCPU', 500))));
  const client = async (provider: string): Promise<void> => {
    for (let sent = 0; sent < 10; sent++) {
      await setAllocations(queue, { consumers: [wish(provider, 1)] });
      await new Promise(setImmediate); // as a client's next one comes with a later turn of the event loop
    }
  };
  await Promise.all(providers.map(client));
  // the first claim finds no other at work; clients of a finished transaction have not sent their next claim yet
  expect(tried.slice(0, 2)).toEqual([1, 16]);
  expect(Math.max(...tried)).toBe(16);
});

test('claims that share a transaction in an outage are written together when the database is back', async () => {
  const provider = await stocked(database, inventory('VCPU', 100));
  const { transactions } = database;
  let requested = 0;
  const getConnection = () => {
    requested += 1;
    const isOutage = requested > 1 && requested < 5; // the first claim is still written
    if (isOutage) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNRESET' }));
    return transactions.getConnection();
  };
  const away = { ...database, transactions: { getConnection } };
  const tried: number[] = [];
  const ledger = { ...database.ledger, database: away, observer: counting(tried) };
  const queue = new ClaimQueue(ledger as unknown as Ledger);
  const ends = await atOnce(times(10, () => () => setAllocations(queue, { consumers: [wish(provider, 1)] })));
  expect(ends.filter((end) => !('written' in end))).toEqual([]);
  expect(tried.filter((count) => count === 1)).toHaveLength(1); // the first claim only
});
