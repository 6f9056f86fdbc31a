import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANY_GENERATION, type ConsumerAllocationsInput } from '../../src/model/input.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { renameResourceClass, createResourceClass } from '../../src/store/ledger/catalog.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { Random } from '../oracle/random.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { deleteInventory, setInventory } from '../support/edits.js';
import { pictureOf } from '../support/snapshotPicture.js';
import { unchanged } from '../support/unchanged.js';
import {
  aProvider,
  checkTrees,
  codeOf,
  endOf,
  generationOf,
  inventory,
  refusalOf,
  stocked,
  storedProviders,
  times,
} from './support.js';
import { aConsumer, consumerOf, type Takes } from './treeSupport.js';

let database: TestDatabase;
let other: ProcessDatabase;

beforeAll(async () => {
  database = await testDatabase({ connections: 16 });
  other = openProcess(database.url);
  for (const { snapshots } of [database, other]) await snapshots.current();
});
afterAll(async () => {
  await other.close();
  await database.close();
});

/** Writes consumers as REST does. */
const put = (...consumers: ReturnType<typeof consumerOf>[]) =>
  setAllocations(database.claims, { consumers }, { counting: 'NAMED' });
const release = (consumer: string) => deleteConsumer(database.claims, { consumer }, 'RELEASED');
const generations = (...uuids: string[]) => Promise.all(uuids.map((uuid) => generationOf(database, uuid)));

/**
 * Expects that the snapshots of both processes equal the tables, with the times of providers. A root is also written to
 * lock its tree, which changes its time without a record.
 */
async function expectExact(): Promise<void> {
  const { snapshot: loaded } = await loadSnapshot(database);
  for (const { snapshots } of [database, other]) {
    const snapshot = await snapshots.current();
    expect(pictureOf(snapshot)).toEqual(pictureOf(loaded));
    const timesIn = ({ blocks }: typeof snapshot) =>
      blocks.flatMap(({ uuids, parents, updatedAt }) =>
        uuids.map((uuid, row) => (parents[row] < 0 ? '' : `${uuid} ${updatedAt[row]}`)).sort(),
      );
    expect(timesIn(snapshot)).toEqual(timesIn(loaded));
  }
}

describe('decision D26: a REST write counts generations as OpenStack Placement does', () => {
  test('a named provider counts once, also if its allocations stay; a provider that a move leaves does not', async () => {
    const [from, to] = [
      await stocked(database, inventory('VCPU', 8)),
      await stocked(database, inventory('VCPU', 8)),
    ];
    const consumer = randomUUID();
    await put(consumerOf(consumer, { [from]: { VCPU: 2 } }, null));
    expect(await generations(from, to)).toEqual([2, 1]);
    const [again] = await put(consumerOf(consumer, { [from]: { VCPU: 2 } }, 1));
    expect(again.generation).toBe(2);
    expect(await generations(from, to)).toEqual([3, 1]);
    await put(consumerOf(consumer, { [to]: { VCPU: 2 } }, 2));
    expect(await generations(from, to)).toEqual([3, 2]);
    await expectExact();
  });

  test('a consumer that a write empties counts on its providers, its deletion does not', async () => {
    const provider = await stocked(database, inventory('VCPU', 8));
    const [emptied, deleted] = [randomUUID(), randomUUID()];
    await put(
      consumerOf(emptied, { [provider]: { VCPU: 2 } }, null),
      consumerOf(deleted, { [provider]: { VCPU: 1 } }, null),
    );
    expect(await generations(provider)).toEqual([2]);
    await put(consumerOf(emptied, {}, 1));
    expect(await generations(provider)).toEqual([3]);
    await release(deleted);
    expect(await generations(provider)).toEqual([3]);
    await expectExact();
  });

  test('a release of allocations without the row of their consumer counts, so that it cannot happen twice', async () => {
    const provider = await stocked(database, inventory('VCPU', 8));
    const consumer = await aConsumer(database, { [provider]: { VCPU: 2 } });
    await database.pool.query('DELETE FROM consumers WHERE uuid = ?', [consumer]);
    const ends = await Promise.all(
      times(4, () => endOf(deleteConsumer(other.claims, { consumer }, 'RELEASED'))),
    );
    expect(ends.sort()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'done']);
    expect(await generations(provider)).toEqual([3]);
    await expectExact();
  });

  test('a write of inventories counts also if nothing changes; a name and a parent do not count', async () => {
    const [provider, parent] = [await stocked(database, inventory('VCPU', 8)), await aProvider(database)];
    const update = { resourceProvider: provider };
    await updateProvider(database.ledger, {
      ...update,
      inventories: { set: [inventory('VCPU', 8)] },
      step: 1,
    });
    expect(await generations(provider)).toEqual([2]);
    await updateProvider(database.ledger, { ...update, name: 'renamed by REST', parent, step: 0 });
    await unchanged(database, () => updateProvider(database.ledger, { ...update, parent, step: 0 }));
    expect(await generations(provider, parent)).toEqual([2, 0]);
    await expectExact();
  });

  test('a reshape counts the interim inventories, the allocations and the final inventories', async () => {
    const [old, next] = [await stocked(database, inventory('VCPU', 8)), await aProvider(database)];
    const consumer = await aConsumer(database, { [old]: { VCPU: 2 } });
    const inventories = [
      { resourceProvider: old, generation: 2, inventories: [] },
      { resourceProvider: next, generation: 0, inventories: [inventory('VCPU', 8)] },
    ];
    const allocations = [consumerOf(consumer, { [next]: { VCPU: 2 } }, 1)];
    await reshape(database.ledger, { inventories, allocations }, 'NAMED');
    expect(await generations(old, next)).toEqual([3, 3]);
    await expectExact();
  });
});

