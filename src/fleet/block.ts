import { classIndexOf, type BlockColumns, withTree } from './providerIndex.js';
import { type Block, type BlockIndex, hasTrait, TREES_PER_BLOCK, blockNumber, hasBit } from './snapshot.js';
import { type Trees, columnsOf, treesOf } from './providerColumns.js';
import { consumptionOf } from './consumption.js';

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
  const complete = { ...block, consumption: consumptionOf(block, columns.consumption) };
  return { ...complete, index: blockIndexOf(complete) };
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

export function blockIndexOf(columns: BlockColumns): BlockIndex {
  return {
    classes: classIndexOf(columns),
    traits: bitIndex(columns, columns.traitStarts, columns.traits),
    aggregates: bitIndex(columns, columns.aggregateStarts, columns.aggregates),
    bestBounds: new Map(),
    orders: new Map(),
  };
}

function bitIndex({ trees }: BlockColumns, starts: Int32Array, ids: Int32Array): Map<number, Uint32Array> {
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

/** The blocks of the next snapshot: those of the present one, with trees replaced. */
export class BlocksDraft {
  readonly blocks: Block[];
  readonly freeTreeIndices: number[];
  readonly replaced = new Set<number>();

  constructor(
    blocks: readonly Block[],
    public treeCount: number,
    freeTreeIndices: readonly number[],
    private readonly sharingTrait: number | undefined,
  ) {
    this.blocks = [...blocks];
    this.freeTreeIndices = [...freeTreeIndices];
  }

  /** Replaces a tree. If `tree` is undefined, the index becomes free. */
  replace(treeIndex: number, tree: Trees | undefined): void {
    const at = blockNumber(treeIndex);
    const block = this.blocks[at];
    const replacement = buildBlock(treeIndex, tree ?? EMPTY_TREE, this.sharingTrait);
    this.blocks[at] = replaceTree(block, treeIndex - block.firstTree, replacement);
    this.replaced.add(at);
    if (tree === undefined) this.freeTreeIndices.push(treeIndex);
  }

  /** Adds a tree at a free index, or after the last one. */
  add(tree: Trees): number {
    const free = this.freeTreeIndices.pop();
    const treeIndex = free ?? this.treeCount++;
    if (free === undefined) {
      const at = blockNumber(treeIndex);
      const block = this.blocks[at] ?? buildBlock(treeIndex, NO_TREE, this.sharingTrait);
      this.blocks[at] = { ...block, treeStarts: Int32Array.of(...block.treeStarts, block.ids.length) };
    }
    this.replace(treeIndex, tree);
    return treeIndex;
  }
}

const NO_TREE = treesOf(columnsOf([]));
const EMPTY_TREE: Trees = { ...NO_TREE, starts: Int32Array.of(0, 0) };

/**
 * Returns a copy of a block in which a tree is replaced by the only tree of another block. Shares the
 * columns in which the trees are equal: most changes copy only generations and usage.
 */
function replaceTree(block: Block, tree: number, by: Block): Block {
  const rows = { from: block.treeStarts[tree], to: block.treeStarts[tree + 1] };
  const inventories = { from: block.inventoryStarts[rows.from], to: block.inventoryStarts[rows.to] };
  const traits = { from: block.traitStarts[rows.from], to: block.traitStarts[rows.to] };
  const aggregates = { from: block.aggregateStarts[rows.from], to: block.aggregateStarts[rows.to] };
  const grown = by.ids.length - (rows.to - rows.from);
  const capacities = replaced(block.capacities, inventories, by.capacities);
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
    capacities,
    allowed:
      block.allowed === block.capacities && by.allowed === by.capacities
        ? capacities
        : replaced(block.allowed, inventories, by.allowed),
    used: replaced(block.used, inventories, by.used),
    minUnits: replaced(block.minUnits, inventories, by.minUnits),
    maxUnits: replaced(block.maxUnits, inventories, by.maxUnits),
    stepSizes: replaced(block.stepSizes, inventories, by.stepSizes),
    consumption: replacedConsumption(block, tree, by),
    traitStarts: replacedStarts(block.traitStarts, rows, by.traitStarts),
    traits: replaced(block.traits, traits, by.traits),
    aggregateStarts: replacedStarts(block.aggregateStarts, rows, by.aggregateStarts),
    aggregates: replaced(block.aggregates, aggregates, by.aggregates),
  };
  return {
    ...columns,
    index: replaceTreeInIndex(block, columns, tree, by, { inventories, traits, aggregates }),
  };
}

