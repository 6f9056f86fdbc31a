import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import {
  getNamedType,
  isObjectType,
  isUnionType,
  type GraphQLObjectType,
  type GraphQLUnionType,
} from 'graphql';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { buildSchema } from '../../src/api/schema.js';
import { useApi } from '../support/api.js';
import { claimed, requestOf, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

const COST = 10_000_000;
const { api } = useApi({
  hasBackground: false,
  limits: { ...OPERATION_LIMITS, cost: COST, costInAll: COST },
});
const schema = buildSchema();

/** What a write can change of objects with a generation, and many paths to such objects. */
const FRAGMENTS: Readonly<Record<string, string>> = {
  ProviderState: `on ResourceProvider {
    __typename uuid name generation createdAt updatedAt
    inventories { resourceClass { name } total reserved used capacity }
    usages { resourceClass { name } used }
    traits { name }
    treeTotals { resourceClass { name } capacity used }
  }`,
  ConsumerState: `on Consumer {
    __typename uuid generation projectId userId createdAt updatedAt
    type { name }
    allocations { amount resourceClass { name } }
  }`,
  AroundProvider: `on ResourceProvider {
    ...ProviderState
    ${['parent', 'root', 'children', 'descendants', 'ancestors']
      .map((path) => `${path} { ...ProviderState }`)
      .join(' ')}
    allocations(first: 9) { nodes { amount consumer { ...ConsumerState } resourceProvider { ...ProviderState } } }
    treeConsumers(first: 9) { nodes { ...ConsumerState } }
    inventories { resourceProvider { ...ProviderState } }
    aggregates { resourceProviders(first: 9) { nodes { ...ProviderState root { ...ProviderState } } } }
  }`,
  AroundConsumer: `on Consumer {
    ...ConsumerState
    allocations { consumer { ...ConsumerState } resourceProvider { ...AroundProvider } }
    providerAllocations { resourceProvider { ...ProviderState parent { ...ProviderState } } }
    project { consumers(first: 9) { nodes { ...ConsumerState } } }
  }`,
};

/** Adds the fragments that a document spreads. */
function withFragments(document: string): string {
  const added = Object.keys(FRAGMENTS).find(
    (name) => document.includes(`...${name}`) && !document.includes(`fragment ${name} `),
  );
  return added === undefined ? document : withFragments(`${document} fragment ${added} ${FRAGMENTS[added]}`);
}

/** Selects every path of a type that leads to providers and consumers. */
function selectionOf(type: GraphQLObjectType | GraphQLUnionType, above: readonly string[] = []): string {
  if (isUnionType(type))
    return type
      .getTypes()
      .map((one) => `... on ${one.name} { ${selectionOf(one, above)} }`)
      .join(' ');
  if (type.name === 'ResourceProvider') return '...AroundProvider';
  if (type.name === 'Consumer') return '...AroundConsumer';
  const fields = Object.values(type.getFields()).map((field) => {
    const inner = getNamedType(field.type);
    if (!(isObjectType(inner) || isUnionType(inner)) || above.includes(inner.name)) return '';
    const page = field.args.some(({ name }) => name === 'first') ? '(first: 9)' : '';
    return `${field.name}${page} { ${selectionOf(inner, [...above, type.name])} }`;
  });
  return `__typename ${fields.join(' ')}`;
}

interface Stateful {
  readonly __typename: string;
  readonly uuid: string;
  readonly generation: number;
}

/** Returns the objects of an answer that have a generation. */
function statesIn(value: unknown): Stateful[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(statesIn);
  return 'generation' in value ? [value as Stateful, ...inner] : inner;
}

const ROOT = randomUUID();
const NUMA = [randomUUID(), randomUUID()];
const RACK = { uuid: randomUUID() };
const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
const provider = (uuid: string) => ({ resourceProvider: { uuid } });
const owner = { projectId: 'p', userId: 'u' };

beforeAll(async () => {
  const inventories = { VCPU: 16 };
  await createProviders(api, {
    name: 'host',
    uuid: ROOT,
    aggregates: [RACK.uuid],
    inventories: { DISK_GB: 100 },
    children: NUMA.map((uuid, at) => ({ name: `numa${at}`, uuid, inventories })),
  });
  await claimed(api, { [NUMA[0]]: { VCPU: 1 }, [ROOT]: { DISK_GB: 1 } }, { projectId: 'p' });
});

/** An input of each mutation. They run in this order, each on the state that the earlier ones left. */
const INPUTS: Readonly<Record<string, (generation: (uuid: string) => Promise<number>) => unknown>> = {
  createResourceProvider: () => ({ name: 'gpu', parent: { uuid: ROOT } }),
  updateResourceProvider: () => ({
    ...provider(ROOT),
    inventories: { add: { resourceClass: 'MEMORY_MB', total: 64 } },
    traits: { add: 'HW_CPU_X86_AVX2' },
  }),
  setAllocations: () => ({
    consumers: [
      takes(first, null, { [NUMA[0]]: { VCPU: 2 }, [NUMA[1]]: { VCPU: 3 }, [ROOT]: { DISK_GB: 2 } }),
    ],
  }),
  claim: () => ({
    topology: [{ level: { tree: true }, members: ['member'], rule: 'SPREAD' }],
    members: [
      {
        name: 'member',
        requests: [requestOf({ VCPU: 4 })],
        consumers: [
          { consumer: second, ...owner },
          { consumer: first, generation: 1, ...owner, keepOldAs: { consumer: third } },
        ],
      },
    ],
  }),
  extendConsumers: async () => {
    const consumer = randomUUID();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const one = { ...takes(consumer, null, { [ROOT]: { DISK_GB: 1 } }), expiresAt };
    await api.mutate('setAllocations', { consumers: [one] }, '__typename');
    return { consumers: [{ consumer, generation: 1, expiresAt }] };
  },
  confirmConsumers: async () => {
    const consumer = randomUUID();
    const one = {
      ...takes(consumer, null, { [ROOT]: { DISK_GB: 1 } }),
      expiresAt: new Date(Date.now() + 3_600_000),
    };
    await api.mutate('setAllocations', { consumers: [one] }, '__typename');
    return { consumers: [{ consumer, generation: 1 }] };
  },
  unsetAllocations: () => ({ consumer: third, resourceClasses: ['VCPU'] }),
  reshape: async (generation) => ({
    inventories: [
      {
        ...provider(ROOT),
        generation: await generation(ROOT),
        inventories: [{ resourceClass: 'DISK_GB', total: 200 }],
      },
    ],
    allocations: [takes(second, 1, { [ROOT]: { DISK_GB: 5 } })],
  }),
  applyProviderTree: () => ({
    root: {
      uuid: ROOT,
      name: 'renamed',
      children: NUMA.map((uuid, at) => ({ uuid, name: `node${at}` })),
    },
    allocations: [takes(second, 2, { [ROOT]: { DISK_GB: 6 }, [NUMA[0]]: { VCPU: 1 } })],
  }),
  applyProviderTrees: () => ({
    owner: 'fleet',
    trees: [{ name: 'another', inventories: [{ resourceClass: 'DISK_GB', total: 10 }] }],
  }),
  rememberRequests: async () => {
    const consumer = randomUUID();
    const taken = takes(consumer, null, { [ROOT]: { DISK_GB: 1 } });
    await api.mutate('setAllocations', { consumers: [taken] }, '__typename');
    return { consumers: [consumer], request: requestOf({ DISK_GB: 1 }) };
  },
  setQuotas: () => ({ projects: [{ projectId: 'p', limits: [{ resourceClass: 'VCPU', limit: 99 }] }] }),
  deleteConsumer: () => ({ consumer: third }),
  nameAggregate: () => ({ aggregate: RACK, name: 'rack' }),
  updateAggregateMembers: () => ({ aggregate: RACK, add: [{ uuid: NUMA[0] }], remove: [{ uuid: ROOT }] }),
  deleteAggregates: async () => {
    const uuid = randomUUID();
    await api.mutate('updateAggregateMembers', { aggregate: { uuid }, add: [{ uuid: ROOT }] }, '__typename');
    await api.mutate(
      'updateAggregateMembers',
      { aggregate: { uuid }, remove: [{ uuid: ROOT }] },
      '__typename',
    );
    return { aggregates: [{ uuid }] };
  },
  createTrait: () => ({ name: 'CUSTOM_T' }),
  deleteTrait: () => ({ name: 'CUSTOM_T' }),
  createResourceClass: () => ({ name: 'CUSTOM_C' }),
  deleteResourceClass: () => ({ name: 'CUSTOM_C' }),
  deleteResourceProviders: async () => {
    const { deserted } = await createProviders(api, { name: 'deserted', children: [{ name: 'below it' }] });
    return { resourceProviders: [{ uuid: deserted }], recursive: true };
  },
  deleteResourceProvider: async () => {
    const { lonely } = await createProviders(api, { name: 'lonely' });
    return provider(lonely);
  },
};

async function generationOf(uuid: string): Promise<number> {
  const data = await api.read<{ resourceProvider: { generation: number } }>(
    `{ resourceProvider(by: { uuid: "${uuid}" }) { generation } }`,
  );
  return data.resourceProvider.generation;
}

/** Reads an object again in an operation of its own. */
async function readAgain({ __typename: type, uuid }: Stateful): Promise<Stateful> {
  const field =
    type === 'Consumer'
      ? 'consumer(uuid: $uuid) { ...ConsumerState }'
      : 'resourceProvider(by: { uuid: $uuid }) { ...ProviderState }';
  const document = withFragments(`query ($uuid: UUID!) { read: ${field} }`);
  return (await api.read<{ read: Stateful }>(document, { uuid })).read;
}

test('the test has an input for every mutation', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(schema.getMutationType()!.getFields()).sort());
});

test.each(Object.entries(INPUTS))(
  'all objects of the payload of %s show the state after it',
  async (field, inputOf) => {
    const name = field.charAt(0).toUpperCase() + field.slice(1);
    const payload = schema.getType(`${name}Payload`) as GraphQLObjectType;
    const document = `mutation ($input: ${name}Input!) {
    answer: ${field}(input: $input) {
      __typename ... on UserError { message } ... on ${payload.name} { ${selectionOf(payload)} }
    }
  }`;
    const input = await inputOf(generationOf);
    const { answer } = await api.read<{ answer: object }>(withFragments(document), { input });
    expect(answer).toMatchObject({ __typename: payload.name });
    for (const state of statesIn(answer)) expect(state).toMatchObject(await readAgain(state));
  },
);
