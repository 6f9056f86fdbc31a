import { describe, expect, test } from '@jest/globals';
import { MAX_REBALANCED } from '../../src/moves/rebalance/fleetConsumers.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { invalidInput, startApi, useApi } from '../support/api.js';
import { claimed, edit, generations, requestOf, setAllocations, shown, usedOf } from '../support/claims.js';
import { aggregate, uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { ProviderPart } from '../support/shapes.js';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import { unchanged } from '../support/unchanged.js';

const { database, api } = useApi({ hasBackground: false });

const provider = (name: string): string => uuidOf('provider', name);
const [HOST1, HOST2, HOST3, STORAGE] = ['host1', 'host2', 'host3', 'storage'].map(provider);

useForest(
  database,
  `
    host1    VCPU:8  @A @rack
    host2    VCPU:8  @A @rack
    host3    VCPU:8  @B @rack
    storage  DISK_GB:100 @rack sharing
  `,
);

const DOCUMENT = `query ($input: RebalanceInput!, $whatIf: WhatIfInput) {
  planRebalance(input: $input, whatIf: $whatIf) {
    outcome optimal gain moveCount
    before { usedHosts maxUtilization overCapacityCount faultyConsumerCount }
    after { usedHosts maxUtilization overCapacityCount faultyConsumerCount }
    moves {
      generation claimToken
      consumer { uuid projectId userId }
      from { resourceProvider { name } resources { resourceClass { name } amount } }
      to { resourceProvider { name } resources { resourceClass { name } amount } }
    }
  }
}`;

interface Plan {
  readonly outcome: string;
  readonly before: object;
  readonly after: object;
  readonly moves: {
    readonly generation: number;
    readonly claimToken: string;
    readonly consumer: { readonly uuid: string; readonly projectId: string; readonly userId: string };
    readonly from: ProviderPart[];
    readonly to: ProviderPart[];
  }[];
}

async function plan(input: object, whatIf: object | null = null): Promise<Plan> {
  return (await api.read<{ planRebalance: Plan }>(DOCUMENT, { input, whatIf })).planRebalance;
}

const providersOf = (parts: readonly ProviderPart[]): string =>
  parts
    .map(({ resourceProvider: { name }, resources }) => `${name}:${resources[0].amount}`)
    .sort()
    .join('+');

/** By move: the consumer and its providers before and after. */
const movesOf = ({ moves }: Plan): string[][] =>
  moves.map(({ consumer, from, to }) => [consumer.uuid, providersOf(from), providersOf(to)]);

/** Executes the moves one after the other, each with its generation. */
async function execute({ moves }: Plan): Promise<void> {
  for (const {
    generation,
    claimToken,
    consumer: { uuid: consumer, ...owner },
  } of moves) {
    const answer = await setAllocations(api, { consumer, generation, ...owner, allocations: { claimToken } });
    expect(answer).toMatchObject({ __typename: 'SetAllocationsPayload' });
  }
}

describe('a modified fleet', () => {
  const without = (...names: string[]) => ({
    remove: { providers: names.map((name) => ({ uuid: provider(name) })) },
  });

  test('lacks removed hosts and their consumers', async () => {
    const one = await claimed(api, { [HOST1]: { VCPU: 2 } });
    const two = await claimed(api, { [HOST2]: { VCPU: 5 } });
    await claimed(api, { [HOST3]: { VCPU: 6 } });
    expect(movesOf(await plan({ goal: 'FREE_HOSTS' }))).toHaveLength(1);
    const found = await unchanged(database, () => plan({ goal: 'FREE_HOSTS' }, without('host3')));
    expect(found).toMatchObject({ before: { usedHosts: 2 }, after: { usedHosts: 1 } });
    expect(movesOf(found)).toEqual([[one, 'host1:2', 'host2:2']]);
    const request = { consumers: { uuid: two }, request: requestOf({ VCPU: 5 }) };
    const fixed = await plan({ goal: 'FIX', requests: [request] }, without('host2'));
    expect(fixed).toMatchObject({ before: { usedHosts: 2, faultyConsumerCount: 0 }, moves: [] });
  });

  test('has empty copies, and scaled capacities', async () => {
    for (const host of [HOST1, HOST2, HOST3]) await claimed(api, { [host]: { VCPU: 4 } });
    const second = await claimed(api, { [HOST3]: { VCPU: 4 } });
    const evened = await plan({ goal: 'EVEN_OUT' }, { add: { copyOf: { uuid: HOST1 } } });
    expect(evened).toMatchObject({ before: { maxUtilization: 1 }, after: { maxUtilization: 0.5 } });
    expect(evened.moves).toHaveLength(1);
    expect(providersOf(evened.moves[0].to)).toBe('host1 (copy 1.1):4');
    const freed = await plan({ goal: 'FREE_HOSTS' }, { scale: { resourceClass: 'VCPU', factor: 2 } });
    expect(freed).toMatchObject({ before: { usedHosts: 3 }, after: { usedHosts: 1 }, gain: 2 });
    expect(freed.moves.map(({ consumer }) => consumer.uuid)).not.toContain(second);
  });

  test('is validated', async () => {
    const whatIf = { scale: [{ resourceClass: 'NONE', factor: 2 }] };
    const failure = await api.failure(DOCUMENT, { input: { goal: 'FIX' }, whatIf });
    expect(failure).toMatchObject(invalidInput('whatIf.scale.0.resourceClass'));
  });
});

describe('FREE_HOSTS', () => {
  test('empties the host with the fewest consumers; its execution has the reported result', async () => {
    const one = await claimed(api, { [HOST1]: { VCPU: 2 }, [STORAGE]: { DISK_GB: 10 } });
    await claimed(api, { [HOST2]: { VCPU: 2 } });
    await claimed(api, { [HOST2]: { VCPU: 2 } });
    const found = await unchanged(database, () => plan({ goal: 'FREE_HOSTS' }));
    expect(found).toMatchObject({
      outcome: 'FOUND',
      optimal: true,
      gain: 1,
      moveCount: 1,
      before: { usedHosts: 2, maxUtilization: 0.5, overCapacityCount: 0, faultyConsumerCount: null },
      after: { usedHosts: 1, maxUtilization: 0.75 },
    });
    expect(movesOf(found)).toEqual([[one, 'host1:2+storage:10', 'host2:2+storage:10']]);
    await execute(found);
    expect(await usedOf(api, HOST1)).toEqual({ VCPU: 0 });
    expect((await plan({ goal: 'FREE_HOSTS' })).before).toEqual(found.after);
  });

  test('consumers in keep and keepTypes never move', async () => {
    const kept = await claimed(api, { [HOST1]: { VCPU: 2 } });
    await claimed(api, { [HOST2]: { VCPU: 2 } }, { consumerType: 'DATABASE' });
    const moved = await claimed(api, { [HOST3]: { VCPU: 2 } });
    const limits = { keep: [kept], keepTypes: ['DATABASE', 'UNKNOWN'] };
    const found = await plan({ goal: 'FREE_HOSTS', ...limits });
    expect(found.moves.map(({ consumer }) => consumer.uuid)).toEqual([moved]);
    expect(found).toMatchObject({ gain: 1, optimal: true });
    const none = await plan({ goal: 'FREE_HOSTS', keep: [kept, moved], keepTypes: ['DATABASE'] });
    expect(none).toMatchObject({ outcome: 'NOTHING_WORTH_MOVING', gain: 0, moveCount: 0, moves: [] });
  });

  test('a scope limits the hosts; a gain below minGain moves nothing and is reported', async () => {
    await claimed(api, { [HOST1]: { VCPU: 2 } });
    await claimed(api, { [HOST2]: { VCPU: 2 } });
    const other = await claimed(api, { [HOST3]: { VCPU: 2 } });
    const scoped = await plan({ goal: 'FREE_HOSTS', scope: { uuid: aggregate('A') } });
    expect(scoped).toMatchObject({ gain: 1, before: { usedHosts: 2 }, after: { usedHosts: 1 } });
    expect(scoped.moves.map(({ consumer }) => consumer.uuid)).not.toContain(other);
    expect(await plan({ goal: 'FREE_HOSTS', minGain: 3 })).toMatchObject({
      outcome: 'NOTHING_WORTH_MOVING',
      gain: 2,
      moveCount: 2,
      moves: [],
      before: { usedHosts: 3 },
      after: { usedHosts: 3 },
    });
  });
});

describe('EVEN_OUT', () => {
  test('lowers the utilization of the fullest host, of the given classes', async () => {
    const small = await claimed(api, { [HOST1]: { VCPU: 2 } });
    await claimed(api, { [HOST1]: { VCPU: 4 } });
    const found = await plan({ goal: 'EVEN_OUT', scope: { uuid: aggregate('A') } });
    expect(movesOf(found)).toEqual([[small, 'host1:2', 'host2:2']]);
    expect(found).toMatchObject({
      gain: 0.25,
      before: { maxUtilization: 0.75 },
      after: { maxUtilization: 0.5 },
    });
    const disk = await plan({ goal: 'EVEN_OUT', resourceClasses: ['DISK_GB'] });
    expect(disk).toMatchObject({ outcome: 'NOTHING_WORTH_MOVING', before: { maxUtilization: 0 } });
  });
});

describe('FIX', () => {
  test('an inventory over capacity loses the smallest consumer that suffices', async () => {
    await claimed(api, { [HOST1]: { VCPU: 5 } });
    const small = await claimed(api, { [HOST1]: { VCPU: 3 } });
    const [generation] = await generations(api, HOST1);
    await edit(api, HOST1, { generation, inventories: { patch: [{ resourceClass: 'VCPU', total: 7 }] } });
    const found = await plan({ goal: 'FIX', maxMoves: 1 });
    expect(found).toMatchObject({
      gain: 1,
      optimal: true,
      before: { overCapacityCount: 1, faultyConsumerCount: 0 },
      after: { overCapacityCount: 0, faultyConsumerCount: 0 },
    });
    expect(found.moves).toHaveLength(1);
    expect(found.moves[0].generation).toBe((await shown(api, small))!.generation);
  });

  test('consumers that must be apart are separated by a stated request', async () => {
    const one = await claimed(api, { [HOST1]: { VCPU: 2 } });
    const two = await claimed(api, { [HOST1]: { VCPU: 2 } });
    const { groups } = requestOf({ VCPU: 2 });
    const requests = [
      { consumers: { uuid: one }, request: { groups, awayFromConsumers: [two] } },
      { consumers: { uuid: two }, request: { groups, awayFromConsumers: [one] } },
    ];
    const found = await plan({ goal: 'FIX', requests });
    expect(found).toMatchObject({ moveCount: 1, optimal: true });
    expect(found).toMatchObject({ before: { faultyConsumerCount: 2 }, after: { faultyConsumerCount: 0 } });
    await execute(found);
    expect(await plan({ goal: 'FREE_HOSTS', requests })).toMatchObject({
      moveCount: 0,
      before: { usedHosts: 2 },
    });
  });
});

describe('limits', () => {
  /** The statements that read the allocations of the fleet. */
  const readsOf = (statements: readonly string[]): string[] =>
    statements.filter((sql) => sql.includes('`a`.`used`'));

  test('small plans at once share reads of the consumers', async () => {
    await addConsumers(database, HOST1, 4);
    const statements = await api.statements(async () => {
      const ask = () => api.read('{ planRebalance(input: { goal: FIX, maxMoves: 1 }) { moveCount } }');
      const plans = await Promise.all(Array.from({ length: 16 }, ask));
      expect(new Set(plans.map((each) => JSON.stringify(each))).size).toBe(1);
    });
    expect(readsOf(statements).length).toBeLessThan(16);
    await removeConsumers(database);
  });

  test('4 large plans at once do not wait for each other', async () => {
    const plans = await Promise.all(Array.from({ length: 4 }, () => plan({ goal: 'FIX', maxMoves: 500 })));
    expect(new Set(plans.map(({ outcome }) => outcome))).toEqual(new Set(['NOTHING_WORTH_MOVING']));
  });

  test('a plan that costs too much is refused before it reads the consumers', async () => {
    await addConsumers(database, HOST1, 400);
    const server = await startApi(database, { limits: { ...OPERATION_LIMITS, cost: 1_100 } });
    const statements = await server.statements(async () => {
      const { code } = await server.failure(DOCUMENT, { input: { goal: 'FIX', maxMoves: 1 } });
      expect(code).toBe('LIMIT_EXCEEDED');
    });
    await server.close();
    expect(readsOf(statements)).toEqual([]);
    await removeConsumers(database);
  });

  test('invalid limits and names are rejected with the path', async () => {
    for (const [input, path] of [
      [{ maxMoves: 0 }, 'maxMoves'],
      [{ maxMoves: 1001 }, 'maxMoves'],
      [{ minGain: -1 }, 'minGain'],
      [{ resourceClasses: ['VCPU', 'CUSTOM_NONE'] }, 'resourceClasses.1'],
      [{ scope: { uuid: aggregate('Z') } }, 'scope'],
      [{ keepTypes: ['A', 'A'] }, 'keepTypes.1'],
    ] as const) {
      const failure = await api.failure(DOCUMENT, { input: { goal: 'FIX', ...input } });
      expect(failure).toMatchObject(invalidInput(path));
    }
  });

  test('if there are too many consumers, the plan counts them without reading them, and the error names the scope', async () => {
    await database.pool.query(
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used)
       SELECT UUID(), p.id, 0, 1 FROM resource_providers p, traits a, traits b, resource_classes c
        WHERE p.uuid = ? LIMIT ${MAX_REBALANCED + 1}`,
      [HOST1],
    );
    const statements = await api.statements(async () => {
      const { code, message } = await api.failure(DOCUMENT, { input: { goal: 'FIX' } });
      expect(code).toBe('LIMIT_EXCEEDED');
      expect(message).toContain('`scope`');
    });
    expect(readsOf(statements)).toEqual([]);
    const scoped = await plan({ goal: 'FIX', scope: { uuid: aggregate('B') } });
    expect(scoped.outcome).toBe('NOTHING_WORTH_MOVING');
  }, 120_000); // 150,001 allocations are written first
});
