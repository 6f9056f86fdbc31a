import { describe, expect, test } from '@jest/globals';
import type { TopologyRule } from '../../src/moves/workload/workload.js';
import { validateWorkload } from '../../src/moves/claim/workloadPlacement.js';
import type { CaseMember } from '../oracle/workload.js';
import { providersOf } from '../support/answers.js';
import { query, toRequest } from '../support/caseRequests.js';
import { engineWorkload, type EngineWorkload } from '../support/engine.js';
import { aggregate, forest, type Forest } from '../support/forest.js';

/** `requests` in the notation of queries, the best first. */
function member(
  name: string,
  count: number,
  requests: string | string[],
  placement: CaseMember['placement'] = 'ANY',
): CaseMember {
  return { name, count, requests: [requests].flat().map(query), placement };
}

/** `level`: TREE, aggregates as letters, or a trait. */
function rule(
  kind: TopologyRule['rule'],
  level: string,
  members: string[],
  maxSkew = 1,
  allowOutside = false,
): TopologyRule {
  return { rule: kind, level: levelOf(level), members, maxSkew, allowOutside };
}

function levelOf(level: string): TopologyRule['level'] {
  if (level === 'TREE') return { kind: 'TREE' };
  return level.startsWith('CUSTOM')
    ? { kind: 'TRAIT', trait: level }
    : { kind: 'AGGREGATES', aggregates: [...level].map(aggregate) };
}

function place(
  fleet: Forest,
  members: CaseMember[],
  topology: TopologyRule[] = [],
  seed = 1,
): EngineWorkload {
  return engineWorkload(fleet, { members, topology }, { seed });
}

/** The providers of each consumer, by member. */
function drawnFrom(fleet: Forest, { placed }: EngineWorkload, at: number): string[] {
  return placed
    .filter((one) => one.member === at)
    .map(({ candidate }) => providersOf(fleet, candidate).join('+'))
    .sort();
}

const racks = forest(`
  H1 VGPU:4 @R @X
  H2 VGPU:2 @R @X
  H3 VGPU:4 @S @X
  H4 VGPU:4 @S @X
  H5 VGPU:3 @T @Y
  H6 VGPU:3 @U @Y
`);

