import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, generations, shown, takes, usedOf, type Takes } from '../support/claims.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
let clouds = 0;
/**
 * A fresh host with VGPU 8 and VCPU 16, two physical GPUs below it with nothing, and a storage of another tree. Two
 * instances, each with VGPU 4, VCPU 1 and DISK_GB 10 on the storage.
 */
let cloud: { host: string; gpu0: string; gpu1: string; storage: string };
let instances: string[];

beforeEach(async () => {
  const suffix = ` ${++clouds}`;
  const made = {
    ...(await createProviders(api, {
      name: `host${suffix}`,
      inventories: { VGPU: 8, VCPU: 16 },
      children: [{ name: `gpu0${suffix}` }, { name: `gpu1${suffix}` }],
    })),
    ...(await createProviders(api, { name: `storage${suffix}`, inventories: { DISK_GB: 1000 } })),
  };
  const named = (name: string) => made[name + suffix];
  cloud = { host: named('host'), gpu0: named('gpu0'), gpu1: named('gpu1'), storage: named('storage') };
  instances = [];
  for (let i = 0; i < 2; i++) {
    const amounts = { [cloud.host]: { VGPU: 4, VCPU: 1 }, [cloud.storage]: { DISK_GB: 10 } };
    instances.push(await claimed(api, amounts, { consumerType: 'INSTANCE' }));
  }
});

/** A ProviderInventoriesInput; a number is a total. */
const offers = (
  resourceProvider: string,
  generation: number,
  inventories: Record<string, number | object>,
) => ({
  resourceProvider: { uuid: resourceProvider },
  generation,
  inventories: Object.entries(inventories).map(([resourceClass, offer]) =>
    typeof offer === 'number' ? { resourceClass, total: offer } : { resourceClass, ...offer },
  ),
});

const reshape = (inventories: object[], allocations: object[] = [], more: object = {}) =>
  api.mutate(
    'reshape',
    { inventories, allocations, ...more },
    'resourceProviders { uuid generation } consumers { uuid generation }',
  );

/** Moves VGPU from the host to the GPUs, four to each. */
const pivotInventories = () => [
  offers(cloud.host, 3, { VCPU: 16 }),
  offers(cloud.gpu0, 0, { VGPU: 4 }),
  offers(cloud.gpu1, 0, { VGPU: 4 }),
];
const moved = (at: number, gpu: string, generation: number | null = 1) =>
  takes(instances[at], generation, {
    [cloud.host]: { VCPU: 1 },
    [gpu]: { VGPU: 4 },
    [cloud.storage]: { DISK_GB: 10 },
  });
const pivotAllocations = () => [moved(0, cloud.gpu0), moved(1, cloud.gpu1)];

const all = () => generations(api, cloud.host, cloud.gpu0, cloud.gpu1, cloud.storage);

describe('the pivot of the reshape spec: inventories move together with what is allocated of them', () => {
  test('in one step, with no spare room anywhere (rules 182-184)', async () => {
    expect(await reshape(pivotInventories(), pivotAllocations())).toEqual({
      __typename: 'ReshapePayload',
      resourceProviders: [
        { uuid: cloud.host, generation: 4 },
        { uuid: cloud.gpu0, generation: 1 },
        { uuid: cloud.gpu1, generation: 1 },
      ],
      consumers: [
        { uuid: instances[0], generation: 2 },
        { uuid: instances[1], generation: 2 },
      ],
    });
    expect(await shown(api, instances[1])).toEqual({
      generation: 2,
      consumerType: 'INSTANCE',
      projectId: 'a-project',
      userId: 'a-user',
      has: {
        [`gpu1 ${clouds}`]: { VGPU: 4 },
        [`host ${clouds}`]: { VCPU: 1 },
        [`storage ${clouds}`]: { DISK_GB: 10 },
      },
    });
    expect([
      await usedOf(api, cloud.host),
      await usedOf(api, cloud.gpu0),
      await usedOf(api, cloud.gpu1),
    ]).toEqual([{ VCPU: 2 }, { VGPU: 4 }, { VGPU: 4 }]);
  });

  test('and back again', async () => {
    await reshape(pivotInventories(), pivotAllocations());
    const whole = { [cloud.host]: { VGPU: 4, VCPU: 1 }, [cloud.storage]: { DISK_GB: 10 } };
    const answer = await reshape(
      [offers(cloud.gpu0, 1, {}), offers(cloud.gpu1, 1, {}), offers(cloud.host, 4, { VGPU: 8, VCPU: 16 })],
      instances.map((uuid) => takes(uuid, 2, whole)),
    );
    expect(answer).toMatchObject({ __typename: 'ReshapePayload' });
    expect(await usedOf(api, cloud.host)).toEqual({ VGPU: 8, VCPU: 2 });
  });
});

