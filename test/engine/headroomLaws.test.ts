import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PairArbitrary, type Pair } from '../oracle/generate.js';
import { naiveHeadroom } from '../oracle/headroom.js';
import { engineExplanation, engineHeadroom } from '../support/engine.js';

/** PLACEMENT_PROPERTY_RUNS and PLACEMENT_PROPERTY_SEED as in property.test.ts. */
const numRuns = Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1500);
const seed = Number(process.env.PLACEMENT_PROPERTY_SEED ?? Date.now() % 0x7fffffff);
const UP_TO = 4;

const seen = { judged: 0, exact: 0, below: 0, several: 0 };

afterAll(() => {
  process.stdout.write(`headroom: ${JSON.stringify(seen)}, PLACEMENT_PROPERTY_SEED=${seed}\n`);
});

test(
  'so many claims succeed one after another, and where it is exact no choices let one more succeed',
  () => {
    const holds = ({ forest, request }: Pair, chance: number): void => {
      const upTo = 1 + (chance % UP_TO);
      const headroom = engineHeadroom(forest, request, upTo);
      const most = naiveHeadroom(forest, request, upTo);
      if (most === null) return;
      seen.judged++;
      if (headroom.exact) seen.exact++;
      if (headroom.count < most) seen.below++;
      if (most > 1) seen.several++;
      const { combination } = engineExplanation(forest, request);
      const saw = {
        isPossible: headroom.count <= most,
        isMost: !headroom.exact || headroom.count === most,
        isSome: headroom.count > 0,
        reachedUpTo: headroom.reachedUpTo,
        trees: headroom.trees,
        inPieces: engineHeadroom(forest, request, upTo, 1 + (chance % 40)),
      };
      const shouldSee = {
        isPossible: true,
        isMost: true,
        isSome: most > 0,
        reachedUpTo: headroom.count === upTo,
        trees: combination[combination.length - 1].remaining,
        inPieces: headroom,
      };
      if (!isDeepStrictEqual(saw, shouldSee))
        expect({ ...saw, most, headroom, seed }).toEqual({ ...shouldSee, most, headroom, seed });
    };
    fc.assert(fc.property(new PairArbitrary(), fc.nat(), holds), { numRuns, seed });
    expect(seen.exact / seen.judged).toBeGreaterThan(0.9);
    expect(seen.several).toBeGreaterThan(numRuns / 10);
  },
  Math.max(120_000, numRuns * 200),
);
