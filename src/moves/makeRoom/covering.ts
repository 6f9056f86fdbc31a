/** A consumer that may leave, and what it would free, by key. */
export interface Leaver {
  readonly consumer: number;
  readonly share: number;
  readonly amounts: ReadonlyMap<number, number>;
}

/** The maximum number of consumers of which all pairs are compared. */
const MAX_PAIRED = 64;

/**
 * Returns few consumers that free these amounts together, the smallest of those that suffice. Finds the fewest up to
 * two; more are chosen one after another. Null: all together do not suffice.
 */
export function fewestCovering(
  missing: ReadonlyMap<number, number>,
  leavers: readonly Leaver[],
  most: number,
): readonly Leaver[] | null {
  const rising = leavers.toSorted((a, b) => a.share - b.share);
  const covers = (some: readonly Leaver[]): boolean =>
    [...missing].every(
      ([key, amount]) => some.reduce((sum, one) => sum + (one.amounts.get(key) ?? 0), 0) >= amount,
    );
  if (covers([])) return [];
  const single = rising.find((one) => covers([one]));
  if (single !== undefined || most < 2) return single === undefined ? null : [single];
  if (rising.length <= MAX_PAIRED)
    for (const [at, one] of rising.entries())
      for (const other of rising.slice(0, at)) if (covers([one, other])) return [other, one];
  const chosen: Leaver[] = [];
  while (chosen.length < most) {
    const left = new Map(missing);
    for (const { amounts } of chosen)
      for (const [key, amount] of amounts) left.set(key, Math.max(0, (left.get(key) ?? 0) - amount));
    const gainOf = ({ amounts }: Leaver): number =>
      [...left].reduce(
        (sum, [key, amount]) => sum + (amount === 0 ? 0 : Math.min(1, (amounts.get(key) ?? 0) / amount)),
        0,
      );
    let best: Leaver | null = null;
    for (const one of rising)
      if (!chosen.includes(one) && gainOf(one) > (best === null ? 0 : gainOf(best))) best = one;
    if (best === null) return null;
    chosen.push(best);
    if (covers(chosen)) return chosen;
  }
  return null;
}
