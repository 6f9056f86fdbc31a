import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  getNullableType,
  GraphQLString,
  isInputObjectType,
  isListType,
  typeFromAST,
  parse,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { buildSchema } from '../../src/api/schema.js';
import { startApi, type Api } from '../support/api.js';
import type { TestDatabase } from '../support/database.js';
import { unchanged } from '../support/unchanged.js';
import { placementDatabase } from './placementDatabase.js';
import { claimInput } from '../support/claims.js';

/** A character of four bytes, which OpenStack Placement's tables cannot hold by default (rule 7). */
const ICE = '\u{1F9CA}';

const HOST = '0a000000-0000-4000-8000-000000000001';
const NUMA = '0a000000-0000-4000-8000-000000000003';
const resources = [{ resourceClass: 'VCPU', amount: 1 }];
const inventories = [{ resourceClass: 'VCPU', total: 16 }];
const owner = { type: 'INSTANCE', projectId: 'p', userId: 'u' };
const consumer = { consumer: '0c000000-0000-4000-8000-000000000002', ...owner };
const allocations = [
  { ...consumer, allocations: { providers: [{ resourceProvider: { uuid: NUMA }, resources }] } },
];
const request = {
  rootRequiredTraits: [['HW_CPU_X86_AVX2']],
  rootForbiddenTraits: ['CUSTOM_GOLD'],
  isolate: ['_A'],
  orderBy: [
    { freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } },
    { preferTraits: [{ trait: 'HW_NUMA_ROOT' }] },
    { leastStranding: { weights: [{ resourceClass: 'VCPU', weight: 2 }] } },
  ],
  sameSubtree: [{ groups: ['_A', '_B'], except: ['_C'] }],
  groups: ['', '_A', '_B', '_C'].map((suffix) => ({
    suffix,
    canSplit: suffix === '' ? ['VCPU'] : [],
    forbiddenTraits: ['HW_CPU_X86_AVX2'],
    requiredTraits: [['HW_NUMA_ROOT']],
    resources,
  })),
};

/** Inputs of all mutations with every text that they can have. */
const WRITES: readonly (readonly [mutation: string, input: object])[] = [
  ['createResourceProvider', { name: 'a', traits: ['HW_NUMA_ROOT'], inventories }],
  [
    'updateResourceProvider',
    { resourceProvider: { uuid: HOST }, name: 'a', traits: { set: ['HW_NUMA_ROOT'] } },
  ],
  [
    'updateResourceProvider',
    { resourceProvider: { uuid: HOST }, traits: { add: ['HW_NUMA_ROOT'], remove: ['CUSTOM_GOLD'] } },
  ],
  ['updateResourceProvider', { resourceProvider: { uuid: NUMA }, inventories: { set: inventories } }],
  [
    'updateResourceProvider',
    {
      resourceProvider: { uuid: NUMA },
      inventories: {
        add: [
          {
            resourceClass: 'DISK_GB',
            total: 16,
            consumes: [{ resourceProvider: { uuid: NUMA }, resourceClass: 'VCPU' }],
          },
        ],
        patch: [{ resourceClass: 'VCPU', minUnit: 1 }],
      },
    },
  ],
  ['updateResourceProvider', { resourceProvider: { uuid: NUMA }, inventories: { remove: ['VCPU'] } }],
  ['createTrait', { name: 'CUSTOM_A' }],
  ['deleteTrait', { name: 'CUSTOM_GOLD' }],
  ['createResourceClass', { name: 'CUSTOM_A' }],
  ['deleteResourceClass', { name: 'CUSTOM_A' }],
  ['setAllocations', { consumers: allocations }],
  ['unsetAllocations', { consumer: allocations[0].consumer, resourceClasses: ['VCPU'] }],
  [
    'reshape',
    { allocations, inventories: [{ resourceProvider: { uuid: NUMA }, generation: 2, inventories }] },
  ],
  [
    'applyProviderTree',
    {
      allocations,
      root: { name: 'r', traits: ['HW_NUMA_ROOT'], inventories, children: [{ name: 'c' }] },
    },
  ],
  [
    'setQuotas',
    {
      projects: [{ projectId: 'p', limits: [{ resourceClass: 'VCPU', limit: 9 }] }],
      groups: [{ group: 'g', projects: ['p'] }],
    },
  ],
  // there must be candidates
  [
    'claim',
    {
      ...claimInput({ ...request, sameSubtree: [] }, [consumer]),
      topology: [{ level: { trait: 'HW_NUMA_ROOT' }, members: ['member'], rule: 'PACK' }],
    },
  ],
];

