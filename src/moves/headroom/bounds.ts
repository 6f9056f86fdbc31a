import { partitionPoint } from '../../model/collections.js';
import type { Effort } from '../../model/operation/waiting.js';
import { counterBound } from '../../search/counters.js';
import { amountOf, type Plan } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';
import { freeOf } from '../../fleet/snapshot.js';
import type { AnchorProvider, Anchor } from '../../search/anchor.js';
import { commonDivisor } from '../../search/splitting/partitions.js';

/** So few subtree conditions of so few groups add no work of their own. */
const FEW = 8;

/** Returns in how many claims a provider could serve a variable; Infinity without resources. */
export function claimsOf(provider: AnchorProvider, plan: Plan, variable: number): number {
  return plan.variables[variable].resources.reduce(
    (least, { resourceClass, amount }) =>
      Math.min(least, Math.floor(freeOf(provider, resourceClass) / amount)),
    Infinity,
  );
}

/** Returns an upper bound of the consumers in a tree: each consumer needs every variable. */
export function upperBound(plan: Plan, anchor: Anchor): number {
  const { providers, domains } = anchor;
  const bounds = plan.variables.map(({ canSplit }, variable) =>
    canSplit
      ? Infinity
      : domains[variable].reduce((sum, at) => sum + claimsOf(providers[at], plan, variable), 0),
  );
  return Math.min(...bounds, counterBound(plan, anchor));
}

/** Returns by provider of an anchor the variables whose domains it is in. */
export function variablesByProvider({
  providers,
  domains,
}: Pick<Anchor, 'providers' | 'domains'>): number[][] {
  const variables = providers.map((): number[] => []);
  domains.forEach((domain, variable) => {
    for (const at of domain) variables[at]?.push(variable);
  });
  return variables;
}

/** An anchor with the variables of each provider. */
interface Served extends Anchor {
  readonly variablesOf: readonly (readonly number[])[];
  /** The positions of the providers, by tree and row: each before its descendants. */
  readonly inOrder: readonly number[];
}

/**
 * Returns an upper bound of the claims that an anchor's tree can take: the minimum of the bounds by
 * its variables and by its subtree conditions. Sharing providers count in full.
 */
function* maxClaims(plan: Plan, anchor: Served, effort: Effort): Generator<void, number> {
  const { sameSubtree } = plan;
  let max = maxAmong(plan, anchor, [...plan.variables.keys()], [...anchor.providers.keys()]);
  max = Math.min(max, counterBound(plan, anchor));
  for (const { within } of sameSubtree) {
    if (sameSubtree.length > FEW || within.length > FEW)
      effort.otherWork += (within.length * anchor.providers.length) >> 4;
    if (effort.isUsedUp) yield;
    max = Math.min(max, maxInSubtrees(plan, anchor, within));
  }
  return max;
}

/** Each claim lies in the subtree of one topmost capable provider. These subtrees are disjoint. */
function maxInSubtrees(plan: Plan, anchor: Served, within: readonly number[]): number {
  const wanted = new Set(within);
  const isCapable = (at: number): boolean => anchor.variablesOf[at].some((variable) => wanted.has(variable));
  return subtreesOf(anchor, isCapable).reduce(
    (sum, subtree) => sum + maxAmong(plan, anchor, within, subtree),
    0,
  );
}

/** Returns the providers, by position, at and below each topmost provider that is capable. */
function subtreesOf({ providers, inOrder }: Served, isCapable: (at: number) => boolean): number[][] {
  const subtrees: number[][] = [];
  let top: AnchorProvider | null = null;
  for (const at of inOrder) {
    const provider = providers[at];
    if (top !== null && isBelow(provider, top)) subtrees[subtrees.length - 1].push(at);
    else if (isCapable(at)) {
      top = provider;
      subtrees.push([at]);
    }
  }
  return subtrees;
}

/** Returns the positions of providers by tree and row. */
function inOrder(providers: readonly AnchorProvider[]): number[] {
  return [...providers.keys()].sort(
    (one, other) =>
      providers[one].treeIndex - providers[other].treeIndex || providers[one].row - providers[other].row,
  );
}

function isBelow(provider: AnchorProvider, top: AnchorProvider): boolean {
  return (
    provider.treeIndex === top.treeIndex && provider.row > top.row && provider.row < top.block.ends[top.row]
  );
}

