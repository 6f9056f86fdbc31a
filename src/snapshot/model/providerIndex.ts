import { hashOf, type LoadedPlaces } from './loadedProviders.js';

/** Shards of a map: a change copies one of them. */
const SHARDS = 4096;

/** Stands for the slot of a provider of the full load that is gone. */
const GONE = -1;

/**
 * Where providers are, by uuid and by database id: the slot of their tree. What a full load found, and in maps those that came,
 * went or moved since. Immutable; a change copies what it touches.
 */
export class Places {
  private constructor(
    private readonly loaded: LoadedPlaces,
    private readonly byUuid: readonly ReadonlyMap<string, number>[],
    private readonly byId: readonly ReadonlyMap<number, number>[],
  ) {}

  static of(loaded: LoadedPlaces): Places {
    const none = new Map<never, number>();
    return new Places(loaded, Array(SHARDS).fill(none), Array(SHARDS).fill(none));
  }

  slotOfUuid(uuid: string): number | undefined {
    const treeIndex = this.byUuid[hashOf(uuid) % SHARDS].get(uuid) ?? this.loaded.slotOfUuid(uuid);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  slotOfId(id: number): number | undefined {
    const treeIndex = this.byId[id % SHARDS].get(id) ?? this.loaded.slotOfId(id);
    return treeIndex === GONE ? undefined : treeIndex;
  }

  /** With some providers forgotten and then some put at a slot. Many changes at once cost no more copies than shards. */
  with(gone: readonly ProviderKey[], put: readonly PlacedKey[]): Places {
    const byUuid = new Shards(this.byUuid);
    const byId = new Shards(this.byId);
    for (const { id, uuid } of gone) {
      if (this.loaded.slotOfUuid(uuid) === undefined) byUuid.at(hashOf(uuid) % SHARDS).delete(uuid);
      else byUuid.at(hashOf(uuid) % SHARDS).set(uuid, GONE);
      if (this.loaded.slotOfId(id) === undefined) byId.at(id % SHARDS).delete(id);
      else byId.at(id % SHARDS).set(id, GONE);
    }
    for (const { id, uuid, slot: treeIndex } of put) {
      byUuid.at(hashOf(uuid) % SHARDS).set(uuid, treeIndex);
      byId.at(id % SHARDS).set(id, treeIndex);
    }
    return new Places(this.loaded, byUuid.all, byId.all);
  }
}

interface ProviderKey {
  readonly id: number;
  readonly uuid: string;
}

export interface PlacedKey extends ProviderKey {
  /** Of the provider's tree. */
  readonly slot: number;
}

/** Copies a list of maps, and each map when it is first written. */
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
