import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { damage } from '../support/damage.js';
import type { Named, Page } from '../support/shapes.js';

const { api, database } = useApi({ hasBackground: false });

const AGGREGATE = 'aaaaaaaa-0000-4000-8000-000000000001';
const HOST = 'bbbbbbbb-0000-4000-8000-000000000001';
const NUMA = 'bbbbbbbb-0000-4000-8000-000000000002';
const NIC = 'bbbbbbbb-0000-4000-8000-000000000003';
const INSTANCE = 'cccccccc-0000-4000-8000-000000000001';
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
  await createProviders(api, {
    name: 'host',
    uuid: HOST,
    inventories: { DISK_GB: 100 },
    traits: ['HW_NUMA_ROOT'],
    aggregates: [AGGREGATE],
    children: [
      {
        name: 'numa',
        uuid: NUMA,
        inventories: { VCPU: 10, MEMORY_MB: 100 },
        children: [{ name: 'nic', uuid: NIC, inventories: { VGPU: 8 } }],
      },
    ],
  });
  const byProvider = { [HOST]: { DISK_GB: 10 }, [NUMA]: { VCPU: 4, MEMORY_MB: 10 }, [NIC]: { VGPU: 2 } };
  await setAllocations(api, takes(INSTANCE, null, byProvider, { consumerType: 'INSTANCE' }));
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

