import { describe, expect, test } from '@jest/globals';
import { treesOf, type HardCase } from '../../bench/hard/cases.js';
import { HARD_CASES } from '../../bench/hard/corpus.js';
import { snapshotOfTrees } from '../../bench/hard/fleet.js';
import { planRequest } from '../../src/search/plan.js';
import { validateRequest } from '../../src/search/candidateSearch.js';
import { Search } from '../../src/search/search.js';
import { cases } from '../support/length.js';

const HOSTS = cases(40, 12);
const MANY_HOSTS = cases(400, 100);
/** Of a provider for a group, some 0.1 microseconds each: in 10,000 hosts half a second. */
const MOST_READ = 200_000;
/** About a microsecond each. Most of it is for the first host: the others are alike, or cost little. */
const MOST_WORK = 8_000_000;

function searched(hardCase: HardCase, fits: boolean, hosts: number): Search {
  const snapshot = snapshotOfTrees(treesOf(hardCase, hosts, fits));
  const plan = planRequest(snapshot, hardCase.request)!;
  const search = new Search(snapshot, plan, { limit: 1, seed: 1, stopsAtLimit: true });
  search.run(MOST_WORK);
  return search;
}

describe.each(HARD_CASES)('$family: $what', (hardCase) => {
  const { fitting, request } = hardCase;

  test('is soon known to have no candidate, without reading much of each of many hosts', () => {
    validateRequest(request, { hasClass: () => true, hasTrait: () => true });
    const isSmall = fitting.length < 100;
    const { isDone, candidates, effort } = searched(hardCase, false, isSmall ? MANY_HOSTS : HOSTS);
    expect({ isDone, found: candidates.length }).toEqual({ isDone: true, found: 0 });
    if (isSmall) expect(effort.treesVisited * fitting.length * request.groups.length).toBeLessThan(MOST_READ);
  });

  test('is soon found in the one host where it fits', () => {
    const { isDone, candidates } = searched(hardCase, true, HOSTS);
    expect({ isDone, found: candidates.length }).toEqual({ isDone: true, found: 1 });
  });
});
