import { beforeAll, expect, test } from '@jest/globals';
import { isInputObjectType } from 'graphql';
import { buildSchema } from '../../src/schema/schema.js';
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
