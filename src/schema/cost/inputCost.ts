/** How many entries the lists in an input have, at any depth: whatever it is, for it is priced before it is checked. */
export function entriesIn(input: unknown): number {
  if (typeof input !== 'object' || input === null) return 0;
  const entries: unknown[] = Object.values(input);
  return entries.reduce(
    (sum: number, entry) => sum + entriesIn(entry),
    Array.isArray(input) ? input.length : 0,
  );
}
