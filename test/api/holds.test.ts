import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { startApi, useApi, type Api } from '../support/api.js';
import { claimInput, requestOf, setAllocations, takes } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

const { database, api } = useApi({ hasBackground: false });
useForest(database, 'host VCPU:1000\nother VCPU:1000');
const [HOST, OTHER] = [uuidOf('provider', 'host'), uuidOf('provider', 'other')];

const MINUTE = 60_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

interface Held {
  readonly generation: number;
  readonly expiresAt: string | null;
}

async function stateOf(uuid: string): Promise<Held | null> {
  const { consumer } = await api.read<{ consumer: Held | null }>(
    'query ($uuid: UUID!) { consumer(uuid: $uuid) { generation expiresAt } }',
    { uuid },
  );
  return consumer;
}

/** Sets the times of all holds, as if they had been stated so. */
const dueIn = (ms: number) =>
  database.pool.query(
    `UPDATE placement_holds SET expires_at = UTC_TIMESTAMP(3) + INTERVAL ${1_000 * ms} MICROSECOND`,
  );

/** Starts a server and waits until it is ready. */
async function started(): Promise<Api> {
  const server = await startApi(database);
  const url = server.url.replace('/graphql', '/readyz');
  while ((await fetch(url)).status !== 200) await sleep(5);
  return server;
}

const rows = () => database.pool.query<object[]>('SELECT consumer_id FROM placement_holds');

async function held(expiresAt: string, uuid: string = randomUUID()): Promise<string> {
  const answer = await setAllocations(api, { ...takes(uuid, null, { [HOST]: { VCPU: 1 } }), expiresAt });
  expect(answer).toMatchObject({ __typename: 'SetAllocationsPayload' });
  return uuid;
}

const extend = (consumer: string, generation: number, expiresAt: string) =>
  api.mutate(
    'extendConsumers',
    { consumers: [{ consumer, generation, expiresAt }] },
    'consumers { generation expiresAt }',
  );
const confirm = (consumer: string, generation: number) =>
  api.mutate(
    'confirmConsumers',
    { consumers: [{ consumer, generation }] },
    'consumers { generation expiresAt }',
  );

beforeEach(async () => {
  for (const table of ['allocations', 'consumers', 'placement_holds'])
    await database.pool.query(`DELETE FROM ${table}`);
});

