import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi, type Answer } from '../support/api.js';
import { amounts, newConsumers, shown } from '../support/claims.js';
import { aggregate, forest } from '../support/forest.js';
import { loadForest, useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi({ hasBackground: false });

/** Two racks, R and S, in one zone. */
useForest(
  database,
  `
    h1       VCPU:8  @R @Z
      h1a    VGPU:2  +CUSTOM_SWITCH
      h1b    VGPU:2  +CUSTOM_SWITCH
    h2       VCPU:8  @R @Z
      h2a    VGPU:1
    h3       VCPU:8  @S @Z
      h3a    VGPU:2
    h4       VCPU:16 @S @Z
  `,
);

type Classes = Record<string, number>;

const request = (...groups: Classes[]) => ({
  groups: groups.map((classes, at) => ({
    suffix: at === 0 ? '' : `_${at}`,
    resources: amounts(classes),
  })),
});

const member = (name: string, count: number, ...requests: object[]) => ({
  name,
  requests,
  consumers: newConsumers(count),
});

const racks = { aggregates: ['R', 'S'].map((letter) => ({ uuid: aggregate(letter) })) };

const rule = (kind: string, members: string[], level: object = racks, more: object = {}) => ({
  rule: kind,
  members,
  level,
  ...more,
});

const RULES =
  'topology { rule outsideCount domains { consumerCount domain { __typename ... on ResourceProvider { label } ... on Aggregate { uuid label } } } }';

const CLAIMED = `optimal ${RULES}
  members { name requestIndex rejectedRequests { requestIndex proven reason } }
  claims { member requestIndex consumer { uuid } allocationRequest { allocations { resourceProvider { root { name } } } } }`;

interface Placed {
  readonly member: string;
  readonly allocationRequest: AllocationRequest;
}

interface ClaimAnswer {
  readonly __typename: string;
  readonly claims: readonly Placed[];
}

const claim = (members: object[], topology: object[] = []): Promise<ClaimAnswer> =>
  api.mutate<ClaimAnswer>('claim', { members, topology }, CLAIMED);

const inRack = (letter: string, consumerCount: number) => ({
  consumerCount,
  domain: { __typename: 'Aggregate', uuid: aggregate(letter), label: aggregate(letter) },
});

/** The host of each consumer of a member. */
const hostsOf = (placed: readonly Placed[], name: string): string[] =>
  placed
    .filter((one) => one.member === name)
    .map(({ allocationRequest: { allocations } }) => allocations[0].resourceProvider.root.name)
    .sort();

interface Plans {
  readonly planWorkload: {
    readonly outcome: string;
    readonly failure: object | null;
    readonly totalsBefore: object[];
    readonly plans: {
      readonly seed: number;
      readonly optimal: boolean;
      readonly consumers: (Placed & { readonly consumerUuid: string })[];
      readonly members: object[];
      readonly topology: {
        readonly rule: string;
        readonly domains: object[];
        readonly outsideCount: number;
      }[];
      readonly totalsAfter: object[];
    }[];
  };
}

const PLAN = `query ($input: ClaimInput!, $plans: Int! = 1, $seed: Int) {
  planWorkload(input: $input, plans: $plans, seed: $seed) {
    outcome
    failure { code outcome member topologyIndex shortage { resourceClassName amount requested available } members { name requested fit } }
    totalsBefore { resourceClass { name } capacity used }
    plans {
      seed
      optimal
      consumers { consumerUuid member requestIndex allocationRequest { allocations { resourceProvider { root { name } } } } }
      members { name requestIndex rejectedRequests { requestIndex } }
      ${RULES}
      totalsAfter { resourceClass { name } capacity used }
    }
  }
}`;

const ask = (members: object[], topology: object[] = [], more: object = {}): Promise<Answer<Plans>> =>
  api.query<Plans>(PLAN, { input: { members, topology }, ...more });

async function plan(...asked: Parameters<typeof ask>): Promise<Plans['planWorkload']> {
  const { data, errors } = await unchanged(database, () => ask(...asked));
  expect(errors).toBeUndefined();
  return data.planWorkload;
}

describe('claim', () => {
  test('places unlike members under several rules', async () => {
    const members = [
      member('db', 2, request({ VCPU: 6 })),
      member('gpu', 3, request({ VCPU: 1 }, { VGPU: 1 })),
    ];
    const { claims, ...answer } = await claim(members, [rule('DIFFERENT', ['db']), rule('SAME', ['gpu'])]);
    const inBothRacks = expect.arrayContaining([inRack('R', 1), inRack('S', 1)]) as unknown;
    expect(answer).toEqual({
      __typename: 'ClaimPayload',
      optimal: true,
      members: ['db', 'gpu'].map((name) => ({ name, requestIndex: 0, rejectedRequests: [] })),
      topology: [
        { rule: 'DIFFERENT', outsideCount: 0, domains: inBothRacks },
        { rule: 'SAME', outsideCount: 0, domains: [inRack('R', 3)] },
      ],
    });
    const rackOf = (host: string): string => (['h1', 'h2'].includes(host) ? 'R' : 'S');
    expect(hostsOf(claims, 'db').map(rackOf)).toEqual(['R', 'S']);
    expect(hostsOf(claims, 'gpu').map(rackOf)).toEqual(['R', 'R', 'R']);
    for (const { consumer } of members.flatMap(({ consumers }) => consumers))
      expect(await shown(api, consumer)).not.toBeNull();
  });

  test('reports why the preferred requests were not used', async () => {
    const { claims, ...answer } = await claim([
      member('a', 1, request({ VGPU: 8 }), request({ VCPU: 1 }, { VGPU: 2 })),
      member('b', 3, request({ VGPU: 2 }), request({ VCPU: 4 })),
    ]);
    expect(answer).toMatchObject({
      optimal: true,
      members: [
        { name: 'a', requestIndex: 1, rejectedRequests: [{ requestIndex: 0, proven: true }] },
        { name: 'b', requestIndex: 1, rejectedRequests: [{ requestIndex: 0, proven: true }] },
      ],
    });
    expect(JSON.stringify(answer)).toContain('8 VGPU free');
    expect(JSON.stringify(answer)).toContain('8 VGPU requested, 6 free');
    expect(claims).toHaveLength(4);
  });

  test('a claim places no member if one does not fit, and names that member and the missing resources', async () => {
    const members = [member('small', 1, request({ VCPU: 1 })), member('large', 2, request({ VCPU: 9 }))];
    expect(await unchanged(database, () => claim(members))).toMatchObject({
      __typename: 'NoCandidatesError',
      code: 'NO_CANDIDATES',
      retryable: false,
      path: ['members', '1'],
      message:
        'the 3 consumers do not fit together; at most 2 fit: member large, 2 consumers requested, at most 1 fit',
      outcome: 'IMPOSSIBLE',
      member: 'large',
      topologyIndex: null,
      shortage: { resourceClassName: null, amount: null, requested: 2, available: 1 },
      members: [
        { name: 'small', requested: 1, fit: 1 },
        { name: 'large', requested: 2, fit: 1 },
      ],
      fitIsLargest: true,
      explanation: { satisfiableWhenEmpty: true },
    });
  });

  test('names the rule that cannot hold, and the class that all members lack together', async () => {
    const gpus = member('gpu', 6, request({ VGPU: 1 }));
    expect(await claim([gpus], [rule('SAME', ['gpu'])])).toMatchObject({
      path: ['topology', '0'],
      topologyIndex: 0,
      shortage: { requested: 6, available: 5 },
      members: [{ name: 'gpu', requested: 6, fit: 5 }],
    });
    expect(await claim([gpus, member('more', 2, request({ VGPU: 1 }))])).toMatchObject({
      path: [],
      member: null,
      topologyIndex: null,
      shortage: { resourceClassName: 'VGPU', amount: 1, requested: 8, available: 7 },
      explanation: null,
    });
  });

  test('gives the largest part of equal consumers, too', async () => {
    const { claims } = await claim([member('vm', 10, request({ VCPU: 4 }))]);
    expect(claims).toHaveLength(10);
    expect(await claim([member('vm', 1, request({ VCPU: 1 }))])).toMatchObject({
      message: 'nothing fits the request',
      members: [{ name: 'vm', requested: 1, fit: 0 }],
      fitIsLargest: true,
    });
    await loadForest(database, forest('h1 VCPU:8'));
    expect(await claim([member('vm', 3, request({ VCPU: 4 }))])).toMatchObject({
      message:
        'the 3 consumers do not fit together; at most 2 fit: member vm, 3 consumers requested, at most 2 fit',
      outcome: 'IMPOSSIBLE',
      member: 'vm',
      members: [{ name: 'vm', requested: 3, fit: 2 }],
      fitIsLargest: true,
    });
  });

  test('moves existing consumers together with new ones, and reports a stale generation first', async () => {
    const old = member('old', 2, request({ VCPU: 8 }));
    await claim([old]);
    const moved = { ...old, consumers: old.consumers.map((one) => ({ ...one, generation: 1 })) };
    const fitting = [moved, member('new', 1, request({ VCPU: 16 }))];
    expect(hostsOf((await claim(fitting)).claims, 'new')).toEqual(['h4']);
    const stale = { ...old, consumers: old.consumers.map((one) => ({ ...one, generation: 9 })) };
    expect(await claim([stale, member('huge', 1, request({ VCPU: 17 }))])).toMatchObject({
      code: 'CONSUMER_GENERATION_CONFLICT',
      path: ['members', '0', 'consumers', '0', 'generation'],
    });
  });
});

describe('a rule whose domains do not cover the fleet', () => {
  const rack = { aggregates: [{ uuid: aggregate('S') }] };
  const switches = { trait: 'CUSTOM_SWITCH' };

  test.each([
    ['SAME', rack, { VCPU: 8 }, 3, 2],
    ['DIFFERENT', rack, { VCPU: 8 }, 1, 2],
    ['SPREAD', rack, { VCPU: 8 }, 3, 2],
    ['PACK', rack, { VCPU: 8 }, 3, 2],
    ['SAME', switches, { VGPU: 1 }, 2, 3],
    ['DIFFERENT', switches, { VGPU: 1 }, 2, 3],
    ['SPREAD', switches, { VGPU: 1 }, 4, 3],
    ['PACK', switches, { VGPU: 1 }, 4, 3],
  ])('%s over %j: %j fits %i times inside, and %i times outside with allowOutside', async (...row) => {
    const [kind, level, classes, inside, outside] = row;
    const asked = (count: number, allowOutside: boolean): [object[], object[]] => [
      [member('a', count, request(classes))],
      [rule(kind, ['a'], level, { allowOutside })],
    ];
    for (const [count, allowOutside] of [
      [inside + 1, false],
      [inside + outside + 1, true],
    ] as const) {
      const cause = allowOutside ? {} : { topologyIndex: 0 };
      const expected = { outcome: 'IMPOSSIBLE', ...cause, members: [{ fit: count - 1 }] };
      expect((await plan(...asked(count, allowOutside))).failure).toMatchObject(expected);
      expect(await claim(...asked(count, allowOutside))).toMatchObject(expected);
    }
    const used = [{ rule: kind, outsideCount: outside }];
    const all = asked(inside + outside, true);
    expect((await plan(...all)).plans).toMatchObject([{ optimal: true, topology: used }]);
    expect(await claim(...all)).toMatchObject({ optimal: true, topology: used });
  });
});

describe('planWorkload', () => {
  test('gives the places, the used domains of each level and the totals, and writes nothing', async () => {
    const members = [member('gpu', 3, request({ VGPU: 1 })), member('db', 1, request({ VCPU: 16 }))];
    const switches = { trait: 'CUSTOM_SWITCH' };
    const topology = [
      rule('PACK', ['gpu']),
      rule('SAME', ['db'], { tree: true }),
      rule('SPREAD', ['gpu'], switches, { maxSkew: 2 }),
    ];
    const { outcome, failure, plans, totalsBefore } = await plan(members, topology, { seed: 7 });
    expect({ outcome, failure }).toEqual({ outcome: 'FOUND', failure: null });
    const [{ consumers, topology: used, totalsAfter, ...rest }] = plans;
    expect(rest).toMatchObject({ seed: 7, optimal: true, members: [{ name: 'gpu' }, { name: 'db' }] });
    expect(consumers.map(({ consumerUuid }) => consumerUuid)).toEqual(
      members.flatMap((each) => each.consumers.map(({ consumer }) => consumer)),
    );
    expect(hostsOf(consumers, 'gpu')).toEqual(['h1', 'h1', 'h1']);
    expect(hostsOf(consumers, 'db')).toEqual(['h4']);
    expect(used.slice(0, 2)).toEqual([
      {
        rule: 'PACK',
        outsideCount: 0,
        domains: [
          {
            consumerCount: 3,
            domain: { __typename: 'Aggregate', uuid: aggregate('R'), label: aggregate('R') },
          },
        ],
      },
      {
        rule: 'SAME',
        outsideCount: 0,
        domains: [{ consumerCount: 1, domain: { __typename: 'ResourceProvider', label: 'h4' } }],
      },
    ]);
    expect(used[2].domains).toHaveLength(2);
    expect(used[2].domains).toContainEqual({
      consumerCount: 2,
      domain: { __typename: 'ResourceProvider', label: expect.stringMatching(/^h1[ab]$/) as unknown },
    });
    const total = (name: string, capacity: number, usedAmount: number) => ({
      resourceClass: { name },
      capacity,
      used: usedAmount,
    });
    expect(totalsBefore).toEqual([total('VCPU', 40, 0), total('VGPU', 7, 0)]);
    expect(totalsAfter).toEqual([total('VCPU', 40, 16), total('VGPU', 7, 3)]);
  });

  test('gives several plans by seed, and the claim with a seed of a plan repeats it', async () => {
    const gang = member('gpu', 2, request({ VGPU: 1 }));
    const { plans } = await plan([gang], [rule('DIFFERENT', ['gpu'])], { plans: 4, seed: 3 });
    expect(new Set(plans.map(({ seed }) => seed)).size).toBe(4);
    expect(new Set(plans.map(({ consumers }) => JSON.stringify(consumers))).size).toBeGreaterThan(1);
    const [{ seed, consumers }] = plans.slice(-1);
    const seeded = { ...gang, requests: [{ ...gang.requests[0], seed }] };
    const { claims } = await claim([seeded], [rule('DIFFERENT', ['gpu'])]);
    expect(hostsOf(claims, 'gpu')).toEqual(hostsOf(consumers, 'gpu'));
  });

  test('counts existing consumers of the input as released, also at a stale generation', async () => {
    const gang = member('gpu', 7, request({ VGPU: 1 }));
    await claim([gang]);
    const others = await plan([member('gpu', 1, request({ VGPU: 1 }))]);
    expect(others).toMatchObject({
      outcome: 'IMPOSSIBLE',
      plans: [],
      failure: { code: 'NO_CANDIDATES', outcome: 'IMPOSSIBLE', member: 'gpu' },
    });
    for (const consumers of [gang.consumers, gang.consumers.map((one) => ({ ...one, generation: 9 }))]) {
      const { outcome, totalsBefore } = await plan([{ ...gang, consumers }]);
      expect(outcome).toBe('FOUND');
      expect(totalsBefore).toContainEqual({ resourceClass: { name: 'VGPU' }, capacity: 7, used: 0 });
    }
  });

  test('costs as much as its consumers and plans', async () => {
    const costOf = async (count: number, plans: number): Promise<number> => {
      const { extensions } = await ask([member('a', count, request({ VCPU: 1 }))], [], { plans });
      return extensions!.cost!.requested;
    };
    const [one, many, twice] = [await costOf(1, 1), await costOf(31, 1), await costOf(1, 2)];
    expect(many - one).toBe(30 * 20);
    expect(twice).toBeGreaterThan(one + 10_000); // the totals of the second plan
    const { errors } = await ask([member('a', 1000, request({ VCPU: 1 }))], [], { plans: 16 });
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
  });
});

describe('the claim and the plan reject', () => {
  const good = request({ VCPU: 1 });
  const a = member('a', 1, good);
  const two = member('a', 2, good);
  const aggregates = (...refs: object[]) => [rule('SAME', ['a'], { aggregates: refs })];

  test('an invalid workload with the path', async () => {
    const cases: [path: string, members: object[], topology?: object[]][] = [
      ['members', []],
      ['members', Array.from({ length: 65 }, (_, at) => member(`m${at}`, 1, good))],
      ['members.1.consumers', [member('a', 600, good), member('b', 401, good)]],
      ['members.1.consumers', [a, member('b', 0, good)]],
      ['members.0.requests', [member('b', 1)]],
      ['members.0.requests', [member('b', 1, ...Array<object>(9).fill(good))]],
      ['members.1.name', [a, member('a', 1, good)]],
      ['members.0.name', [member('a b', 1, good)]],
      ['members.1.consumers.0.consumer', [a, { ...a, name: 'b' }]],
      ['members.0.requests.1.groups', [member('a', 1, good, { groups: [] })]],
      ['topology.0.members', [a], [rule('SAME', [])]],
      ['topology.0.members.1', [a], [rule('SAME', ['a', 'b'])]],
      ['topology.0.members.1', [a], [rule('SAME', ['a', 'a'])]],
      ['topology.0.level.tree', [a], [rule('SAME', ['a'], { tree: false })]],
      ['topology.0.level.aggregates', [a], aggregates()],
      ['topology.0.level.aggregates.1', [a], aggregates({ uuid: aggregate('R') }, { uuid: randomUUID() })],
      ['topology.0.level.aggregates.0.name', [a], aggregates({ name: 'nowhere' })],
      ['topology.0.level.trait', [a], [rule('SAME', ['a'], { trait: 'CUSTOM_NONE' })]],
      ['topology.0.maxSkew', [a], [rule('SPREAD', ['a'], racks, { maxSkew: 0 })]],
      ['topology.0.maxSkew', [a], [rule('PACK', ['a'], racks, { maxSkew: 1 })]],
      ['topology.0.rule', [two], [rule('DIFFERENT', ['a']), ...aggregates(...racks.aggregates.toReversed())]],
    ];
    await unchanged(database, async () => {
      for (const [path, members, topology = []] of cases) {
        expect(await claim(members, topology)).toMatchObject(invalidInput(path));
        const failure = await api.failure(PLAN, { input: { members, topology } });
        expect(failure).toMatchObject(invalidInput(path));
      }
    });
  });

  test.each([0, 17])('%d plans', async (plans) => {
    const failure = await api.failure(PLAN, { input: { members: [a] }, plans });
    expect(failure).toMatchObject(invalidInput('plans'));
  });
});
