import type { Block } from '../../engine/model/snapshot.js';
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

  constructor(private readonly blocks: readonly Block[]) {
    this.starts = startsOf(blocks);
    const bits = Math.max(1, Math.ceil(Math.log2(2 * this.starts[blocks.length] + 1)));
    this.table = new Int32Array(2 ** bits);
    this.shift = 32 - bits;
    blocks.forEach((block, at) => this.addAll(block.uuids, this.starts[at]));
    const ids = joined(blocks.map((block) => block.ids));
    const treeIndices = joined(blocks.map(treeIndicesIn));
    const order = isAscending(ids) ? null : ascending(ids);
    this.ids = order === null ? ids : order.map((row) => ids[row]);
    this.treeIndices = order === null ? treeIndices : order.map((row) => treeIndices[row]);
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    const { table } = this;
    for (let at = this.first(hashOf(uuid)); table[at] !== 0; at = (at + 1) % table.length) {
      const { block, row } = this.place(table[at] - 1);
      if (block.uuids[row] === uuid) return block.firstTree + block.trees[row];
    }
    return undefined;
  }

  treeIndexOfId(id: number): number | undefined {
    const at = positionOf(this.ids, id);
    return at < 0 ? undefined : this.treeIndices[at];
  }

  /** All uuids differ, so it does not compare them. */
  private addAll(uuids: readonly string[], start: number): void {
    const { table } = this;
    for (let row = 0; row < uuids.length; row++) {
      let at = this.first(hashOf(uuids[row]));
      while (table[at] !== 0) at = (at + 1) % table.length;
      table[at] = start + row + 1;
    }
  }

  /** Returns the preferred position of a hash. */
  private first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }

  private place(row: number): { block: Block; row: number } {
    const at = lastAtMost(this.starts, row);
    return { block: this.blocks[at], row: row - this.starts[at] };
  }
}

/** Uses all characters: uuids of one writer often share a prefix or suffix. */
function hashOf(uuid: string): number {
  let hash = 0;
  for (let at = 0; at < uuid.length; at++) hash = (Math.imul(hash, 31) + uuid.charCodeAt(at)) | 0;
  return hash >>> 0;
}

function startsOf(blocks: readonly Block[]): Int32Array {
  const starts = new Int32Array(blocks.length + 1);
  blocks.forEach(({ ids }, at) => (starts[at + 1] = starts[at] + ids.length));
  return starts;
}

function treeIndicesIn({ firstTree, trees }: Block): Int32Array {
  const treeIndices = new Int32Array(trees.length);
  for (let row = 0; row < trees.length; row++) treeIndices[row] = firstTree + trees[row];
  return treeIndices;
}

function isAscending(ids: Int32Array): boolean {
  for (let at = 1; at < ids.length; at++) if (ids[at - 1] >= ids[at]) return false;
  return true;
}

function joined(columns: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/**
 * Returns the positions in the order of the ids. Sorts combined numbers, which needs no comparison
 * callback.
 */
function ascending(ids: Int32Array): Int32Array {
  const keys = Float64Array.from(ids, (id, position) => id * ids.length + position).sort();
  return Int32Array.from(keys, (key) => key % ids.length);
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
    private readonly byUuid: readonly ReadonlyMap<string, number>[],
    private readonly byId: readonly ReadonlyMap<number, number>[],
  ) {}

  static of(loaded: LoadedProviders): ProviderIndex {
    const none = new Map<never, number>();
    return new ProviderIndex(loaded, Array(SHARDS).fill(none), Array(SHARDS).fill(none));
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    const treeIndex = this.byUuid[hashOf(uuid) % SHARDS].get(uuid) ?? this.loaded.treeIndexOfUuid(uuid);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  treeIndexOfId(id: number): number | undefined {
    const treeIndex = this.byId[id % SHARDS].get(id) ?? this.loaded.treeIndexOfId(id);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  /** Removes some providers, then adds some. */
  with(gone: readonly ProviderKey[], put: readonly LocatedKey[]): ProviderIndex {
    const byUuid = new Shards(this.byUuid);
    const byId = new Shards(this.byId);
    for (const { id, uuid } of gone) {
      if (this.loaded.treeIndexOfUuid(uuid) === undefined) byUuid.at(hashOf(uuid) % SHARDS).delete(uuid);
      else byUuid.at(hashOf(uuid) % SHARDS).set(uuid, GONE);
      if (this.loaded.treeIndexOfId(id) === undefined) byId.at(id % SHARDS).delete(id);
      else byId.at(id % SHARDS).set(id, GONE);
    }
    for (const { id, uuid, treeIndex } of put) {
      byUuid.at(hashOf(uuid) % SHARDS).set(uuid, treeIndex);
      byId.at(id % SHARDS).set(id, treeIndex);
    }
    return new ProviderIndex(this.loaded, byUuid.all, byId.all);
  }
}

interface ProviderKey {
  readonly id: number;
  readonly uuid: string;
}

export interface LocatedKey extends ProviderKey {
  readonly treeIndex: number;
}

/** Copies each map when it is first written. */
class Shards<K> {
  readonly all: ReadonlyMap<K, number>[];
  private readonly own = new Map<number, Map<K, number>>();

  constructor(shards: readonly ReadonlyMap<K, number>[]) {
    this.all = [...shards];
  }

  at(position: number): Map<K, number> {
    let map = this.own.get(position);
    if (map === undefined) {
      map = new Map(this.all[position]);
      this.own.set(position, map);
      this.all[position] = map;
    }
    return map;
  }
}
