import { describe, expect, test } from '@jest/globals';
import { fleetRequests, type FleetQuery } from '../../bench/requests.js';
import { planRequest } from '../../src/engine/model/plan.js';
import { Search } from '../../src/engine/search/search.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

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

describe.each([500, 4000])('in a fleet of %i hosts', (hosts) => {
  const { snapshot, zone, host } = fleetSnapshot(hosts);
  const requests = fleetRequests({ zone, host, nodes: [] });

  function searched(query: FleetQuery, limit: number | null, seed: number): Search {
    const plan = planRequest(snapshot, requests[query])!;
    const search = new Search(snapshot, plan, { limit, roundRobin: limit !== null, seed });
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
    const { effort, candidates, complete } = searched(query, null, 1);
    expect(complete).toBe(true);
    // each candidate is at most five choices deep, and beginnings are shared
    expect(effort.partialAssignments).toBeLessThanOrEqual(10 * candidates.length);
    expect(effort.deadEnds).toBeLessThanOrEqual(candidates.length);
    expect(effort.treesVisited).toBeLessThanOrEqual(candidates.length);
    expect(effort.otherWork).toBeLessThanOrEqual(effort.treesVisited); // looking ahead costs more than it saves here
  });
});
