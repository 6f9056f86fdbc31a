import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimInput, newConsumers, requestOf, setAllocations, shown, takes } from '../support/claims.js';

const { api } = useApi({ hasBackground: false });
const NODE = 'CUSTOM_NODE';
const OWNER = { projectId: 'p', userId: 'u' };

beforeAll(() => api.mutate('createTrait', { name: NODE }));

/** The aggregate of all hosts of a test, and the name of its workload. */
let cloud = '';
beforeEach(() => void (cloud = randomUUID()));

const refs = (uuids: readonly string[]) => uuids.map((uuid) => ({ uuid }));

async function host(...racks: readonly string[]): Promise<string> {
  const uuid = randomUUID();
  const inventories = [{ resourceClass: 'VCPU', total: 8 }];
  const root = { uuid, name: uuid, inventories, aggregates: refs([cloud, ...racks]) };
  expect(await api.mutate('applyProviderTree', { root })).toMatchObject({
    __typename: 'ApplyProviderTreePayload',
  });
  return uuid;
}

/** Creates a host with two nodes of 4 VCPU. Returns the uuids of the root and of the nodes. */
async function hostWithNodes(...aggregates: readonly string[]): Promise<string[]> {
  const [uuid, ...nodes] = [randomUUID(), randomUUID(), randomUUID()];
  const children = nodes.map((node) => ({
    ...{ uuid: node, name: node, traits: [NODE], aggregates: refs(aggregates) },
    inventories: [{ resourceClass: 'VCPU', total: 4 }],
  }));
  const root = { uuid, name: uuid, aggregates: refs([cloud]), children };
  expect(await api.mutate('applyProviderTree', { root })).toMatchObject({
    __typename: 'ApplyProviderTreePayload',
  });
  return [uuid, ...nodes];
}

interface Move {
  readonly consumer: { readonly uuid: string; readonly generation: number };
  readonly explanation: { readonly summary: string } | null;
  readonly allocationRequest: {
    readonly claimToken: string;
    readonly allocations: readonly { readonly resourceProvider: { readonly uuid: string } }[];
  } | null;
}

async function drain(...from: readonly string[]): Promise<readonly Move[]> {
  const { planDrain } = await api.read<{ planDrain: { moves: Move[] } }>(
    `query ($from: TreesInput!) { planDrain(from: $from) { moves {
       consumer { uuid generation } explanation { summary }
       allocationRequest { claimToken allocations { resourceProvider { uuid } } } } } }`,
    { from: { providers: refs(from) } },
  );
  return planDrain.moves;
}

async function carryOut(moves: readonly Move[]): Promise<void> {
  for (const { consumer, allocationRequest } of moves) {
    if (allocationRequest === null) continue;
    const { uuid, generation } = consumer;
    const input = { consumer: uuid, generation, ...OWNER };
    const { claimToken } = allocationRequest;
    expect(await setAllocations(api, { ...input, allocations: { claimToken } })).toMatchObject({
      __typename: 'SetAllocationsPayload',
    });
  }
}

const targets = (moves: readonly Move[]): (string | null)[] =>
  moves.map(({ allocationRequest }) => allocationRequest?.allocations[0].resourceProvider.uuid ?? null);

async function holds(): Promise<boolean[]> {
  const { workload } = await api.read<{ workload: { topology: { holds: boolean }[] } }>(
    'query ($name: String!) { workload(projectId: "p", name: $name) { topology { holds } } }',
    { name: cloud },
  );
  return workload.topology.map((rule) => rule.holds);
}

/** Claims a workload with one rule for all its members, each with a request. Returns the consumers by member. */
async function workload(
  rule: object,
  ...requests: readonly (readonly [object, number])[]
): Promise<string[][]> {
  const members = requests.map(([request, count], at) => ({
    ...{ name: `m${at}`, requests: [request] },
    consumers: newConsumers(count).map((one) => ({ ...one, ...OWNER })),
  }));
  const topology = [{ ...rule, members: members.map(({ name }) => name) }];
  expect(await api.mutate('claim', { members, topology, workload: { name: cloud } })).toMatchObject({
    __typename: 'ClaimPayload',
  });
  expect(await holds()).toEqual([true]);
  return members.map(({ consumers }) => consumers.map(({ consumer }) => consumer));
}

const inCloud = () => ({ memberOf: [refs([cloud])] });
const within = (uuid: string, amount = 2) => requestOf({ VCPU: amount }, { inTree: { uuid }, ...inCloud() });

