import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { usageChangeOf, usageText } from '../../src/model/recordedChanges.js';
import { blockIndexOf } from '../../src/fleet/block.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { pictureOf } from '../support/snapshotPicture.js';
import { inventory } from '../ledger/support.js';
import { consumerOf, type Takes } from '../ledger/treeSupport.js';
import { setInventories } from '../support/edits.js';

let ours: TestDatabase;
let theirs: ProcessDatabase;
const PROVIDERS = Array.from({ length: 12 }, () => randomUUID());

beforeAll(async () => {
  ours = await testDatabase();
  theirs = openProcess(ours.url);
  for (const [at, uuid] of PROVIDERS.entries()) {
    const parent = at % 3 === 0 ? undefined : PROVIDERS[at - (at % 3)];
    await createProvider(ours.ledger, { name: `p${at}`, uuid, parent });
    await supply(uuid, 0, 100_000);
  }
  await ours.pool.query("UPDATE resource_providers SET updated_at = '2020-01-01'"); // claims change it visibly
  for (const { snapshots } of [ours, theirs]) await snapshots.current();
});
afterAll(async () => {
  await theirs.close();
  await ours.close();
});

function supply(resourceProvider: string, generation: number, total: number) {
  const inventories = ['VCPU', 'MEMORY_MB'].map((name) => inventory(name, total));
  return setInventories(ours.ledger, { resourceProvider, generation, inventories });
}

const takes = (consumer: string, generation: number | null, byProvider: Takes) =>
  consumerOf(consumer, byProvider, generation);

const timesIn = ({ blocks }: Snapshot): Map<string, number> =>
  new Map(
    blocks.flatMap(({ uuids, updatedAt }) => uuids.map((uuid, row) => [uuid, updatedAt[row]] as const)),
  );

/** The snapshot of a process is what a full load gives, and its index that of its columns. */
async function expectExact({ snapshots }: ProcessDatabase): Promise<void> {
  const snapshot = await snapshots.current();
  const { snapshot: loaded } = await loadSnapshot(ours);
  expect(pictureOf(snapshot)).toEqual(pictureOf(loaded));
  expect(timesIn(snapshot)).toEqual(timesIn(loaded));
  for (const block of snapshot.blocks) expect(block.index).toEqual(blockIndexOf(block));
}

describe('claims and releases are known by one statement that reads no provider', () => {
  let single: ProcessDatabase;
  let statements: string[];

  beforeEach(async () => {
    statements = [];
    single = openProcess(ours.url, { onStatement: (sql) => statements.push(sql) });
    await single.snapshots.current();
  });
  afterEach(() => single.close());

  async function claimAndRelease({ claims }: ProcessDatabase): Promise<void> {
    const consumers = [randomUUID(), randomUUID()];
    const amounts: Takes = { [PROVIDERS[1]]: { VCPU: 3 }, [PROVIDERS[2]]: { MEMORY_MB: 7 } };
    await setAllocations(claims, { consumers: consumers.map((consumer) => takes(consumer, null, amounts)) });
    await deleteConsumer(claims, { consumer: consumers[0] });
  }

  test('of this process and of others', async () => {
    await Promise.all([single, ours, theirs].map(claimAndRelease));
    statements.length = 0;
    await single.snapshots.current();
    expect(statements).toEqual([expect.stringMatching(/^select .* from `placement_feed_changes`/)]);
    await expectExact(single);
  });

  test('but for those of which the feed does not say how: of an earlier version, or too long', async () => {
    await claimAndRelease(theirs);
    await ours.pool.query('UPDATE placement_feed_changes SET usage_change = NULL');
    await claimAndRelease(theirs);
    statements.length = 0;
    await single.snapshots.current();
    expect(statements).toEqual([
      expect.stringMatching(/^select .* from `placement_feed_changes`/),
      expect.stringContaining('resource_providers'),
    ]);
    await expectExact(single);
  });
});

