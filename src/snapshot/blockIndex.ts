import { hasBit, TREES_PER_BLOCK, type Block, type BlockIndex, type ClassIndex } from '../engine/snapshot.js';

export type Columns = Omit<Block, 'index'>;

interface ClassColumns {
  readonly room: Float64Array;
  readonly free: Float64Array;
  mostRoom: number;
}

/** Sums a block's providers up per tree: room and free capacity by class, and who has which trait and aggregate. */
export function indexOf(columns: Columns): BlockIndex {
  return {
    classes: classIndex(columns),
    traits: bitIndex(columns, columns.traitStarts, columns.traits),
    aggregates: bitIndex(columns, columns.aggregateStarts, columns.aggregates),
  };
}

function classIndex(columns: Columns): Map<number, ClassColumns> {
  const { trees, inventoryStarts, classes, capacities, used, maxUnits } = columns;
  const index = new Map<number, ClassColumns>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      let entry = index.get(classes[at]);
      if (entry === undefined) {
        entry = { room: zeros(), free: zeros(), mostRoom: 0 };
        index.set(classes[at], entry);
      }
      const tree = trees[row];
      const free = Math.max(0, capacities[at] - used[at]);
      entry.free[tree] += free;
      entry.room[tree] = Math.max(entry.room[tree], Math.min(free, maxUnits[at]));
      entry.mostRoom = Math.max(entry.mostRoom, entry.room[tree]);
    }
  }
  return index;
}

function bitIndex({ trees }: Columns, starts: Int32Array, ids: Int32Array): Map<number, Uint32Array> {
  const index = new Map<number, Uint32Array>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = starts[row]; at < starts[row + 1]; at++) {
      let bits = index.get(ids[at]);
      if (bits === undefined) index.set(ids[at], (bits = noBits()));
      bits[trees[row] >>> 5] |= 1 << (trees[row] & 31);
    }
  }
  return index;
}

/** The index of a block in which a tree is replaced by one that has this index by itself. What stays the same is shared. */
export function replacedIn(index: BlockIndex, tree: number, by: BlockIndex): BlockIndex {
  return {
    classes: classesWith(index.classes, tree, by.classes),
    traits: bitsWith(index.traits, tree, by.traits),
    aggregates: bitsWith(index.aggregates, tree, by.aggregates),
  };
}

function classesWith(
  index: BlockIndex['classes'],
  tree: number,
  by: BlockIndex['classes'],
): BlockIndex['classes'] {
  const result = new Map(index);
  for (const id of new Set([...index.keys(), ...by.keys()])) {
    const entry = index.get(id);
    const room = by.get(id)?.room[0] ?? 0;
    const free = by.get(id)?.free[0] ?? 0;
    if (entry?.room[tree] !== room || entry.free[tree] !== free)
      result.set(id, entryWith(entry, tree, room, free));
  }
  return result;
}

function entryWith(entry: ClassIndex | undefined, tree: number, room: number, free: number): ClassIndex {
  const rooms = entry?.room.slice() ?? zeros();
  const frees = entry?.free.slice() ?? zeros();
  rooms[tree] = room;
  frees[tree] = free;
  return { room: rooms, free: frees, mostRoom: rooms.reduce((most, one) => Math.max(most, one)) };
}

function bitsWith(index: BlockIndex['traits'], tree: number, by: BlockIndex['traits']): BlockIndex['traits'] {
  const result = new Map(index);
  for (const id of new Set([...index.keys(), ...by.keys()])) {
    if (hasBit(index.get(id), tree) === by.has(id)) continue;
    const bits = index.get(id)?.slice() ?? noBits();
    bits[tree >>> 5] ^= 1 << (tree & 31);
    result.set(id, bits);
  }
  return result;
}

/** As long as any block may be, so that trees can be added without a new column. */
function zeros(): Float64Array {
  return new Float64Array(TREES_PER_BLOCK);
}

function noBits(): Uint32Array {
  return new Uint32Array(TREES_PER_BLOCK / 32);
}
