import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, claimInput, edit, generations, requestOf, shown, usedOf } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { database, api } = useApi({ hasBackground: false });

const provider = (name: string): string => uuidOf('provider', name);
const [A, B, C, STORAGE] = ['host1', 'host2', 'host3', 'storage'].map(provider);

/** Two hosts, a small one, and storage that they share. */
useForest(
  database,
  `
    host1    VCPU:8  @rack
    host2    VCPU:8  @rack
    host3    VCPU:2  @rack
    storage  DISK_GB:100 @rack sharing
  `,
);

const vcpu = (amount: number, more: object = {}) => ({ ...requestOf({ VCPU: amount }), ...more });

interface Move {
  readonly consumer: string;
  readonly generation?: number | null;
  readonly keepOldAs?: object;
}

const moving = (consumer: string, more: object = {}): Move => ({ consumer, generation: 1, ...more });

function claim(request: object, consumers: readonly Move[], placement?: string) {
  const owned = consumers.map((each) => ({ projectId: 'a-project', userId: 'a-user', ...each }));
  return api.mutate<{ __typename: string }>(
    'claim',
    claimInput(request, owned, placement),
    'claims { consumer { uuid generation } keptAs { uuid generation type { name } projectId userId } }',
  );
}

const has = async (consumer: string) => (await shown(api, consumer))?.has ?? null;

describe('a consumer that exists', () => {
  test('grows where it is: the search treats its current allocations as free', async () => {
    const one = await claimed(api, { [A]: { VCPU: 6 } }, { consumerType: 'INSTANCE' });
    await claimed(api, { [B]: { VCPU: 4 } });
    expect(await claim(vcpu(8), [moving(one)])).toEqual({
      __typename: 'ClaimPayload',
      claims: [{ consumer: { uuid: one, generation: 2 }, keptAs: null }],
    });
    expect(await shown(api, one)).toMatchObject({ consumerType: 'INSTANCE', has: { host1: { VCPU: 8 } } });
  });

  test('loses its allocations elsewhere', async () => {
    const one = await claimed(api, { [A]: { VCPU: 6 }, [STORAGE]: { DISK_GB: 90 } });
    const request = { ...requestOf({ VCPU: 1, DISK_GB: 50 }), notInTrees: [{ uuid: A }, { uuid: C }] };
    expect(await claim(request, [moving(one)])).toMatchObject({ __typename: 'ClaimPayload' });
    expect(await has(one)).toEqual({ host2: { VCPU: 1 }, storage: { DISK_GB: 50 } });
    expect(await usedOf(api, A)).toEqual({ VCPU: 0 });
  });

  test('away from itself, moves to another host', async () => {
    const one = await claimed(api, { [A]: { VCPU: 2 } });
    for (const generation of [1, 2, 3]) {
      const before = await has(one);
      const answer = await claim(vcpu(2, { awayFromConsumers: [one] }), [{ consumer: one, generation }]);
      expect(answer).toMatchObject({ claims: [{ consumer: { generation: generation + 1 } }] });
      expect(Object.keys((await has(one))!)).not.toEqual(Object.keys(before!));
    }
  });

  test.each([
    [null, 1],
    [undefined, 1],
    [7, 1],
    [1, null],
  ])('the generation %s of a consumer at %s is a conflict', async (generation, currentGeneration) => {
    const consumer = currentGeneration === null ? randomUUID() : await claimed(api, { [A]: { VCPU: 2 } });
    const conflict = {
      code: 'CONSUMER_GENERATION_CONFLICT',
      consumerUuid: consumer,
      expectedGeneration: generation ?? null,
      currentGeneration,
    };
    for (const amount of [1, 9]) {
      const answer = await unchanged(database, () => claim(vcpu(amount), [{ consumer, generation }]));
      expect(answer).toMatchObject(conflict);
    }
  });

  test('stays where it is when nothing fits', async () => {
    const one = await claimed(api, { [A]: { VCPU: 2 } });
    const answer = await unchanged(database, () => claim(vcpu(9), [moving(one)]));
    expect(answer).toMatchObject({ code: 'NO_CANDIDATES' });
  });
});

