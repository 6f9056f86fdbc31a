import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { allocationsOf, anchorTreeOf, type Candidate } from '../../src/search/anchor.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest, type Plan } from '../../src/search/plan.js';
import { mix } from '../../src/model/collections.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { searchFor } from '../../src/search/candidateSearch.js';
import { valuesOf } from '../../src/search/ordered/terms/values.js';
import { withAllocated } from '../../src/search/overlay/snapshotOverlay.js';
import { Placer } from '../../src/moves/placer.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { naiveAnswer } from '../oracle/naive.js';
import { claimedFrom } from '../oracle/packing.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { Random } from '../oracle/random.js';
import { randomOrder } from '../oracle/randomOrder.js';
import { scorer, sortScores } from '../oracle/score.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import { candidateOf, finished, snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { forest } from '../support/forest.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';
import { cases } from '../support/length.js';

interface Options {
  count: number;
  seed: number;
  isDistinct: boolean;
}

/** The same by fresh searches, each in a new snapshot. */
function oneByOne(snapshot: Snapshot, plan: Plan, { count, seed, isDistinct }: Options): Candidate[] {
  const found: Candidate[] = [];
  const excluded = new Set<number>();
  for (let left = snapshot; found.length < count;) {
    const search = searchFor(left, plan, {
      limit: 1,

      stopsAtLimit: true,
      seed: found.length === 0 ? seed : mix(seed, found.length),
      filter: new TreeFilter(left, plan, excluded),
    });
    search.run();
    const [candidate] = search.candidates;
    if (candidate === undefined) break;
    const tree = anchorTreeOf(candidate);
    if (isDistinct && tree === null) break;
    if (isDistinct) excluded.add(tree!);
    found.push({ ...candidate, values: valuesOf(plan, candidate) });
    left = withAllocated(left, allocationsOf(plan, candidate));
  }
  return found;
}

function inSequence(
  snapshot: Snapshot,
  plan: Plan,
  { count, seed, isDistinct }: Options,
  budget = Infinity,
): readonly Candidate[] {
  // every second seed knows the first candidate, as a claim does
  const search = searchFor(snapshot, plan, { limit: 1, stopsAtLimit: true, seed });
  if (seed % 2 === 0) search.run();
  const [first] = search.candidates;
  const options = { count, seed, first, placement: isDistinct ? 'DISTINCT_TREES' : 'ANY' } as const;
  return finished((effort) => new Placer(snapshot, plan, options, effort).sequence(), budget);
}

/** What candidates allocate, in which order, and what they leave free, as far as it does not depend on whose blocks they name. */
function picture(plan: Plan, candidates: readonly Candidate[]): unknown[] {
  return candidates.map((candidate) => [
    candidate.values,
    allocationsOf(plan, candidate).map(({ provider: { block, row }, resources }) => [
      block.ids[row],
      resources,
    ]),
  ]);
}

/** The request with an order, or without one. */
function ordered(random: Random, { forest, request }: Pair): CaseRequest {
  return { ...request, orderBy: random.chance(20) ? [] : randomOrder(random, forest, request) };
}

test('a sequence gives what fresh searches give one after another', async () => {
  let several = 0;
  let exhausted = 0;
  const law = fc.property(new PairArbitrary(), fc.nat(), fc.boolean(), (pair, chance, isDistinct) => {
    const random = new Random(chance);
    const request = ordered(random, pair);
    const snapshot = snapshotOf(pair.forest);
    const plan = planRequest(snapshot, toRequest(request, pair.forest));
    fc.pre(plan !== null);
    const options = { count: random.between(1, 12), seed: chance, isDistinct };
    const right = oneByOne(snapshot, plan, options);
    if (right.length > 1) several++;
    if (right.length < options.count) exhausted++;
    const found = inSequence(snapshot, plan, options, 1 + (chance % 40));
    if (!isDeepStrictEqual(picture(plan, found), picture(plan, right)))
      expect(picture(plan, found)).toEqual(picture(plan, right));
    if (chance % 20 !== 0) return;
    for (const { index } of snapshot.blocks) index.bestBounds.clear();
    expect(snapshot).toEqual(snapshotOf(pair.forest));
  });
  const numRuns = cases(1_000, 100);
  await assertEnough(law, { numRuns }, () => Math.min(several, exhausted) > numRuns / 10);
}, 120_000);

