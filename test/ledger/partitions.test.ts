import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ReshapeRefused } from '../../src/model/rejections.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import { createProvider, deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { isCounter } from '../../src/fleet/consumption.js';
import { freeOf, inventoryAt } from '../../src/fleet/snapshot.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused, generationOf, inventory, refusalOf, uniqueNames } from './support.js';
import {
  allocationsOf,
  COMPUTE,
  consumesAt,
  consumptionOf,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
  MEMORY,
  partitionsOf,
  placed,
  wants,
  wrongCounters,
} from './partitionSupport.js';

const database = useDatabase();

beforeAll(() => createClasses(database));

/** A new host with cards: the uuids of the providers by name, without the name of the host. */
async function aHost(cards = 1) {
  const host = uniqueNames()('host');
  const byName = await created(database, hostWithCards(host, cards));
  const uuid = (name: string): string => byName[name === '' ? host : `${host}-${name}`];
  const lines = (...texts: string[]): string[] => texts.map((text) => `${host}-${text}`).sort();
  return { host, uuid, lines };
}

const claimId = async (name: string, of: Awaited<ReturnType<typeof aHost>>): Promise<number> => {
  const [row] = await database.pool.query<{ id: number }[]>(
    'SELECT id FROM resource_providers WHERE uuid = ?',
    [of.uuid(name)],
  );
  return row.id;
};

/** Returns the free amount of a class of a provider, in a new snapshot and in the live one. */
async function freeIn(uuid: string, resourceClass: string): Promise<number> {
  const live = await database.snapshots.current();
  const { snapshot } = await loadSnapshot(database);
  const [one, other] = [live, snapshot].map((each) =>
    freeOf(each.locate(uuid)!, each.names.classes.idOf(resourceClass)!),
  );
  expect(one).toBe(other);
  return one;
}

