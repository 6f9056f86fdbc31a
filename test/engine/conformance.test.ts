import { describe, expect, test } from '@jest/globals';
import { candidateKeys } from '../support/answers.js';
import { recordedAnswer, recordedFiles, recordedForest } from '../support/conformance.js';
import { engines } from './engines.js';

test('all that was recorded is here', () => {
  const forests = recordedFiles().map(recordedForest);
  expect(forests).toHaveLength(160);
  expect(forests.flatMap(({ cases }) => cases)).toHaveLength(2387);
});

describe.each(engines)('%s', (_name, answer) => {
  test.each(recordedFiles())('answers %s as the reference did', (file) => {
    const forest = recordedForest(file);
    for (const [index, { request, expected }] of forest.cases.entries()) {
      const found = answer(forest, request);
      const recorded = recordedAnswer(forest, expected);
      expect({ case: index, keys: candidateKeys(found.candidates) }).toEqual({
        case: index,
        keys: candidateKeys(recorded.candidates),
      });
      expect({ case: index, summaries: found.summaries }).toEqual({
        case: index,
        summaries: recorded.summaries,
      });
    }
  });
});