describe('a gang of unlike members', () => {
  const devices = forest(`
    H1
      D1 VGPU:1 +CUSTOM_NEW
      D2 VGPU:1
    H2
      D3 VGPU:1 +CUSTOM_NEW
  `);
  const gang = [
    member('any', 1, 'resources_D=VGPU:1'),
    member('new', 2, 'resources_D=VGPU:1&required_D=CUSTOM_NEW'),
  ];

  test.each([1, 2, 3, 4, 5])('leaves the new devices to the member that needs them (seed %i)', (seed) => {
    const found = place(devices, gang, [], seed);
    expect(found.answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
    expect(drawnFrom(devices, found, 0)).toEqual(['D2']);
    expect(drawnFrom(devices, found, 1)).toEqual(['D1', 'D3']);
  });

  test('does not fit: the answer names the member and the largest part that fits', () => {
    const { answer } = place(devices, [gang[0], { ...gang[1], count: 3 }]);
    expect(answer).toMatchObject({
      kind: 'IMPOSSIBLE',
      requested: 4,
      fit: [1, 2],
      isLargest: true,
      cause: { member: 1, rule: null, shortage: { requested: 3, available: 2 } },
    });
  });

  test('does not fit together, though each member fits alone', () => {
    const { answer } = place(devices, [{ ...gang[0], count: 2 }, gang[1]]);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', requested: 4, isLargest: true });
    const { fit, cause } = answer as Extract<typeof answer, { kind: 'IMPOSSIBLE' }>;
    expect(fit[0] + fit[1]).toBe(3);
    expect(cause).toMatchObject({ member: null, rule: null, shortage: { requested: 4, available: 3 } });
  });
});

describe('alternatives', () => {
  const fleet = forest(`
    H1 VCPU:8 VGPU:1
    H2 VCPU:8
  `);
  const alternatives = ['resources=VCPU:2,VGPU:1', 'resources=VCPU:2'];

  test('the choice of the first member forces the second choice of the second', () => {
    const found = place(fleet, [member('a', 1, alternatives), member('b', 1, alternatives)]);
    expect(found.answer).toMatchObject({
      kind: 'FOUND',
      isOptimal: true,
      members: [
        { alternative: 0, rejected: [] },
        { alternative: 1, rejected: [{ alternative: 0, isProven: true }] },
      ],
    });
  });

  test('all consumers of a member use the same request', () => {
    const found = place(fleet, [member('a', 2, alternatives)]);
    expect(found.answer).toMatchObject({ members: [{ alternative: 1, rejected: [{ alternative: 0 }] }] });
  });

  test('an alternative that names only unknown traits is skipped', () => {
    const found = place(fleet, [
      member('a', 1, ['resources=VCPU:2&required=CUSTOM_UNKNOWN', 'resources=VCPU:2']),
    ]);
    expect(found.answer).toMatchObject({ kind: 'FOUND', isOptimal: true, members: [{ alternative: 1 }] });
  });
});

describe('topology', () => {
  test('SAME: all in the one rack that has space for all', () => {
    const found = place(racks, [member('a', 7, 'resources=VGPU:1')], [rule('SAME', 'RSTU', ['a'])]);
    expect(new Set(drawnFrom(racks, found, 0))).toEqual(new Set(['H3', 'H4']));
    const { answer } = place(racks, [member('a', 9, 'resources=VGPU:1')], [rule('SAME', 'RSTU', ['a'])]);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [8], cause: { member: null, rule: 0 } });
  });

  test('DIFFERENT: no two consumers of both members in one rack', () => {
    const members = [member('a', 2, 'resources=VGPU:3'), member('b', 2, 'resources=VGPU:1')];
    const found = place(racks, members, [rule('DIFFERENT', 'RSTU', ['a', 'b'])]);
    expect(found.answer.kind).toBe('FOUND');
    const more = [members[0], { ...members[1], count: 3 }];
    const { answer } = place(racks, more, [rule('DIFFERENT', 'RSTU', ['a', 'b'])]);
    expect(answer).toMatchObject({
      kind: 'IMPOSSIBLE',
      cause: { rule: 0, shortage: { requested: 5, available: 4 } },
      isLargest: true,
    });
  });

  test('a sharing provider is in no domain, even in its own tree', () => {
    const fleet = forest(`
      H1 VCPU:4
        S1 VCPU:4 sharing
    `);
    const two = [member('a', 2, 'resources=VCPU:4')];
    const found = place(fleet, two, [rule('DIFFERENT', 'TREE', ['a'], 1, true)]);
    expect(drawnFrom(fleet, found, 0)).toEqual(['H1', 'S1']);
    expect(found.answer).toMatchObject({ domains: [{ length: 1 }], outside: [1] });
    const { answer } = place(fleet, two, [rule('DIFFERENT', 'TREE', ['a'])]);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [1], cause: { rule: 0 } });
  });

  describe('consumers outside of the domains', () => {
    const fleet = forest(`
      H1 VCPU:4 @A
      H2 VCPU:4 @B
      H3 VCPU:8
      H4
        N1 VCPU:4 +CUSTOM_NODE
        N2 VCPU:4
    `);
    const placed = (kind: TopologyRule['rule'], level: string, count: number, allowOutside: boolean) =>
      place(fleet, [member('a', count, 'resources=VCPU:4')], [rule(kind, level, ['a'], 1, allowOutside)]);

    test.each([
      ['SAME', 'AB', 1, 5],
      ['SAME', 'CUSTOM_NODE', 1, 6],
      ['DIFFERENT', 'AB', 2, 6],
      ['DIFFERENT', 'CUSTOM_NODE', 1, 6],
      ['SPREAD', 'AB', 2, 6],
      ['SPREAD', 'CUSTOM_NODE', 1, 6],
      ['PACK', 'AB', 2, 6],
      ['PACK', 'CUSTOM_NODE', 1, 6],
    ] as const)(
      '%s over %s takes at most %i inside, and %i in all with allowOutside',
      (kind, level, inside, overall) => {
        for (const allowOutside of [false, true]) {
          const count = allowOutside ? overall : inside;
          const { answer } = placed(kind, level, count, allowOutside);
          expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
          const more = placed(kind, level, count + 1, allowOutside).answer;
          expect(more).toMatchObject({ kind: 'IMPOSSIBLE', fit: [count], isLargest: true });
        }
      },
    );

    test('PACK uses no domain if all can be outside', () => {
      expect(placed('PACK', 'AB', 4, true).answer).toMatchObject({ domains: [[]], outside: [4] });
      expect(placed('PACK', 'AB', 5, true).answer).toMatchObject({ domains: [{ length: 1 }], outside: [4] });
    });

    test('the answer states how many are outside of each rule', () => {
      const members = [member('a', 2, 'resources=VCPU:4')];
      const topology = [rule('SPREAD', 'AB', ['a']), rule('DIFFERENT', 'CUSTOM_NODE', ['a'], 1, true)];
      expect(place(fleet, members, topology).answer).toMatchObject({ outside: [0, 2] });
    });
  });

  describe('SAME and DIFFERENT at one level', () => {
    const fleet = forest(`
      H1 VCPU:2 @R
      H2 VCPU:1 @S
    `);
    const anyName = { hasClass: () => true, hasTrait: () => true, hasAggregate: () => true };
    /** SAME names a and b, DIFFERENT names `different`. */
    const verdict = (counts: number[], different: string[], level: string, outside = [false, false]) => {
      const members = counts.map((count, at) => member('abc'[at], count, 'resources=VCPU:1'));
      const topology = [
        rule('SAME', level, ['a', 'b'], 1, outside[0]),
        rule('DIFFERENT', level, different, 1, outside[1]),
      ];
      const valid = members.map((each) => ({ ...each, requests: [toRequest(each.requests[0], fleet)] }));
      try {
        validateWorkload({ members: valid, topology }, anyName);
      } catch (error) {
        return (error as Error).message;
      }
      return place(fleet, members, topology).answer.kind;
    };

    test('may share one consumer', () => {
      expect(verdict([1, 1, 1], ['a', 'c'], 'TREE')).toBe('FOUND');
      expect(verdict([1, 1, 1], ['a', 'c'], 'RS')).toBe('FOUND');
      expect(verdict([1, 1, 2], ['a', 'c'], 'TREE')).toBe('IMPOSSIBLE');
    });

    test('contradict each other for two consumers, unless both allow them outside', () => {
      expect(verdict([1, 1], ['a', 'b'], 'RS')).toContain('contradict');
      expect(verdict([2, 1], ['a'], 'TREE')).toContain('contradict');
      expect(verdict([1, 1], ['a', 'b'], 'RS', [true, false])).toContain('contradict');
      expect(verdict([1, 1], ['a', 'b'], 'R', [true, true])).toBe('FOUND');
    });
  });

  test('SPREAD: the zones differ by at most the skew', () => {
    const spread = (count: number, skew: number): EngineWorkload =>
      place(racks, [member('a', count, 'resources=VGPU:1')], [rule('SPREAD', 'XY', ['a'], skew)]);
    const inY = drawnFrom(racks, spread(9, 1), 0).filter((name) => ['H5', 'H6'].includes(name));
    expect([4, 5]).toContain(inY.length);
    expect(spread(13, 1).answer.kind).toBe('FOUND');
    expect(spread(14, 1).answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [13], cause: { rule: 0 } });
    expect(spread(14, 2).answer.kind).toBe('FOUND');
  });

  test('SPREAD counts full domains, but not those that could never serve', () => {
    const fleet = forest(`
      H1 VGPU:4 @A
      H2 VGPU:4(used=4) @B
      H3 VCPU:4 @C
    `);
    const one = place(fleet, [member('a', 1, 'resources=VGPU:1')], [rule('SPREAD', 'ABC', ['a'])]);
    expect(one.answer.kind).toBe('FOUND');
    const two = place(fleet, [member('a', 2, 'resources=VGPU:1')], [rule('SPREAD', 'ABC', ['a'])]);
    expect(two.answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [1], cause: { rule: 0 } });
  });

  test('PACK: the fewest racks, proven', () => {
    const packed = (count: number): EngineWorkload =>
      place(racks, [member('a', count, 'resources=VGPU:1')], [rule('PACK', 'RSTU', ['a'])]);
    expect(packed(8).answer).toMatchObject({ kind: 'FOUND', isOptimal: true, domains: [{ length: 1 }] });
    expect(packed(14).answer).toMatchObject({ kind: 'FOUND', isOptimal: true, domains: [{ length: 2 }] });
    expect(packed(15).answer).toMatchObject({ kind: 'FOUND', isOptimal: true, domains: [{ length: 3 }] });
  });

  test('nested levels: the same zone, different racks', () => {
    const topology = [rule('SAME', 'XY', ['a']), rule('DIFFERENT', 'RSTU', ['a'])];
    const found = place(racks, [member('a', 2, 'resources=VGPU:3')], topology);
    expect(found.answer).toMatchObject({ kind: 'FOUND', domains: [{ length: 1 }, { length: 2 }] });
    const { answer } = place(racks, [member('a', 3, 'resources=VGPU:1')], topology);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [2], isLargest: true });
  });

  test('a level of providers with a trait: devices below one switch', () => {
    const fleet = forest(`
      H1
        S1 +CUSTOM_SWITCH
          D1 VGPU:1
          D2 VGPU:1
        S2 +CUSTOM_SWITCH
          D3 VGPU:1
          D4 VGPU:1
          D5 VGPU:1
    `);
    const same = [rule('SAME', 'CUSTOM_SWITCH', ['a'])];
    const found = place(fleet, [member('a', 3, 'resources=VGPU:1')], same);
    expect(drawnFrom(fleet, found, 0)).toEqual(['D3', 'D4', 'D5']);
    const { answer } = place(fleet, [member('a', 4, 'resources=VGPU:1')], same);
    expect(answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [3], isLargest: true });
    const different = place(
      fleet,
      [member('a', 2, 'resources=VGPU:1')],
      [rule('DIFFERENT', 'CUSTOM_SWITCH', ['a'])],
    );
    expect(different.answer).toMatchObject({ kind: 'FOUND', domains: [{ length: 2 }] });
  });
});

