import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/ledger/allocation/allocations.js';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { type ProviderUpdate, updateProvider } from '../../src/ledger/provider/updateProvider.js';
import { fc } from '../support/fastCheck.js';
import { useDatabase } from '../support/useDatabase.js';
import { allocate, aProvider, expectRefused, generationOf, inventory } from './support.js';

const database = useDatabase();
const TRAITS = ['CUSTOM_GOLD', 'CUSTOM_RED', 'HW_CPU_X86_AVX'];
const AGGREGATES = ['a1', 'a2', 'a3'].map((end) => `00000000-0000-4000-8000-0000000000${end}`);
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
let parents: string[];
beforeAll(async () => {
  for (const name of TRAITS.slice(0, 2)) await createTrait(database.ledger, { name });
  parents = [await aProvider(database), await aProvider(database)];
});

type Edits = Omit<ProviderUpdate, 'resourceProvider' | 'generation'>;

/** A provider with VCPU and MEMORY_MB, CUSTOM_GOLD and the first aggregate. */
async function host(): Promise<string> {
  const { uuid } = await createProvider(database.ledger, {
    name: randomUUID(),
    parent: parents[0],
    aggregates: [AGGREGATES[0]],
    traits: ['CUSTOM_GOLD'],
    inventories: [inventory('VCPU', 8, { reserved: 2 }), inventory('MEMORY_MB', 64)],
  });
  return uuid;
}

const update = (resourceProvider: string, edits: Edits, generation?: number) =>
  updateProvider(database.ledger, { resourceProvider, generation, ...edits });

/** All parts of a provider except its generation. Each name is unique, so it is shown without its last word. */
async function stateOf(uuid: string): Promise<unknown> {
  const links = (table: string, id: string): string =>
    `(SELECT GROUP_CONCAT(${id} ORDER BY ${id}) FROM ${table} l WHERE l.resource_provider_id = p.id)`;
  const amounts = 'resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio + 0e0';
  const [state] = await database.pool.query<unknown[]>(
    `SELECT REGEXP_REPLACE(p.name, '[^ ]+$', '') AS name, r.uuid = p.uuid AS isRoot, above.uuid AS parent,
       ${links('resource_provider_traits', 'trait_id')} AS traits,
       ${links('resource_provider_aggregates', 'aggregate_id')} AS aggregates,
       ${links('inventories', `CONCAT_WS(' ', ${amounts})`)} AS inventories
     FROM resource_providers p JOIN resource_providers r ON r.id = p.root_provider_id
     LEFT JOIN resource_providers above ON above.id = p.parent_provider_id WHERE p.uuid = ?`,
    [uuid],
  );
  return state;
}

const part = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const setEdit = (members: readonly string[]) =>
  fc.oneof(
    fc.subarray([...members]).map((set) => ({ set })),
    fc
      .tuple(fc.subarray([...members]), fc.subarray([...members]))
      .map(([add, others]) => ({ add, remove: others.filter((each) => !add.includes(each)) })),
  );
const someInventory = (resourceClass: string) =>
  fc
    .record({ total: fc.integer({ min: 4, max: 99 }), reserved: fc.integer({ min: 0, max: 4 }) })
    .map(({ total, reserved }) => inventory(resourceClass, total, { reserved }));
const inventoriesEdit = fc.oneof(
  fc.subarray(CLASSES).chain((names) => fc.tuple(...names.map(someInventory)).map((set) => ({ set }))),
  fc.record(
    {
      add: fc.tuple(someInventory('DISK_GB')),
      patch: fc.constant([{ resourceClass: 'VCPU', total: 5, maxUnit: 3 }]),
      remove: fc.constant(['MEMORY_MB']),
    },
    { requiredKeys: ['patch'] },
  ),
);
const someEdits = fc.record({
  name: part(fc.constantFrom('renamed', 'also renamed')),
  parent: part(fc.constantFrom(0, 1, null)),
  aggregates: part(setEdit(AGGREGATES)),
  traits: part(setEdit(TRAITS)),
  inventories: part(inventoriesEdit),
});

/** The edits one by one, in the order of the update. */
function singles({ aggregates, traits, inventories, ...place }: Edits): Edits[] {
  const split = <K extends string>(field: K, edit: object | null | undefined): Edits[] =>
    Object.entries(edit ?? {}).map(([operation, value]) => ({ [field]: { [operation]: value as unknown } }));
  return [
    ...Object.entries(place).map(([field, value]) => ({ [field]: value })),
    ...split('aggregates', aggregates),
    ...split('traits', traits),
    ...split('inventories', inventories),
  ].filter((edit) => Object.values(edit).some((value) => value != null));
}

