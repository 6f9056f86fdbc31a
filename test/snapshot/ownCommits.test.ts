import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FleetSnapshot } from '../../src/snapshot/model/fleetSnapshot.js';
import { blockIndexOf } from '../../src/snapshot/model/blocks/blockIndex.js';
import { loadSnapshot } from '../../src/snapshot/load.js';
import { deleteAllocations, setAllocations } from '../../src/ledger/allocation/allocations.js';
import { setInventories } from '../../src/ledger/inventory/inventories.js';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { pictureOf } from '../support/snapshotPicture.js';

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
  for (const { snapshots } of [ours, theirs]) await snapshots.current();
});
afterAll(async () => {
  await theirs.close();
  await ours.close();
});

function supply(resourceProvider: string, generation: number, total: number) {
  const amounts = { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
  const inventories = ['VCPU', 'MEMORY_MB'].map((resourceClass) => ({ resourceClass, ...amounts }));
  return setInventories(ours.ledger, { resourceProvider, generation, inventories });
}

/** What a consumer is to have, by provider and class. */
function takes(
  consumer: string,
  consumerGeneration: number | null,
  amounts: Readonly<Record<string, Readonly<Partial<Record<string, number>>>>>,
) {
  const allocations = Object.entries(amounts).map(([resourceProvider, classes]) => ({
    resourceProvider,
    resources: Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount: amount! })),
  }));
  return { consumer, consumerGeneration, projectId: 'p', userId: 'u', allocations };
}

/** The snapshot of a process is what a full load gives, and its index that of its columns. */
async function expectExact({ snapshots }: ProcessDatabase): Promise<void> {
  const snapshot = (await snapshots.current()) as FleetSnapshot;
  expect(pictureOf(snapshot)).toEqual(pictureOf((await loadSnapshot(ours)).snapshot));
  for (const block of snapshot.blocks) expect(block.index).toEqual(blockIndexOf(block));
}

test('after claims of its own a process knows what is in use by one statement that asks whether anybody else has written', async () => {
  const statements: string[] = [];
  const single = openProcess(ours.url, { onStatement: (sql) => statements.push(sql) });
  await single.snapshots.current();
  const consumers = [randomUUID(), randomUUID()];
  const amounts = { [PROVIDERS[1]]: { VCPU: 3 }, [PROVIDERS[2]]: { MEMORY_MB: 7 } };
  const claims = consumers.map((consumer) => takes(consumer, null, amounts));
  await setAllocations(single.claims, { consumers: claims });
  await deleteAllocations(single.claims, { consumer: consumers[0] });
  statements.length = 0;
  await single.snapshots.current();
  expect(statements).toEqual([expect.stringContaining('placement_feed_changes')]);
  await expectExact(single);
  await single.close();
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
  await setAllocations(theirs.claims, { consumers: [takes(randomUUID(), null, { [uuid]: { VCPU: 1 } })] });
  await expectExact(ours);
});

test('two processes that claim, release, change inventories and search at the same time both know all of it exactly, once', async () => {
  let isOver = false;
  const write = async ({ claims }: ProcessDatabase, lane: number): Promise<void> => {
    for (let round = 0; round < 40; round++) {
      const consumer = randomUUID();
      const [one, other] = [PROVIDERS[(lane + round) % 12], PROVIDERS[(lane * 5 + round * 7) % 12]];
      await setAllocations(claims, {
        consumers: [takes(consumer, null, { [one]: { VCPU: 1 + lane }, [other]: { MEMORY_MB: 2 } })],
      });
      if (round % 3 === 0) await deleteAllocations(claims, { consumer });
      else if (round % 3 === 1)
        await setAllocations(claims, { consumers: [takes(consumer, 1, { [other]: { VCPU: 5 } })] });
    }
  };
  const change = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const known = ((await ours.snapshots.current()) as FleetSnapshot).locate(PROVIDERS[round % 12])!;
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
