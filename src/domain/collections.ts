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
