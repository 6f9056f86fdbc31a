interface Taken {
  readonly amount: number;
  readonly resourceClass: { readonly name: string };
}

/** Returns the sum of the amounts of each class over all providers. */
export function sumByClass(allocations: readonly Taken[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { amount, resourceClass } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + amount);
  return sums;
}

/** Converts sums to the input of {@link formatAmounts}. */
export const amountsIn = (sums: ReadonlyMap<string, number>): readonly Taken[] =>
  Array.from(sums, ([name, amount]) => ({ amount, resourceClass: { name } }));
