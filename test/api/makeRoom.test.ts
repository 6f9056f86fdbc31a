import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, newConsumers, requestOf, setAllocations } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { ProviderPart } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { database, api } = useApi({ hasBackground: false });

const [HOST1, HOST2, HOST3] = ['host1', 'host2', 'host3'].map((name) => uuidOf('provider', name));

useForest(
  database,
  `
    host1    VCPU:8
    host2    VCPU:8
    host3    VCPU:4
  `,
);

const DOCUMENT = `query ($input: ClaimInput!, $makeRoom: MakeRoomInput, $plans: Int!, $whatIf: WhatIfInput) {
  planWorkload(input: $input, makeRoom: $makeRoom, plans: $plans, seed: 1, whatIf: $whatIf) {
    outcome
    failure { message }
    plans {
      optimal moveCount
      moves {
        generation claimToken
        consumer { uuid projectId userId }
        from { resourceProvider { name } resources { amount } }
        to { resourceProvider { name } resources { amount } }
      }
      consumers { allocationRequest { claimToken allocations { resourceProvider { name } } } }
      totalsAfter { resourceClass { name } used }
    }
  }
}`;

interface Plan {
  readonly outcome: string;
  readonly failure: { readonly message: string } | null;
  readonly plans: readonly {
    readonly optimal: boolean;
    readonly moveCount: number;
    readonly moves: readonly {
      readonly generation: number;
      readonly claimToken: string;
      readonly consumer: { readonly uuid: string; readonly projectId: string; readonly userId: string };
      readonly from: readonly ProviderPart[];
      readonly to: readonly ProviderPart[];
    }[];
    readonly consumers: readonly {
      readonly allocationRequest: { readonly allocations: readonly ProviderPart[] };
    }[];
  }[];
}

const workload = (request: object, count = 1): object => ({
  members: [{ name: 'new', requests: [request], consumers: newConsumers(count) }],
});

const asVariables = (input: object, makeRoom: object | null, more: object = {}): object => ({
  input,
  makeRoom,
  plans: 1,
  ...more,
});

async function plan(input: object, makeRoom: object | null, more: object = {}): Promise<Plan> {
  const { planWorkload } = await api.read<{ planWorkload: Plan }>(
    DOCUMENT,
    asVariables(input, makeRoom, more),
  );
  return planWorkload;
}

const named = (parts: readonly ProviderPart[]): string =>
  parts.map(({ resourceProvider, resources }) => `${resourceProvider.name}:${resources[0].amount}`).join();

const movesOf = ({ plans: [first] }: Plan): string[][] =>
  first.moves.map(({ consumer, from, to }) => [consumer.uuid, named(from), named(to)]);

const BATCH = { movable: { consumerTypes: ['BATCH'] } };

/** A consumer of a type that occupies a host. */
const occupied = (host: string, VCPU: number, type = 'BATCH', owner: object = {}): Promise<string> =>
  claimed(api, { [host]: { VCPU } }, { consumerType: type, ...owner });

