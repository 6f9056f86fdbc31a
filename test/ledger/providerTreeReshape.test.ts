import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ReshapeRefused } from '../../src/model/rejections.js';
import { allocate, inventory, storedProvider, uniqueNames, type Refusal } from './support.js';
import { unchanged } from '../support/unchanged.js';
import {
  aConsumer,
  apply,
  consumerOf,
  expectTreeRefused,
  grow,
  shapeOf,
  storedConsumer,
  treeOf,
} from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();

type Apply = Parameters<typeof apply>;

const refused = (root: Apply[1], allocations: Apply[2], refusal: Refusal) =>
  expectTreeRefused(database, root, refusal, allocations);

/** The violations as texts "CODE provider class consumer". */
async function violations(root: Apply[1], allocations: Apply[2]): Promise<string[]> {
  const error: unknown = await apply(database, root, allocations).catch((reason: unknown) => reason);
  if (!(error instanceof ReshapeRefused)) throw error;
  return error.violations.map(({ rejection: refusal, consumer }) => {
    const place = refusal as { resourceProviderUuid: string; resourceClassName?: string };
    return [refusal.code, place.resourceProviderUuid, place.resourceClassName ?? '-', consumer].join(' ');
  });
}

/** A host with VGPU and VCPU, storage beside it, and consumers on both. */
async function aHost() {
  const n = uniqueNames();
  const aggregates = [randomUUID()];
  const host = await grow(database, {
    name: n('cn'),
    inventories: { VGPU: 8, VCPU: 64 },
    aggregates,
    children: [{ name: n('spare') }],
  });
  const storage = await grow(database, {
    name: n('ss'),
    inventories: { DISK_GB: 1000 },
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    aggregates,
  });
  const [cn, spare, ss] = [host[n('cn')], host[n('spare')], storage[n('ss')]];
  const first = await aConsumer(database, { [cn]: { VGPU: 2, VCPU: 4 }, [ss]: { DISK_GB: 10 } });
  const second = await aConsumer(database, { [cn]: { VGPU: 1 } });
  const plain = await aConsumer(database, { [cn]: { VCPU: 1 } });
  const vcpu = inventory('VCPU', 64);
  return { n, cn, spare, ss, first, second, plain, vcpu };
}

describe('RESHAPE_NEEDED: the input has no allocations', () => {
  test('an inventory in use would vanish: all consumers on it are named, in the order in which they came', async () => {
    const { n, cn, first, second, vcpu } = await aHost();
    const root = { uuid: cn, name: n('cn'), inventories: [vcpu] };
    await refused(root, null, { code: 'RESHAPE_NEEDED', consumers: [first, second] });
    await refused({ ...root, inventories: [] }, undefined, { code: 'RESHAPE_NEEDED' });
  });

  test('a provider in use would vanish, at whatever depth', async () => {
    const n = uniqueNames();
    const old = await grow(database, {
      name: n('cn'),
      children: [{ name: n('a'), children: [{ name: n('b'), inventories: { VGPU: 4 } }] }],
    });
    const consumer = await aConsumer(database, { [old[n('b')]]: { VGPU: 1 } });
    await refused({ name: n('cn'), children: [] }, null, { code: 'RESHAPE_NEEDED', consumers: [consumer] });
    await refused({ name: n('cn'), children: [{ name: n('a'), children: [] }] }, null, {
      code: 'RESHAPE_NEEDED',
    });
  });

  test("a consumer of shared resources alone is named by the sharing provider's tree (the reshape spec's silent loss)", async () => {
    const { n, ss, first } = await aHost();
    const shared = await aConsumer(database, { [ss]: { DISK_GB: 5 } });
    const root = { uuid: ss, name: n('ss'), inventories: [] };
    await refused(root, null, { code: 'RESHAPE_NEEDED', consumers: [first, shared] });
  });

  test('not where what is in use stays: other inventories, shrinking (rule 34), moves', async () => {
    const { n, cn, spare, plain } = await aHost();
    const shrunk = [inventory('VGPU', 1), inventory('VCPU', 2)];
    await apply(database, { uuid: cn, name: n('cn'), inventories: shrunk, children: [] });
    expect(await treeOf(database, cn)).toMatchObject({ inventories: { VGPU: 1, VCPU: 2 }, children: [] });
    await expect(storedProvider(database, spare)).rejects.toThrow();
    const { rootUuid } = await apply(database, { name: n('top'), children: [{ uuid: cn, name: n('cn') }] });
    expect(await shapeOf(database, rootUuid!)).toBe(`${n('top')}@0(${n('cn')}@5)`);
    expect(await storedConsumer(database, plain)).toEqual({ generation: 1, takes: { [cn]: { VCPU: 1 } } });
  });
});

