import { expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { NOT_RECORDED, type Block } from '../../src/engine/model/snapshot.js';
import { columnsOf } from '../../src/snapshot/model/providerColumns.js';
import { providersIn, type ProviderData } from '../../src/snapshot/model/providerData.js';
import { FleetSnapshot } from '../../src/snapshot/model/fleetSnapshot.js';
import { NameTable } from '../../src/snapshot/model/nameTable.js';

const SHARING = 1;
const names = {
  classes: new NameTable([0, 1, 2].map((id) => ({ id, name: `CLASS_${id}` }))),
  traits: new NameTable([
    { id: SHARING, name: 'MISC_SHARES_VIA_AGGREGATE' },
    { id: 2, name: 'T2' },
  ]),
  aggregates: new NameTable([1, 2].map((id) => ({ id, name: `aggregate-${id}` }))),
};

/** A fleet of up to 40 providers: the parent of each is one with a lower id, or none. */
const fleets = fc
  .array(
    fc.record({
      exists: fc.integer({ min: 0, max: 9 }).map((random) => random > 0),
      parent: fc.option(fc.nat(40)),
      generation: fc.nat(2),
      traits: fc.subarray([SHARING, 2]),
      aggregates: fc.subarray([1, 2]),
      classes: fc.subarray([0, 1, 2]),
      used: fc.nat(3),
    }),
    { maxLength: 40 },
  )
  .map((drawn) => {
    const entries = new Map<number, ProviderData>();
    drawn.forEach(({ exists, parent, generation, traits, aggregates, classes, used }, at) => {
      if (!exists) return;
      const id = at + 1;
      const above = parent === null ? undefined : entries.get(parent % id);
      entries.set(id, {
        id,
        uuid: `uuid-${id}`,
        name: `name-${id}`,
        generation,
        parentId: above?.id ?? null,
        rootId: above?.rootId ?? id,
        createdAt: id,
        updatedAt: generation,
        traits,
        aggregates,
        inventories: classes.map((classId) => ({
          classId,
          capacity: 5,
          used,
          minUnit: 1,
          maxUnit: 4,
          stepSize: 1,
        })),
      });
    });
    return entries;
  });

test('changes applied to a snapshot give what a full build gives', () => {
  fc.assert(
    fc.property(fc.array(fleets, { minLength: 2, maxLength: 5 }), ([first, ...later]) => {
      let snapshot = snapshotOf(first.values());
      let before = first;
      for (const after of later) {
        const earlier = pictureOf(snapshot, before);
        const next = snapshot.with(difference(before, after));
        expect(pictureOf(next, after)).toEqual(pictureOf(snapshotOf(after.values()), after));
        expect(pictureOf(snapshot, before)).toEqual(earlier);
        snapshot = next;
        before = after;
      }
    }),
    { numRuns: 500 },
  );
});

/** Rows as a foreign writer may leave them: parents that do not exist or form a ring, roots that are not the tree's. */
const brokenFleets = fc
  .array(
    fc.record({
      parent: fc.option(fc.integer({ min: 1, max: 14 }), { freq: 2 }),
      root: fc.option(fc.integer({ min: 1, max: 14 }), { freq: 2 }),
      name: fc.nat(3),
      traits: fc.subarray([SHARING, 2]),
      classes: fc.subarray([0, 1, 2]),
    }),
    { maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(({ parent, root, name, traits, classes }, at): ProviderData => ({
      id: at + 1,
      uuid: `uuid-${at}`,
      name: `name-${name}`,
      generation: at,
      parentId: parent,
      rootId: root ?? 1,
      createdAt: NOT_RECORDED,
      updatedAt: at,
      traits,
      aggregates: [1],
      inventories: classes.map((classId) => ({
        classId,
        capacity: 5,
        used: 1,
        minUnit: 1,
        maxUnit: 4,
        stepSize: 1,
      })),
    })),
  );

test('a snapshot that grew from nothing tree by tree is a full load, and broken trees are in neither', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fleets.map((fleet) => [...fleet.values()]),
        brokenFleets,
      ),
      (entries) => {
        const all = new Map(entries.map((entry) => [entry.id, entry]));
        const full = snapshotOf(entries);
        let grown = snapshotOf([]);
        for (const root of new Set(entries.map(({ rootId }) => rootId))) {
          const portion = entries.filter(({ rootId }) => rootId === root);
          grown = grown.with(new Map(portion.map((entry) => [entry.id, entry])));
        }
        expect(pictureOf(grown, all)).toEqual(pictureOf(full, all));
        const held = full.blocks.flatMap(({ ids }) => [...ids]).sort((a, b) => a - b);
        const expected = entries.filter((entry) => hangsTogether(entry, all)).map(({ id }) => id);
        expect(held).toEqual(expected);
      },
    ),
    { numRuns: 1000 },
  );
});

