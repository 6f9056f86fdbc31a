import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { useRest } from './rest.js';

const { rest, api } = useRest({ hasBackground: false });

const TRANSACTION = /^\s*(BEGIN|START TRANSACTION|COMMIT)/i;

/** Counts the statements of a request, without those that begin and end a transaction. */
async function count(...request: Parameters<typeof rest>): Promise<number> {
  const statements = await api.statements(async () => {
    expect(await rest(...request)).toMatchObject({ status: 200 });
  });
  return statements.filter((statement) => !TRANSACTION.test(statement)).length;
}

const UUID = randomUUID();
const PATH = `/resource_providers/${UUID}`;
let rounds = 0;
let consumer: string;

beforeAll(async () => {
  await rest('POST', '/resource_providers', { body: { name: 'host', uuid: UUID } });
  await setInventories();
  consumer = await claimed(api, { [UUID]: { VCPU: 1 } });
  for (const path of [`${PATH}/aggregates`, `/allocations/${consumer}`]) await rest('GET', path); // spellings
});

async function generation(): Promise<number> {
  return (await rest('GET', PATH)).json.generation;
}

async function setInventories(): Promise<number> {
  const body = {
    resource_provider_generation: await generation(),
    inventories: { VCPU: { total: 8 + rounds++ }, DISK_GB: { total: 100 } },
  };
  return count('PUT', `${PATH}/inventories`, { body });
}

test.each(['', '/inventories', '/inventories/VCPU', '/usages', '/traits', '/aggregates'])(
  'a read of /resource_providers/{uuid}%s takes one statement',
  async (part) => {
    expect(await count('GET', `${PATH}${part}`)).toBe(1);
  },
);

test('a read of the allocations of a consumer takes one statement', async () => {
  expect(await count('GET', `/allocations/${consumer}`)).toBe(1);
});

test('concurrent reads of consumers share statements', async () => {
  const consumers = await Promise.all(
    Array.from({ length: 20 }, () => claimed(api, { [UUID]: { DISK_GB: 1 } })),
  );
  const statements = await api.statements(async () => {
    const answers = await Promise.all(consumers.map((each) => rest('GET', `/allocations/${each}`)));
    for (const { json } of answers)
      expect(json.allocations).toEqual({ [UUID]: expect.objectContaining({ resources: { DISK_GB: 1 } }) });
  });
  expect(statements.length).toBeLessThan(consumers.length / 2);
});

test('a write of inventories reads the classes, the provider and its inventories, and writes three tables', async () => {
  expect(await setInventories()).toBe(6);
});
