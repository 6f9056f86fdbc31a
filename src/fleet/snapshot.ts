import type { ProviderFields } from '../model/provider.js';
import {
  freeWithCounters,
  usageWithImplied,
  type ConsumptionRow,
  type SupplyColumns,
  type TreeConsumption,
} from './consumption.js';

/**
 * All providers and their usage at one time. Immutable. Trees are numbered from 0; TREES_PER_BLOCK
 * consecutive trees form a block. A deleted tree is empty.
 */
export interface Snapshot {
  readonly blocks: readonly Block[];
  readonly treeCount: number;
  readonly classes: Names;
  readonly traits: Names;
  readonly aggregates: Names;
  locate(uuid: string): ProviderRef | undefined;
  readonly sharing: SharingProviders;
}

export const TREES_PER_BLOCK = 256;

/** The date of a provider without a recorded date. */
export const NOT_RECORDED = -1;

/** Maps names to ids and back. The names of aggregates are uuids. */
export interface Names {
  has(id: number): boolean;
  idOf(name: string): number | undefined;
  nameOf(id: number): string;
}

/** A provider: a row of a block. Equal providers may be different objects. */
export interface ProviderRef {
  readonly block: Block;
  readonly row: number;
}

/** Reads the columns of a provider. One object can show many, one after another. */
export class ProviderView {
  constructor(protected ref: ProviderRef) {}

  moveTo(ref: ProviderRef): this {
    this.ref = ref;
    return this;
  }

  get id(): number {
    return this.ref.block.ids[this.ref.row];
  }

  get uuid(): string {
    return this.ref.block.uuids[this.ref.row];
  }

  get name(): string {
    return this.ref.block.names[this.ref.row];
  }

  get generation(): number {
    return this.ref.block.generations[this.ref.row];
  }
}

/** All sharing providers of a snapshot (rules 73, 144). */
export interface SharingProviders {
  readonly all: readonly SharingProvider[];
  in(aggregate: number): readonly SharingProvider[];
  has(kind: 'class' | 'trait', id: number): boolean;
}

/** Remains valid when the provider's block is replaced. */
export interface SharingProvider {
  readonly treeIndex: number;
  readonly id: number;
}

/**
 * Providers are rows. The rows of a tree are adjacent and depth first: the subtree of row r is [r,
 * ends[r]). The inventories, traits and aggregates of row r are the entries from starts[r] up to,
 * but not including, starts[r + 1] of the columns below the respective starts.
 */
export interface Block {
  readonly firstTree: number;
  /** Tree t has rows [treeStarts[t], treeStarts[t + 1]). */
  readonly treeStarts: Int32Array;

  readonly ids: Int32Array;
  readonly uuids: readonly string[];
  readonly names: readonly string[];
  readonly generations: Int32Array;
  /** Seconds since 1970 or NOT_RECORDED. */
  readonly createdAt: Float64Array;
  readonly updatedAt: Float64Array;
  readonly parents: Int32Array;
  /** One past the row of the last descendant. */
  readonly ends: Int32Array;
  /** The tree of the row, counted from 0 in this block. */
  readonly trees: Uint16Array;
  /** 1 if the provider shares through its aggregates (rule 73). */
  readonly sharing: Uint8Array;

  readonly inventoryStarts: Int32Array;
  readonly classes: Int32Array;
  /** See capacityOf. */
  readonly capacities: Float64Array;
  /** See allowedUsageOf. The same column as `capacities` unless an inventory of the block is reserved whole. */
  readonly allowed: Float64Array;
  /** The sum of all allocations of the provider and class (rule 28). */
  readonly used: Float64Array;
  readonly minUnits: Int32Array;
  readonly maxUnits: Int32Array;
  readonly stepSizes: Int32Array;
  /** By tree: what its inventories consume of counters; null if nothing. Null if no tree of the block has any. */
  readonly consumption: readonly (TreeConsumption | null)[] | null;

  readonly traitStarts: Int32Array;
  readonly traits: Int32Array;
  readonly aggregateStarts: Int32Array;
  readonly aggregates: Int32Array;

  readonly index: BlockIndex;
}

