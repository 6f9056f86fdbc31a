import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, edit, nodeId } from '../support/claims.js';
import { insertAllocation, createProviders } from '../support/createProviders.js';

const { api, database } = useApi();

const WHOLE = 'resourceProvider { uuid name generation parent { name } root { name } }';
const NOBODY = '00000000-0000-4000-8000-000000000000';

const read = async (uuid: string) => {
  const document = `query ($uuid: UUID!) {
    provider: resourceProvider(by: { uuid: $uuid }) { name generation parent { name } root { name } }
  }`;
  return (await api.read(document, { uuid })).provider;
};

describe('createResourceProvider', () => {
  test('makes a root at generation 0 with its time of creation', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const answer = await api.mutate<{ resourceProvider: Record<string, string> }>(
      'createResourceProvider',
      { name: 'first' },
      'resourceProvider { id uuid name generation parent { uuid } root { name } createdAt updatedAt inventories { total } }',
    );
    const { uuid, createdAt } = answer.resourceProvider;
    expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(answer).toEqual({
      __typename: 'CreateResourceProviderPayload',
      resourceProvider: {
        id: nodeId('ResourceProvider', uuid),
        uuid,
        name: 'first',
        generation: 0,
        parent: null,
        root: { name: 'first' },
        createdAt,
        updatedAt: null,
        inventories: [],
      },
    });
  });

  test('makes a child in the tree of its parent', async () => {
    const { top, middle } = await createProviders(api, { name: 'top', children: [{ name: 'middle' }] });
    expect(
      await api.mutate('createResourceProvider', { name: 'bottom', parent: { uuid: middle } }, WHOLE),
    ).toMatchObject({ resourceProvider: { parent: { name: 'middle' }, root: { name: 'top' } } });
    expect(await read(top)).toMatchObject({ generation: 0 });
  });

  test('takes a uuid in any spelling (rule 8)', async () => {
    for (const [spelling, uuid] of [
      ['F0000000-0000-4000-8000-00000000000A', 'f0000000-0000-4000-8000-00000000000a'],
      ['f000000000004000800000000000000b', 'f0000000-0000-4000-8000-00000000000b'],
      ['{f0000000-0000-4000-8000-00000000000c}', 'f0000000-0000-4000-8000-00000000000c'],
      ['urn:uuid:f0000000-0000-4000-8000-00000000000d', 'f0000000-0000-4000-8000-00000000000d'],
    ]) {
      const answer = await api.mutate('createResourceProvider', { name: spelling, uuid: spelling }, WHOLE);
      expect(answer).toMatchObject({ resourceProvider: { uuid } });
    }
  });

  test('rejects names, uuids and parents in order of precedence (rules 6, 39, 40)', async () => {
    const { taken: uuid } = await createProviders(api, { name: 'taken' });
    const unknown = { uuid: NOBODY };
    const missing = { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: NOBODY };
    const cases: [input: object, error: object][] = [
      [{ name: '' }, invalidInput('name')],
      [{ name: '', parent: unknown }, invalidInput('name')],
      [{ name: 'a', parent: unknown }, missing],
      [{ name: 'a', uuid: NOBODY, parent: unknown }, missing],
      [{ name: 'taken', parent: unknown }, missing],
      [{ name: 'taken' }, { code: 'DUPLICATE_NAME', name: 'taken', retryable: false }],
      [
        { name: 'other', uuid: uuid.toUpperCase().replaceAll('-', '') },
        { code: 'DUPLICATE_UUID', uuid },
      ],
    ];
    for (const [input, error] of cases)
      expect(await api.mutate('createResourceProvider', input)).toMatchObject(error);
  });

  test('takes a name that differs only in case (rule 7)', async () => {
    for (const name of ['case', 'CASE']) await createProviders(api, { name });
  });
});

