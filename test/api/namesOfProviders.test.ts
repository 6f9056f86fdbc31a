import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLType,
} from 'graphql';
import { buildSchema } from '../../src/schema/schema.js';
import { claimed } from '../support/claims.js';
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
  api.mutate('nameAggregate', { aggregate, name }, 'aggregate { uuid name }');

describe('the schema', () => {
  /** What takes uuids of something else than providers, or of a provider that is not there yet. */
  const OF_OTHERS = new Set([
    'aggregate',
    'aggregates',
    'awayFromConsumers',
    'consumer',
    'forbiddenAggregates',
    'memberOf',
    'memberOfInTree',
    'nearConsumers',
    'rootForbiddenAggregates',
    'rootMemberOf',
    'uuid',
    'uuidIn',
  ]);

  const shapeOf = (type: GraphQLType): string => {
    if (isNonNullType(type)) return shapeOf(type.ofType);
    return isListType(type) ? `[${shapeOf(type.ofType)}]` : getNamedType(type).name;
  };

  type Inputs = readonly (GraphQLInputField | GraphQLArgument)[];
  const places = Object.values(buildSchema().getTypeMap()).flatMap((type): [string, Inputs][] => {
    if (isInputObjectType(type)) return [[type.name, Object.values(type.getFields())]];
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field.args]);
  });

  test('takes a name wherever it takes the uuid of a provider', () => {
    const wrong: string[] = [];
    let found = 0;
    for (const [place, inputs] of places) {
      for (const { name, type } of inputs) {
        if (getNamedType(type).name !== 'UUID' || OF_OTHERS.has(name)) continue;
        found++;
        const twin = isListType(isNonNullType(type) ? type.ofType : type)
          ? `${name.slice(0, -1)}Names`
          : `${name}Name`;
        const other = inputs.find((input) => input.name === twin);
        const isAlike = other && shapeOf(other.type) === shapeOf(type).replace('UUID', 'String');
        if (!isAlike || (isNonNullType(type) && !isListType(type.ofType))) wrong.push(`${place}.${name}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(15);
  });

  test('takes names wherever it takes uuids of aggregates as a condition', () => {
    for (const [place, inputs] of places) {
      const names = inputs.map(({ name }) => name);
      for (const [of, by] of [
        ['memberOf', 'memberOfNames'],
        ['rootMemberOf', 'rootMemberOfNames'],
        ['forbiddenAggregates', 'forbiddenAggregateNames'],
        ['rootForbiddenAggregates', 'rootForbiddenAggregateNames'],
        ['aggregates', 'aggregateNames'],
      ])
        if (names.includes(of)) expect([place, names]).toEqual([place, expect.arrayContaining([by])]);
    }
  });
});

describe('a write by name', () => {
  const generation = async (name: string) =>
    (
      await api.query<{ resourceProvider: { generation: number } }>(
        `{ resourceProvider(by: { name: "${name}" }) { generation } }`,
      )
    ).data.resourceProvider.generation;

  test('does what it does by uuid', async () => {
    const resourceProviderName = 'host-0002';
    const changes: [string, object][] = [
      ['setInventory', { inventory: { resourceClass: 'DISK_GB', total: 10 } }],
      ['setTraits', { traits: ['HW_NUMA_ROOT'] }],
      ['setAggregates', { aggregates: [RACK], aggregateNames: ['zone-1', 'rack-7'] }],
      ['deleteInventory', { resourceClass: 'DISK_GB' }],
      ['setInventories', { inventories: [{ resourceClass: 'VCPU', total: 8 }] }],
      ['updateResourceProvider', { parentName: 'host-0001' }],
      ['updateResourceProvider', { makeRoot: true }],
      ['setAggregates', { aggregates: [], aggregateNames: ['rack-7'] }],
    ];
    for (const [mutation, input] of changes) {
      const given = { resourceProviderName, generation: await generation(resourceProviderName), ...input };
      expect(await api.mutate(mutation, given, 'resourceProvider { uuid }')).toMatchObject({
        resourceProvider: { uuid: uuids['host-0002'] },
      });
    }
    const { data } = await api.query(
      '{ resourceProvider(by: { name: "host-0002" }) { traits { name } aggregates { name } parent { name } } }',
    );
    expect(data).toEqual({
      resourceProvider: {
        traits: [{ name: 'HW_NUMA_ROOT' }],
        aggregates: [{ name: 'rack-7' }],
        parent: null,
      },
    });
  });

  test('creates and deletes, claims and reshapes', async () => {
    await api.mutate('createResourceProvider', { name: 'nic', parentName: 'host-0001' });
    expect(await api.mutate('deleteResourceProvider', { resourceProviderName: 'nic' }, 'uuid')).toMatchObject(
      {
        __typename: 'DeleteResourceProviderPayload',
      },
    );
    const consumer = '11111111-0000-4000-8000-000000000000';
    const allocations = [
      { resourceProviderName: 'host-0001', resources: [{ resourceClass: 'VCPU', amount: 2 }] },
      { resourceProvider: uuids['host-0002'], resources: [{ resourceClass: 'VCPU', amount: 1 }] },
    ];
    const owner = { consumer, projectId: 'p', userId: 'u' };
    expect(
      await api.mutate(
        'setAllocations',
        { consumers: [{ ...owner, allocations }] },
        'consumers { providerAllocations { resourceProvider { name } resources { amount } } }',
      ),
    ).toMatchObject({
      consumers: [
        {
          providerAllocations: [
            { resourceProvider: { name: 'host-0001' }, resources: [{ amount: 2 }] },
            { resourceProvider: { name: 'host-0002' }, resources: [{ amount: 1 }] },
          ],
        },
      ],
    });
    const inventories = [
      {
        resourceProviderName: 'host-0002',
        generation: await generation('host-0002'),
        inventories: [{ resourceClass: 'VCPU', total: 9 }],
      },
    ];
    expect(
      await api.mutate('reshape', {
        inventories,
        allocations: [{ ...owner, consumerGeneration: 1, allocations: [allocations[0]] }],
      }),
    ).toMatchObject({ __typename: 'ReshapePayload' });
    expect(await api.mutate('deleteAllocations', { consumer })).toMatchObject({
      __typename: 'DeleteAllocationsPayload',
    });
  });

  test('of both, of neither, or of one that is unknown is refused, and changes nothing', async () => {
    const both = { resourceProvider: uuids['host-0001'], resourceProviderName: 'host-0001' };
    for (const [given, message] of [
      [both, 'give resourceProvider or resourceProviderName, not both'],
      [{}, 'neither resourceProvider nor resourceProviderName is given'],
    ] as const)
      expect(await api.mutate('setTraits', { ...given, generation: 0, traits: [] })).toMatchObject({
        code: 'INVALID_INPUT',
        message,
      });
    await api.query('{ fleetTotals { totalCount } }'); // loads the snapshot, which has the names
    expect(await api.mutate('deleteResourceProvider', { resourceProviderName: 'host-001' })).toMatchObject({
      code: 'NOT_FOUND',
      message:
        'no resource provider has the name "host-001" (resourceProviderName); did you mean "host-0001" or "host-0002"?',
    });
    expect(
      await api.mutate('deleteResourceProvider', { resourceProviderName: 'HOST-0002' }, '__typename'),
    ).toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.query('{ resourceProviders { totalCount } }')).data).toEqual({
      resourceProviders: { totalCount: 3 },
    });
  });

  test('looks all names up in one statement; one by uuid looks nothing up', async () => {
    const consumer = '22222222-0000-4000-8000-000000000000';
    const write = async (byName: boolean) => {
      const allocations = ['host-0001', 'host-0002'].map((name) => ({
        ...(byName ? { resourceProviderName: name } : { resourceProvider: uuids[name] }),
        resources: [{ resourceClass: 'VCPU', amount: 1 }],
      }));
      const owner = { consumer, projectId: 'p', userId: 'u' };
      const statements = await api.statements(() =>
        api.mutate('setAllocations', { consumers: [{ ...owner, allocations }] }),
      );
      await api.mutate('deleteAllocations', { consumer });
      return statements.length;
    };
    await write(false);
    expect((await write(true)) - (await write(false))).toBe(1);
  });
});

describe('a search by name', () => {
  const ask = (request: object, selection: string) =>
    api.query<{ allocationCandidates: { allocationRequests: object[] } | null }>(
      `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { allocationRequests { ${selection} } } }`,
      { request: { seed: 1, ...request } },
    );
  const resources = [{ resourceClass: 'VCPU', amount: 1 }];
  const AS_TEXT = 'allocations { resourceProvider { name } }';
  // createdAt is read from the database
  const BY_RESOLVERS = 'allocations { resourceProvider { name createdAt } }';

  test.each([
    ['inTreeName', { groups: [{ resources, inTreeName: 'host-0001-numa0' }] }, 'host-0001'],
    ['inSubtreeName', { groups: [{ resources, inSubtreeName: 'host-0002' }] }, 'host-0002'],
    ['memberOfNames', { groups: [{ resources, memberOfNames: [['zone-1']] }] }, 'host-0001'],
    [
      'forbiddenAggregateNames',
      { groups: [{ resources, forbiddenAggregateNames: ['zone-1'] }] },
      'host-0002',
    ],
    ['rootMemberOfNames', { groups: [{ resources }], rootMemberOfNames: [['rack-7']] }, 'host-0002'],
    [
      'rootForbiddenAggregateNames',
      { groups: [{ resources }], rootForbiddenAggregateNames: ['rack-7'] },
      'host-0001',
    ],
    [
      'memberOf and memberOfNames',
      { groups: [{ resources, memberOf: [[ZONE, RACK]], memberOfNames: [['rack-7']] }] },
      'host-0002',
    ],
  ])('%s', async (_what, request, name) => {
    for (const selection of [AS_TEXT, BY_RESOLVERS]) {
      const { data, errors } = await ask(request, selection);
      expect(errors).toBeUndefined();
      expect(data.allocationCandidates!.allocationRequests).toMatchObject([
        { allocations: [{ resourceProvider: { name } }] },
      ]);
    }
  });

  test.each([
    [{ groups: [{ resources, inTreeName: 'host-001' }] }, ['groups', '0', 'inTreeName'], 'host-0001'],
    [
      { groups: [{ resources, memberOfNames: [['zone']] }] },
      ['groups', '0', 'memberOfNames', '0', '0'],
      'zone-1',
    ],
    [{ groups: [{ resources }], rootMemberOfNames: [['rack7']] }, ['rootMemberOfNames', '0', '0'], 'rack-7'],
    [
      { groups: [{ resources, inTree: ZONE, inTreeName: 'host-0001' }] },
      ['groups', '0', 'inTreeName'],
      'not both',
    ],
    [{ groups: [{ resources, memberOfNames: [[]] }] }, ['groups', '0', 'memberOfNames', '0'], 'empty list'],
    [
      { groups: [{ resources, forbiddenAggregateNames: ['zone-1', 'zone-1'] }] },
      ['groups', '0', 'forbiddenAggregateNames', '1'],
      'twice',
    ],
  ])('%j is INVALID_INPUT', async (request, path, message) => {
    const { data, errors } = await ask(request, AS_TEXT);
    expect(data).toEqual({ allocationCandidates: null });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path } }]);
    expect(errors![0].message).toContain(message);
    const consumers = [{ consumer: ZONE, projectId: 'p', userId: 'u' }];
    expect(await api.mutate('claim', { request, consumers })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('lists and totals', async () => {
    const consumer = await claimed(api, { [uuids['host-0001']]: { VCPU: 1 } });
    const { data, errors } = await api.query(
      `{ resourceProviders(filter: { inTreeName: "host-0001" }) { nodes { name } }
         zone: resourceProviders(filter: { memberOfNames: "zone-1" }) { nodes { name } }
         others: resourceProviders(filter: { forbiddenAggregateNames: ["zone-1"], rootsOnly: true }) { nodes { name } }
         consumers(filter: { inTreeName: "host-0001-numa0" }) { nodes { uuid } }
         fleetTotals(filter: { memberOfNames: "zone-1", resourceClass: "VCPU" }, groupBy: AGGREGATE) {
           nodes { group groupName capacity } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      resourceProviders: { nodes: [{ name: 'host-0001' }, { name: 'host-0001-numa0' }] },
      zone: { nodes: [{ name: 'host-0001' }] },
      others: { nodes: [{ name: 'host-0002' }] },
      consumers: { nodes: [{ uuid: consumer }] },
      fleetTotals: { nodes: [{ group: ZONE, groupName: 'zone-1', capacity: 8 }] },
    });
    await api.mutate('deleteAllocations', { consumer });
  });
});

