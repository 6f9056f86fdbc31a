import { describe, expect, test } from '@jest/globals';
import { fleetRequests, type FleetQuery } from '../../bench/requests.js';
import { Effort } from '../../src/engine/model/effort.js';
import { headroomOf, treesWithHeadroom } from '../../src/engine/headroom/headroom.js';
import { planRequest } from '../../src/engine/model/plan.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const HOSTS = 1000;
const { snapshot, zone, host } = fleetSnapshot(HOSTS);
const requests = fleetRequests({ zone, host, nodes: [] });
const QUERIES = Object.keys(requests) as FleetQuery[];
const SLICE = 5000;

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

describe('headroom in a fleet of 1,000 hosts', () => {
  test.each(QUERIES)('of %s costs a visit for each claim, and two for each tree', (query) => {
    const plan = planRequest(snapshot, requests[query])!;
    const all = done((effort) => headroomOf(snapshot, plan, 100_000, effort));
    const trees = done((effort) => treesWithHeadroom(snapshot, plan, effort));
    expect(all.value).toMatchObject({ exact: true, reachedUpTo: false });
    expect(all.value.count).toBeGreaterThanOrEqual(trees.value);
    expect(all.effort.treesVisited).toBeLessThanOrEqual(all.value.count + 3 * trees.effort.treesVisited);
    for (const { longest } of [all, trees]) expect(longest).toBeLessThanOrEqual(SLICE + 1000);
  });

  test('stops looking at trees when upTo is reached', () => {
    const plan = planRequest(snapshot, requests.q1)!;
    const { value, effort } = done((one) => headroomOf(snapshot, plan, 50, one));
    expect(value).toEqual({ count: 50, reachedUpTo: true, exact: true });
    expect(effort.treesTested).toBeLessThanOrEqual(60);
    expect(effort.treesVisited).toBeLessThanOrEqual(200);
  });
});
