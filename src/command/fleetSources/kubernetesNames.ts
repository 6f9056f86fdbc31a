/** What the names of a provider of a device, or of a counter set, are made of. */
export interface NameParts {
  readonly host: string;
  /** The driver and the pool, such as `gpu.example.com/pool-1`. */
  readonly pool: string;
  readonly name: string;
}

/** Names a device after its host; if that is not enough, also after its driver, and then its pool. */
export function namesOfDevice({ host, pool, name }: NameParts): string[] {
  const [driver] = pool.split('/', 1);
  const names = [`${host}-${driver}-${name}`, `${host}-${pool.replaceAll('/', '-')}-${name}`];
  const isOfNuma = /^numa\d+$/.test(name); // `HOST-numa0` is a NUMA node
  return isOfNuma ? names : [`${host}-${name}`, ...names];
}

/** Names a counter set like a device, or if a device has this name, with an ending. */
export function namesOfCounterSet(parts: NameParts): string[] {
  const [short, ...others] = namesOfDevice(parts);
  return [short, ...[short, ...others].map((name) => `${name}-counters`)];
}

/**
 * Returns the first of its names for each key that no other key has and that is not taken. All keys that would have one
 * name get their next one, so that the order of the keys does not matter.
 */
export function distinctNames<Key>(
  names: ReadonlyMap<Key, readonly string[]>,
  taken: ReadonlySet<string>,
): Map<Key, string> {
  const left = new Map(Array.from(names, ([key, all]) => [key, [...all]]));
  for (;;) {
    const counts = new Map<string, number>();
    for (const [name] of left.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    const wrong = [...left.values()].filter(
      ([name, ...others]) => others.length > 0 && (counts.get(name)! > 1 || taken.has(name)),
    );
    if (wrong.length === 0) return new Map(Array.from(left, ([key, [name]]) => [key, name]));
    for (const each of wrong) each.shift();
  }
}
