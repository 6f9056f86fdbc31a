import { expect, test } from '@jest/globals';
import type { TopologyRule } from '../../src/moves/workload/workload.js';
import type { CaseMember } from '../oracle/workload.js';
import { providersOf } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { aggregate, forest, uuidOf, type Forest } from '../support/forest.js';

const hosts = (sizes: readonly number[]): Forest =>
  forest(sizes.map((size, at) => `H${at} VCPU:${size} @${'RST'[at % 3]}`).join('\n'));

/** A member whose first consumers are on these hosts, with 2 VCPU each unless stated. The others are new. */
function member(
  name: string,
  count: number,
  on: readonly string[],
  requests: readonly string[],
  amounts: readonly number[] = [],
): CaseMember {
  const present = Array.from({ length: count }, (_, at) =>
    at < on.length ? { [uuidOf('provider', on[at])]: { VCPU: amounts[at] ?? 2 } } : null,
  );
  return { name, count, requests: requests.map(query), placement: 'ANY', present };
}

function placesIn(fleet: Forest, members: CaseMember[], topology: TopologyRule[] = [], seed = 7): string[] {
  const { answer, placed } = engineWorkload(fleet, { members, topology }, { seed });
  expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
  return placed.map(({ candidate }) => providersOf(fleet, candidate).join('+'));
}

const TWO = ['resources=VCPU:2'];
const rule = (kind: TopologyRule['rule'], level: TopologyRule['level']): TopologyRule => ({
  rule: kind,
  level,
  members: ['a'],
  maxSkew: 1,
  allowOutside: false,
});

test('a workload that grows from six replicas to eight moves none', () => {
  const fleet = hosts(Array<number>(12).fill(4));
  const on = ['H3', 'H1', 'H8', 'H5', 'H11', 'H2'];
  const places = placesIn(fleet, [member('a', 8, on, TWO)], [rule('DIFFERENT', { kind: 'TREE' })]);
  expect(places.slice(0, 6)).toEqual(on);
  expect(new Set(places).size).toBe(8);
});

test('staying is more important than fewer domains and a better order', () => {
  const fleet = hosts([8, 8, 8]);
  const racks = { kind: 'AGGREGATES', aggregates: [...'RST'].map(aggregate) } as const;
  const packed = ['resources=VCPU:2&order_by=VCPU:pack'];
  const on = ['H0', 'H1'];
  expect(placesIn(fleet, [member('a', 2, on, packed)], [rule('PACK', racks)])).toEqual(on);
});

test('as few consumers move as the rules require', () => {
  const on = ['H0', 'H0', 'H1'];
  const places = placesIn(hosts([4, 4, 4]), [member('a', 3, on, TWO)], [rule('DIFFERENT', { kind: 'TREE' })]);
  expect([...places].sort()).toEqual(['H0', 'H1', 'H2']);
  expect(places[2]).toBe('H1');
  expect(places.slice(0, 2)).toContain('H0');
});

test('a member keeps the request of its placed consumers; other members prefer their first', () => {
  const fleet = hosts([8, 8]);
  const alternatives = ['resources=VCPU:1', 'resources=VCPU:2'];
  const members = [member('a', 2, ['H0'], alternatives), member('b', 1, [], alternatives)];
  const { answer } = engineWorkload(fleet, { members, topology: [] }, { seed: 1 });
  expect(answer).toMatchObject({
    kind: 'FOUND',
    isOptimal: true,
    members: [
      { alternative: 1, rejected: [{ alternative: 0, isProven: true, isKept: true }] },
      { alternative: 0, rejected: [] },
    ],
  });
});

test('a member uses another request if it cannot keep its own', () => {
  const members = [member('a', 3, ['H0'], ['resources=VCPU:1', 'resources=VCPU:2'])];
  const { answer } = engineWorkload(hosts([3]), { members, topology: [] }, { seed: 1 });
  expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true, members: [{ alternative: 0 }] });
});

const SEEDS = Array.from({ length: 20 }, (_, at) => at);

/** The places of the consumers with each seed, without repetitions. */
function placesWithSeeds(fleet: Forest, members: CaseMember[], topology: TopologyRule[] = []): string[][] {
  const found = SEEDS.map((seed) => placesIn(fleet, members, topology, seed));
  return [...new Map(found.map((places) => [places.join(), places])).values()];
}

