/** An allocation, as far as it is summed up. */
interface Taken {
  readonly used: number;
  readonly resourceClass: { readonly name: string };
}

/** How much is taken of each class on all providers together, by the names of the classes. */
export function sumByClass(allocations: readonly Taken[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { used, resourceClass } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + used);
  return sums;
}
