import { addToGroup, mix, sumsByClass } from '../model/collections.js';
import { type Plan, type PlannedAmount, NO_CONDITIONS, workOfChecks, type PlannedGroup } from './plan.js';
import {
  treeOf,
  type ProviderRef,
  type Snapshot,
  type Tree,
  hasBit,
  type Block,
  type SharingProvider,
  inventoryAt,
} from '../fleet/snapshot.js';
import { countersOf, ownerOf } from '../fleet/consumption.js';
import type { Effort } from '../model/operation/waiting.js';
import {
  allocatableAmounts,
  amountViolation,
  granularViolation,
  hasAnyTrait,
  isMemberOfAll,
  isMemberOfAny,
  locationViolation,
  type TreeFilter,
} from './treeFilter.js';
import { Partitions, SmallestPartitions, type Contributor, type Part } from './splitting/partitions.js';

/** A provider of the anchor's tree, or a sharing provider of another tree. */
export interface AnchorProvider extends ProviderRef {
  readonly treeIndex: number;
}

/** A solution: the assignment of each variable, in the plan's order. */
export interface Candidate {
  readonly assignments: readonly Assignment[];
  /** The value by each term of the order. Set if the providers' block may have changed since. */
  readonly values?: readonly number[];
}

export type Assignment = AnchorProvider | PartitionedAmount;

/** One amount, split over several providers of the anchor's tree. */
export interface PartitionedAmount {
  readonly parts: readonly { readonly provider: AnchorProvider; readonly amount: number }[];
}

export function isPartitioned(assignment: Assignment): assignment is PartitionedAmount {
  return 'parts' in assignment;
}

