import { classIndexOf, type Columns } from './classIndex.js';
import { type Block, type BlockIndex, hasTrait, TREES_PER_BLOCK } from './snapshot.js';
import type { Trees } from './trees.js';

/** `sharingTrait` is the id of the trait that makes a provider sharing. */
export function buildBlock(firstTree: number, trees: Trees, sharingTrait: number | undefined): Block {
  const from = trees.starts[0];
  const to = trees.starts[trees.starts.length - 1];
  const { columns } = trees;
  const rows = trees.rows.subarray(from, to);
  const inventories = rangesOf(columns.inventoryStarts, rows);
  const traits = rangesOf(columns.traitStarts, rows);
  const aggregates = rangesOf(columns.aggregateStarts, rows);
  const block = {
    firstTree,
    treeStarts: trees.starts.map((start) => start - from),
    ids: picked(columns.ids, rows),
    uuids: Array.from(rows, (row) => columns.uuids[row]),
    names: Array.from(rows, (row) => columns.names[row]),
    generations: picked(columns.generations, rows),
    createdAt: picked(columns.createdAt, rows),
    updatedAt: picked(columns.updatedAt, rows),
    parents: trees.parents.subarray(from, to).map((parent) => (parent < 0 ? -1 : parent - from)),
    ends: trees.ends.subarray(from, to).map((end) => end - from),
    trees: treeOfEach(trees.starts),
    sharing: new Uint8Array(rows.map((row) => Number(hasTrait(columns, row, sharingTrait ?? -1)))),
    inventoryStarts: inventories.starts,
    classes: picked(columns.classes, inventories.all),
    ...capacitiesIn(columns, inventories.all),
    used: picked(columns.used, inventories.all),
    minUnits: picked(columns.minUnits, inventories.all),
    maxUnits: picked(columns.maxUnits, inventories.all),
    stepSizes: picked(columns.stepSizes, inventories.all),
    traitStarts: traits.starts,
    traits: picked(columns.traits, traits.all),
    aggregateStarts: aggregates.starts,
    aggregates: picked(columns.aggregates, aggregates.all),
  };
  return { ...block, index: blockIndexOf(block) };
}

type Column = Int32Array | Float64Array;

function capacitiesIn(
  columns: Pick<Block, 'capacities' | 'allowed'>,
  positions: Int32Array,
): Pick<Block, 'capacities' | 'allowed'> {
  const [capacities, allowed] = [columns.capacities, columns.allowed].map((each) => picked(each, positions));
  const isEqual = allowed.every((amount, at) => amount === capacities[at]);
  return { capacities, allowed: isEqual ? capacities : allowed };
}

function picked<C extends Column>(column: C, positions: Int32Array): C {
  const Kind = column.constructor as new (length: number) => C;
  const result = new Kind(positions.length);
  for (let at = 0; at < positions.length; at++) result[at] = column[positions[at]];
  return result;
}

/** Returns the starts of the concatenated ranges of some rows, and all positions in them. */
function rangesOf(starts: Int32Array, rows: Int32Array): { starts: Int32Array; all: Int32Array } {
  const newStarts = new Int32Array(rows.length + 1);
  for (let at = 0; at < rows.length; at++) {
    newStarts[at + 1] = newStarts[at] + starts[rows[at] + 1] - starts[rows[at]];
  }
  const all = new Int32Array(newStarts[rows.length]);
  let at = 0;
  for (const row of rows) for (let old = starts[row]; old < starts[row + 1]; old++) all[at++] = old;
  return { starts: newStarts, all };
}

function treeOfEach(starts: Int32Array): Uint16Array {
  const first = starts[0];
  const column = new Uint16Array(starts[starts.length - 1] - first);
  for (let tree = 0; tree + 1 < starts.length; tree++) {
    column.fill(tree, starts[tree] - first, starts[tree + 1] - first);
  }
  return column;
}

export function blockIndexOf(columns: Columns): BlockIndex {
  return {
    classes: classIndexOf(columns),
    traits: bitIndex(columns, columns.traitStarts, columns.traits),
    aggregates: bitIndex(columns, columns.aggregateStarts, columns.aggregates),
    bestBounds: new Map(),
    orders: new Map(),
  };
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
