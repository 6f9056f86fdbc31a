import { describe, expect, test } from '@jest/globals';
import type { ProviderRef } from '../../src/fleet/snapshot.js';
import type { RebalanceGoal } from '../../src/moves/rebalance/problem.js';
import { forest, uuidOf } from '../support/forest.js';
import { rebalanced } from './rebalanced.js';

type Resources = Readonly<Record<string, number>>;

interface Stated {
  readonly away?: readonly string[];
  readonly near?: readonly string[];
  readonly trait?: string;
}

interface Case {
  /** The fleet without the consumers. */
  readonly picture: string;
  readonly goal: RebalanceGoal;
  /** By consumer: its provider, and its VCPU or its resources. */
  readonly consumers: Readonly<Record<string, readonly [provider: string, of: number | Resources]>>;
  /** By consumer: the consumers that its request names, and a trait that it requires. */
  readonly stated?: Readonly<Record<string, Stated>>;
  readonly maxMoves?: number;
  readonly isOver?: () => boolean;
  readonly isStated?: boolean;
}

/** Returns the moves as `consumer: from > to`, and whether they are proven best. */
function solve({
  picture,
  goal,
  consumers: given,
  stated = {},
  isStated = false,
  maxMoves = 500,
  isOver,
}: Case): {
  moves: string[];
  isOptimal: boolean;
} {
  const drawn = forest(picture);
  const consumers = Object.entries(given).map(([name, [provider, of]]) => {
    const resources = typeof of === 'number' ? { VCPU: of } : of;
    const uuid = uuidOf('consumer', name);
    for (const [resourceClass, used] of Object.entries(resources))
      drawn.allocations.push({ consumer: uuid, provider, resourceClass, used });
    const own = stated[name];
    const uuids = (names: readonly string[] = []): string[] => names.map((one) => uuidOf('consumer', one));
    const rest = { groups: [{ suffix: '_1', resources: { ...resources } }] };
    const required = own?.trait === undefined ? [] : [[own.trait]];
    return {
      ...{ name, uuid, isStated: isStated || own !== undefined, canMove: true, rest },
      request: {
        groups: [{ ...rest.groups[0], required }],
        awayFromConsumers: uuids(own?.away),
        nearConsumers: uuids(own?.near),
      },
      allocations: { [uuidOf('provider', provider)]: resources },
    };
  });
  const hosts = drawn.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  const problem = { forest: drawn, goal, hosts, classes: null, consumers, maxMoves };
  const { moves, isOptimal } = rebalanced({ ...problem, ...(isOver && { isOver }) }).result;
  const nameOf = ({ block, row }: ProviderRef): string => block.names[row];
  return {
    moves: moves.map(
      ({ consumer, from, to }) =>
        `${consumers[consumer].name}: ${nameOf(from[0].provider)} > ${nameOf(to[0].provider)}`,
    ),
    isOptimal,
  };
}

const SWAP: Case = {
  picture: `
    small  VCPU:7
    large  VCPU:10
    spare  VCPU:8(used=4)
  `,
  goal: 'EVEN_OUT',
  consumers: { seven: ['small', 7], four: ['large', 4] },
};
const SWAPPED = ['four: large > spare', 'seven: small > large', 'four: spare > small'];

test('two consumers swap their hosts through a spare host, unless there are too few moves', () => {
  expect(solve(SWAP)).toEqual({ moves: SWAPPED, isOptimal: true });
  expect(solve({ ...SWAP, maxMoves: 2 })).toEqual({ moves: [], isOptimal: true });
});

test('a search that ends early returns the best moves so far, not proven best', () => {
  let checks = 0;
  const answer = solve({
    picture: `
      h1  VCPU:8
      h2  VCPU:8
      h3  VCPU:8
    `,
    goal: 'EVEN_OUT',
    consumers: { a: ['h1', 2], b: ['h1', 2], c: ['h1', 2] },
    isOver: () => ++checks > 1,
  });
  expect(answer.moves).toHaveLength(1);
  expect(answer.isOptimal).toBe(false);
});

const DEPLOYED: Case['consumers'] = { a: ['n1', { NODE: 1 }], b: ['n2', { NODE: 1 }] };

test('an inventory that is reserved whole is no fault up to its total, and no reason to move', () => {
  const picture = `
    n1  NODE:1(reserved=1)
    n2  NODE:1(reserved=1)
    n3  NODE:1
    n4  NODE:1
  `;
  const none = { moves: [], isOptimal: true };
  expect(solve({ picture, goal: 'FIX', consumers: DEPLOYED })).toEqual(none);
  expect(solve({ picture, goal: 'FIX', consumers: DEPLOYED, isStated: true })).toEqual(none);
  expect(solve({ picture, goal: 'EVEN_OUT', consumers: DEPLOYED })).toEqual(none);
});

test('usage above the total of an inventory that is reserved whole is a fault', () => {
  const picture = `
    n1  NODE:2(reserved=2,used=1)
    n2  NODE:4(reserved=3)
    n3  NODE:1(reserved=1)
  `;
  const consumers: Case['consumers'] = { a: ['n1', { NODE: 1 }], b: ['n1', { NODE: 1 }] };
  expect(solve({ picture, goal: 'FIX', consumers })).toEqual({ moves: ['a: n1 > n2'], isOptimal: true });
});

