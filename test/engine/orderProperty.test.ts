import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import { Random } from '../oracle/random.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { naiveAnswer } from '../oracle/naive.js';
import { randomOrder } from '../oracle/randomOrder.js';
import { scorer, sortScores } from '../oracle/score.js';
import { candidateKey, candidateKeys } from '../support/answers.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { SHARING } from '../support/forest.js';

/** With the seed and the path of a failure, PLACEMENT_PROPERTY_PATH repeats just the shrunken pair. */
const runs = Number(process.env.PLACEMENT_ORDER_RUNS ?? 2_000);
const path = process.env.PLACEMENT_PROPERTY_PATH;

let cut = 0;

test(
  'an ordered answer is the head of the sorted list of all candidates',
  async () => {
    await assertEnough(
      fc.property(new PairArbitrary(), fc.nat(), agree),
      { numRuns: runs, path },
      () => cut / runs > 0.15,
    );
  },
  Math.max(120_000, runs * 30),
);

function agree({ forest, request: unordered }: Pair, chance: number): void {
  const random = new Random(chance);
  const request = { ...unordered, orderBy: randomOrder(random, forest, unordered) };
  const right = naiveAnswer(forest, request).candidates;
  const keys = candidateKeys(right);
  const scores = scorer(forest, request);
  const best = sortScores(right.map(scores), request);
  const limit = random.chance(50) ? random.between(1, 3) : random.between(1, keys.length + 2);
  if (limit < keys.length) cut++;

  const options = { snapshot: snapshotOf(forest), seed: chance };
  const all = engineAnswer(forest, request, options);
  const some = engineAnswer(forest, request, { ...options, limit });
  const inPieces = engineAnswer(forest, request, { ...options, limit, budget: 1 + (chance % 40) });
  const found = some.candidates.map(candidateKey);
  // What only sharing providers give can stand at several trees, and the one where it is found first depends on the limit.
  const isOneTreeEach = !forest.providers.some(({ traits }) => traits.includes(SHARING));

  const saw = {
    all: { keys: candidateKeys(all.candidates), complete: all.complete },
    allScores: all.candidates.map(scores),
    scores: some.candidates.map(scores),
    complete: some.complete,
    distinct: new Set(found).size,
    foreign: found.filter((key) => !keys.includes(key)),
    head: isOneTreeEach ? found : [],
    inPieces: inPieces.candidates.map(candidateKey),
  };
  const shouldSee = {
    all: { keys, complete: true },
    allScores: best,
    scores: best.slice(0, limit),
    complete: keys.length <= limit,
    distinct: Math.min(limit, keys.length),
    foreign: [],
    head: isOneTreeEach ? all.candidates.slice(0, limit).map(candidateKey) : [],
    inPieces: found,
  };
  if (!isDeepStrictEqual(saw, shouldSee)) expect(saw).toEqual(shouldSee);
}
