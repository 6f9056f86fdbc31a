import { partitionPoint } from '../../model/collections.js';
import {
  allocationsOf,
  type AnchorProvider,
  type CandidateAllocation,
  anchorAt,
  type Anchor,
} from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { amountViolation, isSharing, type TreeFilter } from '../../search/treeFilter.js';
import { blockOf, treeOf, type Snapshot } from '../../fleet/snapshot.js';
import type { HeadroomOverlay } from '../../search/overlay/snapshotOverlay.js';
import { firstChoice } from '../../search/descent.js';
import { claimsOf, variablesByProvider } from './bounds.js';

/** A tree with more providers, or more providers that can serve it, is not read again after each claim. */
export const WIDE_TREE = 64;

/** Reads a tree, and counts the work. Returns null if it cannot take the request. */
export function visit(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  treeIndex: number,
  effort: Effort,
): Anchor | null {
  const { start, end } = treeOf(snapshot, treeIndex);
  effort.providersExamined += end - start;
  return anchorAt(snapshot, plan, filter, treeIndex, { seed: 0, effort });
}

/**
 * A tree that takes simulated claims in an overlay. After a claim in a wide tree it examines only the providers that the
 * claim uses, unless the request splits amounts: then other providers can become able to take a part.
 */
export class ClaimedTree {
  /** Undefined if the tree must be read, null if it has no candidate. */
  private domains: OrderedDomains | null | undefined;
  /** Whether only the providers that a claim uses can change their domains. */
  private readonly isStable: boolean;

  constructor(
    private readonly overlay: HeadroomOverlay,
    private readonly plan: Plan,
    private readonly filter: TreeFilter,
    private readonly treeIndex: number,
    private readonly effort: Effort,
    private readonly wideTree: number,
  ) {
    this.isStable = plan.variables.every(({ canSplit, group }) => !canSplit && group.home === null);
  }

  /** Claims the request once. Returns false if it does not fit. */
  *claim(): Generator<void, boolean> {
    const { overlay, plan, filter, treeIndex, effort } = this;
    if (this.domains === undefined) {
      const anchor = visit(overlay, plan, filter, treeIndex, effort);
      this.domains = anchor && new OrderedDomains(plan, anchor);
    }
    if (this.domains === null) return false;
    const assignments = yield* firstChoice(plan, this.domains.anchor, effort);
    if (!assignments) return false;
    const allocations = allocationsOf(plan, { assignments });
    for (const allocation of allocations) overlay.allocate(allocation);
    this.update(this.domains, allocations);
    return true;
  }

  private update(domains: OrderedDomains, allocations: readonly CandidateAllocation[]): void {
    // the first claim in a block copies the block
    const isCopied = allocations.some(
      ({ provider: { block, treeIndex } }) => blockOf(this.overlay, treeIndex) !== block,
    );
    // a claim of a partition can change the domains of all partitions with the same counters
    const hasCounters = allocations.some(({ provider: { block } }) => block.consumption !== null);
    if (!this.isStable || isCopied || hasCounters || !this.isWide(domains)) {
      this.domains = undefined;
      return;
    }
    this.effort.providersExamined += allocations.length;
    for (const { provider } of allocations) domains.update(provider);
  }

  private isWide({ anchor }: OrderedDomains): boolean {
    const { start, end } = treeOf(this.overlay, this.treeIndex);
    return Math.max(end - start, anchor.providers.length) > this.wideTree;
  }
}

/**
 * The domains of an anchor in the order of preference: sharing providers last, then those in fewer domains first, then
 * those for more claims first.
 */
export class OrderedDomains {
  /** By provider: the variables that it can serve. */
  private readonly variablesOf: number[][];
  private readonly positions: ReadonlyMap<AnchorProvider, number>;

  constructor(
    private readonly plan: Plan,
    readonly anchor: Anchor,
  ) {
    const { providers, domains } = anchor;
    this.variablesOf = variablesByProvider(anchor);
    this.positions = new Map(providers.map((provider, at) => [provider, at]));
    const claims = new Float64Array(providers.length);
    domains.forEach((domain, variable) => {
      for (const at of domain) claims[at] = claimsOf(providers[at], plan, variable);
      domain.sort((one, other) => this.compare(one, other, claims[one], claims[other]));
    });
  }

  /** Moves or removes a provider whose free amounts have decreased. */
  update(provider: AnchorProvider): void {
    const at = this.positions.get(provider)!;
    const { block, row } = provider;
    const { domains } = this.anchor;
    const before = this.variablesOf[at];
    for (const variable of before) domains[variable].splice(domains[variable].indexOf(at), 1);
    const after = before.filter(
      (variable) => amountViolation(block, row, this.plan.variables[variable].resources) === null,
    );
    this.variablesOf[at] = after;
    for (const variable of after) this.insert(domains[variable], variable, at);
  }

  /** Inserts a provider behind those of equal rank. */
  private insert(domain: number[], variable: number, at: number): void {
    const { providers } = this.anchor;
    const claims = (one: number): number => claimsOf(providers[one], this.plan, variable);
    const own = claims(at);
    const isBefore = (position: number): boolean =>
      this.compare(domain[position], at, claims(domain[position]), own) <= 0;
    domain.splice(partitionPoint(0, domain.length, isBefore), 0, at);
  }

  private compare(one: number, other: number, claimsOfOne: number, claimsOfOther: number): number {
    const { providers } = this.anchor;
    return (
      Number(isSharing(providers[one])) - Number(isSharing(providers[other])) ||
      this.variablesOf[one].length - this.variablesOf[other].length ||
      (claimsOfOne === claimsOfOther ? 0 : claimsOfOther - claimsOfOne)
    );
  }
}
