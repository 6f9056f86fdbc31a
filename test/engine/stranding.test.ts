import { expect, test } from '@jest/globals';
import { profileClass } from '../../src/command/fleetSources/migCards.js';
import { Random } from '../oracle/random.js';
import { engineAnswer } from '../support/engine.js';
import { uuidOf, type Forest } from '../support/forest.js';
import {
  CARDS,
  hostOf,
  partitionName,
  placementsOf,
  validStates,
  withPlaced,
  type Placement,
} from '../support/migCards.js';

const CARD = CARDS['H100-80GB'];
const CARD_COUNT = 8;
const SEEDS = 20;

/** The partitions of a card in `all-balanced`, the mixed configuration that NVIDIA's mig-parted ships. */
const MIX = ['1g.10gb', '1g.10gb', '2g.20gb', '3g.40gb'];

type Cards = readonly (readonly Placement[])[];
type Place = (cards: Cards, profile: string) => readonly [card: number, placement: Placement] | null;

const SLICES = new Map(placementsOf(CARD).map(({ profile, of }) => [profile, of.size]));

/** Places partitions of the mix one after another, up to a share of the memory of a host. Returns the cards, or null. */
function filled(seed: number, place: Place): Cards | null {
  const random = new Random(seed);
  const slices = (CARD_COUNT * CARD.memorySlices * random.between(15, 75)) / 100;
  const cards: Placement[][] = Array.from({ length: CARD_COUNT }, () => []);
  for (let used = 0; ;) {
    const profile = random.pick(MIX);
    used += SLICES.get(profile)!;
    if (used > slices) return cards;
    const found = place(cards, profile);
    if (found === null) return null;
    cards[found[0]].push(found[1]);
  }
}

const EMPTY_HOST = hostOf(CARD, CARD_COUNT);
const PARTITION_OF = new Map(
  Array.from({ length: CARD_COUNT }, (_, card) =>
    placementsOf(CARD).map(
      (placement) => [uuidOf('provider', partitionName(placement, card)), [card, placement]] as const,
    ),
  ).flat(),
);

/** The first candidate of the order of least stranding. */
const byLeastStranding: Place = (cards, profile) => {
  const forest = cards.reduce((all: Forest, placed, card) => withPlaced(all, placed, { card }), EMPTY_HOST);
  const request = {
    groups: [{ suffix: '_0', resources: { [profileClass(profile)]: 1 } }],
    orderBy: [{ leastStranding: { weights: [] } }],
  };
  const [candidate] = engineAnswer(forest, request, { limit: 1 }).candidates;
  return candidate === undefined ? null : PARTITION_OF.get(candidate.mappings._0[0])!;
};

/** Returns how many whole cards fit: those without a partition. */
const wholeCards = (cards: Cards): number => cards.filter(({ length }) => length === 0).length;

/** Returns the fewest cards that the same partitions can occupy, by trying all ways to fill one card after another. */
function fewestCards(wanted: Readonly<Record<string, number>>): number {
  const contents = new Map<string, Record<string, number>>();
  for (const state of validStates(CARD)) {
    if (state.length === 0 || state.some(({ profile }) => !MIX.includes(profile))) continue;
    const counts: Record<string, number> = {};
    for (const { profile } of state) counts[profile] = (counts[profile] ?? 0) + 1;
    contents.set(JSON.stringify(Object.entries(counts).sort()), counts);
  }
  const known = new Map<string, number>();
  const least = (left: Readonly<Record<string, number>>): number => {
    if (Object.values(left).every((count) => count === 0)) return 0;
    const key = JSON.stringify(Object.entries(left).sort());
    let best = known.get(key);
    if (best !== undefined) return best;
    best = Infinity;
    for (const counts of contents.values())
      if (Object.entries(counts).every(([profile, count]) => (left[profile] ?? 0) >= count)) {
        const rest = Object.fromEntries(
          Object.entries(left).map(([profile, count]) => [profile, count - (counts[profile] ?? 0)]),
        );
        best = Math.min(best, 1 + least(rest));
      }
    known.set(key, best);
    return best;
  };
  return least(wanted);
}

const countsOf = (cards: Cards): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { profile } of cards.flat()) counts[profile] = (counts[profile] ?? 0) + 1;
  return counts;
};

// with these seeds: 78 of 82; first fit in the order of cards and positions keeps 79
test('least stranding keeps at least 95 % of the whole cards of the best arrangement', () => {
  let [kept, best] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const cards = filled(seed, byLeastStranding)!;
    kept += wholeCards(cards);
    best += CARD_COUNT - fewestCards(countsOf(cards));
  }
  expect(kept).toBeLessThanOrEqual(best);
  expect(kept / best).toBeGreaterThanOrEqual(0.95);
});
