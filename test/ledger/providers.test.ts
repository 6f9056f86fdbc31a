import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { timestampOf } from '../../src/store/sql/statements.js';
import { shortestDecimal } from '../../src/model/input.js';
import { createResourceClass } from '../../src/store/ledger/catalog.js';
import type { InventoryInput } from '../../src/store/ledger/inventory/inventoryRows.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createProvider, deleteProviders } from '../../src/store/ledger/provider/providers.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { type ProviderUpdate, updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { allocate, aProvider, expectRefused, inventory, storedProvider, times } from './support.js';
import { amounts } from '../support/claims.js';
import { damage } from '../support/damage.js';
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
    const last = 'ORDER BY id DESC LIMIT 1';
    await database.pool.query(`UPDATE inventories SET created_at = '2020-02-02 02:02:02' ${last}`);
    const before = timestampOf(Date.now());
    await set(uuid, 1, [inventory('VCPU', 9)]);
    const [{ created_at, updated_at }] = await database.pool.query<Record<string, string>[]>(
      `SELECT created_at, updated_at FROM inventories ${last}`,
    );
    expect(created_at).toEqual('2020-02-02 02:02:02');
    expect(updated_at >= before && updated_at <= timestampOf(Date.now())).toBe(true);
  });

  test('rules 12, 18, 22: the ends of each range', async () => {
    const uuid = await aProvider(database);
    const most = 2147483647;
    const largest = inventory('VCPU', most, { reserved: most, minUnit: most, maxUnit: most, stepSize: most });
    const smallest = inventory('VCPU', 1, { maxUnit: 1 });
    for (const [generation, end] of [largest, smallest].entries()) {
      await set(uuid, generation, [end]);
      expect(await storedOf(uuid)).toEqual([end]);
    }
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

test('a set of 20 inventories takes a handful of statements, new or changed, also if it removes others', async () => {
  const uuid = await aProvider(database);
  const names = times(20, (n) => `CUSTOM_MANY_${n}`);
  for (const name of names) await createResourceClass(database.ledger, { name });
  for (const [generation, [first, most]] of [
    [0, 8],
    [0, 8],
    [10, 9],
  ].entries()) {
    statements = [];
    const inventories = names.slice(first).map((name) => inventory(name, 5 + generation));
    await set(uuid, generation, inventories);
    expect(statements.length).toBeLessThanOrEqual(most);
  }
});

test('rule 6: a name has 1 to 200 characters, counted as characters', async () => {
  await createProvider(database.ledger, { name: 'x'.repeat(200) });
  const { uuid } = await createProvider(database.ledger, { name: '\u{1F5A5}'.repeat(200) });
  expect((await storedProvider(database, uuid)).name).toBe('\u{1F5A5}'.repeat(200));
  for (const name of ['', 'y'.repeat(201), '\u{1F5A5}'.repeat(201), 'half \ud83d']) {
    await expectRefused(database, () => createProvider(database.ledger, { name }), {
      code: 'INVALID_INPUT',
      path: ['name'],
    });
  }
});

test('of several rejections of an update the first of the vocabulary is given', async () => {
  const { uuid } = await createProvider(database.ledger, {
    name: randomUUID(),
    inventories: [inventory('MEMORY_MB', 64)],
  });
  await allocate(database, uuid, 'MEMORY_MB', 1);
  await createProvider(database.ledger, { name: 'taken' });
  type Edits = Omit<ProviderUpdate, 'resourceProvider' | 'generation'>;
  const update = (edits: Edits, generation: number) => () =>
    updateProvider(database.ledger, { resourceProvider: uuid, generation, ...edits });
  const inOrder: [Edits, string][] = [
    [{}, 'INVALID_INPUT'],
    [{ traits: null }, 'NOT_FOUND'],
    [{ inventories: { remove: ['MEMORY_MB'] } }, 'DUPLICATE_NAME'],
    [{ name: null }, 'ILLEGAL_REPARENT'],
    [{ parent: null }, 'PROVIDER_GENERATION_CONFLICT'],
  ];
  let edits: Edits = {
    name: 'taken',
    parent: uuid,
    traits: { add: ['CUSTOM_UNKNOWN'] },
    inventories: { remove: ['PCPU', 'MEMORY_MB'] },
  };
  for (const [fix, code] of inOrder) {
    edits = { ...edits, ...fix };
    await expectRefused(database, update(edits, 7), { code });
  }
  await expectRefused(database, update(edits, 0), { code: 'INVENTORY_IN_USE' });
  await update({ name: randomUUID() }, 0)();
  await expectRefused(database, update({ name: randomUUID() }, 0), { code: 'PROVIDER_GENERATION_CONFLICT' });
});

describe('a provider that another program wrote', () => {
  const store = (uuid: string, set: string) =>
    damage(database, `UPDATE resource_providers SET ${set} WHERE uuid = '${uuid}'`);

  test('without a generation is at 0: edits, claims and the feed count from there', async () => {
    const [uuid, other] = [await aProvider(database), await aProvider(database)];
    for (const each of [uuid, other]) await store(each, 'generation = NULL');
    await expectRefused(database, () => set(uuid, 1, []), {
      code: 'PROVIDER_GENERATION_CONFLICT',
      currentGeneration: 0,
    });
    await set(uuid, 0, [inventory('VCPU', 8)]);
    expect(await storedProvider(database, uuid)).toMatchObject({ generation: 1 });
    await store(uuid, 'generation = NULL');
    const consumer = randomUUID();
    const allocations = [{ resourceProvider: uuid, resources: amounts({ VCPU: 1 }) }];
    const owner = { projectId: 'p', userId: 'u' };
    await setAllocations(database.claims, { consumers: [{ consumer, ...owner, allocations }] });
    expect(await storedProvider(database, uuid)).toMatchObject({ generation: 1 });
    const fed = await database.pool.query<unknown[]>(
      "SELECT generation FROM placement_feed_changes WHERE kind = 'PROVIDER' AND object_id = ? ORDER BY writer_id, seq",
      [(await storedProvider(database, uuid)).id],
    );
    expect(fed.at(-1)).toEqual({ generation: 1 });
    await deleteProviders(database.ledger, { resourceProviders: [other] });
  });

  test('without a root gets its own by an update that makes it a root, and children, and trees of an owner', async () => {
    const uuid = await aProvider(database);
    await store(uuid, 'root_provider_id = NULL');
    const child = await aProvider(database, uuid);
    expect(await storedProvider(database, child)).toMatchObject({ root: uuid, parent: uuid });
    const { name } = await storedProvider(database, uuid);
    const trees = [{ name, traits: ['CUSTOM_ROOTLESS'], children: [] }];
    const input = { owner: 'fleet', remove: [], takeOver: false, dryRun: false };
    expect((await applyProviderTrees(database.ledger, { ...input, trees })).rootUuids).toEqual([uuid]);
    await updateProvider(database.ledger, { resourceProvider: uuid, parent: { none: true } });
    expect(await storedProvider(database, uuid)).toMatchObject({ root: uuid, parent: null });
    await unchanged(database, () =>
      updateProvider(database.ledger, { resourceProvider: uuid, parent: { none: true } }),
    );
  });

  test('with a wrong root gets that of its parent by an update that states the parent again', async () => {
    const [uuid, other] = [await aProvider(database), await aProvider(database)];
    const child = await aProvider(database, uuid);
    const below = await aProvider(database, child);
    const wrong = `root_provider_id = ${(await storedProvider(database, other)).id}`;
    for (const each of [child, below]) await store(each, wrong);
    const isParentFixed = true;
    const { generation } = await updateProvider(database.ledger, {
      resourceProvider: child,
      parent: uuid,
      isParentFixed,
    });
    expect(generation).toBe(1);
    for (const each of [child, below])
      expect(await storedProvider(database, each)).toMatchObject({ root: uuid });
    await unchanged(database, () =>
      updateProvider(database.ledger, { resourceProvider: child, parent: uuid }),
    );
    await store(uuid, wrong);
    await updateProvider(database.ledger, { resourceProvider: uuid, parent: { none: true } });
    expect(await storedProvider(database, uuid)).toMatchObject({ root: uuid, parent: null });
  });
});
