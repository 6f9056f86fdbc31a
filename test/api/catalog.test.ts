import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { edit, nodeId } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { Named } from '../support/shapes.js';

const { api } = useApi();

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe.each([
  { noun: 'Trait', payload: 'trait', standard: 'HW_NUMA_ROOT', entity: 'TRAIT' },
  { noun: 'ResourceClass', payload: 'resourceClass', standard: 'VCPU', entity: 'RESOURCE_CLASS' },
])('$noun', ({ noun, payload, standard, entity }) => {
  const create = (name: string) =>
    api.mutate(`create${noun}`, { name }, `${payload} { id name isStandard } created`);
  const remove = (name: string) => api.mutate(`delete${noun}`, { name }, `deleted${noun}Id name`);
  const idOf = (name: string) => nodeId(noun, name);

  test('repeated creations create a name once (rules 67, 75)', async () => {
    const name = 'CUSTOM_MINE';
    const created = { id: idOf(name), name, isStandard: false };
    expect(await create(name)).toEqual({
      __typename: `Create${noun}Payload`,
      [payload]: created,
      created: true,
    });
    expect(await create(name)).toMatchObject({ [payload]: created, created: false });
    const { data } = await api.query(
      `{ a: ${payload}(name: "${name}") { id name isStandard } b: ${payload}(name: "${standard}") { isStandard } }`,
    );
    expect(data).toEqual({ a: created, b: { isStandard: true } });
  });

  test('has a name of CUSTOM_ and 1 to 248 of A-Z, 0-9 and _ (rules 1, 2)', async () => {
    expect(await create(`CUSTOM_${'X'.repeat(248)}`)).toMatchObject({ created: true });
    for (const name of [
      standard,
      'MINE',
      'CUSTOM_',
      'CUSTOM_mine',
      '',
      `CUSTOM_${'X'.repeat(249)}`,
      'CUSTOM_A B',
      'CUSTOM_A-B',
      'CUSTOM_A\n',
      'CUSTOM_\u00c4',
    ])
      expect([name, await create(name)]).toMatchObject([name, invalidInput('name')]);
  });

  test('is deleted, unless it is unknown or standard (rules 68, 76)', async () => {
    await create('CUSTOM_GONE');
    // a look-up minds the case (decision D8)
    expect(await api.read(`{ ${payload}(name: "custom_gone") { id } }`)).toEqual({ [payload]: null });
    expect(await remove('CUSTOM_GONE')).toEqual({
      __typename: `Delete${noun}Payload`,
      [`deleted${noun}Id`]: idOf('CUSTOM_GONE'),
      name: 'CUSTOM_GONE',
    });
    expect(await remove('CUSTOM_GONE')).toMatchObject({ code: 'NOT_FOUND', entity, key: 'CUSTOM_GONE' });
    expect(await remove(standard)).toMatchObject({ code: 'STANDARD_IS_IMMUTABLE', name: standard });
    expect((await api.query(`{ ${payload}(name: "CUSTOM_GONE") { id } }`)).data).toEqual({ [payload]: null });
  });
});

test('a trait or class in use is not deleted (rules 68, 76)', async () => {
  await api.mutate('createTrait', { name: 'CUSTOM_USED' });
  await api.mutate('createResourceClass', { name: 'CUSTOM_USED' });
  await createProviders(api, { name: 'user', traits: ['CUSTOM_USED'], inventories: { CUSTOM_USED: 1 } });
  for (const [mutation, code] of [
    ['deleteTrait', 'TRAIT_IN_USE'],
    ['deleteResourceClass', 'RESOURCE_CLASS_IN_USE'],
  ])
    expect(await api.mutate(mutation, { name: 'CUSTOM_USED' })).toMatchObject({ code, name: 'CUSTOM_USED' });
});

test('resourceClasses lists all of them by name', async () => {
  const { resourceClasses } = await api.read<{ resourceClasses: Named[] }>('{ resourceClasses { name } }');
  const names = resourceClasses.map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(['VCPU', 'MEMORY_MB', 'DISK_GB']));
});