describe('what else REST writes', () => {
  test('a write at any generation creates, replaces and empties', async () => {
    const provider = await stocked(database, inventory('VCPU', 8));
    const consumer = randomUUID();
    const write = (takes: Takes) => put({ ...consumerOf(consumer, takes, null), generation: ANY_GENERATION });
    for (const amount of [1, 2]) {
      const [written] = await write({ [provider]: { VCPU: amount } });
      expect(written.generation).toBe(amount);
    }
    expect(await write({})).toEqual([]);
    await Promise.all(times(8, (n) => write({ [provider]: { VCPU: 1 + n } })));
    await expectExact();
  });

  test('the rows of a consumer are in the order in which a write names them', async () => {
    const uuids = await Promise.all(
      times(3, () => stocked(database, inventory('VCPU', 8), inventory('DISK_GB', 8))),
    );
    const consumer = randomUUID();
    const [a, b, c] = uuids;
    const orders = [
      [a, b],
      [b, a],
      [b, a, c],
      [b, c],
      [c, b, a],
    ];
    let generation: number | null = null;
    for (const order of orders) {
      const takes = Object.fromEntries(order.map((uuid) => [uuid, { DISK_GB: 1, VCPU: 1 }]));
      const [written] = await put(consumerOf(consumer, takes, generation));
      ({ generation } = written);
      const rows = await database.pool.query<{ uuid: string; name: string }[]>(
        `SELECT p.uuid, k.name FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
         JOIN resource_classes k ON k.id = a.resource_class_id WHERE a.consumer_id = ? ORDER BY a.id`,
        [consumer],
      );
      expect(rows).toEqual(order.flatMap((uuid) => ['DISK_GB', 'VCPU'].map((name) => ({ uuid, name }))));
    }
    await expectExact();
  });

  test('an inventory to create must not exist', async () => {
    const provider = await stocked(database, inventory('VCPU', 8));
    const create = (name: string) =>
      updateProvider(database.ledger, {
        resourceProvider: provider,
        inventories: { create: [inventory(name, 4)] },
      });
    await create('DISK_GB');
    expect(await unchanged(database, () => refusalOf(create('VCPU')))).toMatchObject({
      code: 'INVALID_INPUT',
      resourceClassName: 'VCPU',
      path: ['inventories', 'create', '0'],
    });
  });

  test('a class is renamed with its inventories; snapshots learn the name', async () => {
    const rename = (name: string, newName: string) => renameResourceClass(database.ledger, { name, newName });
    await createResourceClass(database.ledger, { name: 'CUSTOM_BEFORE' });
    const provider = await stocked(database, inventory('CUSTOM_BEFORE', 8));
    await expectExact();
    expect(await rename('CUSTOM_BEFORE', 'CUSTOM_AFTER')).toBe(true);
    for (const { snapshots } of [database, other]) {
      const { classes } = await snapshots.current();
      expect(classes.idOf('CUSTOM_BEFORE')).toBeUndefined();
      expect(classes.idOf('CUSTOM_AFTER')).toBeDefined();
    }
    await aConsumer(database, { [provider]: { CUSTOM_AFTER: 2 } });
    await expectExact();
    await createResourceClass(database.ledger, { name: 'CUSTOM_OTHER' });
    expect(await unchanged(database, () => rename('CUSTOM_AFTER', 'CUSTOM_OTHER'))).toBe(false);
    for (const [name, newName, code] of [
      ['CUSTOM_BEFORE', 'CUSTOM_NEXT', 'NOT_FOUND'],
      ['VCPU', 'CUSTOM_NEXT', 'STANDARD_IS_IMMUTABLE'],
      ['CUSTOM_AFTER', 'next', 'INVALID_INPUT'],
    ])
      expect(await unchanged(database, () => refusalOf(rename(name, newName)))).toMatchObject({ code });
  });
});

