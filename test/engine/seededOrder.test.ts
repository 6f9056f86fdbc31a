import { describe, expect, test } from '@jest/globals';
import { candidateLines } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

describe('D10: a seeded order, one candidate per tree in turn', () => {
  const hosts = Array.from({ length: 6 }, (_, index) => `cn${index}`);
  const fleet = forest(hosts.map((host) => `${host}\n  ${host}a VCPU:8\n  ${host}b VCPU:8`).join('\n'));
  const snapshot = snapshotOf(fleet);
  const inOrder = (options: { seed: number; limit?: number }): string[] =>
    engineAnswer(fleet, query('resources=VCPU:1'), { snapshot, ...options }).candidates.map((candidate) =>
      candidateLines({ candidates: [candidate], summaries: {} }, fleet)[0].slice(0, 4),
    );
  const seeds = Array.from({ length: 60 }, (_, seed) => seed);

  test('a limit up to the number of fitting trees takes each tree once at most', () => {
    for (const seed of seeds) {
      for (let limit = 1; limit <= hosts.length; limit++) {
        const trees = inOrder({ seed, limit }).map((name) => name.slice(0, 3));
        expect(trees).toHaveLength(limit);
        expect(new Set(trees).size).toBe(limit);
      }
    }
  });

  test('the second round starts when every tree had its turn', () => {
    const trees = inOrder({ seed: 5, limit: 9 }).map((name) => name.slice(0, 3));
    expect(new Set(trees.slice(0, 6)).size).toBe(6);
    expect(new Set(trees.slice(6)).size).toBe(3);
  });

  test('a limited list is the head of the whole list', () => {
    const all = inOrder({ seed: 5 });
    expect(all).toHaveLength(12);
    expect(inOrder({ seed: 5, limit: 9 })).toEqual(all.slice(0, 9));
  });

  test('each tree comes first under some seed: the oldest hosts are not favoured', () => {
    const first = seeds.map((seed) => inOrder({ seed, limit: 1 })[0].slice(0, 3));
    expect(new Set(first).size).toBe(hosts.length);
  });

  test('the same seed gives the same order, another one another', () => {
    expect(inOrder({ seed: 7 })).toEqual(inOrder({ seed: 7 }));
    expect(new Set(seeds.map((seed) => inOrder({ seed }).join())).size).toBeGreaterThan(30);
  });
});
