import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { ReshapeNeeded } from '../../src/model/rejections.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { Random } from '../oracle/random.js';
import { endOf, inventory, times } from './support.js';
import { apply, consumerOf, desired, grow, storedConsumer, treeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

/** The same seed repeats the writes, not how they interleave. */
const random = new Random(12);

const database = useDatabase({ connections: 16 });

test('one new tree applied by many at once is created once, and all succeed', async () => {
  const tree = desired({
    name: 'same',
    inventories: { VCPU: 4 },
    aggregates: [randomUUID()],
    children: [
      { name: 'same-a', traits: ['HW_NUMA_ROOT'] },
      { name: 'same-b', children: [{ name: 'same-c' }] },
    ],
  });
  const applied = await Promise.all(times(12, () => apply(database, tree)));
  expect(applied.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
  expect(new Set(applied.map(({ rootUuid }) => rootUuid)).size).toBe(1);
});

test('different states of one tree, applied at once, leave one of them as a whole', async () => {
  const old = await grow(database, {
    name: 'torn',
    children: [{ name: 'torn-a', children: [{ name: 'torn-b' }] }, { name: 'torn-c' }],
  });
  const uuid = (name: string) => old[`torn-${name}`];
  const state = (n: number): DesiredProvider => {
    const offer = { inventories: [inventory('VCPU', n + 1)], aggregates: [] };
    const [top, below, third] = n % 2 === 0 ? ['a', 'b', 'c'] : ['b', 'a', 'c'];
    const made = { name: `torn-made-${n}`, ...offer };
    return {
      name: 'torn',
      ...offer,
      children: [
        {
          uuid: uuid(top),
          name: `torn-top-${n}`,
          ...offer,
          children: [{ uuid: uuid(below), name: 'torn-x', ...offer }],
        },
        { uuid: uuid(third), name: `torn-third-${n}`, ...offer, children: [made] },
      ],
    };
  };
  for (let round = 0; round < 5; round++) {
    await Promise.all(times(8, (n) => apply(database, state(n))));
    const stored = await treeOf(database, old.torn);
    const n = stored.inventories.VCPU - 1;
    await expect(apply(database, state(n))).resolves.toMatchObject({ changes: [] });
  }
}, 60_000);

test('an inventory that moves down the tree while it is claimed loses no allocation and is never over capacity', async () => {
  for (let round = 0; round < 6; round++) {
    const name = `pivot-${round}`;
    const old = await grow(database, { name, inventories: { VGPU: 16 } });
    const root = old[name];
    const gpus = [randomUUID(), randomUUID()];
    const target: DesiredProvider = {
      uuid: root,
      name,
      inventories: [],
      children: gpus.map((uuid, n) => ({
        uuid,
        name: `${name}-gpu${n}`,
        inventories: [inventory('VGPU', 8)],
      })),
    };
    const claimed: string[] = [];
    let isMoved = false;
    const claimer = async (): Promise<void> => {
      while (!isMoved) {
        const consumer = randomUUID();
        const code = await endOf(
          setAllocations(database.claims, { consumers: [consumerOf(consumer, { [root]: { VGPU: 1 } })] }),
        );
        if (code === 'done') claimed.push(consumer);
        else expect(['CAPACITY_EXCEEDED', 'NO_INVENTORY']).toContain(code);
        await new Promise((resolve) => setTimeout(resolve, random.between(0, 3)));
      }
    };
    /** The flow of the reshape spec: apply; where a reshape is needed, look who is there and move them. */
    const pivot = async (): Promise<void> => {
      for (let attempt = 0; attempt < 100; attempt++) {
        const error: unknown = await apply(database, target).catch((reason: unknown) => reason);
        if (!(error instanceof ReshapeNeeded)) return;
        const moved = error.consumers.map((uuid, n) => consumerOf(uuid, { [gpus[n % 2]]: { VGPU: 1 } }, 1));
        const code = await endOf(apply(database, target, moved));
        if (code === 'done') return;
        expect(code).toBe('RESHAPE_REFUSED');
      }
      throw new Error('the inventory could not be moved');
    };
    const claims = times(4, claimer);
    await pivot().finally(() => (isMoved = true));
    await Promise.all(claims);
    const holders = await Promise.all(claimed.map((uuid) => storedConsumer(database, uuid)));
    const uses = gpus.map((gpu) => holders.filter((holder) => holder?.takes[gpu]?.VGPU === 1).length);
    expect(uses[0] + uses[1]).toBe(claimed.length);
    expect(Math.max(...uses)).toBeLessThanOrEqual(8);
    const strays = await database.pool.query<unknown[]>(
      `SELECT 1 FROM allocations a LEFT JOIN inventories i ON i.resource_provider_id = a.resource_provider_id
         AND i.resource_class_id = a.resource_class_id WHERE i.id IS NULL`,
    );
    expect(strays).toEqual([]);
  }
}, 60_000);

test('a provider that is claimed while it is deleted is either claimed or gone', async () => {
  for (let round = 0; round < 40; round++) {
    const name = `gone-${round}`;
    const old = await grow(database, { name, children: [{ name: `${name}-a`, inventories: { VCPU: 1 } }] });
    const consumer = randomUUID();
    const consumers = [consumerOf(consumer, { [old[`${name}-a`]]: { VCPU: 1 } })];
    const claiming = endOf(setAllocations(database.claims, { consumers }));
    if (round === 0) await claiming; // then the claim has won; in all other rounds either may
    const [claim, deletion] = await Promise.all([claiming, endOf(apply(database, { name, children: [] }))]);
    if (round === 0) expect(claim).toBe('done');
    expect(deletion).toBe(claim === 'done' ? 'RESHAPE_NEEDED' : 'done');
    if (claim !== 'done') expect(['NOT_FOUND', 'NO_INVENTORY']).toContain(claim);
    expect(await storedConsumer(database, consumer)).toEqual(
      claim === 'done' ? { generation: 1, takes: { [old[`${name}-a`]]: { VCPU: 1 } } } : null,
    );
  }
}, 60_000);
