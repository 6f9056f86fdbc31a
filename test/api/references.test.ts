import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
} from 'graphql';
import { invalidInput, useApi } from '../support/api.js';
import { buildSchema } from '../../src/api/schema.js';
import { claimed, claimInput, generations, setAllocations, shown } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const RACK = 'aaaaaaaa-0000-4000-8000-000000000002';

const { api } = useApi({ hasBackground: false });
let uuids: Record<string, string>;

beforeAll(async () => {
  uuids = await createProviders(api, {
    name: 'host-0001',
    inventories: { VCPU: 8 },
    aggregates: [ZONE],
    children: [{ name: 'host-0001-numa0', inventories: { MEMORY_MB: 1024 } }],
  });
  uuids = {
    ...uuids,
    ...(await createProviders(api, { name: 'host-0002', inventories: { VCPU: 8 }, aggregates: [RACK] })),
  };
  for (const [aggregate, name] of [
    [ZONE, 'zone-1'],
    [RACK, 'rack-7'],
  ])
    expect(await nameIt(aggregate, name)).toEqual({
      __typename: 'NameAggregatePayload',
      aggregate: { uuid: aggregate, name },
    });
});

const nameIt = (aggregate: string, name?: string | null) =>
  api.mutate('nameAggregate', { aggregate: { uuid: aggregate }, name }, 'aggregate { uuid name }');

test('the schema identifies providers and aggregates by references alone', () => {
  // uuids of consumers, and of objects that need not exist yet
  const OTHERS = /^(consumers?|awayFromConsumers|nearConsumers|keep|uuid|uuidIn)$/;
  const places = Object.values(buildSchema().getTypeMap()).flatMap((type): [string, Inputs][] => {
    if (isInputObjectType(type)) return [[type.name, Object.values(type.getFields())]];
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field.args]);
  });
  const inputs = places.flatMap(([place, all]) =>
    all.map(({ name, type }) => ({ path: `${place}.${name}`, name, type: getNamedType(type).name })),
  );
  expect(inputs.filter(({ name, type }) => type === 'UUID' && !OTHERS.test(name))).toEqual([]);
  expect(inputs.filter(({ path }) => /Names?$/.test(path))).toEqual([]);
  expect(inputs.filter(({ type }) => /^(Provider|Aggregate)Ref$/.test(type)).length).toBeGreaterThan(20);
});

type Inputs = readonly (GraphQLInputField | GraphQLArgument)[];