describe('several at once, all or none', () => {
  test('swap full hosts, beside a new consumer', async () => {
    const [one, two] = [await claimed(api, { [A]: { VCPU: 8 } }), await claimed(api, { [B]: { VCPU: 8 } })];
    const answer = await claim(
      vcpu(4, { notInTrees: [{ uuid: C }] }),
      [moving(one), moving(two), { consumer: randomUUID() }],
      'ANY',
    );
    expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
    expect((await usedOf(api, A)).VCPU + (await usedOf(api, B)).VCPU).toBe(12);
  });

  test('with placement', async () => {
    const [one, two] = [await claimed(api, { [A]: { VCPU: 4 } }), await claimed(api, { [A]: { VCPU: 4 } })];
    await claim(vcpu(4), [moving(one), moving(two)], 'DISTINCT_TREES');
    expect(Object.keys({ ...(await has(one)), ...(await has(two)) }).sort()).toEqual(['host1', 'host2']);
    // one of them may be where it was, and then nothing of it has changed
    const generationOf = async (consumer: string) => (await shown(api, consumer))!.generation;
    const back = await Promise.all(
      [one, two].map(async (consumer) => ({ consumer, generation: await generationOf(consumer) })),
    );
    const answer = await claim(vcpu(4), back, 'SAME_TREE');
    expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
    expect(Object.keys({ ...(await has(one)), ...(await has(two)) })).toHaveLength(1);
  });

  test('no consumer moves if one has another generation', async () => {
    const [one, two] = [await claimed(api, { [A]: { VCPU: 4 } }), await claimed(api, { [A]: { VCPU: 4 } })];
    const answer = await unchanged(database, () =>
      claim(vcpu(1, { notInTrees: [{ uuid: A }] }), [moving(one), { consumer: two, generation: 5 }]),
    );
    expect(answer).toMatchObject({ code: 'CONSUMER_GENERATION_CONFLICT', consumerUuid: two });
  });
});

