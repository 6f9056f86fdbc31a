import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, generations, shown, takes } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const provider = (name: string): string => uuidOf('provider', name);
const [host, nic, storage] = ['host', 'nic', 'storage'].map(provider);
const TRAIT = 'HW_NUMA_ROOT';

useForest(
  database,
  `
    host     VGPU:8 VCPU:10000
      nic    SRIOV_NET_VF:4 +${TRAIT}
    storage  DISK_GB:1000
  `,
);

/** A consumer with VGPU 4 of the host and DISK_GB 10 of the storage. */
let instance: string;
beforeEach(async () => {
  const amounts = { [host]: { VGPU: 4 }, [storage]: { DISK_GB: 10 } };
  instance = await claimed(api, amounts, { consumerType: 'INSTANCE' });
});

const TREE = `name generation inventories { resourceClass { name } total maxUnit } traits { name } aggregates { uuid }`;
const apply = (root: object, more: object = {}) =>
  api.mutate(
    'applyProviderTree',
    { root, ...more },
    `reshaped changes { kind uuid name } root { ${TREE} children { ${TREE} } }`,
  );

/** The VGPUs of the host move to a child; the network card stays as it is. */
const desired = (gpu?: string) => ({
  name: 'host',
  uuid: host,
  inventories: [],
  children: [{ name: 'nic' }, { name: 'gpu', uuid: gpu, inventories: [{ resourceClass: 'VGPU', total: 8 }] }],
});

describe('a new tree', () => {
  const tree = {
    name: 'new',
    inventories: [{ resourceClass: 'VCPU', total: 8 }],
    traits: [TRAIT],
    aggregates: [{ uuid: 'DDDDDDDD000040008000000000000001' }],
    children: [{ name: 'child', uuid: 'EEEEEEEE-0000-4000-8000-000000000001' }],
  };

  test('is created with the defaults of every input', async () => {
    const answer = await apply(tree);
    expect(answer).toMatchObject({
      __typename: 'ApplyProviderTreePayload',
      reshaped: false,
      changes: [
        { kind: 'CREATE', name: 'new' },
        { kind: 'CREATE', name: 'child', uuid: tree.children[0].uuid.toLowerCase() },
      ],
      root: {
        name: 'new',
        inventories: [{ resourceClass: { name: 'VCPU' }, total: 8, maxUnit: 2147483647 }],
        traits: [{ name: TRAIT }],
        aggregates: [{ uuid: 'dddddddd-0000-4000-8000-000000000001' }],
        children: [{ name: 'child', inventories: [] }],
      },
    });
  });

  test('in a dry run has no root yet, and a uuid only where one is given', async () => {
    expect(await unchanged(database, () => apply(tree, { dryRun: true }))).toEqual({
      __typename: 'ApplyProviderTreePayload',
      reshaped: false,
      changes: [
        { kind: 'CREATE', name: 'new', uuid: null },
        { kind: 'CREATE', name: 'child', uuid: tree.children[0].uuid.toLowerCase() },
      ],
      root: null,
    });
  });
});

describe('an input that removes inventories in use', () => {
  test('RESHAPE_NEEDED reads and lists at most 1000 consumers', async () => {
    await addConsumers(database, host, 1100);
    const { message } = await api.mutate<{ message: string }>('applyProviderTree', {
      root: { ...desired(), children: undefined },
    });
    expect(message).toContain('more than 1000 consumers');
    await removeConsumers(database);
  });

  test('RESHAPE_NEEDED lists the consumers with all their allocations', async () => {
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
      resourceProvider: { uuid: provider(name) },
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
            allocations: [part('host', 'VGPU', 4), part('storage', 'DISK_GB', 10)],
          },
        ],
      },
    });
  });

  test('allocations move atomically with inventories, also to created providers', async () => {
    const gpu = randomUUID();
    const amounts = { [gpu]: { VGPU: 4 }, [storage]: { DISK_GB: 10 } };
    const allocations = [takes(instance, 1, amounts, { consumerType: null })];
    expect(await apply(desired(gpu), { allocations })).toMatchObject({
      reshaped: true,
      changes: [
        { kind: 'UPDATE', uuid: host, name: 'host' },
        { kind: 'CREATE', uuid: gpu, name: 'gpu' },
      ],
      root: {
        inventories: [],
        children: [
          { name: 'gpu', inventories: [{ total: 8 }] },
          { name: 'nic', traits: [{ name: TRAIT }], inventories: [{ total: 4 }] },
        ],
      },
    });
    expect(await shown(api, instance)).toMatchObject({
      generation: 2,
      consumerType: 'INSTANCE',
      has: { gpu: { VGPU: 4 }, storage: { DISK_GB: 10 } },
    });
    expect(await generations(api, storage)).toEqual([1]);
  });

  test('RESHAPE_REFUSED names a deleted provider in use without a class', async () => {
    const vf = await claimed(api, { [nic]: { SRIOV_NET_VF: 1 } });
    const answer = await unchanged(database, () =>
      apply({ name: 'host', uuid: host, children: [] }, { allocations: [] }),
    );
    expect(answer).toMatchObject({
      code: 'RESHAPE_REFUSED',
      violations: [
        { code: 'PROVIDER_IN_USE', resourceProviderUuid: nic, resourceClassName: null, consumerUuid: vf },
      ],
    });
  });
});
