import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { naiveHeadroom } from '../oracle/headroom.js';
import { engineExplanation, engineHeadroom, snapshotOf } from '../support/engine.js';
import { cases } from '../support/length.js';

const numRuns = Math.ceil(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1000) / cases(1, 4));
const UP_TO = 4;

const seen = { judged: 0, exact: 0, several: 0 };

test(
  'so many claims succeed one after another, and where it is exact no choices let one more succeed',
  async () => {
    const holds = ({ forest, request }: Pair, chance: number): void => {
      const upTo = 1 + (chance % UP_TO);
      const snapshot = snapshotOf(forest);
      // half of the runs treat every tree as a wide one
      const wideTree = chance % 8 < 4 ? 0 : undefined;
      const headroom = engineHeadroom(forest, request, upTo, Infinity, snapshot, wideTree);
      const most = naiveHeadroom(forest, request, upTo);
      if (most === null) return;
      seen.judged++;
      if (headroom.exact) seen.exact++;
      if (most > 1) seen.several++;
      const { combination } = engineExplanation(forest, request, Infinity, snapshot);
      const saw = {
        isPossible: headroom.count <= most,
        isMost: !headroom.exact || headroom.count === most,
        isSome: headroom.count > 0,
        reachedUpTo: headroom.reachedUpTo,
        trees: headroom.trees,
        inPieces: engineHeadroom(forest, request, upTo, 1 + (chance % 40), snapshot, wideTree),
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
        expect({ ...saw, most, headroom }).toEqual({ ...shouldSee, most, headroom });
    };
    await assertEnough(
      fc.property(new PairArbitrary(), fc.nat(), holds),
      { numRuns },
      () => seen.several > numRuns / 10,
    );
    expect(seen.exact / seen.judged).toBeGreaterThan(0.9);
  },
  Math.max(120_000, numRuns * 200),
);