describe('keepOldAs', () => {
  const kept = () => ({ consumer: randomUUID(), type: 'MIGRATION' });

  test('keeps the old allocations in use until that consumer is deleted', async () => {
    const one = await claimed(api, { [A]: { VCPU: 6 }, [STORAGE]: { DISK_GB: 60 } });
    const migration = kept();
    const request = { ...requestOf({ VCPU: 6, DISK_GB: 40 }), notInTrees: [{ uuid: A }] };
    expect(await claim(request, [moving(one, { keepOldAs: migration })])).toEqual({
      __typename: 'ClaimPayload',
      claims: [
        {
          consumer: { uuid: one, generation: 2 },
          keptAs: {
            uuid: migration.consumer,
            generation: 1,
            type: { name: 'MIGRATION' },
            projectId: 'a-project',
            userId: 'a-user',
          },
        },
      ],
    });
    expect(await has(one)).toEqual({ host2: { VCPU: 6 }, storage: { DISK_GB: 40 } });
    expect(await has(migration.consumer)).toEqual({ host1: { VCPU: 6 }, storage: { DISK_GB: 20 } });
    expect(await claim(vcpu(6), [{ consumer: randomUUID() }])).toMatchObject({ code: 'NO_CANDIDATES' });
    await api.mutate('deleteConsumer', { consumer: migration.consumer });
    expect(await usedOf(api, A)).toEqual({ VCPU: 0 });
    expect(await usedOf(api, STORAGE)).toEqual({ DISK_GB: 40 });
  });

  test('counts an amount once on a provider that both placements use, and keeps the rest', async () => {
    const one = await claimed(api, { [A]: { VCPU: 6 }, [STORAGE]: { DISK_GB: 60 } });
    const migration = kept();
    const request = requestOf({ VCPU: 6, DISK_GB: 60 });
    const away = { ...request, notInTrees: [{ uuid: A }] };
    const plan = await api.read(
      `query ($input: ClaimInput!) {
        planWorkload(input: $input) {
          plans { totalsAfter { resourceClass { name } used } }
          totalsBefore { resourceClass { name } used }
        }
      }`,
      {
        input: claimInput(away, [{ projectId: 'p', userId: 'u', ...moving(one, { keepOldAs: migration }) }]),
      },
    );
    const used = (VCPU: number, DISK_GB: number) => [
      { resourceClass: { name: 'DISK_GB' }, used: DISK_GB },
      { resourceClass: { name: 'VCPU' }, used: VCPU },
    ];
    expect(plan).toEqual({
      planWorkload: { plans: [{ totalsAfter: used(12, 60) }], totalsBefore: used(0, 0) },
    });
    expect(await claim(away, [moving(one, { keepOldAs: migration })])).toMatchObject({
      __typename: 'ClaimPayload',
    });
    expect(await has(one)).toEqual({ host2: { VCPU: 6 }, storage: { DISK_GB: 60 } });
    expect(await has(migration.consumer)).toEqual({ host1: { VCPU: 6 } });
    expect(await usedOf(api, STORAGE)).toEqual({ DISK_GB: 60 });
  });

  test.each([
    [3, { host1: { VCPU: 1 } }],
    [4, null],
    [8, null],
  ])('works on the same host; the generation always increments (%d)', async (amount, rest) => {
    const one = await claimed(api, { [A]: { VCPU: 4 } });
    const migration = kept();
    const answer = await claim(vcpu(amount, { nearConsumers: [one] }), [
      moving(one, { keepOldAs: migration }),
    ]);
    expect(answer).toMatchObject({
      claims: [{ keptAs: rest && { uuid: migration.consumer, generation: 1 } }],
    });
    expect(await shown(api, one)).toMatchObject({ generation: 2, has: { host1: { VCPU: amount } } });
    expect(await has(migration.consumer)).toEqual(rest);
    const again = await claim(vcpu(amount), [moving(one, { keepOldAs: kept() })]);
    expect(again).toMatchObject({ code: 'CONSUMER_GENERATION_CONFLICT', currentGeneration: 2 });
  });

  test('several consumers share a pool again, but never the amounts that another one keeps', async () => {
    const guests = [
      await claimed(api, { [A]: { VCPU: 6 }, [STORAGE]: { DISK_GB: 45 } }),
      await claimed(api, { [B]: { VCPU: 6 }, [STORAGE]: { DISK_GB: 45 } }),
    ];
    const both = () => guests.map((guest) => moving(guest, { keepOldAs: kept() }));
    const large = { ...requestOf({ VCPU: 6, DISK_GB: 45 }), notInTrees: [{ uuid: C }] };
    expect(await claim(large, both(), 'DISTINCT_TREES')).toMatchObject({
      claims: [{ keptAs: null }, { keptAs: null }],
    });
    // Each fits only where the other one was.
    const owned = both().map((each) => ({ projectId: 'p', userId: 'u', ...each, generation: 2 }));
    const swap = [A, B].map((uuid, at) => ({
      name: `guest${at}`,
      requests: [{ ...large, notInTrees: [{ uuid }, { uuid: C }] }],
      consumers: [owned[at]],
    }));
    const swapped = await unchanged(database, () => api.mutate('claim', { members: swap }));
    expect(swapped).toMatchObject({ code: 'NO_CANDIDATES', outcome: 'UNDECIDED' });
    const without = swap.map((each, at) => ({ ...each, consumers: [{ ...owned[at], keepOldAs: null }] }));
    expect(await api.mutate('claim', { members: without })).toMatchObject({ __typename: 'ClaimPayload' });
    const small = { ...requestOf({ VCPU: 1, DISK_GB: 45 }), notInTrees: [{ uuid: A }, { uuid: B }] };
    const again = both().map((each) => ({ ...each, generation: 3 }));
    expect(await claim(small, again)).toMatchObject({ __typename: 'ClaimPayload' });
    expect(await usedOf(api, STORAGE)).toEqual({ DISK_GB: 90 });
    expect(await api.read('{ audit { totalCount } }')).toEqual({ audit: { totalCount: 0 } });
  });

  test('a move keeps amounts that the inventory would now reject', async () => {
    const one = await claimed(api, { [A]: { VCPU: 6 } });
    const inventory = { resourceClass: 'VCPU', total: 4, maxUnit: 2 };
    const [generation] = await generations(api, A);
    const answer = await edit(api, A, { generation, inventories: { add: [inventory] } });
    expect(answer).toMatchObject({ __typename: 'UpdateResourceProviderPayload' });
    const migration = kept();
    await claim(vcpu(6), [moving(one, { keepOldAs: migration })]);
    expect([await has(one), await has(migration.consumer)]).toEqual([
      { host2: { VCPU: 6 } },
      { host1: { VCPU: 6 } },
    ]);
  });

  test('an existing consumer as keepOldAs is a conflict', async () => {
    const [one, other] = [await claimed(api, { [A]: { VCPU: 1 } }), await claimed(api, { [A]: { VCPU: 1 } })];
    const keepOldAs = { consumer: other };
    const answer = await unchanged(database, () => claim(vcpu(1), [moving(one, { keepOldAs })]));
    expect(answer).toMatchObject({ code: 'CONSUMER_GENERATION_CONFLICT', consumerUuid: other });
  });

  test('an invalid keepOldAs is INVALID_INPUT with its path', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const keeping = (uuid: string, keepOldAs: object) => moving(uuid, { keepOldAs });
    const cases: [consumers: Move[], path: string][] = [
      [[{ consumer: one, keepOldAs: { consumer: two } }], '0.keepOldAs'],
      [[keeping(one, { consumer: one })], '0.keepOldAs.consumer'],
      [[keeping(one, kept()), keeping(two, { consumer: one })], '1.keepOldAs.consumer'],
      [[keeping(one, { consumer: two, type: 'small' })], '0.keepOldAs.type'],
    ];
    await unchanged(database, async () => {
      for (const [consumers, path] of cases)
        expect(await claim(vcpu(1), consumers)).toMatchObject(invalidInput(`members.0.consumers.${path}`));
    });
  });
});