describe('traits', () => {
  const list = async (filter?: object) => {
    const document = 'query ($filter: TraitFilter) { traits(filter: $filter) { name } }';
    const { traits } = await api.read<{ traits: Named[] }>(document, { filter });
    return traits.map(({ name }) => name);
  };

  beforeAll(async () => {
    for (const name of ['CUSTOM_T_1', 'CUSTOM_T_2', 'CUSTOM_TX1', 'CUSTOM_T_'])
      await api.mutate('createTrait', { name });
    await createProviders(api, { name: 'bearer', traits: ['CUSTOM_T_1', 'HW_CPU_X86_SGX'] });
  });

  test('are all listed by name without a filter', async () => {
    const names = await list();
    expect(names.length).toBeGreaterThan(300);
    expect(names).toEqual([...names].sort());
  });

  test.each([
    [
      'startsWith takes _ as it is (rule 69)',
      { startsWith: 'CUSTOM_T_' },
      ['CUSTOM_T_', 'CUSTOM_T_1', 'CUSTOM_T_2'],
    ],
    ['startsWith takes % as it is', { startsWith: '%' }, []],
    ['startsWith takes the escape as it is', { startsWith: '!' }, []],
    ['startsWith minds the case', { startsWith: 'custom_t_' }, []],
    [
      'nameIn skips unknown names',
      { nameIn: ['CUSTOM_T_2', 'NO_SUCH', 'CUSTOM_T_1'] },
      ['CUSTOM_T_1', 'CUSTOM_T_2'],
    ],
    ['nameIn minds the case', { nameIn: ['custom_t_1'] }, []],
    ['nameIn [] finds none', { nameIn: [] }, []],
    ['associated', { startsWith: 'CUSTOM_T', associated: true }, ['CUSTOM_T_1']],
    [
      'not associated',
      { startsWith: 'CUSTOM_T', associated: false },
      ['CUSTOM_TX1', 'CUSTOM_T_', 'CUSTOM_T_2'],
    ],
    [
      'all conditions hold',
      { nameIn: ['CUSTOM_T_1', 'HW_CPU_X86_SGX'], startsWith: 'HW', associated: true },
      ['HW_CPU_X86_SGX'],
    ],
  ])('%s', async (_what, filter, names) => {
    expect(await list(filter)).toEqual(names);
  });
});

test('an edit that sets the traits replaces the set; the same set in another order changes nothing (rules 60, 70)', async () => {
  const { painted } = await createProviders(api, { name: 'painted' });
  const set = (traits: string[], generation: number) =>
    edit(
      api,
      painted,
      { generation, traits: { set: traits } },
      'resourceProvider { generation traits { name } isSharing }',
    );
  const both = [{ name: 'HW_NUMA_ROOT' }, { name: 'MISC_SHARES_VIA_AGGREGATE' }];
  expect(await set(['MISC_SHARES_VIA_AGGREGATE', 'HW_NUMA_ROOT'], 0)).toEqual({
    __typename: 'UpdateResourceProviderPayload',
    resourceProvider: { generation: 1, traits: both, isSharing: true },
  });
  expect(await set(['HW_NUMA_ROOT', 'MISC_SHARES_VIA_AGGREGATE'], 1)).toMatchObject({
    resourceProvider: { generation: 1, traits: both },
  });
  expect(await set([], 1)).toMatchObject({
    resourceProvider: { generation: 2, traits: [], isSharing: false },
  });
});

test('an edit that sets the aggregates replaces the set; unknown aggregates are created, in one spelling (rules 9, 78, 79)', async () => {
  const ONE = 'aaaaaaaa-0000-4000-8000-000000000001';
  const TWO = 'aaaaaaaa-0000-4000-8000-000000000002';
  const { grouped } = await createProviders(api, { name: 'grouped' });
  const set = (aggregates: string[], generation: number) =>
    edit(
      api,
      grouped,
      { generation, aggregates: { set: aggregates.map((uuid) => ({ uuid })) } },
      'resourceProvider { generation aggregates { uuid } }',
    );
  expect(await set([TWO, ONE.toUpperCase().replaceAll('-', '')], 0)).toEqual({
    __typename: 'UpdateResourceProviderPayload',
    resourceProvider: { generation: 1, aggregates: [{ uuid: ONE }, { uuid: TWO }] },
  });
  expect(await set([TWO], 1)).toMatchObject({
    resourceProvider: { generation: 2, aggregates: [{ uuid: TWO }] },
  });
  const { data } = await api.query(
    `{ aggregate(by: { uuid: "{${ONE}}" }) { id uuid resourceProviders { nodes { name } } } none: aggregate(by: { uuid: "${NOBODY}" }) { uuid } }`,
  );
  expect(data).toEqual({
    aggregate: {
      id: nodeId('Aggregate', ONE),
      uuid: ONE,
      resourceProviders: { nodes: [] },
    },
    none: null,
  });
});