/** More consumers than are enumerated: `n` of one VCPU on each host. */
function many(hosts: Readonly<Record<string, number>>): Case['consumers'] {
  return Object.fromEntries(
    Object.entries(hosts).flatMap(([host, count]) =>
      Array.from({ length: count }, (_, at) => [`${host}-${at}`, [host, 1] as const]),
    ),
  );
}

const FLEET = `
  h1  VCPU:16
  h2  VCPU:16
  h3  VCPU:16
  h4  VCPU:16
`;

test('a larger fleet: the hosts with the fewest consumers are emptied onto the fullest host', () => {
  const { moves } = solve({
    picture: FLEET,
    goal: 'FREE_HOSTS',
    consumers: many({ h1: 3, h2: 10, h3: 2, h4: 9 }),
  });
  expect(moves).toEqual([
    ...['h3-0: h3 > h2', 'h3-1: h3 > h2'],
    ...['h1-0: h1 > h2', 'h1-1: h1 > h2', 'h1-2: h1 > h2'],
  ]);
});

test('a larger fleet: a consumer that fits nowhere takes the place of a smaller one, which moves to a third host', () => {
  const answer = (maxMoves: number) =>
    solve({
      picture: `
        old    VCPU:5
        room   VCPU:8
        third  VCPU:16
      `,
      goal: 'FREE_HOSTS',
      consumers: {
        large: ['old', 5],
        small: ['room', 2],
        middle: ['room', 3],
        ...many({ third: 14 }),
      },
      maxMoves,
    });
  expect(answer(2).moves).toEqual(['small: room > third', 'large: old > room']);
  expect(answer(1).moves).toEqual([]);
});

/** As many full hosts as are searched at a time. No consumer can leave them. */
const FULL = Array.from({ length: 63 }, (_, at) => `full${at}  VCPU:1(used=1)`).join('\n');

const units = (name: string, host: string, count: number): Case['consumers'] =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, [host, 1] as const]));

test('a larger fleet: a host that could not be emptied leaves its targets to the next host', () => {
  const { moves } = solve({
    picture: `
${FULL}
target  VCPU:2 CUSTOM_X:1 CUSTOM_Y:1(used=1)
a       VCPU:3
b       VCPU:2 CUSTOM_X:1
`,
    goal: 'FREE_HOSTS',
    consumers: { ...units('a', 'a', 3), ...units('b', 'b', 2), x: ['b', { CUSTOM_X: 1 }] },
  });
  expect(moves.sort()).toEqual(['b0: b > target', 'b1: b > target', 'x: b > target']);
});

test('a larger fleet: a host that could not be emptied takes the consumers of another host', () => {
  const nine = (name: string, host: string, resourceClass: string): Case['consumers'] =>
    Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`${name}${at}`, [host, { [resourceClass]: 1 }] as const]),
    );
  const { moves } = solve({
    picture: `
stays   VCPU:2 CUSTOM_X:9
${FULL}
a       VCPU:1 CUSTOM_Z:9
target  CUSTOM_Z:10(used=1)
`,
    goal: 'FREE_HOSTS',
    consumers: {
      ...units('s', 'stays', 1),
      ...nine('x', 'stays', 'CUSTOM_X'),
      ...units('a', 'a', 1),
      ...nine('z', 'a', 'CUSTOM_Z'),
    },
  });
  expect(moves).toContain('a0: a > stays');
  expect(moves).toHaveLength(10);
});

test('a larger fleet: the fullest hosts lose consumers until all are as even as possible', () => {
  const { moves } = solve({
    picture: FLEET,
    goal: 'EVEN_OUT',
    consumers: many({ h1: 12, h2: 2, h3: 6, h4: 4 }),
  });
  expect(moves).toHaveLength(6);
  expect(moves.every((move) => /: h1 > h[24]$/.test(move))).toBe(true);
});

test('a larger fleet: consumers of a sharing provider, which does not count, do not move', () => {
  const { moves } = solve({
    picture: `
      h1      VCPU:16
        disk  VCPU:5 sharing
      h2      VCPU:16
      h3      VCPU:16
    `,
    goal: 'EVEN_OUT',
    consumers: { ...many({ h1: 13, h2: 0, h3: 5 }), shared: ['disk', 5] },
  });
  expect(moves).toHaveLength(7);
  expect(moves.every((move) => /: h1 > h[23]$/.test(move))).toBe(true);
});

test('a larger fleet: a repair with as few moves as any is proven best', () => {
  const picture = FLEET.replace('h1  VCPU:16', 'h1  VCPU:10');
  const consumers = many({ h1: 12, h2: 10 });
  const { moves, isOptimal } = solve({ picture, goal: 'FIX', consumers });
  expect(moves).toHaveLength(2);
  expect(isOptimal).toBe(true);
});