describe('updateResourceProvider', () => {
  test('renames, and bumps the generation once (decision D5)', async () => {
    const { before: uuid } = await createProviders(api, { name: 'before' });
    for (const [edits, expected] of [
      [
        { name: 'after', generation: 0 },
        { name: 'after', generation: 1 },
      ],
      [{ name: 'after' }, { generation: 1 }],
      [{ name: 'AFTER' }, { name: 'AFTER', generation: 2 }],
    ])
      expect(await edit(api, uuid, edits, WHOLE)).toMatchObject({ resourceProvider: expected });
  });

  test('moves a provider with everything below it, and makes it a root again (rules 41-43)', async () => {
    const { mover, leaf } = await createProviders(api, {
      name: 'old home',
      children: [{ name: 'mover', children: [{ name: 'stage', children: [{ name: 'leaf' }] }] }],
    });
    const { 'new home': home } = await createProviders(api, { name: 'new home' });
    expect(await edit(api, mover, { parent: { uuid: home } }, WHOLE)).toMatchObject({
      resourceProvider: { parent: { name: 'new home' }, root: { name: 'new home' }, generation: 1 },
    });
    expect(await read(leaf)).toMatchObject({ root: { name: 'new home' }, parent: { name: 'stage' } });
    expect(await edit(api, mover, { parent: { none: true } }, WHOLE)).toMatchObject({
      resourceProvider: { parent: null, root: { name: 'mover' }, generation: 2 },
    });
    expect(await read(leaf)).toMatchObject({ root: { name: 'mover' } });
  });
});

describe('deleteResourceProvider', () => {
  test('deletes with inventories, traits and aggregates; the aggregate stays (rule 47)', async () => {
    const aggregate = 'a0000000-0000-4000-8000-000000000001';
    const { doomed } = await createProviders(api, {
      name: 'doomed',
      inventories: { VCPU: 4 },
      traits: ['HW_NUMA_ROOT'],
      aggregates: [aggregate],
    });
    const input = { resourceProvider: { uuid: doomed } };
    expect(await api.mutate('deleteResourceProvider', input, 'deletedResourceProviderId uuid')).toEqual({
      __typename: 'DeleteResourceProviderPayload',
      deletedResourceProviderId: nodeId('ResourceProvider', doomed),
      uuid: doomed,
    });
    expect(await read(doomed)).toBeNull();
    const { data } = await api.query(
      `{ aggregate(by: { uuid: "${aggregate}" }) { uuid resourceProviders { totalCount } } }`,
    );
    expect(data).toEqual({ aggregate: { uuid: aggregate, resourceProviders: { totalCount: 0 } } });
  });

  test('is rejected for a provider with children or allocations (rule 46)', async () => {
    const { elder, younger } = await createProviders(api, {
      name: 'elder',
      inventories: { VCPU: 4 },
      children: [{ name: 'younger' }],
    });
    await insertAllocation(database, elder, 'VCPU', 1);
    const remove = (uuid: string) => api.mutate('deleteResourceProvider', { resourceProvider: { uuid } });
    expect(await remove(elder)).toMatchObject({
      code: 'PROVIDER_HAS_CHILDREN',
      message: expect.stringContaining('has children: "younger"'),
      resourceProviderUuid: elder,
      childCount: 1,
      children: [{ uuid: younger }],
    });
    expect(await remove(younger)).toMatchObject({ __typename: 'DeleteResourceProviderPayload' });
    expect(await remove(elder)).toMatchObject({
      code: 'PROVIDER_IN_USE',
      // another program has left the consumer without its row
      message: expect.stringMatching(/of consumer [\da-f-]{36}$/),
      resourceProviderUuid: elder,
      consumerCount: 1,
      consumers: [],
    });
    expect(await remove(younger)).toMatchObject({
      code: 'NOT_FOUND',
      entity: 'RESOURCE_PROVIDER',
      key: younger,
    });
  });
});

