import {
  type Block,
  type SharingProvider,
  type SharingProviders,
  freeAt,
  inventoryAt,
  TREES_PER_BLOCK,
  type ClassIndex,
} from './snapshot.js';
import { lastAtMost, positionOf } from '../model/collections.js';
import { addToGroup } from '../model/collections.js';
import { saturatingSum } from '../model/input.js';

/**
 * The tree index of each provider by uuid and by id: an open-addressing hash table of row numbers, which
 * takes a tenth of the time and memory of maps for a million uuids. Immutable.
 */
export class LoadedProviders {
  /** Row numbers over all blocks plus one, by the hash of the uuid, with linear probing; 0 is free. */
  private readonly table: Int32Array;
  private readonly shift: number;
  /** By block: its first row number, and one more at the end. */
  private readonly starts: Int32Array;
  /** Ascending, with the tree indices in the same order. */
  private readonly ids: Int32Array;
  private readonly treeIndices: Int32Array;
  /** Without the other columns: those of replaced blocks would stay in memory. */
  private readonly blocks: readonly Pick<Block, 'firstTree' | 'trees' | 'uuids'>[];

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks.map(({ firstTree, trees, uuids }) => ({ firstTree, trees, uuids }));
    this.starts = new Int32Array(blocks.length + 1);
    blocks.forEach(({ ids }, at) => (this.starts[at + 1] = this.starts[at] + ids.length));
    const bits = Math.max(1, Math.ceil(Math.log2(2 * this.starts[blocks.length] + 1)));
    this.table = new Int32Array(2 ** bits);
    this.shift = 32 - bits;
    const ids = new Int32Array(this.starts[blocks.length]);
    const treeIndices = new Int32Array(ids.length);
    blocks.forEach((block, at) => {
      const start = this.starts[at];
      ids.set(block.ids, start);
      for (let row = 0; row < block.ids.length; row++) {
        treeIndices[start + row] = block.firstTree + block.trees[row];
        let slot = this.first(hashOf(block.uuids[row]));
        while (this.table[slot] !== 0) slot = (slot + 1) % this.table.length; // all uuids differ
        this.table[slot] = start + row + 1;
      }
    });
    // Sorts combined numbers, which needs no comparison callback.
    const keys = Float64Array.from(ids, (id, position) => id * ids.length + position).sort();
    const order = Int32Array.from(keys, (key) => key % ids.length);
    this.ids = order.map((row) => ids[row]);
    this.treeIndices = order.map((row) => treeIndices[row]);
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    const { table } = this;
    for (let at = this.first(hashOf(uuid)); table[at] !== 0; at = (at + 1) % table.length) {
      const number = lastAtMost(this.starts, table[at] - 1);
      const block = this.blocks[number];
      const row = table[at] - 1 - this.starts[number];
      if (block.uuids[row] === uuid) return block.firstTree + block.trees[row];
    }
    return undefined;
  }

  treeIndexOfId(id: number): number | undefined {
    const at = positionOf(this.ids, id);
    return at < 0 ? undefined : this.treeIndices[at];
  }

  /** Returns the preferred position of a hash. */
  private first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }
}

/** Uses all characters: uuids of one writer often share a prefix or suffix. */
function hashOf(uuid: string): number {
  let hash = 0;
  for (let at = 0; at < uuid.length; at++) hash = (Math.imul(hash, 31) + uuid.charCodeAt(at)) | 0;
  return hash >>> 0;
}

/** The number of maps: a change of one provider copies one of them. */
const SHARDS = 4096;

/** The tree index of a loaded provider that was deleted. */
const GONE = -1;

/**
 * The tree index of each provider by uuid and by id: the index of the loaded providers, and maps of
 * providers that were added, deleted or moved since. Immutable; a change copies the maps concerned.
 */
export class ProviderIndex {
  private constructor(
    private readonly loaded: LoadedProviders,
    private readonly byUuid: Shards<string>,
    private readonly byId: Shards<number>,
  ) {}

