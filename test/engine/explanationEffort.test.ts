import { describe, expect, test } from '@jest/globals';
import { fleetRequests, type FleetQuery } from '../../bench/requests.js';
import { Effort } from '../../src/engine/model/effort.js';
import { explain, type CandidateExplanation } from '../../src/engine/explanation/explanation.js';
import { planRequest } from '../../src/engine/model/plan.js';
import { Search } from '../../src/engine/search/search.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const HOSTS = 1000;
const { snapshot, zone, host } = fleetSnapshot(HOSTS);
const requests = fleetRequests({ zone, host, nodes: [] });
const SLICE = 5000;

function explained(query: FleetQuery): {
  explanation: CandidateExplanation;
  effort: Effort;
  longest: number;
} {
  const effort = new Effort();
  const work = explain(snapshot, requests[query], effort);
  let longest = 0;
  for (;;) {
    const before = effort.spent;
    effort.allow(SLICE);
    const step = work.next();
    longest = Math.max(longest, effort.spent - before);
    if (step.done) return { explanation: step.value, effort, longest };
  }
}

describe('an explanation in a fleet of 1,000 hosts', () => {
  test.each(Object.keys(requests) as FleetQuery[])('of %s', (query) => {
    const { explanation, effort, longest } = explained(query);
    const { groups, combination } = explanation;
    // One pass over the providers for each group, a few looks at each tree, and never long without a pause.
    const trees = combination[0].eliminated + combination[0].remaining;
    expect(trees).toBeGreaterThan(HOSTS);
    expect(effort.providersExamined).toBeLessThanOrEqual(groups.length * 10 * HOSTS);
    expect(effort.treesVisited).toBeLessThanOrEqual(8 * trees);
    expect(longest).toBeLessThanOrEqual(SLICE + 1000);
    // The trees that are left at the end are those of the candidates.
    const plan = planRequest(snapshot, requests[query])!;
    const search = new Search(snapshot, plan, { limit: 1, roundRobin: true, seed: 1 });
    search.run();
    expect(combination[combination.length - 1].remaining > 0).toBe(search.candidates.length > 0);
  });

  test('where nothing fits, the indexes of the fleet without allocations are made in slices as well; else not at all', () => {
    const rows = snapshot.blocks.reduce((sum, { ids }) => sum + ids.length, 0);
    expect(explained('q5').effort.otherWork).toBeGreaterThanOrEqual(rows / 16);
    expect(explained('q1').effort.otherWork).toBe(0);
  });
});
