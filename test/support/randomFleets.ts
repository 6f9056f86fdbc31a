import { columnsOf, providersIn } from '../../src/fleet/providerColumns.js';
import { type Block, type ProviderData, NameTable } from '../../src/fleet/snapshot.js';
import { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';
import { fc } from './fastCheck.js';

export const SHARING = 1;

/** The catalog of these fleets. */
const names = {
  classes: new NameTable([0, 1, 2].map((id) => ({ id, name: `CLASS_${id}` }))),
  traits: new NameTable([
    { id: SHARING, name: 'MISC_SHARES_VIA_AGGREGATE' },
    { id: 2, name: 'T2' },
  ]),
  aggregates: new NameTable([1, 2].map((id) => ({ id, name: `aggregate-${id}` }))),
};

/** A fleet of up to 40 providers: the parent of each is one with a lower id, or none. */
export const fleets = fc
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
          allowed: 5,
          used,
          minUnit: 1,
          maxUnit: 4,
          stepSize: 1,
        })),
      });
    });
    return entries;
  });

/** Returns the snapshot of a full load of these providers. */
export const snapshotOf = (entries: Iterable<ProviderData>): FleetSnapshot =>
  FleetSnapshot.of(columnsOf([...entries]), names);

/** Returns the changes from one fleet to another. Null stands for a removed provider. */
export function difference(
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

/** Returns everything that a reader can see, without tree indices, which depend on history. */
export function pictureOf(snapshot: FleetSnapshot, entries: ReadonlyMap<number, ProviderData>): object {
  const trees = snapshot.blocks.flatMap((block) =>
    Array.from({ length: block.treeStarts.length - 1 }, (_, tree) => ({
      providers: providersIn(block, tree),
      ends: treeEnds(block, tree),
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