describe('rule 181: what a reshape names', () => {
  test('at least one provider', async () => {
    expect(await unchanged(database, () => reshape([], pivotAllocations()))).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['inventories'],
    });
  });

  test('a provider’s whole set, which may be empty, and perhaps no consumer', async () => {
    await reshape([offers(cloud.gpu0, 0, { VGPU: 2, PCPU: 3 })]);
    expect(await usedOf(api, cloud.gpu0)).toEqual({ PCPU: 0, VGPU: 0 });
    await reshape([offers(cloud.gpu0, 1, {})]);
    expect(await usedOf(api, cloud.gpu0)).toEqual({});
  });
});

test('rule 182: everything or nothing', async () => {
  const bad = takes(randomUUID(), null, { [cloud.gpu0]: { VGPU: 1 } });
  const write = () => reshape(pivotInventories(), [...pivotAllocations(), bad]);
  expect(await unchanged(database, write)).toMatchObject({ __typename: 'ReshapeRefusedError' });
});

describe('rule 183: generations', () => {
  test('of each provider in inventories', async () => {
    const stale = [...pivotInventories().slice(0, 2), offers(cloud.gpu1, 7, { VGPU: 4 })];
    expect(await unchanged(database, () => reshape(stale, pivotAllocations()))).toEqual({
      __typename: 'ProviderGenerationConflictError',
      code: 'PROVIDER_GENERATION_CONFLICT',
      message: `resource provider ${cloud.gpu1} has the generation 0, not 7`,
      retryable: true,
      path: ['inventories', '2', 'generation'],
      resourceProviderUuid: cloud.gpu1,
      expectedGeneration: 7,
      currentGeneration: 0,
    });
  });

  test.each([
    ['another one', 9],
    ['null for one that exists', null],
  ])('of each consumer: %s', async (_what, generation) => {
    const allocations = [moved(0, cloud.gpu0), moved(1, cloud.gpu1, generation)];
    expect(await unchanged(database, () => reshape(pivotInventories(), allocations))).toMatchObject({
      __typename: 'ConsumerGenerationConflictError',
      consumerUuid: instances[1],
      expectedGeneration: generation,
      currentGeneration: 1,
    });
  });

  test('a provider’s conflict comes before a consumer’s, and that before what is wrong with the state', async () => {
    const stale = [offers(cloud.host, 9, {})];
    const write = (inventories: object[]) => () => reshape(inventories, [moved(0, cloud.gpu0, 9)]);
    expect(await unchanged(database, write(stale))).toMatchObject({ code: 'PROVIDER_GENERATION_CONFLICT' });
    expect(await unchanged(database, write([offers(cloud.host, 3, {})]))).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
    });
  });
});

