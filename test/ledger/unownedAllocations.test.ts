import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { kindSet } from '../../src/model/recordedChanges.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { useDatabase } from '../support/useDatabase.js';
import { inventory, stocked, storedProvider } from './support.js';
import { consumerOf } from './treeSupport.js';

const database = useDatabase();

/** The writes that take allocations, with input that changes nothing else. */
const WRITES = {
  setAllocations: (consumers: ReturnType<typeof inputOf>[]) => setAllocations(database.claims, { consumers }),
  reshape: (allocations: ReturnType<typeof inputOf>[], resourceProvider: string) => {
    const inventories = [{ resourceProvider, generation: 1, inventories: [inventory('VCPU', 8)] }];
    return reshape(database.ledger, { inventories, allocations });
  },
  applyProviderTree: async (allocations: ReturnType<typeof inputOf>[], uuid: string) => {
    const { name } = await storedProvider(database, uuid);
    return applyProviderTree(database.ledger, { root: { uuid, name }, allocations });
  },
};

const inputOf = (consumer: string, provider: string) => consumerOf(consumer, { [provider]: { VCPU: 3 } });

test.each(Object.keys(WRITES) as (keyof typeof WRITES)[])(
  '%s creates the missing consumer of equal allocations and increments the generation of their provider',
  async (write) => {
    const [provider, consumer] = [await stocked(database, inventory('VCPU', 8)), randomUUID()];
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
       SELECT id, ?, 0, 3 FROM resource_providers WHERE uuid = ?`,
      [consumer, provider],
    );
    await WRITES[write]([inputOf(consumer, provider)], provider);
    const { id, generation } = await storedProvider(database, provider);
    expect(generation).toBe(2);
    const stored = 'SELECT generation FROM consumers WHERE uuid = ?';
    expect(await database.pool.query<unknown>(stored, [consumer])).toEqual([{ generation: 1 }]);
    const recorded = `SELECT kind, changes FROM placement_feed_changes
      WHERE generation = 2 AND object_id = ? AND kind = 'PROVIDER' OR uuid = ? ORDER BY kind`;
    expect(await database.pool.query<unknown>(recorded, [id, consumer])).toEqual([
      { kind: 'CONSUMER', changes: null },
      { kind: 'PROVIDER', changes: kindSet('USAGE') },
    ]);
  },
);
