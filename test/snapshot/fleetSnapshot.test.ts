import { expect, test } from '@jest/globals';
import { fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { NOT_RECORDED, type ProviderData } from '../../src/fleet/snapshot.js';
import { blockIndexOf } from '../../src/fleet/block.js';
import { difference, fleets, pictureOf, SHARING, snapshotOf } from '../support/randomFleets.js';

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
        for (const block of next.blocks) expect(block.index).toEqual(blockIndexOf(block));
        snapshot = next;
        before = after;
      }
    }),
    { numRuns: cases(500, 200) },
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
        allowed: 5,
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
        for (const block of grown.blocks) expect(block.index).toEqual(blockIndexOf(block));
        const held = full.blocks.flatMap(({ ids }) => [...ids]).sort((a, b) => a - b);
        const expected = entries.filter((entry) => hangsTogether(entry, all)).map(({ id }) => id);
        expect(held).toEqual(expected);
      },
    ),
    { numRuns: cases(1000, 400) },
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

test('a provider is found by its present uuid and id, also after another program exchanged one of them', () => {
  const one: ProviderData = { ...EMPTY, id: 1, uuid: 'one', name: 'one', rootId: 1 };
  const first = snapshotOf([one]);
  const otherUuid = first.with(new Map([[1, { ...one, uuid: 'other' }]]));
  expect(otherUuid.locate('one')).toBeUndefined();
  expect(otherUuid.locate('other')).toMatchObject({ row: 0 });
  expect(otherUuid.providerOf(1)).toMatchObject({ uuid: 'other' });
  const otherId = first.with(
    new Map([
      [1, null],
      [2, { ...one, id: 2, rootId: 2 }],
    ]),
  );
  expect(otherId.providerOf(1)).toBeUndefined();
  expect(otherId.locate('one')).toMatchObject({ row: 0 });
  expect(otherId.providerOf(2)).toMatchObject({ uuid: 'one' });
});

test('a change of usage replaces one block and keeps the others', () => {
  const inventories = [{ classId: 0, capacity: 5, allowed: 5, used: 0, minUnit: 1, maxUnit: 5, stepSize: 1 }];
  const roots = Array.from({ length: 600 }, (_, at): ProviderData => {
    const id = at + 1;
    return { ...EMPTY, id, uuid: `u${id}`, name: `n${id}`, rootId: id, inventories };
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
