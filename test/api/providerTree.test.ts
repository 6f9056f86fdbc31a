import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, generations, shown, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
let clouds = 0;
/** A fresh host with VGPU 8, at generation 2, with a child; an instance has VGPU 4 of it and DISK_GB 10 of a storage. */
let names: { host: string; nic: string; storage: string };
let uuids: Record<string, string>;
let instance: string;
const TRAIT = 'HW_NUMA_ROOT';

beforeEach(async () => {
  clouds += 1;
  names = { host: `host ${clouds}`, nic: `nic ${clouds}`, storage: `storage ${clouds}` };
  uuids = {
    ...(await createProviders(api, {
      name: names.host,
      inventories: { VGPU: 8 },
      children: [{ name: names.nic, inventories: { SRIOV_NET_VF: 4 }, traits: [TRAIT] }],
    })),
    ...(await createProviders(api, { name: names.storage, inventories: { DISK_GB: 1000 } })),
  };
  const amounts = { [uuids[names.host]]: { VGPU: 4 }, [uuids[names.storage]]: { DISK_GB: 10 } };
  instance = await claimed(api, amounts, { consumerType: 'INSTANCE' });
});

const TREE = `name generation inventories { resourceClass { name } total maxUnit } traits { name } aggregates { uuid }`;
const apply = (root: object, more: object = {}) =>
  api.mutate(
    'applyProviderTree',
    { root, ...more },
    `reshaped changes { kind uuid name } root { ${TREE} children { ${TREE} } }`,
  );

/** The VGPUs of the host move to a child for the GPU; the network card stays as it is. */
const desired = () => ({
  name: names.host,
  uuid: uuids[names.host],
  inventories: [],
  children: [
    { name: names.nic },
    { name: `gpu ${clouds}`, inventories: [{ resourceClass: 'VGPU', total: 8 }] },
  ],
});

describe('a new tree', () => {
  const tree = () => ({
    name: `new ${clouds}`,
    inventories: [{ resourceClass: 'VCPU', total: 8 }],
    traits: [TRAIT],
    aggregates: [{ uuid: 'DDDDDDDD000040008000000000000001' }],
    children: [{ name: `child ${clouds}`, uuid: `EEEEEEEE-0000-4000-8000-00000000000${clouds % 10}` }],
  });

  test('is created with the defaults of every input', async () => {
    const answer = await apply(tree());
    expect(answer).toMatchObject({
      __typename: 'ApplyProviderTreePayload',
      reshaped: false,
      changes: [
        { kind: 'CREATE', name: `new ${clouds}` },
        { kind: 'CREATE', name: `child ${clouds}`, uuid: tree().children[0].uuid.toLowerCase() },
      ],
      root: {
        name: `new ${clouds}`,
        inventories: [{ resourceClass: { name: 'VCPU' }, total: 8, maxUnit: 2147483647 }],
        traits: [{ name: TRAIT }],
        aggregates: [{ uuid: 'dddddddd-0000-4000-8000-000000000001' }],
        children: [{ name: `child ${clouds}`, inventories: [] }],
      },
    });
  });

  test('in a dry run has no root yet, and a uuid only where one is given', async () => {
    expect(await unchanged(database, () => apply(tree(), { dryRun: true }))).toEqual({
      __typename: 'ApplyProviderTreePayload',
      reshaped: false,
      changes: [
        { kind: 'CREATE', name: `new ${clouds}`, uuid: null },
        { kind: 'CREATE', name: `child ${clouds}`, uuid: tree().children[0].uuid.toLowerCase() },
      ],
      root: null,
    });
  });
});

