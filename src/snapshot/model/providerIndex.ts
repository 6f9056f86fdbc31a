import { hashOf, type LoadedProviders } from './loadedProviders.js';

/** Shards of a map: a change of one provider copies one of them. */
const SHARDS = 4096;

/** Stands for the tree index of a provider of the full load that is gone. */
const GONE = -1;

/**
 * The tree index of each provider, by uuid and by id: those of a full load, and in maps on top of it those
 * that were added, deleted or moved since. Immutable; a change copies the shards that it concerns.
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

  /** Without some providers, then with some at a tree index. Copies no more than the shards. */
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

/** Copy-on-write: each map is copied when it is first written. */
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
