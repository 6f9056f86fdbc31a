import { expect, test } from '@jest/globals';
import { type Candidate, anchorAt, linkedSharingProviders } from '../../src/search/anchor.js';
import { Effort, EXHAUSTED, PAUSED } from '../../src/model/operation/waiting.js';
import { planRequest, type Plan } from '../../src/search/plan.js';
import { treeOf, TREES_PER_BLOCK, type Snapshot } from '../../src/fleet/snapshot.js';
import { orderOf } from '../../src/search/ordered/terms/order.js';
import { scoreOf } from '../../src/search/ordered/ranking.js';
import type { Term } from '../../src/search/ordered/terms/term.js';
import { Descent, smallestDomainFirst } from '../../src/search/descent.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { PairArbitrary } from '../oracle/pairArbitrary.js';
import { Random } from '../oracle/random.js';
import { randomOrder } from '../oracle/randomOrder.js';
import { candidateLines } from '../support/answers.js';
import { query, toRequest } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { forest } from '../support/forest.js';
import { cases } from '../support/length.js';

test('the traits of a sharing provider do not lower the bound of its own tree', () => {
  const hosts = forest(`
    R1 @A
      D1 DISK_GB:10 +HW_X sharing
    R2 DISK_GB:10 @A +HW_Y
    R3 DISK_GB:10 @A +HW_Y
  `);
  const request = query('resources=DISK_GB:1&member_of=A');
  const weights = [
    { trait: 'HW_X', weight: -5 },
    { trait: 'HW_Y', weight: -1 },
  ];
  const answer = engineAnswer(hosts, { ...request, orderBy: [{ preferTraits: weights }] }, { limit: 1 });
  expect(candidateLines(answer, hosts)).toEqual(['D1 DISK_GB:1']);
});

/** The number of candidates of a tree that are compared with the bounds. */
const MAX_CANDIDATES = 50;

/** Returns the scores of candidates at a tree, and the bounds of the tree before and after a visit. */
function scoresAt(
  snapshot: Snapshot,
  plan: Plan,
  terms: readonly Term[],
  filter: TreeFilter,
  treeIndex: number,
): { scores: (readonly number[])[]; bounds: number[][] } {
  const tree = treeOf(snapshot, treeIndex);
  const anchor = anchorAt(snapshot, plan, filter, treeIndex, { seed: 1, effort: new Effort() });
  if (anchor === null) return { scores: [], bounds: [] };
  const order = smallestDomainFirst(plan, anchor);
  const ofTree = terms.map((term) =>
    term.boundOfTree(tree, () => linkedSharingProviders(snapshot, plan, tree)),
  );
  const visited = terms.map((term) => term.boundAt(anchor, order).best());
  const ofBlock = terms.map((term) => {
    const column = new Float64Array(TREES_PER_BLOCK);
    term.writeTreeBounds?.(tree.block, column);
    return term.writeTreeBounds && term.boundBySharing === null
      ? column[treeIndex - tree.block.firstTree]
      : Infinity;
  });
  const descent = new Descent(plan, anchor, new Effort());
  const scores: (readonly number[])[] = [];
  while (scores.length < MAX_CANDIDATES) {
    const assignments = descent.next();
    if (assignments === EXHAUSTED || assignments === PAUSED) break;
    scores.push(scoreOf(plan, { assignments } satisfies Candidate));
  }
  return { scores, bounds: [ofBlock, ofTree, visited] };
}

test('no candidate scores above a bound of its tree', async () => {
  let found = 0;
  const numRuns = cases(5_000, 500);
  await assertEnough(
    fc.property(new PairArbitrary(), fc.nat(), ({ forest: from, request }, chance) => {
      const orderBy = randomOrder(new Random(chance), from, request);
      const snapshot = snapshotOf(from);
      const plan = planRequest(snapshot, toRequest({ ...request, orderBy }, from));
      if (plan === null) return;
      const filter = new TreeFilter(snapshot, plan);
      const { terms } = orderOf(plan, filter);
      for (let tree = 0; tree < snapshot.treeCount; tree++) {
        if (!filter.passes(tree)) continue;
        const { scores, bounds } = scoresAt(snapshot, plan, terms, filter, tree);
        found += scores.length;
        for (const score of scores)
          for (const bound of bounds)
            if (!score.every((number, at) => bound[at] >= number))
              throw new Error(`${score.join()} above ${bound.join()}`);
      }
    }),
    { numRuns },
    () => found > numRuns,
  );
});