/** Rules out trees and whole blocks without reading their providers. */
export interface BlockIndex {
  readonly classes: ReadonlyMap<number, ClassIndex>;
  /** One bit per tree: set if any provider has the trait, or is in the aggregate. */
  readonly traits: ReadonlyMap<number, Uint32Array>;
  readonly aggregates: ReadonlyMap<number, Uint32Array>;
  /** The bounds that ordered searches found in this block, by request key. */
  readonly bestBounds: Map<string, KeptBounds>;
  /** The orders of lists of providers, by key. Versions of a block share them. */
  readonly orders: Map<string, BlockOrder>;
}

/** The rows of a block, or its roots, in ascending order by one key. Rows without the key come last. */
export interface BlockOrder {
  /** The order is valid while the block has these columns. */
  readonly columns: readonly object[];
  readonly rows: Int32Array;
  readonly keyed: number;
}

/** The trees of a block with one bound, and the best bound below it; null: none. */
export interface BoundLevel {
  readonly trees: readonly number[];
  readonly next: readonly number[] | null;
}

export interface KeptBounds {
  /** The best bound; null: no tree fits. */
  readonly best: readonly number[] | null;
  /** The trees with the best bound; null before its first use. */
  first: BoundLevel | null;
  /** By term: the bounds of the trees; null if the index suffices to compute them. */
  readonly columns: readonly (Float64Array | null)[];
}

export function indexWith(index: BlockIndex, classes: BlockIndex['classes']): BlockIndex {
  return { ...index, classes, bestBounds: new Map() };
}

/** The free amounts of one resource class in the trees of a block. All columns are by tree. */
export interface ClassIndex {
  /** The largest amount that one provider could take, by free capacity and max_unit. */
  readonly largestFree: Float64Array;
  /** The sum of the free amounts, saturating. */
  readonly totalFree: Float64Array;
  /** The largest and smallest free amount of inventories that are not full; 0 if all are full. */
  readonly highestFree: Float64Array;
  readonly lowestFree: Float64Array;
  /** The capacity of each inventory; NaN if they differ, 0 if there is none. */
  readonly commonCapacity: Float64Array;
  readonly maxFree: number;
}

export interface Tree {
  readonly treeIndex: number;
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** Returns the position of a tree's block. */
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

export function blocksWith(snapshot: Snapshot, trees: ReadonlySet<number> | null): readonly Block[] {
  if (trees === null) return snapshot.blocks;
  return [...new Set(Array.from(trees, (tree) => blockOf(snapshot, tree)))];
}

export function treeIndexOf(provider: ProviderRef): number {
  return provider.block.firstTree + provider.block.trees[provider.row];
}

export function rootRow(block: Block, row: number): number {
  return block.treeStarts[block.trees[row]];
}

export function hasBit(bits: Uint32Array | undefined, position: number): boolean {
  return bits !== undefined && (bits[position >>> 5] & (1 << (position & 31))) !== 0;
}

/** Returns the positions of the set bits, ascending. */
export function positionsIn(bits: Uint32Array): number[] {
  const positions: number[] = [];
  for (let at = 0; at < bits.length; at++)
    for (let rest = bits[at]; rest !== 0; rest &= rest - 1)
      positions.push(at * 32 + 31 - Math.clz32(rest & -rest));
  return positions;
}

/** Returns the trees of a block that have one of some ids in an index, one bit per tree. */
export function treesWithAny(index: ReadonlyMap<number, Uint32Array>, ids: readonly number[]): Uint32Array {
  const trees = new Uint32Array(TREES_PER_BLOCK / 32);
  for (const id of ids) {
    const bits = index.get(id);
    if (bits !== undefined) for (let word = 0; word < trees.length; word++) trees[word] |= bits[word];
  }
  return trees;
}

/** Returns the position of an inventory in the columns; -1 if there is none. */
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

/** Returns a negative amount if the inventory is overused. The counters that it consumes may leave fewer units. */
export function freeAt(block: SupplyColumns, at: number): number {
  const free = block.capacities[at] - block.used[at];
  return block.consumption === null ? free : freeWithCounters(block, at, free);
}

/** Returns the usage of an inventory. Of a counter, what the usage of its partitions implies if that is larger. */
export function usedAt(block: SupplyColumns, at: number, used = block.used): number {
  return block.consumption === null ? used[at] : usageWithImplied(block, at, used);
}

/** Returns how far a usage exceeds what the inventory allows; 0 or less if it is not over capacity. */
export function excessAt(
  block: SupplyColumns & Pick<Block, 'allowed'>,
  at: number,
  used: Block['used'],
): number {
  return usedAt(block, at, used) - block.allowed[at];
}

/** Returns whether `reserved` equals `total` (decision D23). */
export function isReservedWhole({ allowed, capacities }: Block, at: number): boolean {
  return allowed[at] > capacities[at];
}

export function hasTrait(block: Pick<Block, 'traitStarts' | 'traits'>, row: number, trait: number): boolean {
  return contains(block.traits, block.traitStarts[row], block.traitStarts[row + 1], trait);
}

function contains(column: Int32Array, start: number, end: number, wanted: number): boolean {
  for (let at = start; at < end; at++) {
    if (column[at] === wanted) return true;
  }
  return false;
}

/** Returns the largest amount that free capacity and max_unit allow; 0 if the inventory is missing. */
export function largestAmount({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, Math.min(freeAt(block, at), block.maxUnits[at]));
}

/** Returns 0 if the inventory is missing or overused. */
export function freeOf({ block, row }: ProviderRef, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, freeAt(block, at));
}

