import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import { freeOf } from '../../src/fleet/snapshot.js';
import { loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused } from './support.js';
import {
  allocationsOf,
  COMPUTE,
  createClasses,
  freeAmount,
  newHost,
  providerId,
  type NewHost,
  MEMORY,
  placed,
  wants,
  wrongCounters,
} from './partitionSupport.js';

const database = useDatabase();

beforeAll(() => createClasses(database));

const aHost = (cards?: number) => newHost(database, cards);
const idOf = (name: string, host: NewHost) => providerId(database, host.uuid(name));
const freeIn = (uuid: string, resourceClass: string) => freeAmount(database, uuid, resourceClass);

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
    const id = await idOf('gpu0-2g-0', host);
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
  const id = await idOf('gpu0-2g-0', host);
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
