import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { refusal, useApi } from '../support/api.js';
import { claimInput, newConsumers, requestOf } from '../support/claims.js';

const file = useApi();

const TREE = `mutation ($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) { __typename } }`;
const racks = [randomUUID(), randomUUID()];
const hosts = Array.from({ length: 4 }, () => randomUUID());

beforeAll(async () => {
  for (const [at, uuid] of hosts.entries()) {
    const inventories = [{ resourceClass: 'VCPU', total: 64 }];
    const aggregates = [{ uuid: racks[at >> 1] }];
    await file.api.read(TREE, { input: { root: { uuid, name: `host ${at}`, inventories, aggregates } } });
  }
});

const RACKS = { aggregates: racks.map((uuid) => ({ uuid })) };

interface Shown {
  readonly members: readonly { name: string; placement: string; consumers: { uuid: string }[] }[];
  readonly topology: readonly {
    rule: string;
    members: string[];
    holds: boolean | null;
    input: object | null;
  }[];
  readonly generation: number;
}

async function workload(name: string, projectId = 'p'): Promise<Shown | null> {
  const { workload } = await file.api.read<{ workload: Shown | null }>(
    `query ($name: String!, $projectId: String!) { workload(name: $name, projectId: $projectId) { generation
       members { name placement consumers { uuid } requests } topology { rule members holds input } } }`,
    { name, projectId },
  );
  return workload;
}

const claim = (input: object, selection?: string) => file.api.mutate('claim', input, selection);

test('a claim names its workload; another adds members and replaces the rules; it ends with its last consumer', async () => {
  const [web] = [newConsumers(2)];
  const rule = { level: RACKS, members: ['member'], rule: 'SPREAD', maxSkew: 1 };
  const first = { ...claimInput(requestOf({ VCPU: 1 }), web), topology: [rule], workload: { name: 'shop' } };
  expect(await claim(first)).toMatchObject({ __typename: 'ClaimPayload' });
  const uuids = web.map(({ consumer }) => ({ uuid: consumer }));
  expect(await workload('shop')).toEqual({
    generation: 1,
    members: [{ name: 'member', placement: 'ANY', consumers: uuids, requests: [requestOf({ VCPU: 1 })] }],
    topology: [{ rule: 'SPREAD', members: ['member'], holds: true, input: rule }],
  });
  const [db] = newConsumers();
  const second = {
    members: [{ name: 'db', requests: [requestOf({ VCPU: 2 })], consumers: [db] }],
    topology: [{ level: { tree: true }, members: ['db'], rule: 'DIFFERENT' }],
    workload: { name: 'shop' },
  };
  expect(await claim(second)).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await workload('shop')).toMatchObject({
    generation: 2,
    members: [
      { name: 'member', consumers: uuids },
      { name: 'db', consumers: [{ uuid: db.consumer }] },
    ],
    topology: [{ rule: 'DIFFERENT', members: ['db'], holds: true }],
  });
  const { consumer, workloads } = await file.api.read<{ consumer: object; workloads: object }>(
    `query ($uuid: UUID!) { consumer(uuid: $uuid) { workload { name projectId } }
       workloads(projectId: "p", first: 1) { totalCount nodes { name } } }`,
    { uuid: db.consumer },
  );
  expect({ consumer, workloads }).toEqual({
    consumer: { workload: { name: 'shop', projectId: 'p' } },
    workloads: { totalCount: 1, nodes: [{ name: 'shop' }] },
  });
  for (const uuid of [...web, db]) await file.api.mutate('deleteConsumer', { consumer: uuid.consumer });
  expect(await workload('shop')).toBeNull();
  const [again] = newConsumers();
  const third = { ...claimInput(requestOf({ VCPU: 1 }), [again]), workload: { name: 'shop' } };
  expect(await claim(third)).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await workload('shop')).toMatchObject({
    members: [{ consumers: [{ uuid: again.consumer }] }],
    topology: [],
  });
});

test('the rules show whether they hold now', async () => {
  const consumers = newConsumers(2);
  const different = { level: { tree: true }, members: ['member'], rule: 'DIFFERENT' };
  const pack = { level: RACKS, members: ['member'], rule: 'PACK' };
  const input = {
    ...claimInput(requestOf({ VCPU: 1 }), consumers),
    topology: [different, pack],
    workload: { name: 'pair' },
  };
  expect(await claim(input)).toMatchObject({ __typename: 'ClaimPayload' });
  expect((await workload('pair'))?.topology.map(({ holds }) => holds)).toEqual([true, null]);
  const move = consumers.map((one) => ({
    ...{ ...one, generation: 1 },
    allocations: {
      providers: [
        { resourceProvider: { uuid: hosts[0] }, resources: [{ resourceClass: 'VCPU', amount: 1 }] },
      ],
    },
  }));
  await file.api.mutate('setAllocations', { consumers: move });
  expect((await workload('pair'))?.topology.map(({ holds }) => holds)).toEqual([false, null]);
});

