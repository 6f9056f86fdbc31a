import type { Plan, PlannedOrder } from '../model/plan.js';
import { inventoryAt, type ProviderRef } from '../model/snapshot.js';

/** What all candidates of a plan draw of a class that orders them. */
export interface Demand extends PlannedOrder {
  /** The variables that draw the class. */
  readonly variables: readonly number[];
  /** What every candidate draws of it in all. */
  readonly amount: number;
  /** What a provider must have free to give any of it. */
  readonly least: number;
  /** The fewest and the most providers that it can come from. */
  readonly fewest: number;
  readonly most: number;
}

export function demandsOf(plan: Plan): Demand[] {
  return plan.orderBy.map((order) => {
    const amountOf = (variable: number): number =>
      plan.variables[variable].resources.find(({ resourceClass }) => resourceClass === order.resourceClass)
        ?.amount ?? 0;
    const variables = [...plan.variables.keys()].filter((variable) => amountOf(variable) > 0);
    const amounts = variables.map(amountOf);
    const isSplit = variables.some((variable) => plan.variables[variable].canSplit);
    return {
      ...order,
      variables,
      amount: amounts.reduce((sum, amount) => sum + amount, 0),
      least: isSplit ? 1 : Math.min(...amounts),
      fewest: Math.max(1, variables.filter((variable) => plan.isolation?.alone.has(variable)).length),
      most: isSplit ? Infinity : variables.length,
    };
  });
}

/**
 * How good a score can become at best when it comes from providers like this one: as many as best serve the direction
 * (all that may be where much is to stay free, as few as can be where little is). No candidate beats the best of its providers in it.
 */
export function boundOf({ direction, amount, fewest, most }: Demand, free: number, capacity: number): number {
  const count = direction > 0 ? most : fewest;
  if (count === Infinity) return direction * (free / capacity);
  return direction * Math.max(0, (count * free - amount) / (count * capacity));
}

/** What the provider at a place promises; null where it could give nothing of the class. */
export function boundAt({ block, row }: ProviderRef, demand: Demand): number | null {
  const at = inventoryAt(block, row, demand.resourceClass);
  if (at < 0) return null;
  const free = block.capacities[at] - block.used[at];
  return free < demand.least ? null : boundOf(demand, free, block.capacities[at]);
}