describe('a workload that does not fit', () => {
  test('gets the fewest moves, which are executed one by one before its claim', async () => {
    const small = await occupied(HOST1, 3);
    await occupied(HOST2, 5);
    const input = workload(requestOf({ VCPU: 8 }));
    expect(await plan(input, null)).toMatchObject({ outcome: 'IMPOSSIBLE', plans: [] });
    const found = await unchanged(database, () => plan(input, BATCH));
    expect(found).toMatchObject({
      outcome: 'FOUND',
      failure: { message: 'nothing fits the request' },
      plans: [
        {
          optimal: true,
          moveCount: 1,
          consumers: [{ allocationRequest: { allocations: [{ resourceProvider: { name: 'host1' } }] } }],
          totalsAfter: [{ resourceClass: { name: 'VCPU' }, used: 16 }],
        },
      ],
    });
    expect(movesOf(found)[0].slice(0, 2)).toEqual([small, 'host1:3']);
    expect(await api.mutate('claim', input)).toMatchObject({ __typename: 'NoCandidatesError' });
    for (const { consumer, generation, claimToken } of found.plans[0].moves) {
      const { uuid, ...owner } = consumer;
      const moved = { consumer: uuid, type: 'BATCH', generation, ...owner, allocations: { claimToken } };
      expect(await setAllocations(api, moved)).toMatchObject({ __typename: 'SetAllocationsPayload' });
    }
    expect(await api.mutate('claim', input, '__typename')).toEqual({ __typename: 'ClaimPayload' });
  });

  test('moves only consumers that all lists match', async () => {
    const blue = await occupied(HOST1, 3, 'BATCH', { projectId: 'blue' });
    const red = await occupied(HOST2, 3, 'BATCH', { projectId: 'red' });
    const other = await occupied(HOST3, 1, 'SERVICE', { projectId: 'red' });
    const input = workload(requestOf({ VCPU: 8 }));
    const moved = async (movable: object): Promise<string[]> =>
      movesOf(await plan(input, { movable })).map(([uuid]) => uuid);
    expect(await moved({ projects: ['red'] })).toEqual([red]);
    expect(await moved({ consumers: [blue, other] })).toEqual([blue]);
    expect(await moved({ consumerTypes: ['BATCH'], projects: ['blue'] })).toEqual([blue]);
    const none = await plan(input, { movable: { consumerTypes: ['SERVICE'] } });
    expect(none).toMatchObject({ outcome: 'IMPOSSIBLE', plans: [] });
  });

  test('is impossible if its moves exceed the maximum or a capacity while both places count', async () => {
    await occupied(HOST1, 5);
    await occupied(HOST2, 5);
    await occupied(HOST3, 3);
    const input = workload(requestOf({ VCPU: 8 }));
    expect(await plan(input, BATCH)).toMatchObject({ outcome: 'IMPOSSIBLE' });
    const scale = { scale: { resourceClass: 'VCPU', factor: 1.25 } };
    const scaled = await plan(input, BATCH, { whatIf: scale });
    expect(scaled).toMatchObject({ outcome: 'FOUND', plans: [{ optimal: true, moveCount: 1 }] });
    const pair = workload(requestOf({ VCPU: 8 }), 2);
    const add = {
      add: { copyOf: { uuid: HOST3 }, count: 2 },
      scale: { resourceClass: 'VCPU', factor: 1.25 },
    };
    expect(await plan(pair, BATCH, { whatIf: add })).toMatchObject({
      outcome: 'FOUND',
      plans: [{ optimal: true, moveCount: 2 }],
    });
    expect(await plan(pair, { maxMoves: 1, ...BATCH }, { whatIf: add })).toMatchObject({
      outcome: 'IMPOSSIBLE',
    });
  });

  test('counts its own consumers during the moves, and as released after them', async () => {
    const own = await occupied(HOST3, 4);
    await occupied(HOST1, 4);
    await occupied(HOST2, 5);
    const [consumer] = newConsumers(1);
    const input = {
      members: [
        {
          name: 'grown',
          requests: [requestOf({ VCPU: 8 })],
          consumers: [{ ...consumer, consumer: own, type: 'BATCH', generation: 1 }],
        },
      ],
    };
    // The small consumer would fit host3 only after the workload's own consumer has left it.
    expect(await plan(input, BATCH)).toMatchObject({ outcome: 'IMPOSSIBLE' });
    const more = { add: { copyOf: { uuid: HOST3 }, count: 1 } };
    const found = await plan(input, BATCH, { whatIf: more });
    expect(found).toMatchObject({ outcome: 'FOUND', plans: [{ moveCount: 1 }] });
    expect(movesOf(found)[0][2]).toBe('host3 (copy 1.1):4');
  });

  test('has no moves if it fits, and the same moves for each plan', async () => {
    await occupied(HOST1, 3);
    const fits = await plan(workload(requestOf({ VCPU: 8 })), BATCH);
    expect(fits).toMatchObject({ outcome: 'FOUND', failure: null, plans: [{ moveCount: 0, moves: [] }] });
    await occupied(HOST2, 3);
    const found = await plan(workload(requestOf({ VCPU: 8 })), BATCH, { plans: 3 });
    expect(found.plans.map(({ moveCount }) => moveCount)).toEqual([1, 1, 1]);
  });
});

test.each([
  ['makeRoom.maxMoves', { maxMoves: 0, ...BATCH }],
  ['makeRoom.maxMoves', { maxMoves: 101, ...BATCH }],
  ['makeRoom.movable', { movable: {} }],
  ['makeRoom.movable.consumerTypes', { movable: { consumerTypes: [] } }],
  ['makeRoom.movable.projects.1', { movable: { projects: ['a', 'a'] } }],
  ['makeRoom.movable.consumers.1', { movable: { consumers: [HOST1, HOST1] } }],
])('%s is validated', async (path, makeRoom) => {
  const input = workload(requestOf({ VCPU: 8 }));
  const failure = await unchanged(database, () => api.failure(DOCUMENT, asVariables(input, makeRoom)));
  expect(failure).toMatchObject(invalidInput(path));
});
