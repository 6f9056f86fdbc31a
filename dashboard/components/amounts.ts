interface Taken {
  readonly amount: number;
  readonly resourceClass: { readonly name: string };
}

/** Returns the amounts by class on all providers. */
export function sumByClass(allocations: readonly Taken[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { amount, resourceClass } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + amount);
  return sums;
}

/** Amounts by class, as {@link formatAmounts} takes them. */
export const amountsIn = (sums: ReadonlyMap<string, number>): readonly Taken[] =>
  Array.from(sums, ([name, amount]) => ({ amount, resourceClass: { name } }));