export interface CandidateAllocation {
  readonly provider: AnchorProvider;
  readonly resources: readonly PlannedAmount[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly providers: readonly AnchorProvider[];
}

/** Returns the sums per provider and class over all groups (rule 156). */
export function allocationsOf({ variables }: Plan, { assignments }: Candidate): CandidateAllocation[] {
  const amounts = new Map<AnchorProvider, (readonly PlannedAmount[])[]>();
  const allocate = (provider: AnchorProvider, resources: readonly PlannedAmount[]): void =>
    addToGroup(amounts, provider, resources);
  for (let at = 0; at < variables.length; at++) {
    const { resources } = variables[at];
    const assignment = assignments[at];
    if (resources.length === 0) continue;
    if (!isPartitioned(assignment)) allocate(assignment, resources);
    else
      for (const { provider, amount } of assignment.parts) allocate(provider, [{ ...resources[0], amount }]);
  }
  const allocations = Array.from(amounts, ([provider, lists]) => ({
    provider,
    resources: lists.length === 1 ? lists[0] : sumsByClass(lists.flat()),
  }));
  const hasCounters = allocations.some(({ provider: { block } }) => block.consumption !== null);
  return hasCounters ? withCounters(allocations) : allocations;
}

/** Adds the amounts of counters that the allocations consume. */
export function withCounters(allocations: readonly CandidateAllocation[]): CandidateAllocation[] {
  const all = allocations.map(({ provider, resources }) => ({ provider, resources: [...resources] }));
  const allocate = (block: Block, row: number, treeIndex: number, counted: PlannedAmount): void => {
    const known = all.find(({ provider }) => provider.block === block && provider.row === row);
    if (known === undefined) all.push({ provider: { block, row, treeIndex }, resources: [counted] });
    else known.resources.push(counted);
  };
  for (const { provider, resources } of allocations) {
    const { block, row, treeIndex } = provider;
    for (const { resourceClass, amount: units } of resources)
      for (const { counter, amount } of countersOf(block, inventoryAt(block, row, resourceClass))) {
        const counted = { resourceClass: block.classes[counter], amount: units * amount };
        allocate(block, ownerOf(block, row, counter), treeIndex, counted);
      }
  }
  return all.map(({ provider, resources }) => ({ provider, resources: sumsByClass(resources) }));
}

/** Returns the providers of each group, in request order (rule 171). */
export function mappingsOf({ groups, variables }: Plan, { assignments }: Candidate): CandidateMapping[] {
  let at = 0;
  return groups.map((group) => {
    const providers: AnchorProvider[] = [];
    for (; variables[at]?.group === group; at++) {
      for (const provider of providersOf(assignments[at])) {
        if (!providers.includes(provider)) providers.push(provider);
      }
    }
    return { suffix: group.suffix, providers };
  });
}

export function providersOf(assignment: Assignment): readonly AnchorProvider[] {
  return isPartitioned(assignment) ? assignment.parts.map(({ provider }) => provider) : [assignment];
}

/** Returns the tree of the non-sharing providers of a candidate; null if all are sharing. */
export function anchorTreeOf({ assignments }: Candidate): number | null {
  const own = assignments.flatMap(providersOf).find(({ block, row }) => block.sharing[row] === 0);
  return own?.treeIndex ?? null;
}

/** Returns the trees of the candidates' providers, in order of first appearance (rules 177, 178, 180). */
export function summarizedTrees(snapshot: Snapshot, plan: Plan, candidates: readonly Candidate[]): Tree[] {
  const treeIndices = new Set<number>();
  for (const { assignments } of candidates)
    plan.variables.forEach(({ resources }, variable) => {
      if (resources.length === 0) return;
      const assignment = assignments[variable];
      const { treeIndex } = isPartitioned(assignment) ? assignment.parts[0].provider : assignment;
      treeIndices.add(treeIndex);
    });
  return Array.from(treeIndices, (treeIndex) => treeOf(snapshot, treeIndex));
}

/** Yields all providers of trees. */
export function* providersOfTrees(trees: Iterable<Tree>): Generator<ProviderRef> {
  for (const { block, start, end } of trees) for (let row = start; row < end; row++) yield { block, row };
}

/**
 * The domains of the variables at one anchor. A value is a position in `providers`, or a larger number: a
 * partition (`partsOf`).
 */
export interface Anchor {
  readonly treeIndex: number;
  readonly providers: readonly AnchorProvider[];
  readonly domains: readonly number[][];
  /** Null if no amount is split. */
  readonly partitions: Partitions | null;
}

/** Returns undefined if the value is a provider. */
export function partsOf({ partitions }: Anchor, value: number): readonly Part[] | undefined {
  return partitions === null ? undefined : partitions.at(value);
}

export function isSplit({ partitions }: Anchor, variable: number): boolean {
  return partitions !== null && partitions.contributorsFor(variable).length > 0;
}

/** Returns the providers that could take a variable's amount or a part of it. */
export function providersFor(
  { providers, domains, partitions }: Anchor,
  variable: number,
): readonly number[] {
  if (partitions === null) return domains[variable];
  // a descent adds partitions to the domain
  const whole = domains[variable].filter((value) => value < providers.length);
  return [...whole, ...partitions.contributorsFor(variable)];
}

/**
 * Finds the domains among the providers of the tree and the sharing providers in the same aggregates (rule
 * 144). Returns null if a domain is empty.
 */
export function anchorAt(
  snapshot: Snapshot,
  plan: Plan,
  filter: Pick<TreeFilter, 'shareable'>,
  treeIndex: number,
  { seed, effort }: { readonly seed: number; readonly effort: Effort },
): Anchor | null {
  const tree = treeOf(snapshot, treeIndex);
  const { block, start, end } = tree;
  effort.treesVisited++;
  effort.otherWork += workOfChecks(plan, end - start);
  const builder = new AnchorBuilder(plan, treeIndex, block, start);
  for (let row = start; row < end; row++) builder.consider({ block, row, treeIndex });
  if (plan.oneProviderPerTree && !builder.keepProvidersOfAll(filter.shareable)) return null;
  if (filter.shareable.includes(true)) {
    for (const provider of linkedSharingProviders(snapshot, plan, tree))
      builder.consider(provider, filter.shareable);
  }
  return builder.build(seed);
}

class AnchorBuilder {
  private readonly providers: AnchorProvider[] = [];
  private readonly domains: number[][];
  /** By variable: the providers that could take a part of its amount, but not all of it. */
  private readonly contributors = new Map<number, Contributor[]>();
  /** Whether the root is in `memberOf`, and in a forbidden aggregate, of the unsuffixed group. */
  private readonly isRootMember: boolean;
  private readonly isRootForbidden: boolean;

