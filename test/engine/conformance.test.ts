import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { candidateKeys, type Answer } from '../support/answers.js';
import { recordedAnswer, recordedFiles, recordedForest } from '../support/conformance.js';
import { snapshotOf } from '../support/engine.js';
import { engines } from './engines.js';

const forests = recordedFiles().map((file) => [file, recordedForest(file)] as const);

test('all that was recorded is here', () => {
  expect(forests).toHaveLength(160);
  expect(forests.flatMap(([, { cases }]) => cases)).toHaveLength(2387);
});

test.each(forests)('both engines answer %s as the reference did', (_, forest) => {
  const snapshot = snapshotOf(forest);
  for (const [index, { request, expected }] of forest.cases.entries()) {
    const recorded = answered(recordedAnswer(forest, expected));
    for (const [name, answer] of engines) {
      const found = answered(answer(forest, request, { snapshot }));
      if (!isDeepStrictEqual(found, recorded))
        expect({ name, index, ...found }).toEqual({ name, index, ...recorded });
    }
  }
});

const answered = ({ candidates, summaries }: Answer): object => ({
  keys: candidateKeys(candidates),
  summaries,
});
