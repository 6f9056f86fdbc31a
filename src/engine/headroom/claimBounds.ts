import type { Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import { freeOf } from '../overlay/freeAmount.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { commonDivisor } from '../search/splitting/partition.js';

type Includes = (provider: AnchorProvider) => boolean;

/** In how many claims a provider could serve a variable; Infinity for one that allocates nothing. */
export function claimsOf(provider: AnchorProvider, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) =>
      Math.min(least, Math.floor(freeOf(provider, resourceClass) / amount)),
    Infinity,
  );
}

/**
 * An upper bound of the claims that an anchor's tree can take: the least of what its providers can serve of
 * each thing that every claim needs, as if it were all. What shares with the tree counts in full.
 */
export function maxClaims(plan: Plan, anchor: Anchor): number {
  const all = [...plan.variables.keys()];
  const bounds = plan.sameSubtree.map(({ within }) => maxInSubtrees(plan, anchor, within));
  return Math.min(
    maxAmong(plan, anchor, all, () => true),
    ...bounds,
  );
}

/** Each claim lies in the subtree of one topmost provider that could serve it, and these are disjoint. */
function maxInSubtrees(plan: Plan, anchor: Anchor, within: readonly number[]): number {
  const capable = [...new Set(within.flatMap((variable) => anchor.domains[variable]))].map(
    (at) => anchor.providers[at],
  );
  const tops = capable.filter((provider) => !capable.some((other) => isBelow(provider, other)));
  return tops.reduce((sum, top) => {
    const inSubtree: Includes = (provider) => provider === top || isBelow(provider, top);
    return sum + maxAmong(plan, anchor, within, inSubtree);
  }, 0);
}

function isBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row > top.row && provider.row < top.block.ends[top.row]
  );
}

function maxAmong(plan: Plan, anchor: Anchor, variables: readonly number[], includes: Includes): number {
  const bounds = [
    ...variables.map((variable) => claimsServed(plan, anchor, variable, includes)),
    ...mergedBounds(plan, anchor, variables, includes),
  ];
  const isolated = variables.filter((variable) => plan.isolation?.alone.has(variable));
  return maxIsolated(plan, anchor, isolated, includes, Math.min(...bounds));
}

/** How many claims the included providers of an anchor could serve a variable in. */
export function claimsServed(
  plan: Plan,
  { providers, domains, treeIndex }: Anchor,
  variable: number,
  includes: Includes,
): number {
  const { canSplit, resources } = plan.variables[variable];
  const whole = domains[variable]
    .filter(
      (at) => at < providers.length && includes(providers[at]) && (!canSplit || isSharing(providers[at])),
    )
    .reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0);
  if (!canSplit) return whole;
  const [{ resourceClass, amount }] = resources;
  const free = providers
    .filter((provider) => provider.treeIndex === treeIndex && !isSharing(provider) && includes(provider))
    .reduce((sum, provider) => sum + freeOf(provider, resourceClass), 0);
  return whole + Math.floor(free / amount);
}

/** By class that several variables ask for, how many times the sum of their amounts is free. */
function mergedBounds(
  plan: Plan,
  { providers, domains }: Anchor,
  variables: readonly number[],
  includes: Includes,
): number[] {
  return plan.mergedClasses.flatMap((resourceClass) => {
    const takers = variables.filter((variable) => amountOf(plan, variable, resourceClass) > 0);
    if (takers.length < 2) return [];
    const amounts = takers.map((variable) => amountOf(plan, variable, resourceClass));
    const anySplit = takers.some((variable) => plan.variables[variable].canSplit);
    // Less than what divides all amounts is of no use to anybody.
    const portion = anySplit ? 1 : amounts.reduce(commonDivisor);
    const capable = new Set(takers.flatMap((variable) => domains[variable]));
    const usable = providers
      .filter((provider, at) => (anySplit || capable.has(at)) && includes(provider))
      .reduce((sum, provider) => sum + Math.floor(freeOf(provider, resourceClass) / portion) * portion, 0);
    return [Math.floor(usable / amounts.reduce((sum, amount) => sum + amount))];
  });
}

/** Isolated groups use a provider at most once in each claim. */
function maxIsolated(
  plan: Plan,
  { providers, domains }: Anchor,
  isolated: readonly number[],
  includes: Includes,
  bound: number,
): number {
  if (isolated.length < 2 || bound === Infinity) return bound;
  const uses = providers.map((provider, at) => {
    const capable = includes(provider) ? isolated.filter((variable) => domains[variable].includes(at)) : [];
    return maxUses(plan, provider, capable);
  });
  const suffices = (claims: number): boolean =>
    uses.reduce((sum, use) => sum + Math.min(use, claims), 0) >= isolated.length * claims;
  let [low, high] = [0, bound];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (suffices(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** In how many claims a provider could serve one of the variables, each with the least amount of its class. */
function maxUses(plan: Plan, provider: AnchorProvider, variables: readonly number[]): number {
  const leastByClass = new Map<number, number>();
  for (const variable of variables) {
    const { resources } = plan.variables[variable];
    if (resources.length === 0) return Infinity;
    const [{ resourceClass, amount }] = resources;
    leastByClass.set(resourceClass, Math.min(amount, leastByClass.get(resourceClass) ?? Infinity));
  }
  return [...leastByClass].reduce(
    (sum, [resourceClass, least]) => sum + Math.floor(freeOf(provider, resourceClass) / least),
    0,
  );
}

function amountOf(plan: Plan, variable: number, resourceClass: number): number {
  const { resources } = plan.variables[variable];
  return resources.find((resource) => resource.resourceClass === resourceClass)?.amount ?? 0;
}
