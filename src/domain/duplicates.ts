/** The position of the first value that is in the list before it; -1 when all differ. */
export function firstDuplicate(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return values.findIndex((value) => seen.has(value) || !seen.add(value));
}
