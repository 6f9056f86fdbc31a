import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { readInventoryUsage } from '../../src/store/ledger/allocation/allocationRows.js';
import { readProviderUsage } from '../../src/store/ledger/allocation/usage.js';
import { inTransaction, type Transaction } from '../../src/store/ledger/transaction.js';
import { useDatabase } from '../support/useDatabase.js';

const PROVIDERS = 100;
const ALLOCATIONS = 10_000;

const database = useDatabase();
const uuids = Array.from({ length: PROVIDERS }, () => randomUUID());

beforeAll(async () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  // in one transaction, so that the database has no statistics of it yet
  await inTransaction(database.ledger, async (tx) => {
    const insert = (into: string, rows: readonly unknown[][]): Promise<unknown> =>
      tx.query(`INSERT INTO ${into} VALUES ${rows.map(() => '(?)').join(', ')}`, rows);
    await insert(
      'resource_providers (id, uuid, name, generation, root_provider_id)',
      uuids.map((uuid, at) => [at + 1, uuid, uuid, 0, at + 1]),
    );
    await insert(
      `inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)`,
      uuids.map((_, at) => [at + 1, 0, ALLOCATIONS, 0, 1, ALLOCATIONS, 1, 1]),
    );
    await insert(
      'allocations (resource_provider_id, consumer_id, resource_class_id, used)',
      numbers(ALLOCATIONS).map((at) => [1 + (at % PROVIDERS), `consumer-${at}`, 0, 1]),
    );
  });
});

/** How many rows the server looks at for the work. */
function rowsRead(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
  return inTransaction(database.ledger, async (tx) => {
    const count = async (): Promise<number> => {
      const rows = await tx.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read_%'");
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    const before = await count();
    await work(tx);
    return (await count()) - before;
  });
}

const EACH_ONCE = 1.5 * ALLOCATIONS;

test('the usage of providers by their uuids is read by their own allocations, each once', async () => {
  const read = (tx: Transaction) =>
    readProviderUsage(tx, { uuids, consumers: ['consumer-1'], classes: ['VCPU'] });
  expect(await rowsRead(read)).toBeLessThan(EACH_ONCE);
});

test('the usage of inventories is, too', async () => {
  const keys = uuids.map((_, at) => ({ providerId: at + 1, classId: 0 }));
  expect(await rowsRead((tx) => readInventoryUsage(tx, keys))).toBeLessThan(EACH_ONCE);
});
