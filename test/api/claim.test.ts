import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { amounts, claimInput, generations, newConsumers, requestOf, shown } from '../support/claims.js';
import { unchanged } from '../support/unchanged.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';

const PLACES = `allocations { resourceProvider { name } resources { resourceClass { name } amount } }
  mappings { suffix resourceProviders { name } }`;
const SELECTION = `claims {
  consumer { uuid generation type { name } projectId userId }
  allocationRequest { ${PLACES} }
}`;

interface Answer {
  readonly __typename: string;
  readonly claims: readonly {
    readonly consumer: { readonly uuid: string };
    readonly allocationRequest: AllocationRequest;
  }[];
}

const { database, api } = useApi({ hasBackground: false });

/** Two hosts with two NUMA nodes each, the first of them with more; a small host; and storage that all share. */
useForest(
  database,
  `
    host1      @rack
      numa1    VCPU:4
      numa2    VCPU:6
    host2      @rack
      numa3    VCPU:4
      numa4    VCPU:4  +CUSTOM_FAST
    host3      @rack VCPU:2
    storage    DISK_GB:100 @rack sharing
  `,
);

const taken = (name: string, amount: number) => [{ resourceClass: { name }, amount }];

function claim(request: object, consumers: object[] = newConsumers(), placement?: string): Promise<Answer> {
  return api.mutate<Answer>('claim', claimInput(request, consumers, placement), SELECTION);
}

/** The names of the providers that each consumer got anything from. */
const placesOf = ({ claims }: Answer): string[][] =>
  claims.map(({ allocationRequest }) =>
    allocationRequest.allocations.map(({ resourceProvider }) => resourceProvider.name).sort(),
  );

const TREES: Readonly<Record<string, string>> = {
  numa1: 'host1',
  numa2: 'host1',
  numa3: 'host2',
  numa4: 'host2',
};

/** The trees that each consumer got anything from, joined, in the order of the answer. */
const treesOf = (answer: Answer): string[] =>
  placesOf(answer).map((names) => [...new Set(names.map((name) => TREES[name] ?? name))].join(' '));

const ordered = (strategy: string) => ({
  ...requestOf({ VCPU: 1 }),
  orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy } }],
});

describe('one consumer', () => {
  test('a claim gets a candidate, which the payload names', async () => {
    const [{ consumer, projectId, userId }] = newConsumers();
    const request = {
      groups: [
        { resources: amounts({ DISK_GB: 10 }) },
        { suffix: '_CPU', resources: amounts({ VCPU: 4 }), requiredTraits: [['CUSTOM_FAST']] },
      ],
    };
    const input = { consumer, projectId, userId, type: 'INSTANCE' };
    expect(await claim(request, [input])).toEqual({
      __typename: 'ClaimPayload',
      claims: [
        {
          consumer: { uuid: consumer, generation: 1, type: { name: 'INSTANCE' }, projectId, userId },
          allocationRequest: {
            allocations: expect.arrayContaining([
              { resourceProvider: { name: 'numa4' }, resources: taken('VCPU', 4) },
              { resourceProvider: { name: 'storage' }, resources: taken('DISK_GB', 10) },
            ]) as unknown,
            mappings: [
              { suffix: '', resourceProviders: [{ name: 'storage' }] },
              { suffix: '_CPU', resourceProviders: [{ name: 'numa4' }] },
            ],
          },
        },
      ],
    });
    expect(await shown(api, consumer)).toEqual({
      generation: 1,
      consumerType: 'INSTANCE',
      projectId,
      userId,
      has: { numa4: { VCPU: 4 }, storage: { DISK_GB: 10 } },
    });
    expect(await generations(api, uuidOf('provider', 'numa4'), uuidOf('provider', 'numa3'))).toEqual([1, 0]);
  });

  test('gets the first of the candidates that the same seed would list', async () => {
    const request = { ...requestOf({ VCPU: 1 }), seed: 5 };
    const { allocationCandidates } = await api.read<{ allocationCandidates: object }>(
      `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request, limit: 1) {
         allocationRequests { ${PLACES} } } }`,
      { request },
    );
    const { claims } = await claim(request);
    const found = claims.map(({ allocationRequest }) => allocationRequest);
    expect({ allocationRequests: found }).toEqual(allocationCandidates);
  });

  test('successive claims use all candidates, and the next fails with NO_CANDIDATES', async () => {
    const ends: string[] = [];
    for (let n = 0; n < 8; n++) ends.push((await claim(requestOf({ VCPU: 4 }))).__typename);
    expect(ends.sort()).toEqual([
      ...Array<string>(4).fill('ClaimPayload'),
      ...Array<string>(4).fill('NoCandidatesError'),
    ]);
  });

  test('gets an amount that is split over several providers', async () => {
    const consumers = newConsumers();
    await claim(requestOf({ VCPU: 9 }, { canSplit: ['VCPU'] }), consumers);
    expect((await shown(api, consumers[0].consumer))!.has).toEqual({
      numa1: { VCPU: 3 },
      numa2: { VCPU: 6 },
    });
  });
});