describe('the time at which a consumer ends', () => {
  test('is stated by setAllocations and claim, with milliseconds, and shown in payloads and lists', async () => {
    const expiresAt = new Date(Date.now() + MINUTE);
    expiresAt.setMilliseconds(123);
    const uuid = await held(expiresAt.toISOString());
    expect(await stateOf(uuid)).toEqual({ generation: 1, expiresAt: expiresAt.toISOString() });
    const consumer = { consumer: randomUUID(), projectId: 'p', userId: 'u', expiresAt };
    const claim = await api.mutate(
      'claim',
      claimInput(requestOf({ VCPU: 1 }), [consumer]),
      'claims { consumer { generation expiresAt } }',
    );
    expect(claim.claims).toEqual([{ consumer: { generation: 1, expiresAt: expiresAt.toISOString() } }]);
    expect(await stateOf(consumer.consumer)).toMatchObject({ expiresAt: expiresAt.toISOString() });
  });

  test('is checked by planWorkload as by claim', async () => {
    const plan = (expiresAt: string): Promise<unknown> =>
      api.read(`query ($input: ClaimInput!) { planWorkload(input: $input) { outcome } }`, {
        input: claimInput(requestOf({ VCPU: 1 }), [
          { consumer: randomUUID(), projectId: 'p', userId: 'u', expiresAt },
        ]),
      });
    expect(await plan(inMs(MINUTE))).toEqual({ planWorkload: { outcome: 'FOUND' } });
    await expect(plan(inMs(-MINUTE))).rejects.toThrow('has passed');
  });

  test('stays in writes that omit it, and changes in a write that states another', async () => {
    const [first, second] = [inMs(MINUTE), inMs(2 * MINUTE)];
    const uuid = await held(first);
    const write = (generation: number, more: object = {}, vcpu = 2) =>
      api.mutate(
        'setAllocations',
        { consumers: [{ ...takes(uuid, generation, { [OTHER]: { VCPU: vcpu } }), ...more }] },
        'consumers { generation expiresAt }',
      );
    expect(await write(1)).toMatchObject({ consumers: [{ generation: 2, expiresAt: first }] });
    expect(await stateOf(uuid)).toEqual({ generation: 2, expiresAt: first });
    expect(await write(2, { expiresAt: first })).toMatchObject({
      consumers: [{ generation: 2, expiresAt: first }],
    });
    expect(await write(2, { expiresAt: second })).toMatchObject({
      consumers: [{ generation: 3, expiresAt: second }],
    });
    expect(await stateOf(uuid)).toEqual({ generation: 3, expiresAt: second });
    await api.mutate('unsetAllocations', { consumer: uuid, resourceClasses: ['VCPU'] });
    expect(await stateOf(uuid)).toBeNull();
    expect(await rows()).toEqual([]);
  });

  test('a write of several consumers keeps, changes and removes their holds', async () => {
    const [first, second] = [inMs(MINUTE), inMs(2 * MINUTE)];
    const uuids = await Promise.all([first, first, first, first].map((time) => held(time)));
    const move = (uuid: string, more: object = {}) => ({
      ...takes(uuid, 1, { [OTHER]: { VCPU: 1 } }),
      ...more,
    });
    const [kept, changed, released, alsoKept] = uuids;
    const input = [
      ...[move(kept), move(changed, { expiresAt: second }), takes(released, 1, {}), move(alsoKept)],
      { ...takes(randomUUID(), null, { [OTHER]: { VCPU: 1 } }), expiresAt: first },
    ];
    await setAllocations(api, ...input);
    expect(await Promise.all(uuids.map(stateOf))).toEqual([
      { generation: 2, expiresAt: first },
      { generation: 2, expiresAt: second },
      null,
      { generation: 2, expiresAt: first },
    ]);
    expect(await rows()).toHaveLength(4);
  });

  test('the hold of a deleted consumer is removed with it', async () => {
    const uuid = await held(inMs(MINUTE));
    await api.mutate('deleteConsumer', { consumer: uuid });
    expect(await rows()).toEqual([]);
  });

  test('a claim that moves a consumer keeps its time, and keepOldAs may end by itself', async () => {
    const [own, kept] = [inMs(MINUTE), inMs(2 * MINUTE)];
    const uuid = await held(own);
    const keptAs = randomUUID();
    const consumer = {
      ...{ consumer: uuid, generation: 1, projectId: 'p', userId: 'u' },
      keepOldAs: { consumer: keptAs, type: 'MIGRATION', expiresAt: kept },
    };
    const answer = await api.mutate(
      'claim',
      claimInput({ ...requestOf({ VCPU: 1 }), notInTrees: [{ uuid: HOST }] }, [consumer]),
      'claims { consumer { generation expiresAt } keptAs { uuid expiresAt } }',
    );
    expect(answer.claims).toEqual([
      { consumer: { generation: 2, expiresAt: own }, keptAs: { uuid: keptAs, expiresAt: kept } },
    ]);
    expect(await stateOf(uuid)).toEqual({ generation: 2, expiresAt: own });
    expect(await stateOf(keptAs)).toEqual({ generation: 1, expiresAt: kept });
  });

  test('a write of another program ends the hold and not the consumer, and the next write removes its row', async () => {
    const uuid = await held(inMs(MINUTE));
    await database.pool.query('UPDATE consumers SET generation = generation + 1');
    expect(await stateOf(uuid)).toEqual({ generation: 2, expiresAt: null });
    expect(await rows()).toHaveLength(1);
    await setAllocations(api, takes(uuid, 2, { [HOST]: { VCPU: 3 } }));
    expect(await stateOf(uuid)).toEqual({ generation: 3, expiresAt: null });
    expect(await rows()).toEqual([]);
  });
});

