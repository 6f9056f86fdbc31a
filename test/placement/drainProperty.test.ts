import { afterAll, expect, test } from '@jest/globals';
import { allocationsOf, type CandidateAllocation } from '../../src/search/anchor.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { treeIndexOf, type Snapshot } from '../../src/fleet/snapshot.js';
import { withAllocated, withMoves } from '../../src/search/overlay/snapshotOverlay.js';
import { requestsByShape } from '../../src/moves/consumerShape.js';
import type { Move } from '../../src/moves/drain/drainAttempt.js';
import { placeLeaving } from '../../src/moves/drain/drainPlacement.js';
import type { HeldConsumer } from '../../src/store/sql/consumers.js';
import { allocationsIn } from '../../src/moves/heldConsumers.js';
import {
  drainCase,
  keepsShape,
  LEVELS,
  leavingOf,
  mostMoves,
  NaiveFleet,
  type DrainCase,
  type Share,
} from '../oracle/drain.js';
import { snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { uuidOf } from '../support/forest.js';
import { cases } from '../support/length.js';

const numRuns = cases(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1000), 300);
const counts = { plans: 0, moved: 0, most: 0, toSharing: 0, stuck: 0, withCounters: 0, unstored: 0 };

afterAll(() => {
  process.stdout.write(`drain property: ${JSON.stringify(counts)}\n`);
});

test(
  'a plan fits at every step, keeps shapes, ends in the reported state, and leaves nothing that could move',
  async () => {
    const law = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => check(drainCase(seed), seed));
    await assertEnough(
      law,
      { numRuns, endOnFailure: true },
      () => Math.min(counts.stuck, counts.toSharing, counts.withCounters, counts.unstored) > numRuns / 100,
    );
    // A plan is no exhaustive search, but it misses few moves.
    expect(counts.moved).toBeGreaterThan(0.98 * counts.most);
  },
  Math.max(240_000, numRuns * 100),
);

function check(drain: DrainCase, seed: number): void {
  const { consumers, unstored, drained } = drain;
  const leaving = leavingOf(drain);
  if (leaving.length === 0) return;
  counts.plans++;
  const fleet = new NaiveFleet(drain.forest);
  /** What is stored of each consumer. */
  const shares = consumers.map((each, at) => (unstored.has(at) ? each : fleet.withCounters(each)));
  const held = shares.map(heldBy);
  const empty = snapshotOf(drain.forest);
  const snapshot = withAllocated(
    empty,
    held.flatMap(({ allocations }) => allocationsIn(empty, allocations)),
  );
  const moves = plan(
    snapshot,
    drain,
    leaving.map((at) => held[at]),
    seed,
  );
  for (const each of consumers) fleet.add(each, 1);
  expect(moves.map(({ consumer }) => consumer.id).sort()).toEqual(leaving);
  for (const { consumer, found } of moves) {
    const before = consumers[consumer.id];
    fleet.add(before, -1);
    const level = [0, 1, 2].find((each) => fleet.places(before, drained, each).length > 0);
    if (found === null) {
      counts.stuck++;
      expect(level).toBeUndefined();
      fleet.add(before, 1);
      continue;
    }
    counts.moved++;
    const stored = sharesOf(snapshot, allocationsOf(found.found.plan!, found));
    const after = fleet.withoutCounters(stored);
    expect(sorted(stored)).toEqual(sorted(fleet.withCounters(after)));
    if (fleet.hasCounters(after)) counts.withCounters++;
    if (unstored.has(consumer.id) && fleet.hasCounters(before)) counts.unstored++;
    shares[consumer.id] = stored;
    checkPlace(before, after, drained, level!);
    fleet.add(after, 1);
    expect(fleet.exceeded()).toEqual([]);
  }
  counts.most += mostMoves(drain);
  expect(usageOf(withMoves(snapshot, moves))).toEqual(sumsOf(shares.flat()));
}

function plan(snapshot: Snapshot, { drained }: DrainCase, leaving: HeldConsumer[], seed: number): Move[] {
  const trees = new Set(drained.map((name) => treeIndexOf(snapshot.locate(uuidOf('provider', name))!)));
  const options = {
    keepsTraits: false,
    keepsAggregates: false,
    excludedRootTraits: [],
    leaves: (treeIndex: number) => trees.has(treeIndex),
  };
  const each = leaving.map((consumer) => ({
    consumer,
    from: allocationsIn(snapshot, consumer.allocations),
    requested: null,
    source: 'DERIVED' as const,
    requests: requestsByShape(snapshot, consumer.allocations, options),
    seed,
  }));
  const effort = new Effort();
  const steps = placeLeaving({ snapshot, trees, holdings: new Map(), others: [] }, each, effort);
  for (;;) {
    effort.allow(1 + (seed % 500));
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function heldBy(shares: readonly Share[], id: number): HeldConsumer {
  const allocations = shares.map(({ provider, amounts }) => ({
    resourceProvider: uuidOf('provider', provider),
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  const owner = { hasSeveralRows: false, isKept: false, consumerType: null, projectId: 'p', userId: 'u' };
  return { id, uuid: uuidOf('consumer', String(id)), generation: 1, ...owner, allocations };
}

/** Checks that a consumer kept its shape, at the strictest level that has a place. */
function checkPlace(
  before: readonly Share[],
  after: readonly Share[],
  drained: readonly string[],
  level: number,
): void {
  for (const { provider } of after) expect(drained.some((root) => provider.startsWith(root))).toBe(false);
  const isShared = (name: string): boolean => name.startsWith('s');
  const disk = (shares: readonly Share[]) => shares.find(({ amounts }) => 'DISK_GB' in amounts)?.provider;
  const [from, to] = [disk(before), disk(after)];
  if (from !== undefined && !isShared(from) && isShared(to!)) {
    counts.toSharing++;
    expect(level).toBe(LEVELS - 1);
  }
  if (from !== undefined && isShared(from) && from !== to) expect(level).toBeGreaterThan(0);
  const matched = before.map(({ amounts }) =>
    after.filter((each) => JSON.stringify(each.amounts) === JSON.stringify(amounts)),
  );
  const assign = (at: number, chosen: Share[]): boolean =>
    at === before.length
      ? keepsShape(before, chosen)
      : matched[at].some((each) => !chosen.includes(each) && assign(at + 1, [...chosen, each]));
  expect(assign(0, [])).toBe(true);
}

function sharesOf(snapshot: Snapshot, allocations: readonly CandidateAllocation[]): Share[] {
  return allocations.map(({ provider: { block, row }, resources }) => ({
    provider: block.names[row],
    amounts: Object.fromEntries(
      resources.map(({ resourceClass, amount }) => [snapshot.classes.nameOf(resourceClass), amount]),
    ),
  }));
}

const sorted = (shares: readonly Share[]): Share[] =>
  [...shares].sort((a, b) => (a.provider < b.provider ? -1 : 1));

function sumsOf(shares: readonly Share[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { provider, amounts } of shares)
    for (const [name, amount] of Object.entries(amounts))
      sums[`${provider} ${name}`] = (sums[`${provider} ${name}`] ?? 0) + amount;
  return sums;
}

function usageOf({ blocks, classes }: Snapshot): Record<string, number> {
  const used: [string, number][] = [];
  for (const block of blocks)
    block.names.forEach((name, row) => {
      for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
        if (block.used[at] !== 0) used.push([`${name} ${classes.nameOf(block.classes[at])}`, block.used[at]]);
    });
  return Object.fromEntries(used);
}
