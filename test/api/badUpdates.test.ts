import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal, useApi } from '../support/api.js';
import { setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const HOST = 'bbbbbbbb-0000-4000-8000-000000000001';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const byUuid = (uuid: string) => ({ uuid });
const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';

/** The host and its child are in use by the consumer. */
beforeAll(async () => {
  const uuids = await createProviders(api, {
    name: 'host',
    uuid: HOST,
    inventories: { VCPU: { total: 8, reserved: 2 }, MEMORY_MB: 64 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: [AGGREGATE],
    children: [{ name: 'child', inventories: { VCPU: 1 } }],
  });
  await createProviders(api, { name: 'other' });
  const amounts = { [uuids.host]: { VCPU: 1 }, [uuids.child]: { VCPU: 1 } };
  await setAllocations(api, takes(CONSUMER, null, amounts));
});

describe('an inline value that does not fit its type names its place', () => {
  test.each([
    ['a malformed uuid', 'resourceProvider(by: { uuid: "zz" }) { name }', '"zz"', 'by.uuid'],
    ['a number for a uuid', 'resourceProvider(by: { uuid: 5 }) { name }', '5 }', 'by.uuid'],
    [
      'a malformed uuid in a list',
      `resourceProviders(filter: { uuidIn: ["${UNKNOWN}", "zz"] }) { totalCount }`,
      '"zz"',
      'filter.uuidIn.1',
    ],
    ['a malformed uuid of an argument', 'consumer(uuid: "zz") { uuid }', '"zz"', 'uuid'],
    ['a number beyond 32 bits', 'resourceProviders(first: 2147483648) { totalCount }', '2147483648', 'first'],
    ['an unknown enum value', 'projects(orderBy: { id: UP }) { totalCount }', 'UP', 'orderBy.id'],
  ])('%s', async (_, selection, wrong, path) => {
    const document = `{ ${selection} }`;
    expect(await api.query(document)).toEqual({
      errors: [
        {
          message: expect.any(String),
          locations: [{ line: 1, column: document.indexOf(wrong) + 1 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', path: path.split('.') },
        },
      ],
    });
  });

  test('also as the default value of a variable', async () => {
    const document = 'query ($uuid: UUID = "zz") { consumer(uuid: $uuid) { uuid } }';
    const { errors } = await api.query(document);
    expect(errors).toMatchObject([{ locations: [{ line: 1, column: 22 }] }]);
  });
});

/** Errors of `@oneOf` inputs. test/api/oneOf.test.ts has all inputs in variables. */
describe('a reference without exactly one field', () => {
  const both = `{ uuid: "${UNKNOWN}", name: "host" }`;
  test.each(['{}', both])('%s', async (reference) => {
    for (const [input, path] of [
      [`resourceProvider: ${reference}, name: "x"`, 'resourceProvider'],
      [`resourceProvider: { name: "host" }, parent: ${reference}`, 'parent'],
      [
        `resourceProvider: { name: "host" }, aggregates: { add: [{ uuid: "${UNKNOWN}" }, ${reference}] }`,
        'aggregates.add.1',
      ],
    ]) {
      const document = `mutation { updateResourceProvider(input: { ${input} }) { __typename } }`;
      const failure = await unchanged(database, () => api.failure(document));
      expect(failure).toMatchObject(refusal('GRAPHQL_VALIDATION_FAILED', `input.${path}`));
    }
  });

  test('in a variable', async () => {
    const input = { resourceProvider: { name: 'host' }, aggregates: { add: [{ uuid: UNKNOWN }, {}] } };
    const document =
      'mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }';
    const failure = await unchanged(database, () => api.failure(document, { input }));
    expect(failure).toMatchObject(refusal('BAD_USER_INPUT', 'input.aggregates.add.1'));
  });
});

const one = { resourceClass: 'VCPU', total: 1 };
const unknownClass = { resourceClass: 'VCPUU', total: 1 };

/** Valid edits of all parts, which a rejected one must take back. */
const VALID = {
  name: 'never taken',
  parent: { none: true },
  aggregates: { add: [{ uuid: UNKNOWN }] },
  traits: { set: ['HW_CPU_X86_AVX2'] },
  inventories: { add: [{ resourceClass: 'DISK_GB', total: 5 }] },
};

describe('a rejected update names the path of the value, and changes nothing', () => {
  const invalid: [edits: object, path: string, message?: string][] = [
    [{ name: '' }, 'name'],
    [{ parent: { none: false } }, 'parent.none'],
    [{ aggregates: {} }, 'aggregates'],
    [{ aggregates: { set: [], add: [] } }, 'aggregates.set', 'add, remove'],
    [{ aggregates: { add: [AGGREGATE, AGGREGATE].map(byUuid) } }, 'aggregates.add.1'],
    [{ aggregates: { set: [AGGREGATE, UNKNOWN, AGGREGATE.toUpperCase()].map(byUuid) } }, 'aggregates.set.2'],
    [
      { aggregates: { add: [AGGREGATE, UNKNOWN].map(byUuid), remove: [byUuid(UNKNOWN)] } },
      'aggregates.remove.0',
    ],
    [{ aggregates: { remove: [{ name: 'zone' }] } }, 'aggregates.remove.0.name'],
    [{ traits: {} }, 'traits', 'states no edit'],
    [{ traits: { set: [], remove: [] } }, 'traits.set'],
    [{ traits: { add: ['HW_NUMA_ROT'] } }, 'traits.add.0', '"HW_NUMA_ROOT"'],
    [{ traits: { remove: ['HW_NUMA_ROOT', 'NO_SUCH'] } }, 'traits.remove.1'],
    [{ traits: { remove: ['HW_NUMA_ROOT', 'HW_NUMA_ROOT'] } }, 'traits.remove.1'],
    [
      { traits: { add: ['HW_NUMA_ROOT'], remove: ['HW_NUMA_ROOT'] } },
      'traits.remove.0',
      'both add and remove',
    ],
    // the first of unknown and repeated traits (rule 70, decisions D7, D8, D12)
    [{ traits: { set: ['HW_NUMA_ROOT', 'NO_SUCH', 'HW_NUMA_ROOT'] } }, 'traits.set.1'],
    [{ traits: { set: ['HW_NUMA_ROOT', 'HW_NUMA_ROOT', 'NO_SUCH'] } }, 'traits.set.1'],
    [{ traits: { set: ['hw_numa_root'] } }, 'traits.set.0'],
    [{ traits: { set: ['HW_NUMA_ROOT', 'HW_NUMA_ROOT '] } }, 'traits.set.1'],
    [{ traits: { set: [''] } }, 'traits.set.0'],
    [{ traits: { set: ['\u0000'] } }, 'traits.set.0'],
    [{ inventories: {} }, 'inventories'],
    [{ inventories: { set: [one], patch: [one] } }, 'inventories.set', 'add, patch, remove'],
    // the first of several invalid inventories
    [
      { inventories: { set: [unknownClass, { ...one, total: 0 }] } },
      'inventories.set.0.resourceClass',
      '"VCPU"',
    ],
    [{ inventories: { set: [{ ...one, total: 0 }, unknownClass] } }, 'inventories.set.0.total'],
    [{ inventories: { set: [one, one] } }, 'inventories.set.1.resourceClass'],
    [{ inventories: { add: [one], patch: [one] } }, 'inventories.patch.0.resourceClass'],
    [{ inventories: { patch: [one], remove: ['VCPU'] } }, 'inventories.remove.0'],
    [{ inventories: { add: [one], remove: ['VCPU'] } }, 'inventories.remove.0', 'given twice'],
    [{ inventories: { add: [unknownClass] } }, 'inventories.add.0.resourceClass', '"VCPU"'],
    [{ inventories: { remove: ['VCPUU'] } }, 'inventories.remove.0', '"VCPU"'],
    [{ inventories: { patch: [unknownClass] } }, 'inventories.patch.0.resourceClass', '"VCPU"'],
    // a patch is judged with the stored fields, 8 in total and 2 reserved
    ...(
      [
        [{ total: 0 }, 'total'],
        [{ total: 1 }, 'total'],
        [{ reserved: 9 }, 'reserved'],
        [{ total: 4, reserved: 5 }, 'reserved'],
        [{ allocationRatio: 0 }, 'allocationRatio'],
      ] as const
    ).map(([fields, field]): (typeof invalid)[number] => [
      { inventories: { patch: [{ resourceClass: 'VCPU', ...fields }] } },
      `inventories.patch.0.${field}`,
    ]),
  ];
  const others: [edits: object, code: string, path: string, message?: string][] = [
    [{ name: 'other' }, 'DUPLICATE_NAME', 'name'],
    [{ parent: { name: 'hots' } }, 'NOT_FOUND', 'parent.name', '"host"'],
    [{ parent: { uuid: UNKNOWN } }, 'NOT_FOUND', 'parent'],
    [{ parent: { name: 'host' } }, 'ILLEGAL_REPARENT', 'parent'],
    [{ parent: { name: 'child' } }, 'ILLEGAL_REPARENT', 'parent'],
    [{ generation: 7 }, 'PROVIDER_GENERATION_CONFLICT', 'generation'],
    [
      { inventories: { patch: [{ resourceClass: 'PCPU', total: 1 }] } },
      'NOT_FOUND',
      'inventories.patch.0.resourceClass',
    ],
    // rule 33
    [{ inventories: { remove: ['PCPU'] } }, 'NOT_FOUND', 'inventories.remove.0'],
    [{ inventories: { remove: ['VCPU'] } }, 'INVENTORY_IN_USE', 'inventories.remove.0'],
    [{ inventories: { set: [] } }, 'INVENTORY_IN_USE', 'inventories.set'],
  ];
  const cases = invalid.map(([edits, ...rest]): (typeof others)[number] => [edits, 'INVALID_INPUT', ...rest]);
  test.each([...cases, ...others])('%j', async (edits, code, path, message = '') => {
    const input = { resourceProvider: { name: 'host' }, ...VALID, ...edits };
    const answer = await unchanged(database, () => api.mutate('updateResourceProvider', input));
    expect(answer).toMatchObject(refusal(code, path));
    expect(answer.message).toContain(message);
  });
});

describe('an error of another mutation names its path, and changes nothing', () => {
  const unset = { consumer: CONSUMER };
  const create = { name: 'x', aggregates: [byUuid(UNKNOWN)] };
  const twice = (uuid: string) => [uuid, uuid].map(byUuid);
  const stale = { resourceProvider: byUuid(HOST), generation: 77, inventories: [] };
  const REJECTED: Record<string, [input: object, code: string, path: string, message?: string][]> = {
    updateResourceProvider: [
      [{ resourceProvider: byUuid(HOST) }, 'INVALID_INPUT', '', 'states no edit'],
      [{ ...VALID, resourceProvider: byUuid(UNKNOWN) }, 'NOT_FOUND', 'resourceProvider'],
    ],
    createResourceProvider: [
      [{ name: 'host' }, 'DUPLICATE_NAME', 'name'],
      [{ name: 'host', uuid: HOST }, 'DUPLICATE_NAME', 'name'],
      [{ ...create, uuid: HOST }, 'DUPLICATE_UUID', 'uuid'],
      [{ ...create, uuid: HOST, parent: byUuid(HOST) }, 'DUPLICATE_UUID', 'uuid'],
      [{ ...create, parent: byUuid(UNKNOWN) }, 'NOT_FOUND', 'parent'],
      [{ ...create, traits: ['NO_SUCH'] }, 'INVALID_INPUT', 'traits.0'],
      [{ ...create, aggregates: twice(AGGREGATE) }, 'INVALID_INPUT', 'aggregates.1'],
      [{ ...create, inventories: [{ ...one, total: 0 }] }, 'INVALID_INPUT', 'inventories.0.total'],
      [{ ...create, inventories: [one, one] }, 'INVALID_INPUT', 'inventories.1.resourceClass'],
    ],
    deleteResourceProvider: [
      [{ resourceProvider: { name: 'host' } }, 'PROVIDER_HAS_CHILDREN', 'resourceProvider'],
      [{ resourceProvider: { name: 'child' } }, 'PROVIDER_IN_USE', 'resourceProvider'],
    ],
    deleteResourceProviders: [
      [{ resourceProviders: [] }, 'INVALID_INPUT', 'resourceProviders'],
      [{ resourceProviders: twice(HOST) }, 'INVALID_INPUT', 'resourceProviders.1'],
      [{ resourceProviders: [byUuid(HOST), byUuid(UNKNOWN)] }, 'NOT_FOUND', 'resourceProviders.1'],
      [{ resourceProviders: [{ name: 'host' }] }, 'PROVIDER_HAS_CHILDREN', 'resourceProviders.0'],
      [{ resourceProviders: [{ name: 'child' }] }, 'PROVIDER_IN_USE', 'resourceProviders.0'],
      [{ resourceProviders: [{ name: 'host' }], recursive: true }, 'PROVIDER_IN_USE', 'resourceProviders.0'],
      [
        { resourceProviders: [{ name: 'host' }], recursive: true, dryRun: true },
        'PROVIDER_IN_USE',
        'resourceProviders.0',
      ],
    ],
    deleteTrait: [[{ name: 'HW_NUMA_ROOT' }, 'STANDARD_IS_IMMUTABLE', 'name']],
    unsetAllocations: [
      [unset, 'INVALID_INPUT', 'resourceProviders'],
      [{ ...unset, resourceClasses: ['CUSTOM_NONE'] }, 'INVALID_INPUT', 'resourceClasses.0'],
      [{ ...unset, resourceProviders: twice(HOST) }, 'INVALID_INPUT', 'resourceProviders.1'],
      [{ ...unset, resourceProviders: [byUuid(UNKNOWN)] }, 'NOT_FOUND', 'resourceProviders.0'],
      [
        { ...unset, resourceProviders: [byUuid(HOST)], generation: 2 },
        'CONSUMER_GENERATION_CONFLICT',
        'generation',
      ],
      [{ consumer: UNKNOWN, resourceClasses: ['VCPU'] }, 'NOT_FOUND', 'consumer'],
    ],
    reshape: [
      [{ inventories: [stale], allocations: [] }, 'PROVIDER_GENERATION_CONFLICT', 'inventories.0.generation'],
    ],
  };
  const cases = Object.entries(REJECTED).flatMap(([mutation, rows]) =>
    rows.map((row) => [mutation, ...row] as const),
  );
  test.each(cases)('%s %j', async (mutation, input, code, path, message = '') => {
    const answer = await unchanged(database, () => api.mutate(mutation, input));
    expect(answer).toMatchObject(refusal(code, path));
    expect(answer.message).toContain(message);
  });
});
