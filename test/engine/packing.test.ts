import { expect, describe, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import type { PlacementPolicy } from '../../src/moves/workload/workload.js';
import { PairArbitrary } from '../oracle/pairArbitrary.js';
import { naiveAnswer } from '../oracle/naive.js';
import { canPack, treeOf, wrongOne } from '../oracle/packing.js';
import { providersOf, type Candidate } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { enginePacking } from '../support/engine.js';
import { forest, SHARING, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

function packed(
  picture: string | Forest,
  text: string,
  count: number,
  placement: PlacementPolicy,
): Candidate[] | null {
  const fleet = typeof picture === 'string' ? forest(picture) : picture;
  return enginePacking(fleet, query(text), { count, placement, seed: 7 });
}

/** The names of the providers that the consumers draw on, sorted. */
function drawnFrom(candidates: Candidate[] | null, fleet: Forest): string[] | null {
  return candidates?.flatMap((candidate) => providersOf(fleet, candidate)).sort() ?? null;
}

const hosts = forest(`
  H1
    N1 VCPU:4
    N2 VCPU:4
  H2
    N3 VCPU:4
  H3
    N4 VCPU:1
`);

describe('the trees of the consumers of a claim', () => {
  test('policy ANY places as many consumers as fit', () => {
    expect(drawnFrom(packed(hosts, 'resources=VCPU:4', 3, 'ANY'), hosts)).toEqual(['N1', 'N2', 'N3']);
    expect(packed(hosts, 'resources=VCPU:4', 4, 'ANY')).toBeNull();
  });

  test('in one tree: the one that has room for all', () => {
    expect(drawnFrom(packed(hosts, 'resources=VCPU:4', 2, 'SAME_TREE'), hosts)).toEqual(['N1', 'N2']);
    expect(packed(hosts, 'resources=VCPU:4', 3, 'SAME_TREE')).toBeNull();
  });

  test('in distinct trees: one each', () => {
    const two = drawnFrom(packed(hosts, 'resources=VCPU:4', 2, 'DISTINCT_TREES'), hosts)!;
    expect(two).toContain('N3');
    expect(packed(hosts, 'resources=VCPU:4', 3, 'DISTINCT_TREES')).toBeNull();
    expect(packed(hosts, 'resources=VCPU:1', 3, 'DISTINCT_TREES')).toHaveLength(3);
  });

  test('a choice that leaves the others no room is taken back: one needs the disk that all share', () => {
    const shared = forest(`
      H1 VCPU:1 DISK_GB:10 @A
      H2 VCPU:1 @A
      SS DISK_GB:10 @A sharing
    `);
    for (const placement of ['ANY', 'DISTINCT_TREES'] as const) {
      for (let seed = 1; seed <= 20; seed++) {
        const options = { count: 2, placement, seed };
        const found = enginePacking(shared, query('resources=VCPU:1,DISK_GB:10'), options);
        expect(drawnFrom(found, shared)).toEqual(['H1', 'H2', 'SS']);
      }
    }
  });

  test('amounts of two groups that fit on a provider together or not at all', () => {
    // a pair takes 3 and 2: either both of a host or one of each, and only the first leaves room for two pairs
    const pairs = forest(`
      H
        N1 VCPU:5
        N2 VCPU:5
        N3 VCPU:5
    `);
    const three = packed(pairs, 'resources_A=VCPU:3&resources_B=VCPU:2', 3, 'SAME_TREE');
    expect(three).toHaveLength(3);
    expect(packed(pairs, 'resources_A=VCPU:3&resources_B=VCPU:2', 4, 'ANY')).toBeNull();
  });

  test('the node limit ends the search for a way', () => {
    const many = forest(['H', ...Array.from({ length: 6 }, (_, n) => `  N${n} VCPU:5`)].join('\n'));
    const request = query('resources_A=VCPU:3&resources_B=VCPU:2');
    const found = (nodeLimit?: number): boolean[] =>
      Array.from({ length: 20 }, (_, seed) => {
        const options = { count: 6, placement: 'SAME_TREE', seed, nodeLimit } as const;
        return enginePacking(many, request, options) !== null;
      });
    expect(found()).not.toContain(false);
    expect(found(1)).toContain(false);
  });
});

test('a thousand consumers on as many hosts', () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `H${n} VCPU:1`);
  const fleet = forest(lines.join('\n'));
  expect(new Set(drawnFrom(packed(fleet, 'resources=VCPU:1', 1000, 'DISTINCT_TREES'), fleet)).size).toBe(
    1000,
  );
  expect(packed(fleet, 'resources=VCPU:1', 1001, 'ANY')).toBeNull();
});

test('consumers are placed exactly where the naive engine can place them, one after another in any order', async () => {
  let found = 0;
  let none = 0;
  const placements = fc.constantFrom<PlacementPolicy>('ANY', 'SAME_TREE', 'DISTINCT_TREES');
  const law = fc.property(
    new PairArbitrary(),
    placements,
    fc.integer({ min: 2, max: 3 }),
    fc.nat(),
    ({ forest: fleet, request }, placement, count, seed) => {
      const isShared = fleet.providers.some(({ traits }) => traits.includes(SHARING));
      fc.pre(placement === 'ANY' || !isShared);
      const some = naiveAnswer(fleet, request).candidates.length;
      fc.pre(some > 0 && some <= 12);
      const options = { count, placement, seed, budget: 1 + (seed % 40) };
      const candidates = enginePacking(fleet, request, options);
      if (candidates === null) {
        none++;
        expect(canPack(fleet, request, count, placement)).toBe(false);
        return;
      }
      found++;
      expect(candidates).toHaveLength(count);
      expect(wrongOne(fleet, request, candidates)).toBeUndefined();
      expect(placement === 'ANY' || areTreesRight(fleet, candidates, placement)).toBe(true);
    },
  );
  const numRuns = cases(1_000, 100);
  await assertEnough(law, { numRuns }, () => Math.min(found, none) > numRuns / 10);
}, 120_000);

function areTreesRight(fleet: Forest, candidates: readonly Candidate[], placement: PlacementPolicy): boolean {
  const trees = new Set(candidates.map((candidate) => treeOf(fleet, candidate)));
  return trees.size === (placement === 'SAME_TREE' ? 1 : candidates.length);
}
