import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, shown, takes, usedOf, type Takes } from '../support/claims.js';
import { insertAllocation } from '../support/createProviders.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const provider = (name: string): string => uuidOf('provider', name);
const [host, gpu0, gpu1, storage] = ['host', 'gpu0', 'gpu1', 'storage'].map(provider);

/** Two physical GPUs without inventories, and a storage of another tree. */
useForest(
  database,
  `
    host     VGPU:8 VCPU:16
      gpu0
      gpu1
    storage  DISK_GB:1000
  `,
);

/** Two consumers, each with VGPU 4, VCPU 1 and DISK_GB 10. */
let instances: string[];
beforeEach(async () => {
  const claim = () =>
    claimed(api, { [host]: { VGPU: 4, VCPU: 1 }, [storage]: { DISK_GB: 10 } }, { consumerType: 'INSTANCE' });
  instances = [await claim(), await claim()];
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
  offers(host, 2, { VCPU: 16 }),
  offers(gpu0, 0, { VGPU: 4 }),
  offers(gpu1, 0, { VGPU: 4 }),
];
const moved = (at: number, gpu: string) =>
  takes(instances[at], 1, {
    [host]: { VCPU: 1 },
    [gpu]: { VGPU: 4 },
    [storage]: { DISK_GB: 10 },
  });
const pivotAllocations = () => [moved(0, gpu0), moved(1, gpu1)];

test('inventories and their allocations move atomically, without free capacity (the pivot of the reshape spec)', async () => {
  expect(await reshape(pivotInventories(), pivotAllocations())).toEqual({
    __typename: 'ReshapePayload',
    resourceProviders: [
      { uuid: host, generation: 3 },
      { uuid: gpu0, generation: 1 },
      { uuid: gpu1, generation: 1 },
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
      gpu1: { VGPU: 4 },
      host: { VCPU: 1 },
      storage: { DISK_GB: 10 },
    },
  });
  const used = await Promise.all([host, gpu0, gpu1].map((uuid) => usedOf(api, uuid)));
  expect(used).toEqual([{ VCPU: 2 }, { VGPU: 4 }, { VGPU: 4 }]);
});

test('rule 183: the generation of each provider in inventories', async () => {
  const stale = [...pivotInventories().slice(0, 2), offers(gpu1, 7, { VGPU: 4 })];
  expect(await unchanged(database, () => reshape(stale, pivotAllocations()))).toEqual({
    __typename: 'ProviderGenerationConflictError',
    code: 'PROVIDER_GENERATION_CONFLICT',
    message: `resource provider ${gpu1} has the generation 0, not 7`,
    retryable: true,
    path: ['inventories', '2', 'generation'],
    resourceProviderUuid: gpu1,
    expectedGeneration: 7,
    currentGeneration: 0,
  });
});

describe('rule 185: an inventory that goes must not be in use', () => {
  test('the error lists every consumer that still uses it', async () => {
    const answer = await unchanged(database, () => reshape(pivotInventories()));
    expect(answer).toEqual({
      __typename: 'ReshapeRefusedError',
      code: 'RESHAPE_REFUSED',
      message: expect.stringContaining('2 violations'),
      retryable: false,
      path: [],
      violations: instances.map((consumerUuid) => ({
        code: 'INVENTORY_IN_USE',
        message: `the inventory of VGPU of resource provider ${host} has allocations`,
        resourceProviderUuid: host,
        resourceClassName: 'VGPU',
        consumerUuid,
      })),
    });
  });

  test('the error lists each such inventory, even if 1000 consumers use one of them', async () => {
    const rows = Array.from({ length: 1100 }, () => randomUUID());
    await database.pool.query(
      `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
       SELECT p.id, c.id, u.uuid, 1 FROM resource_providers p, resource_classes c,
              JSON_TABLE(?, '$[*]' COLUMNS (uuid varchar(36) PATH '$')) u
        WHERE p.uuid = ? AND c.name = 'VCPU'`,
      [JSON.stringify(rows), host],
    );
    const { violations, message } = await api.mutate<{
      message: string;
      violations: { resourceClassName: string }[];
    }>('reshape', {
      inventories: [offers(host, 2, {})],
      allocations: [],
    });
    expect(violations).toHaveLength(1000);
    expect(message).toContain(`has ${1100 + 2 * instances.length} violations`);
    const classes = new Set(violations.map(({ resourceClassName }) => resourceClassName));
    expect(classes).toEqual(new Set(['VCPU', 'VGPU']));
  });
});

test('rule 189, decision D15: allocations that an external writer has left count on a new inventory', async () => {
  await insertAllocation(database, gpu0, 'VGPU', 6);
  const inventories = [offers(gpu0, 0, { VGPU: 8 })];
  const onGpu = takes(instances[0], 1, { [gpu0]: { VGPU: 4 } });
  expect(await unchanged(database, () => reshape(inventories, [onGpu]))).toMatchObject({
    violations: [
      {
        code: 'CAPACITY_EXCEEDED',
        message: `resource provider ${gpu0} has 8 of VGPU, others use 6, so 4 do not fit`,
      },
    ],
  });
});

test('everything that is wrong with the final state is reported in the order of the codes, each with its provider, class and consumer', async () => {
  const wrong: Takes = {
    [gpu0]: { VGPU: 3 },
    [gpu1]: { PGPU: 1 },
    [host]: { VCPU: 17 },
  };
  const inventories = [offers(host, 2, { VCPU: 16 }), offers(gpu0, 0, { VGPU: { total: 4, stepSize: 2 } })];
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
      violation('INVENTORY_IN_USE', host, 'VGPU', 1),
      violation('NO_INVENTORY', gpu1, 'PGPU'),
      violation('UNIT_VIOLATION', gpu0, 'VGPU'),
      violation('CAPACITY_EXCEEDED', host, 'VCPU'),
    ],
  });
});

