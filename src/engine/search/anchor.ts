import type { TreeFilter } from './treeFilter.js';
import {
  allocatableAmounts,
  amountViolation,
  granularViolation,
  isMemberOfAll,
  isMemberOfAny,
  locationViolation,
  meetsUnsuffixedGroup,
  type AllocatableAmounts,
} from '../model/providerChecks.js';
import type { Plan, PlannedGroup } from '../model/plan.js';
import { mix } from '../model/random.js';
import { SmallestPartitions, type Part, type Contributor } from './splitting/smallestPartitions.js';
import {
  blockOf,
  type Block,
  type ProviderRef,
  type SharingProvider,
  type Snapshot,
} from '../model/snapshot.js';
import { Partitions } from './splitting/partitions.js';

/** A provider within the reach of an anchor. */
export interface AnchorProvider extends ProviderRef {
  readonly treeIndex: number;
}

/**
 * What an anchor's tree can draw on, as far as the request can use it: per variable the providers that could serve
 * it by themselves. `units` holds each such provider once; domains are positions in it, and beyond it the splits that were
 * found so far.
 */
export interface Anchor {
  readonly treeIndex: number;
  readonly providers: readonly AnchorProvider[];
  readonly domains: readonly number[][];
  /** Null where nothing is to be split. */
  readonly partitions: Partitions | null;
}

/** The parts of a member of a domain; undefined when it is a unit. */
export function partsOf({ partitions }: Anchor, choice: number): readonly Part[] | undefined {
  return partitions === null ? undefined : partitions.at(choice);
}

/**
 * Looks at the providers of one anchor's tree and at the sharing providers linked with it: those directly in an
 * aggregate that any provider of the tree is directly in (rule 144). Null when some variable has nobody.
 */
export function anchorAt(
  snapshot: Snapshot,
  plan: Plan,
  filter: Pick<TreeFilter, 'shareable'>,
  treeIndex: number,
  seed: number,
): Anchor | null {
  const block = blockOf(snapshot, treeIndex);
  const start = block.treeStarts[treeIndex - block.firstTree];
  const end = block.treeStarts[treeIndex - block.firstTree + 1];
  const gathering = new Gathering(plan, treeIndex, block, start);
  for (let row = start; row < end; row++) gathering.offer({ block, row, treeIndex }, plan.variables.keys());
  const outside = [...plan.variables.keys()].filter((variable) => filter.shareable[variable]);
  if (outside.length > 0) {
    for (const sharingProvider of linkedSharingProviders(snapshot, block, start, end, treeIndex))
      gathering.offer(sharingProvider, outside);
  }
  return gathering.reach(seed);
}

/** Collects, for one anchor, which provider could serve which variable. */
class Gathering {
  private readonly providers: AnchorProvider[] = [];
  private readonly domains: number[][];
  /** By variable that can be split, who could give a part of it but not the whole. */
  private readonly contributors = new Map<number, Contributor[]>();
  private readonly anchorInMemberOf: Map<PlannedGroup, boolean>;
  private readonly anchorForbidden: Map<PlannedGroup, boolean>;

  constructor(
    private readonly plan: Plan,
    private readonly treeIndex: number,
    block: Block,
    root: number,
  ) {
    this.domains = plan.variables.map(() => []);
    const unsuffixed = plan.groups.filter((group) => !group.isGranular);
    this.anchorInMemberOf = new Map(
      unsuffixed.map((group) => [group, isMemberOfAll(block, root, group.memberOf)]),
    );
    this.anchorForbidden = new Map(
      unsuffixed.map((group) => [group, isMemberOfAny(block, root, group.forbiddenAggregates)]),
    );
  }

  offer(provider: AnchorProvider, variables: Iterable<number>): void {
    let position = -1;
    for (const variable of variables) {
      const { group, resources, canSplit } = this.plan.variables[variable];
      const violation = group.isGranular
        ? granularViolation(provider, group)
        : amountViolation(provider.block, provider.row, resources);
      const part =
        canSplit && violation !== null ? this.partOf(provider, resources[0].resourceClass) : null;
      if (violation !== null && part === null) continue;
      if (!group.isGranular && !this.meetsUnsuffixed(provider, group)) continue;
      if (position < 0) position = this.providers.push(provider) - 1;
      if (part === null) this.domains[variable].push(position);
      else
        this.offerPart(variable, { ...part, provider: position, uuid: provider.block.uuids[provider.row] });
    }
  }

