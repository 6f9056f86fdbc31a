import { expect, test } from '@jest/globals';
import { Effort } from '../../src/engine/model/effort.js';
import { findClaimCandidates } from '../../src/placement/claimCandidates.js';
import { DrainRelations, type Leaving } from '../../src/placement/drainRelations.js';
import { DrainAttempt } from '../../src/placement/drainAttempt.js';
import { Operations } from '../../src/runtime/operation.js';
import { query, toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

const HOSTS = 1_000;
const fleet = forest(Array.from({ length: HOSTS }, (_, at) => `CN${at} VCPU:1 +HW_A`).join('\n'));
const snapshot = snapshotOf(fleet);

test('a claim counts the work to pack its consumers', async () => {
  const operation = new Operations().begin();
  const request = toRequest(query('resources=VCPU:1'), fleet);
  const options = { count: 2, policy: 'SAME_TREE', seed: 1, operation } as const;
  expect(await findClaimCandidates(snapshot, request, options)).toBeNull();
  expect(operation.activity.effort).toBeGreaterThan(HOSTS);
});

test('a drain pauses while it counts the trees of a request', () => {
  const effort = new Effort();
  const drained = { snapshot, trees: new Set([0]), holdings: new Map(), others: [] };
  const requests = [toRequest(query('resources=VCPU:1&root_required=!HW_A'), fleet)];
  const consumer = { uuid: 'consumer', allocations: [] } as unknown as Leaving['consumer'];
  const leaving = [{ consumer, requested: null, requests, seed: 1 }];
  const drain = new DrainAttempt(
    drained,
    new DrainRelations(leaving, snapshot, drained.holdings, []),
    effort,
  );
  const counting = drain.countTrees(leaving);
  for (let isDone: boolean | undefined = false; !isDone;) {
    const before = effort.spent;
    effort.allow(100);
    isDone = counting.next().done;
    expect(effort.spent - before).toBeLessThanOrEqual(101);
  }
  expect(effort.treesTested).toBe(HOSTS);
});