describe('several consumers', () => {
  test('anywhere: each gets its own, in the order of the input', async () => {
    const consumers = newConsumers(4);
    const answer = await claim(requestOf({ VCPU: 4 }), consumers);
    expect(answer.claims.map(({ consumer }) => consumer.uuid)).toEqual(
      consumers.map(({ consumer }) => consumer),
    );
    expect(placesOf(answer).flat().sort()).toEqual(['numa1', 'numa2', 'numa3', 'numa4']);
    for (const [at, { consumer }] of consumers.entries()) {
      expect(Object.keys((await shown(api, consumer))!.has)).toEqual(placesOf(answer)[at]);
    }
  });

  test.each([
    [
      'SAME_TREE',
      'the only tree with enough',
      requestOf({ VCPU: 5 }, { canSplit: ['VCPU'] }),
      ['host1', 'host1'],
    ],
    ['SAME_TREE', 'that of the best candidate (PACK)', ordered('PACK'), ['host3', 'host3']],
    ['SAME_TREE', 'that of the best candidate (SPREAD)', ordered('SPREAD'), ['host1', 'host1']],
    ['DISTINCT_TREES', 'each the best of its own (SPREAD)', ordered('SPREAD'), ['host1', 'host2']],
    [
      'DISTINCT_TREES',
      'each the best of its own (PACK)',
      ordered('PACK'),
      ['host3', expect.anything() as unknown as string],
    ],
    ['ANY', 'each the best that those before it left (PACK)', ordered('PACK'), ['host3', 'host3']],
  ])('%s: %s', async (placement, _what, request, trees) => {
    expect(treesOf(await claim(request, newConsumers(trees.length), placement))).toEqual(trees);
  });

  test.each([
    ['ANY', 5, 4],
    ['SAME_TREE', 3, 4],
    ['DISTINCT_TREES', 4, 2],
  ])('%s: %d do not fit, so none of them gets anything', async (placement, count, amount) => {
    const answer = await unchanged(database, () =>
      claim(requestOf({ VCPU: amount }), newConsumers(count), placement),
    );
    expect(answer).toMatchObject({ code: 'NO_CANDIDATES', retryable: false });
  });
});

describe('orderBy', () => {
  test('the best candidate is claimed', async () => {
    expect(placesOf(await claim(ordered('SPREAD')))).toEqual([['numa2']]);
    expect(placesOf(await claim(ordered('PACK')))).toEqual([['host3']]);
  });

  test('of several consumers each gets the best that those before it have left', async () => {
    const spread = placesOf(await claim(ordered('SPREAD'), newConsumers(5)));
    expect(spread[0]).toEqual(['numa2']);
    expect(spread.flat().sort()).toEqual(['numa1', 'numa2', 'numa2', 'numa3', 'numa4']);
  });

  test('in distinct trees, where a candidate may be in none of its own', async () => {
    const request = requestOf({ DISK_GB: 10 });
    const answer = await claim(
      { ...request, orderBy: [{ freeShare: { resourceClass: 'DISK_GB', strategy: 'PACK' } }] },
      newConsumers(4),
      'DISTINCT_TREES',
    );
    expect(placesOf(answer).flat()).toEqual(['storage', 'storage', 'storage', 'storage']);
    const tooMany = await claim(request, newConsumers(5), 'DISTINCT_TREES');
    expect(tooMany).toMatchObject({ code: 'NO_CANDIDATES' });
  });
});

