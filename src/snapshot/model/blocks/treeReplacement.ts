import type { Block } from '../../../engine/model/snapshot.js';
import { replaceTreeInIndex } from './blockIndex.js';

/**
 * A copy of a block in which a tree is replaced by the only tree of another block (which has no rows for a
 * deleted one). Columns in which the two trees are equal are shared with the old block: a change of use
 * copies only the columns of generations and use, and two of the index.
 */
export function replaceTree(block: Block, tree: number, by: Block): Block {
  const rows = { from: block.treeStarts[tree], to: block.treeStarts[tree + 1] };
  const inventories = { from: block.inventoryStarts[rows.from], to: block.inventoryStarts[rows.to] };
  const traits = { from: block.traitStarts[rows.from], to: block.traitStarts[rows.to] };
  const aggregates = { from: block.aggregateStarts[rows.from], to: block.aggregateStarts[rows.to] };
  const grown = by.ids.length - (rows.to - rows.from);
  const columns = {
    firstTree: block.firstTree,
    treeStarts: replacedStarts(block.treeStarts, { from: tree, to: tree + 1 }, by.treeStarts),
    ids: replaced(block.ids, rows, by.ids),
    uuids: replacedStrings(block.uuids, rows, by.uuids),
    names: replacedStrings(block.names, rows, by.names),
    generations: replaced(block.generations, rows, by.generations),
    createdAt: replaced(block.createdAt, rows, by.createdAt),
    updatedAt: replaced(block.updatedAt, rows, by.updatedAt),
    parents: replacedRowNumbers(block.parents, rows, by.parents, grown),
    ends: replacedRowNumbers(block.ends, rows, by.ends, grown),
    trees: replaced(
      block.trees,
      rows,
      by.trees.map(() => tree),
    ),
    sharing: replaced(block.sharing, rows, by.sharing),
    inventoryStarts: replacedStarts(block.inventoryStarts, rows, by.inventoryStarts),
    classes: replaced(block.classes, inventories, by.classes),
    capacities: replaced(block.capacities, inventories, by.capacities),
    used: replaced(block.used, inventories, by.used),
    minUnits: replaced(block.minUnits, inventories, by.minUnits),
    maxUnits: replaced(block.maxUnits, inventories, by.maxUnits),
    stepSizes: replaced(block.stepSizes, inventories, by.stepSizes),
    traitStarts: replacedStarts(block.traitStarts, rows, by.traitStarts),
    traits: replaced(block.traits, traits, by.traits),
    aggregateStarts: replacedStarts(block.aggregateStarts, rows, by.aggregateStarts),
    aggregates: replaced(block.aggregates, aggregates, by.aggregates),
  };
  return { ...columns, index: replaceTreeInIndex(block.index, tree, by.index) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type Column = Int32Array | Float64Array | Uint16Array | Uint8Array;

function replaced<C extends Column>(column: C, { from, to }: Range, by: C): C {
  if (isEqual(column, { from, to }, by)) return column;
  const Kind = column.constructor as new (length: number) => C;
  const result = new Kind(column.length - (to - from) + by.length);
  result.set(column.subarray(0, from));
  result.set(by, from);
  result.set(column.subarray(to), from + by.length);
  return result;
}

function replacedStrings(
  list: readonly string[],
  { from, to }: Range,
  by: readonly string[],
): readonly string[] {
  if (isEqual(list, { from, to }, by)) return list;
  return [...list.slice(0, from), ...by, ...list.slice(to)];
}

/** In a column of row numbers: those behind the replaced rows are shifted; -1 stays. */
function replacedRowNumbers(column: Int32Array, rows: Range, by: Int32Array, grown: number): Int32Array {
  const shifted = by.map((row) => (row >= 0 ? row + rows.from : row));
  const result = replaced(column, rows, shifted);
  if (grown === 0) return result;
  for (let at = rows.from + by.length; at < result.length; at++) if (result[at] >= 0) result[at] += grown;
  return result;
}

/** In a column of the starts of ranges, which has one more at the end: those behind are shifted. */
function replacedStarts(column: Int32Array, { from, to }: Range, by: Int32Array): Int32Array {
  const base = column[from];
  const shifted = by.map((start) => base + start);
  if (isEqual(column, { from, to: to + 1 }, shifted)) return column;
  const result = new Int32Array(column.length - (to - from) + by.length - 1);
  const grown = shifted[by.length - 1] - column[to];
  result.set(column.subarray(0, from));
  result.set(shifted, from);
  for (let at = to + 1; at < column.length; at++) result[from + by.length - 1 + at - to] = column[at] + grown;
  return result;
}

/** Whether a range of a column equals what is to replace it. */
function isEqual<T>(column: ArrayLike<T>, { from, to }: Range, by: ArrayLike<T>): boolean {
  if (by.length !== to - from) return false;
  for (let at = 0; at < by.length; at++) if (column[from + at] !== by[at]) return false;
  return true;
}