describe('extendConsumers and confirmConsumers', () => {
  test('extending sets another time, confirming none; each counts the generation', async () => {
    const uuid = await held(inMs(MINUTE));
    const later = inMs(10 * MINUTE);
    expect(await extend(uuid, 1, later)).toMatchObject({ consumers: [{ generation: 2, expiresAt: later }] });
    expect(await confirm(uuid, 2)).toMatchObject({ consumers: [{ generation: 3, expiresAt: null }] });
    expect(await rows()).toEqual([]);
    expect(await stateOf(uuid)).toEqual({ generation: 3, expiresAt: null });
  });

  test('a stale generation is a conflict; a consumer without a hold or that has ended is NOT_FOUND', async () => {
    const uuid = await held(inMs(MINUTE));
    await extend(uuid, 1, inMs(2 * MINUTE));
    expect(await confirm(uuid, 1)).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
      path: ['consumers', '0', 'generation'],
      currentGeneration: 2,
    });
    await confirm(uuid, 2);
    for (const again of [confirm(uuid, 3), extend(uuid, 3, inMs(MINUTE))])
      expect(await again).toMatchObject({
        ...{ code: 'NOT_FOUND', entity: 'HOLD', key: uuid, path: ['consumers', '0', 'consumer'] },
      });
    const gone = randomUUID();
    for (const none of [confirm(gone, 1), extend(gone, 1, inMs(MINUTE))])
      expect(await none).toMatchObject({
        ...{ code: 'NOT_FOUND', entity: 'CONSUMER', key: gone, path: ['consumers', '0', 'consumer'] },
      });
    expect(await stateOf(uuid)).toEqual({ generation: 3, expiresAt: null });
  });

  test('all or none, each once, at least one', async () => {
    const [one, two] = [await held(inMs(MINUTE)), await held(inMs(MINUTE))];
    const consumers = [
      { consumer: one, generation: 1 },
      { consumer: two, generation: 7 },
    ];
    expect(await api.mutate('confirmConsumers', { consumers })).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
      path: ['consumers', '1', 'generation'],
    });
    expect(await stateOf(one)).toMatchObject({ generation: 1 });
    expect(await api.mutate('confirmConsumers', { consumers: [consumers[0], consumers[0]] })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['consumers', '1', 'consumer'] },
    });
    expect(await api.mutate('confirmConsumers', { consumers: [] })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['consumers'] },
    });
  });
});

describe('a time that cannot be', () => {
  const times = [
    ['in the past', inMs(-1_000)],
    ['more than a year ahead', inMs(367 * 24 * 60 * MINUTE)],
  ] as const;

  test.each(times)('%s: INVALID_INPUT with its path, and nothing changes', async (_name, expiresAt) => {
    const uuid = await held(inMs(MINUTE));
    const fresh = { ...takes(randomUUID(), null, { [HOST]: { VCPU: 1 } }), expiresAt };
    const other = takes(randomUUID(), null, { [HOST]: { VCPU: 1 } });
    expect(await setAllocations(api, other, fresh)).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['consumers', '1', 'expiresAt'] },
    });
    expect(await extend(uuid, 1, expiresAt)).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['consumers', '0', 'expiresAt'] },
    });
    const consumer = { consumer: randomUUID(), projectId: 'p', userId: 'u' };
    const claim = (more: object) =>
      api.mutate('claim', claimInput(requestOf({ VCPU: 1 }), [{ ...consumer, ...more }]));
    expect(await claim({ expiresAt })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['members', '0', 'consumers', '0', 'expiresAt'] },
    });
    expect(await claim({ generation: 1, keepOldAs: { consumer: randomUUID(), expiresAt } })).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['members', '0', 'consumers', '0', 'keepOldAs', 'expiresAt'] },
    });
    expect(await rows()).toHaveLength(1);
    expect(await database.pool.query('SELECT COUNT(*) AS count FROM consumers')).toEqual([{ count: 1 }]);
    expect(await stateOf(uuid)).toMatchObject({ generation: 1 });
  });
});

describe('beside a server of version 1.0', () => {
  const start = () =>
    database.pool.query(
      `INSERT INTO placement_feed_writers (id, holder, started_at, expires_at)
       VALUES (7, 'process 7 on b', UTC_TIMESTAMP(), UTC_TIMESTAMP() + INTERVAL 1 HOUR)`,
    );
  const stop = () => database.pool.query('DELETE FROM placement_feed_writers WHERE id = 7');

  test('the first hold is rejected and names it, and later ones are accepted', async () => {
    await start();
    const one = { ...takes(randomUUID(), null, { [HOST]: { VCPU: 1 } }), expiresAt: inMs(MINUTE) };
    expect(await setAllocations(api, one)).toMatchObject({
      code: 'OLDER_SERVER',
      servers: ['process 7 on b'],
    });
    const consumer = { consumer: randomUUID(), projectId: 'p', userId: 'u', expiresAt: inMs(MINUTE) };
    expect(await api.mutate('claim', claimInput(requestOf({ VCPU: 1 }), [consumer]))).toMatchObject({
      code: 'OLDER_SERVER',
    });
    await stop();
    await held(inMs(MINUTE));
    await start();
    await held(inMs(MINUTE));
    await stop();
  });
});