  private partOf(provider: AnchorProvider, resourceClass: number): AllocatableAmounts | null {
    return this.mayGivePart(provider)
      ? allocatableAmounts(provider.block, provider.row, resourceClass)
      : null;
  }

  /** A part comes from a provider of the anchor's tree that is no sharing one. */
  private mayGivePart({ treeIndex, block, row }: AnchorProvider): boolean {
    return treeIndex === this.treeIndex && block.sharing[row] === 0;
  }

  private offerPart(variable: number, contributor: Contributor): void {
    const contributors = this.contributors.get(variable);
    if (contributors === undefined) this.contributors.set(variable, [contributor]);
    else contributors.push(contributor);
  }

  private meetsUnsuffixed(provider: AnchorProvider, group: PlannedGroup): boolean {
    const isOwn = provider.treeIndex === this.treeIndex;
    if (locationViolation(provider, group) !== null || this.anchorForbidden.get(group)!) return false;
    if (group.tree !== null && !isOwn) return false;
    const inMemberOf = this.anchorInMemberOf.get(group)!;
    return meetsUnsuffixedGroup(provider.block, provider.row, group, { inMemberOf, isOwn });
  }

  /** Domains start at a seeded place, so that no provider of a tree is always the first choice. */
  reach(seed: number): Anchor | null {
    const { treeIndex, providers } = this;
    const domains: number[][] = [];
    for (const [variable, domain] of this.domains.entries()) {
      if (domain.length === 0 && !this.isToSplit(variable)) return null;
      domains.push(rotated(domain, mix(seed, treeIndex * 31 + variable)));
    }
    return { treeIndex, providers, domains, partitions: this.partitions(domains, seed) };
  }

  /** An amount is split only where no provider that may give a part can give all of it, and where the tree has as much. */
  private isToSplit(variable: number): boolean {
    const contributors = this.contributors.get(variable);
    if (contributors === undefined) return false;
    if (this.domains[variable].some((provider) => this.mayGivePart(this.providers[provider]))) return false;
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
      return [
        variable,
        {
          sets: new SmallestPartitions(shuffled, amount),
          units: contributors.map(({ provider }) => provider),
        },
      ] as const;
    });
    return new Partitions(this.providers.length, domains, new Map(sources));
  }
}

function rotated<T>(list: T[], providers: number): T[] {
  const first = list.length === 0 ? 0 : providers % list.length;
  return first === 0 ? list : [...list.slice(first), ...list.slice(0, first)];
}

/** The sharing providers of other trees that serve a tree, given by its rows (rule 144). */
export function linkedSharingProviders(
  snapshot: Snapshot,
  block: Block,
  start: number,
  end: number,
  treeIndex: number,
): AnchorProvider[] {
  const aggregates = new Set(
    block.aggregates.subarray(block.aggregateStarts[start], block.aggregateStarts[end]),
  );
  const found = new Map<number, AnchorProvider>();
  for (const aggregate of aggregates) {
    for (const sharingProvider of snapshot.sharingProvidersIn(aggregate)) {
      if (sharingProvider.treeIndex !== treeIndex && !found.has(sharingProvider.id))
        found.set(sharingProvider.id, locateSharingProvider(snapshot, sharingProvider));
    }
  }
  return [...found.values()];
}

/** Where a sharing provider is now. */
export function locateSharingProvider(
  snapshot: Snapshot,
  { treeIndex, id }: SharingProvider,
): AnchorProvider {
  const block = blockOf(snapshot, treeIndex);
  const tree = treeIndex - block.firstTree;
  const rows = block.ids.subarray(block.treeStarts[tree], block.treeStarts[tree + 1]);
  return { block, row: block.treeStarts[tree] + rows.indexOf(id), treeIndex };
}
