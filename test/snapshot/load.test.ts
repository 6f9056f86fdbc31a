import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inventoryAt, type Snapshot } from '../../src/engine/model/snapshot.js';
import { loadSnapshot } from '../../src/snapshot/load.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(async () => {
  await database.close();
});

const insert = (table: string, columns: string, rows: unknown[][]): Promise<unknown> =>
  database.pool.batch(
    `INSERT INTO ${table} (${columns}) VALUES (${columns
      .split(',')
      .map(() => '?')
      .join(', ')})`,
    rows,
  );

const load = async (): Promise<Snapshot> => (await loadSnapshot(database)).snapshot;

test('a database without providers is an empty snapshot', async () => {
  const snapshot = await load();
  expect(snapshot.treeCount).toBe(0);
  expect(snapshot.blocks).toEqual([]);
  expect(snapshot.locate(randomUUID())).toBeUndefined();
});

test('rows that hang on nothing are passed over, and what a foreign writer leaves out is filled in', async () => {
  const [root, child, nameless] = [randomUUID(), randomUUID(), randomUUID()];
  await insert('resource_providers', 'id, uuid, name, generation, root_provider_id, parent_provider_id', [
    [7, root, 'root', 3, 7, null],
    [9, nameless, null, null, null, null],
    [12, child, 'child', 1, 7, 7],
  ]);
  const columns =
    'resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio';
  await insert('inventories', columns, [
    [12, 2, 10, 0, 1, 10, 1, 1],
    [8, 0, 10, 0, 1, 10, 1, 1],
    [12, 0, 10, 0, 1, 10, 1, 0.7],
  ]);
  const consumer = randomUUID();
  await insert('allocations', 'resource_provider_id, resource_class_id, consumer_id, used', [
    [12, 0, consumer, 2],
    [12, 0, randomUUID(), 3],
    [12, 1, consumer, 4],
    [7, 0, consumer, 5],
    [8, 0, consumer, 6],
  ]);
  await insert('resource_provider_aggregates', 'resource_provider_id, aggregate_id', [
    [8, 1],
    [7, 5],
    [7, 2],
  ]);

  const snapshot = await load();
  const [block] = snapshot.blocks;
  expect(block.uuids).toEqual([root, child, nameless]);
  expect(block.names).toEqual(['root', 'child', nameless]);
  expect([...block.generations]).toEqual([3, 1, 0]);
  expect([...block.parents]).toEqual([-1, 0, -1]);
  expect([...block.classes]).toEqual([0, 2]);
  expect(snapshot.locate(child)).toEqual({ block, row: 1 });
  expect(block.capacities[inventoryAt(block, 1, 0)]).toBe(7);
  expect([...block.used]).toEqual([5, 0]);
  expect([...block.aggregates]).toEqual([2, 5]);
});