const PAGE = '{ nodes { __typename } }';
const ORDER = { orderBy: [{ used: { resourceClass: 'VCPU' } }] };
const READS: Readonly<Record<string, object>> = {
  [`query ($filter: ResourceProviderFilter) { resourceProviders(filter: $filter) ${PAGE} }`]: {
    filter: {
      name: 'cn1',
      requiredTraits: [['HW_NUMA_ROOT']],
      forbiddenTraits: ['CUSTOM_GOLD'],
      resources,
      nameContains: 'cn',
      nameStartsWith: 'cn',
      hasTraitInTree: [['HW_NUMA_ROOT']],
    },
  },
  [`query ($orderBy: [ResourceProviderOrderInput!]!) { resourceProviders(orderBy: $orderBy) ${PAGE} }`]:
    ORDER,
  [`query ($orderBy: [ConsumerOrderInput!]!) { consumers(orderBy: $orderBy) ${PAGE} }`]: ORDER,
  [`query ($orderBy: [OwnerOrderInput!]!) { projects(orderBy: $orderBy) ${PAGE} }`]: ORDER,
  'query ($tree: UUID!, $requests: [DrainRequestInput!]!) { planDrain(from: { providers: { uuid: $tree } }, requests: $requests) { complete } }':
    {
      tree: HOST,
      requests: [{ consumers: { type: 'INSTANCE' }, request: { groups: [{ resources }] } }],
    },
  'query ($input: RebalanceInput!) { planRebalance(input: $input) { moveCount } }': {
    input: { goal: 'FIX', resourceClasses: ['VCPU'], keepTypes: ['INSTANCE'] },
  },
  [`query ($filter: ConsumerFilter) { consumers(filter: $filter) ${PAGE} }`]: {
    filter: { type: { name: 'INSTANCE' }, projectId: 'p', userId: 'u', resourceClass: 'VCPU' },
  },
  [`query ($filter: FleetTotalsFilter) { fleetTotals(filter: $filter, groupBy: TRAIT) ${PAGE} }`]: {
    filter: { requiredTraits: [['HW_NUMA_ROOT']], resourceClass: 'VCPU' },
  },
  'query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { complete } }': {
    request,
  },
  'query ($request: AllocationCandidatesInput!) { headroom(request: $request) { __typename } }': { request },
  'query ($request: AllocationCandidatesInput!, $whatIf: WhatIfInput!) { headroom(request: $request, whatIf: $whatIf) { __typename } }':
    { request, whatIf: { scale: [{ resourceClass: 'VCPU', factor: 2 }] } },
  [`query ($filter: QuotaFilter) { quotas(filter: $filter) ${PAGE} }`]: {
    filter: { projectId: 'p', resourceClass: 'VCPU' },
  },
  'query ($makeRoom: MakeRoomInput!, $input: ClaimInput!) { planWorkload(input: $input, makeRoom: $makeRoom) { outcome } }':
    {
      input: claimInput({ groups: request.groups.slice(0, 1) }, [consumer]),
      makeRoom: { movable: { consumerTypes: ['INSTANCE'], projects: ['p'] } },
    },
  'query ($filter: TraitFilter) { traits(filter: $filter) { name } }': {
    filter: { nameIn: ['HW_NUMA_ROOT'], startsWith: 'HW' },
  },
  'query ($filter: ResourceClassFilter) { resourceClasses(filter: $filter) { name } }': {
    filter: { nameIn: ['VCPU'], startsWith: 'V' },
  },
  'query ($by: ProviderRef!) { resourceProvider(by: $by) { name } }': { by: { name: 'cn1' } },
  'query ($name: String!) { trait(name: $name) { name } resourceClass(name: $name) { name } }': {
    name: 'VCPU',
  },
  'query ($projectId: String!, $userId: String) { usages(projectId: $projectId, userId: $userId) { consumerCount } }':
    { projectId: 'p', userId: 'u' },
};