/** @param among the providers that count, by position */
function maxAmong(
  plan: Plan,
  anchor: Served,
  variables: readonly number[],
  among: readonly number[],
): number {
  const bounds = [
    ...claimsServed(plan, anchor, variables, among),
    ...mergedBounds(plan, anchor, variables, among),
  ];
  const isolated = variables.filter((variable) => plan.isolation?.alone.has(variable));
  return maxIsolated(plan, anchor, isolated, among, Math.min(...bounds));
}

/** Returns for each of the variables in how many claims the providers can serve it. */
function claimsServed(
  plan: Plan,
  { providers, variablesOf, treeIndex }: Served,
  variables: readonly number[],
  among: readonly number[],
): number[] {
  const served = new Map(variables.map((variable) => [variable, 0]));
  for (const at of among)
    for (const variable of variablesOf[at]) {
      const sum = served.get(variable);
      if (sum === undefined || (plan.variables[variable].canSplit && !isSharing(providers[at]))) continue;
      served.set(variable, sum + claimsOf(providers[at], plan, variable));
    }
  return variables.map((variable) => {
    const { canSplit, resources } = plan.variables[variable];
    if (!canSplit) return served.get(variable)!;
    const [{ resourceClass, amount }] = resources;
    const own = among.filter((at) => providers[at].treeIndex === treeIndex && !isSharing(providers[at]));
    const free = own.reduce((sum, at) => sum + freeOf(providers[at], resourceClass), 0);
    return served.get(variable)! + Math.floor(free / amount);
  });
}

/** Returns, for each class that several variables ask for, how often the sum of their amounts is free. */
function mergedBounds(
  plan: Plan,
  { providers, variablesOf }: Served,
  variables: readonly number[],
  among: readonly number[],
): number[] {
  return plan.mergedClasses.flatMap((resourceClass) => {
    const amountFor = (variable: number): number =>
      amountOf(plan.variables[variable].resources, resourceClass);
    const takers = new Set(variables.filter((variable) => amountFor(variable) > 0));
    if (takers.size < 2) return [];
    const amounts = Array.from(takers, amountFor);
    const anySplit = [...takers].some((variable) => plan.variables[variable].canSplit);
    // No variable can use less than the common divisor of all amounts.
    const portion = anySplit ? 1 : amounts.reduce(commonDivisor);
    const usable = among
      .filter((at) => anySplit || variablesOf[at].some((variable) => takers.has(variable)))
      .reduce((sum, at) => sum + Math.floor(freeOf(providers[at], resourceClass) / portion) * portion, 0);
    return [Math.floor(usable / amounts.reduce((sum, amount) => sum + amount))];
  });
}

/** Isolated groups use a provider at most once in each claim. */
function maxIsolated(
  plan: Plan,
  { providers, variablesOf }: Served,
  isolated: readonly number[],
  among: readonly number[],
  bound: number,
): number {
  if (isolated.length < 2 || bound === Infinity) return bound;
  const wanted = new Set(isolated);
  const uses = among.map((at) => {
    const capable = variablesOf[at].filter((variable) => wanted.has(variable));
    return maxUses(plan, providers[at], capable);
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

  *add(found: Anchor, effort: Effort): Generator<void, void> {
    const { plan } = this;
    const { providers } = found;
    const variablesOf = variablesByProvider(found);
    const anchor = { ...found, variablesOf, inOrder: inOrder(providers) };
    const max = yield* maxClaims(plan, anchor, effort);
    const positions = [...providers.keys()];
    const sharing = positions.filter((at) => isSharing(providers[at]));
    if (sharing.length === 0) {
      this.disjoint += max;
      return;
    }
    const notSharing = positions.filter((at) => !isSharing(providers[at]));
    const own = claimsServed(plan, anchor, [...plan.variables.keys()], notSharing);
    const component = this.componentOf(sharing.map((at) => keyOf(providers[at])));
    component.trees.push({ maxClaims: max, own });
    for (const at of sharing) {
      const key = keyOf(providers[at]);
      const node = component.sharing.get(key) ?? { provider: providers[at], variables: new Set() };
      component.sharing.set(key, node);
      for (const variable of variablesOf[at]) node.variables.add(variable);
    }
  }

  /** Adds a tree without sharing providers of which the largest number of claims is known. */
  addExact(claims: number): void {
    this.disjoint += claims;
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
