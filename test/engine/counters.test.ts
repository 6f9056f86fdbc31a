import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidInput } from '../../src/model/input.js';
import { validateIn } from '../../src/search/candidateSearch.js';
import { naiveAnswer } from '../oracle/naive.js';
import { PairArbitrary } from '../oracle/pairArbitrary.js';
import { candidateKeys } from '../support/answers.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import { engineAnswer, engineHeadroom, snapshotOf } from '../support/engine.js';
import { uuidOf, type Forest, type InventoryRecord, type ProviderRecord } from '../support/forest.js';

/**
 * The sizes and positions, in slices of memory, and the compute slices of the profiles of an A100 and an H100 (NVIDIA
 * Multi-Instance GPU User Guide, supported profiles). The same for both, apart from the amount of memory.
 */
const PROFILES = {
  CUSTOM_1G: { memory: 1, compute: 1, starts: [0, 1, 2, 3, 4, 5, 6] },
  CUSTOM_1G_DOUBLE: { memory: 2, compute: 1, starts: [0, 2, 4, 6] },
  CUSTOM_2G: { memory: 2, compute: 2, starts: [0, 2, 4] },
  CUSTOM_3G: { memory: 4, compute: 3, starts: [0, 4] },
  CUSTOM_4G: { memory: 4, compute: 4, starts: [0] },
  CUSTOM_7G: { memory: 8, compute: 7, starts: [0] },
} as const;

type Profile = keyof typeof PROFILES;

interface Placement {
  readonly name: string;
  readonly profile: Profile;
  /** The slices of memory as bits. */
  readonly slices: number;
  readonly compute: number;
}

const PLACEMENTS: readonly Placement[] = Object.entries(PROFILES).flatMap(
  ([profile, { memory, compute, starts }]) =>
    starts.map((start) => ({
      name: `${profile}_AT_${start}`,
      profile: profile as Profile,
      slices: ((1 << memory) - 1) << start,
      compute,
    })),
);

const inventory = (total: number): InventoryRecord => ({
  total,
  reserved: 0,
  min_unit: 1,
  max_unit: 2147483647,
  step_size: 1,
  allocation_ratio: 1,
});

function provider(name: string, parent: string | null): ProviderRecord {
  return { name, uuid: uuidOf('provider', name), parent, inventories: {}, traits: [], aggregates: [] };
}

/** A card with a counter for each slice of memory and one for compute slices, and a partition for each placement. */
function card(name: string, host: string): ProviderRecord[] {
  const device = provider(name, host);
  for (let slice = 0; slice < 8; slice++) device.inventories[`CUSTOM_MEMORY_${slice}`] = inventory(1);
  device.inventories.CUSTOM_COMPUTE = inventory(7);
  const counter = (resourceClass: string, amount: number) => ({
    provider: device.uuid,
    resourceClass,
    amount,
  });
  const partitions = PLACEMENTS.map((placement) => {
    const partition = provider(`${name}_${placement.name}`, name);
    partition.inventories[placement.profile] = inventory(1);
    const slices = Array.from({ length: 8 }, (_, slice) => slice).filter(
      (slice) => (placement.slices >> slice) & 1,
    );
    partition.consumes = {
      [placement.profile]: [
        ...slices.map((slice) => counter(`CUSTOM_MEMORY_${slice}`, 1)),
        counter('CUSTOM_COMPUTE', placement.compute),
      ],
    };
    return partition;
  });
  return [device, ...partitions];
}

function host(cards: number): Forest {
  const names = Array.from({ length: cards }, (_, at) => `gpu${at}`);
  return {
    providers: [provider('host', null), ...names.flatMap((name) => card(name, 'host'))],
    allocations: [],
  };
}

/** Allocates placements of gpu0, without counters if another program has written them. */
function withPlaced(forest: Forest, placed: readonly Placement[], hasCounters: boolean): Forest {
  const allocations = placed.flatMap(({ name, profile }, at) => {
    const consumer = uuidOf('consumer', `${name} ${at}`);
    const own = { consumer, provider: `gpu0_${name}`, resourceClass: profile, used: 1 };
    const partition = forest.providers.find((each) => each.name === own.provider)!;
    const counters = partition.consumes![profile].map(({ resourceClass, amount }) => {
      return { consumer, provider: 'gpu0', resourceClass, used: amount };
    });
    return hasCounters ? [own, ...counters] : [own];
  });
  return { ...forest, allocations };
}

/** Returns the sets of placements that one card can have at the same time, without the search. */
function validStates(): Placement[][] {
  const states: Placement[][] = [];
  const grow = (state: Placement[], from: number, slices: number, compute: number): void => {
    states.push(state);
    for (let at = from; at < PLACEMENTS.length; at++) {
      const next = PLACEMENTS[at];
      if ((slices & next.slices) === 0 && compute + next.compute <= 7)
        grow([...state, next], at + 1, slices | next.slices, compute + next.compute);
    }
  };
  grow([], 0, 0, 0);
  return states;
}

const asking = (resources: Record<string, number>[]): CaseRequest => ({
  groups: resources.map((each, at) => ({ suffix: `_${at}`, resources: each })),
});