test('releases without a step race claims, inventories and moves: no capacity is exceeded, and snapshots stay exact', async () => {
  const random = new Random(52);
  const capacity = 6;
  const roots = await Promise.all(times(2, () => aProvider(database)));
  const uuids = await Promise.all(
    times(3, () => stocked(database, inventory('VCPU', capacity), inventory('DISK_GB', 50))),
  );
  const consumers = times(10, () => randomUUID());
  const processes = [database, other];
  const ends: Record<string, number> = {};
  const overused = (): Promise<unknown[]> =>
    database.pool.query(
      `SELECT a.resource_provider_id FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
        WHERE p.uuid IN (?) AND a.resource_class_id = 0 GROUP BY a.resource_provider_id HAVING SUM(a.used) > ?`,
      [uuids, capacity],
    );
  let left = 400;

  async function write({ claims, ledger }: ProcessDatabase): Promise<string> {
    const [consumer, provider] = [random.pick(consumers), random.pick(uuids)];
    const kind = random.between(0, 9);
    const takes = {
      [provider]: { VCPU: random.between(1, 3), ...(random.between(0, 1) ? { DISK_GB: 1 } : {}) },
    };
    const wanted: ConsumerAllocationsInput = {
      ...consumerOf(consumer, takes, null),
      generation: ANY_GENERATION,
    };
    if (kind < 3) return deleteConsumer(claims, { consumer }, 'RELEASED').then(() => 'released');
    if (kind < 5)
      return setAllocations(claims, { consumers: [wanted] }, { counting: 'NAMED' }).then(() => 'put');
    if (kind < 7) return setAllocations(claims, { consumers: [wanted] }).then(() => 'set');
    const step = kind % 2 === 0 ? 0 : undefined;
    if (kind === 7)
      return deleteInventory(ledger, { resourceProvider: provider, resourceClass: 'DISK_GB' }).then(
        () => 'removed',
      );
    if (kind === 8 && random.between(0, 1))
      return setInventory(ledger, { resourceProvider: provider, inventory: inventory('DISK_GB', 50) }).then(
        () => 'added',
      );
    return updateProvider(ledger, { resourceProvider: provider, parent: random.pick(roots), step }).then(
      () => 'moved',
    );
  }

  const writer = async (at: number): Promise<void> => {
    while (left-- > 0) {
      const end = await write(processes[at % 2]).catch(codeOf);
      ends[end] = (ends[end] ?? 0) + 1;
      if (left % 20 === 0) expect(await overused()).toEqual([]);
      if (left % 40 === 0) await expectSnapshotOf(processes[(at + 1) % 2]);
    }
  };
  await Promise.all(times(10, writer));
  expect(await overused()).toEqual([]);
  const orphans = `SELECT 1 FROM allocations a LEFT JOIN consumers c ON c.uuid = a.consumer_id
    LEFT JOIN inventories i ON i.resource_provider_id = a.resource_provider_id AND i.resource_class_id = a.resource_class_id
    WHERE c.id IS NULL OR i.id IS NULL`;
  expect(await database.pool.query(orphans)).toEqual([]);
  checkTrees(await storedProviders(database));
  await expectExact();
  for (const end of ['released', 'put', 'set', 'moved', 'removed', 'CAPACITY_EXCEEDED'])
    expect([end, ends[end]]).toEqual([end, expect.any(Number)]);
}, 120_000);

/** Reads a snapshot while others write, so that its changes arrive in several parts. */
async function expectSnapshotOf({ snapshots }: ProcessDatabase): Promise<void> {
  expect((await snapshots.current()).treeCount).toBeGreaterThan(0);
}
