/**
 * What the search reads: all providers and their use at one time; immutable. Trees are numbered from 0 (tree
 * index); TREES_PER_BLOCK consecutive ones make a block of columns. A tree may be empty (deleted).
 */
export interface Snapshot {
  readonly blocks: readonly Block[];
  readonly treeCount: number;
  readonly classes: Names;
  readonly traits: Names;
  readonly aggregates: Names;
  /** The provider with this uuid; undefined when there is none. */
  locate(uuid: string): ProviderRef | undefined;
  readonly sharing: SharingProviders;
}

export const TREES_PER_BLOCK = 256;

/** Stands for the date of a provider whose row has none. */
export const NOT_RECORDED = -1;

/** The names of a catalog, or uuids, and the ids that stand for them in the columns. */
export interface Names {
  has(id: number): boolean;
  idOf(name: string): number | undefined;
  nameOf(id: number): string;
}

/** A provider in a snapshot: a row of a block. Equal providers are not always the same object. */
export interface ProviderRef {
  readonly block: Block;
  readonly row: number;
}

/** All sharing providers of a snapshot (rule 73). */
export interface SharingProviders {
  readonly all: readonly SharingProvider[];
  /** Those directly in an aggregate (rule 144). */
  in(aggregate: number): readonly SharingProvider[];
  /** Whether any of them (in any aggregate) has an inventory of the class, or the trait. */
  has(kind: 'class' | 'trait', id: number): boolean;
}

/** A sharing provider in terms that stay right when its block is replaced. */
export interface SharingProvider {
  readonly treeIndex: number;
  /** The provider's id in the database. */
  readonly id: number;
}

/**
 * The columns of TREES_PER_BLOCK trees. Providers are rows, a tree's rows are adjacent and depth first, so
 * that the subtree of row r is [r, ends[r]) and the first row of a tree is its root. A provider's
 * inventories, traits and aggregates are ranges of the columns below them.
 */
export interface Block {
  /** The tree index of the block's first tree. */
  readonly firstTree: number;
  /** Per tree its first row, and one more at the end: tree t has rows [treeStarts[t], treeStarts[t + 1]). */
  readonly treeStarts: Int32Array;

  readonly ids: Int32Array;
  readonly uuids: readonly string[];
  readonly names: readonly string[];
  readonly generations: Int32Array;
  /** Seconds since 1970; {@link NOT_RECORDED} where the row has no date. */
  readonly createdAt: Float64Array;
  readonly updatedAt: Float64Array;
  /** Row of the parent; -1 for a root. */
  readonly parents: Int32Array;
  /** One past the row of the last descendant. */
  readonly ends: Int32Array;
  /** Tree of the row, counted from 0 in this block. */
  readonly trees: Uint16Array;
  /** 1 where the provider shares through its aggregates (rule 73). */
  readonly sharing: Uint8Array;

  readonly inventoryStarts: Int32Array;
  readonly classes: Int32Array;
  /** By capacityOf. */
  readonly capacities: Float64Array;
  /** Sum of all allocations of the provider and class (rule 28). */
  readonly used: Float64Array;
  readonly minUnits: Int32Array;
  readonly maxUnits: Int32Array;
  readonly stepSizes: Int32Array;

  readonly traitStarts: Int32Array;
  readonly traits: Int32Array;
  readonly aggregateStarts: Int32Array;
  readonly aggregates: Int32Array;

  readonly index: BlockIndex;
}

/** What lets the search rule out trees, and whole blocks, without reading their providers. */
export interface BlockIndex {
  readonly classes: ReadonlyMap<number, ClassIndex>;
  /** Trees in which any provider has the trait, or is directly in the aggregate: one bit per tree. */
  readonly traits: ReadonlyMap<number, Uint32Array>;
  readonly aggregates: ReadonlyMap<number, Uint32Array>;
  /** The best bounds that ordered searches found in this block, by request key; null: no tree fits. */
  readonly bestBounds: Map<string, readonly number[] | null>;
}

/** Returns the index of a block whose usage has changed. */
export function indexWith(index: BlockIndex, classes: BlockIndex['classes']): BlockIndex {
  return { ...index, classes, bestBounds: new Map() };
}

/** What the trees of a block have free of one resource class. All columns are by tree. */
export interface ClassIndex {
  /** The largest amount that one provider could still take, by free capacity and max_unit. */
  readonly largestFree: Float64Array;
  /** The sum of the free amounts, saturating. */
  readonly totalFree: Float64Array;
  /** The largest and the smallest free amount of the inventories that are not full; 0 if all are full. */
  readonly highestFree: Float64Array;
  readonly lowestFree: Float64Array;
  /** The capacity of each inventory of the tree; NaN if they differ, 0 if there is none. */
  readonly commonCapacity: Float64Array;
  /** The largest `largestFree` of the block. */
  readonly maxFree: number;
}

/** A tree of a snapshot: its rows are from `start` to before `end`. */
export interface Tree {
  readonly treeIndex: number;
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** The position in the list of blocks of the block of a tree. */
export function blockNumber(treeIndex: number): number {
  return Math.floor(treeIndex / TREES_PER_BLOCK);
}

export function blockOf({ blocks }: Pick<Snapshot, 'blocks'>, treeIndex: number): Block {
  return blocks[blockNumber(treeIndex)];
}

export function treeOf(snapshot: Pick<Snapshot, 'blocks'>, treeIndex: number): Tree {
  const block = blockOf(snapshot, treeIndex);
  const tree = treeIndex - block.firstTree;
  return { treeIndex, block, start: block.treeStarts[tree], end: block.treeStarts[tree + 1] };
}

/** The blocks with any of these trees; null: all of them. */
export function blocksWith(snapshot: Snapshot, trees: ReadonlySet<number> | null): readonly Block[] {
  if (trees === null) return snapshot.blocks;
  return [...new Set(Array.from(trees, (tree) => blockOf(snapshot, tree)))];
}

export function treeIndexOf(provider: ProviderRef): number {
  return provider.block.firstTree + provider.block.trees[provider.row];
}

/** The row of the root of the tree in which a row is. */
export function rootRow(block: Block, row: number): number {
  return block.treeStarts[block.trees[row]];
}

export function hasBit(bits: Uint32Array | undefined, position: number): boolean {
  return bits !== undefined && (bits[position >>> 5] & (1 << (position & 31))) !== 0;
}

/** The position in the inventory columns of a provider's inventory of a class; -1 when it has none. */
export function inventoryAt(
  block: Pick<Block, 'inventoryStarts' | 'classes'>,
  row: number,
  resourceClass: number,
): number {
  const end = block.inventoryStarts[row + 1];
  for (let at = block.inventoryStarts[row]; at < end; at++) {
    if (block.classes[at] === resourceClass) return at;
  }
  return -1;
}

/** What is free of the inventory at a position: negative where it was shrunk below what is used. */
export function freeAt({ capacities, used }: Pick<Block, 'capacities' | 'used'>, at: number): number {
  return capacities[at] - used[at];
}

export function hasTrait(block: Pick<Block, 'traitStarts' | 'traits'>, row: number, trait: number): boolean {
  return contains(block.traits, block.traitStarts[row], block.traitStarts[row + 1], trait);
}

export function isMember(block: Block, row: number, aggregate: number): boolean {
  return contains(block.aggregates, block.aggregateStarts[row], block.aggregateStarts[row + 1], aggregate);
}

function contains(column: Int32Array, start: number, end: number, wanted: number): boolean {
  for (let at = start; at < end; at++) {
    if (column[at] === wanted) return true;
  }
  return false;
}
