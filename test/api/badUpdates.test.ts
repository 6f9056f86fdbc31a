import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let host: string;
beforeAll(async () => {
  ({ host } = await createProviders(api, {
    name: 'host',
    inventories: { VCPU: 8, MEMORY_MB: 64 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: ['aaaaaaaa-0000-4000-8000-000000000001'],
  }));
});

/** Errors of `@oneOf` inputs: in a document, and in a variable. */
describe('a reference without exactly one field', () => {
  test.each([
    ['{}', {}],
    [`{ uuid: "${UNKNOWN}", name: "host" }`, { uuid: UNKNOWN, name: 'host' }],
  ])('%s', async (literal, value) => {
    const places: [(reference: string) => string, (reference: object) => object, string[]][] = [
      [
        (ref) => `resourceProvider: ${ref}, name: "x"`,
        (ref) => ({ resourceProvider: ref, name: 'x' }),
        ['resourceProvider'],
      ],
      [
        (ref) => `resourceProvider: { name: "host" }, parent: ${ref}`,
        (ref) => ({ resourceProvider: { name: 'host' }, parent: ref }),
        ['parent'],
      ],
      [
        (ref) => `resourceProvider: { name: "host" }, aggregates: { add: [{ uuid: "${UNKNOWN}" }, ${ref}] }`,
        (ref) => ({ resourceProvider: { name: 'host' }, aggregates: { add: [{ uuid: UNKNOWN }, ref] } }),
        ['aggregates', 'add', '1'],
      ],
    ];
    for (const [inDocument, inVariable, path] of places)
      await unchanged(database, async () => {
        const { errors } = await api.query(
          `mutation { updateResourceProvider(input: { ${inDocument(literal)} }) { __typename } }`,
        );
        expect(errors).toHaveLength(1);
        expect(errors).toMatchObject([
          { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', path: ['input', ...path] } },
        ]);
        const other = await api.query(
          'mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }',
          { input: inVariable(value) },
        );
        expect(other.errors).toHaveLength(1);
        expect(other.errors).toMatchObject([
          { extensions: { code: 'BAD_USER_INPUT', path: ['input', ...path] } },
        ]);
      });
  });
});

describe('a rejected update names the path of the value, and changes nothing', () => {
  const one = { resourceClass: 'VCPU', total: 1 };
  const rejected: [edits: object, code: string, path: string[], message?: string][] = [
    [{ name: '' }, 'INVALID_INPUT', ['name']],
    [{ parent: { none: false } }, 'INVALID_INPUT', ['parent', 'none']],
    [{ parent: { name: 'hots' } }, 'NOT_FOUND', ['parent', 'name'], '"host"'],
    [{ parent: { uuid: UNKNOWN } }, 'NOT_FOUND', ['parent']],
    [{ parent: { name: 'host' } }, 'ILLEGAL_REPARENT', ['parent']],
    [{ name: 'x', generation: 7 }, 'PROVIDER_GENERATION_CONFLICT', ['generation']],
    [{ aggregates: { set: [], add: [] } }, 'INVALID_INPUT', ['aggregates', 'set'], 'add, remove'],
    [{ aggregates: { remove: [{ name: 'zone' }] } }, 'INVALID_INPUT', ['aggregates', 'remove', '0', 'name']],
    [{ traits: {} }, 'INVALID_INPUT', ['traits'], 'states no edit'],
    [{ traits: { add: ['HW_NUMA_ROT'] } }, 'INVALID_INPUT', ['traits', 'add', '0'], '"HW_NUMA_ROOT"'],
    [
      { traits: { add: ['HW_NUMA_ROOT'], remove: ['HW_NUMA_ROOT'] } },
      'INVALID_INPUT',
      ['traits', 'remove', '0'],
      'both add and remove',
    ],
    [
      { inventories: { set: [one], patch: [one] } },
      'INVALID_INPUT',
      ['inventories', 'set'],
      'add, patch, remove',
    ],
    [
      { inventories: { add: [one], remove: ['VCPU'] } },
      'INVALID_INPUT',
      ['inventories', 'remove', '0'],
      'given twice',
    ],
    [
      { inventories: { patch: [{ resourceClass: 'VCPUU' }] } },
      'INVALID_INPUT',
      ['inventories', 'patch', '0', 'resourceClass'],
      '"VCPU"',
    ],
    [
      { inventories: { patch: [{ resourceClass: 'PCPU', total: 1 }] } },
      'NOT_FOUND',
      ['inventories', 'patch', '0', 'resourceClass'],
    ],
    [{ inventories: { remove: ['PCPU'] } }, 'NOT_FOUND', ['inventories', 'remove', '0']],
    [{ inventories: { remove: ['VCPU'] } }, 'INVENTORY_IN_USE', ['inventories', 'remove', '0']],
    [{ inventories: { set: [] } }, 'INVENTORY_IN_USE', ['inventories', 'set']],
    [{}, 'INVALID_INPUT', [], 'states no edit'],
  ];
  beforeAll(async () => {
    await api.mutate('setAllocations', {
      consumers: [
        {
          consumer: UNKNOWN,
          projectId: 'p',
          userId: 'u',
          allocations: {
            providers: [
              { resourceProvider: { uuid: host }, resources: [{ resourceClass: 'VCPU', amount: 1 }] },
            ],
          },
        },
      ],
    });
  });
  test.each(rejected)('%j', async (edits, code, path, message = '') => {
    const input = { resourceProvider: { name: 'host' }, ...edits };
    const answer = await unchanged(database, () => api.mutate('updateResourceProvider', input));
    expect(answer).toMatchObject({ code, path });
    expect(answer.message).toContain(message);
  });
});

test('errors of other mutations name their path, too', async () => {
  const allocations = (resourceProvider: string, amount: number) => ({
    consumer: 'cccccccc-0000-4000-8000-000000000001',
    projectId: 'p',
    userId: 'u',
    allocations: {
      providers: [
        { resourceProvider: { uuid: resourceProvider }, resources: [{ resourceClass: 'VCPU', amount }] },
      ],
    },
  });
  const first = ['consumers', '0', 'allocations', 'providers', '0'];
  const amount = [...first, 'resources', '0', 'amount'];
  const cases: [mutation: string, input: object, code: string, path: string[]][] = [
    ['createResourceProvider', { name: 'host' }, 'DUPLICATE_NAME', ['name']],
    ['createResourceProvider', { name: 'x', uuid: host }, 'DUPLICATE_UUID', ['uuid']],
    ['createResourceProvider', { name: 'x', parent: { uuid: UNKNOWN } }, 'NOT_FOUND', ['parent']],
    [
      'deleteResourceProvider',
      { resourceProvider: { name: 'host' } },
      'PROVIDER_IN_USE',
      ['resourceProvider'],
    ],
    ['deleteConsumer', { consumer: host }, 'NOT_FOUND', ['consumer']],
    ['deleteTrait', { name: 'HW_NUMA_ROOT' }, 'STANDARD_IS_IMMUTABLE', ['name']],
    ['setAllocations', { consumers: [allocations(UNKNOWN, 1)] }, 'NOT_FOUND', [...first, 'resourceProvider']],
    ['setAllocations', { consumers: [allocations(host, 99)] }, 'CAPACITY_EXCEEDED', amount],
    [
      'setAllocations',
      { consumers: [{ ...allocations(host, 1), generation: 3 }] },
      'CONSUMER_GENERATION_CONFLICT',
      ['consumers', '0', 'generation'],
    ],
    [
      'reshape',
      {
        inventories: [{ resourceProvider: { uuid: host }, generation: 77, inventories: [] }],
        allocations: [],
      },
      'PROVIDER_GENERATION_CONFLICT',
      ['inventories', '0', 'generation'],
    ],
  ];
  for (const [mutation, input, code, path] of cases)
    expect(await api.mutate(mutation, input)).toMatchObject({ code, path });
});
