import type { Block } from './snapshot.js';
import { lastAtMost, positionOf } from './providerColumns.js';

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
