import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SqlError, type PoolConnection } from 'mariadb';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { inventory, stocked, storedProvider } from '../ledger/support.js';
import { aConsumer, consumerOf } from '../ledger/treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const DEADLOCK = 1213;

const database = useDatabase();
beforeAll(() => database.pool.query('CREATE TABLE ballast (n INT NOT NULL)'));

/**
 * A provider on which a consumer has VCPU 1, and a rival that locks the consumer's row. A
 * transaction that updates the provider and then the consumer waits for the rival. The rival then
 * updates the provider: a deadlock, which the lighter transaction loses.
 */
let rival: PoolConnection;
let provider: string;
let consumer: string;

const wants = (uuid: string, generation: number | null, VCPU: number) =>
  consumerOf(uuid, { [provider]: { VCPU } }, generation);

beforeEach(async () => {
  provider = await stocked(database, inventory('VCPU', 8));
  consumer = await aConsumer(database, { [provider]: { VCPU: 1 } });
  rival = await database.pool.getConnection();
  await rival.beginTransaction();
  await rival.query(`INSERT INTO ballast VALUES ${Array(500).fill('(0)').join()}`);
  await rival.query('SELECT 1 FROM consumers WHERE uuid = ? FOR UPDATE', [consumer]);
});
afterEach(async () => {
  await rival.rollback();
  await rival.release();
});

/**
 * Waits until a transaction waits for the rival, then lets the rival update the provider. The table
 * of transactions is stale if it is read more often than ten times a second.
 */
async function closeTheCircle(): Promise<void> {
  for (let waiting = 0; waiting === 0; await sleep(150)) {
    const rows = await database.pool.query<unknown[]>(
      `SELECT 1 FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
       WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
    );
    waiting = rows.length;
  }
  await rival.query('UPDATE resource_providers SET updated_at = UTC_TIMESTAMP() WHERE uuid = ?', [provider]);
}

const allocations = () =>
  database.pool.query<object[]>(
    `SELECT a.consumer_id AS consumer, a.used, c.generation FROM allocations a LEFT JOIN consumers c ON c.uuid = a.consumer_id
     JOIN resource_providers p ON p.id = a.resource_provider_id WHERE p.uuid = ? ORDER BY a.used`,
    [provider],
  );

test('going on after error 1213 writes a row that no rollback takes away', async () => {
  const connection = await database.pool.getConnection();
  await connection.beginTransaction();
  const { id } = await storedProvider(database, provider);
  await connection.query('UPDATE resource_providers SET generation = generation + 1 WHERE id = ?', [id]);
  const lost = connection
    .query('UPDATE consumers SET generation = generation + 1 WHERE uuid = ?', [consumer])
    .catch((error: unknown) => error);
  await closeTheCircle();
  expect(await lost).toBeInstanceOf(SqlError);
  expect(await lost).toMatchObject({ errno: DEADLOCK });

  const orphan = randomUUID();
  await connection.query(
    'INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used) VALUES (?, 0, ?, 5)',
    [id, orphan],
  );
  await connection.rollback();
  await connection.release();
  expect(await allocations()).toEqual([
    { consumer, used: 1, generation: 1 },
    { consumer: orphan, used: 5, generation: null },
  ]);
  expect((await storedProvider(database, provider)).generation).toBe(2);
});

/** Claims for the consumer and a new one, and lets the claim lose a deadlock. */
async function loseDeadlock(other: string): Promise<{ claim: Promise<unknown> }> {
  const consumers = [wants(consumer, 1, 2), wants(other, null, 5)];
  const claim = setAllocations(database.claims, { consumers });
  claim.catch(() => undefined); // the test handles it later
  await closeTheCircle();
  return { claim };
}

test('a claim that loses a deadlock commits nothing of that attempt, and succeeds afterwards', async () => {
  const other = randomUUID();
  const { claim } = await loseDeadlock(other);
  expect(await allocations()).toEqual([{ consumer, used: 1, generation: 1 }]);
  expect((await storedProvider(database, provider)).generation).toBe(2);

  await rival.commit();
  await claim;
  expect(await allocations()).toEqual([
    { consumer, used: 2, generation: 2 },
    { consumer: other, used: 5, generation: 1 },
  ]);
  expect((await storedProvider(database, provider)).generation).toBe(3);
});

test('a claim that loses a deadlock and is then refused leaves nothing at all', async () => {
  const { claim } = await loseDeadlock(randomUUID());
  await rival.query('UPDATE consumers SET generation = 7 WHERE uuid = ?', [consumer]);
  await rival.commit();
  await expect(claim).rejects.toMatchObject({ code: 'CONSUMER_GENERATION_CONFLICT' });
  expect(await allocations()).toEqual([{ consumer, used: 1, generation: 7 }]);
  expect((await storedProvider(database, provider)).generation).toBe(2);
});
