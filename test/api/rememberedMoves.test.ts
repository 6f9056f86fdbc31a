import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, claimInput, newConsumers, requestOf, setAllocations, takes } from '../support/claims.js';

const file = useApi();

const AVX = 'HW_CPU_X86_AVX2';
const TREE = `mutation ($input: ApplyProviderTreeInput!) { applyProviderTree(input: $input) { __typename } }`;

/** Creates a host in the aggregate of the test. */
async function host(
  name: string,
  traits: readonly string[],
  total = 8,
  uuid: string = randomUUID(),
): Promise<string> {
  const inventories = [{ resourceClass: 'VCPU', total }];
  const root = { uuid, name, inventories, traits, aggregates: [{ uuid: rack }] };
  const { applyProviderTree } = await file.api.read<{ applyProviderTree: object }>(TREE, { input: { root } });
  expect(applyProviderTree).toMatchObject({ __typename: 'ApplyProviderTreePayload' });
  return uuid;
}

/** Claims for a new consumer on a host, and returns its uuid. */
async function placed(onHost: string, conditions: object): Promise<string> {
  const request = { ...conditions, rootMemberOf: [[{ uuid: rack }]] };
  const [consumer] = newConsumers();
  const others = hosts.filter((uuid) => uuid !== onHost).map((uuid) => ({ uuid }));
  const given = { ...request, notInTrees: others };
  expect(await file.api.mutate('claim', claimInput(given, [consumer]))).toMatchObject({
    __typename: 'ClaimPayload',
  });
  const remembering = { consumers: [consumer.consumer], request };
  expect(await file.api.mutate('rememberRequests', remembering)).toMatchObject({
    __typename: 'RememberRequestsPayload',
  });
  return consumer.consumer;
}

interface Drain {
  readonly planDrain: {
    readonly moves: readonly {
      readonly consumer: { readonly uuid: string };
      readonly requestSource: string;
      readonly requestIndex: number | null;
      readonly allocationRequest: { readonly allocations: { resourceProvider: { uuid: string } }[] } | null;
      readonly explanation: { readonly summary: string } | null;
    }[];
  };
}

/** Returns the target host and the source of the request of each consumer of a drain. */
async function drained(from: readonly string[], requests: readonly object[] = []) {
  const { planDrain } = await file.api.read<Drain>(
    `query ($from: TreesInput!, $requests: [DrainRequestInput!]!) { planDrain(from: $from, requests: $requests) { moves {
       consumer { uuid } requestSource requestIndex movedToSharing { amount } movedFromSharing { amount }
       allocationRequest { allocations { resourceProvider { uuid } } } } } }`,
    { from: { providers: from.map((uuid) => ({ uuid })) }, requests },
  );
  return Object.fromEntries(
    planDrain.moves.map(({ consumer, requestSource, allocationRequest }) => [
      consumer.uuid,
      [requestSource, allocationRequest?.allocations[0].resourceProvider.uuid ?? null],
    ]),
  );
}

let hosts: string[] = [];

/** The aggregate of the hosts of a test. */
let rack = '';

beforeEach(async () => {
  rack = randomUUID();
  const names = ['with', 'without', 'with too'].map((name) => `${name} ${rack.slice(0, 8)}`);
  hosts = [await host(names[0], [AVX]), await host(names[1], []), await host(names[2], [AVX])];
});

test('a drain keeps the conditions of the claim; without a memory it derives the request', async () => {
  const [a, b, c] = hosts;
  await placed(c, requestOf({ VCPU: 3 }));
  const picky = await placed(a, requestOf({ VCPU: 4 }, { requiredTraits: [[AVX]] }));
  const derived = await claimed(file.api, { [a]: { VCPU: 4 } });
  expect(await drained([a])).toEqual({ [picky]: ['REMEMBERED', c], [derived]: ['DERIVED', b] });
  expect(await drained([a, c])).toMatchObject({ [picky]: ['REMEMBERED', null] });
  const stated = [{ consumers: { uuid: picky }, request: requestOf({ VCPU: 4 }) }];
  expect(await drained([a, c], stated)).toMatchObject({ [picky]: ['STATED', b] });
});

test('an outdated request gives the conditions, and the allocations the amounts', async () => {
  const [a, , c] = hosts;
  const picky = await placed(a, requestOf({ VCPU: 2 }, { requiredTraits: [[AVX]] }));
  await setAllocations(file.api, takes(picky, 1, { [a]: { VCPU: 6 } }));
  expect(await drained([a])).toEqual({ [picky]: ['OUTDATED', c] });
  await placed(c, requestOf({ VCPU: 3 }));
  expect(await drained([a])).toEqual({ [picky]: ['OUTDATED', null] });
});

