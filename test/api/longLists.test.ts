import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { clientOf } from '../client/client.js';
import { useApi } from '../support/api.js';
import { takes, type Takes } from '../support/claims.js';
import { insertLongCatalog, LONG, longNames } from '../support/longLists.js';

const { api } = useApi({ fill: insertLongCatalog });

const WIDE = randomUUID();
const [FIRST_CLASS] = longNames('CUSTOM_CLASS_');
const consumer = randomUUID();
const children = longNames('child-').map((name) => ({ name, uuid: randomUUID() }));

beforeAll(async () => {
  const inventories = [{ resourceClass: 'VCPU', total: 2 }];
  const root = {
    uuid: WIDE,
    name: 'wide',
    inventories: longNames('CUSTOM_CLASS_').map((resourceClass) => ({ resourceClass, total: 1 })),
    traits: longNames('CUSTOM_TRAIT_'),
    aggregates: children.map(() => ({ uuid: randomUUID() })),
    children: children.map((child) => ({ ...child, inventories })),
  };
  const applied = await api.mutate('applyProviderTree', { root }, 'changes { name }');
  expect(applied).toMatchObject({ changes: { length: LONG + 1 } });
  const byChild: Takes = Object.fromEntries(children.map(({ uuid }) => [uuid, { VCPU: 1 }]));
  const set = await api.mutate(
    'setAllocations',
    { consumers: [takes(consumer, null, byChild)] },
    'consumers { uuid allocations { amount } }',
  );
  expect(set).toMatchObject({ consumers: [{ allocations: { length: LONG } }] });
});

describe('a list without pages has every object', () => {
  test.each([
    ['resourceClasses', '{ resourceClasses { name } }', LONG],
    ['traits', '{ traits { name } }', LONG],
    ['consumerTypes', '{ consumerTypes { name } }', LONG],
  ])('%s', async (field, document, least) => {
    const data = await api.read<Record<string, object[]>>(document);
    expect(data[field].length).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['children', 'name'],
    ['descendants', 'name'],
    ['descendants', 'inventories { used }'],
    ['inventories', 'total'],
    ['usages', 'used'],
    ['traits', 'name'],
    ['aggregates', 'uuid'],
    ['treeTotals', 'used'],
  ])('%s { %s } of a provider', async (field, selection) => {
    const { resourceProvider } = await api.read<{ resourceProvider: Record<string, object[]> }>(
      `{ resourceProvider(by: { name: "wide" }) { ${field} { ${selection} } } }`,
    );
    expect(resourceProvider[field].length).toBeGreaterThanOrEqual(LONG);
  });

  test.each(['allocations { amount }', 'providerAllocations { resources { amount } }'])(
    '%s of a consumer',
    async (selection) => {
      const data = await api.read<{ consumer: { list: object[] } }>(
        `query ($uuid: UUID!) { consumer(uuid: $uuid) { list: ${selection} } }`,
        { uuid: consumer },
      );
      expect(data.consumer.list).toHaveLength(LONG);
    },
  );
});

test.each([
  ['class list', LONG],
  ['trait list', LONG],
  ['trait list --provider wide', LONG],
  ['provider show wide', 3 * LONG],
  ['provider tree wide', LONG + 1],
  ['usage wide', LONG],
  [`consumer show ${consumer}`, LONG],
])('the command %s lists all', async (command, least) => {
  const { outputOf } = clientOf(api);
  expect((await outputOf(command)).split(/\n|, /).length).toBeGreaterThanOrEqual(least);
});

test('the length of a list is charged beyond its estimate', async () => {
  const { extensions } = await api.query('{ resourceClasses { name } }');
  expect(extensions!.cost!.requested).toBe(50);
  expect(extensions!.cost!.actual).toBeGreaterThan(LONG);
});

describe('resource classes with a filter', () => {
  const names = async (filter: object): Promise<string[]> => {
    const { resourceClasses } = await api.read<{ resourceClasses: { name: string }[] }>(
      'query ($filter: ResourceClassFilter) { resourceClasses(filter: $filter) { name } }',
      { filter },
    );
    return resourceClasses.map(({ name }) => name);
  };

  test('nameIn, startsWith and associated select, together', async () => {
    expect(await names({ nameIn: ['VCPU', 'vcpu', FIRST_CLASS, 'NONE'] })).toEqual([FIRST_CLASS, 'VCPU']);
    expect(await names({ startsWith: 'CUSTOM_CLASS_100' })).toEqual(['CUSTOM_CLASS_1000']);
    expect(await names({ startsWith: 'MEMORY_' })).toEqual(['MEMORY_MB']);
    expect(await names({ associated: true, startsWith: 'V' })).toEqual(['VCPU']);
    expect(await names({ associated: false, startsWith: 'V' })).toEqual(['VGPU', 'VGPU_DISPLAY_HEAD']);
    expect(await names({ associated: true, nameIn: ['VCPU', 'VGPU'] })).toEqual(['VCPU']);
    expect(await names({ nameIn: [] })).toEqual([]);
  });
});
