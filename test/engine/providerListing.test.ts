import { describe, expect, test } from '@jest/globals';
import type { ProviderFilter } from '../../src/model/request.js';
import type { SortBounds, SortPlace } from '../../src/model/listing/orderedPage.js';
import type { ClassOrderField, PlainOrderField } from '../../src/search/listing/providerOrder.js';
import { TREES_PER_BLOCK, type Snapshot } from '../../src/fleet/snapshot.js';
import { listFromSnapshot, type ProviderOrder } from '../../src/search/listing/currentListing.js';
import { Operations } from '../../src/model/operation/operation.js';
import { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';
import { columnsOf, providersIn } from '../../src/fleet/providerColumns.js';
import { capacity } from '../oracle/capacity.js';
import { ProviderRelations } from '../oracle/providerRelations.js';
import { Random } from '../oracle/random.js';
import { AGGREGATES, randomForest } from '../oracle/randomForest.js';
import { snapshotOf } from '../support/engine.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';
import { fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { forest, type Forest, type ProviderRecord } from '../support/forest.js';

interface Wish {
  readonly filter: ProviderFilter;
  readonly orderBy: readonly ProviderOrder[];
}

/** The list by its words: every condition and every figure is worked out anew for every provider, and all are sorted. */
class NaiveList {
  private readonly world: ProviderRelations;

  constructor(forest: Forest) {
    this.world = new ProviderRelations(forest);
  }

  names({ filter, orderBy }: Wish): string[] {
    return this.world.providers
      .filter((provider) => this.isMeant(provider, filter))
      .sort((one, other) => this.compare(one, other, orderBy))
      .map(({ name }) => name);
  }

  private isMeant(provider: ProviderRecord, filter: ProviderFilter): boolean {
    const tree = this.treeOf(provider);
    const { name, nameContains, nameStartsWith, uuid, uuidIn, inTree } = filter;
    const own = [...provider.traits, ...provider.aggregates];
    const has = (sets: readonly (readonly string[])[] = [], all: readonly string[]) =>
      sets.every((set) => set.some((each) => all.includes(each)));
    const inWholeTree = tree.flatMap(({ traits, aggregates }) => [...traits, ...aggregates]);
    return (
      (name == null || provider.name === name) &&
      (nameContains == null || provider.name.split(nameContains).length > 1 || nameContains === '') &&
      (nameStartsWith == null || provider.name.slice(0, nameStartsWith.length) === nameStartsWith) &&
      (uuid == null || provider.uuid === uuid) &&
      (uuidIn == null || uuidIn.includes(provider.uuid)) &&
      (inTree == null || tree.some((each) => each.uuid === inTree)) &&
      (!filter.rootsOnly || provider.parent === null) &&
      has(filter.requiredTraits, own) &&
      has(filter.memberOf, own) &&
      ![...(filter.forbiddenTraits ?? []), ...(filter.forbiddenAggregates ?? [])].some((each) =>
        own.includes(each),
      ) &&
      (filter.resources ?? []).every(({ resourceClass, amount }) =>
        this.world.fits(provider, resourceClass, amount),
      ) &&
      has(filter.hasTraitInTree, inWholeTree) &&
      has(filter.memberOfInTree, inWholeTree) &&
      (filter.resourcesInTree ?? []).every(({ resourceClass, amount }) =>
        tree.some((each) => this.world.fits(each, resourceClass, amount)),
      )
    );
  }

  private compare(one: ProviderRecord, other: ProviderRecord, orderBy: readonly ProviderOrder[]): number {
    for (const order of orderBy) {
      const [a, b] = [this.figure(one, order), this.figure(other, order)];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === (order.direction === 'ASC') ? -1 : 1;
    }
    const last = orderBy.length === 0 ? 'name' : 'uuid';
    return one[last] < other[last] ? -1 : 1;
  }

  private figure(provider: ProviderRecord, { field, resourceClass }: ProviderOrder): string | number | null {
    if (field === 'name') return provider.name;
    if (field === 'generation') return 0;
    if (field === 'createdAt') return this.world.providers.indexOf(provider) + 1;
    if (field === 'updatedAt') return null;
    const isOfTree = field.startsWith('tree');
    const offering = (isOfTree ? this.treeOf(provider) : [provider]).filter(
      ({ inventories }) => resourceClass! in inventories,
    );
    if (offering.length === 0) return null;
    const sum = (of: (each: ProviderRecord) => number) => offering.reduce((all, each) => all + of(each), 0);
    const all = sum(({ inventories }) => capacity(inventories[resourceClass!]));
    const used = sum((each) => this.world.used(each, resourceClass!));
    const figure = field.toLowerCase();
    if (figure.endsWith('capacity')) return all;
    if (figure.endsWith('used')) return used;
    if (figure === 'available') return all - used;
    // what counters leave; an inventory over capacity does not reduce the sum (decision D23)
    if (figure === 'treeavailable') return sum((each) => Math.max(0, this.world.free(each, resourceClass!)));
    return all === 0 ? null : used / all;
  }

  private treeOf(provider: ProviderRecord): readonly ProviderRecord[] {
    return this.world.tree(this.world.root(provider));
  }
}

async function list(snapshot: Snapshot, { filter, orderBy }: Wish, bounds: SortBounds) {
  const operation = new Operations().begin();
  const source = {
    current: () => Promise.resolve(snapshot),
    speculative: null,
    recheck: () => Promise.resolve([]),
    fullLoads: 1,
  };
  const { rows, count } = await listFromSnapshot(source, filter, orderBy, bounds, operation);
  const total = await count();
  operation.end();
  return {
    names: rows.map(({ item: { block, row } }) => block.names[row]),
    places: rows.map(({ place }) => place),
    total,
  };
}

/** All pages one after another, from either end, in the order of the list. */
async function walk(snapshot: Snapshot, wish: Wish, size: number, backwards: boolean): Promise<string[]> {
  const seen: string[] = [];
  for (let place: SortPlace | null = null; ;) {
    const { names, places }: Awaited<ReturnType<typeof list>> = await list(snapshot, wish, {
      [backwards ? 'before' : 'after']: place,
      backwards,
      limit: size,
    });
    seen.push(...names);
    if (names.length < size) return backwards ? seen.reverse() : seen;
    place = places[places.length - 1];
  }
}

const FOREST = forest(`
  cn1      DISK_GB:100(used=40)  @A +HW_CPU_X86_AVX2
    numa0  VCPU:8(used=8) MEMORY_MB:100
    numa1  VCPU:8(ratio=2,reserved=1,used=3)  @B
  cn2      VCPU:4 DISK_GB:10(used=10)  @A
  ss       DISK_GB:1000(used=500)  @B sharing
`);

describe('by hand', () => {
  const names = async (filter: ProviderFilter, ...orderBy: ProviderOrder[]) =>
    (await list(snapshotOf(FOREST), { filter, orderBy }, { limit: 10 })).names;

  test('the fullest hosts: by what their trees have in use, those without the class last', async () => {
    const order = { field: 'treeUtilization', direction: 'DESC', resourceClass: 'VCPU' } as const;
    expect(await names({ rootsOnly: true }, order)).toEqual(['cn1', 'cn2', 'ss']);
    expect(await names({ rootsOnly: true }, { ...order, direction: 'ASC' })).toEqual(['cn2', 'cn1', 'ss']);
  });

  test('conditions on a provider differ from conditions on its tree', async () => {
    expect(await names({ requiredTraits: [['HW_CPU_X86_AVX2']], nameContains: '' })).toEqual(['cn1']);
    expect(await names({ hasTraitInTree: [['HW_CPU_X86_AVX2']] })).toEqual(['cn1', 'numa0', 'numa1']);
  });

  test('names by their beginning and by any part, where case counts', async () => {
    expect(await names({ nameStartsWith: 'cn' })).toEqual(['cn1', 'cn2']);
    expect(await names({ nameContains: '1' })).toEqual(['cn1', 'numa1']);
    expect(await names({ nameContains: 'CN' })).toEqual([]);
  });

  test('providers with equal keys are ordered by uuid, so that a page can end between them', async () => {
    const order = { field: 'generation', direction: 'DESC' } as const;
    expect(await walk(snapshotOf(FOREST), { filter: {}, orderBy: [order] }, 1, false)).toEqual(
      [...FOREST.providers].sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).map(({ name }) => name),
    );
  });

  test('the position of a deleted provider still divides the list', async () => {
    const order = { field: 'used', direction: 'ASC', resourceClass: 'DISK_GB' } as const;
    const wish = { filter: {}, orderBy: [order] };
    const after = [40.5, 'gone'];
    expect((await list(snapshotOf(FOREST), wish, { after, limit: 1 })).names).toEqual(['ss']);
    expect(
      (await list(snapshotOf(FOREST), wish, { before: after, backwards: true, limit: 1 })).names,
    ).toEqual(['cn1']);
  });
});

const PLAIN_FIELDS: readonly PlainOrderField[] = ['name', 'createdAt', 'updatedAt', 'generation'];
const CLASS_FIELDS: readonly ClassOrderField[] = [
  'capacity',
  'used',
  'available',
  'utilization',
  'treeCapacity',
  'treeUsed',
  'treeAvailable',
  'treeUtilization',
];
const fields = [...PLAIN_FIELDS, ...CLASS_FIELDS];
const isAboutClass = (field: string) => (CLASS_FIELDS as readonly string[]).includes(field);

function randomWish(random: Random, world: Forest): Wish {
  const classes = [...new Set(world.providers.flatMap(({ inventories }) => Object.keys(inventories)))];
  const traits = [...new Set(world.providers.flatMap((provider) => provider.traits))];
  const maybe = <T>(percent: number, value: () => T): T | undefined =>
    random.chance(percent) ? value() : undefined;
  const sets = (names: readonly string[]) =>
    names.length === 0 ? [] : [random.sample([...names], random.between(1, Math.min(2, names.length)))];
  const amounts = () =>
    classes.length === 0 ? [] : [{ resourceClass: random.pick(classes), amount: random.between(1, 6) }];
  const someone = () => random.pick(world.providers).uuid;
  const orderBy = Array.from({ length: random.between(0, 2) }, (): ProviderOrder => {
    const field = random.pick(fields.filter((each) => classes.length > 0 || !isAboutClass(each)));
    const direction = random.pick(['ASC', 'DESC'] as const);
    return { field, direction, resourceClass: isAboutClass(field) ? random.pick(classes) : null };
  });
  return {
    orderBy: orderBy.filter((one, at) => orderBy.findIndex(({ field }) => field === one.field) === at),
    filter: {
      nameContains: maybe(20, () => String(random.between(0, 3))),
      nameStartsWith: maybe(10, () => 'p1'),
      uuid: maybe(5, someone),
      uuidIn: maybe(15, () => [someone(), someone(), AGGREGATES[0]]),
      inTree: maybe(15, someone),
      rootsOnly: random.chance(30),
      requiredTraits: maybe(15, () => sets(traits)),
      forbiddenTraits: maybe(10, () => traits.slice(0, 1)),
      memberOf: maybe(15, () => sets(AGGREGATES)),
      forbiddenAggregates: maybe(10, () => [AGGREGATES[0]]),
      resources: maybe(15, amounts),
      hasTraitInTree: maybe(20, () => sets(traits)),
      memberOfInTree: maybe(20, () => sets(AGGREGATES)),
      resourcesInTree: maybe(20, amounts),
    },
  };
}

test('the pages of any filter and order, from either end, form the naive list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (seed, size, backwards) => {
        const random = new Random(seed);
        const world = randomForest(random);
        const snapshot = snapshotOf(world);
        // several lists of one snapshot, so that orders which are kept serve another one
        for (let wishes = 0; wishes < 5; wishes++) {
          const wish = randomWish(random, world);
          const expected = new NaiveList(world).names(wish);
          expect(await walk(snapshot, wish, size, backwards)).toEqual(expected);
          expect((await list(snapshot, wish, { limit: size })).total).toBe(expected.length);
        }
      },
    ),
    { numRuns: cases(100, 25) },
  );
});