  constructor(
    private readonly plan: Plan,
    private readonly treeIndex: number,
    block: Block,
    root: number,
  ) {
    this.domains = plan.variables.map(() => []);
    const unsuffixed = plan.groups.find((group) => !group.isGranular);
    const { memberOf, forbiddenAggregates } = unsuffixed ?? NO_CONDITIONS;
    this.isRootMember = isMemberOfAll(block, root, memberOf);
    this.isRootForbidden = isMemberOfAny(block, root, forbiddenAggregates);
  }

  /**
   * Adds a provider to the domains, or to the contributors, of the variables that it could serve.
   *
   * @param isConsidered by variable; defaults to all
   */
  consider(provider: AnchorProvider, isConsidered?: readonly boolean[]): void {
    const { variables, mayUse } = this.plan;
    if (mayUse !== null && !mayUse(provider)) return;
    let position = -1;
    for (let variable = 0; variable < variables.length; variable++) {
      if (isConsidered?.[variable] === false) continue;
      const { group, resources, canSplit } = variables[variable];
      const violation = group.isGranular
        ? granularViolation(provider, group)
        : amountViolation(provider.block, provider.row, resources);
      const part =
        canSplit && violation !== null && this.canContribute(provider)
          ? allocatableAmounts(provider.block, provider.row, resources[0].resourceClass)
          : null;
      if (violation !== null && part === null) continue;
      if (!group.isGranular && !this.meetsUnsuffixed(provider, group)) continue;
      if (position < 0) position = this.providers.push(provider) - 1;
      if (part === null) this.domains[variable].push(position);
      else {
        const uuid = provider.block.uuids[provider.row];
        addToGroup(this.contributors, variable, { ...part, provider: position, uuid });
      }
    }
  }

  /**
   * Removes the providers that cannot serve all variables which no sharing provider of another tree could serve. One
   * provider serves these together. Returns whether any is left.
   */
  keepProvidersOfAll(isShareable: readonly boolean[]): boolean {
    const own = [...this.domains.keys()].filter(
      (variable) => !isShareable[variable] && this.plan.variables[variable].resources.length > 0,
    );
    if (own.length === 0) return true;
    const counts = new Map<number, number>();
    for (const variable of own)
      for (const provider of this.domains[variable]) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    for (const variable of this.domains.keys())
      if (this.plan.variables[variable].resources.length > 0)
        this.domains[variable] = this.domains[variable].filter((each) => counts.get(each) === own.length);
    return this.domains[own[0]].length > 0;
  }

  /** Only non-sharing providers of the anchor's tree can take a part. */
  private canContribute({ treeIndex, block, row }: AnchorProvider): boolean {
    return treeIndex === this.treeIndex && block.sharing[row] === 0;
  }

  /**
   * Checks one contributing provider (rules 141-147). The root's aggregates count for its whole tree.
   * SharedTraits checks the required traits.
   */
  private meetsUnsuffixed(provider: AnchorProvider, group: PlannedGroup): boolean {
    const { block, row } = provider;
    const isOwn = provider.treeIndex === this.treeIndex;
    return (
      !this.isRootForbidden &&
      (isOwn || group.tree === null) &&
      locationViolation(provider, group) === null &&
      !hasAnyTrait(block, row, group.forbiddenTraits) &&
      ((isOwn && this.isRootMember) || isMemberOfAll(block, row, group.memberOf)) &&
      !isMemberOfAny(block, row, group.forbiddenAggregates)
    );
  }