test('a search that runs out of work keeps the order of the first placement if it finds no better one', () => {
  const fleet = forest(Array.from({ length: 100 }, (_, at) => `H${at} VCPU:32`).join('\n'));
  const packed = 'resources=VCPU:1&order_by=VCPU:pack';
  const members = [member('a', 10, packed), member('b', 10, packed)];
  const found = engineWorkload(fleet, { members, topology: [] }, { seed: 1, workPerGoal: 20_000 });
  expect(found.answer).toMatchObject({ kind: 'FOUND', isOptimal: false });
  expect(new Set([...drawnFrom(fleet, found, 0), ...drawnFrom(fleet, found, 1)]).size).toBe(1);
});

test('a search that runs out of work does not report that the workload is impossible', () => {
  const text = Array.from({ length: 8 }, (_, at) => `H${at} VGPU:${5 + (at % 3)} VCPU:${6 + (at % 4)}`);
  const fleet = forest(text.join('\n'));
  const members = [member('a', 9, 'resources=VGPU:3,VCPU:2'), member('b', 8, 'resources=VGPU:2,VCPU:3')];
  const { answer } = engineWorkload(fleet, { members, topology: [] }, { seed: 1, workPerGoal: 200 });
  expect(answer).toEqual({ kind: 'UNDECIDED' });
});