test('each of a sequence is the best that the naive engine finds after those before it', async () => {
  let several = 0;
  const law = fc.property(new PairArbitrary(), fc.nat(), (pair, chance) => {
    const drawn = ordered(new Random(chance), pair);
    // the shares of aggregates are those before the whole claim
    const orderBy = drawn.orderBy!.filter(({ freeShare }) => !freeShare?.aggregates?.length);
    const request = { ...drawn, orderBy };
    fc.pre(orderBy.length > 0);
    const snapshot = snapshotOf(pair.forest);
    const plan = planRequest(snapshot, toRequest(request, pair.forest));
    fc.pre(plan !== null && naiveAnswer(pair.forest, request).candidates.length <= 30);
    const count = 4;
    const candidates = inSequence(snapshot, plan, { count, seed: chance, isDistinct: false });
    if (candidates.length > 1) several++;
    let left = pair.forest;
    for (const candidate of candidates) {
      const all = naiveAnswer(left, request).candidates;
      const [best] = sortScores(all.map(scorer(left, request)), request);
      const found = candidateOf(snapshot, plan, candidate);
      expect(scorer(left, request)(found)).toEqual(best);
      left = claimedFrom(left, found);
    }
    if (candidates.length < count) expect(naiveAnswer(left, request).candidates).toEqual([]);
  });
  const numRuns = cases(300, 50);
  await assertEnough(law, { numRuns }, () => several > numRuns / 6);
}, 120_000);

const MANY = cases(200, 20);

describe('in a fleet of 1,000 hosts', () => {
  const { snapshot } = fleetSnapshot(1_000);

  test.each([
    [MANY, 'in any order', ''],
    [MANY, 'spread', '&order_by=VCPU:spread'],
    [MANY, 'packed', '&order_by=VCPU:pack'],
    [MANY, 'spread by two classes', '&order_by=VCPU:spread,MEMORY_MB:spread'],
    [MANY, 'packed by two classes', '&order_by=MEMORY_MB:pack,VCPU:pack'],
    [5, 'spread by a class that is shared', '&order_by=DISK_GB:spread,VCPU:pack'],
  ])('%i consumers %s', (count, _, order) => {
    const request = toRequest(
      query(`resources=VCPU:4,MEMORY_MB:8192,DISK_GB:20${order}`),
      forest('H VCPU:1'),
    );
    const plan = planRequest(snapshot, request)!;
    for (const isDistinct of [false, true]) {
      const options = { count, seed: 3, isDistinct };
      const right = oneByOne(snapshot, plan, options);
      expect(right).toHaveLength(count);
      expect(picture(plan, inSequence(snapshot, plan, options))).toEqual(picture(plan, right));
    }
  });

  test('after the first of them only the blocks that changed are read, and about one tree each is visited', () => {
    for (const order of ['VCPU:spread', 'VCPU:pack', 'VCPU:spread,MEMORY_MB:spread']) {
      const request = query(`resources=VCPU:4,MEMORY_MB:8192,DISK_GB:20&order_by=${order}`);
      const plan = planRequest(snapshot, toRequest(request, forest('H VCPU:1')))!;
      const effortOf = (count: number): number => {
        const effort = new Effort();
        new Placer(snapshot, plan, { count, seed: 1, placement: 'ANY' }, effort).sequence().next();
        return effort.spent;
      };
      effortOf(1);
      expect(effortOf(200)).toBeLessThan(200 * 60);
    }
  });
});
