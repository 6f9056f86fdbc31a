import { expect, test } from '@jest/globals';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { TreeOrder } from '../../src/search/search.js';
import { LazyTrees } from '../../src/moves/workload/problem.js';
import { query, toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

test('all trees are found in time slices, in the order in which they are found one by one', () => {
  const fleet = forest(Array.from({ length: 500 }, (_, at) => `H${at} VCPU:8`).join('\n'));
  const snapshot = snapshotOf(fleet);
  const plan = planRequest(snapshot, toRequest(query('resources=VCPU:1'), fleet))!;
  const filter = new TreeFilter(snapshot, plan);
  const trees = (effort: Effort): LazyTrees =>
    new LazyTrees(new TreeOrder(snapshot, filter, 1, effort), filter);
  const effort = new Effort();
  const sliced = trees(effort);
  const steps = sliced.read(effort);
  let slices = 0;
  do {
    slices++;
    effort.allow(100);
  } while (!steps.next().done);
  expect(slices).toBeGreaterThan(4);
  expect(sliced.all()).toEqual(trees(new Effort()).all());
  expect(sliced.all()).toHaveLength(500);
});
