import { partitionPoint } from '../../domain/collections.js';
import type { Effort } from '../model/effort.js';
import { amountOf, type Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import { freeOf } from '../model/snapshot.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { commonDivisor } from '../search/splitting/partitions.js';

/** A subtree condition of at most so many groups adds no work of its own. */
const FEW_GROUPS = 8;

type Includes = (provider: AnchorProvider) => boolean;

/** Returns in how many claims a provider could serve a variable; Infinity without resources. */
export function claimsOf(provider: AnchorProvider, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) =>
      Math.min(least, Math.floor(freeOf(provider, resourceClass) / amount)),
    Infinity,
  );
}

/** Returns an upper bound of the consumers in a tree: each consumer needs every variable. */
export function upperBound(plan: Plan, { providers, domains }: Anchor): number {
  const bounds = plan.variables.map(({ canSplit }, variable) =>
    canSplit
      ? Infinity
      : domains[variable].reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0),
  );
  return Math.min(...bounds);
}

/**
 * Returns an upper bound of the claims that an anchor's tree can take: the minimum of the bounds by
 * its variables and by its subtree conditions. Sharing providers count in full.
 */
function* maxClaims(plan: Plan, anchor: Anchor, effort: Effort): Generator<void, number> {
  const all = [...plan.variables.keys()];
  let max = maxAmong(plan, anchor, all, () => true);
  for (const { within } of plan.sameSubtree) {
    if (within.length > FEW_GROUPS) effort.otherWork += (within.length * anchor.providers.length) >> 4;
    if (effort.isUsedUp) yield;
    max = Math.min(max, maxInSubtrees(plan, anchor, within));
  }
  return max;
}

/** Each claim lies in the subtree of one topmost capable provider. These subtrees are disjoint. */
function maxInSubtrees(plan: Plan, anchor: Anchor, within: readonly number[]): number {
  const capable = [...new Set(within.flatMap((variable) => anchor.domains[variable]))].map(
    (at) => anchor.providers[at],
  );
  capable.sort((a, b) => a.treeIndex - b.treeIndex || a.row - b.row);
  const tops: AnchorProvider[] = [];
  for (const provider of capable)
    if (tops.length === 0 || !isBelow(provider, tops[tops.length - 1])) tops.push(provider);
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

function claimsServed(
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
    const amountFor = (variable: number): number =>
      amountOf(plan.variables[variable].resources, resourceClass);
    const takers = variables.filter((variable) => amountFor(variable) > 0);
    if (takers.length < 2) return [];
    const amounts = takers.map(amountFor);
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

/**
 * Returns in how many claims a provider could serve one of the variables. Counts only the smallest
 * amount of each class.
 */
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

interface LinkedTree {
  readonly maxClaims: number;
  /** By variable: how many claims the tree's own providers can serve. */
  readonly own: readonly number[];
}

/** A sharing provider before any simulated claim, and the variables that it can serve for a tree. */
interface SharingNode {
  readonly provider: AnchorProvider;
  readonly variables: Set<number>;
}

/** Trees that sharing providers connect. */
interface Component {
  readonly trees: LinkedTree[];
  readonly sharing: Map<string, SharingNode>;
}

/**
 * An upper bound of the claims that all trees together can take. Trees with common sharing
 * providers form a component. A component counts each sharing provider once.
 */
export class UpperBound {
  private disjoint = 0;
  /** By sharing provider. */
  private readonly components = new Map<string, Component>();

  constructor(private readonly plan: Plan) {}

  *add(anchor: Anchor, effort: Effort): Generator<void, void> {
    const max = yield* maxClaims(this.plan, anchor, effort);
    const sharing = anchor.providers.filter(isSharing);
    if (sharing.length === 0) {
      this.disjoint += max;
      return;
    }
    const own = this.plan.variables.map((_, variable) =>
      claimsServed(this.plan, anchor, variable, (provider) => !isSharing(provider)),
    );
    const component = this.componentOf(sharing.map(keyOf));
    component.trees.push({ maxClaims: max, own });
    for (const provider of sharing) {
      const key = keyOf(provider);
      const node = component.sharing.get(key) ?? { provider, variables: new Set() };
      component.sharing.set(key, node);
      const at = anchor.providers.indexOf(provider);
      anchor.domains.forEach((domain, variable) => {
        if (domain.includes(at)) node.variables.add(variable);
      });
    }
  }

  *total(): Generator<void, number> {
    let total = this.disjoint;
    for (const component of new Set(this.components.values())) {
      yield;
      total += this.boundOf(component);
    }
    return total;
  }

  /** Every claim needs each variable, from a tree's own providers or from shared ones. */
  private boundOf({ trees, sharing }: Component): number {
    const { plan } = this;
    let bound = trees.reduce((sum, tree) => sum + tree.maxClaims, 0);
    plan.variables.forEach((_, variable) => {
      const own = trees.reduce((sum, tree) => sum + Math.min(tree.maxClaims, tree.own[variable]), 0);
      const shared = [...sharing.values()]
        .filter(({ variables }) => variables.has(variable))
        .reduce((sum, { provider }) => sum + claimsOf(provider, plan, variable), 0);
      bound = Math.min(bound, own + shared);
    });
    return bound;
  }

  /** Returns the component of some sharing providers. Merges smaller ones into the largest. */
  private componentOf(keys: readonly string[]): Component {
    const found = new Set(keys.flatMap((key) => this.components.get(key) ?? []));
    const [component, ...others] = [...found].sort((a, b) => b.trees.length - a.trees.length);
    const all = component ?? { trees: [], sharing: new Map() };
    for (const { trees, sharing } of others) {
      for (const tree of trees) all.trees.push(tree);
      for (const [key, node] of sharing) {
        all.sharing.set(key, node);
        this.components.set(key, all);
      }
    }
    for (const key of keys) this.components.set(key, all);
    return all;
  }
}

function keyOf({ treeIndex, row }: AnchorProvider): string {
  return `${treeIndex}.${row}`;
}
