import { describe, expect, test } from '@jest/globals';
import { migTree } from '../../src/command/fleetSources/migCards.js';
import { CARDS, placementsOf, validStates } from '../support/migCards.js';
import { picture } from './support.js';

const ENGINES = ['multiprocessors', 'copyEngines', 'decoders', 'ofaEngines'] as const;

/** The amount of memory in the name of a profile. */
const gigabytes = (profile: string): number => Number(/\.(\d+)gb/.exec(profile)![1]);

describe.each(Object.entries(CARDS))('%s', (name, card) => {
  const states = validStates(card);

  test('the memory of each profile is its size in slices of the memory of the card', () => {
    const [, whole] = /-(\d+)GB$/.exec(name)!;
    for (const [profile, { size }] of Object.entries(card.profiles))
      expect(Math.abs(gigabytes(profile) - (Number(whole) * size) / card.memorySlices)).toBeLessThan(1);
  });

  test('each placement is on the card, and positions ascend', () => {
    for (const { slices } of placementsOf(card)) expect(slices).toBeLessThan(1 << card.memorySlices);
    for (const { positions } of Object.values(card.profiles))
      expect([...new Set(positions)].sort((one, other) => one - other)).toEqual(positions);
  });

  test('the largest number of disjoint placements of a profile is its number of instances', () => {
    for (const [profile, { instances }] of Object.entries(card.profiles)) {
      const counts = states.map((state) => state.filter((each) => each.profile === profile).length);
      expect([profile, Math.max(...counts)]).toEqual([profile, instances]);
    }
  });

  test('no engine forbids a combination of disjoint placements', () => {
    for (const engine of ENGINES) {
      const sums = states.map((state) => state.reduce((sum, { of }) => sum + (of[engine] ?? 0), 0));
      expect(Math.max(...sums)).toBeLessThanOrEqual(card.totals[engine]!);
    }
  });

  test('each profile fits on the empty card', () => {
    for (const profile of Object.keys(card.profiles))
      expect(states.some((state) => state.length === 1 && state[0].profile === profile)).toBe(true);
  });
});

/** Configurations that NVIDIA publishes: `all-balanced` of mig-parted, and the examples of its guide. */
test.each([
  ['A100-40GB', ['1g.5gb', '1g.5gb', '2g.10gb', '3g.20gb']],
  ['A100-80GB', ['1g.10gb', '1g.10gb', '2g.20gb', '3g.40gb']],
  ['H100-80GB', ['1g.10gb', '1g.10gb', '2g.20gb', '3g.40gb']],
  ['H100-94GB', ['1g.12gb', '1g.12gb', '2g.24gb', '3g.47gb']],
  ['H100-96GB', ['1g.12gb', '1g.12gb', '2g.24gb', '3g.48gb']],
  ['H200-141GB', ['1g.18gb', '1g.18gb', '2g.35gb', '3g.71gb']],
  ['B200-180GB', ['1g.23gb', '1g.23gb', '2g.45gb', '3g.90gb']],
  ['A30-24GB', ['1g.6gb', '1g.6gb', '2g.12gb']],
  ['A100-40GB', ['4g.20gb', '3g.20gb']],
  ['A100-40GB', ['4g.20gb', '2g.10gb', '1g.5gb']],
  ['A100-80GB', ['2g.20gb', '2g.20gb', '2g.20gb', '1g.10gb+me']],
])('%s can be divided into %j', (card, profiles) => {
  const wanted = [...profiles].sort().join();
  expect(
    validStates(CARDS[card]).map((state) =>
      state
        .map(({ profile }) => profile)
        .sort()
        .join(),
    ),
  ).toContain(wanted);
});

test('a tree has the counters at the card and a partition for each placement', () => {
  const tree = migTree(CARDS['A30-24GB'], 'host', 1);
  const consumes = (...all: [string, number][]): string =>
    JSON.stringify(
      all.map(([name, amount]) => ({
        resourceProvider: { name: 'host-gpu-0' },
        resourceClass: `CUSTOM_MIG_${name}`,
        amount,
      })),
    );
  const [card] = tree.root.children!;
  expect(picture({ root: { ...card, children: [] } })).toBe(
    'host-gpu-0 CUSTOM_MIG_MEMORY_0=1 CUSTOM_MIG_MEMORY_1=1 CUSTOM_MIG_MEMORY_2=1 CUSTOM_MIG_MEMORY_3=1 ' +
      'CUSTOM_MIG_MULTIPROCESSORS=56 CUSTOM_MIG_COPY_ENGINES=4 CUSTOM_MIG_DECODERS=4 CUSTOM_MIG_OFA_ENGINES=1',
  );
  expect(card.children).toHaveLength(4 + 4 + 2 + 2 + 1);
  const media = card.children!.find(({ name }) => name === 'host-gpu-0-2g.12gb+me-2')!;
  const { consumes: stated, total } = media.inventories!.CUSTOM_MIG_2G_12GB_ME;
  expect([total, JSON.stringify(stated)]).toEqual([
    1,
    consumes(
      ['MEMORY_2', 1],
      ['MEMORY_3', 1],
      ['MULTIPROCESSORS', 28],
      ['COPY_ENGINES', 2],
      ['DECODERS', 2],
      ['OFA_ENGINES', 1],
    ),
  ]);
});

test('a host of 8 H100 has 200 partitions', () => {
  const { root } = migTree(CARDS['H100-80GB'], 'host', 8);
  expect(root.children).toHaveLength(8);
  expect(root.children!.flatMap(({ children }) => children!)).toHaveLength(200);
});
