import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, shown, takes, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi({ hasBackground: false });
let host: string;
const NOBODY = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  ({ host } = await createProviders(api, { name: 'host', inventories: { VCPU: 1000 } }));
});

const rows = async (table: string, column: string, name: string) =>
  (await database.pool.query<unknown[]>(`SELECT 1 FROM ${table} WHERE ${column} = ?`, [name])).length;

const one = () => ({ [host]: { VCPU: 1 } });

describe('rule 81: what a consumer is', () => {
  test('it has a uuid, a project, a user, a type and a generation', async () => {
    const uuid = await claimed(api, one(), { projectId: 'p', userId: 'u', consumerType: 'INSTANCE' });
    const { data } = await api.query(
      `query ($uuid: UUID!) { consumer(uuid: $uuid) { id uuid projectId userId type { name } generation } }`,
      { uuid: uuid.toUpperCase() },
    );
    expect(data).toEqual({
      consumer: {
        id: Buffer.from(`Consumer:${uuid}`).toString('base64'),
        uuid,
        projectId: 'p',
        userId: 'u',
        type: { name: 'INSTANCE' },
        generation: 1,
      },
    });
  });

  test('project, user and type come into being on first use and stay', async () => {
    const owner = { projectId: 'new-project', userId: 'new-user', consumerType: 'NEW_TYPE' };
    const stored = async () => [
      await rows('projects', 'external_id', owner.projectId),
      await rows('users', 'external_id', owner.userId),
      await rows('consumer_types', 'name', owner.consumerType),
    ];
    expect(await stored()).toEqual([0, 0, 0]);
    const first = await claimed(api, one(), owner);
    await claimed(api, one(), owner);
    expect(await stored()).toEqual([1, 1, 1]);
    await api.mutate('deleteConsumer', { consumer: first });
    expect(await stored()).toEqual([1, 1, 1]);
  });

  test('ids of projects and users are any text of 1 to 255 characters, told apart exactly (rule 11)', async () => {
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

describe('rule 82: a consumer exists only while it has allocations', () => {
  test('a write that leaves it none deletes it', async () => {
    const uuid = await claimed(api, one());
    expect(await rows('consumers', 'uuid', uuid)).toBe(1);
    expect(await setAllocations(api, takes(uuid, 1, {}))).toEqual({
      __typename: 'SetAllocationsPayload',
      consumers: [],
    });
    expect(await shown(api, uuid)).toBeNull();
    expect(await rows('consumers', 'uuid', uuid)).toBe(0);
  });

  test('so does deleteConsumer', async () => {
    const uuid = await claimed(api, one());
    expect(await api.mutate('deleteConsumer', { consumer: uuid }, 'deletedConsumerId uuid')).toEqual({
      __typename: 'DeleteConsumerPayload',
      deletedConsumerId: Buffer.from(`Consumer:${uuid}`).toString('base64'),
      uuid,
    });
    expect(await shown(api, uuid)).toBeNull();
    expect(await rows('consumers', 'uuid', uuid)).toBe(0);
  });
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

  test('of several conflicts the first of the input is told, and none of the others is written', async () => {
    const [first, second, third] = [
      await claimed(api, one()),
      await claimed(api, one()),
      await claimed(api, one()),
    ];
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

test('rule 84: after its first write a consumer is at generation 1, and each change adds 1', async () => {
  const uuid = await claimed(api, one());
  for (const generation of [1, 2, 3]) {
    expect(await shown(api, uuid)).toMatchObject({ generation });
    await setAllocations(api, takes(uuid, generation, { [host]: { VCPU: generation + 1 } }));
  }
});

test('rule 85: once emptied it is new again, and restarts at 1', async () => {
  const uuid = await claimed(api, one());
  await setAllocations(api, takes(uuid, 1, { [host]: { VCPU: 2 } }));
  await setAllocations(api, takes(uuid, 2, {}));
  expect(await setAllocations(api, takes(uuid, 3, one()))).toMatchObject({
    code: 'CONSUMER_GENERATION_CONFLICT',
    currentGeneration: null,
  });
  expect(await setAllocations(api, takes(uuid, null, one()))).toMatchObject({
    consumers: [{ generation: 1 }],
  });
});

describe('rule 86: project, user and type of a write replace the stored ones', () => {
  test('all three, together with the allocations', async () => {
    const uuid = await claimed(api, one(), { projectId: 'p1', userId: 'u1', consumerType: 'INSTANCE' });
    const owner = { projectId: 'p2', userId: 'u2', consumerType: 'MIGRATION' };
    await setAllocations(api, takes(uuid, 1, { [host]: { VCPU: 3 } }, owner));
    expect(await shown(api, uuid)).toEqual({ ...owner, generation: 2, has: { host: { VCPU: 3 } } });
  });

  test('each alone, with the allocations as they are', async () => {
    const uuid = await claimed(api, one(), { projectId: 'p1', userId: 'u1', consumerType: 'INSTANCE' });
    const owners = [
      { projectId: 'p3', userId: 'u1', consumerType: 'INSTANCE' },
      { projectId: 'p3', userId: 'u3', consumerType: 'INSTANCE' },
      { projectId: 'p3', userId: 'u3', consumerType: 'VOLUME' },
    ];
    for (const [at, owner] of owners.entries()) {
      await setAllocations(api, takes(uuid, at + 1, one(), owner));
      expect(await shown(api, uuid)).toEqual({ ...owner, generation: at + 2, has: { host: { VCPU: 1 } } });
    }
  });

  test('of many consumers at once, each with its own', async () => {
    const uuids = [await claimed(api, one()), await claimed(api, one()), await claimed(api, one())];
    const owners = uuids.map((_, at) => ({
      projectId: `p-${at}`,
      userId: `u-${at}`,
      consumerType: `T_${at}`,
    }));
    await setAllocations(api, ...uuids.map((uuid, at) => takes(uuid, 1, one(), owners[at])));
    for (const [at, uuid] of uuids.entries()) expect(await shown(api, uuid)).toMatchObject(owners[at]);
  });

  test('a refused write takes them back', async () => {
    const uuid = await claimed(api, one(), { projectId: 'p1', userId: 'u1', consumerType: 'INSTANCE' });
    const owner = { projectId: 'never', userId: 'never', consumerType: 'NEVER' };
    expect(
      await unchanged(database, () => setAllocations(api, takes(uuid, 1, { [host]: { VCPU: 5000 } }, owner))),
    ).toMatchObject({ code: 'CAPACITY_EXCEEDED' });
  });
});

describe('rule 87: consumers without a type', () => {
  test('a new one that is given none has none, and null keeps the type of one that has', async () => {
    const uuid = await claimed(api, one());
    expect(await shown(api, uuid)).toMatchObject({ consumerType: null });
    await setAllocations(api, takes(uuid, 1, one(), { consumerType: 'INSTANCE' }));
    expect(await shown(api, uuid)).toMatchObject({ consumerType: 'INSTANCE', generation: 2 });
    await setAllocations(api, takes(uuid, 2, { [host]: { VCPU: 2 } }, { consumerType: null }));
    expect(await shown(api, uuid)).toMatchObject({ consumerType: 'INSTANCE', generation: 3 });
  });

  test('an old one from before types is shown with null', async () => {
    const uuid = await claimed(api, one(), { consumerType: 'INSTANCE' });
    await database.pool.query('UPDATE consumers SET consumer_type_id = NULL WHERE uuid = ?', [uuid]);
    expect(await shown(api, uuid)).toMatchObject({ consumerType: null });
  });
});

describe('rule 88: a failed or empty write leaves no consumer, project, user or type', () => {
  const unheard = { projectId: 'unheard-of', userId: 'unheard-of', consumerType: 'UNHEARD_OF' };

  test('an unknown provider', async () => {
    const uuid = randomUUID();
    const write = () => setAllocations(api, takes(uuid, null, { [NOBODY]: { VCPU: 1 } }, unheard));
    expect(await unchanged(database, write)).toMatchObject({ code: 'NOT_FOUND', key: NOBODY });
    expect(await setAllocations(api, takes(uuid, null, one()))).toMatchObject({
      consumers: [{ generation: 1 }],
    });
  });

  test.each([
    ['too much', { VCPU: 5000 }, 'CAPACITY_EXCEEDED'],
    ['no inventory', { MEMORY_MB: 1 }, 'NO_INVENTORY'],
    ['an unknown class', { CUSTOM_NOTHING: 1 }, 'INVALID_INPUT'],
  ])('%s', async (_what, amounts, code) => {
    const write = () => setAllocations(api, takes(randomUUID(), null, { [host]: amounts }, unheard));
    expect(await unchanged(database, write)).toMatchObject({ code });
  });

  test('nothing for someone who never was', async () => {
    const write = () => setAllocations(api, takes(randomUUID(), null, {}, unheard));
    expect(await unchanged(database, write)).toEqual({ __typename: 'SetAllocationsPayload', consumers: [] });
  });

  test('a ghost that another server left is a consumer without allocations, which a write can take over', async () => {
    const uuid = await claimed(api, one());
    await database.pool.query('DELETE FROM allocations WHERE consumer_id = ?', [uuid]);
    await database.pool.query('UPDATE consumers SET generation = 0 WHERE uuid = ?', [uuid]);
    expect(await shown(api, uuid)).toMatchObject({ generation: 0, has: {} });
    await setAllocations(api, takes(uuid, 0, one()));
    expect(await shown(api, uuid)).toMatchObject({ generation: 1, has: { host: { VCPU: 1 } } });
  });
});

test('rule 89, decision D9: an unknown consumer is null', async () => {
  expect(await shown(api, NOBODY)).toBeNull();
});

describe('node ids', () => {
  const node = (id: string) =>
    api.query('query ($id: ID!) { node(id: $id) { __typename id ... on Consumer { uuid generation } } }', {
      id,
    });
  const idOf = (uuid: string) => Buffer.from(`Consumer:${uuid}`).toString('base64');

  test('find a consumer again, and nothing when it is gone', async () => {
    const uuid = await claimed(api, one());
    const id = idOf(uuid);
    expect((await node(id)).data).toEqual({ node: { __typename: 'Consumer', id, uuid, generation: 1 } });
    await api.mutate('deleteConsumer', { consumer: uuid });
    expect(await node(id)).toMatchObject({ data: { node: null } });
    expect((await node(idOf('no-uuid'))).data).toEqual({ node: null });
  });

  test('many at once take one statement', async () => {
    const ids = [idOf(await claimed(api, one())), idOf(NOBODY), idOf(await claimed(api, one()))];
    const statements = await api.statements(async () => {
      const { data } = await api.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
      expect(data).toEqual({ nodes: [{ id: ids[0] }, null, { id: ids[2] }] });
    });
    expect(statements).toHaveLength(1);
  });
});
