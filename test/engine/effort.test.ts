import { describe, expect, test } from '@jest/globals';
import { query, type CaseRequest } from '../support/caseRequests.js';
import { engineAnswer } from '../support/engine.js';
import { forest, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

/** A host with so many one-unit devices. */
function devices(count: number): Forest {
  const lines = Array.from({ length: count }, (_, at) => `  DEV${at} PGPU:1`);
  return forest(['HOST', ...lines].join('\n'));
}

/** A host with NICs, each of which has four devices. */
function nics(...names: string[]): Forest {
  const lines = names.flatMap((nic) => [
    `  NIC${nic} +CUSTOM_NIC`,
    ...Array.from({ length: 4 }, (_, at) => `    PF${nic}${at} SRIOV_NET_VF:1`),
  ]);
  return forest(['HOST', ...lines].join('\n'));
}

/** So many granular groups of one device each. */
function groups(count: number, policy: 'none' | 'isolate'): CaseRequest {
  const parameters = Array.from({ length: count }, (_, at) => `resources${at}=PGPU:1`);
  return query([...parameters, `group_policy=${policy}`].join('&'));
}

describe('interchangeable devices do not multiply the work', () => {
  test.each(['isolate', 'none'] as const)(
    '13 groups on 12 devices, policy %s: none, and soon known',
    (policy) => {
      const { candidates, complete, effort } = engineAnswer(devices(12), groups(13, policy));
      expect(candidates).toEqual([]);
      expect(complete).toBe(true);
      expect(effort.partialAssignments).toBeLessThan(10_000);
    },
  );

  test('13 groups on 12 devices below two NICs each group must share', () => {
    const parameters = Array.from({ length: 5 }, (_, at) => `resources_V${at}=SRIOV_NET_VF:1`);
    const suffixes = Array.from({ length: 5 }, (_, at) => `_V${at}`);
    const request = query(
      [...parameters, 'required_N=CUSTOM_NIC', `same_subtree=${[...suffixes, '_N'].join(',')}`].join('&'),
    );
    const { candidates, effort } = engineAnswer(nics('A', 'B', 'C'), request);
    expect(candidates).toEqual([]);
    expect(effort.partialAssignments).toBeLessThan(10_000);
  });

  const MANY = cases(8, 7);

  test(`all permutations of ${MANY} groups on ${MANY} devices are there when no limit cuts them (rule 169)`, () => {
    const { candidates, complete } = engineAnswer(devices(MANY), groups(MANY, 'isolate'));
    expect(candidates).toHaveLength(cases(40_320, 5_040));
    expect(complete).toBe(true);
  });

  test('1,000 of 40,320 take little more than 1,000 steps', () => {
    const { candidates, complete, effort } = engineAnswer(devices(8), groups(8, 'isolate'), { limit: 1000 });
    expect(candidates).toHaveLength(1000);
    expect(complete).toBe(false);
    expect(effort.partialAssignments).toBeLessThan(20_000);
  });

  test('1,000 candidates of 8 isolated groups on 64 devices', () => {
    const { candidates, effort } = engineAnswer(devices(64), groups(8, 'isolate'), { limit: 1000 });
    expect(candidates).toHaveLength(1000);
    expect(effort.partialAssignments).toBeLessThan(20_000);
  });
});

describe('isolation by a list of groups', () => {
  const alone = (count: number, among: string): CaseRequest => {
    const suffixes = Array.from({ length: count }, (_, at) => String(at));
    const parameters = suffixes.map((suffix) => `resources${suffix}=PGPU:1`);
    return query([among, ...parameters, `isolate=${suffixes.join()}`].join('&'));
  };

  test.each([
    ['13 of them', alone(13, '')],
    ['12 of them and the unsuffixed group', alone(12, 'resources=PGPU:1')],
    ['12 of them and one that is not named', alone(12, 'resourcesX=PGPU:1')],
  ])('%s on 12 devices of one unit: none, and soon known', (_, request) => {
    const { candidates, complete, effort } = engineAnswer(devices(12), request);
    expect(candidates).toEqual([]);
    expect(complete).toBe(true);
    expect(effort.partialAssignments).toBeLessThan(10_000);
  });
});

test('3 groups below a NIC and 5 outside of it, where each of two NICs has 4 devices: none, and soon known', () => {
  const parameters = Array.from({ length: 8 }, (_, at) => `resources_V${at}=SRIOV_NET_VF:1`);
  const request = query(
    `${parameters.join('&')}&required_N=CUSTOM_NIC&same_subtree=_N,_V0,_V1,_V2,!_V3,!_V4,!_V5,!_V6,!_V7`,
  );
  const { candidates, effort } = engineAnswer(nics('A', 'B'), request);
  expect(candidates).toEqual([]);
  expect(effort.partialAssignments).toBeLessThan(10_000);
});

describe('split sets are found on demand', () => {
  test('the first 10 of the 1.8 * 10^18 ways to take 32 of 64 devices', () => {
    const request = query('resources=PGPU:32&can_split=PGPU');
    const { candidates, complete, effort } = engineAnswer(devices(64), request, { limit: 10 });
    expect(candidates).toHaveLength(10);
    expect(complete).toBe(false);
    expect(effort.partialAssignments).toBeLessThan(1_000);
  });

  test('that units do not add up to the amount is not found out once for each of many equal sets', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `  DEV${at} PGPU:15(min=3,step=5)`);
    const host = forest(['HOST', ...lines].join('\n'));
    const { candidates, effort } = engineAnswer(host, query('resources=PGPU:7&can_split=PGPU'));
    expect(candidates).toEqual([]);
    expect(effort.partialAssignments).toBeLessThan(1_000);
  });

  test('an amount that one provider can hold costs what it costs without', () => {
    const [partition, whole] = ['&can_split=PGPU', ''].map(
      (more) => engineAnswer(devices(64), query(`resources=PGPU:1${more}`)).effort.spent,
    );
    expect(partition).toBe(whole);
  });

  test.each([1, 7, 100])('runs of %d units of work give the same answer', (budget) => {
    const request = query('resources=PGPU:3&can_split=PGPU&resources1=PGPU:1&isolate=1');
    const whole = engineAnswer(devices(6), request, { seed: 3 });
    const pieces = engineAnswer(devices(6), request, { seed: 3, budget });
    expect(whole.candidates).toHaveLength(60);
    expect(pieces).toEqual({ ...whole, effort: pieces.effort });
    expect(pieces.effort.partialAssignments).toBe(whole.effort.partialAssignments);
  });
});

describe('trees that the index rules out are not visited', () => {
  const hosts = forest(
    Array.from(
      { length: 600 },
      (_, at) => `CN${at} VCPU:${at === 77 ? 9 : 8} ${at === 400 ? '@Z' : ''}`,
    ).join('\n'),
  );

  test.each([
    ['more than any provider has', 'resources=VCPU:10', 0, 0],
    ['what one tree has', 'resources=VCPU:9', 1, 1],
    ['an aggregate of one tree', 'resources=VCPU:1&member_of=Z', 1, 1],
    ['one tree by name', 'resources=VCPU:1&in_tree=CN5', 1, 1],
  ])('%s', (_, asked, candidates, visited) => {
    const answer = engineAnswer(hosts, query(asked));
    expect(answer.candidates).toHaveLength(candidates);
    expect(answer.effort.treesVisited).toBe(visited);
  });

  test('a limit stops the search', () => {
    const { candidates, complete, effort } = engineAnswer(hosts, query('resources=VCPU:1'), { limit: 10 });
    expect(candidates).toHaveLength(10);
    expect(complete).toBe(false);
    expect(effort.treesVisited).toBe(11);
  });
});