describe('where something in use would vanish', () => {
  test('RESHAPE_NEEDED reads and lists at most 1000 consumers', async () => {
    const { crowd: uuid } = await createProviders(api, { name: 'crowd', inventories: { VCPU: 10_000 } });
    await addConsumers(database, uuid, 1100);
    const { message } = await api.mutate<{ message: string }>('applyProviderTree', {
      root: { uuid, name: 'crowd', inventories: [] },
    });
    expect(message).toContain('more than 1000 consumers');
    await removeConsumers(database);
  });

  test('RESHAPE_NEEDED tells the consumers with all that they have', async () => {
    const { data } = await unchanged(database, () =>
      api.query(
        `mutation ($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) {
           ... on UserError { code message retryable }
           ... on ReshapeNeededError { consumers {
             uuid generation type { name } projectId userId
             allocations { amount resourceClass { name } resourceProvider { uuid } }
           } }
         } }`,
        { input: { root: desired() } },
      ),
    );
    const part = (name: string, resourceClass: string, amount: number) => ({
      amount,
      resourceClass: { name: resourceClass },
      resourceProvider: { uuid: uuids[name] },
    });
    expect(data).toEqual({
      applyProviderTree: {
        code: 'RESHAPE_NEEDED',
        message: expect.stringContaining('1 consumers'),
        retryable: false,
        consumers: [
          {
            uuid: instance,
            generation: 1,
            type: { name: 'INSTANCE' },
            projectId: 'a-project',
            userId: 'a-user',
            allocations: [part(names.host, 'VGPU', 4), part(names.storage, 'DISK_GB', 10)],
          },
        ],
      },
    });
  });

  test('with allocations, also on providers that are created by it, it is reshaped in the same step', async () => {
    const gpu = randomUUID();
    const root = desired();
    const children = [root.children[0], { ...root.children[1], uuid: gpu }];
    const amounts = { [gpu]: { VGPU: 4 }, [uuids[names.storage]]: { DISK_GB: 10 } };
    const allocations = [takes(instance, 1, amounts, { consumerType: null })];
    expect(await apply({ ...root, children }, { allocations })).toMatchObject({
      reshaped: true,
      changes: [
        { kind: 'UPDATE', uuid: uuids[names.host], name: names.host },
        { kind: 'CREATE', uuid: gpu, name: `gpu ${clouds}` },
      ],
      root: {
        inventories: [],
        children: [
          { name: `gpu ${clouds}`, inventories: [{ total: 8 }] },
          { name: names.nic, traits: [{ name: TRAIT }], inventories: [{ total: 4 }] },
        ],
      },
    });
    expect(await shown(api, instance)).toMatchObject({
      generation: 2,
      consumerType: 'INSTANCE',
      has: { [`gpu ${clouds}`]: { VGPU: 4 }, [names.storage]: { DISK_GB: 10 } },
    });
    expect(await generations(api, uuids[names.storage])).toEqual([2]);
  });

  test('with allocations that do not fit, RESHAPE_REFUSED tells everything and leaves nothing behind', async () => {
    const gpu = randomUUID();
    const root = desired();
    const children = [{ ...root.children[1], uuid: gpu, inventories: [{ resourceClass: 'VGPU', total: 3 }] }];
    const allocations = [takes(instance, 1, { [gpu]: { VGPU: 4, PGPU: 1 } })];
    const answer = await unchanged(database, () => apply({ ...root, children }, { allocations }));
    const violation = { resourceProviderUuid: gpu, consumerUuid: instance };
    expect(answer).toMatchObject({
      __typename: 'ReshapeRefusedError',
      violations: [
        { ...violation, code: 'NO_INVENTORY', resourceClassName: 'PGPU' },
        { ...violation, code: 'CAPACITY_EXCEEDED', resourceClassName: 'VGPU' },
      ],
    });
  });

  test('a provider in use that is left out is told with no class', async () => {
    const vf = await claimed(api, { [uuids[names.nic]]: { SRIOV_NET_VF: 1 } });
    const answer = await unchanged(database, () =>
      apply({ name: names.host, uuid: uuids[names.host], children: [] }, { allocations: [] }),
    );
    expect(answer).toMatchObject({
      code: 'RESHAPE_REFUSED',
      violations: [
        {
          code: 'PROVIDER_IN_USE',
          resourceProviderUuid: uuids[names.nic],
          resourceClassName: null,
          consumerUuid: vf,
        },
      ],
    });
  });
});
