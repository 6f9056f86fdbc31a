import { saturatingSum } from '../../domain/capacity.js';
import type { Plan, PlannedOrder } from '../model/plan.js';
import { freeAt, inventoryAt, type ProviderRef } from '../model/snapshot.js';

/** What all candidates of a plan allocate of a class that orders them. */
export interface Demand extends PlannedOrder {
  /** The variables that ask for the class. */
  readonly variables: readonly number[];
  /** What every candidate allocates of it in all. */
  readonly amount: number;
  /** What a provider must have free to serve any of the variables. */
  readonly least: number;
  /** The fewest and the most providers that it can be allocated from. */
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
      amount: amounts.reduce(saturatingSum, 0),
      least: isSplit ? 1 : Math.min(...amounts),
      fewest: Math.max(1, variables.filter((variable) => plan.isolation?.alone.has(variable)).length),
      most: isSplit ? Infinity : variables.length,
    };
  });
}

/**
 * The score of a candidate that allocates the class from providers with these figures alone: from as many as
 * possible for SPREAD, as few for PACK. No candidate scores above the largest bound of its providers.
 */
export function boundOf({ direction, amount, fewest, most }: Demand, free: number, capacity: number): number {
  const count = direction > 0 ? most : fewest;
  if (count === Infinity) return direction * (free / capacity);
  return direction * Math.max(0, (count * free - amount) / (count * capacity));
}

/** The bound by the figures of a provider; null where it could serve none of the variables. */
export function boundAt({ block, row }: ProviderRef, demand: Demand): number | null {
  const at = inventoryAt(block, row, demand.resourceClass);
  if (at < 0) return null;
  const free = freeAt(block, at);
  return free < demand.least ? null : boundOf(demand, free, block.capacities[at]);
}
