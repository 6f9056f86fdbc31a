import { describe, expect, test } from '@jest/globals';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { Placer } from '../../src/moves/placer.js';
import type { PlacementPolicy } from '../../src/moves/workload/workload.js';
import { Search } from '../../src/search/search.js';
import { query, toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

const HOSTS = 3_000;
const SLICE = 200;
/** A pick in a block may test all of its trees. */
const OVERRUN = 300;

const fleet = forest(
  Array.from({ length: HOSTS }, (_, at) => `CN${at} VCPU:8 +HW_A\n  NUMA${at} VCPU:8 +HW_B`).join('\n'),
);
const snapshot = snapshotOf(fleet);

/** Runs in slices. Returns the number of slices and the most work of one. */
function slicesOf(effort: Effort, run: () => boolean): { slices: number; longest: number } {
  let slices = 0;
  let longest = 0;
  for (let isDone = false; !isDone; slices++) {
    const before = effort.spent;
    isDone = run();
    longest = Math.max(longest, effort.spent - before);
  }
  return { slices, longest };
}

describe.each([
  ['none passes the filter', 'resources=VCPU:1&root_required=!HW_A'],
  ['none has a provider for each group', 'resources1=VCPU:1&required1=HW_A,HW_B'],
])('a search of 3,000 trees of which %s pauses within each slice', (_, text) => {
  const plan = planRequest(snapshot, toRequest(query(text), fleet))!;

  test('for candidates', () => {
    const search = new Search(snapshot, plan, { limit: 1, seed: 1 });
    const { slices, longest } = slicesOf(search.effort, () => search.run(SLICE));
    expect(search.candidates).toEqual([]);
    expect(slices).toBeGreaterThanOrEqual(search.effort.spent / (SLICE + OVERRUN));
    expect(longest).toBeLessThanOrEqual(SLICE + OVERRUN);
  });

  test.each<PlacementPolicy>(['ANY', 'SAME_TREE', 'DISTINCT_TREES'])(
    'for consumers, placed in %s',
    (placement) => {
      const effort = new Effort();
      const steps = new Placer(snapshot, plan, { count: 2, placement, seed: 1 }, effort).packed();
      const { longest } = slicesOf(effort, () => {
        effort.allow(SLICE);
        const { done, value } = steps.next();
        if (done) expect(value).toBeNull();
        return done === true;
      });
      expect(effort.treesTested).toBeGreaterThanOrEqual(HOSTS);
      expect(longest).toBeLessThanOrEqual(SLICE + OVERRUN);
    },
  );
});

test('a packing that is done holds no nogoods', () => {
  const amounts = [4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 13, 13, 14, 15];
  const host = forest(['HOST', ...[1, 2, 3, 4, 5].map((device) => `  DEV${device} PGPU:30`)].join('\n'));
  const text = amounts.map((amount, at) => `resources${at}=PGPU:${amount}`).join('&');
  const single = snapshotOf(host);
  const plan = planRequest(single, toRequest(query(text), host))!;
  const effort = new Effort();
  const options = { count: 1, placement: 'SAME_TREE', seed: 1 } as const;
  const steps = new Placer(single, plan, options, effort).packed();
  let most = 0;
  for (;;) {
    effort.allow(50);
    const step = steps.next();
    if (step.done) {
      expect(step.value).toHaveLength(1);
      break;
    }
    most = Math.max(most, effort.nogoodBytes);
  }
  expect(most).toBeGreaterThan(0);
  expect(effort.nogoodBytes).toBe(0);
});
