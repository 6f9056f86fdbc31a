import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../oracle/random.js';
import { randomForest } from '../oracle/randomForest.js';
import { randomRequest } from '../oracle/randomRequest.js';
import type { Answer } from '../support/answers.js';
import { askCandidates } from '../support/askCandidates.js';
import { toRequest, traitsNamed, type CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { askReference, canBeAsked, commonPart } from './candidateQuery.js';
import { differences } from './differences.js';
import { READS, SEED } from './settings.js';
import { sharedDatabase, type SharedDatabase } from './sharedDatabase.js';

/** Requests about one fleet. */
const TOGETHER = 20;
const MOST_SHOWN = 3;

let shared: SharedDatabase;
beforeAll(async () => {
  shared = await sharedDatabase();
}, 120_000);
afterAll(() => shared?.close());

/** How often answers were equal, or differed for which reason. */
const outcomes = new Map<string, number>();
const count = (outcome: string): unknown => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

/** Differences that no rule explains, each with all that it takes to ask again. */
const failures: string[] = [];

async function compare(request: CaseRequest, forest: Forest): Promise<void> {
  const theirs = await askReference(shared.reference, request, forest);
  const ours = await askCandidates(shared.api, toRequest(request, forest));
  const context = JSON.stringify({ request, forest });
  if ('status' in theirs) {
    expect({ context, status: theirs.status }).toEqual({ context, status: 500 });
    return void count('the reference fails with a KeyError of its own');
  }
  const found = differences({ forest, request, ours, theirs });
  const unexplained = found.filter(({ reason }) => reason === null);
  if (unexplained.length > 0) failures.push(JSON.stringify({ request, forest, unexplained }));
  for (const reason of new Set(found.map(({ reason }) => reason))) count(`different by ${reason}`);
  if (found.length > 0) return;
  count(ours.candidates.length > 0 ? 'the same candidates' : 'no candidates');
  expect({ context, summaries: withoutCapacities(ours) }).toEqual({
    context,
    summaries: withoutCapacities(theirs),
  });
}

/** Capacities are shown rounded down by either program, by D2 not in the same way. */
function withoutCapacities({ summaries }: Answer): object {
  const strip = (resources: Record<string, { used: number }>): object =>
    Object.fromEntries(Object.entries(resources).map(([name, { used }]) => [name, used]));
  return Object.fromEntries(
    Object.entries(summaries).map(([uuid, summary]) => [
      uuid,
      { ...summary, resources: strip(summary.resources) },
    ]),
  );
}

test(
  `${READS} random requests for candidates are answered alike, but for known rules (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    for (let asked = 0; asked < READS; asked += TOGETHER) {
      const forest = randomForest(random);
      const drawn = Array.from({ length: TOGETHER }, () => commonPart(randomRequest(random, forest)));
      const requests = drawn.filter(canBeAsked);
      await loadForest(shared.database, forest, requests.flatMap(traitsNamed));
      await Promise.all(requests.map((request) => compare(request, forest)));
    }
    process.stderr.write(`${[...outcomes].map(([what, times]) => `${what}: ${times}`).join('\n')}\n`);
    expect(failures.slice(0, MOST_SHOWN)).toEqual([]);
    expect(outcomes.get('the same candidates')).toBeGreaterThan(READS / 10);
    expect(shared.api.logged).toEqual([]);
  },
  60_000 + READS * 500,
);