test('an update with several edits leaves the same state as the single edits one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(someEdits, async ({ name, parent, ...others }) => {
      const [together, apart] = await Promise.all([host(), host()]);
      const edits = (uuid: string): Edits => ({
        name: name && `${name} ${uuid}`,
        parent: parent === null ? { none: true } : parent === undefined ? undefined : parents[parent],
        ...others,
      });
      fc.pre(singles(edits(together)).length > 0);
      const before = await stateOf(together);
      await update(together, edits(together));
      for (const edit of singles(edits(apart))) await update(apart, edit);
      const after = await stateOf(together);
      expect(after).toEqual(await stateOf(apart));
      const isChanged = JSON.stringify(after) !== JSON.stringify(before);
      expect(await generationOf(database, together)).toBe(isChanged ? 1 : 0);
    }),
    { numRuns: 40 },
  );
}, 120_000);

/** Valid edits of all parts. */
const VALID: Edits = {
  name: 'never taken',
  parent: { none: true },
  aggregates: { add: [AGGREGATES[1]] },
  traits: { set: ['CUSTOM_RED'] },
  inventories: { add: [inventory('DISK_GB', 5)] },
};

describe('one rejected edit changes nothing of the others', () => {
  const invalid = (path: string[]) => ({ code: 'INVALID_INPUT', path });
  const rejected: [Edits, { code: string } & Record<string, unknown>][] = [
    [{ name: '' }, invalid(['name'])],
    [{ parent: { none: false } }, invalid(['parent', 'none'])],
    [{ aggregates: {} }, invalid(['aggregates'])],
    [{ aggregates: { set: [], add: [] } }, invalid(['aggregates', 'set'])],
    [{ aggregates: { add: [AGGREGATES[1], AGGREGATES[1]] } }, invalid(['aggregates', 'add', '1'])],
    [{ aggregates: { add: AGGREGATES, remove: [AGGREGATES[2]] } }, invalid(['aggregates', 'remove', '0'])],
    [{ traits: {} }, invalid(['traits'])],
    [{ traits: { set: [], remove: [] } }, invalid(['traits', 'set'])],
    [{ traits: { add: ['CUSTOM_GOLD', 'CUSTOM_UNKNOWN'] } }, invalid(['traits', 'add', '1'])],
    [{ traits: { remove: ['CUSTOM_UNKNOWN'] } }, invalid(['traits', 'remove', '0'])],
    [{ traits: { add: ['CUSTOM_RED'], remove: TRAITS } }, invalid(['traits', 'remove', '1'])],
    [{ inventories: {} }, invalid(['inventories'])],
    [{ inventories: { set: [], patch: [] } }, invalid(['inventories', 'set'])],
    [
      { inventories: { add: [inventory('VCPU', 1)], patch: [{ resourceClass: 'VCPU', total: 2 }] } },
      invalid(['inventories', 'patch', '0', 'resourceClass']),
    ],
    [
      { inventories: { patch: [{ resourceClass: 'VCPU', total: 2 }], remove: ['VCPU'] } },
      invalid(['inventories', 'remove', '0']),
    ],
    [
      { inventories: { add: [inventory('VCPUU', 1)] } },
      invalid(['inventories', 'add', '0', 'resourceClass']),
    ],
    [
      { inventories: { patch: [{ resourceClass: 'VCPU', total: 0 }] } },
      invalid(['inventories', 'patch', '0', 'total']),
    ],
    [
      { inventories: { patch: [{ resourceClass: 'VCPU', total: 1 }] } },
      invalid(['inventories', 'patch', '0', 'total']),
    ],
    [{ inventories: { patch: [{ resourceClass: 'PCPU', total: 1 }] } }, { code: 'NOT_FOUND', key: 'PCPU' }],
    [{ inventories: { remove: ['PCPU'] } }, { code: 'NOT_FOUND', entity: 'INVENTORY', key: 'PCPU' }],
    [{ parent: randomUUID() }, { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER' }],
    [
      { inventories: { remove: ['MEMORY_MB'] } },
      { code: 'INVENTORY_IN_USE', resourceClassNames: ['MEMORY_MB'] },
    ],
    [{ inventories: { set: [] } }, { code: 'INVENTORY_IN_USE', resourceClassNames: ['MEMORY_MB'] }],
  ];
  test.each(rejected)('%j', async (edits, rejection) => {
    const uuid = await host();
    await allocate(database, uuid, 'MEMORY_MB', 1);
    await expectRefused(database, () => update(uuid, { ...VALID, ...edits }), rejection);
  });

  test('a taken name, a descendant as the parent, a stale generation', async () => {
    const uuid = await host();
    const child = await aProvider(database, uuid);
    const name = 'taken';
    await createProvider(database.ledger, { name });
    await expectRefused(database, () => update(uuid, { ...VALID, name }), { code: 'DUPLICATE_NAME' });
    for (const parent of [uuid, child])
      await expectRefused(database, () => update(uuid, { ...VALID, parent }), { code: 'ILLEGAL_REPARENT' });
    const stale = { code: 'PROVIDER_GENERATION_CONFLICT', expectedGeneration: 1, currentGeneration: 0 };
    await expectRefused(database, () => update(uuid, VALID, 1), stale);
    await expectRefused(database, () => update(uuid, {}), { code: 'INVALID_INPUT', path: [] });
  });

  test('of several rejections the first of the vocabulary is given', async () => {
    const uuid = await host();
    await allocate(database, uuid, 'MEMORY_MB', 1);
    const all: Edits = {
      name: 'taken',
      parent: uuid,
      traits: { add: ['CUSTOM_UNKNOWN'] },
      inventories: { remove: ['PCPU', 'MEMORY_MB'] },
    };
    const inOrder: [Edits, string][] = [
      [{}, 'INVALID_INPUT'],
      [{ traits: null }, 'NOT_FOUND'],
      [{ inventories: { remove: ['MEMORY_MB'] } }, 'DUPLICATE_NAME'],
      [{ name: null }, 'ILLEGAL_REPARENT'],
      [{ parent: null }, 'PROVIDER_GENERATION_CONFLICT'],
    ];
    let edits = all;
    for (const [fix, code] of inOrder) {
      edits = { ...edits, ...fix };
      await expectRefused(database, () => update(uuid, edits, 7), { code });
    }
    await expectRefused(database, () => update(uuid, edits, 0), { code: 'INVENTORY_IN_USE' });
  });
});

function claim(resourceProvider: string): Promise<unknown> {
  const resources = [{ resourceClass: 'MEMORY_MB', amount: 1 }];
  const allocations = [{ resourceProvider, resources }];
  const consumers = [{ consumer: randomUUID(), projectId: 'p', userId: 'u', allocations }];
  return setAllocations(database.claims, { consumers });
}

test('without a generation all updates of a provider succeed beside claims', async () => {
  const uuid = await host();
  await Promise.all([
    update(uuid, { traits: { add: ['CUSTOM_RED'] }, inventories: { remove: ['VCPU'] } }),
    update(uuid, { aggregates: { set: AGGREGATES.slice(1) } }),
    update(uuid, { parent: { none: true } }),
    update(uuid, { inventories: { add: [inventory('DISK_GB', 7)] } }),
    ...Array.from({ length: 10 }, () => claim(uuid)),
  ]);
  expect(await generationOf(database, uuid)).toBe(14);
});

test('removing an unknown aggregate does not create it, adding one does', async () => {
  const [uuid, unknown, created] = [await host(), randomUUID(), randomUUID()];
  await update(uuid, { aggregates: { add: [created], remove: [unknown] } });
  const rows = await database.pool.query<{ uuid: string }[]>(
    'SELECT uuid FROM placement_aggregates WHERE uuid IN (?)',
    [[unknown, created]],
  );
  expect(rows).toEqual([{ uuid: created }]);
});

describe('a provider is created with all its parts or not at all', () => {
  const create = (input: object) => createProvider(database.ledger, { name: randomUUID(), ...input });

  test('its generation is 0', async () => {
    const uuid = await host();
    expect(await generationOf(database, uuid)).toBe(0);
    expect(await stateOf(uuid)).toMatchObject({
      parent: parents[0],
      inventories: expect.stringMatching(/^0 8 2 .*,1 64 0 /) as unknown,
      traits: expect.anything() as unknown,
      aggregates: expect.anything() as unknown,
    });
  });

  test.each([
    [{ traits: ['CUSTOM_UNKNOWN'] }, ['traits', '0']],
    [{ aggregates: [AGGREGATES[0], AGGREGATES[0]] }, ['aggregates', '1']],
    [{ inventories: [inventory('VCPU', 0)] }, ['inventories', '0', 'total']],
    [{ inventories: [inventory('VCPU', 1), inventory('VCPU', 1)] }, ['inventories', '1', 'resourceClass']],
  ])('%j', async (input, path) => {
    await expectRefused(database, () => create({ aggregates: [randomUUID()], ...input }), {
      code: 'INVALID_INPUT',
      path,
    });
  });
});
