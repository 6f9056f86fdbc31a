import { beforeAll, describe, expect, test } from '@jest/globals';
import { isInputObjectType } from 'graphql';
import { buildSchema } from '../../src/api/schema.js';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const UUID = 'aaaaaaaa-0000-4000-8000-000000000000';

beforeAll(async () => {
  await createProviders(api, { name: 'host', inventories: { VCPU: 8 } });
});

const REQUEST = '{ groups: { resources: { resourceClass: "VCPU", amount: 1 } } }';
const reference = { uuid: UUID, name: 'host' };

/** For each @oneOf input a document with a variable `$value` of it, and a value with two fields. */
const DOCUMENTS: Record<string, readonly [document: string, both: object]> = {
  ProviderRef: ['{ resourceProvider(by: $value) { name } }', reference],
  AggregateRef: ['{ aggregate(by: $value) { name } }', reference],
  ParentRef: [
    '{ updateResourceProvider(input: { resourceProvider: { name: "host" }, parent: $value }) { __typename } }',
    { name: 'host', none: true },
  ],
  ConsumerTypeFilter: [
    '{ consumers(filter: { type: $value }) { totalCount } }',
    { name: 'INSTANCE', none: true },
  ],
  ResourceProviderOrderInput: [
    '{ resourceProviders(orderBy: [$value]) { totalCount } }',
    { name: 'ASC', used: { resourceClass: 'VCPU' } },
  ],
  ConsumerOrderInput: [
    '{ consumers(orderBy: [$value]) { totalCount } }',
    { age: 'DESC', used: { resourceClass: 'VCPU' } },
  ],
  OwnerOrderInput: [
    '{ projects(orderBy: [$value]) { totalCount } }',
    { id: 'ASC', used: { resourceClass: 'VCPU' } },
  ],
  FleetTotalOrderInput: [
    '{ fleetTotals(orderBy: [$value]) { totalCount } }',
    { used: 'ASC', capacity: 'DESC' },
  ],
  QuotaOrderInput: ['{ quotas(orderBy: [$value]) { totalCount } }', { owner: 'ASC', limit: 'DESC' }],
  CandidateOrderInput: [
    `{ allocationCandidates(request: ${REQUEST.replace('{ groups', '{ orderBy: [$value], groups')}) { seed } }`,
    { fewestProviders: true, nearConsumers: [UUID] },
  ],
  TreesInput: [
    `{ planDrain(from: $value) { complete } }`,
    { providers: { name: 'host' }, aggregate: { name: 'rack' } },
  ],
  DrainConsumersInput: [
    `{ planDrain(from: { providers: { name: "host" } }, requests: { consumers: $value, request: ${REQUEST} }) { complete } }`,
    { uuid: UUID, type: 'INSTANCE' },
  ],
  TopologyLevelInput: [
    `{ claim(input: { members: { name: "a", requests: ${REQUEST}, consumers: { consumer: "${UUID}", projectId: "p", userId: "u" } },
         topology: { level: $value, members: "a", rule: SAME } }) { __typename } }`,
    { tree: true, trait: 'HW_NUMA_ROOT' },
  ],
  AllocationsInput: [
    `{ setAllocations(input: { consumers: { consumer: "${UUID}", projectId: "p", userId: "u", allocations: $value } })
       { __typename } }`,
    { providers: [], claimToken: 'x' },
  ],
};

test('every @oneOf input has a document here', () => {
  const types = Object.values(buildSchema().getTypeMap()).filter(
    (type) => isInputObjectType(type) && type.isOneOf,
  );
  expect(types.map(({ name }) => name).sort()).toEqual(Object.keys(DOCUMENTS).sort());
});