function replacedConsumption(block: Block, tree: number, by: Block): Block['consumption'] {
  const replacement = by.consumption?.[0] ?? null;
  if (block.consumption === null && replacement === null) return null;
  const all = Array.from({ length: block.treeStarts.length - 1 }, (_, at) => block.consumption?.[at] ?? null);
  all[tree] = replacement;
  return all.some((each) => each !== null) ? all : null;
}

/** Shares the entries that the replacement does not change. Removes those of ids that are no longer in the block. */
function replaceTreeInIndex(
  block: Block,
  after: BlockColumns,
  tree: number,
  by: Block,
  ranges: Record<'inventories' | 'traits' | 'aggregates', Range>,
): BlockIndex {
  const { index } = block;
  const bitsOf = (kind: 'traits' | 'aggregates'): ReadonlyMap<number, Uint32Array> =>
    renewed(index[kind], idsOf(block[kind], ranges[kind], by[kind]), after[kind], (own, id) =>
      withBit(own, tree, by.index[kind].has(id)),
    );
  const classIds = idsOf(block.classes, ranges.inventories, by.classes);
  return {
    classes: renewed(index.classes, classIds, after.classes, (own, id) =>
      withTree(own, tree, by.index.classes.get(id)),
    ),
    traits: bitsOf('traits'),
    aggregates: bitsOf('aggregates'),
    bestBounds: new Map(),
    orders: index.orders,
  };
}

/** Returns the ids that a tree had before its replacement or has after it. */
function idsOf(column: Int32Array, { from, to }: Range, by: Int32Array): Set<number> {
  return new Set([...column.subarray(from, to), ...by]);
}

/** Returns an index with renewed entries of the `ids` that are in the block's new column. */
function renewed<T>(
  index: ReadonlyMap<number, T>,
  ids: ReadonlySet<number>,
  column: Int32Array,
  renew: (own: T | undefined, id: number) => T,
): Map<number, T> {
  const result = new Map(index);
  for (const id of ids) {
    if (column.includes(id)) result.set(id, renew(index.get(id), id));
    else result.delete(id);
  }
  return result;
}

/** Returns the same bits if the bit of the tree has this value already. */
function withBit(own: Uint32Array | undefined, tree: number, isSet: boolean): Uint32Array {
  if (own !== undefined && hasBit(own, tree) === isSet) return own;
  const bits = own?.slice() ?? new Uint32Array(TREES_PER_BLOCK / 32);
  bits[tree >>> 5] ^= 1 << (tree & 31);
  return bits;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type AnyColumn = Int32Array | Float64Array | Uint16Array | Uint8Array;

function replaced<C extends AnyColumn>(column: C, { from, to }: Range, by: C): C {
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

/** Shifts the row numbers after the replaced rows. */
function replacedRowNumbers(column: Int32Array, rows: Range, by: Int32Array, grown: number): Int32Array {
  const shifted = by.map((row) => (row >= 0 ? row + rows.from : row));
  const result = replaced(column, rows, shifted);
  if (grown === 0) return result;
  for (let at = rows.from + by.length; at < result.length; at++) if (result[at] >= 0) result[at] += grown;
  return result;
}

/** Shifts the starts after the replaced range. The column has one more start at the end. */
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

function isEqual<T>(column: ArrayLike<T>, { from, to }: Range, by: ArrayLike<T>): boolean {
  if (by.length !== to - from) return false;
  for (let at = 0; at < by.length; at++) if (column[from + at] !== by[at]) return false;
  return true;
}