/** The same inputs with names in place of uuids. */
const WRITES_BY_NAME: readonly (readonly [mutation: string, input: object])[] = [
  ['createResourceProvider', { name: 'a', parent: { name: 'cn1' }, aggregates: [{ name: 'zone' }] }],
  ['updateResourceProvider', { resourceProvider: { name: 'cn1' }, parent: { name: 'cn1' } }],
  ['deleteResourceProvider', { resourceProvider: { name: 'cn1' } }],
  ['updateResourceProvider', { resourceProvider: { name: 'cn1' }, aggregates: { set: [{ name: 'zone' }] } }],
  [
    'updateResourceProvider',
    { resourceProvider: { name: 'cn1' }, aggregates: { add: [{ name: 'zone' }], remove: [{ uuid: HOST }] } },
  ],
  [
    'updateResourceProvider',
    { resourceProvider: { name: 'cn1' }, aggregates: { remove: [{ name: 'zone' }] } },
  ],
  ['unsetAllocations', { consumer: consumer.consumer, resourceProviders: [{ name: 'cn1' }] }],
  [
    'claim',
    claimInput({ groups: request.groups.slice(0, 1) }, [
      {
        ...consumer,
        consumer: '0c000000-0000-4000-8000-000000000001',
        generation: 1,
        keepOldAs: { consumer: NUMA, type: 'MIGRATION' },
      },
    ]),
  ],
  [
    'setAllocations',
    {
      consumers: [
        { ...consumer, allocations: { providers: [{ resourceProvider: { name: 'cn1' }, resources }] } },
      ],
    },
  ],
  [
    'reshape',
    { allocations: [], inventories: [{ resourceProvider: { name: 'cn1' }, generation: 2, inventories }] },
  ],
  ['applyProviderTree', { root: { name: 'r', aggregates: [{ name: 'zone' }] } }],
];
const REQUEST_BY_NAME = {
  rootMemberOf: [[{ name: 'zone' }]],
  rootForbiddenAggregates: [{ name: 'zone' }],
  notInTrees: [{ name: 'cn1' }],
  groups: [
    {
      resources,
      inTree: { name: 'cn1' },
      inSubtree: { name: 'cn1' },
      memberOf: [[{ name: 'zone' }]],
      forbiddenAggregates: [{ name: 'zone' }],
    },
  ],
};
const READS_BY_NAME: Readonly<Record<string, object>> = {
  'query ($input: RebalanceInput!) { planRebalance(input: $input) { moveCount } }': {
    input: { goal: 'FIX', scope: { name: 'zone' } },
  },
  [`query ($filter: ResourceProviderFilter) { list: resourceProviders(filter: $filter) ${PAGE} }`]: {
    filter: {
      inTree: { name: 'cn1' },
      memberOf: [[{ name: 'zone' }]],
      memberOfInTree: [[{ name: 'zone' }]],
      forbiddenAggregates: [{ name: 'zone' }],
    },
  },
  [`query ($filter: ConsumerFilter) { list: consumers(filter: $filter) ${PAGE} }`]: {
    filter: { inTree: { name: 'cn1' } },
  },
  [`query ($filter: FleetTotalsFilter) { list: fleetTotals(filter: $filter) ${PAGE} }`]: {
    filter: { inTree: { name: 'cn1' }, memberOf: [[{ name: 'zone' }]] },
  },
  'query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) { seed } }': {
    request: REQUEST_BY_NAME,
  },
  'query ($name: String!) { aggregate(by: { name: $name }) { uuid } }': { name: 'zone' },
};
/** Texts of our tables only. */
const OWN = [
  'NameAggregateInput.name',
  'ApplyProviderTreesInput.owner',
  'QuotaFilter.group',
  'QuotaGroupInput.group',
  'WorkloadNameInput.name',
];
const ALL_WRITES = [...WRITES, ...WRITES_BY_NAME];
const ALL_READS = [...Object.entries(READS), ...Object.entries(READS_BY_NAME)];

let schema: GraphQLSchema;
let database: TestDatabase;
let api: Api;
beforeAll(async () => {
  schema = buildSchema();
  database = await placementDatabase();
  await adopt(database);
  await migrate(database);
  await database.pool.query(
    `INSERT INTO placement_aggregate_names (aggregate_uuid, name, created_at) VALUES ('${HOST}', 'zone', UTC_TIMESTAMP())`,
  );
  api = await startApi(database);
});
afterAll(async () => {
  expect(api.logged).toEqual([]);
  await api.close();
  await database.close();
});