describe('partitions of a card', () => {
  const states = validStates();

  test.each([true, false])(
    'every state of a card has exactly its valid placements, counters stored: %s',
    (stored) => {
      expect(states.length).toBeGreaterThan(200);
      for (const state of states) {
        const forest = withPlaced(host(1), state, stored);
        const snapshot = snapshotOf(forest);
        const slices = state.reduce((all, placement) => all | placement.slices, 0);
        const compute = state.reduce((sum, placement) => sum + placement.compute, 0);
        for (const profile of Object.keys(PROFILES) as Profile[]) {
          const free = PLACEMENTS.filter((each) => each.profile === profile)
            .filter((each) => (each.slices & slices) === 0 && compute + each.compute <= 7)
            .map(({ name }) => uuidOf('provider', `gpu0_${name}`));
          const { candidates } = engineAnswer(forest, asking([{ [profile]: 1 }]), { snapshot });
          const found = candidates.map(({ mappings }) => mappings._0[0]);
          expect({ state, profile, found: found.sort() }).toEqual({ state, profile, found: free.sort() });
        }
      }
    },
  );

  test('the headroom of a card is the largest number of disjoint placements', () => {
    for (const state of states.filter((_, at) => at % 7 === 0)) {
      const forest = withPlaced(host(1), state, true);
      const after = states.filter((other) => state.every((placement) => other.includes(placement)));
      for (const profile of Object.keys(PROFILES) as Profile[]) {
        const counts = after
          .filter((other) => other.every((each) => state.includes(each) || each.profile === profile))
          .map((other) => other.length - state.length);
        const { count } = engineHeadroom(forest, asking([{ [profile]: 1 }]), 8);
        expect({ state, profile, count }).toEqual({ state, profile, count: Math.max(...counts) });
      }
    }
  });

  test('a candidate contains the counters', () => {
    const { candidates } = engineAnswer(host(1), asking([{ CUSTOM_4G: 1 }]));
    const [{ allocations }] = candidates;
    expect(allocations[uuidOf('provider', 'gpu0')]).toEqual({
      CUSTOM_MEMORY_0: 1,
      CUSTOM_MEMORY_1: 1,
      CUSTOM_MEMORY_2: 1,
      CUSTOM_MEMORY_3: 1,
      CUSTOM_COMPUTE: 4,
    });
  });

  test('several groups share the counters of a card', () => {
    const groups: Record<string, number>[] = [{ CUSTOM_3G: 1 }, { CUSTOM_2G: 1 }, { CUSTOM_1G_DOUBLE: 1 }];
    const { candidates } = engineAnswer(host(1), asking(groups));
    expect(candidates.length).toBeGreaterThan(0);
    for (const { mappings } of candidates) {
      const placed = Object.values(mappings).map(([uuid]) =>
        PLACEMENTS.find(({ name }) => uuidOf('provider', `gpu0_${name}`) === uuid)!,
      );
      expect(states.some((state) => state.length === 3 && placed.every((each) => state.includes(each)))).toBe(
        true,
      );
    }
  });

  test.each([
    ['57 of the smallest profile', Array.from({ length: 57 }, () => ({ CUSTOM_1G: 1 }))],
    [
      '8 of three slices and 33 of the smallest profile',
      [
        ...Array.from({ length: 8 }, () => ({ CUSTOM_3G: 1 })),
        ...Array.from({ length: 33 }, () => ({ CUSTOM_1G: 1 })),
      ],
    ],
  ])('%s do not fit on 8 cards, which takes little work to prove', (_name, groups) => {
    const { candidates, effort } = engineAnswer(host(8), asking(groups), { limit: 1 });
    expect(candidates).toEqual([]);
    expect(effort.spent).toBeLessThan(20_000);
  });

  test('a request that fills 8 cards is found', () => {
    const groups = [
      ...Array.from({ length: 8 }, () => ({ CUSTOM_4G: 1 })),
      ...Array.from({ length: 8 }, () => ({ CUSTOM_3G: 1 })),
    ];
    const { candidates, effort } = engineAnswer(host(8), asking(groups), { limit: 1 });
    expect(candidates).toHaveLength(1);
    expect(effort.spent).toBeLessThan(20_000);
  });

  test('a counter cannot be requested', () => {
    const forest = host(1);
    const request = toRequest(query('resources=CUSTOM_COMPUTE:1'), forest);
    expect(() => validateIn(snapshotOf(forest), request)).toThrow(InvalidInput);
    expect(() => validateIn(snapshotOf(forest), request)).toThrow('CUSTOM_COMPUTE is a counter');
  });
});

test('the engine and the naive engine agree on random forests with counters', () => {
  // other properties draw no counters yet: the seed is fixed
  fc.assert(
    fc.property(new PairArbitrary(100), ({ forest, request }) => {
      const found = engineAnswer(forest, request);
      expect(candidateKeys(found.candidates)).toEqual(candidateKeys(naiveAnswer(forest, request).candidates));
    }),
    { seed: 1, numRuns: 2_000 },
  );
});
