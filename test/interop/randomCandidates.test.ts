import { expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { randomForest } from '../oracle/randomForest.js';
import { randomRequest } from '../oracle/randomRequest.js';
import { traitsNamed } from '../support/caseRequests.js';
import { loadForest } from '../support/loadForest.js';
import { CandidateComparison, withTraitEverywhere } from './candidateComparison.js';
import { canBeAsked, commonPart } from './candidateQuery.js';
import { Tally } from './differences.js';
import { READS, SEED } from './settings.js';
import { useSharedDatabase } from './sharedDatabase.js';

/** Requests about one fleet. */
const TOGETHER = 20;
const MOST_SHOWN = 3;

const shared = useSharedDatabase();

test(
  `${READS} random requests for candidates are answered alike, but for known rules (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    const tally = new Tally();
    const failures: string[] = [];
    for (let asked = 0; asked < READS; asked += TOGETHER) {
      const drawn = randomForest(random, { counters: 0 });
      const forest = withTraitEverywhere(drawn);
      const requests = Array.from({ length: TOGETHER }, () =>
        commonPart(randomRequest(random, drawn)),
      ).filter(canBeAsked);
      await loadForest(shared.database, forest, requests.flatMap(traitsNamed));
      const comparisons = requests.map((request) => new CandidateComparison(shared, tally, forest, request));
      const limits = requests.map(() => (random.chance(20) ? random.between(1, 6) : undefined));
      await Promise.all(comparisons.map((comparison, at) => comparison.run(limits[at])));
      failures.push(...comparisons.flatMap((comparison) => comparison.failures));
    }
    tally.tell('requests for candidates');
    process.stderr.write(`differences that no rule explains: ${failures.length}\n`);
    expect(failures.slice(0, MOST_SHOWN)).toEqual([]);
    expect(tally.get('with candidates')).toBeGreaterThan(READS / 10);
    expect(shared.api.logged).toEqual([]);
  },
  60_000 + READS * 500,
);
