import type { ProviderRecord } from '../support/forest.js';
import type { ProviderRelations } from './providerRelations.js';

interface Part {
  provider: ProviderRecord;
  amount: number;
}

/**
 * Returns the splits of an amount over the fewest of the given providers that can hold it. Each set
 * of that size that can hold it has one split. It tries every set, smaller ones first.
 */
export function smallestSplits(
  world: ProviderRelations,
  parties: readonly ProviderRecord[],
  resourceClass: string,
  amount: number,
): Part[][] {
  const giving = parties.filter((provider) => world.free(provider, resourceClass) > 0);
  for (let size = 1; size <= giving.length; size++) {
    const splits = subsets(giving, size)
      .map((set) => splitOver(world, set, resourceClass, amount))
      .filter((split) => split !== null);
    if (splits.length > 0) return splits;
  }
  return [];
}

/**
 * Returns the split of an amount over all providers of a set. Each gives a part that it could give
 * alone. Of all such splits, the provider with the most free capacity gives as much as possible,
 * then the next, and so on. The uuid decides ties.
 */
function splitOver(
  world: ProviderRelations,
  set: ProviderRecord[],
  resourceClass: string,
  amount: number,
): Part[] | null {
  const [first, ...others] = set.toSorted(
    (one, other) =>
      world.free(other, resourceClass) - world.free(one, resourceClass) || (one.uuid < other.uuid ? -1 : 1),
  );
  if (others.length === 0)
    return world.fits(first, resourceClass, amount) ? [{ provider: first, amount }] : null;
  for (let part = Math.min(amount - 1, world.free(first, resourceClass)); part > 0; part--) {
    const rest = world.fits(first, resourceClass, part)
      ? splitOver(world, others, resourceClass, amount - part)
      : null;
    if (rest !== null) return [{ provider: first, amount: part }, ...rest];
  }
  return null;
}

function subsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((one, at) => subsets(list.slice(at + 1), size - 1).map((others) => [one, ...others]));
}
