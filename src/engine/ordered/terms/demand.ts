import { saturatingSum } from '../../../domain/capacity.js';
import type { Plan, PlannedFreeShare } from '../../model/plan.js';
import { freeAt, inventoryAt, type Block, type ProviderRef, type Tree } from '../../model/snapshot.js';

/** The amount that every candidate allocates of the class that orders the candidates. */
export interface Demand extends PlannedFreeShare {
  readonly variables: readonly number[];
  readonly amount: number;
  /** The free amount that a provider needs to serve any of the variables. */
  readonly least: number;
  /** The minimum and maximum number of providers that the amount can come from. */
  readonly fewest: number;
  readonly most: number;
}

export function demandOf(plan: Plan, order: PlannedFreeShare): Demand {
  const amountOf = (variable: number): number =>
    plan.variables[variable].resources.find(({ resourceClass }) => resourceClass === order.resourceClass)
      ?.amount ?? 0;
  const variables = [...plan.variables.keys()].filter((variable) => amountOf(variable) > 0);
  const amounts = variables.map(amountOf);
  const isSplit = variables.some((variable) => plan.variables[variable].canSplit);
  return {
    ...order,
    variables,
    amount: amounts.reduce(saturatingSum, 0),
    least: isSplit ? 1 : Math.min(...amounts),
    fewest: Math.max(1, variables.filter((variable) => plan.isolation?.alone.has(variable)).length),
    most: isSplit ? Infinity : variables.length,
  };
}

/**
 * Returns the score of a candidate on `count` providers with these amounts. No candidate scores above the
 * largest bound of its providers.
 */
function boundOf(direction: 1 | -1, count: number, amount: number, free: number, capacity: number): number {
  if (count === Infinity) return direction * (free / capacity);
  const left = count * free - amount;
  return left > 0 ? direction * (left / (count * capacity)) : 0;
}

/** Returns null if the provider can serve none of the variables. */
export function boundAt({ block, row }: ProviderRef, demand: Demand): number | null {
  const at = inventoryAt(block, row, demand.resourceClass);
  if (at < 0) return null;
  const free = freeAt(block, at);
  if (free < demand.least) return null;
  const { direction, amount } = demand;
  return boundOf(direction, direction > 0 ? demand.most : demand.fewest, amount, free, block.capacities[at]);
}

/**
 * Writes the bounds of a block's trees by their own providers; -Infinity if none can serve. Reads
 * providers only if their capacities differ or, for PACK, if the fullest of them cannot serve.
 */
export function writeTreeBounds(block: Block, demand: Demand, bounds: Float64Array): void {
  const index = block.index.classes.get(demand.resourceClass);
  if (index === undefined) {
    bounds.fill(-Infinity);
    return;
  }
  const { treeStarts } = block;
  const { highestFree, commonCapacity } = index;
  const { direction, least, amount } = demand;
  const count = direction > 0 ? demand.most : demand.fewest;
  const bestFree = direction > 0 ? highestFree : index.lowestFree;
  for (let tree = 0; tree < bounds.length; tree++) {
    const capacity = commonCapacity[tree];
    const free = bestFree[tree];
    if (highestFree[tree] < least) bounds[tree] = -Infinity;
    else if (capacity > 0 && free >= least) bounds[tree] = boundOf(direction, count, amount, free, capacity);
    else
      bounds[tree] = boundByProviders({ block, start: treeStarts[tree], end: treeStarts[tree + 1] }, demand);
  }
}

export function boundByProviders({ block, start, end }: Omit<Tree, 'treeIndex'>, demand: Demand): number {
  let best = -Infinity;
  for (let row = start; row < end; row++) best = Math.max(best, boundAt({ block, row }, demand) ?? best);
  return best;
}

/** Returns the minimum number of providers that can take an amount together. */
export function fewestFor(amount: number, largest: number[]): number {
  largest.sort((a, b) => b - a);
  let count = 0;
  for (let rest = amount; rest > 0 && count < largest.length; count++) rest -= largest[count];
  return count;
}