describe('the change that a row of the feed describes', () => {
  const change = fc.record({
    steps: fc.integer({ min: 1, max: 1000 }),
    updatedAt: fc.nat({ max: 2 ** 32 }),
    amounts: fc.array(fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.maxSafeInteger()), { maxLength: 8 }),
  });

  test('is what was to be said', () => {
    fc.assert(
      fc.property(change, (said) => {
        expect(usageChangeOf(7, 9, usageText(said)!)).toEqual({ id: 7, generation: 9, ...said });
      }),
    );
  });

  test('is nothing where it does not fit into the column', () => {
    const ofLength = (count: number) =>
      usageText({ steps: 10, updatedAt: 1, amounts: Array.from({ length: count }, () => [10, 2] as const) });
    expect(ofLength(50)).toHaveLength(255);
    expect(ofLength(51)).toBeNull();
  });

  test('has no time in rows of version 1.0.0', () => {
    expect(usageChangeOf(7, 9, '1 0:4')).toEqual({
      id: 7,
      generation: 9,
      steps: 1,
      updatedAt: null,
      amounts: [[0, 4]],
    });
  });
});

test('a claim of more classes than a feed row can hold makes readers read the provider', async () => {
  const uuid = randomUUID();
  const classes = Array.from({ length: 60 }, (_, at) => `CUSTOM_${at}`);
  for (const name of classes) await createResourceClass(ours.ledger, { name });
  await createProvider(ours.ledger, { name: 'many', uuid });
  const inventories = classes.map((name) => inventory(name, 9));
  await setInventories(ours.ledger, { resourceProvider: uuid, generation: 0, inventories });
  const wanted = { [uuid]: Object.fromEntries(classes.map((name) => [name, 1])) };
  await setAllocations(ours.claims, { consumers: [takes(randomUUID(), null, wanted)] });
  await expectExact(ours);
  await expectExact(theirs);
});

test('a claim that finds a provider changed by a program without a feed has it read again', async () => {
  const [uuid] = PROVIDERS;
  const [{ id }] = await ours.pool.query<{ id: number }[]>(
    'SELECT id FROM resource_providers WHERE uuid = ?',
    [uuid],
  );
  await ours.pool.query(
    "INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used) VALUES (?, 0, 'foreign', 9)",
    [id],
  );
  await ours.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE id = ?', [id]);
  await setAllocations(ours.claims, { consumers: [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })] });
  await ours.snapshots.current();
  await expectExact(ours);
  await ours.pool.query("DELETE FROM allocations WHERE consumer_id = 'foreign'");
  await ours.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE id = ?', [id]);
  await setAllocations(theirs.claims, { consumers: [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })] });
  await expectExact(ours);
});

test('two processes that claim, release, change inventories and search at the same time both know all of it exactly, once', async () => {
  let isOver = false;
  const write = async ({ claims }: ProcessDatabase, lane: number): Promise<void> => {
    for (let round = 0; round < 25; round++) {
      const consumer = randomUUID();
      const [one, other] = [PROVIDERS[(lane + round) % 12], PROVIDERS[(lane * 5 + round * 7) % 12]];
      await setAllocations(claims, {
        consumers: [takes(consumer, null, { [one]: { VCPU: 1 + lane }, [other]: { MEMORY_MB: 2 } })],
      });
      if (round % 3 === 0) await deleteConsumer(claims, { consumer });
      else if (round % 3 === 1)
        await setAllocations(claims, { consumers: [takes(consumer, 1, { [other]: { VCPU: 5 } })] });
    }
  };
  const change = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const known = (await ours.snapshots.current()).locate(PROVIDERS[round % 12])!;
      await supply(PROVIDERS[round % 12], known.block.generations[known.row], 100_000 + round).catch(
        () => undefined,
      );
    }
  };
  const read = async ({ snapshots }: ProcessDatabase): Promise<void> => {
    while (!isOver) await snapshots.current();
  };
  const rest = [change(), read(ours), read(theirs)];
  await Promise.all([0, 1, 2, 3, 4, 5].map((lane) => write(lane % 2 === 0 ? ours : theirs, lane)));
  isOver = true;
  await Promise.all(rest);
  await expectExact(ours);
  await expectExact(theirs);
});
