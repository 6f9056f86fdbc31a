import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createProvider, deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { isCounter } from '../../src/fleet/consumption.js';
import { inventoryAt } from '../../src/fleet/snapshot.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused, generationOf, inventory, uniqueNames } from './support.js';
import {
  allocationsOf,
  COMPUTE,
  consumesAt,
  consumptionOf,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
  newHost,
  placed,
  wants,
} from './partitionSupport.js';

const database = useDatabase();

beforeAll(() => createClasses(database));

const aHost = (cards?: number) => newHost(database, cards);

describe('what an inventory consumes', () => {
  test('a new provider consumes counters of its ancestors, whose generation increments', async () => {
    const n = uniqueNames();
    const uuids = await created(database, {
      name: n('host'),
      children: [{ name: n('gpu'), inventories: counterInventories() }],
    });
    const before = await generationOf(database, uuids[n('gpu')]);
    const inventories = [inventory('CUSTOM_2G', 1, { consumes: consumesAt(n('gpu'), 'CUSTOM_2G', 0) })];
    const { uuid } = await createProvider(database.ledger, {
      name: n('part'),
      parent: uuids[n('gpu')],
      inventories,
    });
    expect(await consumptionOf(database, uuid)).toEqual(
      [
        `CUSTOM_2G: 1 CUSTOM_MEM_0 of ${n('gpu')}`,
        `CUSTOM_2G: 1 CUSTOM_MEM_1 of ${n('gpu')}`,
        `CUSTOM_2G: 2 ${COMPUTE} of ${n('gpu')}`,
      ].sort(),
    );
    expect(await generationOf(database, uuids[n('gpu')])).toBe(before + 1);
    const snapshot = await database.snapshots.current();
    const { block, row } = snapshot.locate(uuids[n('gpu')])!;
    const at = (name: string): number => inventoryAt(block, row, snapshot.names.classes.idOf(name)!);
    expect(isCounter(block, at('CUSTOM_MEM_1'))).toBe(true);
    expect(isCounter(block, at('CUSTOM_MEM_2'))).toBe(false);
  });

  test.each([
    ['a provider elsewhere', { resourceProvider: { name: 'nowhere' } }, ['resourceProvider']],
    ['an amount of 0', { amount: 0 }, ['amount']],
    ['an unknown class', { resourceClass: 'CUSTOM_NOWHERE' }, ['resourceClass']],
    ['a class without an inventory', { resourceClass: 'VGPU' }, ['resourceClass']],
    ['an inventory with a step', { resourceClass: 'SRIOV_NET_VF' }, ['resourceClass']],
    ['an inventory that consumes', { resourceClass: 'CUSTOM_CARD' }, ['resourceClass']],
  ])('%s is INVALID_INPUT', async (_what, change, path) => {
    const n = uniqueNames();
    const gpu = { name: n('gpu') };
    const inventories = [
      ...counterInventories(),
      inventory('SRIOV_NET_VF', 8, { stepSize: 2 }),
      inventory('CUSTOM_CARD', 1, {
        consumes: [{ resourceProvider: gpu, resourceClass: COMPUTE, amount: 1 }],
      }),
    ];
    await created(database, { name: n('gpu'), inventories });
    const counter = { resourceProvider: gpu, resourceClass: 'CUSTOM_MEM_0', amount: 1, ...change };
    const create = () =>
      createProvider(database.ledger, {
        name: n('part'),
        parent: undefined,
        inventories: [inventory('CUSTOM_1G', 1, { consumes: [counter] })],
      });
    await expectRefused(database, create, { code: 'INVALID_INPUT' });
    const tree = {
      name: n('gpu'),
      children: [{ name: n('part'), inventories: [inventory('CUSTOM_1G', 1, { consumes: [counter] })] }],
    };
    for (const dryRun of [true, false])
      await expectRefused(database, () => applyProviderTree(database.ledger, { root: tree, dryRun }), {
        code: 'INVALID_INPUT',
        path: ['root', 'children', '0', 'inventories', '0', 'consumes', '0', ...path],
      });
  });

  test('a counter twice, an inventory itself, and a counter that consumes are INVALID_INPUT', async () => {
    const n = uniqueNames();
    const own = { name: n('gpu') };
    const counter = { resourceProvider: own, resourceClass: 'CUSTOM_MEM_0', amount: 1 };
    const apply = (consumes: object[], of = 'CUSTOM_1G', more: object[] = []) =>
      applyProviderTree(database.ledger, {
        root: {
          name: n('gpu'),
          inventories: [
            inventory('CUSTOM_MEM_0', 1, { consumes: more as never }),
            inventory('CUSTOM_MEM_1', 1),
            inventory(of, 1, { consumes: consumes as never }),
          ],
        },
      });
    await expectRefused(database, () => apply([counter, counter]), { code: 'INVALID_INPUT' });
    await expectRefused(database, () => apply([{ ...counter, resourceClass: 'CUSTOM_1G' }]), {
      code: 'INVALID_INPUT',
    });
    const chain = [{ ...counter, resourceClass: 'CUSTOM_MEM_1' }];
    await expectRefused(database, () => apply([counter], 'CUSTOM_1G', chain), { code: 'INVALID_INPUT' });
  });

  test('an update changes the consumption of an unused inventory only', async () => {
    const host = await aHost();
    const part = host.uuid('gpu0-1g-0');
    const patch = (amount: number) =>
      updateProvider(database.ledger, {
        resourceProvider: part,
        inventories: {
          patch: [
            {
              resourceClass: 'CUSTOM_1G',
              consumes: [{ resourceProvider: { name: `${host.host}-gpu0` }, resourceClass: COMPUTE, amount }],
            },
          ],
        },
      });
    const before = await generationOf(database, part);
    await patch(2);
    expect(await generationOf(database, part)).toBe(before + 1);
    expect(await consumptionOf(database, part)).toEqual([`CUSTOM_1G: 2 ${COMPUTE} of ${host.host}-gpu0`]);
    await patch(2);
    expect(await generationOf(database, part)).toBe(before + 1);
    const consumer = await placed(database, { [part]: { CUSTOM_1G: 1 } });
    await expectRefused(database, () => patch(1), {
      code: 'CONSUMPTION_IN_USE',
      resourceProviderUuid: part,
      resourceClassName: 'CUSTOM_1G',
      counterProviderUuid: host.uuid('gpu0'),
      counterClassName: COMPUTE,
    });
    // a patch of another field leaves the consumption as it is
    await updateProvider(database.ledger, {
      resourceProvider: part,
      inventories: { patch: [{ resourceClass: 'CUSTOM_1G', total: 2 }] },
    });
    await setAllocations(database.claims, { consumers: [wants(consumer, 1, { [part]: { CUSTOM_1G: 2 } })] });
    expect(await allocationsOf(database, consumer)).toEqual(
      host.lines('gpu0 CUSTOM_COMPUTE 4', 'gpu0-1g-0 CUSTOM_1G 2'),
    );
  });

  test('a counter cannot be removed, moved away or get other units while an inventory consumes it', async () => {
    const host = await aHost();
    const n = uniqueNames();
    const gpu = host.uuid('gpu0');
    const inUse = { code: 'CONSUMPTION_IN_USE', counterProviderUuid: gpu, counterClassName: 'CUSTOM_MEM_0' };
    const { ledger } = database;
    await expectRefused(
      database,
      () => updateProvider(ledger, { resourceProvider: gpu, inventories: { remove: ['CUSTOM_MEM_0'] } }),
      inUse,
    );
    const patch = [{ resourceClass: 'CUSTOM_MEM_0', minUnit: 2 }];
    await expectRefused(
      database,
      () => updateProvider(ledger, { resourceProvider: gpu, inventories: { patch } }),
      {
        code: 'INVALID_INPUT',
      },
    );
    const elsewhere = await created(database, { name: n('other') });
    await expectRefused(
      database,
      () =>
        updateProvider(ledger, { resourceProvider: host.uuid('gpu0-1g-0'), parent: elsewhere[n('other')] }),
      { code: 'CONSUMPTION_IN_USE', resourceProviderUuid: host.uuid('gpu0-1g-0') },
    );
    const moved = { name: n('other'), children: [{ uuid: host.uuid('gpu0-2g-0'), name: n('part') }] };
    await expectRefused(database, () => applyProviderTree(ledger, { root: moved }), {
      code: 'CONSUMPTION_IN_USE',
    });
    // the card moves with its partitions
    await updateProvider(ledger, { resourceProvider: gpu, parent: elsewhere[n('other')] });
    const root = { name: host.host, children: [] };
    await applyProviderTree(ledger, { root });
    await updateProvider(ledger, { resourceProvider: host.uuid('gpu0-1g-0'), inventories: { set: [] } });
    expect(await consumptionOf(database, host.uuid('gpu0-1g-0'))).toEqual([]);
    await deleteProvider(ledger, { resourceProvider: host.uuid('gpu0-2g-0') });
    const rows = await database.pool.query<unknown[]>(
      'SELECT 1 FROM placement_consumptions c LEFT JOIN resource_providers p ON p.id = c.provider_id WHERE p.id IS NULL',
    );
    expect(rows).toEqual([]);
  });

  test('an inventory with allocations becomes no counter outside of a reshape', async () => {
    const n = uniqueNames();
    const uuids = await created(database, { name: n('gpu'), inventories: [inventory('CUSTOM_MEM_0', 1)] });
    await placed(database, { [uuids[n('gpu')]]: { CUSTOM_MEM_0: 1 } });
    const inventories = [
      inventory('CUSTOM_1G', 1, {
        consumes: [{ resourceProvider: { uuid: uuids[n('gpu')] }, resourceClass: 'CUSTOM_MEM_0', amount: 1 }],
      }),
    ];
    const create = () =>
      createProvider(database.ledger, { name: n('part'), parent: uuids[n('gpu')], inventories });
    await expectRefused(database, create, { code: 'CONSUMPTION_IN_USE', counterClassName: 'CUSTOM_MEM_0' });
  });

  test('an owned tree carries consumption, and a repeated one writes nothing', async () => {
    const n = uniqueNames();
    const trees = [hostWithCards(n('host'), 1)];
    const input = { owner: n('agent'), trees, remove: [], takeOver: false, dryRun: false };
    await applyProviderTrees(database.ledger, input);
    const again = await applyProviderTrees(database.ledger, input);
    expect(again.differences).toEqual([]);
    const [card] = trees[0].children!;
    const [first, ...others] = card.children!;
    const less = { ...first, inventories: [inventory('CUSTOM_1G', 1, { consumes: [] })] };
    const changed = [{ ...trees[0], children: [{ ...card, children: [less, ...others] }] }];
    const { differences } = await applyProviderTrees(database.ledger, { ...input, trees: changed });
    expect(
      differences.map(({ provider, before, after, outcome }) => [provider, before, after, outcome]),
    ).toEqual([[first.name, 'consumes 2 counters', 'consumes 0 counters', 'SET']]);
    const other = await applyProviderTrees(database.ledger, { ...input, owner: n('other'), trees: [] });
    expect(other.differences).toEqual([]);
  });
});