test('a workload has a name of 1 to 255 characters and one project', async () => {
  const [one, other] = newConsumers(2);
  const named = (name: string, consumers: readonly object[]) =>
    claim({ ...claimInput(requestOf({ VCPU: 1 }), consumers), workload: { name } });
  expect(await named('', [one])).toMatchObject(refusal('INVALID_INPUT', 'workload.name'));
  expect(await named('x'.repeat(256), [one])).toMatchObject(refusal('INVALID_INPUT', 'workload.name'));
  expect(await named('two', [one, { ...other, projectId: 'q' }])).toMatchObject(
    refusal('INVALID_INPUT', 'members.0.consumers.1.projectId'),
  );
  expect(await workload('two')).toBeNull();
  expect(await workload('two', 'q')).toBeNull();
});

test('a consumer that changes its project leaves the workload', async () => {
  const consumers = newConsumers(2);
  const input = { ...claimInput(requestOf({ VCPU: 1 }), consumers), workload: { name: 'left' } };
  expect(await claim(input)).toMatchObject({ __typename: 'ClaimPayload' });
  const moved = { ...consumers[0], generation: 1, projectId: 'q' };
  expect(await claim(claimInput(requestOf({ VCPU: 1 }), [moved]))).toMatchObject({
    __typename: 'ClaimPayload',
  });
  expect(await workload('left')).toMatchObject({
    members: [{ consumers: [{ uuid: consumers[1].consumer }] }],
  });
});

test('claims of one workload at the same time keep all members', async () => {
  const consumers = newConsumers(8);
  const answers = await Promise.all(
    consumers.map((consumer, at) =>
      claim({
        members: [{ name: `m${at}`, requests: [requestOf({ VCPU: 1 })], consumers: [consumer] }],
        workload: { name: 'many' },
      }),
    ),
  );
  expect(answers.map(({ __typename }) => __typename)).toEqual(Array(8).fill('ClaimPayload'));
  const found = await workload('many');
  expect(found?.generation).toBe(8);
  expect(found?.members.map(({ name }) => name).sort()).toEqual(consumers.map((_, at) => `m${at}`));
});

test.each([
  ['awayFromConsumers', (uuids: readonly string[]) => ({ awayFromConsumers: uuids })],
  ['nearConsumers', (uuids: readonly string[]) => ({ nearConsumers: uuids })],
  ['orderBy', (uuids: readonly string[]) => ({ orderBy: [{ nearConsumers: uuids }] })],
])('the rules of a workload whose request names consumers in %s are shown', async (name, conditionOf) => {
  const consumers = newConsumers(2);
  const request = { ...requestOf({ VCPU: 1 }), ...conditionOf(consumers.map(({ consumer }) => consumer)) };
  const input = {
    ...claimInput(request, consumers),
    topology: [{ level: RACKS, members: ['member'], rule: 'SPREAD', maxSkew: 2 }],
    workload: { name },
  };
  expect(await claim(input)).toMatchObject({ __typename: 'ClaimPayload' });
  expect((await workload(name))?.topology).toMatchObject([{ rule: 'SPREAD', holds: true }]);
});

test('a consumer that keeps its request joins the workload also if none is remembered for it', async () => {
  const consumers = newConsumers(2);
  const input = claimInput(requestOf({ VCPU: 1 }), [{ ...consumers[0], keepRequest: true }, consumers[1]]);
  expect(await claim({ ...input, workload: { name: 'kept' } })).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await workload('kept')).toMatchObject({
    members: [{ consumers: consumers.map(({ consumer }) => ({ uuid: consumer })) }],
  });
});

test('names of workloads that the database would change or take for equal are refused', async () => {
  const named = (name: string) =>
    claim({ ...claimInput(requestOf({ VCPU: 1 }), newConsumers()), workload: { name } });
  for (const name of ['web ', ' web', 'a\u0000b', 'a\tb', '\ud800'])
    expect(await named(name)).toMatchObject(refusal('INVALID_INPUT', 'workload.name'));
  const long = '\u{1f5a5}'.repeat(255);
  expect(await named(long)).toMatchObject({ __typename: 'ClaimPayload' });
  expect(await workload(long)).toMatchObject({ generation: 1 });
});

test('a workload begins again after its last consumer, without those that have left its project', async () => {
  const named = (consumers: readonly object[]) =>
    claim({ ...claimInput(requestOf({ VCPU: 1 }), consumers), workload: { name: 'again' } });
  const [leaving, last] = newConsumers(2);
  await named([leaving, last]);
  await claim(claimInput(requestOf({ VCPU: 1 }), [{ ...leaving, generation: 1, projectId: 'q' }]));
  await file.api.mutate('deleteConsumer', { consumer: last.consumer });
  expect(await workload('again')).toBeNull();
  const [fresh] = newConsumers();
  await named([fresh]);
  await claim({
    ...claimInput(requestOf({ VCPU: 1 }), [{ ...leaving, generation: 2, keepRequest: true }]),
  });
  expect(await workload('again')).toMatchObject({
    generation: 1,
    members: [{ consumers: [{ uuid: fresh.consumer }] }],
  });
});

test('a list of workloads counts only those of exactly the given project', async () => {
  const { workloads } = await file.api.read<{ workloads: object }>(
    '{ workloads(projectId: "p ") { totalCount nodes { name } } }',
  );
  expect(workloads).toEqual({ totalCount: 0, nodes: [] });
});
