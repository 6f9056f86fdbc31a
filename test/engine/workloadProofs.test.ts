import { describe, expect, test } from '@jest/globals';
import { snapshotOfTrees } from '../../bench/hard/fleet.js';
import { CASES } from '../../bench/workloads/cases.js';
import { planWorkload, type TopologyRule } from '../../src/moves/workload/workload.js';
import { WorkloadSearch } from '../../src/moves/workload/workloadSearch.js';
import type { CaseMember } from '../oracle/workload.js';
import { query } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { aggregate, forest } from '../support/forest.js';

/** Each case took 2,000,000 units of work without the bounds. About 70,000 units take 100 ms. */
const WORK = 60_000;
/** About 13 ms. */
const LITTLE_WORK = 9_000;

const RACKS: TopologyRule['level'] = { kind: 'AGGREGATES', aggregates: [...'RST'].map(aggregate) };
const TREES: TopologyRule['level'] = { kind: 'TREE' };

/** Draws racks R, S and T with these numbers of hosts. No two hosts are equal, unless `total` is given. */
const fleet = (sizes: readonly number[], total?: number) =>
  forest(
    sizes
      .flatMap((size, rack) =>
        Array.from(
          { length: size },
          (_, at) => `H${rack}-${at} VCPU:${total ?? 8 + ((24 * rack + at) % 71)} @${'RST'[rack]}`,
        ),
      )
      .join('\n'),
  );

const member = (name: string, count: number, request = 'resources=VCPU:1'): CaseMember => ({
  name,
  count,
  requests: [query(request)],
  placement: 'ANY',
});

const rule = (
  kind: TopologyRule['rule'],
  level: TopologyRule['level'],
  members: readonly string[],
): TopologyRule => ({ rule: kind, level, members, maxSkew: 1, allowOutside: false });

function decided(
  hosts: ReturnType<typeof fleet>,
  members: CaseMember[],
  topology: TopologyRule[],
  most = WORK,
) {
  const { answer, spent } = engineWorkload(hosts, { members, topology }, { seed: 1 });
  expect(spent).toBeLessThan(most);
  return answer;
}

const one = [member('a', 25)];
const two = [member('a', 13), member('b', 12, 'resources=VCPU:2')];

describe('25 consumers on three racks of 24 hosts', () => {
  test.each([
    ['SAME', 'DIFFERENT', one],
    ['SAME', 'SPREAD', one],
    ['SAME', 'DIFFERENT', two],
    ['SAME', 'SPREAD', two],
  ] as const)('do not fit: %s rack and %s hosts (%#)', (outer, inner, members) => {
    const names = members.map(({ name }) => name);
    const topology = [rule(outer, RACKS, names), rule(inner, TREES, names)];
    const answer = decided(fleet([24, 24, 24]), [...members], topology, LITTLE_WORK);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', isLargest: true, cause: { rule: 0 } });
    const { fit } = answer as Extract<typeof answer, { kind: 'IMPOSSIBLE' }>;
    expect(fit.reduce((sum, count) => sum + count)).toBe(24);
  });

  test.each([
    ['DIFFERENT', one],
    ['SPREAD', one],
    ['DIFFERENT', two],
    ['SPREAD', two],
  ] as const)('are packed into two racks with %s hosts, which is proven (%#)', (inner, members) => {
    const names = members.map(({ name }) => name);
    const topology = [rule('PACK', RACKS, names), rule(inner, TREES, names)];
    const answer = decided(fleet([24, 24, 24]), [...members], topology, LITTLE_WORK);
    expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true, domains: [{ length: 2 }, {}] });
  });
});

test('a DIFFERENT rule limits a tree to one consumer of all its members', () => {
  const members = [member('a', 2), member('b', 2), member('c', 2)];
  const topology = [rule('SAME', RACKS, ['a', 'b', 'c']), rule('DIFFERENT', TREES, ['a', 'b'])];
  const answer = decided(fleet([3, 3, 3]), members, topology);
  expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', isLargest: true });
  expect(decided(fleet([3, 4, 3]), members, topology)).toMatchObject({ kind: 'FOUND', isOptimal: true });
});

test('whole slices are counted by domain: twelve members of four hosts, blocks of 15, 17 and 17 hosts', () => {
  const of = (count: number): [CaseMember[], TopologyRule[]] => {
    const names = Array.from({ length: count }, (_, at) => `m${at}`);
    return [
      names.map((name) => member(name, 4, 'resources=VCPU:8')),
      names.map((name) => rule('SAME', RACKS, [name])),
    ];
  };
  expect(decided(fleet([15, 17, 17], 8), ...of(11), 2 * LITTLE_WORK)).toMatchObject({
    kind: 'FOUND',
    isOptimal: true,
  });
  const answer = decided(fleet([15, 17, 17], 8), ...of(12), 2 * LITTLE_WORK);
  expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', requested: 48, isLargest: true });
  const { fit } = answer as Extract<typeof answer, { kind: 'IMPOSSIBLE' }>;
  expect(fit.reduce((sum, count) => sum + count)).toBe(47);
});

test('members that each need one tree are counted by tree', () => {
  const members = Array.from({ length: 4 }, (_, at): CaseMember => ({
    ...member(`m${at}`, 3, 'resources=VCPU:2'),
    placement: 'SAME_TREE',
  }));
  const answer = decided(fleet([3, 0, 0], 10), members, []);
  expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', requested: 12, isLargest: true });
});

test('a PACK domain is bounded by the free amounts of all its members', () => {
  const members = [member('a', 20, 'resources=VCPU:4'), member('b', 20, 'resources=VCPU:3')];
  const answer = decided(fleet([24, 24, 24], 5), members, [rule('PACK', RACKS, ['a', 'b'])]);
  expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true, domains: [{ length: 2 }] });
});

test('512 consumers fill the racks that rules prefer first, so that the fewest racks are found with little work', () => {
  const accelerators = CASES.find(({ what }) => what === '512 accelerators in the fewest racks')!;
  const snapshot = snapshotOfTrees(accelerators.trees(1_000));
  const search = new WorkloadSearch(snapshot, planWorkload(snapshot, accelerators.workload(1_000)), {
    seed: 1,
  });
  search.run();
  expect(search.answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
  expect(search.effort.spent).toBeLessThan(WORK);
});

describe('an order of equal consumers', () => {
  const fleetOf600 = forest(
    Array.from({ length: 600 }, (_, at) => {
      const root = `H${at} MEMORY_MB:${4096 + at} @${'RST'[at % 3]}`;
      return `${root}\n  N${at} VCPU:8(used=${at % 8})`;
    }).join('\n'),
  );
  const request = (order: string): string => `resources=VCPU:1,MEMORY_MB:64&order_by=${order}`;
  const same = [rule('SAME', RACKS, ['a'])];

  test.each([
    ['fewest', 60, []],
    ['fewest', 60, same],
    ['fewest', 60, [rule('PACK', RACKS, ['a'])]],
    ['fewest', 60, [rule('DIFFERENT', TREES, ['a'])]],
    ['VCPU:pack', 60, []],
    ['VCPU:pack', 59, same],
  ])('%s is proven if each of %i consumers has the best value (%#)', (order, count, topology) => {
    const answer = decided(fleetOf600, [member('a', count, request(order))], topology);
    expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
  });

  test('a search for a better order ends after a tenth of the work', () => {
    const workload = { members: [member('a', 60, request('VCPU:pack'))], topology: same };
    const { answer, spent } = engineWorkload(fleetOf600, workload, { seed: 1 });
    expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: false });
    expect(spent).toBeLessThan(300_000);
  });
});
