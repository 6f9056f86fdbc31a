import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { candidateKeys } from '../support/answers.js';
import { askCandidates } from '../support/askCandidates.js';
import { toRequest, traitsNamed } from '../support/caseRequests.js';
import { recordedAnswer, recordedFiles, recordedForest } from '../support/conformance.js';
import { cases } from '../support/length.js';
import { loadForest } from '../support/loadForest.js';

const { api, database } = useApi();

/** A short run takes every 16th recorded fleet over HTTP: the tests of the engine take all of them. */
const files = recordedFiles().filter((_, at) => at % cases(1, 16) === 0);

test.each(files)('over HTTP the server answers %s as the reference did', async (file) => {
  const forest = recordedForest(file);
  await loadForest(
    database,
    forest,
    forest.cases.flatMap(({ request }) => traitsNamed(request)),
  );
  for (const [index, { request, expected }] of forest.cases.entries()) {
    const { candidates, summaries } = await askCandidates(api, toRequest(request, forest));
    const recorded = recordedAnswer(forest, expected);
    expect({ case: index, keys: candidateKeys(candidates), summaries }).toEqual({
      case: index,
      keys: candidateKeys(recorded.candidates),
      summaries: recorded.summaries,
    });
  }
});
