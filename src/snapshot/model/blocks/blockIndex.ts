import { classIndexOf, withTree } from '../../../engine/model/classIndex.js';
import { hasBit, TREES_PER_BLOCK, type Block, type BlockIndex } from '../../../engine/model/snapshot.js';

export type Columns = Omit<Block, 'index'>;

/** The index of a block: by tree, what is free of each class, and its providers' traits and aggregates. */
export function blockIndexOf(columns: Columns): BlockIndex {
  return {
    classes: classIndexOf(columns),
    traits: bitIndex(columns, columns.traitStarts, columns.traits),
    aggregates: bitIndex(columns, columns.aggregateStarts, columns.aggregates),
    bestBounds: new Map(),
  };
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

/** The index of a block with one tree replaced, by that tree's own index. Unchanged columns are shared. */
export function replaceTreeInIndex(index: BlockIndex, tree: number, by: BlockIndex): BlockIndex {
  return {
    classes: classesWith(index.classes, tree, by.classes),
    traits: bitsWith(index.traits, tree, by.traits),
    aggregates: bitsWith(index.aggregates, tree, by.aggregates),
    bestBounds: new Map(),
  };
}

function classesWith(
  index: BlockIndex['classes'],
  tree: number,
  by: BlockIndex['classes'],
): BlockIndex['classes'] {
  const result = new Map(index);
  for (const id of new Set([...index.keys(), ...by.keys()])) {
    result.set(id, withTree(index.get(id), tree, by.get(id)));
  }
  return result;
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

function noBits(): Uint32Array {
  return new Uint32Array(TREES_PER_BLOCK / 32);
}