describe('a consumer that exists is CONSUMER_GENERATION_CONFLICT', () => {
  const conflict = (consumerUuid: string) => ({
    __typename: 'ConsumerGenerationConflictError',
    code: 'CONSUMER_GENERATION_CONFLICT',
    consumerUuid,
    expectedGeneration: null,
    currentGeneration: 1,
  });

  test('a claim that is repeated does not claim twice, and the others of the claim get nothing', async () => {
    const consumers = newConsumers(2);
    const conflicts = conflict(consumers[0].consumer);
    expect(await claim(requestOf({ VCPU: 1 }), consumers)).toMatchObject({ __typename: 'ClaimPayload' });
    const again = (each: object[]) => unchanged(database, () => claim(requestOf({ VCPU: 1 }), each));
    expect(await again(consumers)).toMatchObject(conflicts);
    expect(await again([...newConsumers(), consumers[0]])).toMatchObject(conflicts);
  });

  test('also when nothing is left by then', async () => {
    const [one] = newConsumers();
    await claim(requestOf({ VCPU: 6 }), [one]);
    expect(await claim(requestOf({ VCPU: 6 }), [one])).toMatchObject(conflict(one.consumer));
    expect(await claim(requestOf({ VCPU: 6 }))).toMatchObject({ code: 'NO_CANDIDATES' });
  });
});

test('a claim with invalid input is rejected with its path, and changes nothing', async () => {
  const [one] = newConsumers();
  const good = requestOf({ VCPU: 1 });
  const invalid: [path: string, request: object, consumers: object[]][] = [
    ['consumers.1.consumer', good, [one, one]],
    ['consumers.0.type', good, [{ ...one, type: 'small' }]],
    ['consumers.0.projectId', good, [{ ...one, projectId: '' }]],
    ['consumers.0.userId', good, [{ ...one, userId: '' }]],
    ['requests.0.groups', { groups: [] }, [one]],
    ['requests.0.groups.0.resources.0.resourceClass', requestOf({ CUSTOM_NONE: 1 }), [one]],
    ['requests.0.rootForbiddenTraits.0', { ...good, rootForbiddenTraits: ['CUSTOM_NONE'] }, [one]],
    // the request before the consumers
    ['requests.0.groups', { groups: [] }, []],
  ];
  const claims = () => Promise.all(invalid.map(([, request, consumers]) => claim(request, consumers)));
  expect(await unchanged(database, claims)).toMatchObject(
    invalid.map(([path]) => invalidInput(`members.0.${path}`)),
  );
});

test('a claim that cannot be met is NO_CANDIDATES, which explains itself', async () => {
  for (const more of [{ memberOf: [[{ uuid: randomUUID() }]] }, { inTree: { uuid: randomUUID() } }])
    expect(await claim(requestOf({ VCPU: 1 }, more))).toMatchObject({ code: 'NO_CANDIDATES' });
  const explanation = { satisfiableWhenEmpty: false, summary: expect.stringContaining('VCPU') as unknown };
  expect(await claim(requestOf({ VCPU: 7 }))).toMatchObject({ code: 'NO_CANDIDATES', explanation });
});

test('a claim for many takes as many statements as a claim for one', async () => {
  const count = async (consumers: object[]) => {
    const statements = await api.statements(() => claim(requestOf({ VCPU: 1 }), consumers));
    return statements.filter((statement) => !statement.includes('placement_feed')).length;
  };
  await claim(requestOf({ VCPU: 1 }));
  const one = await count(newConsumers());
  expect(await count(newConsumers(12))).toBe(one);
  expect(one).toBeLessThanOrEqual(12);
});
