import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPlacement, type Placement } from '../../src/server/direct/placement.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { inventory } from '../ledger/support.js';
import { cases } from '../support/length.js';
import { useDatabase } from '../support/useDatabase.js';

/** With `--full` all instances of a large cell. */
const CONSUMERS = cases(10_000, 300);
const HOSTS = cases(100, 20);

let placement: Placement;
afterAll(() => placement.close()); // before the database is dropped
const database = useDatabase();
const hosts = Array.from({ length: HOSTS }, () => randomUUID());
const consumers = Array.from({ length: CONSUMERS }, () => randomUUID());

beforeAll(async () => {
  placement = createPlacement({ databaseUrl: database.url, seconds: 300 });
  for (const [at, uuid] of hosts.entries()) {
    const inventories = [inventory('VCPU', CONSUMERS), inventory('MEMORY_MB', CONSUMERS)];
    await createProvider(database.ledger, { name: `host${at}`, uuid, inventories });
  }
});

interface Owner {
  readonly projectId: string;
  readonly userId: string;
  readonly type?: string;
}

/** A ConsumerAllocationsInput that takes one unit of each class from a provider. */
const taking = (
  consumer: string,
  generation: number | null,
  owner: Owner,
  uuid: string,
  classes: string[],
) => {
  const resources = classes.map((resourceClass) => ({ resourceClass, amount: 1 }));
  const providers = classes.length === 0 ? [] : [{ resourceProvider: { uuid }, resources }];
  return { consumer, generation, ...owner, allocations: { providers } };
};

/** The input of all consumers, each on a host that depends on the shift. */
const all = (generation: number | null, shift: number, owner: (at: number) => Owner, classes: string[]) =>
  consumers.map((consumer, at) =>
    taking(consumer, generation, owner(at), hosts[(at + shift) % HOSTS], classes),
  );

/** Runs a mutation, which must succeed. */
async function write(field: string, input: object, selection: string): Promise<Record<string, unknown>> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) {
    answer: ${field}(input: $input) { __typename ... on ${type}Payload { ${selection} } ... on UserError { code message } }
  }`;
  const { data, errors } = await placement.execute<{ answer: Record<string, unknown> }>({
    document,
    variables: { input },
  });
  expect(errors).toBeUndefined();
  expect(data?.answer).toMatchObject({ __typename: `${type}Payload` });
  return data!.answer;
}

async function stored(): Promise<object> {
  const [row] = await database.pool.query<object[]>(
    `SELECT (SELECT COUNT(*) FROM consumers) AS consumers, (SELECT COUNT(*) FROM allocations) AS allocations,
            (SELECT MIN(generation) FROM consumers) AS oldest, (SELECT MAX(generation) FROM consumers) AS newest`,
  );
  return row;
}

const one = { projectId: 'p', userId: 'u', type: 'INSTANCE' };

test(`${CONSUMERS} consumers in one write: created, moved to owners of their own, reshaped, applied, removed`, async () => {
  const created = all(null, 0, () => one, ['VCPU', 'MEMORY_MB']);
  const { consumers: shown } = await write('setAllocations', { consumers: created }, 'consumers { uuid }');
  expect(shown).toHaveLength(CONSUMERS);
  expect(await stored()).toEqual({ consumers: CONSUMERS, allocations: 2 * CONSUMERS, oldest: 1, newest: 1 });

  // together longer than the default of max_allowed_packet
  const long = (at: number) => `${at}${'\u{1F9CA}'.repeat(250)}`;
  const owners = (at: number) => ({ projectId: long(at), userId: long(at), type: `T${at}` });
  await write('setAllocations', { consumers: all(1, 1, owners, ['VCPU']) }, '__typename');
  expect(await stored()).toEqual({ consumers: CONSUMERS, allocations: CONSUMERS, oldest: 2, newest: 2 });

  const versions = await database.pool.query<{ uuid: string; generation: number }[]>(
    'SELECT uuid, generation FROM resource_providers',
  );
  const inventories = versions.map(({ uuid, generation }) => ({
    resourceProvider: { uuid },
    generation,
    inventories: [inventory('MEMORY_MB', CONSUMERS)],
  }));
  const moved = all(2, 2, () => one, ['MEMORY_MB']);
  await write('reshape', { inventories, allocations: moved }, 'consumers { uuid }');
  expect(await stored()).toEqual({ consumers: CONSUMERS, allocations: CONSUMERS, oldest: 3, newest: 3 });

  const unchanged = all(3, 2, () => one, ['MEMORY_MB']);
  await write('setAllocations', { consumers: unchanged }, '__typename');
  expect(await stored()).toMatchObject({ newest: 3 });

  const root = { name: 'host0', children: [{ name: 'numa0', inventories: [inventory('VCPU', CONSUMERS)] }] };
  const allocations = all(3, 3, () => one, ['MEMORY_MB']);
  await write('applyProviderTree', { root, allocations }, 'reshaped');
  expect(await stored()).toMatchObject({ oldest: 4, newest: 4 });

  await write('setAllocations', { consumers: all(4, 0, () => one, []) }, '__typename');
  expect(await stored()).toMatchObject({ consumers: 0, allocations: 0 });
}, 300_000);

test(`${CONSUMERS} providers in one write: created, and their inventories and use moved in a reshape`, async () => {
  const children = consumers.map((uuid, at) => ({
    uuid,
    name: `device${at}`,
    inventories: [inventory('VGPU', 1)],
    traits: ['HW_CPU_X86_AVX'],
    aggregates: [{ uuid: hosts[at % HOSTS] }],
  }));
  await write('applyProviderTree', { root: { name: 'farm', children } }, 'reshaped');
  const allocations = (generation: number | null, resourceClass: string) =>
    consumers.map((uuid) => taking(uuid, generation, one, uuid, [resourceClass]));
  await write('setAllocations', { consumers: allocations(null, 'VGPU') }, '__typename');
  const inventories = consumers.map((uuid) => ({
    resourceProvider: { uuid },
    generation: 1,
    inventories: [inventory('PGPU', 1)],
  }));
  await write('reshape', { inventories, allocations: allocations(1, 'PGPU') }, '__typename');
  expect(await stored()).toEqual({ consumers: CONSUMERS, allocations: CONSUMERS, oldest: 2, newest: 2 });
  await write('setAllocations', { consumers: all(2, 0, () => one, []) }, '__typename');
  await write('applyProviderTree', { root: { name: 'farm', children: [] } }, 'reshaped');
  const left = await database.pool.query<object[]>(
    "SELECT id FROM resource_providers WHERE name LIKE 'device%'",
  );
  expect(left).toEqual([]);
}, 300_000);
