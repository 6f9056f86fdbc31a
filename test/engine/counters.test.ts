import { describe, expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { InvalidInput } from '../../src/model/input.js';
import { validateIn } from '../../src/search/candidateSearch.js';
import { naiveAnswer } from '../oracle/naive.js';
import { PairArbitrary } from '../oracle/pairArbitrary.js';
import { candidateKeys } from '../support/answers.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import { profileClass } from '../../src/command/fleetSources/migCards.js';
import { engineAnswer, engineExplanation, engineHeadroom, snapshotOf } from '../support/engine.js';
import { uuidOf } from '../support/forest.js';
import { cases, IS_FULL } from '../support/length.js';
import {
  CARDS,
  classOf,
  hostOf,
  isFree,
  partitionName,
  placementsOf,
  validStates,
  withPlaced,
  type Placement,
} from '../support/migCards.js';

const asking = (resources: Record<string, number>[]): CaseRequest => ({
  groups: resources.map((each, at) => ({ suffix: `_${at}`, resources: each })),
});

const repeated = (resourceClass: string, count: number): Record<string, number>[] =>
  Array.from({ length: count }, () => ({ [resourceClass]: 1 }));

const H100 = CARDS['H100-80GB'];
const ME = 'CUSTOM_MIG_1G_10GB_ME';

/** Returns a placement by its profile and position. */
const placementOf = (name: string): Placement =>
  placementsOf(H100).find(({ profile, position }) => `${profile} ${position}` === name)!;

/** Returns in how many ways partitions of these profiles fit on cards, by trying each placement of each card. */
function combinations(cards: readonly (readonly Placement[])[], [first, ...rest]: readonly string[]): number {
  if (first === undefined) return 1;
  let count = 0;
  for (const [card, placed] of cards.entries())
    for (const placement of placementsOf(H100))
      if (placement.profile === first && isFree(placement, placed))
        count += combinations(cards.with(card, [...placed, placement]), rest);
  return count;
}

/** The numbers of states that docs/guides/gpus.md states. */
const STATES = { 'A100-80GB': 2319, 'H100-80GB': 2319, 'A30-24GB': 76 };

describe.each(Object.entries(STATES))('partitions of %s', (name, number) => {
  const card = CARDS[name];
  const states = validStates(card);
  // short runs try some states
  const tried = states.filter((_, at) => IS_FULL || at % 11 === 0);
  const classes = [...new Set(placementsOf(card).map(classOf))];

  test(`a card has ${number} states`, () => {
    expect(states.length).toBe(number);
  });

  test.each([true, false])(
    'every state has exactly its valid placements, counters stored: %s',
    (hasCounters) => {
      for (const state of tried) {
        const forest = withPlaced(hostOf(card, 1), state, { hasCounters });
        const snapshot = snapshotOf(forest);
        for (const resourceClass of classes) {
          const free = placementsOf(card)
            .filter((each) => classOf(each) === resourceClass && isFree(each, state))
            .map((each) => uuidOf('provider', partitionName(each)));
          const { candidates } = engineAnswer(forest, asking([{ [resourceClass]: 1 }]), { snapshot });
          const found = candidates.map(({ mappings }) => mappings._0[0]);
          expect({ state, resourceClass, found: found.sort() }).toEqual({
            state,
            resourceClass,
            found: free.sort(),
          });
        }
      }
    },
  );

  test('the headroom of every state is the largest number of further placements', () => {
    const after = new Map(classes.map((each) => [each, new Map<string, number>()]));
    const keyOf = (state: readonly Placement[]): string =>
      state
        .map((each) => partitionName(each))
        .sort()
        .join();
    for (const state of states) {
      for (const resourceClass of classes) {
        const others = state.filter((each) => classOf(each) !== resourceClass);
        const own = state.filter((each) => classOf(each) === resourceClass);
        // each part of the own placements may be there before
        for (let part = 0; part < 1 << own.length; part++) {
          const before = keyOf([...others, ...own.filter((_, at) => (part >> at) & 1)]);
          const more = own.filter((_, at) => !((part >> at) & 1)).length;
          const counts = after.get(resourceClass)!;
          counts.set(before, Math.max(counts.get(before) ?? 0, more));
        }
      }
    }
    for (const state of tried) {
      const forest = withPlaced(hostOf(card, 1), state);
      const snapshot = snapshotOf(forest);
      for (const resourceClass of classes) {
        const { count } = engineHeadroom(forest, asking([{ [resourceClass]: 1 }]), 8, Infinity, snapshot);
        expect({ state, resourceClass, count }).toEqual({
          state,
          resourceClass,
          count: after.get(resourceClass)!.get(keyOf(state)),
        });
      }
    }
  });
});

describe('several partitions', () => {
  test('a candidate contains the counters', () => {
    const { candidates } = engineAnswer(hostOf(H100, 1), asking([{ CUSTOM_MIG_4G_40GB: 1 }]));
    const [{ allocations }] = candidates;
    expect(allocations[uuidOf('provider', 'host-gpu-0')]).toEqual({
      CUSTOM_MIG_MEMORY_0: 1,
      CUSTOM_MIG_MEMORY_1: 1,
      CUSTOM_MIG_MEMORY_2: 1,
      CUSTOM_MIG_MEMORY_3: 1,
      CUSTOM_MIG_MULTIPROCESSORS: 64,
      CUSTOM_MIG_COPY_ENGINES: 4,
      CUSTOM_MIG_DECODERS: 4,
    });
  });

  test('several groups share the counters of a card', () => {
    const groups = ['CUSTOM_MIG_3G_40GB', 'CUSTOM_MIG_2G_20GB', 'CUSTOM_MIG_1G_20GB'];
    const { candidates } = engineAnswer(hostOf(H100, 1), asking(groups.map((each) => ({ [each]: 1 }))));
    const found = candidates.map(({ mappings }) => Object.values(mappings).flat().sort().join());
    const valid = validStates(H100)
      .filter((state) => state.map(classOf).sort().join() === [...groups].sort().join())
      .map((state) =>
        state
          .map((each) => uuidOf('provider', partitionName(each)))
          .sort()
          .join(),
      );
    expect(valid.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(valid.sort());
  });

  test('at most one +me form is on a card', () => {
    const twice = asking([{ [ME]: 1 }, { [ME]: 1 }]);
    expect(engineAnswer(hostOf(H100, 1), twice).candidates).toEqual([]);
    expect(engineAnswer(hostOf(H100, 2), twice).candidates).toHaveLength(2 * 7 * 7);
  });

  test.each([
    ['57 x 1g.10gb', repeated('CUSTOM_MIG_1G_10GB', 57)],
    [
      '8 x 3g.40gb and 33 x 1g.10gb',
      [...repeated('CUSTOM_MIG_3G_40GB', 8), ...repeated('CUSTOM_MIG_1G_10GB', 33)],
    ],
    ['9 x 1g.10gb+me', repeated(ME, 9)],
  ])('%s do not fit on 8 cards, which takes little work to prove', (_name, groups) => {
    const { candidates, effort } = engineAnswer(hostOf(H100, 8), asking(groups), { limit: 1 });
    expect(candidates).toEqual([]);
    expect(effort.spent).toBeLessThan(30_000);
  });

  test.each([
    [
      '8 x 4g.40gb and 8 x 3g.40gb',
      [...repeated('CUSTOM_MIG_4G_40GB', 8), ...repeated('CUSTOM_MIG_3G_40GB', 8)],
    ],
    ['56 x 1g.10gb', repeated('CUSTOM_MIG_1G_10GB', 56)],
  ])('%s fill 8 cards', (_name, groups) => {
    const { candidates, effort } = engineAnswer(hostOf(H100, 8), asking(groups), { limit: 1 });
    expect(candidates).toHaveLength(1);
    expect(effort.spent).toBeLessThan(30_000);
  });

  test('a mixed request that fits by one combination only is found with little work', () => {
    const cards = [
      [],
      ['3g.40gb 4'],
      ['4g.40gb 0'],
      ['4g.40gb 0', '1g.10gb 6'],
      ['4g.40gb 0', '2g.20gb 4'],
      ['3g.40gb 4', '2g.20gb 0', '1g.10gb+me 2'],
      ['3g.40gb 4', '2g.20gb 0', '1g.10gb 2'],
      ['4g.40gb 0', '3g.40gb 4'],
    ].map((names) => names.map(placementOf));
    const forest = cards.reduce(
      (all, placed, card) => withPlaced(all, placed, { card }),
      hostOf(H100, cards.length),
    );
    const only = [
      ['7g.80gb', 0, 0],
      ['4g.40gb', 1, 0],
      ['3g.40gb', 2, 4],
      ['2g.20gb', 3, 4],
      ['1g.20gb', 4, 6],
      ['1g.10gb', 5, 3],
      ['1g.10gb+me', 6, 3],
    ] as const;
    const profiles = only.map(([profile]) => profile);
    expect(combinations(cards, profiles)).toBe(1);
    for (const wanted of [profiles, [...profiles].reverse()]) {
      const groups = wanted.map((profile) => ({ [profileClass(profile)]: 1 }));
      const { candidates, effort } = engineAnswer(forest, asking(groups));
      expect(candidates.map(({ mappings }) => Object.values(mappings).flat().sort())).toEqual([
        only
          .map(([profile, card, position]) =>
            uuidOf('provider', partitionName(placementOf(`${profile} ${position}`), card)),
          )
          .sort(),
      ]);
      expect(effort.spent).toBeLessThan(30_000);
    }
  });

  test('headroom of two profiles together is exact', () => {
    const states = validStates(H100);
    const fits = (state: readonly Placement[], profiles: readonly string[], claims: number): boolean => {
      // places the partitions one after another, in every way
      const wanted = Array.from({ length: claims }, () => profiles)
        .flat()
        .sort();
      const placed = (now: readonly Placement[], at: number): boolean =>
        at === wanted.length ||
        placementsOf(H100).some(
          (each) => each.profile === wanted[at] && isFree(each, now) && placed([...now, each], at + 1),
        );
      return placed(state, 0);
    };
    const names = Object.keys(H100.profiles);
    const every = IS_FULL ? 23 : 211;
    for (const state of states.filter((_, at) => at % every === 0)) {
      const forest = withPlaced(hostOf(H100, 1), state);
      const snapshot = snapshotOf(forest);
      for (const one of names)
        for (const other of names) {
          let most = 0;
          while (most < 4 && fits(state, [one, other], most + 1)) most++;
          const groups = [one, other].map((profile) => ({ [profileClass(profile)]: 1 }));
          const { count, exact } = engineHeadroom(forest, asking(groups), 8, Infinity, snapshot);
          expect({ one, other, count, exact }).toEqual({ one, other, count: most, exact: true });
        }
    }
  });

  test('an explanation names what occupies the memory slices', () => {
    const three = placementsOf(H100).find((each) => each.profile === '3g.40gb' && each.position === 4)!;
    const forest = withPlaced(hostOf(H100, 1), [three]);
    expect(engineExplanation(forest, asking([{ CUSTOM_MIG_7G_80GB: 1 }])).summary).toContain(
      'at most 0 CUSTOM_MIG_7G_80GB; CUSTOM_MIG_MEMORY_4 to CUSTOM_MIG_MEMORY_7 of host-gpu-0 are used by ' +
        'host-gpu-0-3g.40gb-4',
    );
    const media = placementsOf(H100).filter((each) => each.profile === '1g.10gb+me' && each.position === 0);
    expect(engineExplanation(withPlaced(hostOf(H100, 1), media), asking([{ [ME]: 1 }])).summary).toContain(
      'CUSTOM_MIG_OFA_ENGINES of host-gpu-0 is used by host-gpu-0-1g.10gb+me-0',
    );
    const both = asking([{ CUSTOM_MIG_3G_40GB: 1 }, { CUSTOM_MIG_4G_40GB: 1 }]);
    const { combination } = engineExplanation(withPlaced(hostOf(H100, 1), media), both);
    expect(combination.at(-1)).toMatchObject({ constraint: 'TREE_LACKS_GROUP' });
    const seven = asking(repeated('CUSTOM_MIG_1G_10GB', 8));
    expect(engineExplanation(hostOf(H100, 1), seven).combination.at(-1)).toMatchObject({
      constraint: 'MERGED_AMOUNT',
    });
    const four = asking([{ CUSTOM_MIG_4G_40GB: 1 }, { CUSTOM_MIG_2G_20GB: 1 }, { CUSTOM_MIG_3G_40GB: 1 }]);
    expect(engineExplanation(hostOf(H100, 1), four).combination.at(-1)).toMatchObject({
      constraint: 'COUNTERS',
      eliminated: 1,
    });
  });

  test('least stranding prefers the position that spoils the fewest larger partitions', () => {
    const positions = (
      profile: string,
      placed: readonly Placement[],
      weights: { resourceClass: string; weight: number }[] = [],
    ) => {
      const request = asking([{ [profileClass(profile)]: 1 }]);
      request.orderBy = [{ leastStranding: { weights } }];
      const { candidates } = engineAnswer(withPlaced(hostOf(H100, 1), placed), request);
      const nameOf = new Map(
        placementsOf(H100).map((each) => [uuidOf('provider', partitionName(each)), each.position]),
      );
      return candidates.map(({ mappings }) => nameOf.get(mappings._0[0]));
    };
    expect(positions('1g.10gb', [])[0]).toBe(6);
    expect(positions('1g.20gb', [])[0]).toBe(6);
    expect(positions('3g.40gb', [])[0]).toBe(4);
    expect(positions('2g.20gb', [])[0]).toBe(4);
    const four = placementsOf(H100).filter((each) => each.profile === '4g.40gb');
    expect(positions('1g.10gb', four)[0]).toBe(6);
    // only 1g.20gb counts: positions 0 to 6 lose one each
    const others = Object.keys(H100.profiles)
      .filter((profile) => profile !== '2g.20gb' && profile !== '1g.10gb')
      .map((profile) => ({ resourceClass: profileClass(profile), weight: 0 }));
    expect(positions('1g.10gb', [], others)[0]).toBe(6);
  });

  test('a counter cannot be requested', () => {
    const forest = hostOf(H100, 1);
    const request = toRequest(query('resources=CUSTOM_MIG_DECODERS:1'), forest);
    expect(() => validateIn(snapshotOf(forest), request)).toThrow(InvalidInput);
    expect(() => validateIn(snapshotOf(forest), request)).toThrow('CUSTOM_MIG_DECODERS is a counter');
  });
});

test('the engine and the naive engine agree on random forests with counters', () => {
  fc.assert(
    fc.property(new PairArbitrary(100), ({ forest, request }) => {
      const found = engineAnswer(forest, request);
      expect(candidateKeys(found.candidates)).toEqual(candidateKeys(naiveAnswer(forest, request).candidates));
    }),
    { numRuns: cases(20_000, 2_000) },
  );
});
