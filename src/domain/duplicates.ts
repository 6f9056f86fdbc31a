/** The index of the first item whose key an item before it has too; -1 if there is none. */
export function firstRepeated<T>(items: readonly T[], keyOf: (item: T) => string): number {
  const seen = new Set<string>();
  return items.findIndex((item) => {
    const key = keyOf(item);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
}