describe('a write by name', () => {
  const generation = async (name: string) => (await generations(api, uuids[name]))[0];

  test('does the same as by uuid', async () => {
    const name = 'host-0002';
    const changes: [string, object][] = [
      ['updateResourceProvider', { inventories: { add: [{ resourceClass: 'DISK_GB', total: 10 }] } }],
      ['updateResourceProvider', { traits: { set: ['HW_NUMA_ROOT'] } }],
      ['updateResourceProvider', { aggregates: { set: [{ uuid: RACK }, { name: 'zone-1' }] } }],
      ['updateResourceProvider', { inventories: { remove: ['DISK_GB'] } }],
      ['updateResourceProvider', { inventories: { set: [{ resourceClass: 'VCPU', total: 8 }] } }],
      ['updateResourceProvider', { parent: { name: 'host-0001' } }],
      ['updateResourceProvider', { parent: { none: true } }],
      ['updateResourceProvider', { aggregates: { set: [{ name: 'rack-7' }] } }],
    ];
    for (const [mutation, input] of changes) {
      const given = { resourceProvider: { name }, generation: await generation(name), ...input };
      expect(await api.mutate(mutation, given, 'resourceProvider { uuid }')).toMatchObject({
        resourceProvider: { uuid: uuids['host-0002'] },
      });
    }
    const fields = 'traits { name } aggregates { name } parent { name }';
    expect(await api.read(`{ resourceProvider(by: { name: "${name}" }) { ${fields} } }`)).toEqual({
      resourceProvider: {
        traits: [{ name: 'HW_NUMA_ROOT' }],
        aggregates: [{ name: 'rack-7' }],
        parent: null,
      },
    });
  });

  test('creates and deletes, claims and reshapes', async () => {
    await api.mutate('createResourceProvider', { name: 'nic', parent: { name: 'host-0001' } });
    const { __typename: deleted } = await api.mutate('deleteResourceProvider', {
      resourceProvider: { name: 'nic' },
    });
    expect(deleted).toBe('DeleteResourceProviderPayload');
    const consumer = '11111111-0000-4000-8000-000000000000';
    const amounts = (amount: number) => [{ resourceClass: 'VCPU', amount }];
    const providers = [
      { resourceProvider: { name: 'host-0001' }, resources: amounts(2) },
      { resourceProvider: { uuid: uuids['host-0002'] }, resources: amounts(1) },
    ];
    const owner = { consumer, projectId: 'p', userId: 'u' };
    const answer = await setAllocations(api, { ...owner, allocations: { providers } });
    expect(answer.__typename).toBe('SetAllocationsPayload');
    expect((await shown(api, consumer))!.has).toEqual({ 'host-0001': { VCPU: 2 }, 'host-0002': { VCPU: 1 } });
    const name = 'host-0002';
    const inventories = [{ resourceClass: 'VCPU', total: 9 }];
    const reshaped = await api.mutate('reshape', {
      inventories: [{ resourceProvider: { name }, generation: await generation(name), inventories }],
      allocations: [{ ...owner, generation: 1, allocations: { providers: [providers[0]] } }],
    });
    expect(reshaped.__typename).toBe('ReshapePayload');
    expect((await shown(api, consumer))!.has).toEqual({ 'host-0001': { VCPU: 2 } });
    await api.mutate('deleteConsumer', { consumer });
  });

  test('of an unknown provider is rejected, and changes nothing', async () => {
    await api.query('{ fleetTotals { totalCount } }'); // loads the snapshot, which has the names
    const remove = (name: string) => api.mutate('deleteResourceProvider', { resourceProvider: { name } });
    expect(await remove('host-001')).toMatchObject({
      code: 'NOT_FOUND',
      message: 'no resource provider has the name "host-001"; did you mean "host-0001" or "host-0002"?',
      path: ['resourceProvider', 'name'],
    });
    expect(await remove('HOST-0002')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await api.read('{ resourceProviders { totalCount } }')).toEqual({
      resourceProviders: { totalCount: 3 },
    });
  });

  test('reads all names in one statement; a write by uuid reads none', async () => {
    const consumer = '22222222-0000-4000-8000-000000000000';
    const write = async (byName: boolean) => {
      const allocations = ['host-0001', 'host-0002'].map((name) => ({
        resourceProvider: byName ? { name } : { uuid: uuids[name] },
        resources: [{ resourceClass: 'VCPU', amount: 1 }],
      }));
      const owner = { consumer, projectId: 'p', userId: 'u' };
      const statements = await api.statements(() =>
        setAllocations(api, { ...owner, allocations: { providers: allocations } }),
      );
      await api.mutate('deleteConsumer', { consumer });
      return statements.length;
    };
    await write(false);
    expect((await write(true)) - (await write(false))).toBe(1);
  });
});

