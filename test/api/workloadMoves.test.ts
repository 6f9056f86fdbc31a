import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { newConsumers, requestOf, setAllocations, takes } from '../support/claims.js';

const file = useApi();

/** Aggregates that exist only in one test. */
let racks: string[] = [];
/** By name: the uuids of hosts with 8 VCPU: a1 and a2 in the first rack, b1 and b2 in the second, c1 in the third. */
let hosts: Record<string, string> = {};

beforeEach(async () => {
  racks = [randomUUID(), randomUUID(), randomUUID()];
  hosts = {};
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) {
    hosts[name] = randomUUID();
    const rack = racks['abc'.indexOf(name[0])];
    await file.api.mutate('applyProviderTree', {
      root: {
        uuid: hosts[name],
        name: `${name} ${hosts[name].slice(0, 8)}`,
        inventories: [{ resourceClass: 'VCPU', total: 8 }],
        aggregates: [{ uuid: rack }, { uuid: racks[0].replace(/^.{8}/, 'ffffffff') }],
      },
    });
  }
});

const inCloud = () => [[{ uuid: racks[0].replace(/^.{8}/, 'ffffffff') }]];

/** Claims a named workload with one consumer on each of these hosts. */
async function workloadOn(
  names: readonly string[],
  rules: (members: readonly string[]) => readonly object[],
  placement = 'ANY',
  amount = 2,
): Promise<string[]> {
  const consumers = newConsumers(names.length).map((one) => ({ ...one, projectId: 'p', userId: 'u' }));
  const request = { ...requestOf({ VCPU: amount }), rootMemberOf: inCloud() };
  const member = { name: 'm', requests: [request], consumers, placement };
  const input = { members: [member], topology: [], workload: { name: racks[0] } };
  const first = await file.api.mutate('claim', { ...input, members: [{ ...member, placement: 'ANY' }] });
  expect(first).toMatchObject({ __typename: 'ClaimPayload' });
  for (const [at, name] of names.entries()) {
    const moved = { ...takes(consumers[at].consumer, 1, { [hosts[name]]: { VCPU: amount } }) };
    const before = { projectId: 'p', userId: 'u' };
    expect(await setAllocations(file.api, { ...moved, ...before })).toMatchObject({
      __typename: expect.stringMatching(/Payload/) as unknown,
    });
  }
  const existing = await Promise.all(
    consumers.map(async (one) => ({ ...one, generation: await generationOf(one.consumer) })),
  );
  const claim = { ...input, topology: rules(['m']), members: [{ ...member, consumers: existing }] };
  expect(await file.api.mutate('claim', claim)).toMatchObject({ __typename: 'ClaimPayload' });
  return consumers.map(({ consumer }) => consumer);
}

async function generationOf(uuid: string): Promise<number> {
  const { consumer } = await file.api.read<{ consumer: { generation: number } }>(
    'query ($uuid: UUID!) { consumer(uuid: $uuid) { generation } }',
    { uuid },
  );
  return consumer.generation;
}

/** Returns the names of the hosts to which the consumers of some hosts go; null: they stay. */
async function drained(...names: string[]): Promise<(string | null)[]> {
  const { planDrain } = await file.api.read<{
    planDrain: {
      moves: { allocationRequest: { allocations: { resourceProvider: { uuid: string } }[] } | null }[];
    };
  }>(
    `query ($from: TreesInput!) { planDrain(from: $from) { moves {
       allocationRequest { allocations { resourceProvider { uuid } } } } } }`,
    { from: { providers: names.map((name) => ({ uuid: hosts[name] })) } },
  );
  const nameOf = (uuid: string) => Object.keys(hosts).find((name) => hosts[name] === uuid)!;
  return planDrain.moves.map(
    ({ allocationRequest }) =>
      allocationRequest && nameOf(allocationRequest.allocations[0].resourceProvider.uuid),
  );
}

const trees = { tree: true };
const inRacks = () => ({ aggregates: racks.map((uuid) => ({ uuid })) });