/** Whether the parents lead up to the root that the provider names, and all of them name it too. */
function hangsTogether(entry: ProviderData, all: ReadonlyMap<number, ProviderData>): boolean {
  let above: ProviderData | undefined = entry;
  for (let steps = 0; steps <= all.size && above?.rootId === entry.rootId; steps++) {
    if (above.parentId === null) return above.id === entry.rootId;
    above = all.get(above.parentId);
  }
  return false;
}

test('a root that is deleted while its child becomes a root of its own is known no longer', () => {
  const parent: ProviderData = { ...EMPTY, id: 1, uuid: 'parent', name: 'parent', rootId: 1 };
  const child: ProviderData = { ...EMPTY, id: 2, uuid: 'child', name: 'child', parentId: 1, rootId: 1 };
  const promoted: ProviderData = { ...child, parentId: null, rootId: 2 };
  const snapshot = snapshotOf([parent, child]).with(
    new Map([
      [1, null],
      [2, promoted],
    ]),
  );
  expect(snapshot.has(1, null)).toBe(true);
  expect(snapshot.has(2, promoted)).toBe(true);
  expect(snapshot.providerOf(1)).toBeUndefined();
});

test('a change of use renews one block and leaves the others as they are', () => {
  const roots = Array.from({ length: 600 }, (_, at): ProviderData => {
    const id = at + 1;
    const inventories = [{ classId: 0, capacity: 5, used: 0, minUnit: 1, maxUnit: 5, stepSize: 1 }];
    return {
      id,
      uuid: `u${id}`,
      name: `n${id}`,
      generation: 0,
      parentId: null,
      rootId: id,
      createdAt: 0,
      updatedAt: 0,
      inventories,
      traits: [],
      aggregates: [],
    };
  });
  const snapshot = snapshotOf(roots);
  const [inventory] = roots[299].inventories;
  const next = snapshot.with(new Map([[300, { ...roots[299], inventories: [{ ...inventory, used: 5 }] }]]));
  expect(next.blocks.map((block, at) => block === snapshot.blocks[at])).toEqual([true, false, true]);
  expect(next.blocks[1].index.classes.get(0)!.largestFree[299 - 256]).toBe(0);
  expect(snapshot.blocks[1].index.classes.get(0)!.largestFree[299 - 256]).toBe(5);
});

const EMPTY = {
  generation: 0,
  parentId: null,
  createdAt: 0,
  updatedAt: 0,
  inventories: [],
  traits: [],
  aggregates: [],
};

const snapshotOf = (entries: Iterable<ProviderData>): FleetSnapshot =>
  FleetSnapshot.of(columnsOf([...entries]), names);

function difference(
  before: ReadonlyMap<number, ProviderData>,
  after: ReadonlyMap<number, ProviderData>,
): Map<number, ProviderData | null> {
  const changes = new Map<number, ProviderData | null>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const entry = after.get(id) ?? null;
    if (JSON.stringify(before.get(id) ?? null) !== JSON.stringify(entry)) changes.set(id, entry);
  }
  return changes;
}

/** All that a reader can see, without tree indices, which depend on history. */
function pictureOf(snapshot: FleetSnapshot, entries: ReadonlyMap<number, ProviderData>): object {
  const trees = snapshot.blocks.flatMap((block) =>
    Array.from({ length: block.treeStarts.length - 1 }, (_, tree) => ({
      providers: providersIn(block, tree),
      ends: treeEnds(block, tree),
      index: treeIndex(block, tree),
    })).filter(({ providers }) => providers.length > 0),
  );
  return {
    trees: trees.sort((a, b) => a.providers[0].id - b.providers[0].id),
    found: [...entries.values()].map(({ uuid }) => {
      const place = snapshot.locate(uuid);
      return place === undefined ? null : place.block.uuids[place.row];
    }),
    sharers: [1, 2].map((aggregate) =>
      snapshot.sharing
        .in(aggregate)
        .map(({ id }) => id)
        .sort(),
    ),
    shared: [0, 1, 2].map((id) => [snapshot.sharing.has('class', id), snapshot.sharing.has('trait', id)]),
  };
}

function treeEnds(block: Block, tree: number): number[] {
  const start = block.treeStarts[tree];
  return [...block.ends.subarray(start, block.treeStarts[tree + 1])].map((end) => end - start);
}

function treeIndex(block: Block, tree: number): object {
  const bit = (bits: Uint32Array | undefined): boolean =>
    ((bits?.[tree >> 5] ?? 0) & (1 << (tree & 31))) !== 0;
  return {
    classes: [0, 1, 2].map((id) => {
      const index = block.index.classes.get(id);
      return [
        index?.largestFree[tree] ?? 0,
        index?.totalFree[tree] ?? 0,
        (index?.maxFree ?? 0) >= (index?.largestFree[tree] ?? 0),
      ];
    }),
    traits: [1, 2].map((id) => bit(block.index.traits.get(id))),
    aggregates: [1, 2].map((id) => bit(block.index.aggregates.get(id))),
  };
}
