import { describe, expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import {
  TOTAL_ORDER_FIELDS,
  Totals,
  type Total,
  type TotalOrder,
  type TotalsGrouping,
  type TotalsPlan,
} from '../../src/search/totals/totals.js';
import type { SortBounds } from '../../src/model/listing/orderedPage.js';
import { NamedSets } from '../../src/search/clauses.js';
import { treeIndexOf } from '../../src/fleet/snapshot.js';
import { allowedUsage, capacity } from '../oracle/capacity.js';
import { ProviderRelations } from '../oracle/providerRelations.js';
import { Random } from '../oracle/random.js';
import { AGGREGATES, CLASSES, randomForest, TRAITS } from '../oracle/randomForest.js';
import { snapshotOf } from '../support/engine.js';
import { forest, type Forest, type ProviderRecord } from '../support/forest.js';
import { cases } from '../support/length.js';

interface Wish {
  readonly grouping: TotalsGrouping | null;
  readonly inTree?: string;
  readonly memberOf?: readonly (readonly string[])[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly resourceClass?: string;
}

type Line = `${string}: ${number}/${number} of ${number}, ${number} free, ${number} allowed`;

/** Computes the totals as the rules state them: reads every provider for every possible row. */
function naive(world: Forest, wish: Wish): Line[] {
  const relations = new ProviderRelations(world);
  const rootOf = (provider: ProviderRecord) => relations.root(provider);
  const has = (column: 'traits' | 'aggregates') => (provider: ProviderRecord) => [
    ...new Set([...provider[column], ...rootOf(provider)[column]]),
  ];
  const isMet = (sets: Wish['memberOf'], own: readonly string[]) =>
    (sets ?? []).every((set) => set.some((name) => own.includes(name)));
  const groupsOf = (provider: ProviderRecord): string[] => {
    if (wish.grouping === null) return [''];
    if (wish.grouping === 'TREE') return [rootOf(provider).name];
    return has(wish.grouping === 'TRAIT' ? 'traits' : 'aggregates')(provider);
  };
  const rows = new Map<string, number[]>();
  for (const provider of world.providers) {
    if (wish.inTree !== undefined && rootOf(provider) !== rootOf(relations.named(wish.inTree)!)) continue;
    if (!isMet(wish.memberOf, has('aggregates')(provider))) continue;
    if (!isMet(wish.requiredTraits, has('traits')(provider))) continue;
    for (const [resourceClass, inventory] of Object.entries(provider.inventories)) {
      if (wish.resourceClass !== undefined && resourceClass !== wish.resourceClass) continue;
      const used = relations.used(provider, resourceClass);
      for (const group of groupsOf(provider)) {
        const [u, c, n, f, a] = rows.get(`${group} ${resourceClass}`) ?? [0, 0, 0, 0, 0];
        const free = Math.max(0, relations.free(provider, resourceClass));
        const sums = [u + used, c + capacity(inventory), n + 1, f + free, a + allowedUsage(inventory)];
        rows.set(`${group} ${resourceClass}`, sums);
      }
    }
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, [used, range, providers, free, allowed]]): Line =>
        `${key}: ${used}/${range} of ${providers}, ${free} free, ${allowed} allowed`,
    );
}

const line = ({ group, resourceClass, providers, ...sums }: Total): Line =>
  `${group} ${resourceClass}: ${sums.used}/${sums.capacity} of ${providers}, ${sums.available} free, ${sums.allowedUsage} allowed`;

/** The line without the sums that follow from the first two unless something is over capacity or reserved whole. */
const plain = (total: Total): string => line(total).replace(/,.*/, '');

interface Pace {
  readonly slice?: number;
  readonly bounds?: SortBounds;
  readonly orderBy?: readonly TotalOrder[];
}

