import { expect, test } from '@jest/globals';
import { Effort } from '../../src/engine/model/effort.js';
import { treeIndexOf, type ProviderRef } from '../../src/engine/model/snapshot.js';
import type { RebalanceGoal, RebalanceProblem } from '../../src/engine/rebalance/problem.js';
import { rebalance } from '../../src/engine/rebalance/rebalance.js';
import { toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest, uuidOf } from '../support/forest.js';

interface Case {
  /** The fleet without the consumers. */
  readonly picture: string;
  readonly goal: RebalanceGoal;
  /** By consumer: its host and its VCPU. */
  readonly consumers: Readonly<Record<string, readonly [host: string, amount: number]>>;
  readonly maxMoves?: number;
}

/** Returns the moves as `consumer: from > to`, and whether they are proven best. */
function solve({ picture, goal, consumers, maxMoves = 500 }: Case): { moves: string[]; isOptimal: boolean } {
  const drawn = forest(picture);
  const names = Object.keys(consumers);
  for (const [name, [provider, used]] of Object.entries(consumers))
    drawn.allocations.push({ consumer: uuidOf('consumer', name), provider, resourceClass: 'VCPU', used });
  const snapshot = snapshotOf(drawn);
  const resourceClass = snapshot.classes.idOf('VCPU')!;
  const at = (name: string): ProviderRef => snapshot.locate(uuidOf('provider', name))!;
  const problem: RebalanceProblem = {
    snapshot,
    goal,
    hosts: Array.from({ length: snapshot.treeCount }, (_, tree) => tree),
    classes: null,
    consumers: Object.entries(consumers).map(([name, [host, amount]]) => ({
      uuid: uuidOf('consumer', name),
      canMove: true,
      isStated: false,
      allocations: [
        {
          provider: { ...at(host), treeIndex: treeIndexOf(at(host)) },
          resources: [{ resourceClass, amount }],
        },
      ],
    })),
    requestOf: (consumer) =>
      toRequest({ groups: [{ suffix: '_1', resources: { VCPU: consumers[names[consumer]][1] } }] }, drawn),
    maxMoves,
    seed: 0,
    isOver: () => false,
  };
  const steps = rebalance(problem, new Effort());
  let step = steps.next();
  while (!step.done) step = steps.next();
  const nameOf = ({ block, row }: ProviderRef): string => block.names[row];
  const { moves, isOptimal } = step.value;
  return {
    moves: moves.map(
      ({ consumer, from, to }) =>
        `${names[consumer]}: ${nameOf(from[0].provider)} > ${nameOf(to[0].provider)}`,
    ),
    isOptimal,
  };
}

test('two consumers swap their hosts through a spare host', () => {
  const answer = solve({
    picture: `
      small  VCPU:7
      large  VCPU:10
      spare  VCPU:8(used=4)
    `,
    goal: 'EVEN_OUT',
    consumers: { seven: ['small', 7], four: ['large', 4] },
  });
  expect(answer).toEqual({
    moves: ['four: large > spare', 'seven: small > large', 'four: spare > small'],
    isOptimal: true,
  });
});

test('without enough moves for a swap nothing is worth moving', () => {
  const swap = {
    picture: `
      small  VCPU:7
      large  VCPU:10
      spare  VCPU:8(used=4)
    `,
    goal: 'EVEN_OUT' as const,
    consumers: { seven: ['small', 7], four: ['large', 4] } as const,
  };
  expect(solve({ ...swap, maxMoves: 2 })).toEqual({ moves: [], isOptimal: true });
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

test('a larger fleet: the fullest hosts lose consumers until all are as even as possible', () => {
  const { moves } = solve({
    picture: FLEET,
    goal: 'EVEN_OUT',
    consumers: many({ h1: 12, h2: 2, h3: 6, h4: 4 }),
  });
  expect(moves).toHaveLength(6);
  expect(moves.every((move) => /: h1 > h[24]$/.test(move))).toBe(true);
});

test('a larger fleet: a repair with as few moves as any is proven best', () => {
  const picture = FLEET.replace('h1  VCPU:16', 'h1  VCPU:10');
  const consumers = many({ h1: 12, h2: 10 });
  const { moves, isOptimal } = solve({ picture, goal: 'FIX', consumers });
  expect(moves).toHaveLength(2);
  expect(isOptimal).toBe(true);
});

test('a larger fleet: the fullest host swaps consumers through a spare host', () => {
  const answer = solve({
    picture: `
      small  VCPU:7
      large  VCPU:10
      spare  VCPU:8(used=4)
      h1     VCPU:6
      h2     VCPU:6
      h3     VCPU:6
      h4     VCPU:6
    `,
    goal: 'EVEN_OUT',
    consumers: { seven: ['small', 7], four: ['large', 4], ...many({ h1: 4, h2: 4, h3: 4, h4: 4 }) },
  });
  expect(answer.moves).toEqual(['four: large > spare', 'seven: small > large', 'four: spare > small']);
});