describe('an aggregate', () => {
  test('is found by its name, and loses it', async () => {
    const zone = '{ aggregate(name: "zone-1") { uuid name } }';
    expect((await api.query(zone)).data).toEqual({ aggregate: { uuid: ZONE, name: 'zone-1' } });
    expect((await api.query('{ aggregate(name: "Zone-1") { uuid } }')).data).toEqual({ aggregate: null });
    for (const args of ['', `(uuid: "${ZONE}", name: "zone-1")`])
      expect((await api.query(`{ aggregate${args} { uuid } }`)).errors).toMatchObject([
        { extensions: { code: 'INVALID_INPUT' } },
      ]);
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
    expect((await api.query(`{ aggregate(uuid: "${ZONE}") { name } }`)).data).toEqual({
      aggregate: { name: 'zone-1' },
    });
  });
});

test('of two that want one name at once one gets it', async () => {
  const answers = await Promise.all([nameIt(ZONE, 'wanted'), nameIt(RACK, 'wanted')]);
  expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
    'DuplicateNameError',
    'NameAggregatePayload',
  ]);
  await nameIt(ZONE, 'zone-1');
  await nameIt(RACK, 'rack-7');
});

describe('an unknown trait or resource class: what may have been meant', () => {
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
    const { errors } = await api.query(`{ ${field} }`);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    expect(errors![0].message).toContain(message);
    if (message === 'is unknown') expect(errors![0].message).not.toContain('did you mean');
  });

  test.each([
    ['setTraits', { generation: 0, traits: ['HW_NUMA_ROT'] }, '"HW_NUMA_ROOT"'],
    ['setInventory', { generation: 0, inventory: { resourceClass: 'VCPUU', total: 1 } }, '"VCPU"'],
    ['setInventories', { generation: 0, inventories: [{ resourceClass: 'VCPUU', total: 1 }] }, '"VCPU"'],
    ['deleteInventory', { resourceClass: 'VCPUU' }, '"VCPU"'],
  ])('%s', async (mutation, input, meant) => {
    const answer = await api.mutate(mutation, { resourceProviderName: 'host-0001', ...input });
    expect(answer).toMatchObject({ code: 'INVALID_INPUT' });
    expect(answer.message).toContain(`is unknown; did you mean ${meant}`);
  });

  test('deleteTrait, deleteResourceClass, setAllocations, claim and applyProviderTree', async () => {
    const owner = { consumer: ZONE, projectId: 'p', userId: 'u' };
    const resources = [{ resourceClass: 'VCPUU', amount: 1 }];
    const answers = [
      await api.mutate('deleteTrait', { name: 'CUSTOM_GOLDD' }),
      await api.mutate('deleteResourceClass', { name: 'VCPUU' }),
      await api.mutate('setAllocations', {
        consumers: [{ ...owner, allocations: [{ resourceProviderName: 'host-0001', resources }] }],
      }),
      await api.mutate('claim', { request: { groups: [{ resources }] }, consumers: [owner] }),
      await api.mutate('applyProviderTree', { root: { name: 'new', traits: ['CUSTOM_GOLDD'] } }),
    ];
    for (const { message } of answers) expect(message).toMatch(/; did you mean "(VCPU|CUSTOM_GOLD)"/);
  });

  test('a name of a megabyte is looked at no further', async () => {
    const { errors } = await api.query(
      'query ($name: String!) { consumers(filter: { resourceClass: $name }) { totalCount } }',
      {
        name: 'V'.repeat(1_000_000),
      },
    );
    expect(errors![0].message.length).toBeLessThan(400);
  });
});
