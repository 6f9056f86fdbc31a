export function addToGroup<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Returns the first position in [low, high) where the monotonic `isBefore` is false, or `high`. */
export function partitionPoint(low: number, high: number, isBefore: (at: number) => boolean): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (isBefore(middle)) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Returns the items by key, in their order. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addToGroup(groups, keyOf(item), item);
  return groups;
}

export function mapValues<K extends string, V, R>(
  values: Readonly<Record<K, V>>,
  change: (value: V, key: K) => R,
): Record<K, R> {
  const entries = Object.entries<V>(values).map(([key, value]) => [key, change(value, key as K)]);
  return Object.fromEntries(entries) as Record<K, R>;
}

/**
 * Returns the first item with each key. Reads the key of a repeated object once: references to one variable of a
 * document repeat the same object.
 */
export function distinctBy<T extends object>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  if (items.length < 2) return items;
  const keys = new Set<string>();
  return [...new Set(items)].filter((item) => {
    const { size } = keys;
    return keys.add(keyOf(item)).size > size;
  });
}

/** Returns a function that returns equal texts for lists of the same names in any order. */
export function setKeys(): (names: readonly string[]) => string {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  return (names) => Int32Array.from(names, numberOf).sort().join();
}

/** Returns a function that calls another one once for each object, and then returns the same result. */
export function once<T extends object, R>(call: (value: T) => R): (value: T) => R {
  const results = new WeakMap<T, { readonly result: R }>();
  return (value) => {
    let known = results.get(value);
    if (known === undefined) results.set(value, (known = { result: call(value) }));
    return known.result;
  };
}