function totals(world: Forest, wish: Wish, { slice = 1e9, bounds = { limit: 1e6 }, orderBy }: Pace = {}) {
  const snapshot = snapshotOf(world);
  const provider = wish.inTree === undefined ? null : snapshot.locate(uuidOfName(world, wish.inTree))!;
  const plan: TotalsPlan = {
    orderBy,
    grouping: wish.grouping,
    tree: provider && treeIndexOf(provider),
    memberOf: new NamedSets(snapshot.aggregates).clausesOf(wish.memberOf ?? []),
    requiredTraits: new NamedSets(snapshot.traits).clausesOf(wish.requiredTraits ?? []),
    resourceClass:
      wish.resourceClass === undefined ? null : (snapshot.classes.idOf(wish.resourceClass) ?? -1),
  };
  const sum = new Totals(snapshot, plan, bounds);
  let slices = 1;
  while (!sum.run(slice)) slices++;
  return { rows: sum.rows, places: sum.placedRows.map(({ place }) => place), count: sum.count, slices };
}

function uuidOfName({ providers }: Forest, name: string): string {
  return providers.find((provider) => provider.name === name)!.uuid;
}

const HOSTS = forest(`
  cn1      DISK_GB:100(used=40)  @A +HW_CPU_X86_AVX2
    numa0  VCPU:8(used=8) MEMORY_MB:100
    numa1  VCPU:8(ratio=2,reserved=1,used=3)  @B
  cn2      VCPU:4 DISK_GB:10(used=10)  @A
  ss       DISK_GB:1000(used=500)  @B sharing
`);
const [A, B] = AGGREGATES;

describe('by hand', () => {
  test('the whole fleet: a row for each class', () => {
    expect(totals(HOSTS, { grouping: null }).rows.map(plain)).toEqual([
      ' DISK_GB: 550/1110 of 3',
      ' MEMORY_MB: 0/100 of 1',
      ' VCPU: 11/26 of 3',
    ]);
  });

  test('by tree', () => {
    expect(totals(HOSTS, { grouping: 'TREE' }).rows.map(plain)).toEqual([
      'cn1 DISK_GB: 40/100 of 1',
      'cn1 MEMORY_MB: 0/100 of 1',
      'cn1 VCPU: 11/22 of 2',
      'cn2 DISK_GB: 10/10 of 1',
      'cn2 VCPU: 0/4 of 1',
      'ss DISK_GB: 500/1000 of 1',
    ]);
  });

  test('by aggregate: what the root is in counts for all below it, what a child is in for that child', () => {
    const rows = totals(HOSTS, { grouping: 'AGGREGATE', resourceClass: 'VCPU' }).rows.map(plain);
    expect(rows.sort()).toEqual([`${A} VCPU: 11/26 of 3`, `${B} VCPU: 3/14 of 1`].sort());
  });

  test('by trait', () => {
    expect(totals(HOSTS, { grouping: 'TRAIT' }).rows.map(plain)).toEqual([
      'HW_CPU_X86_AVX2 DISK_GB: 40/100 of 1',
      'HW_CPU_X86_AVX2 MEMORY_MB: 0/100 of 1',
      'HW_CPU_X86_AVX2 VCPU: 11/22 of 2',
      'MISC_SHARES_VIA_AGGREGATE DISK_GB: 500/1000 of 1',
    ]);
  });

  test('filters: one tree, aggregates as AND of ORs, traits', () => {
    const vcpu = (wish: Omit<Wish, 'grouping'>) =>
      totals(HOSTS, { grouping: null, resourceClass: 'VCPU', ...wish }).rows.map(plain);
    expect(vcpu({ inTree: 'numa0' })).toEqual([' VCPU: 11/22 of 2']);
    expect(vcpu({ memberOf: [[A], [B]] })).toEqual([' VCPU: 3/14 of 1']);
    expect(vcpu({ memberOf: [[A, B]] })).toEqual([' VCPU: 11/26 of 3']);
    expect(vcpu({ memberOf: [[]] })).toEqual([]);
    expect(vcpu({ requiredTraits: [['HW_CPU_X86_AVX2']] })).toEqual([' VCPU: 11/22 of 2']);
  });

  test('free amounts and allowed usage: inventories that are over capacity or reserved whole (decision D23)', () => {
    const nodes = forest(`
      idle       CUSTOM_NODE:1
      deployed   CUSTOM_NODE:1(reserved=1,used=1)
      cleaning   CUSTOM_NODE:1(reserved=1)
      shrunken   CUSTOM_NODE:2(used=5)
      inherited  CUSTOM_NODE:4(reserved=4,used=6)
    `);
    expect(totals(nodes, { grouping: null }).rows.map(line)).toEqual([
      ' CUSTOM_NODE: 12/3 of 5, 1 free, 9 allowed',
    ]);
    const byTree = totals(nodes, { grouping: 'TREE', resourceClass: 'CUSTOM_NODE' });
    expect(byTree.rows.map(({ available, allowedUsage: allowed }) => [available, allowed])).toEqual([
      [0, 1],
      [0, 1],
      [1, 1],
      [0, 4],
      [0, 2],
    ]);
  });

  test('sums stop at 2^53-1 (decision D2)', () => {
    const huge = forest(['a', 'b', 'c'].map((name) => `${name} VCPU:2147483647(ratio=3000000)`).join('\n'));
    expect(totals(huge, { grouping: null }).rows).toMatchObject([
      { capacity: Number.MAX_SAFE_INTEGER, providers: 3 },
    ]);
  });
});

