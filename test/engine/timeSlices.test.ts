import { expect, jest, test } from '@jest/globals';
import type { RebalanceProblem } from '../../src/moves/rebalance/problem.js';
import { planWorkload, type TopologyRule } from '../../src/moves/workload/workload.js';
import { RuleCounts } from '../../src/moves/workload/ruleCounts.js';
import { WorkloadSearch } from '../../src/moves/workload/workloadSearch.js';
import { query, toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest, uuidOf, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';
import { rebalanced } from './rebalanced.js';

const SLICE = cases(5_000, 2_000);
/** A slice may exceed its budget by one step. */
const MAX_SLICE = 2 * SLICE;

const HOSTS = cases(3_000, 1_200);

function hosts(line: (at: number) => string): string {
  return Array.from({ length: HOSTS }, (_, at) => `H${at} ${line(at)}`).join('\n');
}

interface Slices {
  readonly longest: number;
  readonly total: number;
  readonly search: WorkloadSearch;
}

function place(
  fleet: Forest,
  { count, texts, topology }: { count: number; texts: string[]; topology: TopologyRule[] },
  afterSlice = (): void => {},
): Slices {
  const snapshot = snapshotOf(fleet);
  const requests = texts.map((text) => toRequest(query(text), fleet));
  const members = [{ name: 'a', count, requests, placement: 'ANY' as const }];
  const search = new WorkloadSearch(snapshot, planWorkload(snapshot, { members, topology }), { seed: 1 });
  let longest = 0;
  for (let isDone = false; !isDone;) {
    const before = search.effort.spent;
    isDone = search.run(SLICE);
    longest = Math.max(longest, search.effort.spent - before);
    afterSlice();
  }
  return { longest, total: search.effort.spent, search };
}

const spread: TopologyRule = {
  rule: 'SPREAD',
  level: { kind: 'TREE' },
  members: ['a'],
  maxSkew: 1,
  allowOutside: false,
};

test('a workload by the order of its request is placed in time slices', () => {
  // No host can take the request, although the sums in the index suffice.
  const fleet = forest(hosts(() => 'VCPU:8(step=3)'));
  const texts = ['resources=VCPU:2&order_by=VCPU:pack'];
  expect(place(fleet, { count: 2, texts, topology: [] }).longest).toBeLessThan(MAX_SLICE);
});

test('the domains of a spread are read in time slices, also if no host passes', () => {
  const fleet = forest(`${hosts(() => 'VCPU:8')}\nX VGPU:2`);
  const texts = Array.from({ length: 8 }, (_, at) => `resources=VGPU:${1 + at}`);
  const { longest, total } = place(fleet, { count: 2, texts, topology: [spread] });
  expect(total).toBeGreaterThan(MAX_SLICE);
  expect(longest).toBeLessThan(MAX_SLICE);
});

test.each([
  ['few of the hosts', (at: number) => (at % (HOSTS / 6) === 0 ? 'VGPU:2' : 'VCPU:8'), 12],
  ['all of the hosts', () => 'VGPU:2', 400],
])('a spread over %s compares domains in time slices', (_, line, count) => {
  const counted = jest.spyOn(RuleCounts.prototype, 'countIn');
  let most = 0;
  const { search } = place(
    forest(hosts(line)),
    { count, texts: ['resources=VGPU:1'], topology: [spread] },
    () => {
      most = Math.max(most, counted.mock.calls.length);
      counted.mockClear();
    },
  );
  counted.mockRestore();
  expect(search.answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
  expect(most).toBeLessThan(40 * SLICE);
});

/** Returns the work of the longest slice of a rebalancing. The consumers are on the last host. */
function longestSlice({
  picture,
  goal,
  consumers: amounts,
  groups = 1,
}: {
  readonly picture: string;
  readonly goal: RebalanceProblem['goal'];
  /** The VCPU of each consumer. */
  readonly consumers: readonly number[];
  /** The number of groups of each request. */
  readonly groups?: number;
}): number {
  const fleet = forest(picture);
  amounts.forEach((used, at) =>
    fleet.allocations.push({ consumer: `c${at}`, provider: 'X', resourceClass: 'VCPU', used }),
  );
  const suffixes = Array.from({ length: groups }, (_, at) => `_${at}`);
  const consumers = amounts.map((VCPU, at) => ({
    ...{ uuid: `c${at}`, canMove: true, isStated: groups > 1 },
    allocations: { [uuidOf('provider', 'X')]: { VCPU } },
    request: {
      groups: suffixes.map((suffix) => ({ suffix, resources: { VCPU } })),
      groupPolicy: 'isolate' as const,
    },
  }));
  const roots = fleet.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  const given = { forest: fleet, goal, hosts: roots, classes: null, consumers, maxMoves: 10 };
  return rebalanced(given, SLICE).longest;
}

test('a rebalancing of few consumers lists their possible hosts in time slices', () => {
  const picture = `${hosts(() => 'VCPU:8(step=3)')}\nX VCPU:8`;
  expect(longestSlice({ picture, goal: 'EVEN_OUT', consumers: [2] })).toBeLessThan(MAX_SLICE);
});

test('a repair finds the partners of a stuck consumer in time slices', () => {
  const picture = `${hosts(() => 'VCPU:8(step=3)')}\nX VCPU:38`;
  const consumers = Array.from({ length: 20 }, () => 2);
  expect(longestSlice({ picture, goal: 'FIX', consumers })).toBeLessThan(MAX_SLICE);
});

test('a repair compares consumers with the candidates of their requests in time slices', () => {
  const nodes = Array.from({ length: 120 }, (_, at) => `  N${at} VCPU:8`).join('\n');
  const picture = `X VCPU:8\n${nodes}`;
  expect(longestSlice({ picture, goal: 'FIX', consumers: [1, 1], groups: 2 })).toBeLessThan(MAX_SLICE);
});
