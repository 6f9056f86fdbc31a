import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { kindSet } from '../../src/model/recordedChanges.js';
import { markChanged } from '../../src/store/ledger/provider/providerRows.js';
import {
  inTransaction,
  retryBudget,
  WriteConflict,
  type Transaction,
} from '../../src/store/ledger/transaction.js';
import { DatabaseUnavailable } from '../../src/model/operation/waiting.js';
import { aProvider, generationOf, refusalOf, storedProvider } from './support.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
beforeAll(async () => {
  await database.pool.query('CREATE TABLE trial (id INT PRIMARY KEY, value INT NOT NULL)');
});
beforeEach(() => database.pool.query('REPLACE INTO trial VALUES (1, 0), (2, 0)'));

const add = (tx: Transaction, id: number) =>
  tx.query('UPDATE trial SET value = value + 1 WHERE id = ?', [id]);

async function values(): Promise<number[]> {
  const rows = await database.pool.query<{ value: number }[]>('SELECT value FROM trial ORDER BY id');
  return rows.map(({ value }) => value);
}

/** Ends the transaction's connection as a crash of the server or of the network would. */
async function cut(tx: Transaction): Promise<void> {
  const [{ id }] = await tx.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id');
  await database.pool.query(`KILL CONNECTION ${id}`);
}

test('commits what was written and gives the result', async () => {
  expect(await inTransaction(database.ledger, async (tx) => add(tx, 1).then(() => 'done'))).toBe('done');
  expect(await values()).toEqual([1, 0]);
});

test('a refusal or a bug rolls everything back and is not tried again', async () => {
  let attempts = 0;
  const failure = new Error('no');
  const write = inTransaction(database.ledger, async (tx) => {
    attempts += 1;
    await add(tx, 1);
    throw failure;
  });
  await expect(write).rejects.toBe(failure);
  expect(attempts).toBe(1);
  expect(await values()).toEqual([0, 0]);
});

test('a write conflict is tried again as a whole', async () => {
  let attempts = 0;
  await inTransaction(database.ledger, async (tx) => {
    attempts += 1;
    await add(tx, 1);
    if (attempts < 4) throw new WriteConflict('again');
  });
  expect(attempts).toBe(4);
  expect(await values()).toEqual([1, 0]);
});

test.each([1047, 1290, 2013])(
  'a database that is unavailable for too long (error %d) is reported as DATABASE_UNAVAILABLE',
  async (number) => {
    const lost = `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}, MESSAGE_TEXT = 'as a cluster says it'`;
    let attempts = 0;
    const ending = inTransaction(
      database.ledger,
      async (tx) => {
        attempts += 1;
        await add(tx, 1);
        await tx.query(lost);
      },
      retryBudget(database.ledger, 500),
    );
    await expect(ending).rejects.toThrow(DatabaseUnavailable);
    expect(attempts).toBeGreaterThan(2);
    expect(await values()).toEqual([0, 0]);
  },
);

test('a write conflict that lasts too long is CONCURRENT_UPDATE and leaves nothing', async () => {
  let attempts = 0;
  const lose = (patience: number) =>
    inTransaction(
      database.ledger,
      async (tx) => {
        attempts += 1;
        await add(tx, 1);
        throw new WriteConflict('always');
      },
      retryBudget(database.ledger, patience),
    );
  expect(await refusalOf(lose(0))).toMatchObject({ code: 'CONCURRENT_UPDATE' });
  expect(attempts).toBe(1);
  expect(await refusalOf(lose(500))).toMatchObject({ code: 'CONCURRENT_UPDATE' });
  expect(attempts).toBeGreaterThan(2);
  expect(await values()).toEqual([0, 0]);
});

test('transactions that deadlock all take place', async () => {
  const writers = Array.from({ length: 20 }, (_, n) =>
    inTransaction(database.ledger, async (tx) => {
      await add(tx, n % 2 === 0 ? 1 : 2);
      await add(tx, n % 2 === 0 ? 2 : 1);
    }),
  );
  await Promise.all(writers);
  expect(await values()).toEqual([20, 20]);
});

