import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, requestOf } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';

/** Relations between the consumers of one claim, by the positions after it (decision D22). */
const { database, api } = useApi({ hasBackground: false });

const [H1, H2] = ['h1', 'h2'].map((name) => uuidOf('provider', name));

useForest(database, 'h1 VCPU:4\nh2 VCPU:4\nh3 VCPU:2');

interface Claimant {
  readonly consumer: string;
  readonly generation?: number;
  readonly keepOldAs?: { readonly consumer: string };
}

const vcpu = (amount: number, more: object = {}) => ({ ...requestOf({ VCPU: amount }), ...more });
const inTree = (uuid: string) => ({ inTree: { uuid } });

const member = (name: string, request: object, ...consumers: Claimant[]) => ({
  name,
  requests: [request],
  consumers: consumers.map((each) => ({ projectId: 'p', userId: 'u', ...each })),
});

interface Answer {
  readonly code?: string;
  readonly message?: string;
  readonly claims?: readonly {
    readonly allocationRequest: {
      readonly allocations: readonly { readonly resourceProvider: { readonly name: string } }[];
    };
  }[];
}

/** Claims. Returns the host of each consumer, or the error; so must a plan. */
async function claim(...members: object[]): Promise<readonly string[] | string> {
  const places = 'allocationRequest { allocations { resourceProvider { name } } }';
  const hosts = (list: Required<Answer>['claims']): string[] =>
    list.map(({ allocationRequest }) => allocationRequest.allocations[0].resourceProvider.name);
  const { planWorkload } = await unchanged(database, () =>
    api.read<{ planWorkload: { plans: { optimal: boolean; consumers: Required<Answer>['claims'] }[] } }>(
      `query ($input: ClaimInput!) { planWorkload(input: $input, seed: 1) { plans { optimal consumers { ${places} } } } }`,
      { input: { members } },
    ),
  );
  const answer = await api.mutate<Answer>('claim', { members }, `optimal claims { ${places} }`);
  expect(planWorkload.plans).toHaveLength(answer.claims === undefined ? 0 : 1);
  if (answer.claims === undefined) return answer.message!;
  expect([planWorkload.plans[0].optimal, answer]).toMatchObject([true, { optimal: true }]);
  expect(hosts(planWorkload.plans[0].consumers)).toHaveLength(answer.claims.length);
  return hosts(answer.claims);
}

const IMPOSSIBLE = expect.stringContaining('do not fit together');
const [a, b, c] = ['a', 'b', 'c'].map(() => randomUUID());
let old: string;
beforeEach(async () => {
  old = await claimed(api, { [H1]: { VCPU: 2 } });
});
const moved = (more: object = {}): Claimant => ({ consumer: old, generation: 1, ...more });

