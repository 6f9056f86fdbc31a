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

// Deterministic pseudo-random numbers: the engine has no other source of randomness.

/** Returns a well-mixed unsigned 32-bit hash of two integers. */
export function mix(a: number, b: number): number {
  let x = (a ^ Math.imul(b, 0x9e3779b1)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * Returns a seeded permutation of 0..size-1 in constant memory and time: a Feistel network on the next power
 * of four, applied until the result is below size (cycle walking).
 */
export function permutation(size: number, seed: number): (position: number) => number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(size) / 2));
  const halfMask = 2 ** halfBits - 1;
  const keys = [1, 2, 3, 4].map((round) => mix(seed, round));
  const shuffle = (value: number): number => {
    let left = Math.floor(value / (halfMask + 1));
    let right = value & halfMask;
    for (const key of keys) {
      const next = left ^ (mix(right, key) & halfMask);
      left = right;
      right = next;
    }
    return left * 2 ** halfBits + right;
  };
  return (position) => {
    let value = shuffle(position);
    while (value >= size) value = shuffle(value);
    return value;
  };
}

/** Returns the position of the last number that is at most `limit` in an ascending column; -1 if there is none. */
export function lastAtMost(ascending: Int32Array, limit: number): number {
  return partitionPoint(0, ascending.length, (at) => ascending[at] <= limit) - 1;
}

/** Returns the position of a number in an ascending column; -1 if it is absent. */
export function positionOf(ascending: Int32Array, wanted: number): number {
  const at = lastAtMost(ascending, wanted);
  return at >= 0 && ascending[at] === wanted ? at : -1;
}

/** Returns one sum for each class, in the order of their first amounts. */
export function sumsByClass<Class>(
  amounts: readonly { readonly resourceClass: Class; readonly amount: number }[],
): { resourceClass: Class; amount: number }[] {
  const sums = new Map<Class, number>();
  for (const { resourceClass, amount } of amounts)
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
}
