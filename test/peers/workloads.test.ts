import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { newConsumers, requestOf } from '../support/claims.js';
import { aggregate, uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

const { api, database } = useApi({ hasBackground: false });

useForest(
  database,
  `
    h1 VCPU:4  @A
    h2 VCPU:4  @B
    h3 VCPU:16
  `,
);

const member = (name: string, count: number) => ({
  name,
  requests: [requestOf({ VCPU: 4 })],
  consumers: newConsumers(count),
});

const ZONES = { aggregates: ['A', 'B'].map((zone) => ({ uuid: aggregate(zone) })) };

const CLAIMED = `claims { allocationRequest { allocations { resourceProvider { name } } } }
  topology { rule outsideCount domains { consumerCount } }`;

const claim = (members: object[], topology: object[]) =>
  api.mutate<{ readonly claims: readonly object[] }>('claim', { members, topology }, CLAIMED);

// Kubernetes: DoNotSchedule of topologySpreadConstraints excludes nodes without the label of the topology.
test.each(['DIFFERENT', 'SPREAD'])('%s over zones never uses a host without a zone', async (rule) => {
  const topology = [{ rule, level: ZONES, members: ['replica'] }];
  expect(await claim([member('replica', 3)], topology)).toMatchObject({
    code: 'NO_CANDIDATES',
    outcome: 'IMPOSSIBLE',
    topologyIndex: 0,
    members: [{ name: 'replica', fit: 2 }],
  });
  expect(await claim([member('replica', 2)], topology)).toMatchObject({
    topology: [{ outsideCount: 0, domains: [{ consumerCount: 1 }, { consumerCount: 1 }] }],
  });
});

// Kubernetes (kubernetes/website pull request 8973): anti-affinity over a topology key lets any number of pods onto nodes
// without the key.
test('a rule with allowOutside counts the replicas on hosts without a zone', async () => {
  const topology = [{ rule: 'DIFFERENT', level: ZONES, members: ['replica'], allowOutside: true }];
  expect(await claim([member('replica', 6)], topology)).toMatchObject({ topology: [{ outsideCount: 4 }] });
});

// Nova: a server with an affinity group to one server and an anti-affinity to another is placeable.
test('one consumer may be together with a second and apart from a third', async () => {
  const topology = [
    { rule: 'SAME', level: { tree: true }, members: ['web', 'cache'] },
    { rule: 'DIFFERENT', level: { tree: true }, members: ['web', 'spare'] },
  ];
  const { claims } = await claim([member('web', 1), member('cache', 1), member('spare', 1)], topology);
  expect(claims).toMatchObject([
    { allocationRequest: { allocations: [{ resourceProvider: { name: 'h3' } }] } },
    { allocationRequest: { allocations: [{ resourceProvider: { name: 'h3' } }] } },
    { allocationRequest: { allocations: [{ resourceProvider: { name: expect.stringMatching(/h[12]/) } }] } },
  ]);
});

describe('consumers that are placed together', () => {
  const at = (name: string) => ({ inTree: { uuid: uuidOf('provider', name) } });
  const [a, b] = newConsumers(2);
  const moved = { ...a, generation: 1 };
  const one = (name: string, request: object, consumer: object) => ({
    name,
    requests: [request],
    consumers: [consumer],
  });

  beforeEach(() => claim([one('a', requestOf({ VCPU: 4 }, at('h1')), a)], []));

  // Nova: two members of an anti-affinity group that are built at the same time land on one host.
  test('are away from each other where they go, not where they were', async () => {
    const move = one('a', requestOf({ VCPU: 4 }, at('h3')), moved);
    const beside = one('b', { ...requestOf({ VCPU: 4 }, at('h3')), awayFromConsumers: [a.consumer] }, b);
    expect(await claim([move, beside], [])).toMatchObject({ code: 'NO_CANDIDATES', outcome: 'IMPOSSIBLE' });
    const former = one('b', { ...requestOf({ VCPU: 4 }, at('h1')), awayFromConsumers: [a.consumer] }, b);
    expect(await claim([move, former], [])).toMatchObject({ claims: [{}, {}] });
  });

  // Nova: the members of an affinity group cannot leave a full host one after another.
  test('stay near each other when both move', async () => {
    const near = { ...requestOf({ VCPU: 4 }), nearConsumers: [a.consumer] };
    expect(await claim([one('b', near, b)], [])).toMatchObject({ code: 'NO_CANDIDATES' });
    const { claims } = await claim([one('a', requestOf({ VCPU: 4 }), moved), one('b', near, b)], []);
    expect(claims).toMatchObject(
      Array(2).fill({ allocationRequest: { allocations: [{ resourceProvider: { name: 'h3' } }] } }),
    );
  });

  // Kubernetes: replicas with anti-affinity to their own label need a node each.
  test('are each on another host if all name all', async () => {
    const replicas = newConsumers(3);
    const away = replicas.map(({ consumer }) => consumer);
    const group = { name: 'replica', requests: [{ ...requestOf({ VCPU: 4 }), awayFromConsumers: away }] };
    const freed = one('a', requestOf({ VCPU: 4 }, at('h3')), moved);
    const answer = await claim([freed, { ...group, consumers: replicas }], []);
    const names = JSON.stringify(answer.claims.slice(1)).match(/h\d/g)!;
    expect(names.sort()).toEqual(['h1', 'h2', 'h3']);
  });
});
