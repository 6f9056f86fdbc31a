import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { FeedPosition, Sequences } from '../../src/store/feed/position.js';
import { inventoryAt, type Snapshot } from '../../src/fleet/snapshot.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { openProcess } from '../support/database.js';
import { useDatabase } from '../support/useDatabase.js';
import { claim, stocked } from './writes.js';

const database = useDatabase();

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

test('however long the change feed is, little of it is read to know where it ends', async () => {
  const statements: string[] = [];
  const reader = openProcess(database.url, { onStatement: (sql) => statements.push(sql) });
  const sequences = Array.from({ length: 3_000 }, (_, at) => at + 1);
  const columns = 'writer_id, seq, low_watermark, kind, object_id, created_at';
  await insert(
    'placement_feed_changes',
    columns,
    sequences.map((seq) => [4711, seq, Math.max(1, seq - 3), 'PROVIDER', 12, new Date()]),
  );
  const { position } = await loadSnapshot(reader);
  const [first] = statements.filter((sql) => sql.includes('placement_feed_changes'));
  expect(first).toContain('MAX(low_watermark)');
  expect(position.isSame((await FeedPosition.START.readDelta(database.pool)).position)).toBe(true);
  expect(position.writers.get(4711)).toEqual({
    lowWatermark: 2_997,
    seen: Sequences.of([2_997, 2_998, 2_999, 3_000]),
  });
  await reader.close();
  await database.pool.query('DELETE FROM placement_feed_changes');
});

test('a claim during the load is in the snapshot with its generation, or not at all', async () => {
  const providers = await Promise.all(Array.from({ length: 20 }, () => stocked(database, 100_000)));
  let isOver = false;
  const write = async (lane: number): Promise<void> => {
    for (let round = lane; !isOver; round++) {
      await setAllocations(database.claims, claim(randomUUID(), providers[round % providers.length]));
    }
  };
  const writing = Promise.all([0, 5, 10, 15].map(write));
  const generationsIn = (snapshot: Snapshot): number[] =>
    providers.map((uuid) => {
      const { block, row } = snapshot.locate(uuid)!;
      return block.generations[row];
    });
  let changedMeanwhile = 0;
  try {
    let before = generationsIn(await load());
    for (let round = 0; round < 40; round++) {
      const snapshot = await load();
      const generations = generationsIn(snapshot);
      const used = providers.map((uuid) => {
        const { block, row } = snapshot.locate(uuid)!;
        return block.used[inventoryAt(block, row, 0)];
      });
      // one generation for the inventory, and one for each claim
      expect(used).toEqual(generations.map((generation) => generation - 1));
      changedMeanwhile += generations.filter((generation, at) => generation !== before[at]).length;
      before = generations;
    }
  } finally {
    isOver = true;
    await writing;
  }
  expect(changedMeanwhile).toBeGreaterThan(40);
});