const wishes = fc.integer().map((seed) => {
  const random = new Random(seed);
  const world = randomForest(random);
  const wish: Wish = {
    grouping: random.pick([null, 'TREE', 'AGGREGATE', 'TRAIT'] as const),
    ...(random.chance(25) ? { inTree: random.pick(world.providers).name } : {}),
    ...(random.chance(40) ? { memberOf: [random.sample(AGGREGATES, random.between(1, 2))] } : {}),
    ...(random.chance(40) ? { requiredTraits: [random.sample(TRAITS, random.between(1, 2))] } : {}),
    ...(random.chance(25) ? { resourceClass: random.pick(CLASSES) } : {}),
  };
  return { world, wish, random };
});

/** By the words of the fields: what has no utilization comes last, and group and class decide in the end. */
const naiveOrder = (orderBy: readonly TotalOrder[]) => (one: Total, other: Total) => {
  const figure = (
    { field }: TotalOrder,
    { group, resourceClass, capacity: range, used, available, providers }: Total,
  ) =>
    ({
      group,
      resourceClass,
      capacity: range,
      used,
      available,
      utilization: range === 0 ? null : used / range,
      providerCount: providers,
    })[field];
  for (const order of orderBy) {
    const [a, b] = [figure(order, one), figure(order, other)];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b === order.isDescending ? 1 : -1;
  }
  return one.group + one.resourceClass < other.group + other.resourceClass ? -1 : 1;
};

describe('laws', () => {
  test('totals equal the sums over a naive scan, in whatever slices they are added up', () => {
    fc.assert(
      fc.property(wishes, fc.integer({ min: 1, max: 20 }), ({ world, wish }, slice) => {
        const { rows, count } = totals(world, wish, { slice });
        const expected = naive(world, wish);
        expect(rows.map(line)).toEqual(expected);
        expect(count).toBe(expected.length);
      }),
      { numRuns: cases(1_500, 200) },
    );
  });

  test('pages one after another, in any order and from either end, are the whole, whatever their size', () => {
    const orders = fc.uniqueArray(
      fc.record({ field: fc.constantFrom(...TOTAL_ORDER_FIELDS), isDescending: fc.boolean() }),
      { maxLength: 3, selector: ({ field }) => field },
    );
    fc.assert(
      fc.property(
        wishes,
        orders,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        ({ world, wish }, orderBy, backwards, limit) => {
          const seen: Total[] = [];
          for (let at: SortBounds = { limit }; ;) {
            const bounds = { ...at, backwards, limit };
            const { rows, places, count }: ReturnType<typeof totals> = totals(world, wish, {
              bounds,
              orderBy,
            });
            seen.push(...rows);
            expect(count).toBe(naive(world, wish).length);
            if (rows.length < limit) break;
            at = { limit, [backwards ? 'before' : 'after']: places[places.length - 1] };
          }
          const all = [...totals(world, wish).rows].sort(naiveOrder(orderBy));
          expect((backwards ? seen.reverse() : seen).map(line)).toEqual(all.map(line));
        },
      ),
      { numRuns: cases(300, 50) },
    );
  });
});

test('the totals are computed in slices, at most one for each tree', () => {
  const many = forest(Array.from({ length: 600 }, (_, n) => `t${n} VCPU:1`).join('\n'));
  const { rows, slices } = totals(many, { grouping: null }, { slice: 100 });
  expect(rows.map(plain)).toEqual([' VCPU: 0/600 of 600']);
  expect(slices).toBe(12);
});