describe('the rules of a named workload bind a drain', () => {
  test('DIFFERENT trees: a consumer goes to the only host without another', async () => {
    await workloadOn(['a1', 'a2', 'b1', 'b2'], (members) => [{ level: trees, members, rule: 'DIFFERENT' }]);
    expect(await drained('a1')).toEqual(['c1']);
    expect((await drained('a1', 'a2')).filter((to) => to !== null)).toEqual(['c1']);
  });

  test('DISTINCT_TREES and SAME_TREE bind as the rules do', async () => {
    await workloadOn(['a1', 'a2', 'b1', 'b2'], () => [], 'DISTINCT_TREES');
    expect(await drained('b1')).toEqual(['c1']);
  });

  test('SAME tree: the consumers move together', async () => {
    await workloadOn(['a1', 'a1', 'a1'], (members) => [{ level: trees, members, rule: 'SAME' }]);
    const to = await drained('a1');
    expect(to).toHaveLength(3);
    expect(new Set(to).size).toBe(1);
    expect(to).not.toContain(null);
  });

  test('SAME rack: a consumer stays in the rack, and stays where it is if the rack has no other host', async () => {
    await workloadOn(['a1', 'a2'], (members) => [{ level: inRacks(), members, rule: 'SAME' }]);
    expect(await drained('a1')).toEqual(['a2']);
    expect(await drained('a1', 'a2')).toEqual([null, null]);
  });

  test('DIFFERENT racks: a consumer goes to another host of its rack or to the rack without one', async () => {
    await workloadOn(['a1', 'b1'], (members) => [{ level: inRacks(), members, rule: 'DIFFERENT' }]);
    expect(['a2', 'c1']).toContainEqual((await drained('a1'))[0]);
    const [both] = await drained('a1', 'a2');
    expect(both).toBe('c1');
    expect((await drained('a1', 'a2', 'b1', 'b2')).filter((to) => to === 'c1').length).toBeLessThanOrEqual(1);
  });

  test('SPREAD over racks: each consumer stays in its rack', async () => {
    await workloadOn(['a1', 'b1', 'c1'], (members) => [{ level: inRacks(), members, rule: 'SPREAD' }]);
    expect(await drained('a1')).toEqual(['a2']);
    expect(await drained('c1')).toEqual([null]);
  });

  test('PACK is a preference: a consumer may leave its rack', async () => {
    await workloadOn(['a1', 'a2'], (members) => [{ level: inRacks(), members, rule: 'PACK' }]);
    expect(await drained('a1', 'a2')).not.toContain(null);
  });
});

test('rebalancing keeps the rules: it frees no host by moving consumers of a DIFFERENT rule together', async () => {
  const consumers = await workloadOn(['a1', 'a2'], (members) => [
    { level: trees, members, rule: 'DIFFERENT' },
  ]);
  const plan = async (): Promise<{ moves: { consumer: { uuid: string } }[] }> =>
    (
      await file.api.read<{ planRebalance: { moves: { consumer: { uuid: string } }[] } }>(
        `query ($rack: AggregateRef!) { planRebalance(input: { goal: FREE_HOSTS, scope: $rack }) {
           moves { consumer { uuid } } } }`,
        { rack: { uuid: racks[0] } },
      )
    ).planRebalance;
  expect((await plan()).moves).toEqual([]);
  const free = { ...requestOf({ VCPU: 2 }), rootMemberOf: inCloud() };
  const existing = await Promise.all(
    consumers.map(async (consumer) => ({
      ...{ consumer, projectId: 'p', userId: 'u' },
      generation: await generationOf(consumer),
    })),
  );
  const input = {
    members: [{ name: 'm', requests: [free], consumers: existing }],
    workload: { name: racks[0] },
  };
  expect(await file.api.mutate('claim', input)).toMatchObject({ __typename: 'ClaimPayload' });
  expect((await plan()).moves).toHaveLength(1);
});
