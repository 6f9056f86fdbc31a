import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ReshapeRefused } from '../../src/model/rejections.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { readAudit, repairAudit } from '../../src/store/audit/audit.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused, generationOf, inventory, refusalOf, uniqueNames } from './support.js';
import {
  allocationsOf,
  COMPUTE,
  consumesAt,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
  freeAmount,
  newHost,
  providerId,
  type NewHost,
  partitionsOf,
  placed,
  wants,
  wrongCounters,
} from './partitionSupport.js';

const database = useDatabase();

beforeAll(() => createClasses(database));

const aHost = (cards?: number) => newHost(database, cards);
const idOf = (name: string, host: NewHost) => providerId(database, host.uuid(name));
const freeIn = (uuid: string, resourceClass: string) => freeAmount(database, uuid, resourceClass);

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

describe('the audit', () => {
  const findings = async () =>
    (
      await readAudit(database, ['LOST_COUNTER', 'MISSING_CONSUMPTION', 'UNKNOWN_REFERENCE'], {
        after: null,
        limit: 100,
      })
    ).map(({ check, message, consumer }) => `${check} ${consumer ?? ''}: ${message}`);
  const fix = async () => {
    const fixed: string[] = [];
    for await (const some of repairAudit(database.ledger)) fixed.push(...some.map(({ check }) => check));
    return fixed;
  };
  const run = (sql: string, values: unknown[] = []) => database.pool.query(sql, values);

  test('finds a partition that another program has written without its counters, and writes them', async () => {
    await fix();
    const before = await findings();
    const host = await aHost();
    const other = await placed(database, { [host.uuid('')]: { VCPU: 1 } });
    // OpenStack Placement adds a partition to a consumer
    await run(
      `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
       SELECT ?, ?, id, 1 FROM resource_classes WHERE name = 'CUSTOM_2G'`,
      [await idOf('gpu0-2g-2', host), other],
    );
    const gpu = `provider ${host.host}-gpu0 (${host.uuid('gpu0')})`;
    expect((await findings()).filter((text) => !before.includes(text))).toEqual([
      `MISSING_CONSUMPTION ${other}: consumer ${other} has 4 less of counters of ${gpu} than it consumes, such as CUSTOM_MEM_2`,
    ]);
    expect(await fix()).toContain('MISSING_CONSUMPTION');
    expect(await findings()).toEqual(before);
    expect(await allocationsOf(database, other)).toEqual(
      [
        `${host.host} VCPU 1`,
        ...host.lines(
          'gpu0 CUSTOM_COMPUTE 2',
          'gpu0 CUSTOM_MEM_2 1',
          'gpu0 CUSTOM_MEM_3 1',
          'gpu0-2g-2 CUSTOM_2G 1',
        ),
      ].sort(),
    );
    expect(await freeIn(host.uuid('gpu0-1g-3'), 'CUSTOM_1G')).toBe(0);
    // it removes the partition only: the counters stay in use until this server writes the consumer
    await run('DELETE FROM allocations WHERE consumer_id = ? AND resource_provider_id = ?', [
      other,
      await idOf('gpu0-2g-2', host),
    ]);
    expect((await findings()).filter((text) => !before.includes(text))).toEqual([
      `MISSING_CONSUMPTION ${other}: consumer ${other} has 4 more of counters of ${gpu} than it consumes, such as CUSTOM_MEM_2`,
    ]);
    expect(await fix()).toEqual([]);
    await setAllocations(database.claims, { consumers: [wants(other, 2, { [host.uuid('')]: { VCPU: 1 } })] });
    expect(await findings()).toEqual(before);
  });

  test('finds counters that another program has removed or parted from their partitions', async () => {
    await fix();
    const before = await findings();
    const host = await aHost();
    const ids = await Promise.all(['gpu0', 'gpu0-1g-0', 'gpu0-1g-1'].map((name) => idOf(name, host)));
    await run('UPDATE resource_providers SET parent_provider_id = root_provider_id WHERE id = ?', [ids[1]]);
    await run(
      `DELETE FROM inventories WHERE resource_provider_id = ? AND resource_class_id = (
         SELECT id FROM resource_classes WHERE name = 'CUSTOM_MEM_1')`,
      [ids[0]],
    );
    const found = (await findings()).filter((text) => !before.includes(text));
    expect(found).toContain(
      `LOST_COUNTER : an inventory of provider ${host.host}-gpu0-1g-0 (${host.uuid('gpu0-1g-0')}) consumes counters of provider ${host.host}-gpu0, which is not above it`,
    );
    expect(found).toContain(
      `LOST_COUNTER : an inventory of provider ${host.host}-gpu0-1g-1 (${host.uuid('gpu0-1g-1')}) consumes counters of provider ${host.host}-gpu0, which lacks 1 of the inventories`,
    );
    expect(found).toHaveLength(4);
    // such a partition cannot be allocated
    await expectRefused(database, () => placed(database, { [host.uuid('gpu0-1g-1')]: { CUSTOM_1G: 1 } }), {
      code: 'NO_INVENTORY',
      resourceProviderUuid: host.uuid('gpu0'),
      resourceClassName: 'CUSTOM_MEM_1',
    });
    await run('DELETE FROM inventories WHERE resource_provider_id = ?', [ids[2]]);
    await run('DELETE FROM resource_providers WHERE id = ?', [ids[2]]);
    expect(await fix()).toEqual(['UNKNOWN_REFERENCE']);
  });
});
