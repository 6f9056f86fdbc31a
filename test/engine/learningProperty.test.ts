import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { anchorAt } from '../../src/search/anchor.js';
import { Descent } from '../../src/search/descent.js';
import { FruitlessTrees } from '../../src/search/fruitlessTrees.js';
import { sumTable } from '../../src/search/splitting/sumTable.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { Effort, EXHAUSTED, PAUSED } from '../../src/model/operation/waiting.js';
import { planRequest, type Plan } from '../../src/search/plan.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { CrowdedPairArbitrary } from '../oracle/crowdedPairs.js';
import { naiveAnswer } from '../oracle/naive.js';
import { candidateKeys } from '../support/answers.js';
import { toRequest } from '../support/caseRequests.js';
import { engineAnswer, snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import type { Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

const runs = Math.ceil(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 10_000) / 2);
const TIME = Math.max(120_000, runs * 60);

/** All that a descent at a tree gives, by the positions of providers; null where there is no anchor. */
function descended(snapshot: Snapshot, plan: Plan, treeIndex: number, looksAhead: boolean): string[] | null {
  const anchor = anchorAt(snapshot, plan, new TreeFilter(snapshot, plan), treeIndex, {
    seed: 1,
    effort: new Effort(),
  });
  if (anchor === null) return null;
  const descent = new Descent(plan, anchor, new Effort(), null, looksAhead);
  const found: string[] = [];
  for (;;) {
    const solution = descent.next();
    if (solution === EXHAUSTED || solution === PAUSED) return found;
    found.push(
      JSON.stringify(
        solution.map((one) =>
          'parts' in one
            ? one.parts.map(({ provider, amount }) => [provider.treeIndex, provider.row, amount])
            : [one.treeIndex, one.row],
        ),
      ),
    );
  }
}

test.each([
  ['random', new PairArbitrary()],
  ['crowded', new CrowdedPairArbitrary()],
])(
  'looking ahead loses no candidate and keeps their order: %s pairs',
  async (_, pairs) => {
    let empty = 0;
    await assertEnough(
      fc.property(pairs, ({ forest, request }: Pair) => {
        const snapshot = snapshotOf(forest);
        const plan = planRequest(snapshot, toRequest(request, forest));
        for (let tree = 0; plan !== null && tree < snapshot.treeCount; tree++) {
          const plain = descended(snapshot, plan, tree, false);
          if (plain?.length === 0) empty++;
          const ahead = descended(snapshot, plan, tree, true);
          if (!isDeepStrictEqual(ahead, plain)) expect(ahead).toEqual(plain);
        }
      }),
      { numRuns: runs },
      () => empty > runs / 50,
    );
  },
  TIME,
);

test(
  'the engine and the naive engine agree on crowded hosts',
  async () => {
    let answered = 0;
    await assertEnough(
      fc.property(new CrowdedPairArbitrary(), fc.nat(), ({ forest, request }, seed) => {
        const right = candidateKeys(naiveAnswer(forest, request).candidates);
        if (right.length > 0) answered++;
        const found = candidateKeys(engineAnswer(forest, request, { seed }).candidates);
        if (!isDeepStrictEqual(found, right)) expect(found).toEqual(right);
      }),
      { numRuns: runs },
      () => answered > runs / 50,
    );
  },
  TIME,
);

/** The same trees once more, under other names. */
function doubled({ providers, allocations }: Forest): Forest {
  const again = (name: string): string => `${name}'`;
  const uuidAgain = (uuid: string): string => uuid.replace(/^.{8}/, (start) => [...start].reverse().join(''));
  return {
    providers: [
      ...providers,
      ...providers.map((one) => ({
        ...one,
        name: again(one.name),
        uuid: uuidAgain(one.uuid),
        consumes: Object.fromEntries(
          Object.entries(one.consumes ?? {}).map(([name, counters]) => [
            name,
            counters.map((counter) => ({ ...counter, provider: uuidAgain(counter.provider) })),
          ]),
        ),
        parent: one.parent === null ? null : again(one.parent),
      })),
    ],
    allocations: [
      ...allocations,
      ...allocations.map((one) => ({ ...one, provider: again(one.provider), consumer: again(one.consumer) })),
    ],
  };
}

test(
  'a tree that is like one without a candidate has none',
  async () => {
    let alike = 0;
    await assertEnough(
      fc.property(fc.oneof(new PairArbitrary(), new CrowdedPairArbitrary()), (pair) => {
        const forest = doubled(pair.forest);
        const snapshot = snapshotOf(forest);
        const plan = planRequest(snapshot, toRequest(pair.request, forest));
        if (plan === null || !FruitlessTrees.canCompare(plan)) return;
        const filter = new TreeFilter(snapshot, plan);
        const trees = new FruitlessTrees(snapshot, plan, filter.shareable.includes(true));
        for (let tree = 0; tree < snapshot.treeCount; tree++) {
          const found = descended(snapshot, plan, tree, false) ?? [];
          if (trees.has(tree)) {
            alike++;
            expect(found).toEqual([]);
          } else if (found.length === 0) trees.add(tree);
        }
      }),
      { numRuns: runs },
      () => alike > runs / 50,
    );
  },
  TIME,
);

test('a table of sums states for each set of contributors whether it reaches the amount', () => {
  const contributor = fc
    .record({
      least: fc.integer({ min: 1, max: 6 }),
      more: fc.nat({ max: 12 }),
      step: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ least, more, step }) => {
      const top = least + more;
      return { least, most: Math.max(least, top - (top % step)), step, free: top };
    });
  const amountsOf = ({ least, most, step }: { least: number; most: number; step: number }): number[] =>
    Array.from({ length: most + 1 }, (_, amount) => amount).filter(
      (amount) => amount === least || (amount > least && amount % step === 0),
    );
  fc.assert(
    fc.property(
      fc.array(contributor, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(),
      fc.nat(),
      (contributors, amount, bits, more) => {
        const members = [...contributors.keys()].filter((at) => (bits >> at) & 1);
        if (members.length === 0) return;
        const open = more % 3;
        const after = members[members.length - 1] + 1;
        const makes = (at: number, count: number, rest: number): boolean =>
          rest === 0 ||
          (at < contributors.length &&
            (makes(at + 1, count, rest) ||
              (count > 0 &&
                amountsOf(contributors[at]).some(
                  (part) => part <= rest && makes(at + 1, count - 1, rest - part),
                ))));
        const withMembers = (at: number, rest: number): boolean =>
          at === members.length
            ? makes(after, open, rest)
            : amountsOf(contributors[members[at]]).some(
                (part) => part <= rest && withMembers(at + 1, rest - part),
              );
        const table = sumTable(contributors, amount, 1, new Effort())!;
        expect(table(members, open)).toBe(withMembers(0, amount));
      },
    ),
    { numRuns: cases(2_000, 500) },
  );
});