describe('away', () => {
  const moveTo = (uuid: string) => member('moved', requestOf({ VCPU: 2 }, inTree(uuid)), moved());

  test('from a consumer that moves: not where it moves to', async () => {
    const away = vcpu(2, { awayFromConsumers: [old], ...requestOf({ VCPU: 2 }, inTree(H2)) });
    expect(await claim(moveTo(H2), member('new', away, { consumer: a }))).toEqual(IMPOSSIBLE);
  });

  test('from a consumer that moves: its former host is free', async () => {
    const away = vcpu(4, { awayFromConsumers: [old] });
    expect(await claim(moveTo(H2), member('new', away, { consumer: a }))).toEqual(['h2', 'h1']);
  });

  test('binds the named consumer, too', async () => {
    const free = member('moved', vcpu(2), moved());
    const away = { ...requestOf({ VCPU: 2 }, inTree(H1)), awayFromConsumers: [old] };
    expect(await claim(member('new', away, { consumer: a }), free)).toEqual([
      'h1',
      expect.not.stringMatching('h1'),
    ]);
  });

  test.each([[[a, b, c]], [[a, b, c, randomUUID()]]])(
    'consumers of one member from each other',
    async (named) => {
      const each = vcpu(2, { awayFromConsumers: named });
      const hosts = await claim(member('group', each, { consumer: a }, { consumer: b }, { consumer: c }));
      expect([...hosts].sort()).toEqual(['h1', 'h2', 'h3']);
    },
  );

  test('four consumers from each other on three hosts: at most three fit', async () => {
    const named = [a, b, c, randomUUID()];
    const each = vcpu(1, { awayFromConsumers: named });
    const answer = await claim(member('group', each, ...named.map((consumer) => ({ consumer }))));
    expect(answer).toBe(
      'the 4 consumers do not fit together; at most 3 fit: awayFromConsumers and nearConsumers among the consumers ' +
        'of the workload, 4 consumers requested, at most 3 fit',
    );
  });

  test('a group that is placed again may stay where it is', async () => {
    const named = [a, b, c];
    const each = vcpu(2, { awayFromConsumers: named });
    await claim(member('group', each, { consumer: a }, { consumer: b }, { consumer: c }));
    const members = named.map((consumer, at) => member(`m${at}`, each, { consumer, generation: 1 }));
    expect([...(await claim(...members))].sort()).toEqual(['h1', 'h2', 'h3']);
  });

  test('from a consumer that keeps former allocations: not where they are', async () => {
    const keepOldAs = { consumer: randomUUID() };
    const move = member('moved', requestOf({ VCPU: 2 }, inTree(H2)), moved({ keepOldAs }));
    const fromKept = member('new', vcpu(2, { awayFromConsumers: [keepOldAs.consumer] }), { consumer: a });
    expect(await claim(move, fromKept)).toEqual(['h2', expect.stringMatching(/h[23]/)]);
  });
});

describe('near', () => {
  test('a new consumer: both on one host', async () => {
    const near = vcpu(2, { nearConsumers: [a] });
    const [one, two] = await claim(member('a', vcpu(2), { consumer: a }), member('b', near, { consumer: b }));
    expect(one).toBe(two);
  });

  test('a consumer that moves: beside it, not at its former host', async () => {
    const move = member('moved', requestOf({ VCPU: 2 }, inTree(H2)), moved());
    const near = vcpu(2, { nearConsumers: [old] });
    expect(await claim(move, member('new', near, { consumer: a }))).toEqual(['h2', 'h2']);
  });

  test('each other, all of one member', async () => {
    const hosts = await claim(
      member('pair', vcpu(2, { nearConsumers: [a, b] }), { consumer: a }, { consumer: b }),
    );
    expect(new Set(hosts).size).toBe(1);
  });

  test('a consumer elsewhere or one of the claim: one of the list suffices', async () => {
    const near = vcpu(2, { nearConsumers: [old, a] });
    const apart = member('a', requestOf({ VCPU: 4 }, inTree(H2)), { consumer: a });
    expect(await claim(apart, member('b', near, { consumer: b }))).toEqual(['h2', 'h1']);
  });

  test('a preferred relation is judged by the positions after the claim', async () => {
    const prefers = vcpu(2, { orderBy: [{ nearConsumers: [old] }] });
    const move = member('moved', requestOf({ VCPU: 2 }, inTree(H2)), moved());
    expect(await claim(move, member('new', prefers, { consumer: a }))).toEqual(['h2', 'h2']);
  });
});

test('a claim that searches again after a conflict judges the relations again', async () => {
  // Another program fills a host that the stale snapshot prefers.
  await database.pool.query(
    `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
     SELECT id, 0, UUID(), 4 FROM resource_providers WHERE name = 'h2'`,
  );
  const orderBy = [{ freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } }];
  const away = vcpu(2, { awayFromConsumers: [old], orderBy });
  const free = member('moved', vcpu(2, { orderBy }), moved());
  const [one, two] = await claim(free, member('new', away, { consumer: a }));
  expect([one, two].sort()).toEqual(['h1', 'h3']);
});