describe('a server', () => {
  test('ends consumers within a second of their time and not before, and the change feed says so', async () => {
    const server = await started();
    const uuids = await Promise.all(Array.from({ length: 20 }, () => held(inMs(MINUTE))));
    const confirmed = uuids[0];
    await confirm(confirmed, 1);
    await dueIn(1_000);
    await sleep(500);
    const [{ left, isEarly }] = await database.pool.query<{ left: number; isEarly: number }[]>(
      `SELECT COUNT(*) AS \`left\`, UTC_TIMESTAMP(3) < MIN(expires_at) AS isEarly FROM placement_holds`,
    );
    if (isEarly) expect(left).toBe(19);
    while ((await rows()).length > 0) await sleep(20);
    const { consumers } = await server.read<{ consumers: { nodes: { uuid: string }[] } }>(
      '{ consumers(first: 100) { nodes { uuid } } }',
    );
    expect(consumers.nodes).toEqual([{ uuid: confirmed }]);
    const deleted = await database.pool.query<object[]>(
      "SELECT uuid FROM placement_feed_changes WHERE kind = 'CONSUMER' AND generation IS NULL AND uuid IN (?)",
      [uuids],
    );
    expect(deleted).toHaveLength(19);
    await server.close();
  });

  test('begins to end overdue consumers before it is ready', async () => {
    await held(inMs(MINUTE));
    await dueIn(-1_000);
    const server = await started();
    expect(await rows()).toEqual([]);
    await server.close();
  });

  test('removes holds whose consumers other programs have written, and keeps the consumers', async () => {
    const [written, deleted] = [await held(inMs(MINUTE)), await held(inMs(MINUTE))];
    await database.pool.query('UPDATE consumers SET generation = 5 WHERE uuid = ?', [written]);
    await database.pool.query('DELETE FROM allocations WHERE consumer_id = ?', [deleted]);
    await database.pool.query('DELETE FROM consumers WHERE uuid = ?', [deleted]);
    await dueIn(-1_000);
    const server = await started();
    expect(await rows()).toEqual([]);
    expect(await stateOf(written)).toEqual({ generation: 5, expiresAt: null });
    await server.close();
  });

  test('two servers and clients that confirm race for each consumer: one outcome, which all learn', async () => {
    const servers = [await started(), await started()];
    const uuids = await Promise.all(Array.from({ length: 60 }, () => held(inMs(MINUTE))));
    await dueIn(500);
    const due = Date.now() + 500;
    const outcomes = await Promise.all(
      uuids.map(async (uuid, at) => {
        await sleep(due - Date.now() - 100 + 50 * at);
        return confirm(uuid, 1);
      }),
    );
    while ((await rows()).length > 0) await sleep(20);
    const stays = await Promise.all(uuids.map(stateOf));
    outcomes.forEach((outcome, at) => {
      const isConfirmed = outcome.__typename === 'ConfirmConsumersPayload';
      if (!isConfirmed) expect(outcome).toMatchObject({ code: 'NOT_FOUND', entity: 'CONSUMER' });
      expect(stays[at]).toEqual(isConfirmed ? { generation: 2, expiresAt: null } : null);
    });
    expect(new Set(outcomes.map(({ __typename }) => __typename)).size).toBe(2);
    expect(await rows()).toEqual([]);
    for (const server of servers) await server.close();
  });
});

test('a REST write ends the hold and keeps the consumer', async () => {
  const uuid = await held(inMs(MINUTE));
  const url = api.url.replace('/graphql', `/placement/allocations/${uuid}`);
  const body = {
    allocations: { [HOST]: { resources: { VCPU: 1 } } },
    ...{ project_id: 'a-project', user_id: 'a-user', consumer_generation: 1, consumer_type: 'INSTANCE' },
  };
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'openstack-api-version': 'placement 1.38' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(204);
  expect(await stateOf(uuid)).toEqual({ generation: 2, expiresAt: null });
  expect(await rows()).toEqual([]);
});