  static of(loaded: LoadedProviders): ProviderIndex {
    return new ProviderIndex(loaded, new Shards(), new Shards());
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    const treeIndex = this.byUuid.get(uuid) ?? this.loaded.treeIndexOfUuid(uuid);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  treeIndexOfId(id: number): number | undefined {
    const treeIndex = this.byId.get(id) ?? this.loaded.treeIndexOfId(id);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  /** Replaces some providers. Returns the same index if none was added, deleted or moved to another tree. */
  with(before: readonly LocatedKey[], after: readonly LocatedKey[]): ProviderIndex {
    const former = new Map(before.map((one) => [one.uuid, one]));
    const put = after.filter(({ id, uuid, treeIndex }) => {
      const known = former.get(uuid);
      return known?.id !== id || known.treeIndex !== treeIndex;
    });
    const kept = new Map(after.map(({ id, uuid }) => [uuid, id]));
    const gone = before.filter(({ id, uuid }) => kept.get(uuid) !== id);
    if (put.length === 0 && gone.length === 0) return this;
    const byUuid = this.byUuid.copy();
    const byId = this.byId.copy();
    for (const { id, uuid } of gone) {
      byUuid.set(uuid, this.loaded.treeIndexOfUuid(uuid) === undefined ? undefined : GONE);
      byId.set(id, this.loaded.treeIndexOfId(id) === undefined ? undefined : GONE);
    }
    for (const { id, uuid, treeIndex } of put) {
      byUuid.set(uuid, treeIndex);
      byId.set(id, treeIndex);
    }
    return new ProviderIndex(this.loaded, byUuid, byId);
  }
}

export interface LocatedKey {
  readonly id: number;
  readonly uuid: string;
  readonly treeIndex: number;
}

/** A map in parts. A copy shares each part until it writes it. */
class Shards<K extends string | number> {
  private readonly own = new Set<number>();

  constructor(private readonly maps = Array<Map<K, number>>(SHARDS).fill(new Map())) {}

  copy(): Shards<K> {
    return new Shards([...this.maps]);
  }

  get(key: K): number | undefined {
    return this.maps[shardOf(key)].get(key);
  }

  /** Deletes the key if the value is undefined. */
  set(key: K, value: number | undefined): void {
    const at = shardOf(key);
    if (!this.own.has(at)) this.maps[at] = new Map(this.maps[at]);
    this.own.add(at);
    if (value === undefined) this.maps[at].delete(key);
    else this.maps[at].set(key, value);
  }
}

function shardOf(key: string | number): number {
  return (typeof key === 'string' ? hashOf(key) : key) % SHARDS;
}

interface SharedSupply extends SharingProvider {
  readonly aggregates: readonly number[];
  readonly classes: readonly number[];
  readonly traits: readonly number[];
}

/** The sharing providers by aggregate, and the classes and traits that any of them has. Immutable. */
export class SharingIndex implements SharingProviders {
  readonly all: readonly SharingProvider[];
  private readonly sharingProviders = new Map<number, SharingProvider[]>();
  private readonly classes = new Set<number>();
  private readonly traits = new Set<number>();

  private constructor(private readonly byBlock: readonly (readonly SharedSupply[])[]) {
    const supplies = byBlock.flat();
    this.all = supplies;
    for (const supply of supplies) {
      for (const aggregate of supply.aggregates) addToGroup(this.sharingProviders, aggregate, supply);
      for (const id of supply.classes) this.classes.add(id);
      for (const id of supply.traits) this.traits.add(id);
    }
  }

  static of(blocks: readonly Block[]): SharingIndex {
    return new SharingIndex(blocks.map(suppliesOf));
  }

  /** Replaces some blocks. Returns the same index unless sharing providers or their supply changed. */
  with(blocks: readonly Block[], replaced: Iterable<number>): SharingIndex {
    const byBlock = [...this.byBlock];
    let isSame = true;
    for (const at of replaced) {
      const supplies = suppliesOf(blocks[at]);
      if (JSON.stringify(supplies) === JSON.stringify(byBlock[at] ?? [])) continue;
      byBlock[at] = supplies;
      isSame = false;
    }
    return isSame ? this : new SharingIndex(Array.from(byBlock, (supplies) => supplies ?? []));
  }

  in(aggregate: number): readonly SharingProvider[] {
    return this.sharingProviders.get(aggregate) ?? [];
  }

  has(kind: 'class' | 'trait', id: number): boolean {
    return (kind === 'class' ? this.classes : this.traits).has(id);
  }
}

function suppliesOf(block: Block): readonly SharedSupply[] {
  if (!block.sharing.includes(1)) return [];
  const supplies: SharedSupply[] = [];
  block.sharing.forEach((sharing, row) => {
    if (sharing !== 1) return;
    supplies.push({
      treeIndex: block.firstTree + block.trees[row],
      id: block.ids[row],
      aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
      classes: [...block.classes.subarray(block.inventoryStarts[row], block.inventoryStarts[row + 1])],
      traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
    });
  });
  return supplies;
}

export type BlockColumns = Omit<Block, 'index'>;
type Draft = { -readonly [Field in keyof ClassIndex]: ClassIndex[Field] };

const TREE_COLUMNS = [
  'largestFree',
  'totalFree',
  'highestFree',
  'lowestFree',
  'commonCapacity',
] as const satisfies (keyof ClassIndex)[];

export function classIndexOf(columns: BlockColumns): Map<number, ClassIndex> {
  const { trees, inventoryStarts, classes } = columns;
  const index = new Map<number, Draft>();
  for (let row = 0; row < trees.length; row++) {
    for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++) {
      let entry = index.get(classes[at]);
      if (entry === undefined) index.set(classes[at], (entry = emptyIndex()));
      addInventory(entry, columns, trees[row], at);
    }
  }
  for (const entry of index.values()) entry.maxFree = largestOf(entry.largestFree);
  return index;
}

/** Recalculates trees of an index in place after a change of usage. */
export function recalculateTrees(
  columns: BlockColumns,
  trees: Iterable<number>,
  resourceClass: number,
  entry: Draft,
): ClassIndex {
  for (const tree of trees) {
    for (const column of TREE_COLUMNS) entry[column][tree] = 0;
    for (let row = columns.treeStarts[tree]; row < columns.treeStarts[tree + 1]; row++) {
      const at = inventoryAt(columns, row, resourceClass);
      if (at >= 0) addInventory(entry, columns, tree, at);
    }
  }
  entry.maxFree = largestOf(entry.largestFree);
  return entry;
}

/**
 * Returns an index in which a tree has the values of the first tree of another index (0 if undefined).
 * Returns the same index if nothing differs.
 */
export function withTree(
  index: ClassIndex | undefined,
  tree: number,
  by: ClassIndex | undefined,
): ClassIndex {
  const valueOf = (column: (typeof TREE_COLUMNS)[number]): number => by?.[column][0] ?? 0;
  if (index && TREE_COLUMNS.every((column) => Object.is(index[column][tree], valueOf(column)))) return index;
  const entry = index ? copyOf(index) : emptyIndex();
  for (const column of TREE_COLUMNS) entry[column][tree] = valueOf(column);
  entry.maxFree = largestOf(entry.largestFree);
  return entry;
}

export function largestFreeOf(blocks: readonly Block[], resourceClass: number): number {
  return blocks.reduce(
    (most, { index }) => Math.max(most, index.classes.get(resourceClass)?.maxFree ?? 0),
    0,
  );
}

export function copyOf(index: ClassIndex): Draft {
  const copy = { ...index };
  for (const column of TREE_COLUMNS) copy[column] = index[column].slice();
  return copy;
}

function emptyIndex(): Draft {
  const column = (): Float64Array => new Float64Array(TREES_PER_BLOCK);
  return {
    largestFree: column(),
    totalFree: column(),
    highestFree: column(),
    lowestFree: column(),
    commonCapacity: column(),
    maxFree: 0,
  };
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  // A loop is several times faster than a call for each value.
  for (let at = 0; at < values.length; at++) if (values[at] > largest) largest = values[at];
  return largest;
}

function addInventory(entry: Draft, columns: BlockColumns, tree: number, at: number): void {
  const { largestFree, totalFree, highestFree, lowestFree, commonCapacity } = entry;
  const capacity = columns.capacities[at];
  if (capacity > 0) {
    const other = commonCapacity[tree];
    commonCapacity[tree] = other === 0 || other === capacity ? capacity : NaN;
  }
  const free = freeAt(columns, at);
  if (free <= 0) return;
  totalFree[tree] = saturatingSum(totalFree[tree], free);
  largestFree[tree] = Math.max(largestFree[tree], Math.min(free, columns.maxUnits[at]));
  highestFree[tree] = Math.max(highestFree[tree], free);
  lowestFree[tree] = lowestFree[tree] === 0 ? free : Math.min(lowestFree[tree], free);
}