const DOCUMENT = `query ($checks: [AuditCheck!], $first: Int, $after: String, $last: Int) {
  audit(checks: $checks, first: $first, after: $after, last: $last) {
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

const MISSING = 999_999;
const idOf = (uuid: string) => `(SELECT w.id FROM was_resource_providers w WHERE w.uuid = '${uuid}')`;
const numaId = idOf(NUMA);
const classId = (name: string) => `(SELECT k.id FROM resource_classes k WHERE k.name = '${name}')`;
const setInventory = (name: string, columns: string) =>
  `UPDATE inventories SET ${columns} WHERE resource_class_id = ${classId(name)}`;
const setProvider = (uuid: string, columns: string) =>
  `UPDATE resource_providers SET ${columns} WHERE uuid = '${uuid}'`;
const insertAllocation = (
  provider: string | number,
  resourceClass: string | number,
  consumer: string,
  used: number,
) =>
  `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
   VALUES (${provider}, ${resourceClass}, '${consumer}', ${used})`;

test('a database that only the API has written has no finding', async () => {
  expect(await audit()).toMatchObject({
    nodes: [],
    totalCount: 0,
    pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null },
  });
});

const [host, numa, nic] = [`host (${HOST})`, `numa (${NUMA})`, `nic (${NIC})`];
const violation = (units: string) =>
  `UNIT_VIOLATION numa instance VCPU: consumer ${INSTANCE} takes 4 VCPU of provider ${numa}, where ${units}`;
const orphan = (provider: string) =>
  `provider ${provider} has the root ${host}, and a parent on the way to its root does not exist`;
const loop = (provider: string) => `provider ${provider} has the root ${host}, and its ancestors are a loop`;

/** The statements that damage the database, and all findings, as `lineOf` shows them. */
const DAMAGES: readonly (readonly [what: string, statements: readonly string[], ...findings: string[]])[] = [
  [
    'an inventory shrunk below its use',
    [setInventory('VCPU', 'total = 3')],
    `OVER_CAPACITY numa VCPU: 4 VCPU of provider ${numa} are in use; its capacity is 3`,
  ],
  [
    'use of an inventory of which all is reserved counts above its total (decision D23)',
    [setInventory('VCPU', 'total = 4, reserved = 4'), setInventory('DISK_GB', 'total = 9, reserved = 9')],
    `OVER_CAPACITY host DISK_GB: 10 DISK_GB of provider ${host} are in use; its total is 9, all reserved`,
  ],
  [
    'use without an inventory, where the capacity is 0',
    [`DELETE FROM inventories WHERE resource_class_id = ${classId('DISK_GB')}`],
    `OVER_CAPACITY host DISK_GB: 10 DISK_GB of provider ${host} are in use; it has no inventory of that`,
  ],
  [
    'capacities by decimal arithmetic (decision D2), where 10 x 0.7 is 7 and 10 x 0.39 is 3',
    [
      setInventory('VCPU', 'allocation_ratio = 0.39'),
      // 10 of 10 x 1 stay, and 7 of 10 x 0.7
      setInventory('DISK_GB', 'total = 10, allocation_ratio = 1'),
      setInventory('MEMORY_MB', 'total = 10, allocation_ratio = 0.7'),
      `UPDATE allocations SET used = 7 WHERE resource_class_id = ${classId('MEMORY_MB')}`,
    ],
    `OVER_CAPACITY numa VCPU: 4 VCPU of provider ${numa} are in use; its capacity is 3`,
  ],
  [
    '4 below minUnit 5 (decision D1)',
    [setInventory('VCPU', 'min_unit = 5')],
    violation('minUnit is 5, maxUnit 2147483647 and stepSize 1'),
  ],
  [
    '4 above maxUnit 3 (decision D1)',
    [setInventory('VCPU', 'max_unit = 3')],
    violation('minUnit is 1, maxUnit 3 and stepSize 1'),
  ],
  [
    '4 in steps of 3 (decision D1)',
    [setInventory('VCPU', 'min_unit = 2, step_size = 3')],
    violation('minUnit is 2, maxUnit 2147483647 and stepSize 3'),
  ],
  [
    'an amount that is minUnit, which need not be a multiple of stepSize (decision D1)',
    [setInventory('VCPU', 'min_unit = 4, step_size = 3')],
  ],
  [
    'an allocation without a consumer',
    [insertAllocation(numaId, classId('VCPU'), OTHER, 1)],
    `DANGLING_ALLOCATION numa no-other VCPU: consumer ${OTHER} takes 1 VCPU of provider ${numa}, but the consumer does not exist`,
  ],
  [
    'an allocation of no provider',
    [insertAllocation(MISSING, classId('VCPU'), INSTANCE, 2)],
    `DANGLING_ALLOCATION instance VCPU: consumer ${INSTANCE} takes 2 VCPU of provider ${MISSING}, but the provider does not exist`,
  ],
  [
    'an allocation of no class, and one of nothing at all',
    [insertAllocation(numaId, MISSING, INSTANCE, 3), insertAllocation(MISSING, MISSING, OTHER, 3)],
    `DANGLING_ALLOCATION numa instance: consumer ${INSTANCE} takes 3 of resource class ${MISSING} of provider ${numa}, but the resource class does not exist`,
    `DANGLING_ALLOCATION no-other: consumer ${OTHER} takes 3 of resource class ${MISSING} of provider ${MISSING}, but the provider and the consumer and the resource class do not exist`,
  ],
  [
    'a consumer without allocations',
    [
      `INSERT INTO consumers (uuid, project_id, user_id, consumer_type_id, generation)
       SELECT '${OTHER}', project_id, user_id, consumer_type_id, 1 FROM was_consumers`,
    ],
    `EMPTY_CONSUMER other: consumer ${OTHER} has no allocations`,
  ],
  [
    'no root',
    [setProvider(NIC, 'root_provider_id = NULL')],
    `BROKEN_TREE nic: provider ${nic} has no root, but its parents lead to ${host}`,
  ],
  [
    'another root than the parents lead to, for all below a moved provider',
    [setProvider(NUMA, 'parent_provider_id = NULL')],
    `BROKEN_TREE numa: provider ${numa} has the root ${host}, but its parents lead to ${numa}`,
    `BROKEN_TREE nic: provider ${nic} has the root ${host}, but its parents lead to ${numa}`,
  ],
  [
    'a consumer in two trees after a child became a root',
    [setProvider(NIC, 'parent_provider_id = NULL, root_provider_id = id')],
    `SEVERAL_TREES instance: consumer ${INSTANCE} has allocations in several trees, such as those of provider ${host} and provider ${nic}`,
  ],
  [
    'a missing parent, seen from below too',
    [setProvider(NUMA, `parent_provider_id = ${MISSING}`)],
    `BROKEN_TREE numa: ${orphan(numa)}`,
    `BROKEN_TREE nic: ${orphan(nic)}`,
  ],
  [
    'a loop',
    [setProvider(NUMA, `parent_provider_id = ${idOf(NIC)}`)],
    `BROKEN_TREE numa: ${loop(numa)}`,
    `BROKEN_TREE nic: ${loop(nic)}`,
  ],
  [
    'an inventory of no provider, and one of no class',
    [`${MISSING}, ${classId('VCPU')}`, `${numaId}, ${MISSING}`].map(
      (ids) =>
        `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
         VALUES (${ids}, 7, 0, 1, 7, 1, 1)`,
    ),
    `UNKNOWN_REFERENCE VCPU: provider ${MISSING} has an inventory of 7 VCPU, but the provider does not exist`,
    `UNKNOWN_REFERENCE numa: provider ${numa} has an inventory of 7 of resource class ${MISSING}, but the resource class does not exist`,
  ],
  [
    'a trait that does not exist, and an aggregate',
    [
      `INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES (${numaId}, ${MISSING})`,
      `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (${numaId}, ${MISSING})`,
    ],
    `UNKNOWN_REFERENCE numa: provider ${numa} has the trait ${MISSING}, but the trait does not exist`,
    `UNKNOWN_REFERENCE numa: provider ${numa} has the aggregate ${MISSING}, but the aggregate does not exist`,
  ],
  [
    'a consumer whose project, user and type do not exist',
    [`UPDATE consumers SET project_id = ${MISSING}, user_id = ${MISSING}, consumer_type_id = ${MISSING}`],
    `UNKNOWN_REFERENCE instance: consumer ${INSTANCE} has a dangling reference: the project and the user and the consumer type do not exist`,
  ],
];

const NAMES: Readonly<Record<string, string>> = {
  [HOST]: 'host',
  [NUMA]: 'numa',
  [NIC]: 'nic',
  [INSTANCE]: 'instance',
  [OTHER]: 'other',
};

/** Shows a finding as `CHECK provider consumer class: message`, without null, `no-` before a consumer that does not exist. */
function lineOf(finding: Finding): string {
  const { check, message, resourceProvider, resourceProviderUuid, consumer, consumerUuid } = finding;
  expect(resourceProvider?.name).toBe(NAMES[resourceProviderUuid ?? '']);
  expect(consumer?.uuid ?? consumerUuid).toBe(consumerUuid);
  const consumerName = consumerUuid && `${consumer ? '' : 'no-'}${NAMES[consumerUuid]}`;
  const objects = [check, resourceProvider?.name, consumerName, finding.resourceClassName];
  return `${objects.filter(Boolean).join(' ')}: ${message}`;
}

describe('all damage is found, and nothing else', () => {
  test.each(DAMAGES)('%s', async (_what, statements, ...findings) => {
    await damage(database, ...statements);
    const { nodes, totalCount } = await audit();
    expect(nodes.map(lineOf)).toEqual(findings);
    expect(totalCount).toBe(findings.length);
  });

  test('several checks have the findings of each, in the order of the checks', async () => {
    const some = DAMAGES.filter(([what]) => /shrunk|of no provider$|without alloc|no root|trait/.test(what));
    await damage(database, ...some.flatMap(([, statements]) => statements));
    const { nodes } = await audit();
    expect(nodes.map(lineOf)).toEqual(some.flatMap(([, , ...findings]) => findings));
    for (const check of new Set(nodes.map((node) => node.check))) {
      const own = nodes.filter((node) => node.check === check);
      expect(await audit({ checks: [check] })).toMatchObject({ nodes: own, totalCount: own.length });
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
  await damage(database, 'DELETE FROM inventories', insertAllocation(MISSING, classId('VCPU'), INSTANCE, 1));
  const statements = await api.statements(() => audit());
  // one moment of 17 rules for the page and its count, three statements around them, the names of broken
  // trees, providers, consumers with their project and user
  expect(statements.length).toBeLessThanOrEqual(17 + 3 + 5);
  const six = Array.from({ length: 6 }, (_, n) => `a${n}: audit { totalCount }`).join(' ');
  expect(await api.failure(`{ ${six} }`)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('the count of any page is that of all findings', async () => {
  const rows = Array.from({ length: 5 }, () => insertAllocation(MISSING, classId('VCPU'), randomUUID(), 1));
  await damage(database, 'DELETE FROM inventories', ...rows);
  const { nodes: all } = await audit();
  expect(all.length).toBeGreaterThan(6);
  for (const first of [0, 1, 3, all.length, all.length + 1]) {
    const found: Finding[] = [];
    for (let after: string | null | undefined = null; ;) {
      const { nodes, pageInfo, totalCount } = await audit({ first, after });
      expect(totalCount).toBe(all.length);
      found.push(...nodes);
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage || first === 0) break;
    }
    if (first > 0) expect(found).toEqual(all);
    expect(await audit({ last: first })).toMatchObject({ totalCount: all.length });
  }
});

test('one audit runs at a time, and several of one document run one after another', async () => {
  const lock = await database.transactions.getConnection();
  await lock.query('LOCK TABLES allocations WRITE');
  const both = api.read('{ a: audit { totalCount } b: audit(checks: OVER_CAPACITY) { totalCount } }');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const refused = await api.failure('{ audit { totalCount } }');
  expect(refused).toMatchObject({ code: 'OVERLOADED', message: expect.stringContaining('audit') });
  await lock.query('UNLOCK TABLES');
  await lock.release();
  expect(await both).toEqual({ a: { totalCount: 0 }, b: { totalCount: 0 } });
  expect(await api.read('{ audit { totalCount } }')).toEqual({ audit: { totalCount: 0 } });
});

test('writers who are half done are never a finding', async () => {
  let isBusy = true;
  let writes = 0;
  const writer = async (): Promise<void> => {
    while (isBusy) {
      const consumer = await claimed(api, { [NUMA]: { VCPU: 1 }, [HOST]: { DISK_GB: 1 } });
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