describe('a search by name', () => {
  const documentOf = (selection: string) =>
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { allocationRequests { ${selection} } } }`;
  const resources = [{ resourceClass: 'VCPU', amount: 1 }];
  const AS_TEXT = 'allocations { resourceProvider { name } }';
  // createdAt is read from the database
  const BY_RESOLVERS = 'allocations { resourceProvider { name createdAt } }';

  test.each([
    ['inTree', { groups: [{ resources, inTree: { name: 'host-0001-numa0' } }] }, 'host-0001'],
    ['inSubtree', { groups: [{ resources, inSubtree: { name: 'host-0002' } }] }, 'host-0002'],
    ['notInTrees', { groups: [{ resources }], notInTrees: [{ name: 'host-0001' }] }, 'host-0002'],
    ['memberOf', { groups: [{ resources, memberOf: [[{ name: 'zone-1' }]] }] }, 'host-0001'],
    ['memberOf, one value', { groups: [{ resources, memberOf: { name: 'zone-1' } }] }, 'host-0001'],
    [
      'forbiddenAggregates',
      { groups: [{ resources, forbiddenAggregates: [{ name: 'zone-1' }] }] },
      'host-0002',
    ],
    ['rootMemberOf', { groups: [{ resources }], rootMemberOf: [[{ name: 'rack-7' }]] }, 'host-0002'],
    [
      'rootForbiddenAggregates',
      { groups: [{ resources }], rootForbiddenAggregates: [{ name: 'rack-7' }] },
      'host-0001',
    ],
    [
      'memberOf by uuid and by name',
      { groups: [{ resources, memberOf: [[{ uuid: ZONE }, { uuid: RACK }], [{ name: 'rack-7' }]] }] },
      'host-0002',
    ],
  ])('%s', async (_what, request, name) => {
    for (const selection of [AS_TEXT, BY_RESOLVERS]) {
      const data = await api.read(documentOf(selection), { request: { seed: 1, ...request } });
      expect(data).toMatchObject({
        allocationCandidates: {
          allocationRequests: [{ allocations: [{ resourceProvider: { name } }] }],
        },
      });
    }
  });

  test.each([
    [{ groups: [{ resources, inTree: { name: 'host-001' } }] }, 'groups.0.inTree.name', 'host-0001'],
    [{ groups: [{ resources, memberOf: [[{ name: 'zone' }]] }] }, 'groups.0.memberOf.0.0.name', 'zone-1'],
    [{ groups: [{ resources }], rootMemberOf: [[{ name: 'rack7' }]] }, 'rootMemberOf.0.0.name', 'rack-7'],
    [
      { groups: [{ resources, forbiddenAggregates: [{ name: 'zone-1' }, { uuid: ZONE }] }] },
      'groups.0.forbiddenAggregates.1',
      'repeated',
    ],
  ])('%j is INVALID_INPUT', async (request, path, message) => {
    const failure = await api.failure(documentOf(AS_TEXT), { request });
    expect(failure).toMatchObject(invalidInput(path));
    expect(failure.message).toContain(message);
    const consumers = [{ consumer: ZONE, projectId: 'p', userId: 'u' }];
    expect(await api.mutate('claim', claimInput(request, consumers))).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('lists and totals', async () => {
    const consumer = await claimed(api, { [uuids['host-0001']]: { VCPU: 1 } });
    const data = await api.read(
      `{ resourceProviders(filter: { inTree: { name: "host-0001" } }) { nodes { name } }
         zone: resourceProviders(filter: { memberOf: { name: "zone-1" } }) { nodes { name } }
         others: resourceProviders(filter: { forbiddenAggregates: [{ name: "zone-1" }], rootsOnly: true }) { nodes { name } }
         consumers(filter: { inTree: { name: "host-0001-numa0" } }) { nodes { uuid } }
         fleetTotals(filter: { memberOf: { name: "zone-1" }, resourceClass: "VCPU" }, groupBy: AGGREGATE) {
           nodes { group { ... on Aggregate { uuid name } } capacity } } }`,
    );
    expect(data).toEqual({
      resourceProviders: { nodes: [{ name: 'host-0001' }, { name: 'host-0001-numa0' }] },
      zone: { nodes: [{ name: 'host-0001' }] },
      others: { nodes: [{ name: 'host-0002' }] },
      consumers: { nodes: [{ uuid: consumer }] },
      fleetTotals: { nodes: [{ group: { uuid: ZONE, name: 'zone-1' }, capacity: 8 }] },
    });
    await api.mutate('deleteConsumer', { consumer });
  });
});

describe('an aggregate', () => {
  test('is found by its name, and loses it', async () => {
    const zone = '{ aggregate(by: { name: "zone-1" }) { uuid name } }';
    expect((await api.query(zone)).data).toEqual({ aggregate: { uuid: ZONE, name: 'zone-1' } });
    expect((await api.query('{ aggregate(by: { name: "Zone-1" }) { uuid } }')).data).toEqual({
      aggregate: null,
    });
    expect(await nameIt(ZONE, null)).toMatchObject({ aggregate: { uuid: ZONE, name: null } });
    expect((await api.query(zone)).data).toEqual({ aggregate: null });
    expect(await nameIt(ZONE, 'a zone \u{1f980}')).toMatchObject({ aggregate: { name: 'a zone \u{1f980}' } });
    expect(await nameIt(ZONE, 'zone-1')).toMatchObject({ aggregate: { name: 'zone-1' } });
  });

  test.each([
    [ZONE, 'rack-7', { code: 'DUPLICATE_NAME', message: `aggregate ${RACK} has the name "rack-7" already` }],
    ['aaaaaaaa-0000-4000-8000-00000000dead', 'new', { code: 'NOT_FOUND', entity: 'AGGREGATE' }],
    [ZONE, '', { code: 'INVALID_INPUT', path: ['name'] }],
    [ZONE, 'zone ', { code: 'INVALID_INPUT', path: ['name'] }],
    [ZONE, 'x'.repeat(201), { code: 'INVALID_INPUT', path: ['name'] }],
  ])('%s is not named %j', async (aggregate, name, rejection) => {
    expect(await nameIt(aggregate, name)).toMatchObject(rejection);
    expect((await api.query(`{ aggregate(by: { uuid: "${ZONE}" }) { name } }`)).data).toEqual({
      aggregate: { name: 'zone-1' },
    });
  });
});

test('one of two simultaneous requests for a name gets it', async () => {
  const answers = await Promise.all([nameIt(ZONE, 'wanted'), nameIt(RACK, 'wanted')]);
  expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
    'DuplicateNameError',
    'NameAggregatePayload',
  ]);
  await nameIt(ZONE, 'zone-1');
  await nameIt(RACK, 'rack-7');
});

describe('the rejection of an unknown trait or resource class suggests names', () => {
  beforeAll(() => api.mutate('createTrait', { name: 'CUSTOM_GOLD' }));

  const MEMORY = '; did you mean "MEMORY_MB"';
  test.each([
    [
      'resourceProviders(filter: { requiredTraits: "HW_CPU_X86_AVX22" }) { totalCount }',
      '; did you mean "HW_CPU_X86_AVX2"',
    ],
    ['resourceProviders(filter: { forbiddenTraits: "gold" }) { totalCount }', '; did you mean "CUSTOM_GOLD"'],
    [
      'resourceProviders(filter: { resources: { resourceClass: "MEMORY", amount: 1 } }) { totalCount }',
      MEMORY,
    ],
    ['consumers(filter: { resourceClass: "MEMORY" }) { totalCount }', MEMORY],
    ['fleetTotals(filter: { resourceClass: "MEMORY" }) { totalCount }', MEMORY],
    [
      'headroom(request: { groups: { resources: { resourceClass: "VCPUS", amount: 1 } } }) { count }',
      '; did you mean "VCPU"',
    ],
    [
      'allocationCandidates(request: { groups: { resources: { resourceClass: "memory_mb", amount: 1 } } }) { seed }',
      MEMORY,
    ],
    ['consumers(filter: { resourceClass: "QQQQQQQQQQQQ" }) { totalCount }', 'is unknown'],
  ])('%s', async (field, message) => {
    const failure = await api.failure(`{ ${field} }`);
    expect(failure.code).toBe('INVALID_INPUT');
    expect(failure.message).toContain(message);
    if (message === 'is unknown') expect(failure.message).not.toContain('did you mean');
  });

  test('deleteTrait, deleteResourceClass, setAllocations, claim and applyProviderTree', async () => {
    const owner = { consumer: ZONE, projectId: 'p', userId: 'u' };
    const resources = [{ resourceClass: 'VCPUU', amount: 1 }];
    const answers = [
      await api.mutate('deleteTrait', { name: 'CUSTOM_GOLDD' }),
      await api.mutate('deleteResourceClass', { name: 'VCPUU' }),
      await api.mutate('setAllocations', {
        consumers: [
          { ...owner, allocations: { providers: [{ resourceProvider: { name: 'host-0001' }, resources }] } },
        ],
      }),
      await api.mutate('claim', claimInput({ groups: [{ resources }] }, [owner])),
      await api.mutate('applyProviderTree', { root: { name: 'new', traits: ['CUSTOM_GOLDD'] } }),
    ];
    for (const { message } of answers) expect(message).toMatch(/; did you mean "(VCPU|CUSTOM_GOLD)"/);
  });

  test('a name of a megabyte gets a short message', async () => {
    const document = 'query ($name: String!) { consumers(filter: { resourceClass: $name }) { totalCount } }';
    const { message } = await api.failure(document, { name: 'V'.repeat(1_000_000) });
    expect(message.length).toBeLessThan(400);
  });
});