test('deleteResourceProviders deletes trees, all or none, and shows them in a dry run', async () => {
  const { old, empty } = await createProviders(api, {
    name: 'old',
    children: [{ name: 'old b' }, { name: 'old a', children: [{ name: 'empty' }] }],
  });
  const { used } = await createProviders(api, { name: 'used', inventories: { VCPU: 1 } });
  const consumer = await claimed(api, { [used]: { VCPU: 1 } });
  const remove = (uuids: string[], options: object = { recursive: true }) =>
    api.mutate<{ changes: object[]; deletedResourceProviderIds: string[] }>(
      'deleteResourceProviders',
      { resourceProviders: uuids.map((uuid) => ({ uuid })), ...options },
      'changes { kind name } deletedResourceProviderIds',
    );
  const refused = await api.mutate('deleteResourceProviders', {
    resourceProviders: [{ uuid: old }, { uuid: used }],
    recursive: true,
  });
  expect(refused).toMatchObject({
    code: 'PROVIDER_IN_USE',
    path: ['resourceProviders', '1'],
    resourceProviderUuid: used,
    consumers: [{ uuid: consumer }],
  });
  const changes = ['empty', 'old', 'old a', 'old b'].map((name) => ({ kind: 'DELETE', name }));
  const dry = await remove([empty, old], { recursive: true, dryRun: true });
  expect(dry).toMatchObject({ changes, deletedResourceProviderIds: [] });
  expect(await read(old)).not.toBeNull();
  const deleted = await remove([empty, old]);
  expect(deleted.changes).toEqual(changes);
  expect(deleted.deletedResourceProviderIds.slice(0, 2)).toEqual([
    nodeId('ResourceProvider', empty),
    nodeId('ResourceProvider', old),
  ]);
  expect(await read(old)).toBeNull();
  expect(await read(empty)).toBeNull();
});

test('deleteResourceProvider counts all children or consumers, and names ten of them', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `crowded ${String(at).padStart(2, '0')}`);
  const { crowded } = await createProviders(api, {
    name: 'crowded',
    inventories: { VCPU: 20, DISK_GB: 20 },
    children: names.toReversed().map((name) => ({ name })),
  });
  const remove = () =>
    api.mutate<{ message: string; children: object[]; consumers: object[] }>('deleteResourceProvider', {
      resourceProvider: { uuid: crowded },
    });
  const refused = await remove();
  expect(refused).toMatchObject({ childCount: 12, children: names.slice(0, 10).map((name) => ({ name })) });
  expect(refused.message).toContain('"crowded 09" and 2 more');
  await api.mutate('applyProviderTree', { root: { name: 'crowded', uuid: crowded, children: [] } });
  const consumers: string[] = [];
  for (let each = 0; each < 11; each++)
    consumers.push(await claimed(api, { [crowded]: { VCPU: 1, DISK_GB: 1 } }));
  const inUse = await remove();
  expect(inUse).toMatchObject({
    consumerCount: 11,
    consumers: consumers.slice(0, 10).map((uuid) => ({ uuid })),
  });
  expect(inUse.message).toContain(`${consumers[9]} and 1 more`);
  const last = await claimed(api, { [crowded]: { VCPU: 1 } });
  const removed = (classes: string[]) => edit(api, crowded, { inventories: { remove: classes } });
  expect(await removed(['DISK_GB'])).toMatchObject({ code: 'INVENTORY_IN_USE', consumerCount: 11 });
  expect(await removed(['DISK_GB', 'VCPU'])).toMatchObject({
    code: 'INVENTORY_IN_USE',
    message: expect.not.stringContaining(last),
    consumerCount: 12,
    consumers: consumers.slice(0, 10).map((uuid) => ({ uuid })),
  });
});

test('mutations of one document run one after another, and each shows what it wrote', async () => {
  const { serial: uuid } = await createProviders(api, { name: 'serial' });
  const { data } = await api.query(
    `mutation ($uuid: UUID!) {
       a: updateResourceProvider(input: { resourceProvider: { uuid: $uuid }, traits: { add: "HW_NUMA_ROOT" } }) { ...Written }
       b: updateResourceProvider(input: {
         resourceProvider: { uuid: $uuid }, generation: 1, inventories: { add: { resourceClass: "VCPU", total: 4 } }
       }) { ...Written }
       c: updateResourceProvider(input: { resourceProvider: { uuid: $uuid }, generation: 2, traits: { set: [] } }) { ...Written }
     }
     fragment Written on UpdateResourceProviderPayload { resourceProvider { generation traits { name } inventories { total } } }`,
    { uuid },
  );
  const traits = [{ name: 'HW_NUMA_ROOT' }];
  expect(data).toEqual({
    a: { resourceProvider: { generation: 1, traits, inventories: [] } },
    b: { resourceProvider: { generation: 2, traits, inventories: [{ total: 4 }] } },
    c: { resourceProvider: { generation: 3, traits: [], inventories: [{ total: 4 }] } },
  });
});
