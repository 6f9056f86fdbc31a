import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, shown, takes, usedOf, type Takes } from '../support/claims.js';
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

const reshape = (inventories: readonly object[], allocations: readonly object[] = []) =>
  api.mutate(
    'reshape',
    { inventories, allocations },
    'resourceProviders { uuid generation } consumers { uuid generation }',
  );

/** Moves VGPU from the host to the GPUs, four to each. */
const pivotInventories = () => [
  offers(cloud.host, 3, { VCPU: 16 }),
  offers(cloud.gpu0, 0, { VGPU: 4 }),
  offers(cloud.gpu1, 0, { VGPU: 4 }),
];
const moved = (at: number, gpu: string) =>
  takes(instances[at], 1, {
    [cloud.host]: { VCPU: 1 },
    [gpu]: { VGPU: 4 },
    [cloud.storage]: { DISK_GB: 10 },
  });
const pivotAllocations = () => [moved(0, cloud.gpu0), moved(1, cloud.gpu1)];

test('the pivot of the reshape spec: inventories and their allocations move in one step, with no free capacity', async () => {
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

test('rule 181: a reshape names at least one provider', async () => {
  expect(await unchanged(database, () => reshape([], pivotAllocations()))).toMatchObject({
    ...invalidInput('inventories'),
  });
});

test('rule 183: the generation of each provider in inventories', async () => {
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
});

test('rule 189, decision D15: allocations that an external writer has left count on a new inventory', async () => {
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

test('everything that is wrong with the final state is reported in the order of the codes, each with its provider, class and consumer', async () => {
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

describe('input that is refused before anything is looked at (rules 191, 192)', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000';
  test.each<[string, () => [object[], object[]], string]>([
    [
      'reserved above total (rule 191)',
      () => [[offers(cloud.gpu0, 0, { VGPU: { total: 4, reserved: 5 } })], []],
      'inventories.0.inventories.0.reserved',
    ],
    [
      'a ratio of 0',
      () => [[offers(cloud.gpu0, 0, { VGPU: { total: 4, allocationRatio: 0 } })], []],
      'inventories.0.inventories.0.allocationRatio',
    ],
    [
      'an unknown class of an inventory',
      () => [[offers(cloud.gpu0, 0, { CUSTOM_NO_SUCH: 1 })], []],
      'inventories.0.inventories.0.resourceClass',
    ],
    [
      'an unknown class of an allocation',
      () => [pivotInventories(), [takes(instances[0], 1, { [cloud.gpu0]: { CUSTOM_NO_SUCH: 1 } })]],
      'allocations.0.allocations.providers.0.resources.0.resourceClass',
    ],
    [
      'a provider twice (decision D7)',
      () => [[offers(cloud.gpu0, 0, {}), offers(cloud.gpu0.toUpperCase(), 0, {})], []],
      'inventories.1.resourceProvider',
    ],
    [
      'a class of a provider twice (decision D7)',
      () => {
        const [vgpu] = offers(cloud.gpu0, 0, { VGPU: 1 }).inventories;
        return [[{ ...offers(cloud.gpu0, 0, {}), inventories: [vgpu, vgpu] }], []];
      },
      'inventories.0.inventories.1.resourceClass',
    ],
    [
      'a consumer twice (decision D7)',
      () => [pivotInventories(), [moved(0, cloud.gpu0), moved(0, cloud.gpu0)]],
      'allocations.1.consumer',
    ],
    [
      'a lower-case consumer type',
      () => [pivotInventories(), [{ ...moved(0, cloud.gpu0), type: 'instance' }]],
      'allocations.0.type',
    ],
  ])('%s', async (_what, input, path) => {
    expect(await unchanged(database, () => reshape(...input()))).toMatchObject(invalidInput(path));
  });

  test('an unknown provider in inventories or in allocations', async () => {
    const missing = { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: NOBODY };
    for (const [inventories, allocations] of [
      [[offers(NOBODY, 0, {})], pivotAllocations()],
      [pivotInventories(), [takes(instances[0], 1, { [NOBODY]: { VGPU: 1 } })]],
    ])
      expect(await unchanged(database, () => reshape(inventories, allocations))).toMatchObject(missing);
  });
});