async function codesOf(type: string, value: object): Promise<string[]> {
  const [document] = DOCUMENTS[type];
  const kind = /updateResourceProvider|setAllocations|claim\(/.test(document) ? 'mutation' : 'query';
  const { errors = [] } = await api.query(`${kind} ($value: ${type}!) ${document}`, { value });
  return errors.map(({ extensions: { code, path } }) => (code === 'BAD_USER_INPUT' ? path![0] : code));
}

test('none, two or a null of the fields of a @oneOf input is one error that names it, and changes nothing', async () => {
  await unchanged(database, async () => {
    for (const [type, [, both]] of Object.entries(DOCUMENTS))
      for (const wrong of [{}, both, { [Object.keys(both)[0]]: null }])
        expect([type, wrong, await codesOf(type, wrong)]).toEqual([type, wrong, ['value']]);
  });
});

test('one of the fields is valid', async () => {
  for (const [type, [, both]] of Object.entries(DOCUMENTS)) {
    const [[first, value]] = Object.entries(both) as [string, unknown][];
    expect(await codesOf(type, { [first]: value })).not.toContain('value');
  }
});

describe('null for a nullable variable in a position that requires a value is an error of the variable', () => {
  const LOOK_UP =
    'query ($value: UUID) { resourceProvider(by: { uuid: $value }) { name } resourceClasses { name } }';
  const lookUp = (head: string, document: string): string => `query (${head}) { ${document} }`;

  test.each<[string, string, object]>([
    ['a missing one of a @oneOf input', LOOK_UP, {}],
    ['null of a @oneOf input', LOOK_UP, { value: null }],
    [
      'null as a default value',
      lookUp('$value: String = null', 'resourceProvider(by: { name: $value }) { name }'),
      {},
    ],
    [
      'null in place of a default value',
      lookUp('$value: UUID = "' + UUID + '"', 'aggregate(by: { uuid: $value }) { name }'),
      { value: null },
    ],
    [
      'null in a list of @oneOf inputs',
      lookUp('$value: OrderDirection', 'resourceProviders(orderBy: [{ name: $value }]) { totalCount }'),
      { value: null },
    ],
    [
      'null in a fragment',
      'query ($value: UUID) { ...one } fragment one on Query { resourceProvider(by: { uuid: $value }) { name } }',
      {},
    ],
    [
      'null of an argument with a default value',
      lookUp(
        '$value: [ResourceProviderOrderInput!] = []',
        'resourceProviders(orderBy: $value) { totalCount }',
      ),
      { value: null },
    ],
    [
      'null of an input field with a default value',
      lookUp('$value: Boolean = true', 'resourceProviders(filter: { rootsOnly: $value }) { totalCount }'),
      { value: null },
    ],
    [
      'null of a directive',
      lookUp('$value: Boolean = true', 'resourceClass(name: "VCPU") @include(if: $value) { name }'),
      { value: null },
    ],
  ])('%s', async (_, document, variables) => {
    const { data, errors } = await api.query(document, variables);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        locations: [8, document.lastIndexOf('$value') + 1].map((column) => ({ line: 1, column })),
        extensions: { code: 'BAD_USER_INPUT', path: ['value'] },
      },
    ]);
    expect(errors![0].message).toMatch(/^Variable "\$value" must have a value: .* does not accept null\.$/);
  });

  test('a mutation with it changes nothing', async () => {
    const document = `mutation ($value: UUID) {
      first: createTrait(input: { name: "CUSTOM_FIRST" }) { __typename }
      second: updateResourceProvider(input: { resourceProvider: { uuid: $value }, name: "x" }) { __typename } }`;
    await unchanged(database, async () => {
      const { errors } = await api.query(document);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', path: ['value'] } }]);
    });
  });

  test('a value is accepted, and null where no field uses it', async () => {
    const by = 'resourceProvider(by: { name: $value }) { name }';
    const data = { resourceProvider: { name: 'host' } };
    expect(await api.read(lookUp('$value: String', by), { value: 'host' })).toEqual(data);
    expect(await api.read(lookUp('$value: String = "host"', by))).toEqual(data);
    const list = 'resourceProviders(filter: { rootsOnly: $value }) { totalCount }';
    for (const [head, document, variables] of [
      ['$value: String, $is: Boolean!', `... @include(if: $is) { ${by} }`, { is: false }],
      ['$value: String, $is: Boolean = true', by.replace('{ name }', '@skip(if: $is) { name }'), {}],
      ['$value: Boolean = true', list.replace('{ total', '@skip(if: true) { total'), { value: null }],
    ] as const)
      expect(await api.read(lookUp(head, `viewer { __typename } ${document}`), variables)).toEqual({
        viewer: { __typename: 'Viewer' },
      });
    const ofNone = 'project(projectId: "none") { consumers(orderBy: $value) { totalCount } }';
    expect(await api.read(lookUp('$value: [ConsumerOrderInput!] = []', ofNone), { value: null })).toEqual({
      project: null,
    });
  });
});
