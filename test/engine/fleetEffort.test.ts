import { describe, expect, test } from '@jest/globals';
import { fleetRequests, type FleetQuery } from '../../bench/requests.js';
import { explain } from '../../src/search/explanation/explanation.js';
import { HeadroomCount, treesWithHeadroom } from '../../src/moves/headroom/headroom.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { Search } from '../../src/search/search.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';
import { cases } from '../support/length.js';

/** The most that a query with limit 10 may do, whatever the size of the fleet. */
const MOST: Readonly<
  Record<FleetQuery, { treesTested: number; treesVisited: number; partialAssignments: number }>
> = {
  q1: { treesTested: 30, treesVisited: 15, partialAssignments: 60 },
  q2: { treesTested: 500, treesVisited: 15, partialAssignments: 60 },
  q3: { treesTested: 60, treesVisited: 40, partialAssignments: 400 },
  q4: { treesTested: 60, treesVisited: 15, partialAssignments: 60 },
  // no tree has 5 VGPU: the index alone says so
  q5: { treesTested: 20, treesVisited: 0, partialAssignments: 0 },
  q6: { treesTested: 1, treesVisited: 1, partialAssignments: 10 },
};
const QUERIES = Object.keys(MOST) as FleetQuery[];
const SEEDS = [1, 2, 3, 4, 5];

function fleet(hosts: number) {
  const { snapshot, zone, host } = fleetSnapshot(hosts);
  return { snapshot, requests: fleetRequests({ zone, host, nodes: [] }) };
}

const HOSTS = 1_000;
const middle = fleet(HOSTS);

describe.each([cases(500, 250), cases(4_000, HOSTS)])('in a fleet of %i hosts', (hosts) => {
  const { snapshot, requests } = hosts === HOSTS ? middle : fleet(hosts);

  function searched(query: FleetQuery, limit: number, seed: number): Search {
    const plan = planRequest(snapshot, requests[query])!;
    const search = new Search(snapshot, plan, { limit, seed });
    search.run();
    return search;
  }

  test.each(QUERIES)('%s with limit 10 looks at about as many trees as it answers with', (query) => {
    for (const seed of SEEDS) {
      const { effort, candidates } = searched(query, 10, seed);
      if (query !== 'q5' && query !== 'q6') expect(candidates).toHaveLength(10);
      expect(effort.treesTested).toBeLessThanOrEqual(MOST[query].treesTested);
      expect(effort.treesVisited).toBeLessThanOrEqual(MOST[query].treesVisited);
      expect(effort.partialAssignments).toBeLessThanOrEqual(MOST[query].partialAssignments);
    }
  });

  test.each(QUERIES)('%s without a limit makes few choices that lead nowhere', (query) => {
    const { effort, candidates, complete } = searched(query, Infinity, 1);
    expect(complete).toBe(true);
    // each candidate is at most five choices deep, and beginnings are shared
    expect(effort.partialAssignments).toBeLessThanOrEqual(10 * candidates.length);
    expect(effort.deadEnds).toBeLessThanOrEqual(candidates.length);
    expect(effort.treesVisited).toBeLessThanOrEqual(candidates.length);
    expect(effort.otherWork).toBeLessThanOrEqual(effort.treesVisited); // looking ahead costs more than it saves here
  });
});

const { snapshot, requests } = middle;
const SLICE = 5000;

/** Runs in slices; `longest` is the effort of the longest one. */
function done<T>(begin: (effort: Effort) => Generator<void, T>): {
  value: T;
  effort: Effort;
  longest: number;
} {
  const effort = new Effort();
  const work = begin(effort);
  let longest = 0;
  for (;;) {
    const before = effort.spent;
    effort.allow(SLICE);
    const step = work.next();
    longest = Math.max(longest, effort.spent - before);
    if (step.done) return { value: step.value, effort, longest };
  }
}

const explained = (query: FleetQuery) => done((effort) => explain(snapshot, requests[query], effort));

describe('an explanation in a fleet of 1,000 hosts', () => {
  test.each(QUERIES)('of %s', (query) => {
    const { value, effort, longest } = explained(query);
    const { groups, combination } = value;
    // One pass over the providers for each group, a few looks at each tree, and never long without a pause.
    const trees = combination[0].eliminated + combination[0].remaining;
    expect(trees).toBeGreaterThan(HOSTS);
    expect(effort.providersExamined).toBeLessThanOrEqual(groups.length * 10 * HOSTS);
    expect(effort.treesVisited).toBeLessThanOrEqual(8 * trees);
    expect(longest).toBeLessThanOrEqual(SLICE + 1000);
    // The trees that are left at the end are those of the candidates.
    const plan = planRequest(snapshot, requests[query])!;
    const search = new Search(snapshot, plan, { limit: 1, seed: 1 });
    search.run();
    expect(combination[combination.length - 1].remaining > 0).toBe(search.candidates.length > 0);
  });

  test('the indexes of the empty fleet are built in slices if nothing fits, else never', () => {
    const rows = snapshot.blocks.reduce((sum, { ids }) => sum + ids.length, 0);
    expect(explained('q5').effort.otherWork).toBeGreaterThanOrEqual(rows / 16);
    expect(explained('q1').effort.otherWork).toBe(0);
  });
});

describe('headroom in a fleet of 1,000 hosts', () => {
  test.each(QUERIES)('of %s costs a visit for each claim, and two for each tree', (query) => {
    const plan = planRequest(snapshot, requests[query])!;
    const all = done((effort) => new HeadroomCount(snapshot, plan, 100_000).run(effort));
    const trees = done((effort) => treesWithHeadroom(snapshot, plan, effort));
    expect(all.value).toMatchObject({ exact: true, reachedUpTo: false });
    expect(all.value.count).toBeGreaterThanOrEqual(trees.value);
    expect(all.effort.treesVisited).toBeLessThanOrEqual(all.value.count + 3 * trees.effort.treesVisited);
    for (const { longest } of [all, trees]) expect(longest).toBeLessThanOrEqual(SLICE + 1000);
  });

  test('stops looking at trees when upTo is reached', () => {
    const plan = planRequest(snapshot, requests.q1)!;
    const { value, effort } = done((one) => new HeadroomCount(snapshot, plan, 50).run(one));
    expect(value).toEqual({ count: 50, reachedUpTo: true, exact: true });
    expect(effort.treesTested).toBeLessThanOrEqual(60);
    expect(effort.treesVisited).toBeLessThanOrEqual(200);
  });
});