test('a larger fleet: the fullest host swaps consumers through a spare host', () => {
  const others = ['h1', 'h2', 'h3', 'h4'].map((host) => `${host} VCPU:6`);
  const { moves } = solve({
    picture: `${SWAP.picture.replaceAll(/^ +/gm, '')}${others.join('\n')}`,
    goal: 'EVEN_OUT',
    consumers: { ...SWAP.consumers, ...many({ h1: 4, h2: 4, h3: 4, h4: 4 }) },
  });
  expect(moves).toEqual(SWAPPED);
});

describe('relations between consumers', () => {
  const APART = { a: { away: ['b', 'c'] }, b: { away: ['a', 'c'] }, c: { away: ['a', 'b'] } };
  const together = (host: string): Case['consumers'] => ({ a: [host, 1], b: [host, 1], c: [host, 1] });
  const HOSTS = 'p0 VCPU:8\np1 VCPU:8\np2 VCPU:8';

  test('three consumers that must be apart leave their host in successive moves', () => {
    const answer = solve({ picture: HOSTS, goal: 'FIX', consumers: together('p0'), stated: APART });
    expect(answer).toEqual({ moves: ['a: p0 > p1', 'b: p0 > p2'], isOptimal: true });
  });

  test('a larger fleet: so do three of many, with no move more', () => {
    const consumers = { ...together('p0'), ...many({ p1: 2, p2: 2, p0: 12 }) };
    const picture = HOSTS.replaceAll(':8', ':16');
    const { moves } = solve({ picture, goal: 'FIX', consumers, stated: APART });
    expect(moves).toHaveLength(2);
  });

  test('a relation that is broken already does not keep a consumer from an emptier host', () => {
    const answer = solve({ picture: HOSTS, goal: 'EVEN_OUT', consumers: together('p0'), stated: APART });
    expect(answer).toEqual({ moves: ['a: p0 > p1', 'b: p0 > p2'], isOptimal: true });
  });

  test('a larger fleet: two that must be apart are separated by one move', () => {
    const consumers = { ...together('p0'), ...many({ p1: 2, p2: 2, p0: 12 }) };
    const stated = { a: { away: ['b'] }, b: { away: ['a'] } };
    const picture = HOSTS.replaceAll(':8', ':16');
    expect(solve({ picture, goal: 'FIX', consumers, stated }).moves).toHaveLength(1);
  });

  test('consumers that must stay near each other move one directly after the other, in any fleet', () => {
    const stated = { a: { near: ['b'] }, b: { near: ['a'] } };
    const consumers: Case['consumers'] = { a: ['p0', 1], b: ['p0', 1] };
    const small = solve({ picture: 'p0 VCPU:8\np1 VCPU:4(used=2)', goal: 'FREE_HOSTS', consumers, stated });
    expect(small).toEqual({ moves: ['a: p0 > p1', 'b: p0 > p1'], isOptimal: true });
    const picture = 'p0 VCPU:8\np1 VCPU:30';
    const more = { ...consumers, ...many({ p1: 20 }) };
    expect(solve({ picture, goal: 'FREE_HOSTS', consumers: more, stated }).moves).toEqual(small.moves);
  });

  test.each(['', 'full VCPU:20'])('no move of a group breaks AWAY, also not for a while: %p', (more) => {
    const { moves } = solve({
      picture: `h0 VCPU:4 +CUSTOM_OLD\nh1 VCPU:4 +CUSTOM_FAST\n${more}`,
      goal: 'FIX',
      consumers: { A: ['h0', 2], B: ['h1', 2], D: ['h0', 1], ...(more !== '' && many({ full: 20 })) },
      stated: { A: { trait: 'CUSTOM_FAST', away: ['B'] }, B: { away: ['D'] }, D: { near: ['B', 'A'] } },
    });
    const at: Record<string, string> = { A: 'h0', B: 'h1', D: 'h0' };
    for (const move of moves) {
      const [, consumer, to] = /^(.+): .+ > (.+)$/.exec(move)!;
      at[consumer] = to;
      expect(at.A).not.toBe(at.B);
      expect(at.B).not.toBe(at.D);
    }
  });

  test('consumers that must stay near each other do not move if only one fits', () => {
    const stated = { a: { near: ['b'] } };
    const consumers: Case['consumers'] = { a: ['p0', 1], b: ['p0', 1] };
    const picture = 'p0 VCPU:8\np1 VCPU:3(used=2)';
    expect(solve({ picture, goal: 'FREE_HOSTS', consumers, stated })).toEqual({ moves: [], isOptimal: true });
  });
});

test.each(['', 'others VCPU:20'])(
  'two wrong consumers on full hosts swap through a host that their requests exclude',
  (others) => {
    const { moves } = solve({
      picture: `fast VCPU:4 +CUSTOM_FAST\nslow VCPU:4 +CUSTOM_SLOW\nspare VCPU:4\n${others}`,
      goal: 'FIX',
      consumers: { a: ['slow', 4], b: ['fast', 4], ...(others !== '' && many({ others: 17 })) },
      stated: { a: { trait: 'CUSTOM_FAST' }, b: { trait: 'CUSTOM_SLOW' } },
    });
    expect(moves).toHaveLength(3);
    expect(moves).toContainEqual(expect.stringContaining('> spare'));
  },
);
