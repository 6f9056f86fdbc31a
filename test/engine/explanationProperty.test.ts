import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import type { CandidateExplanation } from '../../src/search/explanation/explanation.js';
import { COMBINATION_CONSTRAINTS, type Elimination } from '../../src/search/explanation/funnel.js';
import { GROUP_CONSTRAINTS } from '../../src/search/treeFilter.js';
import { naiveExplanation, type Stage } from '../oracle/explanation.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { naiveAnswer } from '../oracle/naive.js';
import { TRAITS } from '../oracle/randomForest.js';
import { engineExplanation, snapshotOf } from '../support/engine.js';
import { cases } from '../support/length.js';

const numRuns = Math.ceil(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 3000) / cases(1, 3));

const effective = (eliminations: readonly Elimination[]): Stage[] =>
  eliminations
    .filter(({ eliminated }) => eliminated > 0)
    .map(({ constraint, eliminated, remaining }) => [constraint, eliminated, remaining]);

function addsUp(considered: number, eliminations: readonly Elimination[], remaining: number): boolean {
  let left = considered;
  for (const stage of eliminations) {
    left -= stage.eliminated;
    if (stage.eliminated < 0 || stage.remaining !== left) return false;
  }
  return left === remaining;
}

const counts = ({ groups, combination, satisfiableWhenEmpty }: CandidateExplanation): unknown => ({
  satisfiableWhenEmpty,
  groups: groups.map(({ suffix, considered, eliminations, remaining }) => ({
    suffix,
    considered,
    stages: effective(eliminations),
    remaining,
  })),
  combination: effective(combination),
});

test(
  'the counts of an explanation are those of the naive engine asked with one condition more each time',
  async () => {
    const constraints = new Set<string>();
    const holds = ({ forest, request: drawn }: Pair, chance: number): void => {
      const excludedRootTraits = chance % 8 === 0 ? [TRAITS[chance % TRAITS.length]] : [];
      const request = { ...drawn, excludedRootTraits };
      const snapshot = snapshotOf(forest);
      const explanation = engineExplanation(forest, request, Infinity, snapshot);
      const { groups, combination } = explanation;
      for (const { constraint } of [...combination, ...groups.flatMap((group) => group.eliminations)].filter(
        ({ eliminated }) => eliminated > 0,
      ))
        constraints.add(constraint);
      const trees = forest.providers.filter(({ parent }) => parent === null).length;
      const left = combination[combination.length - 1].remaining;
      const saw = {
        counts: counts(explanation),
        addUp: groups.every((one) => addsUp(one.considered, one.eliminations, one.remaining)),
        treesAddUp: addsUp(trees, combination, left),
        hasCandidates: left > 0,
        inPieces: engineExplanation(forest, request, 1 + (chance % 40), snapshot),
        hasWords: /^[A-Z0-9].*\.$/.test(explanation.summary),
      };
      const shouldSee = {
        counts: naiveExplanation(forest, request),
        addUp: true,
        treesAddUp: true,
        hasCandidates: naiveAnswer(forest, request).candidates.length > 0,
        inPieces: explanation,
        hasWords: true,
      };
      if (!isDeepStrictEqual(saw, shouldSee)) expect(saw).toEqual(shouldSee);
    };
    const all = new Set<string>([...GROUP_CONSTRAINTS, ...COMBINATION_CONSTRAINTS]);
    await assertEnough(
      fc.property(new PairArbitrary(), fc.nat(), holds),
      { numRuns },
      () => constraints.size === all.size, // every constraint there is was met by some
    );
  },
  Math.max(120_000, numRuns * 60),
);