test('invalid input is rejected with its path before anything is read (rules 191, 192, decision D7)', async () => {
  const onGpu = (inventories: Record<string, number | object>) => offers(gpu0, 0, inventories);
  const [vgpu] = onGpu({ VGPU: 1 }).inventories;
  const cases: [path: string, inventories: object[], allocations?: object[]][] = [
    ['inventories.0.inventories.0.reserved', [onGpu({ VGPU: { total: 4, reserved: 5 } })]],
    ['inventories.0.inventories.0.allocationRatio', [onGpu({ VGPU: { total: 4, allocationRatio: 0 } })]],
    ['inventories.0.inventories.0.resourceClass', [onGpu({ CUSTOM_NO_SUCH: 1 })]],
    ['inventories.0.inventories.1.resourceClass', [{ ...onGpu({}), inventories: [vgpu, vgpu] }]],
    ['inventories.1.resourceProvider', [onGpu({}), offers(gpu0.toUpperCase(), 0, {})]],
    [
      'allocations.0.allocations.providers.0.resources.0.resourceClass',
      pivotInventories(),
      [takes(instances[0], 1, { [gpu0]: { CUSTOM_NO_SUCH: 1 } })],
    ],
    ['allocations.1.consumer', pivotInventories(), [moved(0, gpu0), moved(0, gpu0)]],
    ['allocations.0.type', pivotInventories(), [{ ...moved(0, gpu0), type: 'instance' }]],
    ['inventories', [], pivotAllocations()], // rule 181
  ];
  await unchanged(database, async () => {
    for (const [path, inventories, allocations] of cases)
      expect(await reshape(inventories, allocations)).toMatchObject(invalidInput(path));
  });
});

test('an unknown provider in inventories or in allocations is NOT_FOUND, also after a provider with another generation', async () => {
  const key = '00000000-0000-4000-8000-000000000000';
  const missing = { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key };
  await unchanged(database, async () => {
    expect(await reshape([offers(key, 0, {})], pivotAllocations())).toMatchObject(missing);
    const allocations = [takes(instances[0], 1, { [key]: { VGPU: 1 } })];
    expect(await reshape(pivotInventories(), allocations)).toMatchObject(missing);
    const other = offers(gpu0, 7, {});
    expect(await reshape([other, offers(key, 0, {})], [])).toMatchObject(missing);
    expect(await reshape([other], allocations)).toMatchObject(missing);
  });
});