  /** Rotates each domain by the seed, so that no provider is always the first choice. */
  build(seed: number): Anchor | null {
    const { treeIndex, providers } = this;
    const domains: number[][] = [];
    for (const [variable, domain] of this.domains.entries()) {
      if (domain.length === 0 && !this.isToSplit(variable)) return null;
      domains.push(rotated(this.atHome(domain, variable), mix(seed, treeIndex * 31 + variable)));
    }
    return { treeIndex, providers, domains, partitions: this.partitions(domains, seed) };
  }

  private atHome(domain: number[], variable: number): number[] {
    const { home } = this.plan.variables[variable].group;
    if (home === null) return domain;
    const own = domain.filter((at) => idOf(this.providers[at]) === home);
    return own.length > 0 ? own : domain;
  }

  /** An amount is split only if no possible contributor can take all of it. */
  private isToSplit(variable: number): boolean {
    const contributors = this.contributors.get(variable);
    if (contributors === undefined) return false;
    if (this.domains[variable].some((provider) => this.canContribute(this.providers[provider]))) return false;
    const sum = contributors.reduce((all, { most }) => all + most, 0);
    return sum >= this.plan.variables[variable].resources[0].amount;
  }

  private partitions(domains: readonly number[][], seed: number): Partitions | null {
    const variables = [...this.contributors.keys()].filter((variable) => this.isToSplit(variable));
    if (variables.length === 0) return null;
    const sources = variables.map((variable) => {
      const contributors = this.contributors.get(variable)!;
      const { amount } = this.plan.variables[variable].resources[0];
      const shuffled = rotated(contributors, mix(seed, this.treeIndex * 31 + variable));
      const providers = contributors.map(({ provider }) => provider);
      return [variable, { partitions: new SmallestPartitions(shuffled, amount), providers }] as const;
    });
    return new Partitions(this.providers.length, domains, new Map(sources));
  }
}

function idOf({ block, row }: AnchorProvider): number {
  return block.ids[row];
}

function rotated<T>(list: T[], by: number): T[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return first === 0 ? list : [...list.slice(first), ...list.slice(0, first)];
}

/** Returns the trees that a sharing provider may serve: its own, and those with a provider in its aggregates. */
export function treesServedBy({ blocks }: Snapshot, { block, row, treeIndex }: AnchorProvider): Set<number> {
  const served = new Set([treeIndex]);
  const aggregates = block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1]);
  for (const { index, firstTree, treeStarts } of blocks)
    for (const aggregate of aggregates) {
      const bits = index.aggregates.get(aggregate);
      if (bits === undefined) continue;
      for (let tree = 0; tree < treeStarts.length - 1; tree++)
        if (hasBit(bits, tree)) served.add(firstTree + tree);
    }
  return served;
}

/** Returns the sharing providers of other trees that may serve a tree (rule 144). */
export function linkedSharingProviders(
  snapshot: Snapshot,
  { trees: { excluded } }: Plan,
  { treeIndex, block, start, end }: Tree,
): AnchorProvider[] {
  const aggregates = new Set(
    block.aggregates.subarray(block.aggregateStarts[start], block.aggregateStarts[end]),
  );
  const found = new Map<number, AnchorProvider>();
  for (const aggregate of aggregates) {
    for (const sharingProvider of snapshot.sharing.in(aggregate)) {
      const { treeIndex: other, id } = sharingProvider;
      if (other !== treeIndex && !excluded.has(other) && !found.has(id))
        found.set(id, locateSharingProvider(snapshot, sharingProvider));
    }
  }
  return [...found.values()];
}

export function locateSharingProvider(
  snapshot: Snapshot,
  { treeIndex, id }: SharingProvider,
): AnchorProvider {
  const { block, start } = treeOf(snapshot, treeIndex);
  return { block, row: block.ids.indexOf(id, start), treeIndex };
}
