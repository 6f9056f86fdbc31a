import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { candidateKeys } from '../support/answers.js';
import { askCandidates } from '../support/askCandidates.js';
import { toRequest, traitsNamed } from '../support/caseRequests.js';
import { recordedAnswer, recordedFiles, recordedForest } from '../support/conformance.js';
import { cases } from '../support/length.js';
import { loadForest } from '../support/loadForest.js';

const { api, database } = useApi();

/** A short run takes every eighth recorded fleet over HTTP: the tests of the engine take all of them. */
const files = recordedFiles().filter((_, at) => at % cases(1, 8) === 0);

test.each(files)('over HTTP the server answers %s as the reference did', async (file) => {
  const forest = recordedForest(file);
  await loadForest(
    database,
    forest,
    forest.cases.flatMap(({ request }) => traitsNamed(request)),
  );
  for (const [index, { request, expected }] of forest.cases.entries()) {
    const answer = await askCandidates(api, toRequest(request, forest));
    const recorded = recordedAnswer(forest, expected);
    expect({ case: index, keys: candidateKeys(answer.candidates) }).toEqual({
      case: index,
      keys: candidateKeys(recorded.candidates),
    });
    expect({ case: index, summaries: answer.summaries }).toEqual({
      case: index,
      summaries: recorded.summaries,
    });
  }
});
