import type { Plan, PlannedAmount, Variable } from '../../plan.js';
import { freeAt, inventoryAt, type Block, type Tree } from '../../../fleet/snapshot.js';
import { providersFor, type Anchor } from '../../anchor.js';

/** Variables that ask for the same resources. */
export interface Need extends Pick<Variable, 'resources' | 'canSplit'> {
  readonly variables: readonly number[];
  /** Whether a sharing provider of another tree could serve them. */
  readonly isShareable: boolean;
}

/** A need, and a superset of the providers that serve it in any candidate. */
export interface Service extends Need {
  readonly domain: readonly number[];
}

/** Returns the needs of a plan: equal variables are one need. */
export function needsOf({ variables }: Plan, shareable: readonly boolean[]): Need[] {
  const needs = new Map<string, Need & { readonly variables: number[] }>();
  variables.forEach(({ resources, canSplit }, variable) => {
    if (resources.length === 0) return;
    const isShareable = shareable[variable];
    const key = JSON.stringify([resources, canSplit, isShareable]);
    const need = needs.get(key) ?? { resources, canSplit, isShareable, variables: [] };
    need.variables.push(variable);
    needs.set(key, need);
  });
  return [...needs.values()];
}

/** Returns services of a tree's own rows by free amounts alone; null if a need has no provider. */
export function servicesIn(
  { block, start, end }: Omit<Tree, 'treeIndex'>,
  needs: readonly Need[],
): Service[] | null {
  const services: Service[] = [];
  for (const need of needs) {
    const domain: number[] = [];
    for (let row = start; row < end; row++) if (isFree(block, row, need)) domain.push(row);
    if (domain.length === 0 && !need.isShareable) return null;
    services.push({ ...need, domain });
  }
  return services;
}

function isFree(block: Block, row: number, { resources, canSplit }: Need): boolean {
  return resources.every(({ resourceClass, amount }: PlannedAmount) => {
    const at = inventoryAt(block, row, resourceClass);
    return at >= 0 && freeAt(block, at) >= (canSplit ? 1 : amount);
  });
}

/** Returns the services at an anchor, one per variable with resources. Domains are positions of providers. */
export function servicesAt({ variables }: Plan, anchor: Anchor): Service[] {
  return variables.flatMap(({ resources, canSplit }, variable) => {
    if (resources.length === 0) return [];
    const domain = providersFor(anchor, variable);
    return [{ resources, canSplit, isShareable: false, variables: [variable], domain }];
  });
}

/** Returns the minimum number of providers that can take an amount together. */
export function fewestFor(amount: number, largest: number[]): number {
  largest.sort((a, b) => b - a);
  let count = 0;
  for (let rest = amount; rest > 0 && count < largest.length; count++) rest -= largest[count];
  return count;
}
