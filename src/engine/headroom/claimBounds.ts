import { partitionPoint } from '../../domain/collections.js';
import type { Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import { freeOf } from '../model/snapshot.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { commonDivisor } from '../search/splitting/partitions.js';

type Includes = (provider: AnchorProvider) => boolean;

/** Returns in how many claims a provider could serve a variable; Infinity if it allocates nothing. */
export function claimsOf(provider: AnchorProvider, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) =>
      Math.min(least, Math.floor(freeOf(provider, resourceClass) / amount)),
    Infinity,
  );
}

/**
 * Returns an upper bound of the claims that an anchor's tree can take: the minimum over what every claim
 * needs. Sharing providers count in full.
 */
export function maxClaims(plan: Plan, anchor: Anchor): number {
  const all = [...plan.variables.keys()];
  const bounds = plan.sameSubtree.map(({ within }) => maxInSubtrees(plan, anchor, within));
  return Math.min(
    maxAmong(plan, anchor, all, () => true),
    ...bounds,
  );
}

/** Each claim lies in the subtree of one topmost capable provider. These subtrees are disjoint. */
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

/** Returns, for each class that several variables ask for, how often the sum of their amounts is free. */
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
    // No variable can use less than the common divisor of all amounts.
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
  return partitionPoint(1, bound + 1, suffices) - 1;
}

/** Returns in how many claims a provider could serve any of the variables, each with the smallest amount. */
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
