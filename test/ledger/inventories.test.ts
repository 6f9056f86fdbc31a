import { describe, expect, test } from '@jest/globals';
import { timestampOf } from '../../src/database/timestamps.js';
import { shortestDecimal } from '../../src/domain/capacity.js';
import { createResourceClass } from '../../src/ledger/catalog.js';
import type { InventoryInput } from '../../src/ledger/inventory/inventoryRows.js';
import { aProvider, inventory } from './support.js';
import { unchanged } from '../support/unchanged.js';
import { useDatabase } from '../support/useDatabase.js';
import { setInventories } from '../support/edits.js';

let statements: string[] = [];
const database = useDatabase({
  onStatement: (sql) => !sql.includes('placement_feed') && statements.push(sql),
});

const set = (resourceProvider: string, generation: number, inventories: InventoryInput[]) =>
  setInventories(database.ledger, { resourceProvider, generation, inventories });

/** What is stored for the provider, as the API's input; by class id. */
async function storedOf(uuid: string): Promise<InventoryInput[]> {
  const rows = await database.pool.query<InventoryInput[]>(
    `SELECT c.name AS resourceClass, total, reserved, min_unit AS minUnit, max_unit AS maxUnit, step_size AS stepSize,
            allocation_ratio + 0e0 AS allocationRatio
     FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id
     JOIN resource_providers p ON p.id = i.resource_provider_id WHERE p.uuid = ? ORDER BY c.id`,
    [uuid],
  );
  return rows.map((row) => ({ ...row, allocationRatio: shortestDecimal(row.allocationRatio) }));
}

describe('setting all inventories', () => {
  test('created_at stays and updated_at is set when an inventory is replaced', async () => {
    const uuid = await aProvider(database);
    await set(uuid, 0, [inventory('VCPU', 8)]);
    const dates = 'SELECT i.created_at, i.updated_at FROM inventories i ORDER BY i.id DESC LIMIT 1';
    await database.pool.query('UPDATE inventories SET created_at = ? ORDER BY id DESC LIMIT 1', [
      '2020-02-02 02:02:02',
    ]);
    const before = timestampOf(Date.now());
    await set(uuid, 1, [inventory('VCPU', 9)]);
    const [{ created_at, updated_at }] =
      await database.pool.query<{ created_at: string; updated_at: string }[]>(dates);
    expect(created_at).toEqual('2020-02-02 02:02:02');
    expect(updated_at >= before && updated_at <= timestampOf(Date.now())).toBe(true);
  });

  test('rules 12, 18, 22: the ends of each range', async () => {
    const uuid = await aProvider(database);
    const most = 2147483647;
    const largest = inventory('VCPU', most, { reserved: most, minUnit: most, maxUnit: most, stepSize: most });
    await set(uuid, 0, [largest]);
    expect(await storedOf(uuid)).toEqual([largest]);
    const smallest = inventory('VCPU', 1, { maxUnit: 1 });
    await set(uuid, 1, [smallest]);
    expect(await storedOf(uuid)).toEqual([smallest]);
  });

  test.each([1e-45, 1.17549435e-38, 0.001, 0.7, 1 / 3, 1.001, 1.15, 16, 16777217, 3.40282e38])(
    'decision D2: a ratio of %p is stored in single precision, and is the same when it is set again',
    async (allocationRatio) => {
      const uuid = await aProvider(database);
      const vcpu = inventory('VCPU', 10, { allocationRatio });
      await set(uuid, 0, [vcpu]);
      expect(Math.fround((await storedOf(uuid))[0].allocationRatio)).toBe(Math.fround(allocationRatio));
      await unchanged(database, () => set(uuid, 1, [vcpu]));
    },
  );
});

test('a set of 20 inventories takes a handful of statements, changed or new', async () => {
  const uuid = await aProvider(database);
  const names = Array.from({ length: 20 }, (_, n) => `CUSTOM_MANY_${n}`);
  for (const name of names) await createResourceClass(database.ledger, { name });
  for (const [generation, total] of [5, 6].entries()) {
    statements = [];
    await set(
      uuid,
      generation,
      names.map((name) => inventory(name, total)),
    );
    expect(statements.length).toBeLessThanOrEqual(8);
  }
  statements = [];
  await set(
    uuid,
    2,
    names.slice(10).map((name) => inventory(name, 7)),
  );
  expect(statements.length).toBeLessThanOrEqual(9);
});