describe('rule 185: an inventory that goes must not be in use', () => {
  test('every consumer that is not named and still uses it is told', async () => {
    const answer = await unchanged(database, () => reshape(pivotInventories()));
    expect(answer).toEqual({
      __typename: 'ReshapeRefusedError',
      code: 'RESHAPE_REFUSED',
      message: expect.stringContaining('2 violations'),
      retryable: false,
      path: [],
      violations: instances.map((consumerUuid) => ({
        code: 'INVENTORY_IN_USE',
        message: `the inventory of VGPU of resource provider ${cloud.host} has allocations`,
        resourceProviderUuid: cloud.host,
        resourceClassName: 'VGPU',
        consumerUuid,
      })),
    });
  });

  test('each inventory that goes is told, however many consumers use one of them', async () => {
    const rows = Array.from({ length: 1100 }, () => randomUUID());
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
       SELECT p.id, c.id, u.uuid, 1 FROM resource_providers p, resource_classes c,
              JSON_TABLE(?, '$[*]' COLUMNS (uuid varchar(36) PATH '$')) u
        WHERE p.uuid = ? AND c.name = 'VCPU'`,
      [JSON.stringify(rows), cloud.host],
    );
    const { violations } = (await reshape([offers(cloud.host, 3, {})])) as {
      violations: { resourceClassName: string }[];
    };
    expect(violations).toHaveLength(1000);
    expect(new Set(violations.map(({ resourceClassName }) => resourceClassName))).toEqual(
      new Set(['VCPU', 'VGPU']),
    );
  });

  test('one of two named is not enough', async () => {
    const answer = await unchanged(database, () => reshape(pivotInventories(), [moved(0, cloud.gpu0)]));
    expect(answer).toMatchObject({ violations: [{ code: 'INVENTORY_IN_USE', consumerUuid: instances[1] }] });
  });

  test('a named consumer that keeps its allocation there has no inventory for it', async () => {
    const keeps = takes(instances[1], 1, { [cloud.host]: { VGPU: 4 } });
    const write = () => reshape(pivotInventories(), [moved(0, cloud.gpu0), keeps]);
    expect(await unchanged(database, write)).toMatchObject({
      violations: [
        {
          code: 'NO_INVENTORY',
          resourceProviderUuid: cloud.host,
          resourceClassName: 'VGPU',
          consumerUuid: instances[1],
        },
      ],
    });
  });

  test('a consumer of shared resources alone is named too', async () => {
    const shared = await claimed(api, { [cloud.storage]: { DISK_GB: 5 } });
    const write = () =>
      reshape([offers(cloud.storage, 4, {})], [takes(instances[0], 1, {}), takes(instances[1], 1, {})]);
    expect(await unchanged(database, write)).toMatchObject({
      violations: [{ code: 'INVENTORY_IN_USE', resourceProviderUuid: cloud.storage, consumerUuid: shared }],
    });
  });
});

describe('rule 186: consumers', () => {
  test('that are not affected may be left out', async () => {
    const bystander = await claimed(api, { [cloud.host]: { VCPU: 2 } });
    const inventories = pivotInventories().map((each, at) => (at === 0 ? { ...each, generation: 4 } : each));
    expect(await reshape(inventories, pivotAllocations())).toMatchObject({ __typename: 'ReshapePayload' });
    expect(await shown(api, bystander)).toMatchObject({
      generation: 1,
      has: { [`host ${clouds}`]: { VCPU: 2 } },
    });
  });

  test('that are named are replaced whole: what is left out on an unchanged provider is gone', async () => {
    const forgetful = takes(instances[0], 1, { [cloud.gpu0]: { VGPU: 4 } });
    await reshape(pivotInventories(), [forgetful, moved(1, cloud.gpu1)]);
    expect(await shown(api, instances[0])).toMatchObject({ has: { [`gpu0 ${clouds}`]: { VGPU: 4 } } });
    expect(await usedOf(api, cloud.storage)).toEqual({ DISK_GB: 10 });
  });
});

test('rule 187: providers in allocations need not be in inventories, and give no generation', async () => {
  const elsewhere = { [cloud.storage]: { DISK_GB: 20 }, [cloud.host]: { VGPU: 4 } };
  expect(
    await reshape([offers(cloud.gpu0, 0, { VGPU: 1 })], [takes(instances[0], 1, elsewhere)]),
  ).toMatchObject({
    __typename: 'ReshapePayload',
  });
  expect(await usedOf(api, cloud.storage)).toEqual({ DISK_GB: 30 });
});

test('rule 188: a consumer may be emptied and another created; the payload has those that exist', async () => {
  const fresh = randomUUID();
  const allocations = [
    takes(instances[0], 1, {}),
    takes(fresh, null, { [cloud.gpu0]: { VGPU: 4 } }),
    moved(1, cloud.gpu1),
  ];
  expect(await reshape(pivotInventories(), allocations)).toMatchObject({
    consumers: [
      { uuid: fresh, generation: 1 },
      { uuid: instances[1], generation: 2 },
    ],
  });
  expect(await shown(api, instances[0])).toBeNull();
});

describe('rule 189, decision D15: over capacity', () => {
  test('an inventory may shrink below what consumers that are not named use', async () => {
    expect(await reshape([offers(cloud.host, 3, { VGPU: 1, VCPU: 1 })])).toMatchObject({
      resourceProviders: [{ generation: 4 }],
    });
    expect(await usedOf(api, cloud.host)).toEqual({ VGPU: 8, VCPU: 2 });
  });

  const asBefore: (at: number, vcpu: number) => object = (at, vcpu) =>
    takes(instances[at], 1, { [cloud.host]: { VGPU: 4, VCPU: vcpu }, [cloud.storage]: { DISK_GB: 10 } });

  test('and below what named consumers use, if that is no more than before', async () => {
    const tight = [offers(cloud.host, 3, { VGPU: 1, VCPU: 1 })];
    expect(await reshape(tight, [asBefore(0, 1), asBefore(1, 1)])).toMatchObject({
      __typename: 'ReshapePayload',
    });
  });

  test('but nobody takes more of what is over capacity then', async () => {
    const write = () => reshape([offers(cloud.host, 3, { VGPU: 8, VCPU: 1 })], [asBefore(0, 2)]);
    expect(await unchanged(database, write)).toMatchObject({
      violations: [
        {
          code: 'CAPACITY_EXCEEDED',
          message: `resource provider ${cloud.host} has 1 of VCPU, others use 1, so 2 do not fit`,
          resourceProviderUuid: cloud.host,
          resourceClassName: 'VCPU',
          consumerUuid: instances[0],
        },
      ],
    });
  });

  test('nor of a new inventory on which a foreign writer has left allocations', async () => {
    await insertAllocation(database, cloud.gpu0, 'VGPU', 6);
    const inventories = [offers(cloud.gpu0, 0, { VGPU: 8 })];
    const onGpu = takes(instances[0], 1, { [cloud.gpu0]: { VGPU: 4 } });
    expect(await unchanged(database, () => reshape(inventories, [onGpu]))).toMatchObject({
      violations: [
        {
          code: 'CAPACITY_EXCEEDED',
          message: `resource provider ${cloud.gpu0} has 8 of VGPU, others use 6, so 4 do not fit`,
        },
      ],
    });
  });
});

describe('rule 190, decision D5: each provider and consumer that changes is bumped once', () => {
  test('the pivot: the host and the GPUs, not the storage', async () => {
    expect(await all()).toEqual([3, 0, 0, 3]);
    await reshape(pivotInventories(), pivotAllocations());
    expect(await all()).toEqual([4, 1, 1, 3]);
  });

  test('a provider of which only the use changes, and not one that is named without a change', async () => {
    const inventories = [offers(cloud.host, 3, { VGPU: 8, VCPU: 16 }), offers(cloud.gpu0, 0, {})];
    const less = { [cloud.host]: { VGPU: 4, VCPU: 1 }, [cloud.storage]: { DISK_GB: 9 } };
    await reshape(inventories, [takes(instances[0], 1, less)]);
    expect(await all()).toEqual([3, 0, 0, 4]);
    expect([await shown(api, instances[0]), await shown(api, instances[1])]).toMatchObject([
      { generation: 2 },
      { generation: 1 },
    ]);
  });

  test('a reshape that changes nothing bumps nothing', async () => {
    const same = { [cloud.host]: { VGPU: 4, VCPU: 1 }, [cloud.storage]: { DISK_GB: 10 } };
    const write = () =>
      reshape([offers(cloud.host, 3, { VCPU: 16, VGPU: 8 })], [takes(instances[0], 1, same)]);
    expect(await unchanged(database, write)).toMatchObject({ __typename: 'ReshapePayload' });
  });
});

test('rule 193: providers stay where and what they are, with their traits and aggregates', async () => {
  const AGGREGATE = 'dddddddd-0000-4000-8000-000000000001';
  await api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: cloud.gpu0 },
    generation: 0,
    traits: { set: ['HW_NUMA_ROOT'] },
  });
  await api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: cloud.gpu0 },
    generation: 1,
    aggregates: { set: [{ uuid: AGGREGATE }] },
  });
  const picture = async () => {
    const { data } = await api.query(
      `{ resourceProvider(by: { uuid: "${cloud.host}" }) {
           name descendants { uuid name parent { uuid } root { uuid } traits { name } aggregates { uuid } }
         } }`,
    );
    return data;
  };
  const before = await picture();
  const [host, , gpu1] = pivotInventories();
  expect(await reshape([host, offers(cloud.gpu0, 2, { VGPU: 4 }), gpu1], pivotAllocations())).toMatchObject({
    __typename: 'ReshapePayload',
  });
  expect(await picture()).toEqual(before);
});

describe('dryRun', () => {
  const dry = (inventories: object[], allocations: object[]) =>
    unchanged(database, () => reshape(inventories, allocations, { dryRun: true }));

  test('changes nothing and shows what is stored', async () => {
    const fresh = takes(randomUUID(), null, { [cloud.host]: { VCPU: 1 } }, { projectId: 'never-heard-of' });
    expect(await dry(pivotInventories(), [...pivotAllocations(), fresh])).toEqual({
      __typename: 'ReshapePayload',
      resourceProviders: [
        { uuid: cloud.host, generation: 3 },
        { uuid: cloud.gpu0, generation: 0 },
        { uuid: cloud.gpu1, generation: 0 },
      ],
      consumers: [
        { uuid: instances[0], generation: 1 },
        { uuid: instances[1], generation: 1 },
      ],
    });
  });

  test('refuses what the reshape itself would', async () => {
    expect(await dry(pivotInventories(), [])).toMatchObject({ code: 'RESHAPE_REFUSED' });
    expect(await dry([offers(cloud.host, 1, {})], [])).toMatchObject({
      code: 'PROVIDER_GENERATION_CONFLICT',
    });
    expect(await dry(pivotInventories(), [moved(0, cloud.gpu0, 5)])).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
    });
  });
});

describe('everything that is wrong with the final state is told at once', () => {
  test('in the order of the codes, each with its provider, class and consumer', async () => {
    const wrong: Takes = {
      [cloud.gpu0]: { VGPU: 3 },
      [cloud.gpu1]: { PGPU: 1 },
      [cloud.host]: { VCPU: 17 },
    };
    const inventories = [
      offers(cloud.host, 3, { VCPU: 16 }),
      offers(cloud.gpu0, 0, { VGPU: { total: 4, stepSize: 2 } }),
    ];
    const answer = await unchanged(database, () => reshape(inventories, [takes(instances[0], 1, wrong)]));
    const violation = (
      code: string,
      resourceProviderUuid: string,
      resourceClassName: string,
      consumer = 0,
    ) => ({
      code,
      message: expect.stringContaining(resourceClassName),
      resourceProviderUuid,
      resourceClassName,
      consumerUuid: instances[consumer],
    });
    expect(answer).toMatchObject({
      code: 'RESHAPE_REFUSED',
      violations: [
        violation('INVENTORY_IN_USE', cloud.host, 'VGPU', 1),
        violation('NO_INVENTORY', cloud.gpu1, 'PGPU'),
        violation('UNIT_VIOLATION', cloud.gpu0, 'VGPU'),
        violation('CAPACITY_EXCEEDED', cloud.host, 'VCPU'),
      ],
    });
  });
});

describe('input that is refused before anything is looked at (rules 191, 192)', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000';
  test.each<[string, () => [object[], object[]], object]>([
    [
      'reserved above total (rule 191)',
      () => [[offers(cloud.gpu0, 0, { VGPU: { total: 4, reserved: 5 } })], []],
      { code: 'INVALID_INPUT', path: ['inventories', '0', 'inventories', '0', 'reserved'] },
    ],
    [
      'a ratio of 0',
      () => [[offers(cloud.gpu0, 0, { VGPU: { total: 4, allocationRatio: 0 } })], []],
      { code: 'INVALID_INPUT', path: ['inventories', '0', 'inventories', '0', 'allocationRatio'] },
    ],
    [
      'an unknown class of an inventory',
      () => [[offers(cloud.gpu0, 0, { CUSTOM_NO_SUCH: 1 })], []],
      { code: 'INVALID_INPUT', path: ['inventories', '0', 'inventories', '0', 'resourceClass'] },
    ],
    [
      'an unknown class of an allocation',
      () => [pivotInventories(), [takes(instances[0], 1, { [cloud.gpu0]: { CUSTOM_NO_SUCH: 1 } })]],
      {
        code: 'INVALID_INPUT',
        path: ['allocations', '0', 'allocations', 'providers', '0', 'resources', '0', 'resourceClass'],
      },
    ],
    [
      'a provider twice (decision D7)',
      () => [[offers(cloud.gpu0, 0, {}), offers(cloud.gpu0.toUpperCase(), 0, {})], []],
      { code: 'INVALID_INPUT', path: ['inventories', '1', 'resourceProvider'] },
    ],
    [
      'a class of a provider twice (decision D7)',
      () => {
        const [vgpu] = offers(cloud.gpu0, 0, { VGPU: 1 }).inventories;
        return [[{ ...offers(cloud.gpu0, 0, {}), inventories: [vgpu, vgpu] }], []];
      },
      { code: 'INVALID_INPUT', path: ['inventories', '0', 'inventories', '1', 'resourceClass'] },
    ],
    [
      'a consumer twice (decision D7)',
      () => [pivotInventories(), [moved(0, cloud.gpu0), moved(0, cloud.gpu0)]],
      { code: 'INVALID_INPUT', path: ['allocations', '1', 'consumer'] },
    ],
    [
      'a lower-case consumer type',
      () => [pivotInventories(), [{ ...moved(0, cloud.gpu0), type: 'instance' }]],
      { code: 'INVALID_INPUT', path: ['allocations', '0', 'type'] },
    ],
    [
      'an unknown provider in inventories',
      () => [[offers(NOBODY, 0, {})], pivotAllocations()],
      { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: NOBODY },
    ],
    [
      'an unknown provider in allocations',
      () => [pivotInventories(), [takes(instances[0], 1, { [NOBODY]: { VGPU: 1 } })]],
      { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: NOBODY },
    ],
  ])('%s', async (_what, input, refusal) => {
    expect(await unchanged(database, () => reshape(...input()))).toMatchObject(refusal);
  });
});