describe('claims', () => {
  test('an allocation of a partition has the sums of its counters', async () => {
    const host = await aHost();
    const consumer = await placed(database, {
      [host.uuid('')]: { VCPU: 2 },
      [host.uuid('gpu0-2g-2')]: { CUSTOM_2G: 1 },
      [host.uuid('gpu0-1g-0')]: { CUSTOM_1G: 1 },
    });
    expect(await allocationsOf(database, consumer)).toEqual(
      [
        `${host.host} VCPU 2`,
        ...host.lines(
          'gpu0 CUSTOM_COMPUTE 3',
          'gpu0 CUSTOM_MEM_0 1',
          'gpu0 CUSTOM_MEM_2 1',
          'gpu0 CUSTOM_MEM_3 1',
          'gpu0-1g-0 CUSTOM_1G 1',
          'gpu0-2g-2 CUSTOM_2G 1',
        ),
      ].sort(),
    );
    expect(await freeIn(host.uuid('gpu0'), COMPUTE)).toBe(1);
    expect(await freeIn(host.uuid('gpu0-1g-1'), 'CUSTOM_1G')).toBe(1);
    expect(await freeIn(host.uuid('gpu0-2g-0'), 'CUSTOM_2G')).toBe(0);
  });

  test('a partition whose slices are in use is rejected with the counter', async () => {
    const host = await aHost();
    await placed(database, { [host.uuid('gpu0-1g-3')]: { CUSTOM_1G: 1 } });
    await expectRefused(database, () => placed(database, { [host.uuid('gpu0-2g-2')]: { CUSTOM_2G: 1 } }), {
      code: 'CAPACITY_EXCEEDED',
      resourceProviderUuid: host.uuid('gpu0'),
      resourceClassName: 'CUSTOM_MEM_3',
      requested: 1,
      capacity: 1,
      used: 1,
    });
    await expectRefused(database, () => placed(database, { [host.uuid('gpu0-4g-0')]: { CUSTOM_4G: 1 } }), {
      code: 'CAPACITY_EXCEEDED',
    });
  });

  test('two partitions of one consumer do not overlap', async () => {
    const host = await aHost();
    const both = { [host.uuid('gpu0-1g-0')]: { CUSTOM_1G: 1 }, [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 } };
    await expectRefused(database, () => placed(database, both), {
      code: 'CAPACITY_EXCEEDED',
      resourceClassName: 'CUSTOM_MEM_0',
      requested: 2,
    });
  });

  test('claims in one transaction see the counters of the earlier ones', async () => {
    const host = await aHost();
    const names = ['gpu0-1g-0', 'gpu0-2g-0', 'gpu0-1g-1', 'gpu0-2g-2', 'gpu0-1g-2'];
    const ends = await Promise.all(
      names.map((name) =>
        placed(database, { [host.uuid(name)]: { [`CUSTOM_${name[5]}G`]: 1 } }).then(
          () => name,
          () => null,
        ),
      ),
    );
    const won = ends.filter((name) => name !== null);
    const slices = won.flatMap((name) => (name[5] === '2' ? [+name[8], +name[8] + 1] : [+name[8]]));
    expect(new Set(slices).size).toBe(slices.length);
    expect(slices.length).toBeGreaterThanOrEqual(3);
    expect(await wrongCounters(database)).toEqual([]);
  });

  test('counters in the input are the sums or INVALID_INPUT, and a server may state anything', async () => {
    const host = await aHost();
    const consumer = randomUUID();
    const all = {
      [host.uuid('gpu0-2g-2')]: { CUSTOM_2G: 1 },
      [host.uuid('gpu0')]: { CUSTOM_MEM_2: 1, CUSTOM_MEM_3: 1, [COMPUTE]: 2 },
    };
    const set = (generation: number | null, takes: typeof all, statesCounters = true) =>
      setAllocations(database.claims, {
        consumers: [wants(consumer, generation, takes, { statesCounters })],
      });
    const wrong = { ...all, [host.uuid('gpu0')]: { CUSTOM_MEM_2: 1, CUSTOM_MEM_3: 1, [COMPUTE]: 1 } };
    const path = ['consumers', '0', 'allocations', 'providers', '1', 'resources', '2', 'amount'];
    await expectRefused(database, () => set(null, wrong), { code: 'INVALID_INPUT', path });
    await set(null, all);
    const before = await allocationsOf(database, consumer);
    await set(1, wrong, false);
    expect(await allocationsOf(database, consumer)).toEqual(before);
    const alone = wants(
      randomUUID(),
      null,
      { [host.uuid('gpu0')]: { CUSTOM_MEM_0: 1 } },
      { statesCounters: true },
    );
    await expectRefused(database, () => setAllocations(database.claims, { consumers: [alone] }), {
      code: 'INVALID_INPUT',
      path: ['consumers', '0', 'allocations', 'providers', '0', 'resources', '0', 'amount'],
    });
  });

  test('a consumer of which only counters are left ceases to exist', async () => {
    const host = await aHost();
    const consumer = await placed(database, { [host.uuid('gpu0-1g-0')]: { CUSTOM_1G: 1 } });
    const rest = { [host.uuid('gpu0')]: { CUSTOM_MEM_0: 1, [COMPUTE]: 1 } };
    await setAllocations(database.claims, { consumers: [wants(consumer, 1, rest)] });
    expect(await allocationsOf(database, consumer)).toEqual([]);
    const rows = await database.pool.query<unknown[]>('SELECT 1 FROM consumers WHERE uuid = ?', [consumer]);
    expect(rows).toEqual([]);
  });

  test('the usage of a counter is at least what its partitions imply', async () => {
    const host = await aHost();
    const external = randomUUID();
    const id = await claimId('gpu0-2g-0', host);
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
       SELECT ?, ?, id, 1 FROM resource_classes WHERE name = 'CUSTOM_2G'`,
      [id, external],
    );
    await expectRefused(database, () => placed(database, { [host.uuid('gpu0-1g-1')]: { CUSTOM_1G: 1 } }), {
      code: 'CAPACITY_EXCEEDED',
      resourceClassName: 'CUSTOM_MEM_1',
      used: 1,
    });
    await placed(database, { [host.uuid('gpu0-1g-2')]: { CUSTOM_1G: 1 } });
    // a write of the consumer itself adds its counters: it does not count twice
    await database.pool.query(
      `INSERT INTO consumers (uuid, project_id, user_id, generation) SELECT ?, p.id, u.id, 1
         FROM projects p JOIN users u WHERE p.external_id = 'p' AND u.external_id = 'u'`,
      [external],
    );
    const both = { [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 }, [host.uuid('gpu0-1g-3')]: { CUSTOM_1G: 1 } };
    await setAllocations(database.claims, { consumers: [wants(external, 1, both)] });
    expect(await wrongCounters(database)).toEqual([]);
  });
});

describe('unsetAllocations', () => {
  test('lowers the counters of a partition, and rejects counters alone', async () => {
    const host = await aHost();
    const consumer = await placed(database, {
      [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 },
      [host.uuid('gpu0-1g-3')]: { CUSTOM_1G: 1 },
    });
    const unset = (resourceProviders: string[], resourceClasses: string[]) =>
      unsetAllocations(database.ledger, { consumer, resourceProviders, resourceClasses });
    for (const [providers, classes] of [
      [[host.uuid('gpu0')], []],
      [[], [COMPUTE]],
    ])
      await expectRefused(database, () => unset(providers, classes), { code: 'INVALID_INPUT', path: [] });
    await unset([], ['CUSTOM_2G']);
    expect(await allocationsOf(database, consumer)).toEqual(
      host.lines('gpu0 CUSTOM_COMPUTE 1', 'gpu0 CUSTOM_MEM_3 1', 'gpu0-1g-3 CUSTOM_1G 1'),
    );
    await unset([host.uuid('gpu0-1g-3')], []);
    expect(await allocationsOf(database, consumer)).toEqual([]);
    expect(await freeIn(host.uuid('gpu0-4g-0'), 'CUSTOM_4G')).toBe(1);
  });
});

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

describe('a reshape', () => {
  test('is the way from one inventory for each card with running consumers', async () => {
    const n = uniqueNames();
    const card = inventory('CUSTOM_CARD', 4);
    const uuids = await created(database, {
      name: n('host'),
      children: [
        {
          name: n('gpu'),
          inventories: [card],
          children: partitionsOf(n('gpu')).map(({ name }) => ({ name })),
        },
      ],
    });
    const gpu = uuids[n('gpu')];
    const consumers = [
      await placed(database, { [gpu]: { CUSTOM_CARD: 1 } }),
      await placed(database, { [gpu]: { CUSTOM_CARD: 2 } }),
    ];
    const targets = [
      { [uuids[`${n('gpu')}-1g-0`]]: { CUSTOM_1G: 1 } },
      { [uuids[`${n('gpu')}-2g-2`]]: { CUSTOM_2G: 1 } },
    ];
    const inventories = async () => [
      {
        resourceProvider: gpu,
        generation: await generationOf(database, gpu),
        inventories: counterInventories(),
      },
      ...(await Promise.all(
        partitionsOf(n('gpu')).map(async (partition) => ({
          resourceProvider: uuids[partition.name],
          generation: await generationOf(database, uuids[partition.name]),
          inventories: partition.inventories!,
        })),
      )),
    ];
    const to = (places: typeof targets) => consumers.map((consumer, at) => wants(consumer, 1, places[at]));
    const overlapping = [targets[0], { [uuids[`${n('gpu')}-2g-0`]]: { CUSTOM_2G: 1 } }];
    const refused = (await refusalOf(
      reshape(database.ledger, { inventories: await inventories(), allocations: to(overlapping) }),
    )) as unknown as ReshapeRefused;
    expect(refused.violations.map(({ rejection }) => rejection.message)).toEqual(
      Array.from(
        { length: 2 },
        () => `resource provider ${gpu} has 1 of CUSTOM_MEM_0, others use 0, so 2 do not fit`,
      ),
    );
    await reshape(database.ledger, { inventories: await inventories(), allocations: to(targets) });
    expect(await allocationsOf(database, consumers[1])).toEqual(
      [
        `${n('gpu')} CUSTOM_COMPUTE 2`,
        `${n('gpu')} CUSTOM_MEM_2 1`,
        `${n('gpu')} CUSTOM_MEM_3 1`,
        `${n('gpu')}-2g-2 CUSTOM_2G 1`,
      ].sort(),
    );
    expect(await wrongCounters(database)).toEqual([]);
    expect(await freeIn(uuids[`${n('gpu')}-1g-1`], 'CUSTOM_1G')).toBe(1);
    expect(await freeIn(uuids[`${n('gpu')}-2g-0`], 'CUSTOM_2G')).toBe(0);
  });

  test('that changes the consumption of an inventory in use changes the counters of its consumers', async () => {
    const host = await aHost();
    const part = host.uuid('gpu0-1g-0');
    const consumer = await placed(database, { [part]: { CUSTOM_1G: 1 }, [host.uuid('')]: { VCPU: 1 } });
    const other = await placed(database, { [host.uuid('gpu0-1g-2')]: { CUSTOM_1G: 1 } });
    const change = async (memory: string, amount: number) => {
      const resourceProvider = { uuid: host.uuid('gpu0') };
      const consumes = [
        { resourceProvider, resourceClass: memory, amount: 1 },
        { resourceProvider, resourceClass: COMPUTE, amount },
      ];
      const inventories = [inventory('CUSTOM_1G', 1, { consumes })];
      const generation = await generationOf(database, part);
      await reshape(database.ledger, {
        inventories: [{ resourceProvider: part, generation, inventories }],
        allocations: [],
      });
    };
    await expectRefused(database, () => change('CUSTOM_MEM_2', 1), { code: 'RESHAPE_REFUSED' });
    await expectRefused(database, () => change('CUSTOM_MEM_1', 4), { code: 'RESHAPE_REFUSED' });
    await change('CUSTOM_MEM_1', 3);
    expect(await allocationsOf(database, consumer)).toEqual(
      [
        `${host.host} VCPU 1`,
        ...host.lines('gpu0 CUSTOM_COMPUTE 3', 'gpu0 CUSTOM_MEM_1 1', 'gpu0-1g-0 CUSTOM_1G 1'),
      ].sort(),
    );
    expect(await wrongCounters(database)).toEqual([]);
    const [{ generation }] = await database.pool.query<{ generation: number }[]>(
      'SELECT generation FROM consumers WHERE uuid = ?',
      [consumer],
    );
    expect(generation).toBe(2);
    expect(await freeIn(host.uuid('gpu0'), COMPUTE)).toBe(0);
    await unsetAllocations(database.ledger, {
      consumer: other,
      resourceProviders: [],
      resourceClasses: ['CUSTOM_1G'],
    });
    expect(await freeIn(host.uuid('gpu0-1g-3'), 'CUSTOM_1G')).toBe(1);
  });

  test('of a tree changes the counters of consumers that it does not name', async () => {
    const host = await aHost();
    const consumer = await placed(database, { [host.uuid('gpu0-1g-1')]: { CUSTOM_1G: 1 } });
    const root = hostWithCards(host.host, 1);
    const [card] = root.children!;
    const parts = card.children!.map((each) =>
      each.name.endsWith('-1g-1')
        ? {
            ...each,
            inventories: [inventory('CUSTOM_1G', 1, { consumes: consumesAt(card.name, 'CUSTOM_1G', 3) })],
          }
        : each,
    );
    const changed = { ...root, children: [{ ...card, children: parts }] };
    await expectRefused(database, () => applyProviderTree(database.ledger, { root: changed }), {
      code: 'CONSUMPTION_IN_USE',
      resourceProviderUuid: host.uuid('gpu0-1g-1'),
    });
    await applyProviderTree(database.ledger, { root: changed, allocations: [] });
    expect(await allocationsOf(database, consumer)).toEqual(
      host.lines('gpu0 CUSTOM_COMPUTE 1', 'gpu0 CUSTOM_MEM_3 1', 'gpu0-1g-1 CUSTOM_1G 1'),
    );
  });
});

// the defects of Kubernetes issues 139034 and 140802
test('a new process counts the consumption that another has committed', async () => {
  const host = await aHost();
  await placed(database, { [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 } });
  const { snapshot } = await loadSnapshot(database);
  const free = (name: string, of: string): number =>
    freeOf(snapshot.locate(host.uuid(name))!, snapshot.names.classes.idOf(of)!);
  expect([
    free('gpu0-1g-0', 'CUSTOM_1G'),
    free('gpu0-1g-1', 'CUSTOM_1G'),
    free('gpu0-1g-2', 'CUSTOM_1G'),
  ]).toEqual([0, 0, 1]);
  expect(free('gpu0-4g-0', 'CUSTOM_4G')).toBe(0);
});

test('a consumption stays when the list of devices changes under an allocation', async () => {
  const host = await aHost();
  const consumer = await placed(database, { [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 } });
  // another program removes the consumption of the partition in use: the rows of the counters stay
  const id = await claimId('gpu0-2g-0', host);
  await database.pool.query('DELETE FROM placement_consumptions WHERE provider_id = ?', [id]);
  for (const memory of MEMORY.slice(0, 2))
    expect([memory, await freeIn(host.uuid('gpu0'), memory)]).toEqual([memory, 0]);
  await expectRefused(database, () => placed(database, { [host.uuid('gpu0-1g-1')]: { CUSTOM_1G: 1 } }), {
    code: 'CAPACITY_EXCEEDED',
    resourceClassName: 'CUSTOM_MEM_1',
  });
  await unsetAllocations(database.ledger, {
    consumer,
    resourceProviders: [],
    resourceClasses: ['CUSTOM_2G'],
  });
});
