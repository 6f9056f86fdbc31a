import { describe, expect, test } from '@jest/globals';
import type { CandidateOrder } from '../../src/model/request.js';
import { Random } from '../oracle/random.js';
import { scorer, sortScores } from '../oracle/score.js';
import { query, type CaseRequest } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { forest, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

const HOSTS = cases(2_000, 300);

/** Hosts of two nodes with a network function each; how much of a capacity is in use is a matter of chance. */
function fleet(load: (random: Random, capacity: number) => number): Forest {
  const random = new Random(5);
  const used = (capacity: number): number => load(random, capacity);
  const hosts = Array.from({ length: HOSTS }, (_, at) => [
    `CN${at} DISK_GB:2000(used=${used(2000)})`,
    ...[0, 1].flatMap((node) => [
      `  CN${at}_${node} VCPU:128(used=${used(128)}) MEMORY_MB:131072`,
      `    PF${at}_${node} SRIOV_NET_VF:8(used=${used(8)})`,
    ]),
  ]);
  return forest(hosts.flat().join('\n'));
}

const varied = fleet((random, capacity) => random.between(0, capacity));
const inTenths = fleet((random, capacity) => Math.floor((random.between(0, 10) * capacity) / 10));
const empty = fleet(() => 0);
const threeSizes = forest(
  Array.from({ length: HOSTS }, (_, at) => {
    const cores = [64, 96, 128][at % 3];
    return `CN${at} VCPU:${cores} MEMORY_MB:131072 DISK_GB:2000`;
  }).join('\n'),
);

/** Expects that the answer to a request with an order is the best 10 of all candidates, and returns it. */
function bestTen(from: Forest, request: CaseRequest) {
  const snapshot = snapshotOf(from);
  const answer = engineAnswer(from, request, { snapshot, limit: 10, seed: 7 });
  const scores = scorer(from, request);
  const all = engineAnswer(from, { ...request, orderBy: [] }, { snapshot }).candidates.map(scores);
  expect(answer.candidates.map(scores)).toEqual(sortScores(all, request).slice(0, 10));
  return answer;
}

const FLAVOR = 'resources=VCPU:4,MEMORY_MB:8192,DISK_GB:20';

describe(`the best 10 of at most ${4 * HOSTS} candidates of ${HOSTS} hosts`, () => {
  test.each([
    ['VCPU:spread', 'varied load', varied, 20],
    ['VCPU:pack', 'varied load', varied, 20],
    ['VCPU:spread,DISK_GB:pack', 'varied load', varied, 60],
    ['VCPU:pack,DISK_GB:spread', 'varied load', varied, 60],
    ['VCPU:spread', 'load in tenths', inTenths, 20],
    ['VCPU:pack', 'load in tenths', inTenths, 20],
    // Trees that are equal in the first class are compared by the index of the second class.
    ['VCPU:spread,DISK_GB:spread', 'load in tenths', inTenths, 600],
    ['VCPU:pack,DISK_GB:pack', 'load in tenths', inTenths, 600],
    ['VCPU:spread', 'no load', empty, 20],
    ['VCPU:pack,DISK_GB:pack', 'no load', empty, 2 * HOSTS],
    ['VCPU:spread', 'empty hosts of three sizes', threeSizes, 20],
    ['VCPU:pack', 'empty hosts of three sizes', threeSizes, 20],
  ])('%s, %s', (order, _, from, tested) => {
    const { complete, effort } = bestTen(from, query(`${FLAVOR}&order_by=${order}`));
    expect(complete).toBe(false);
    expect(effort.treesTested).toBeLessThanOrEqual(tested);
    expect(effort.treesVisited).toBeLessThan(12);
    expect(effort.partialAssignments).toBeLessThan(200);
  });

  test('groups that draw one class from several providers', () => {
    const order = (strategy: string) =>
      query(`resources1=VCPU:4&resources2=VCPU:4&group_policy=isolate&order_by=VCPU:${strategy}`);
    for (const strategy of ['spread', 'pack']) {
      const { effort } = bestTen(varied, order(strategy));
      expect(effort.treesVisited).toBeLessThan(HOSTS / 4);
      expect(effort.partialAssignments).toBeLessThan(500);
    }
  });
});

describe(`the other terms, on ${HOSTS} hosts`, () => {
  const random = new Random(3);
  const hosts = Array.from({ length: HOSTS }, (_, at) => [
    `CN${at} DISK_GB:2000 ${at % 3 === 0 ? '+FAST' : ''} ${at % 50 === 0 ? '+OLD' : ''}`,
    ...[0, 1].flatMap((node) => [
      `  CN${at}_${node} VCPU:128(used=${random.between(0, 128)})`,
      `    PF${at}_${node} SRIOV_NET_VF:8 ${(at + node) % 2 === 0 ? '+NET_A' : '+NET_B'}`,
    ]),
  ]);
  const marked = forest(hosts.flat().join('\n'));
  const preferred = (trait: string, weight: number) => ({ trait, weight });
  const consumers = marked.allocations.slice(0, 400).map(({ consumer }) => consumer);

  test.each<[string, CandidateOrder[]]>([
    ['fewest', []],
    ['fewest,VCPU:spread', []],
    ['FAST:+2', [{ fewestProviders: true }]],
    ['OLD:-1,VCPU:pack', []],
    ['VCPU:spread', [{ preferTraits: [preferred('NET_A', 2), preferred('NET_B', 1)] }]],
    ['VCPU:pack', [{ nearConsumers: consumers }]],
  ])('%s after %j', (order, before) => {
    const request = query(`resources=VCPU:4,DISK_GB:20&resources1=SRIOV_NET_VF:1&order_by=${order}`);
    request.orderBy!.unshift(...before);
    const { effort } = bestTen(marked, request);
    expect(effort.treesTested).toBeLessThan(2 * HOSTS);
    expect(effort.treesVisited).toBeLessThan(20);
    expect(effort.partialAssignments).toBeLessThan(500);
  });

  test('one network function: a host with both kinds is not taken for one that gives both weights', () => {
    const both = { preferTraits: [preferred('NET_A', 1), preferred('NET_B', 1)] };
    const request = { ...query('resources1=SRIOV_NET_VF:1'), orderBy: [both] };
    const { candidates, effort } = engineAnswer(marked, request, { limit: 10, seed: 7 });
    expect(candidates.map(scorer(marked, request))).toEqual(Array(10).fill([1]));
    expect(effort.treesVisited).toBeLessThan(20);
  });
});

test('storage that racks share: only trees that the best storages serve are visited', () => {
  const random = new Random(9);
  const racks = Array.from({ length: 50 }, (_, rack) => [
    `SS${rack} DISK_GB:100000(used=${random.between(0, 90000)}) @R${rack} sharing`,
    ...Array.from(
      { length: cases(40, 10) },
      (__, at) => `CN${rack}_${at} VCPU:128(used=${random.between(0, 128)}) @R${rack}`,
    ),
  ]);
  const from = forest(racks.flat().join('\n'));
  for (const order of ['DISK_GB:spread', 'DISK_GB:pack', 'VCPU:spread,DISK_GB:spread']) {
    const request = query(`resources=VCPU:4,DISK_GB:100&order_by=${order}`);
    const { effort } = bestTen(from, request);
    expect(effort.treesVisited).toBeLessThan(20);
  }
});

describe('one host with very many candidates', () => {
  const devices = (totals: readonly number[]): Forest =>
    forest(['HOST', ...totals.map((total, at) => `  DEV${at} PGPU:${total}(used=1)`)].join('\n'));
  const groups = (count: number, policy: string, order: string) =>
    query(
      [
        ...Array.from({ length: count }, (_, at) => `resources${at}=PGPU:1`),
        `group_policy=${policy}&order_by=${order}`,
      ].join('&'),
    );

  test.each([
    ['40,320 candidates of equal devices', Array<number>(8).fill(9), 8, 'isolate', 10],
    ['40,320 candidates of different devices', [2, 3, 4, 5, 6, 7, 8, 9], 8, 'isolate', 10],
    ['16,777,216 candidates of equal devices', Array<number>(8).fill(9), 8, 'none', 10],
    ['16,777,216 candidates of different devices', [9, 10, 11, 12, 13, 14, 15, 16], 8, 'none', 10],
    ['64 devices', Array.from({ length: 64 }, (_, at) => 2 + at), 8, 'isolate', 100],
    ['64 devices with room for two groups each', Array<number>(64).fill(3), 8, 'none', 10],
  ] as const)('%s', (_, totals, count, policy, limit) => {
    for (const order of ['PGPU:spread', 'PGPU:pack', 'fewest']) {
      const request = groups(count, policy, order);
      const { candidates, complete, effort } = engineAnswer(devices(totals), request, { limit });
      expect(candidates).toHaveLength(limit);
      expect(complete).toBe(false);
      expect(effort.partialAssignments).toBeLessThan(40_000);
    }
  });
});