describe('DIFFERENT over three racks with two consumers', () => {
  let racks: string[] = [];
  let consumers: string[] = [];
  const hostOf = async (at: number): Promise<string> =>
    Object.keys((await shown(api, consumers[at]))!.has)[0];

  beforeEach(async () => {
    racks = [randomUUID(), randomUUID(), randomUUID()];
    for (const rack of racks) await host(rack);
    const rule = { level: { aggregates: refs(racks) }, rule: 'DIFFERENT' };
    [consumers] = await workload(rule, [requestOf({ VCPU: 2 }, inCloud()), 2]);
  });

  test.each([0, 1])('the third rack takes consumer %d of a drain', async (at) => {
    expect(targets(await drain(await hostOf(at)))).toEqual([expect.any(String)]);
  });

  test('a drain of both moves one, and explains why the other stays', async () => {
    const moves = await drain(await hostOf(0), await hostOf(1));
    expect(targets(moves).filter((to) => to !== null)).toHaveLength(1);
    const stuck = moves.find(({ allocationRequest }) => allocationRequest === null)!;
    expect(stuck.explanation!.summary).toMatch(/aggregate/);
    await carryOut(moves);
    expect(await holds()).toEqual([true]);
  });

  test.each([0, 1])('one move of consumer %d makes room', async (at) => {
    const input = claimInput(within(await hostOf(at), 8), newConsumers());
    const { planWorkload } = await api.read<{ planWorkload: unknown }>(
      `query ($input: ClaimInput!, $consumers: [UUID!]) {
         planWorkload(input: $input, makeRoom: { maxMoves: 2, movable: { consumers: $consumers } }) {
           outcome plans { moveCount optimal } } }`,
      { input, consumers: [consumers[at]] },
    );
    expect(planWorkload).toEqual({ outcome: 'FOUND', plans: [{ moveCount: 1, optimal: true }] });
  });
});

describe('rules over nodes of hosts', () => {
  const level = { trait: NODE };

  test('SAME: a drain moves two consumers to one node, also if other nodes are fuller', async () => {
    const [a, b, c] = [await hostWithNodes(), await hostWithNodes(), await hostWithNodes()];
    for (const [, node] of [b, c])
      await setAllocations(api, takes(randomUUID(), null, { [node]: { VCPU: 2 } }));
    await workload({ level, rule: 'SAME' }, [within(a[0]), 2]);
    const moves = await drain(a[0]);
    const [one, other] = targets(moves);
    expect(one).not.toBeNull();
    expect(other).toBe(one);
    await carryOut(moves);
    expect(await holds()).toEqual([true]);
  });

  test('SPREAD: a drain to an empty host takes both of its nodes', async () => {
    const [[a]] = [await hostWithNodes(), await hostWithNodes()];
    await workload({ level, rule: 'SPREAD' }, [within(a, 1), 2]);
    await carryOut(await drain(a));
    expect(await holds()).toEqual([true]);
  });

  test('DIFFERENT: two nodes of one host are different: FIX changes nothing, and a drain may use one host', async () => {
    const [[a], b] = [await hostWithNodes(), await hostWithNodes()];
    await workload({ level, rule: 'DIFFERENT' }, [within(a, 4), 2]);
    const { planRebalance } = await api.read<{ planRebalance: unknown }>(
      `query ($input: RebalanceInput!) { planRebalance(input: $input) {
         moves { consumer { uuid } } before { brokenRelationCount } } }`,
      { input: { goal: 'FIX', scope: { uuid: cloud } } },
    );
    expect(planRebalance).toEqual({ moves: [], before: { brokenRelationCount: 0 } });
    const moves = await drain(a);
    expect(targets(moves).toSorted()).toEqual(b.slice(1).toSorted());
    await carryOut(moves);
    expect(await holds()).toEqual([true]);
  });
});

describe('aggregates of nodes', () => {
  test('SAME: both consumers move to another host with a node in the aggregate', async () => {
    const fabric = randomUUID();
    const [a, b] = [await hostWithNodes(fabric), await hostWithNodes(fabric)];
    await hostWithNodes();
    await workload({ level: { aggregates: refs([fabric]) }, rule: 'SAME' }, [within(a[0]), 2]);
    const moves = await drain(a[0]);
    expect(targets(moves).filter((to) => to !== null && b.includes(to))).toHaveLength(2);
    await carryOut(moves);
    expect(await holds()).toEqual([true]);
  });

  test('DIFFERENT: a consumer outside of the aggregate does not enter it beside another one', async () => {
    const fabric = randomUUID();
    const [a, b] = [await hostWithNodes(fabric), await hostWithNodes()];
    const rule = { level: { aggregates: refs([fabric]) }, rule: 'DIFFERENT', allowOutside: true };
    const [[one], [two]] = await workload(rule, [within(a[0]), 1], [within(b[0]), 1]);
    const request = requestOf({ VCPU: 2 }, inCloud());
    await api.mutate('rememberRequests', { consumers: [one, two], request });
    expect(targets(await drain(b[0]))).toEqual([null]);
    const [c, ...nodes] = await hostWithNodes();
    expect(nodes).toContain(targets(await drain(b[0]))[0]);
    expect(c).toBeDefined();
    await carryOut(await drain(b[0]));
    expect(await holds()).toEqual([true]);
  });
});
