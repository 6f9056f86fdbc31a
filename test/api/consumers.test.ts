import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, nodeId, setAllocations, shown, takes, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi({ hasBackground: false });
let host: string;

beforeAll(async () => {
  ({ host } = await createProviders(api, { name: 'host', inventories: { VCPU: 1000 } }));
});

const rows = async (table: string, column: string, name: string) =>
  (await database.pool.query<unknown[]>(`SELECT 1 FROM ${table} WHERE ${column} = ?`, [name])).length;

const one = () => ({ [host]: { VCPU: 1 } });

describe('rule 81: what a consumer is', () => {
  test('a consumer has a uuid, a project, a user, a type and a generation', async () => {
    const uuid = await claimed(api, one(), { projectId: 'p', userId: 'u', consumerType: 'INSTANCE' });
    const { data } = await api.query(
      `query ($uuid: UUID!) { consumer(uuid: $uuid) { id uuid projectId userId type { name } generation } }`,
      { uuid: uuid.toUpperCase() },
    );
    expect(data).toEqual({
      consumer: {
        id: nodeId('Consumer', uuid),
        uuid,
        projectId: 'p',
        userId: 'u',
        type: { name: 'INSTANCE' },
        generation: 1,
      },
    });
  });

  test('ids of projects and users are any text of 1 to 255 characters, compared exactly (rule 11)', async () => {
    for (const id of ['x'.repeat(255), '🦀'.repeat(255), 'Ä', 'ä', 'a', 'A', ' a', "'; --", '%', '_', '\\']) {
      const uuid = await claimed(api, one(), { projectId: id, userId: id });
      expect(await shown(api, uuid)).toMatchObject({ projectId: id, userId: id });
    }
  });
});

test('two new consumers of projects that differ by case alone, one of them known, keep their own', async () => {
  await claimed(api, one(), { projectId: 'case', userId: 'case' });
  const [lower, upper] = [randomUUID(), randomUUID()];
  await setAllocations(
    api,
    takes(lower, null, one(), { projectId: 'case', userId: 'case' }),
    takes(upper, null, one(), { projectId: 'CASE', userId: 'CASE' }),
  );
  expect(await shown(api, lower)).toMatchObject({ projectId: 'case', userId: 'case' });
  expect(await shown(api, upper)).toMatchObject({ projectId: 'CASE', userId: 'CASE' });
});

test('rules 82, 89: deleteConsumer deletes the consumer, which is null then', async () => {
  const uuid = await claimed(api, one());
  expect(await api.mutate('deleteConsumer', { consumer: uuid }, 'deletedConsumerId uuid')).toEqual({
    __typename: 'DeleteConsumerPayload',
    deletedConsumerId: nodeId('Consumer', uuid),
    uuid,
  });
  expect(await shown(api, uuid)).toBeNull();
  expect(await rows('consumers', 'uuid', uuid)).toBe(0);
});

describe('rule 83, decision D6: the generation that a write expects', () => {
  const conflict = (
    consumerUuid: string,
    expectedGeneration: number | null,
    currentGeneration: number | null,
    path = ['consumers', '0', 'generation'],
  ) => ({
    __typename: 'ConsumerGenerationConflictError',
    code: 'CONSUMER_GENERATION_CONFLICT',
    message: expect.stringContaining(consumerUuid),
    retryable: true,
    path,
    consumerUuid,
    expectedGeneration,
    currentGeneration,
  });

  test.each([
    ['null for one that exists', null, 1],
    ['an older one', 0, 1],
    ['a later one', 2, 1],
  ])('%s is a conflict', async (_what, expected, current) => {
    const uuid = await claimed(api, one());
    const write = (amounts: Takes) =>
      unchanged(database, () => setAllocations(api, takes(uuid, expected, amounts)));
    expect(await write({ [host]: { VCPU: 2 } })).toEqual(conflict(uuid, expected, current));
    expect(await write(one())).toEqual(conflict(uuid, expected, current));
    expect(await write({})).toEqual(conflict(uuid, expected, current));
  });

  test('a number for one that does not exist is a conflict, also with nothing to take', async () => {
    const uuid = randomUUID();
    for (const amounts of [one(), {}]) {
      expect(await unchanged(database, () => setAllocations(api, takes(uuid, 1, amounts)))).toEqual(
        conflict(uuid, 1, null),
      );
    }
  });

  test('the first of several conflicts in input order is reported, and no consumer is written', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => claimed(api, one())));
    const more = { [host]: { VCPU: 5 } };
    expect(
      await unchanged(database, () =>
        setAllocations(api, takes(first, 1, more), takes(third, 7, more), takes(second, 6, more)),
      ),
    ).toEqual(conflict(third, 7, 1, ['consumers', '1', 'generation']));
  });

  test('leaving the generation out is the same as null', async () => {
    const { generation, ...input } = takes(randomUUID(), null, one());
    expect(generation).toBeNull();
    expect(await setAllocations(api, input)).toMatchObject({ consumers: [{ generation: 1 }] });
    expect(await setAllocations(api, input)).toEqual(
      conflict(input.consumer, null, 1, ['consumers', '0', 'consumer']),
    );
  });
});

test('rule 87: a consumer from before types is shown with null', async () => {
  const uuid = await claimed(api, one(), { consumerType: 'INSTANCE' });
  await database.pool.query('UPDATE consumers SET consumer_type_id = NULL WHERE uuid = ?', [uuid]);
  expect(await shown(api, uuid)).toMatchObject({ consumerType: null });
});

test('rule 88: a ghost that another server left is a consumer without allocations, which a write can take over', async () => {
  const uuid = await claimed(api, one());
  await database.pool.query('DELETE FROM allocations WHERE consumer_id = ?', [uuid]);
  await database.pool.query('UPDATE consumers SET generation = 0 WHERE uuid = ?', [uuid]);
  expect(await shown(api, uuid)).toMatchObject({ generation: 0, has: {} });
  await setAllocations(api, takes(uuid, 0, one()));
  expect(await shown(api, uuid)).toMatchObject({ generation: 1, has: { host: { VCPU: 1 } } });
});

describe('node ids', () => {
  const node = (id: string) =>
    api.read(`{ node(id: "${id}") { __typename id ... on Consumer { uuid generation } } }`);
  const idOf = (uuid: string) => nodeId('Consumer', uuid);

  test('find a consumer again, and nothing when it is gone', async () => {
    const uuid = await claimed(api, one());
    const id = idOf(uuid);
    expect(await node(id)).toEqual({ node: { __typename: 'Consumer', id, uuid, generation: 1 } });
    await api.mutate('deleteConsumer', { consumer: uuid });
    expect(await node(id)).toEqual({ node: null });
    expect(await node(idOf('no-uuid'))).toEqual({ node: null });
  });
});
