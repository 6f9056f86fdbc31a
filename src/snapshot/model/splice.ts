import type { Block } from '../../engine/model/snapshot.js';
import { replacedIn } from './blockIndex.js';

/**
 * The block with one of its trees replaced by the only tree of another block (which has no rows for a deleted one). Columns in
 * which the two trees are equal are shared with the block as it was: a change of use copies those of generations and use, and
 * two of the index.
 */
export function spliceTree(block: Block, tree: number, by: Block): Block {
  const rows = { from: block.treeStarts[tree], to: block.treeStarts[tree + 1] };
  const stock = { from: block.inventoryStarts[rows.from], to: block.inventoryStarts[rows.to] };
  const traits = { from: block.traitStarts[rows.from], to: block.traitStarts[rows.to] };
  const aggregates = { from: block.aggregateStarts[rows.from], to: block.aggregateStarts[rows.to] };
  const grown = by.ids.length - (rows.to - rows.from);
  const columns = {
    firstTree: block.firstTree,
    treeStarts: splicedStarts(block.treeStarts, { from: tree, to: tree + 1 }, by.treeStarts),
    ids: spliced(block.ids, rows, by.ids),
    uuids: splicedList(block.uuids, rows, by.uuids),
    names: splicedList(block.names, rows, by.names),
    generations: spliced(block.generations, rows, by.generations),
    parents: splicedRows(block.parents, rows, by.parents, grown),
    ends: splicedRows(block.ends, rows, by.ends, grown),
    trees: spliced(
      block.trees,
      rows,
      by.trees.map(() => tree),
    ),
    sharing: spliced(block.sharing, rows, by.sharing),
    inventoryStarts: splicedStarts(block.inventoryStarts, rows, by.inventoryStarts),
    classes: spliced(block.classes, stock, by.classes),
    capacities: spliced(block.capacities, stock, by.capacities),
    used: spliced(block.used, stock, by.used),
    minUnits: spliced(block.minUnits, stock, by.minUnits),
    maxUnits: spliced(block.maxUnits, stock, by.maxUnits),
    stepSizes: spliced(block.stepSizes, stock, by.stepSizes),
    traitStarts: splicedStarts(block.traitStarts, rows, by.traitStarts),
    traits: spliced(block.traits, traits, by.traits),
    aggregateStarts: splicedStarts(block.aggregateStarts, rows, by.aggregateStarts),
    aggregates: spliced(block.aggregates, aggregates, by.aggregates),
  };
  return { ...columns, index: replacedIn(block.index, tree, by.index) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type Column = Int32Array | Float64Array | Uint16Array | Uint8Array;

function spliced<C extends Column>(column: C, { from, to }: Range, by: C): C {
  if (isEqual(column, { from, to }, by)) return column;
  const Kind = column.constructor as new (length: number) => C;
  const result = new Kind(column.length - (to - from) + by.length);
  result.set(column.subarray(0, from));
  result.set(by, from);
  result.set(column.subarray(to), from + by.length);
  return result;
}

function splicedList(list: readonly string[], { from, to }: Range, by: readonly string[]): readonly string[] {
  if (isEqual(list, { from, to }, by)) return list;
  return [...list.slice(0, from), ...by, ...list.slice(to)];
}

/** A column of row numbers: those of the rows after the range move with them; -1 stays. */
function splicedRows(column: Int32Array, rows: Range, by: Int32Array, grown: number): Int32Array {
  const moved = by.map((row) => (row >= 0 ? row + rows.from : row));
  const result = spliced(column, rows, moved);
  if (grown === 0) return result;
  for (let at = rows.from + by.length; at < result.length; at++) if (result[at] >= 0) result[at] += grown;
  return result;
}

/** A column of where ranges start, one longer than what it counts. */
function splicedStarts(column: Int32Array, { from, to }: Range, by: Int32Array): Int32Array {
  const base = column[from];
  const moved = by.map((start) => base + start);
  if (isEqual(column, { from, to: to + 1 }, moved)) return column;
  const result = new Int32Array(column.length - (to - from) + by.length - 1);
  const grown = moved[by.length - 1] - column[to];
  result.set(column.subarray(0, from));
  result.set(moved, from);
  for (let at = to + 1; at < column.length; at++) result[from + by.length - 1 + at - to] = column[at] + grown;
  return result;
}

/** Whether a range of a column holds what shall be put there. */
function isEqual<T>(column: ArrayLike<T>, { from, to }: Range, by: ArrayLike<T>): boolean {
  if (by.length !== to - from) return false;
  for (let at = 0; at < by.length; at++) if (column[from + at] !== by[at]) return false;
  return true;
}