test('orders that are kept of a snapshot are right in the next one, whatever has changed', async () => {
  const start = fleetSnapshot(300).snapshot;
  const resourceClass = 'VCPU';
  const orders: ProviderOrder[] = [
    { field: 'name', direction: 'ASC' },
    { field: 'generation', direction: 'DESC' },
    { field: 'updatedAt', direction: 'DESC' },
    { field: 'available', direction: 'DESC', resourceClass },
    { field: 'treeCapacity', direction: 'ASC', resourceClass },
    { field: 'treeUtilization', direction: 'DESC', resourceClass },
  ];
  let snapshot = start;
  const random = new Random(1);
  for (let step = 0; step < cases(12, 10); step++) {
    const tree = random.between(0, snapshot.treeCount - 1);
    const block = snapshot.blocks[Math.floor(tree / TREES_PER_BLOCK)];
    const before = providersIn(block, tree - block.firstTree);
    const kind = step % 5;
    const after = before.map((provider) => ({
      ...provider,
      ...(kind === 0 && { name: `renamed-${step}-${provider.id}` }),
      ...(kind === 1 && { updatedAt: provider.updatedAt + 1e6, generation: provider.generation + 7 }),
      inventories: provider.inventories.map((inventory) => ({
        ...inventory,
        ...(kind === 2 && { used: random.between(0, inventory.capacity) }),
        ...(kind === 3 && { capacity: inventory.capacity * 3 }),
      })),
    }));
    const gone = kind === 4 ? before.map(({ id }) => [id, null] as const) : [];
    const changed = kind === 4 ? [] : after.map((each) => [each.id, each] as const);
    snapshot = snapshot.with(new Map([...gone, ...changed]));
    const all = snapshot.blocks.flatMap((each) =>
      Array.from({ length: each.treeStarts.length - 1 }, (_, at) => providersIn(each, at)).flat(),
    );
    const fresh = FleetSnapshot.of(columnsOf(all), snapshot.names);
    for (const order of orders)
      for (const rootsOnly of [true, false]) {
        const wish = { filter: { rootsOnly }, orderBy: [order] };
        const bounds = { limit: 40, backwards: random.chance(30) };
        expect((await list(snapshot, wish, bounds)).names).toEqual((await list(fresh, wish, bounds)).names);
      }
  }
});
