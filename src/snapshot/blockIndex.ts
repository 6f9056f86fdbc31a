import { TREES_PER_BLOCK, type Block, type BlockIndex } from '../engine/snapshot.js';

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
  const treeCount = columns.treeStarts.length - 1;
  const index = new Map<number, ClassColumns>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      let entry = index.get(classes[at]);
      if (entry === undefined) {
        entry = { room: new Float64Array(treeCount), free: new Float64Array(treeCount), mostRoom: 0 };
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
      if (bits === undefined) index.set(ids[at], (bits = new Uint32Array(TREES_PER_BLOCK / 32)));
      bits[trees[row] >>> 5] |= 1 << (trees[row] & 31);
    }
  }
  return index;
}