describe('RESHAPE_REFUSED: allocations are given, and the final state is wrong', () => {
  test('rule 185: consumers that are not named, on inventories and providers that vanish', async () => {
    const { n, cn, ss, first, second, plain, vcpu } = await aHost();
    const root = { uuid: cn, name: n('cn'), inventories: [vcpu] };
    const both = [`INVENTORY_IN_USE ${cn} VGPU ${first}`, `INVENTORY_IN_USE ${cn} VGPU ${second}`];
    expect(await violations(root, [])).toEqual(both);
    await refused(root, [], { code: 'RESHAPE_REFUSED' });
    const moved = consumerOf(first, { [ss]: { DISK_GB: 10 } }, 1);
    expect(await violations(root, [moved])).toEqual(both.slice(1));
    const swept = { name: n('ss'), children: [{ uuid: cn, name: n('cn') }] };
    await apply(database, swept);
    expect(await violations({ name: n('ss'), children: [] }, [moved])).toEqual([
      `PROVIDER_IN_USE ${cn} - ${plain}`,
      `PROVIDER_IN_USE ${cn} - ${second}`,
    ]);
  });

  test('rules 96-100: everything that is wrong at once, in the order of codes', async () => {
    const { n, cn, spare, first, second, plain } = await aHost();
    const gpu = randomUUID();
    const root = {
      uuid: cn,
      name: n('cn'),
      inventories: [inventory('VCPU', 64, { maxUnit: 4 })],
      children: [{ uuid: gpu, name: n('gpu'), inventories: [inventory('VGPU', 2)] }],
    };
    const given = [
      consumerOf(first, { [gpu]: { VGPU: 2 }, [cn]: { VCPU: 5 } }, 1),
      consumerOf(second, { [gpu]: { VGPU: 1 }, [spare]: { VGPU: 1 } }, 1),
      consumerOf(plain, { [cn]: { VGPU: 1 } }, 1),
    ];
    expect(await violations(root, given)).toEqual([
      `NO_INVENTORY ${spare} VGPU ${second}`,
      `NO_INVENTORY ${cn} VGPU ${plain}`,
      `UNIT_VIOLATION ${cn} VCPU ${first}`,
      `CAPACITY_EXCEEDED ${gpu} VGPU ${first}`,
      `CAPACITY_EXCEEDED ${gpu} VGPU ${second}`,
    ]);
    await refused(root, given, { code: 'RESHAPE_REFUSED' });
  });

  test('a violation of a kind is listed a thousand times at the most', async () => {
    const n = uniqueNames();
    const old = await grow(database, { name: n('cn'), inventories: { VCPU: 4 } });
    await Promise.all(Array.from({ length: 1100 }, () => allocate(database, old[n('cn')], 'VCPU', 1)));
    expect(await violations({ name: n('cn'), inventories: [] }, [])).toHaveLength(1000);
  });
});

describe('reshaping', () => {
  test('rules 181-188: allocations move with inventories, to providers that are created, in one step', async () => {
    const { n, cn, ss, first, second, plain, vcpu } = await aHost();
    const [gpu0, gpu1] = [randomUUID(), randomUUID()];
    const root = {
      uuid: cn,
      name: n('cn'),
      inventories: [vcpu],
      children: [
        { uuid: gpu0, name: n('gpu0'), inventories: [inventory('VGPU', 4)] },
        { uuid: gpu1, name: n('gpu1'), inventories: [inventory('VGPU', 4)] },
      ],
    };
    const given = [
      consumerOf(first, { [gpu0]: { VGPU: 2 }, [cn]: { VCPU: 4 }, [ss]: { DISK_GB: 10 } }, 1),
      consumerOf(second, { [gpu1]: { VGPU: 1 } }, 1),
    ];
    const storage = await storedProvider(database, ss);
    const before = (await treeOf(database, cn)).generation;
    await unchanged(database, async () => {
      expect(await apply(database, root, given, true)).toMatchObject({
        reshaped: true,
        changes: { length: 4 },
      });
    });
    const applied = await apply(database, root, given);
    expect(applied).toMatchObject({ reshaped: true, rootUuid: cn });
    expect(applied.done).toEqual([
      `UPDATE ${n('cn')}`,
      `CREATE ${n('gpu0')}`,
      `CREATE ${n('gpu1')}`,
      `DELETE ${n('spare')}`,
    ]);
    expect(await storedConsumer(database, first)).toEqual({
      generation: 2,
      takes: { [cn]: { VCPU: 4 }, [ss]: { DISK_GB: 10 }, [gpu0]: { VGPU: 2 } },
    });
    expect(await storedConsumer(database, second)).toEqual({ generation: 2, takes: { [gpu1]: { VGPU: 1 } } });
    expect(await storedConsumer(database, plain)).toMatchObject({ generation: 1 });
    expect(await shapeOf(database, cn)).toBe(`${n('cn')}@${before + 1}(${n('gpu0')}@0 ${n('gpu1')}@0)`);
    // shared storage, of which nothing changed, is left alone
    expect(await storedProvider(database, ss)).toEqual(storage);
    // applied again: generations of consumers, too, are judged only where something differs
    await unchanged(database, async () => {
      expect(await apply(database, root, given)).toMatchObject({ changes: [], reshaped: false });
    });
  });
});
