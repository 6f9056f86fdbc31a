import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { damage } from '../support/damage.js';
import type { Named, Page } from '../support/shapes.js';

const { api, database } = useApi({ hasBackground: false });
let host: string;
let numa: string;
let nic: string;
let instance: string;

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER = 'cccccccc-0000-4000-8000-000000000009';

const TABLES = [
  'resource_providers',
  'inventories',
  'allocations',
  'consumers',
  'projects',
  'users',
  'consumer_types',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'placement_aggregates',
];

/** A host with two levels below it, of all that the API can write one. */
beforeAll(async () => {
  ({ host, numa, nic } = await createProviders(api, {
    name: 'host',
    inventories: { DISK_GB: 100 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: [AGGREGATE],
    children: [
      {
        name: 'numa',
        inventories: { VCPU: 10, MEMORY_MB: 100 },
        children: [{ name: 'nic', inventories: { VGPU: 8 } }],
      },
    ],
  }));
  instance = await claimed(
    api,
    { [host]: { DISK_GB: 10 }, [numa]: { VCPU: 4, MEMORY_MB: 10 }, [nic]: { VGPU: 2 } },
    { consumerType: 'INSTANCE' },
  );
  await damage(database, ...TABLES.map((table) => `CREATE TABLE was_${table} AS SELECT * FROM ${table}`));
});

afterEach(() =>
  damage(
    database,
    ...TABLES.flatMap((table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM was_${table}`]),
  ),
);

interface Finding {
  readonly check: string;
  readonly message: string;
  readonly resourceProviderUuid: string | null;
  readonly consumerUuid: string | null;
  readonly resourceClassName: string | null;
  readonly resourceProvider: Named | null;
  readonly consumer: { readonly uuid: string } | null;
}
const DOCUMENT = `query ($checks: [AuditCheck!]) {
  audit(checks: $checks) {
    nodes {
      check message resourceProviderUuid consumerUuid resourceClassName
      resourceProvider { name } consumer { uuid }
    }
    totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}`;

async function audit(args: object = {}): Promise<Page<Finding>> {
  return (await api.read<{ audit: Page<Finding> }>(DOCUMENT, args)).audit;
}

const id = (table: string, uuid: string) => `(SELECT w.id FROM was_${table} w WHERE w.uuid = '${uuid}')`;
const classId = (name: string) => `(SELECT k.id FROM resource_classes k WHERE k.name = '${name}')`;
const MISSING = 999_999;

const allocation = (
  provider: string | number,
  resourceClass: string | number,
  consumer: string,
  used: number,
) =>
  `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
   VALUES (${provider}, ${resourceClass}, '${consumer}', ${used})`;

const consumerRow = (columns: string) =>
  `INSERT INTO consumers (uuid, project_id, user_id, consumer_type_id, generation) SELECT '${OTHER}', ${columns}, 1 FROM was_consumers`;

test('a database that only the API has written has no finding', async () => {
  expect(await audit()).toMatchObject({
    nodes: [],
    totalCount: 0,
    pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null },
  });
});

/** What is damaged, and the findings that it must give: nothing else may be found. */
const DAMAGES: [what: string, statements: () => string[], findings: () => Partial<Finding>[]][] = [
  [
    'OVER_CAPACITY: an inventory shrunk below its use',
    () => [`UPDATE inventories SET total = 3 WHERE resource_class_id = ${classId('VCPU')}`],
    () => [
      {
        check: 'OVER_CAPACITY',
        message: `4 VCPU of provider numa (${numa}) are in use; its capacity is 3`,
        resourceProviderUuid: numa,
        resourceClassName: 'VCPU',
        consumerUuid: null,
        resourceProvider: { name: 'numa' },
      },
    ],
  ],
  [
    'OVER_CAPACITY: use without an inventory, where the capacity is 0',
    () => [`DELETE FROM inventories WHERE resource_class_id = ${classId('DISK_GB')}`],
    () => [
      {
        check: 'OVER_CAPACITY',
        message: `10 DISK_GB of provider host (${host}) are in use; it has no inventory of that`,
        resourceProviderUuid: host,
        resourceClassName: 'DISK_GB',
      },
    ],
  ],
  [
    'OVER_CAPACITY: by decimal arithmetic (decision D2), where 10 x 0.7 is 7 and 10 x 0.39 is 3',
    () => [
      `UPDATE inventories SET allocation_ratio = 0.39 WHERE resource_class_id = ${classId('VCPU')}`,
      // 10 of 10 x 1 stay, and 7 of 10 x 0.7
      `UPDATE inventories SET total = 10, allocation_ratio = 1 WHERE resource_class_id = ${classId('DISK_GB')}`,
      `UPDATE inventories SET total = 10, allocation_ratio = 0.7 WHERE resource_class_id = ${classId('MEMORY_MB')}`,
      `UPDATE allocations SET used = 7 WHERE resource_class_id = ${classId('MEMORY_MB')}`,
    ],
    () => [
      {
        check: 'OVER_CAPACITY',
        resourceClassName: 'VCPU',
        message: expect.stringMatching('capacity is 3$') as never,
      },
    ],
  ],
  ...(['min_unit = 5', 'max_unit = 3', 'min_unit = 2, step_size = 3'] as const).map(
    (units): (typeof DAMAGES)[number] => [
      `UNIT_VIOLATION: 4 where ${units} (decision D1)`,
      () => [`UPDATE inventories SET ${units} WHERE resource_class_id = ${classId('VCPU')}`],
      () => [
        {
          check: 'UNIT_VIOLATION',
          message: expect.stringContaining(
            `consumer ${instance} takes 4 VCPU of provider numa (${numa})`,
          ) as never,
          resourceProviderUuid: numa,
          consumerUuid: instance,
          resourceClassName: 'VCPU',
          consumer: { uuid: instance },
        },
      ],
    ],
  ),
  [
    'no UNIT_VIOLATION: an amount that is minUnit need not be a multiple of stepSize (decision D1)',
    () => [`UPDATE inventories SET min_unit = 4, step_size = 3 WHERE resource_class_id = ${classId('VCPU')}`],
    () => [],
  ],
  [
    'DANGLING_ALLOCATION: without a consumer',
    () => [allocation(id('resource_providers', numa), classId('VCPU'), OTHER, 1)],
    () => [
      {
        check: 'DANGLING_ALLOCATION',
        message: `consumer ${OTHER} takes 1 VCPU of provider numa (${numa}), but the consumer does not exist`,
        resourceProviderUuid: numa,
        consumerUuid: OTHER,
        resourceClassName: 'VCPU',
        consumer: null,
      },
    ],
  ],
  [
    'DANGLING_ALLOCATION: of no provider',
    () => [allocation(MISSING, classId('VCPU'), instance, 2)],
    () => [
      {
        check: 'DANGLING_ALLOCATION',
        message: `consumer ${instance} takes 2 VCPU of provider ${MISSING}, but the provider does not exist`,
        resourceProviderUuid: null,
        consumerUuid: instance,
        resourceProvider: null,
        consumer: { uuid: instance },
      },
    ],
  ],
  [
    'DANGLING_ALLOCATION: of no class, and of nothing at all',
    () => [
      allocation(id('resource_providers', numa), MISSING, instance, 3),
      allocation(MISSING, MISSING, OTHER, 3),
    ],
    () => [
      {
        check: 'DANGLING_ALLOCATION',
        message: `consumer ${instance} takes 3 of resource class ${MISSING} of provider numa (${numa}), but the resource class does not exist`,
        resourceClassName: null,
      },
      {
        check: 'DANGLING_ALLOCATION',
        message: expect.stringMatching(
          'the provider and the consumer and the resource class do not exist$',
        ) as never,
      },
    ],
  ],
  [
    'EMPTY_CONSUMER',
    () => [consumerRow('project_id, user_id, consumer_type_id')],
    () => [
      {
        check: 'EMPTY_CONSUMER',
        message: `consumer ${OTHER} has no allocations`,
        consumerUuid: OTHER,
        resourceProviderUuid: null,
        consumer: { uuid: OTHER },
      },
    ],
  ],
  [
    'BROKEN_TREE: no root',
    () => [`UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = '${nic}'`],
    () => [
      {
        check: 'BROKEN_TREE',
        message: `provider nic (${nic}) has no root, but its parents lead to host (${host})`,
        resourceProviderUuid: nic,
      },
    ],
  ],
  [
    'BROKEN_TREE: another root than the parents lead to, for all below a moved provider',
    () => [`UPDATE resource_providers SET parent_provider_id = NULL WHERE uuid = '${numa}'`],
    () => [
      { check: 'BROKEN_TREE', resourceProviderUuid: numa },
      {
        check: 'BROKEN_TREE',
        message: `provider nic (${nic}) has the root host (${host}), but its parents lead to numa (${numa})`,
      },
    ],
  ],
  [
    'BROKEN_TREE: a missing parent, seen from below too',
    () => [`UPDATE resource_providers SET parent_provider_id = ${MISSING} WHERE uuid = '${numa}'`],
    () => [
      { check: 'BROKEN_TREE', resourceProviderUuid: numa },
      {
        check: 'BROKEN_TREE',
        message: `provider nic (${nic}) has the root host (${host}), and a parent on the way to its root does not exist`,
      },
    ],
  ],
  [
    'BROKEN_TREE: a loop',
    () => [
      `UPDATE resource_providers SET parent_provider_id = ${id('resource_providers', nic)} WHERE uuid = '${numa}'`,
    ],
    () => [
      {
        check: 'BROKEN_TREE',
        message: `provider numa (${numa}) has the root host (${host}), and its ancestors are a loop`,
      },
      { check: 'BROKEN_TREE', resourceProviderUuid: nic },
    ],
  ],
  [
    'UNKNOWN_REFERENCE: an inventory of no provider, and one of no class',
    () =>
      [`${MISSING}, ${classId('VCPU')}`, `${id('resource_providers', numa)}, ${MISSING}`].map(
        (ids) =>
          `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
           VALUES (${ids}, 7, 0, 1, 7, 1, 1)`,
      ),
    () => [
      {
        check: 'UNKNOWN_REFERENCE',
        message: `provider ${MISSING} has an inventory of 7 VCPU, but the provider does not exist`,
        resourceProviderUuid: null,
        resourceClassName: 'VCPU',
      },
      {
        check: 'UNKNOWN_REFERENCE',
        message: `provider numa (${numa}) has an inventory of 7 of resource class ${MISSING}, but the resource class does not exist`,
        resourceProviderUuid: numa,
        resourceClassName: null,
      },
    ],
  ],
  [
    'UNKNOWN_REFERENCE: a trait that does not exist, and an aggregate',
    () => [
      `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES (${id('resource_providers', numa)}, ${MISSING})`,
      `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (${id('resource_providers', numa)}, ${MISSING})`,
    ],
    () => [
      {
        check: 'UNKNOWN_REFERENCE',
        message: `provider numa (${numa}) has the trait ${MISSING}, but the trait does not exist`,
        resourceProviderUuid: numa,
      },
      {
        check: 'UNKNOWN_REFERENCE',
        message: `provider numa (${numa}) has the aggregate ${MISSING}, but the aggregate does not exist`,
      },
    ],
  ],
  [
    'UNKNOWN_REFERENCE: a consumer whose project, user and type do not exist',
    () => [
      `UPDATE consumers SET project_id = ${MISSING}, user_id = ${MISSING}, consumer_type_id = ${MISSING}`,
    ],
    () => [
      {
        check: 'UNKNOWN_REFERENCE',
        message: `consumer ${instance} has a dangling reference: the project and the user and the consumer type do not exist`,
        consumerUuid: instance,
      },
    ],
  ],
];

describe('what is damaged is found, and only that', () => {
  test.each(DAMAGES)('%s', async (_what, statements, findings) => {
    await damage(database, ...statements());
    const { nodes, totalCount } = await audit();
    expect(nodes).toEqual(findings().map((finding) => expect.objectContaining(finding)));
    expect(totalCount).toBe(nodes.length);
  });

  test('all at once: as many as one by one, in the order of the checks, and each check alone finds its own', async () => {
    const some = DAMAGES.filter(([what]) => /shrunk|of no provider$|EMPTY|no root|trait/.test(what));
    await damage(database, ...some.flatMap(([, statements]) => statements()));
    const { nodes } = await audit();
    expect(nodes.map(({ check }) => check)).toEqual(
      some.flatMap(([, , findings]) => findings().map(({ check }) => check)),
    );
    for (const check of new Set(nodes.map((node) => node.check))) {
      const { nodes: own, totalCount } = await audit({ checks: [check] });
      expect(own).toEqual(nodes.filter((node) => node.check === check));
      expect(totalCount).toBe(own.length);
    }
    expect(await audit({ checks: ['UNIT_VIOLATION', 'BROKEN_TREE'] })).toMatchObject({
      nodes: [{ check: 'BROKEN_TREE' }],
    });
  });
});

test('an empty list of checks finds nothing, a check twice is INVALID_INPUT', async () => {
  await damage(database, 'DELETE FROM inventories');
  expect(await audit({ checks: [] })).toMatchObject({ nodes: [], totalCount: 0 });
  const twice = { checks: ['EMPTY_CONSUMER', 'BROKEN_TREE', 'EMPTY_CONSUMER'] };
  expect(await api.failure(DOCUMENT, twice)).toMatchObject(invalidInput('checks.2'));
});

test('a page with the objects of its findings takes a bounded number of statements, and few audits fit one document', async () => {
  await damage(database, 'DELETE FROM inventories', allocation(MISSING, classId('VCPU'), instance, 1));
  const statements = await api.statements(() => audit());
  // two moments of 9 rules, three statements around each, the names of broken trees, providers,
  // consumers with their project and user
  expect(statements.length).toBeLessThanOrEqual(2 * (9 + 3) + 5);
  const six = Array.from({ length: 6 }, (_, n) => `a${n}: audit { totalCount }`).join(' ');
  expect(await api.failure(`{ ${six} }`)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('writers who are half done are never a finding', async () => {
  let isBusy = true;
  let writes = 0;
  const writer = async (): Promise<void> => {
    while (isBusy) {
      const consumer = await claimed(api, { [numa]: { VCPU: 1 }, [host]: { DISK_GB: 1 } });
      await api.mutate('deleteConsumer', { consumer });
      const { tree } = await createProviders(api, {
        name: 'tree',
        inventories: { VCPU: 1 },
        children: [{ name: 'leaf' }],
      });
      await api.mutate('applyProviderTree', { root: { uuid: tree, name: 'tree', children: [] } });
      await api.mutate('deleteResourceProvider', { resourceProvider: { uuid: tree } });
      writes++;
    }
  };
  const writing = writer();
  for (let looks = 0; looks < 60 || writes < 4; looks++) {
    const { nodes, totalCount } = await audit();
    expect([nodes, totalCount]).toEqual([[], 0]);
  }
  isBusy = false;
  await writing;
});
