/** Shards of a map: a change copies one of them. */
const SHARDS = 4096;

/** Where providers are, by uuid and by database id: the slot of their tree. Immutable; a change copies what it touches. */
export class Places {
  private constructor(
    private readonly byUuid: readonly ReadonlyMap<string, number>[],
    private readonly byId: readonly ReadonlyMap<number, number>[],
  ) {}

  static readonly EMPTY = new Places(
    Array.from({ length: SHARDS }, () => new Map()),
    Array.from({ length: SHARDS }, () => new Map()),
  );

  slotOfUuid(uuid: string): number | undefined {
    return this.byUuid[shardOf(uuid)].get(uuid);
  }

  slotOfId(id: number): number | undefined {
    return this.byId[id % SHARDS].get(id);
  }

  /** With some providers forgotten and then some put at a slot. Many changes at once cost no more copies than shards. */
  with(gone: Iterable<ProviderKey>, put: Iterable<PlacedKey>): Places {
    const byUuid = new Shards(this.byUuid);
    const byId = new Shards(this.byId);
    for (const { id, uuid } of gone) {
      byUuid.at(shardOf(uuid)).delete(uuid);
      byId.at(id % SHARDS).delete(id);
    }
    for (const { id, uuid, slot } of put) {
      byUuid.at(shardOf(uuid)).set(uuid, slot);
      byId.at(id % SHARDS).set(id, slot);
    }
    return new Places(byUuid.all, byId.all);
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

/** Of all characters: uuids of one writer often begin, or end, alike. */
function shardOf(uuid: string): number {
  let hash = 0;
  for (let at = 0; at < uuid.length; at++) hash = (Math.imul(hash, 31) + uuid.charCodeAt(at)) | 0;
  return (hash >>> 0) % SHARDS;
}