interface Spot {
  /** The position in the value. */
  readonly path: readonly string[];
  /** The field, with the name of its input type. */
  readonly field: string;
}

/** Returns the free texts in a value of this type. */
function textsIn(type: GraphQLInputType, value: unknown, path: readonly string[], field = ''): Spot[] {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    return (value as unknown[]).flatMap((each, at) =>
      textsIn(bare.ofType, each, [...path, String(at)], field),
    );
  }
  if (isInputObjectType(bare)) {
    return Object.entries(value as object).flatMap(([name, each]) =>
      textsIn(bare.getFields()[name].type, each, [...path, name], `${bare.name}.${name}`),
    );
  }
  return bare === GraphQLString && !OWN.includes(field) ? [{ path, field }] : [];
}

/** The value with this text behind the one at the path. */
function appended(value: unknown, [first, ...rest]: readonly string[], text: string): unknown {
  if (first === undefined) return String(value) + text;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[first] = appended(copy[first], rest, text);
  return copy;
}

const inputOf = (mutation: string): GraphQLInputType =>
  schema.getMutationType()!.getFields()[mutation].args[0].type;

function spotsOfRead(document: string, variables: object): Spot[] {
  const [operation] = parse(document).definitions as OperationDefinitionNode[];
  return operation.variableDefinitions!.flatMap(({ variable, type }) => {
    const name = variable.name.value;
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
    return textsIn(inputType, variables[name as keyof object], [name]);
  });
}

test('every text of every input is among those below', () => {
  const tried = new Set(
    [
      ...ALL_WRITES.flatMap(([name, input]) => textsIn(inputOf(name), input, [])),
      ...ALL_READS.flatMap(([document, variables]) => spotsOfRead(document, variables)),
    ].map(({ field }) => field),
  );
  const all = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => getNamedType(field.type) === GraphQLString)
        .map(({ name }) => `${type.name}.${name}`),
    )
    // their tables are ours, which hold every character
    .filter((field) => !OWN.includes(field));
  expect(all.filter((field) => !tried.has(field))).toEqual([]);
  expect(all.length).toBeGreaterThan(30);
});

describe('a write with such a text is refused by the name of the field, and changes nothing', () => {
  test.each(ALL_WRITES)('%s %j', async (mutation, input) => {
    const spots = textsIn(inputOf(mutation), input, []);
    expect(spots).not.toEqual([]);
    await unchanged(database, async () => {
      for (const { path } of spots) {
        const answer = await api.mutate(mutation, appended(input, path, ICE) as object);
        if (
          path.join() === 'name'
            ? mutation.startsWith('delete')
            : /(resourceProvider|parent|resourceProviders,\d+),name$/.test(path.join())
        ) {
          expect(answer).toMatchObject({ code: 'NOT_FOUND' });
        } else {
          expect({ path, answer }).toMatchObject({ path, answer: { code: 'INVALID_INPUT', path } });
        }
      }
    });
  });
});

describe('a read with such a text finds nothing, or is refused by the name of the field', () => {
  test.each(ALL_READS)('%s', async (document, variables) => {
    for (const { path } of spotsOfRead(document, variables)) {
      const { errors } = await api.query(document, appended(variables, path, ICE) as object);
      expect(errors?.map(({ extensions: { code } }) => code) ?? ['INVALID_INPUT']).toContain('INVALID_INPUT');
      for (const { extensions } of errors ?? []) {
        expect(path.slice(-extensions.path!.length)).toEqual(extensions.path);
      }
    }
  });
});

test('a text of three bytes a character is taken', async () => {
  const name = 'größe-箱';
  expect(await api.mutate('createResourceProvider', { name })).toMatchObject({
    __typename: 'CreateResourceProviderPayload',
  });
  const owned = [{ ...allocations[0], consumer: randomUUID(), projectId: name, userId: name }];
  expect(await api.mutate('setAllocations', { consumers: owned })).toMatchObject({
    __typename: 'SetAllocationsPayload',
  });
});