/** Dates are seconds since 1970 or NOT_RECORDED. */
export interface ProviderData extends ProviderFields {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly inventories: readonly InventoryData[];
  /** What the inventories consume of counters. Absent: nothing. */
  readonly consumption?: readonly ConsumptionRow[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

export interface InventoryData {
  readonly classId: number;
  readonly capacity: number;
  /** See allowedUsageOf. */
  readonly allowed: number;
  readonly used: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
}

export class NameTable implements Names {
  private readonly ids = new Map<string, number>();
  private readonly names = new Map<number, string>();
  /** Deleted ids. A provider that was read before its names may still refer to them. */
  private readonly deleted: ReadonlyMap<number, string>;
  /** The id that stands for others of the same name: another program may spell one aggregate in several rows. */
  private readonly firstIds = new Map<number, number>();

  constructor(records: readonly { readonly id: number; readonly name: string }[], previous?: NameTable) {
    const repeated = new Map<string, number[]>();
    for (const { id, name } of records) {
      const other = this.ids.get(name);
      const first = previous?.firstOf(id) ?? id;
      if (first !== id) this.firstIds.set(id, first);
      if (other === undefined) this.ids.set(name, first);
      else if (name !== '') repeated.set(name, [...(repeated.get(name) ?? [other]), first]);
      this.names.set(id, name);
    }
    const known = previous === undefined ? [] : [...previous.deleted, ...previous.names];
    this.deleted = new Map(known.filter(([id]) => !this.names.has(id)));
    for (const [name, ids] of repeated) {
      // the snapshot refers to ids of the previous table, so one of these stays the id of all
      const first = ids.find((id) => previous?.ids.get(name) === id) ?? Math.min(...ids);
      this.ids.set(name, first);
      for (const id of ids) if (id !== first) this.firstIds.set(id, first);
    }
  }

  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  /** Returns the id that stands for all ids with the name of this one: itself unless the name has several. */
  firstOf(id: number): number {
    return this.firstIds.get(id) ?? id;
  }

  /** Returns the ids that others stand for, with those. */
  replacedIds(): ReadonlyMap<number, number> {
    return this.firstIds;
  }

  has(id: number): boolean {
    return this.names.has(id);
  }

  entries(): Iterable<readonly [id: number, name: string]> {
    return this.names;
  }

  nameOf(id: number): string {
    const name = this.names.get(id) ?? this.deleted.get(id);
    if (name === undefined) throw new Error(`no name is known for id ${id}`);
    return name;
  }
}

/** Returns the ids of the aggregates of a provider, each aggregate once. */
export function aggregatesOnce(ids: readonly number[], names: NameTable): readonly number[] {
  return names.replacedIds().size === 0 ? ids : [...new Set(ids.map((id) => names.firstOf(id)))];
}
