import { SHARING_TRAIT } from '../../src/model/provider.js';
import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';
import { times, type HardCase } from './cases.js';
import type { Provider, Tree } from './fleet.js';

const aggregate = (at: number): string => `00000000-0000-4000-9000-${at.toString(16).padStart(12, '0')}`;
const trait = (at: number): string => `CUSTOM_T${at}`;
const storage = (at: number): string => `CUSTOM_STORAGE_${at}`;

/** Returns a pool of one class with these traits, in some of 40 aggregates. */
const pool = (of: number, traits: readonly number[], aggregates: readonly number[]): Tree => [
  {
    parent: null,
    inventories: { [storage(of)]: { total: 1_000 } },
    traits: [SHARING_TRAIT, ...traits.map(trait)],
    aggregates: aggregates.map(aggregate),
  },
];
/** Returns a host in aggregates, with child providers for further classes and traits. */
const host = (aggregates: readonly number[], children: readonly Omit<Provider, 'parent'>[] = []): Tree => [
  { parent: null, aggregates: aggregates.map(aggregate) },
  ...children.map((child): Provider => ({ parent: 0, ...child })),
];
const local = (of: number, traits: readonly number[]): Omit<Provider, 'parent'> => ({
  inventories: { [storage(of)]: { total: 10 } },
  traits: traits.map(trait),
});
const amounts = (classes: number): Record<string, number> =>
  Object.fromEntries(times(classes, (at) => [storage(at), 1]));
const linked = times(20, (at) => at);

/**
 * Returns sets of three traits of different variables. A variable has two opposite traits. No
 * choice of one trait per variable meets all sets. The seed is fixed.
 */
function clauses(): number[][] {
  let state = 1;
  const below = (end: number): number => {
    state = Number((BigInt(state) * 48271n) % 2147483647n);
    return state % end;
  };
  return times(160, () => {
    const first = below(16);
    const second = (first + 1 + below(15)) % 16;
    const third = times(16, (at) => at).filter((at) => at !== first && at !== second)[below(14)];
    return [first, second, third].map((variable) => 2 * variable + below(2));
  });
}

export const SHARED: readonly HardCase[] = [
  {
    family: 'shared storage',
    what: '4 classes of 50 pools each in 40 aggregates, 5 traits of which a pool has one',
    host: () => host(linked),
    fitting: host(linked, [local(0, [0, 1, 2, 3, 4])]),
    pools: times(200, (at) =>
      pool(at % 4, [Math.floor(at / 4) % 5], [at % 40, (at * 7) % 40, (at * 3 + 2) % 40]),
    ),
    request: requestOf([group('', amounts(4), { requiredTraits: times(5, (at) => [trait(at)]) })]),
  },
  {
    family: 'shared storage',
    what: '8 classes of 8 pools each, 9 pairs of traits of which a pool meets one',
    host: () => host([0, 1]),
    fitting: host([0, 1], [local(3, [0, 3])]),
    pools: times(64, (at) => pool(at % 8, [(3 * Math.floor(at / 8) + at) % 18], [at % 2])),
    request: requestOf([
      group('', amounts(8), { requiredTraits: times(9, (at) => [trait(2 * at), trait(2 * at + 1)]) }),
    ]),
  },
  {
    family: 'shared storage',
    what: '16 classes of 2 pools each, 160 sets of 3 traits that exclude each other',
    host: () => host([0]),
    fitting: host(
      [0],
      [
        local(
          0,
          times(32, (at) => at),
        ),
      ],
    ),
    pools: times(32, (at) => pool(at >> 1, [at], [0])),
    request: requestOf([
      group('', amounts(16), { requiredTraits: clauses().map((clause) => clause.map(trait)) }),
    ]),
  },
];
