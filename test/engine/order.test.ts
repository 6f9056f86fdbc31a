import { describe, expect, test } from '@jest/globals';
import { naiveAnswer } from '../oracle/naive.js';
import { scorer, sortScores } from '../oracle/score.js';
import { candidateKeys, providersOf } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { engineAnswer } from '../support/engine.js';
import { forest, type Forest } from '../support/forest.js';

/** What the candidates draw from, best first, as the engine gives them; and that the naive engine agrees on their scores. */
function inOrder(from: Forest, asked: string, limit?: number): { drawn: string[]; scores: number[][] } {
  const request = query(asked);
  const { candidates } = engineAnswer(from, request, { limit });
  const right = naiveAnswer(from, request).candidates;
  const scores = candidates.map(scorer(from, request));
  expect(scores).toEqual(sortScores(right.map(scorer(from, request)), request).slice(0, limit));
  if (limit === undefined) expect(candidateKeys(candidates)).toEqual(candidateKeys(right));
  const drawn = candidates.map((candidate) => providersOf(from, candidate).join('+'));
  return { drawn, scores };
}

const hosts = forest(`
  A VCPU:8(used=1)  DISK_GB:100(used=90)
  B VCPU:4          DISK_GB:100
  C VCPU:16(used=14) DISK_GB:200(used=20)
  D VCPU:16(used=2) DISK_GB:100(used=50)
  E VCPU:2(used=2)  DISK_GB:100
`);

describe('one class', () => {
  test('SPREAD: what leaves the largest share free comes first, whatever the amount', () => {
    expect(inOrder(hosts, 'resources=VCPU:2&order_by=VCPU:spread')).toEqual({
      drawn: ['D', 'A', 'B', 'C'],
      scores: [[12 / 16], [5 / 8], [2 / 4], [0]],
    });
  });

  test('PACK: what leaves the smallest share free comes first; who has no room is no candidate', () => {
    expect(inOrder(hosts, 'resources=VCPU:2&order_by=VCPU:pack', 2)).toEqual({
      drawn: ['C', 'B'],
      scores: [[0], [2 / 4]],
    });
  });

  test('the claim counts: before it B was free as a whole', () => {
    expect(inOrder(hosts, 'resources=VCPU:4&order_by=VCPU:spread').drawn).toEqual(['D', 'A', 'B']);
    expect(inOrder(hosts, 'resources=DISK_GB:1&order_by=DISK_GB:spread', 2).scores).toEqual([[0.99], [0.99]]);
  });

  test('capacity counts what is reserved and over-committed', () => {
    const from = forest('A VCPU:8(reserved=4)\nB VCPU:4(ratio=4.0)\nC VCPU:6');
    expect(inOrder(from, 'resources=VCPU:2&order_by=VCPU:spread')).toEqual({
      drawn: ['B', 'C', 'A'],
      scores: [[14 / 16], [4 / 6], [2 / 4]],
    });
  });
});

describe('several classes', () => {
  const twins = forest(`
    A VCPU:4 DISK_GB:100(used=50)
    B VCPU:4 DISK_GB:100(used=10)
    C VCPU:4(used=1) DISK_GB:100
  `);

  test.each([
    ['VCPU:spread,DISK_GB:spread', ['B', 'A', 'C']],
    ['VCPU:spread,DISK_GB:pack', ['A', 'B', 'C']],
    ['VCPU:pack,DISK_GB:spread', ['C', 'B', 'A']],
    ['DISK_GB:pack,VCPU:spread', ['A', 'B', 'C']],
  ])('%s: the first that differs decides', (order, drawn) => {
    expect(inOrder(twins, `resources=VCPU:1,DISK_GB:10&order_by=${order}`).drawn).toEqual(drawn);
  });
});

describe('several providers of a class', () => {
  const host = forest('HOST\n  N0 VCPU:8(used=4)\n  N1 VCPU:8\n  N2 VCPU:4');

  test('are taken together: one that two groups draw on counts once', () => {
    const { drawn, scores } = inOrder(host, 'resources1=VCPU:2&resources2=VCPU:2&order_by=VCPU:spread');
    expect(drawn.slice(0, 3)).toEqual(['N1+N2', 'N1+N2', 'N1']);
    expect(scores.slice(0, 3)).toEqual([[8 / 12], [8 / 12], [4 / 8]]);
  });

  test('parts of a split amount, too', () => {
    expect(inOrder(host, 'resources=VCPU:9&can_split=VCPU&order_by=VCPU:pack')).toEqual({
      drawn: ['N0+N1', 'N1+N2'],
      scores: [[3 / 16], [3 / 12]],
    });
  });
});

test('sharing providers are judged by their own share', () => {
  const from = forest(`
    SS1 DISK_GB:1000(used=100) @R1 sharing
    SS2 DISK_GB:1000(used=800) @R2 sharing
    CN1 VCPU:4 DISK_GB:100(used=50) @R1
    CN2 VCPU:4 DISK_GB:100 @R2
    CN3 VCPU:4 @R1 @R2
  `);
  const order = (strategy: string): string =>
    inOrder(from, `resources=VCPU:1,DISK_GB:20&order_by=DISK_GB:${strategy}`)
      .drawn.map((one) => one.replace(/CN\d\+/, ''))
      .join(' ');
  expect(order('spread')).toBe('SS1 SS1 CN2 CN1 SS2 SS2');
  expect(order('pack')).toBe('SS2 SS2 CN1 CN2 SS1 SS1');
});

describe('equal candidates', () => {
  const equal = forest(Array.from({ length: 300 }, (_, at) => `CN${at} VCPU:8`).join('\n'));
  const first = (seed: number, limit: number): string[] =>
    engineAnswer(equal, query('resources=VCPU:1&order_by=VCPU:spread'), { seed, limit }).candidates.flatMap(
      ({ allocations }) => Object.keys(allocations),
    );

  test('come in the order of the seed, a shorter list being the head of a longer one', () => {
    expect(first(1, 20)).toEqual(first(1, 20));
    expect(first(1, 20)).not.toEqual(first(2, 20));
    expect(first(1, 300).slice(0, 20)).toEqual(first(1, 20));
    expect(new Set(first(1, 300)).size).toBe(300);
  });

  test('favour no host: over many seeds many of them come first', () => {
    const winners = new Set(Array.from({ length: 100 }, (_, seed) => first(seed, 1)[0]));
    expect(winners.size).toBeGreaterThan(60);
  });

  test('keep their order when one comes from a tree that promised more than it has', () => {
    const from = forest(`
      A
        A_0 VCPU:8
        A_1 VCPU:8(used=4)
          A_PF SRIOV_NET_VF:4
      B
        B_0 VCPU:8(used=4)
          B_PF SRIOV_NET_VF:4
    `);
    const asked = 'resources1=VCPU:1&resources2=SRIOV_NET_VF:1&same_subtree=1,2&order_by=VCPU:spread';
    const winners = Array.from({ length: 40 }, (_, seed) => {
      const [best] = engineAnswer(from, query(asked), { seed, limit: 1 }).candidates;
      expect(best).toEqual(engineAnswer(from, query(asked), { seed }).candidates[0]);
      return best.mappings['2'][0];
    });
    expect(new Set(winners).size).toBe(2);
  });
});