const send = (tx: Transaction, id: number, check?: (result: { affectedRows: number }) => void) =>
  tx.send('UPDATE trial SET value = value + 1 WHERE id = ?', [id], check);

test('statements sent after a deadlocked write are not committed on their own', async () => {
  let attempts = 0;
  const writers = Array.from({ length: 20 }, (_, n) =>
    inTransaction(database.ledger, async (tx) => {
      attempts += 1;
      await add(tx, n % 2 === 0 ? 1 : 2);
      send(tx, n % 2 === 0 ? 2 : 1);
      tx.send('INSERT INTO trial VALUES (?, 0)', [100 * attempts + n]);
    }),
  );
  await Promise.all(writers);
  expect(attempts).toBeGreaterThan(20);
  const all = await values();
  await database.pool.query('DELETE FROM trial WHERE id > 2');
  expect([all.slice(0, 2), all.length]).toEqual([[20, 20], 22]);
});

test('the result of a sent write is checked before the commit', async () => {
  const write = inTransaction(database.ledger, async (tx) => {
    await add(tx, 1);
    send(tx, 3, ({ affectedRows }) => {
      if (affectedRows === 0) throw new Error('nothing to change');
    });
    send(tx, 2);
  });
  await expect(write).rejects.toThrow('nothing to change');
  expect(await values()).toEqual([0, 0]);
});

test('no answer is taken for one while a write sent before it has failed', async () => {
  let answered = false;
  const write = inTransaction(database.ledger, async (tx) => {
    tx.send('INSERT INTO trial VALUES (NULL, 0)', []);
    await add(tx, 1);
    answered = true;
  });
  await expect(write).rejects.toThrow('cannot be null');
  expect([answered, await values()]).toEqual([false, [0, 0]]);
});

test('a lost connection commits nothing, and the transaction runs again on another one', async () => {
  let attempts = 0;
  await inTransaction(database.ledger, async (tx) => {
    attempts += 1;
    await add(tx, 1);
    if (attempts === 1) await cut(tx);
    await add(tx, 2);
  });
  expect(attempts).toBe(2);
  expect(await values()).toEqual([1, 1]);
});

test('a connection lost in COMMIT leaves the outcome open: the write is not repeated', async () => {
  let attempts = 0;
  const write = inTransaction(database.ledger, async (tx) => {
    attempts += 1;
    await add(tx, 1);
    await cut(tx);
  });
  await expect(write).rejects.toThrow('may have taken place');
  expect(attempts).toBe(1);
});

test('after all that no connection is lost to the pool or left in a transaction', async () => {
  const all = Array.from({ length: 30 }, () => inTransaction(database.ledger, (tx) => add(tx, 1)));
  await Promise.all(all);
  expect(await values()).toEqual([30, 0]);
  expect(database.pool.activeConnections() + database.transactions.activeConnections()).toBe(0);
});

test('decision D5: markChanged bumps all providers or, if one of them was changed meanwhile, none', async () => {
  const [one, two] = [await aProvider(database), await aProvider(database)];
  const [first, second] = [await storedProvider(database, one), await storedProvider(database, two)];
  const mark = (milliseconds: number) =>
    inTransaction(
      database.ledger,
      (tx) => Promise.resolve(markChanged(tx, [second, first], kindSet('USAGE'))),
      retryBudget(database.ledger, milliseconds),
    );
  await mark(10_000);
  expect([await generationOf(database, one), await generationOf(database, two)]).toEqual([1, 1]);
  await database.pool.query('UPDATE resource_providers SET generation = 0 WHERE uuid = ?', [one]);
  expect(await refusalOf(mark(50))).toMatchObject({ code: 'CONCURRENT_UPDATE' });
  expect([await generationOf(database, one), await generationOf(database, two)]).toEqual([0, 1]);
});
