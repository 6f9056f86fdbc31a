import { expect, test } from '@jest/globals';
import { Effort } from '../../src/engine/model/effort.js';
import { findClaimCandidates } from '../../src/placement/claimCandidates.js';
import { DrainRelations, type Leaving } from '../../src/placement/drainRelations.js';
import { DrainAttempt } from '../../src/placement/drainAttempt.js';
import type { SnapshotSource } from '../../src/placement/candidateSearch.js';
import { countHeadroom } from '../../src/placement/headroom.js';
import { placeLeaving } from '../../src/placement/drainPlacement.js';
import type { Snapshot } from '../../src/engine/model/snapshot.js';
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

/** Returns the snapshot, and counts the reads of one of its columns. */
function countingReads(original: Snapshot): { readonly snapshot: Snapshot; readonly reads: () => number } {
  let reads = 0;
  const counted = (column: Int32Array): Int32Array =>
    new Proxy(column, {
      get: (target, key) => {
        reads++;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const blocks = original.blocks.map((block) => ({
    ...block,
    inventoryStarts: counted(block.inventoryStarts),
  }));
  return { snapshot: Object.create(original, { blocks: { value: blocks } }) as Snapshot, reads: () => reads };
}

test('a drain of consumers that fit nowhere reads a wide tree a few times', () => {
  const children = 5_000;
  const lines = Array.from({ length: children }, (_, at) => `  child${at} VCPU:4 MEMORY_MB:4`);
  const wide = forest(['root', ...lines, 'other VCPU:4'].join('\n'));
  const { snapshot: counted, reads } = countingReads(snapshotOf(wide));
  const drained = { snapshot: counted, trees: new Set([0]), holdings: new Map(), others: [] };
  const leaving = Array.from({ length: 5 }, (_, at): Leaving => {
    const { uuid: resourceProvider } = wide.providers[1 + at];
    const resources = [{ resourceClass: 'VCPU', amount: 2 }];
    const consumer = { uuid: `consumer${at}`, allocations: [{ resourceProvider, resources }] };
    return {
      consumer: consumer as unknown as Leaving['consumer'],
      requested: null,
      requests: [toRequest(query('resources=VCPU:2,MEMORY_MB:1'), wide)],
      seed: at,
    };
  });
  const effort = new Effort();
  const placing = placeLeaving(drained, leaving, effort).next();
  expect(placing.done && placing.value.map(({ found }) => found)).toEqual(leaving.map(() => null));
  expect(reads()).toBeLessThan(50 * children);
});

test('headroom that takes too long is a lower bound', async () => {
  const children = Array.from({ length: 5_000 }, (_, at) => `  child${at} VCPU:4`);
  const wide = forest(['root', ...children].join('\n'));
  const source = { current: () => Promise.resolve(snapshotOf(wide)) } as unknown as SnapshotSource;
  // an amount over several children is searched for anew for each claim
  const resources = { VCPU: 10 };
  const request = toRequest({ groups: [{ suffix: '', resources, canSplit: ['VCPU'] }] }, wide);
  const counted = await countHeadroom(source, request, 100_000, new Operations().begin());
  expect(counted).toMatchObject({ reachedUpTo: false, exact: false });
  expect(counted.count).toBeGreaterThan(0);
});