test('a drain keeps the relations of consumers elsewhere', async () => {
  const [a, b, c] = hosts;
  const moved = await placed(a, requestOf({ VCPU: 1 }));
  await placed(b, { ...requestOf({ VCPU: 1 }), awayFromConsumers: [moved] });
  await placed(c, requestOf({ VCPU: 1 }));
  expect(await drained([a])).toEqual({ [moved]: ['REMEMBERED', c] });
  expect(await drained([a, c])).toMatchObject({ [moved]: ['REMEMBERED', null] });
});

test('FIX moves a consumer whose host has lost a trait of its claim', async () => {
  const [a, , c] = hosts;
  const picky = await placed(a, requestOf({ VCPU: 4 }, { requiredTraits: [[AVX]] }));
  const plan = async () => {
    const { planRebalance } = await file.api.read<{ planRebalance: object }>(
      `{ planRebalance(input: { goal: FIX }) { derivedRequestCount
         moves { consumer { uuid } requestSource to { resourceProvider { uuid } } } } }`,
    );
    return planRebalance as { derivedRequestCount: number; moves: object[] };
  };
  await claimed(file.api, { [c]: { VCPU: 1 } });
  const before = await plan();
  expect(before.moves.filter((move) => JSON.stringify(move).includes(picky))).toEqual([]);
  const { generation } = (
    await file.api.read<{ resourceProvider: { generation: number } }>(
      'query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { generation } }',
      { uuid: a },
    )
  ).resourceProvider;
  await file.api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: a },
    generation,
    traits: { set: [] },
  });
  const after = await plan();
  expect(after.moves).toContainEqual({
    consumer: { uuid: picky },
    requestSource: 'REMEMBERED',
    to: [{ resourceProvider: { uuid: c } }],
  });
  expect(after.derivedRequestCount).toBeGreaterThanOrEqual(1);
});

describe('a remembered request near a consumer that has ended', () => {
  let [ended, near] = ['', ''];
  beforeEach(async () => {
    ended = await placed(hosts[0], requestOf({ VCPU: 1 }));
    near = await placed(hosts[0], { ...requestOf({ VCPU: 2 }), nearConsumers: [ended] });
  });
  const end = () => file.api.mutate('deleteConsumer', { consumer: ended });

  test('restricts no drain, also if it is outdated; a stated request does', async () => {
    const [a, b, c] = hosts;
    await placed(b, requestOf({ VCPU: 7 }));
    await placed(c, requestOf({ VCPU: 6 }));
    expect(await drained([a])).toMatchObject({ [near]: ['REMEMBERED', null] });
    await end();
    expect(await drained([a])).toEqual({ [near]: ['REMEMBERED', c] });
    const request = { ...requestOf({ VCPU: 2 }), nearConsumers: [ended] };
    expect(await drained([a], [{ consumers: { uuid: near }, request }])).toEqual({
      [near]: ['STATED', null],
    });
    await setAllocations(file.api, takes(near, 1, { [a]: { VCPU: 1 } }));
    expect(await drained([a])).toMatchObject({ [near]: ['OUTDATED', expect.any(String)] });
  });

  test('restricts no drain if it names the consumer itself beside', async () => {
    const [a, b] = hosts;
    const other = await placed(b, requestOf({ VCPU: 1 }));
    const request = { ...requestOf({ VCPU: 2 }), nearConsumers: [ended, near, other] };
    await file.api.mutate('rememberRequests', { consumers: [near], request });
    await end();
    expect(await drained([a])).toEqual({ [near]: ['REMEMBERED', b] });
    await file.api.mutate('deleteConsumer', { consumer: other });
    expect(await drained([a])).toEqual({ [near]: ['REMEMBERED', expect.any(String)] });
  });

  test('is no fault that FIX counts', async () => {
    await end();
    const { planRebalance } = await file.api.read<{ planRebalance: object }>(
      'query ($i: RebalanceInput!) { planRebalance(input: $i) { before { brokenRelationCount } } }',
      { i: { goal: 'FIX', scope: { uuid: rack } } },
    );
    expect(planRebalance).toEqual({ before: { brokenRelationCount: 0 } });
  });

  test('restricts no move that makes room, unless the workload has the consumer', async () => {
    await end();
    const request = requestOf({ VCPU: 8 }, { inTree: { uuid: hosts[0] } });
    const plan = async (consumers: readonly object[]): Promise<object> => {
      const { planWorkload } = await file.api.read<{ planWorkload: object }>(
        `query ($input: ClaimInput!, $movable: MovableInput!) {
           planWorkload(input: $input, makeRoom: { maxMoves: 1, movable: $movable }) { outcome } }`,
        { input: claimInput(request, consumers), movable: { consumers: [near] } },
      );
      return planWorkload;
    };
    expect(await plan(newConsumers())).toEqual({ outcome: 'FOUND' });
    expect(await plan([{ ...newConsumers()[0], consumer: ended }])).not.toEqual({ outcome: 'FOUND' });
  });
});