describe('keepOldAs with a small fleet', () => {
  const [H0, H1, H2] = ['h0', 'h1', 'h2'].map(provider);
  useForest(database, 'h0 VCPU:2(used=1)\nh1 VCPU:4\nh2 VCPU:6(used=2)');
  const owner = { projectId: 'a-project', userId: 'a-user' };
  const place = (members: object[]) =>
    api.mutate<{ __typename: string }>('claim', { members }, 'claims { consumer { uuid } }');

  test('is placed with any seed if a placement fits', async () => {
    for (let claims = 0; claims < 20; claims++) {
      const one = await claimed(api, { [H2]: { VCPU: 3 } });
      const [old, added] = [randomUUID(), randomUUID()];
      const answer = await place([
        {
          name: 'm0',
          requests: [vcpu(2)],
          consumers: [{ ...owner, ...moving(one, { keepOldAs: { consumer: old } }) }],
        },
        { name: 'm1', requests: [vcpu(3)], consumers: [{ ...owner, consumer: added }] },
      ]);
      expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
      expect([await has(one), await has(old), await has(added)]).toEqual([
        { h2: { VCPU: 2 } },
        { h2: { VCPU: 1 } },
        { h1: { VCPU: 3 } },
      ]);
      for (const consumer of [one, old, added]) await api.mutate('deleteConsumer', { consumer });
    }
  });

  test('a consumer that exists takes the candidate on its provider before a new one does', async () => {
    const request = vcpu(3, { notInTrees: [{ uuid: H0 }] });
    for (let claims = 0; claims < 8; claims++) {
      const one = await claimed(api, { [H1]: { VCPU: 3 } });
      const [old, added] = [randomUUID(), randomUUID()];
      const consumers = [{ consumer: added }, moving(one, { keepOldAs: { consumer: old } })];
      expect(await claim(request, consumers, 'DISTINCT_TREES')).toMatchObject({ __typename: 'ClaimPayload' });
      expect([await has(one), await has(old)]).toEqual([{ h1: { VCPU: 3 } }, null]);
      for (const consumer of [one, added]) await api.mutate('deleteConsumer', { consumer });
    }
  });
});

describe('conditions on trees', () => {
  const CANDIDATES = `query ($request: AllocationCandidatesInput!) {
    headroom(request: $request) { count trees }
    allocationCandidates(request: $request) {
      explanation { combination { constraint eliminated } }
      allocationRequests { score allocations { resourceProvider { name } } }
    }
  }`;
  interface Found {
    readonly headroom: object;
    readonly allocationCandidates: {
      readonly explanation: { readonly combination: readonly { readonly constraint: string }[] };
      readonly allocationRequests: readonly AllocationRequest[];
    };
  }
  const ask = (request: object): Promise<Found> => api.read(CANDIDATES, { request });
  const hosts = ({ allocationCandidates: { allocationRequests } }: Found): string[] =>
    allocationRequests.map(({ allocations }) => allocations[0].resourceProvider.name).sort();

  test('use the allocations at the time of the query', async () => {
    const request = (consumer: string) => vcpu(1, { notInTrees: [{ uuid: C }], nearConsumers: [consumer] });
    const one = await claimed(api, { [A]: { VCPU: 2 } });
    const near = await ask(request(one));
    expect(hosts(near)).toEqual(['host1']);
    expect(near.headroom).toEqual({ count: 6, trees: 1 });
    expect(near.allocationCandidates.explanation.combination).toMatchObject([
      { constraint: 'NOT_IN_TREES', eliminated: 1 },
      { constraint: 'NEAR_CONSUMERS', eliminated: 2 },
      {},
    ]);
    expect(hosts(await ask(vcpu(1, { awayFromConsumers: [one] })))).toEqual(['host2', 'host3']);
    await api.mutate('deleteConsumer', { consumer: one });
    expect(hosts(await ask(request(one)))).toEqual([]);
    expect(hosts(await ask(vcpu(1, { awayFromConsumers: [one] })))).toHaveLength(3);
  });

  test('the score has the value of each term of the order, also in an answer written as text', async () => {
    await claimed(api, { [A]: { VCPU: 3 } });
    const TEXT = `query ($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request) { allocationRequests { score } } }`;
    const scores = async (orderBy: object[]) => {
      const full = await ask(vcpu(1, { orderBy }));
      const text = await api.read<Found>(TEXT, { request: vcpu(1, { orderBy }) });
      const scored = ({ allocationCandidates: found }: Found) =>
        found.allocationRequests.map(({ score }) => score);
      expect(scored(text).sort()).toEqual(scored(full).sort());
      return scored(text);
    };
    const share = (strategy: string) => ({ freeShare: { resourceClass: 'VCPU', strategy } });
    expect(await scores([share('SPREAD')])).toEqual([[7 / 8], [0.5], [0.5]]);
    expect(await scores([{ fewestProviders: true }, share('PACK')])).toEqual([
      [1, 0.5],
      [1, 0.5],
      [1, 7 / 8],
    ]);
    expect(await scores([])).toEqual([[], [], []]);
  });
});