test.each([1, 3, 4])('a resize from 2 to %d stays at its host', (amount) => {
  const grown = member('a', 1, ['H3'], [`resources=VCPU:${amount}`]);
  expect(placesWithSeeds(hosts(Array<number>(6).fill(4)), [grown])).toEqual([['H3']]);
});

test('a resize goes elsewhere if its host is full', () => {
  const grown = member('a', 1, ['H0'], ['resources=VCPU:5']);
  expect(placesWithSeeds(hosts([4, 8]), [grown])).toEqual([['H1']]);
});

test('one of several consumers grows, and none moves', () => {
  const on = ['H4', 'H1', 'H4'];
  const four = member('a', 3, on, ['resources=VCPU:4'], [4, 2, 4]);
  expect(placesWithSeeds(hosts([8, 4, 8, 8, 8, 8]), [four])).toEqual([on]);
});

test('of two consumers that grow on one host, only one moves if both do not fit', () => {
  const places = placesWithSeeds(hosts([6, 8]), [member('a', 2, ['H0', 'H0'], ['resources=VCPU:4'])]);
  for (const one of places) expect(one.toSorted()).toEqual(['H0', 'H1']);
});

test('a resize of three consumers in DIFFERENT trees moves none', () => {
  const on = ['H3', 'H1', 'H5'];
  const three = member('a', 3, on, ['resources=VCPU:3']);
  const fleet = hosts(Array<number>(8).fill(4));
  expect(placesWithSeeds(fleet, [three], [rule('DIFFERENT', { kind: 'TREE' })])).toEqual([on]);
});

/** Six hosts with two nodes of 8 VCPU. */
const NODES = forest([1, 2, 3, 4, 5, 6].map((at) => `H${at}\n  H${at}a VCPU:8\n  H${at}b VCPU:8`).join('\n'));

test('a resize stays at its node of a host, and leaves the other consumers theirs', () => {
  const on = ['H2a', 'H2b', 'H5b', 'H5b'];
  const grown = member('a', 4, on, ['resources=VCPU:4'], [2, 4, 3, 4]);
  expect(placesWithSeeds(NODES, [grown])).toEqual([on]);
});

test('a resize uses another node of its host if its node is full', () => {
  const other = { ...member('b', 1, ['H2a'], ['resources=VCPU:5'], [5]) };
  expect(placesWithSeeds(NODES, [member('a', 1, ['H2a'], ['resources=VCPU:4']), other])).toEqual([
    ['H2b', 'H2a'],
  ]);
});

test('a resize to a new device stays at its host', () => {
  const fleet = forest(
    [1, 2, 3, 4].map((at) => `H${at} VCPU:8\n  H${at}a VGPU:1\n  H${at}b VGPU:1`).join('\n'),
  );
  const grown = member('a', 1, ['H2'], ['resources=VCPU:2&resources_G=VGPU:1&group_policy=none']);
  const places = placesWithSeeds(fleet, [grown]);
  for (const [one] of places) expect(['H2+H2a', 'H2+H2b']).toContain(one);
});

test('a consumer with the same amounts does not change its partition, whatever this one consumes', () => {
  const fleet = forest(
    [1, 2].map((at) => `H${at} CUSTOM_A:2 CUSTOM_B:2\n  H${at}a VGPU:2\n  H${at}b VGPU:1`).join('\n'),
  );
  for (const partition of fleet.providers) {
    if (partition.parent === null) continue;
    const [resourceClass, amount] = partition.name.endsWith('a') ? ['CUSTOM_A', 1] : ['CUSTOM_B', 2];
    const provider = uuidOf('provider', partition.parent);
    partition.consumes = { VGPU: [{ provider, resourceClass, amount: Number(amount) }] };
  }
  const before: Record<string, Record<string, number>> = {
    [uuidOf('provider', 'H2b')]: { VGPU: 1 },
    [uuidOf('provider', 'H2')]: { CUSTOM_B: 2 },
  };
  const one = { ...member('a', 1, [], ['resources=VGPU:1&order_by=VGPU:spread']), present: [before] };
  const places = placesWithSeeds(fleet, [one]);
  expect(places).toHaveLength(1);
  expect(places[0][0]).toContain('H2b');
});
