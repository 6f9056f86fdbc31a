import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import { validateRequest } from '../../src/search/candidateSearch.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { naiveAnswer, summaries } from '../oracle/naive.js';
import { candidateKey, candidateKeys, type Candidate } from '../support/answers.js';
import { toRequest } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { SHARING } from '../support/forest.js';

/** With the seed and the path of a failure, PLACEMENT_PROPERTY_PATH repeats just the shrunken pair. */
const runs = Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 10_000);
const path = process.env.PLACEMENT_PROPERTY_PATH;

let pairs = 0;
let answered = 0;

test(
  'the engine and the naive engine agree on random forests and requests',
  async () => {
    await assertEnough(
      fc.property(new PairArbitrary(), fc.nat(), agree),
      { numRuns: runs, path },
      () => answered / pairs > 0.35,
    );
  },
  // A run of a million pairs takes its time.
  Math.max(120_000, runs * 30),
);

const anyName = { hasClass: () => true, hasTrait: () => true };

function agree({ forest, request: asked }: Pair, chance: number): void {
  // few requests have an answer with one provider per tree
  const request = { ...asked, oneProviderPerTree: chance % 4 === 3 };
  validateRequest(toRequest(request, forest), anyName);
  const right = naiveAnswer(forest, request);
  const keys = candidateKeys(right.candidates);
  if (!request.oneProviderPerTree) pairs++;
  if (!request.oneProviderPerTree && keys.length > 0) answered++;

  const snapshot = snapshotOf(forest);
  const all = engineAnswer(forest, request, { snapshot, seed: chance });
  const inPieces = engineAnswer(forest, request, { snapshot, seed: chance, budget: 1 + (chance % 40) });
  const otherwise = engineAnswer(forest, request, { snapshot, seed: chance + 1 });
  const limit = 1 + (chance % (keys.length + 2));
  const some = engineAnswer(forest, request, { snapshot, seed: chance, limit });
  const found = [...new Set(inOrder(some.candidates))];
  // Without sharing providers a candidate's tree is that of any provider in it.
  const oneTreeEach = !forest.providers.some(({ traits }) => traits.includes(SHARING));
  const trees = (candidates: Candidate[]): string[] =>
    oneTreeEach ? candidates.map(({ allocations }) => right.summaries[Object.keys(allocations)[0]].root) : [];
  const treeCount = new Set(trees(right.candidates)).size;

  const saw = {
    all: { keys: candidateKeys(all.candidates), summaries: all.summaries, complete: all.complete },
    sameSeed: inOrder(inPieces.candidates),
    otherSeed: candidateKeys(otherwise.candidates),
    limited: { count: some.candidates.length, summaries: some.summaries, complete: some.complete },
    distinct: found.length,
    foreign: found.filter((key) => !keys.includes(key)),
    // Decision D10: each tree in turn.
    firstRound: new Set(trees(all.candidates).slice(0, treeCount)).size,
    treesWithLimit: new Set(trees(some.candidates)).size,
  };
  const shouldSee = {
    all: { keys, summaries: right.summaries, complete: true },
    sameSeed: inOrder(all.candidates),
    otherSeed: keys,
    limited: {
      count: Math.min(limit, keys.length),
      summaries: summaries(forest, some.candidates),
      complete: keys.length <= limit,
    },
    distinct: Math.min(limit, keys.length),
    foreign: [],
    firstRound: treeCount,
    treesWithLimit: Math.min(limit, treeCount),
  };
  // The matcher is slow, and good at showing what differs.
  if (!isDeepStrictEqual(saw, shouldSee)) expect(saw).toEqual(shouldSee);
}

function inOrder(candidates: Candidate[]): string[] {
  return candidates.map(candidateKey);
}
