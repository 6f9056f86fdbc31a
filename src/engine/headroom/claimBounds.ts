import { commonDivisor } from '../search/splitting/partition.js';
import type { Plan } from '../model/plan.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { inventoryAt } from '../model/snapshot.js';

/** How many claims a provider could serve a variable in, by what it has free; no end of them when nothing is taken. */
export function claimsOf(provider: AnchorProvider, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) =>
      Math.min(least, Math.floor(freeOf(provider, resourceClass) / amount)),
    Infinity,
  );
}

export function isSharing({ block, row }: AnchorProvider): boolean {
  return block.sharing[row] === 1;
}

/**
 * So many claims the tree of a reach can take at the most: proven by what there is of each thing that every claim needs, as if it
 * needed nothing else. Everything that shares with the tree counts in full.
 */
export function mostClaims(plan: Plan, anchor: Anchor): number {
  const all = [...plan.variables.keys()];
  const bounds = plan.sameSubtree.map(({ within }) => mostBySubtree(plan, anchor, within));
  return Math.min(
    mostOf(plan, anchor, all, () => true),
    ...bounds,
  );
}

/** Every claim lies below one of the topmost providers that could be the top, so that each can be judged by itself. */
function mostBySubtree(plan: Plan, anchor: Anchor, within: readonly number[]): number {
  const able = [...new Set(within.flatMap((variable) => anchor.domains[variable]))].map(
    (at) => anchor.providers[at],
  );
  const tops = able.filter(
    (provider) => !able.some((other) => other !== provider && isBelow(provider, other)),
  );
  return tops.reduce((sum, top) => {
    const inside = (provider: AnchorProvider): boolean => provider === top || isBelow(provider, top);
    return sum + mostOf(plan, anchor, within, inside);
  }, 0);
}

function isBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row > top.row && provider.row < top.block.ends[top.row]
  );
}

function mostOf(
  plan: Plan,
  anchor: Anchor,
  variables: readonly number[],
  counts: (provider: AnchorProvider) => boolean,
): number {
  let most = Infinity;
  for (const variable of variables) {
    most = Math.min(
      most,
      claimsWhole(plan, anchor, variable, counts) + claimsSplit(plan, anchor, variable, counts),
    );
  }
  for (const { amount, pool } of poolsOf(plan, anchor, variables, counts)) {
    most = Math.min(most, Math.floor(pool / amount));
  }
  return mostApart(
    plan,
    anchor,
    variables.filter((variable) => plan.isolation?.alone.has(variable)),
    counts,
    most,
  );
}

/** Claims in which one provider gives the whole amount. Where it can be split, those that may give parts are counted together. */
export function claimsWhole(
  plan: Plan,
  { domains, providers }: Anchor,
  variable: number,
  counts: (provider: AnchorProvider) => boolean,
): number {
  const { canSplit } = plan.variables[variable];
  return domains[variable]
    .filter((at) => at < providers.length && counts(providers[at]) && (!canSplit || isSharing(providers[at])))
    .reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0);
}

/** Claims in which an amount is made up of parts, or comes from one of those that may give parts. */
export function claimsSplit(
  plan: Plan,
  { providers, treeIndex }: Anchor,
  variable: number,
  counts: (provider: AnchorProvider) => boolean,
): number {
  const { canSplit, resources } = plan.variables[variable];
  if (!canSplit) return 0;
  const [{ resourceClass, amount }] = resources;
  const own = providers.filter(
    (provider) => provider.treeIndex === treeIndex && !isSharing(provider) && counts(provider),
  );
  return Math.floor(own.reduce((sum, provider) => sum + freeOf(provider, resourceClass), 0) / amount);
}

interface Pool {
  /** What every claim takes. */
  readonly amount: number;
  /** What there is to take it from. */
  readonly pool: number;
}

/** Classes that several variables take from the same providers. */
function poolsOf(
  plan: Plan,
  { providers, domains }: Anchor,
  variables: readonly number[],
  counts: (provider: AnchorProvider) => boolean,
): Pool[] {
  return plan.mergedClasses.flatMap((resourceClass): Pool[] => {
    const takers = variables.filter((variable) => amountOf(plan, variable, resourceClass) > 0);
    if (takers.length < 2) return [];
    const amounts = takers.map((variable) => amountOf(plan, variable, resourceClass));
    const anySplit = takers.some((variable) => plan.variables[variable].canSplit);
    // Less than what divides all amounts is of no use to anybody.
    const portion = anySplit ? 1 : amounts.reduce(commonDivisor);
    const able = new Set(takers.flatMap((variable) => domains[variable]));
    const pool = providers
      .filter((provider, at) => (anySplit || able.has(at)) && counts(provider))
      .reduce((sum, provider) => sum + Math.floor(freeOf(provider, resourceClass) / portion) * portion, 0);
    return [{ amount: amounts.reduce((sum, amount) => sum + amount), pool }];
  });
}

/** Groups that keep apart use a provider at most once in each claim. */
function mostApart(
  plan: Plan,
  { providers, domains }: Anchor,
  alone: readonly number[],
  counts: (provider: AnchorProvider) => boolean,
  most: number,
): number {
  if (alone.length < 2 || most === Infinity) return most;
  const uses = providers.map((provider, at) => {
    const able = counts(provider) ? alone.filter((variable) => domains[variable].includes(at)) : [];
    return mostUses(plan, provider, able);
  });
  const suffices = (claims: number): boolean =>
    uses.reduce((sum, use) => sum + Math.min(use, claims), 0) >= alone.length * claims;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (suffices(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How often a provider could serve any of the variables, each time for another claim: those of one class take it from each other. */
function mostUses(plan: Plan, provider: AnchorProvider, variables: readonly number[]): number {
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

function freeOf({ block, row }: AnchorProvider, resourceClass: number): number {
  const at = inventoryAt(block, row, resourceClass);
  return at < 0 ? 0 : Math.max(0, block.capacities[at] - block.used[at]);
}
