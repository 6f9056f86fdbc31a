import { groupBy } from '../model/collections.js';
import { DISABLED_TRAIT, SHARING_TRAIT } from '../model/provider.js';
import { isSharing } from '../search/treeFilter.js';
import { withoutCounters } from './heldConsumers.js';
import {
  groupOf,
  requestOf,
  type CandidatesRequest,
  type RequestGroup,
  type SubtreeAffinity,
} from '../model/request.js';
import { rootRow, treeIndexOf, type Block, type ProviderRef, type Snapshot } from '../fleet/snapshot.js';
import type { ProviderAllocationInput } from '../model/input.js';

export interface ShapeOptions {
  /** Returns true for a tree that the consumer must leave, by tree index. Other trees are kept if possible. */
  readonly leaves: (treeIndex: number) => boolean;
  /** Whether to require the traits that all its non-sharing providers have. */
  readonly keepsTraits: boolean;
  /** Whether to require the aggregates that all its non-sharing providers are in. */
  readonly keepsAggregates: boolean;
  /** See CandidatesRequest. A consumer that stays in its tree is exempt. */
  readonly excludedRootTraits: readonly string[];
}

/** The allocations of a consumer on one provider, with the suffix of the group that replaces them. */
interface Share {
  readonly suffix: string;
  readonly allocation: ProviderAllocationInput;
  /** Undefined if the snapshot does not have the provider. */
  readonly provider: ProviderRef | undefined;
  readonly isShared: boolean;
  /** Whether the provider is in a tree that the consumer keeps. */
  readonly isKept: boolean;
}

/**
 * STAYS: allocations in kept trees stay. HOME: shared ones stay at anchors that their provider serves.
 * HOME and KIND: local stays local, shared stays shared. ANY: neither.
 */
type Strictness = 'STAYS' | 'HOME' | 'KIND' | 'ANY';

/** Amounts of these classes never move from a tree to a sharing provider. */
const COMPUTE_CLASSES: readonly string[] = ['VCPU', 'PCPU', 'MEMORY_MB'];

const NUMA_TRAIT = 'HW_NUMA_ROOT';

/**
 * Derives requests from the allocations of a consumer, best first. Each further request is for the
 * case that nothing fits the earlier ones. Each provider becomes a granular group. Groups stay
 * below one provider if their providers are below one provider that is not the root. Groups with a
 * common class use different providers. Hosts in maintenance are excluded unless the consumer stays
 * in its tree.
 *
 * The first request keeps the allocations in kept trees where they are. The next request lets them
 * move, but keeps local amounts local and shared amounts shared. The last request drops this
 * restriction, except for compute classes on local providers. The caller excludes the trees to
 * leave (`notInTrees`) and releases the allocations before the search.
 */
export function requestsByShape(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
  options: ShapeOptions,
): CandidatesRequest[] {
  const shape = new Shape(snapshot, sharesOf(snapshot, allocations, options), options);
  const levels: Strictness[] = shape.keepsAny ? ['STAYS', 'KIND'] : ['KIND'];
  if (snapshot.sharing.all.length > 0) levels.push('ANY');
  return levels.map((level) => shape.request(level));
}

/**
 * Derives one request that keeps the shape. Shared amounts in kept trees stay on their provider at
 * anchors that it serves; at others, any sharing provider may take them.
 */
export function requestByShape(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
  options: ShapeOptions,
): CandidatesRequest {
  return new Shape(snapshot, sharesOf(snapshot, allocations, options), options).request('HOME');
}

function sharesOf(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
  options: ShapeOptions,
): Share[] {
  return withoutCounters(snapshot, allocations).flatMap((allocation, at) => {
    if (allocation.resources.length === 0) return [];
    const provider = snapshot.locate(allocation.resourceProvider);
    const isKept = provider !== undefined && !options.leaves(treeIndexOf(provider));
    const isShared = provider !== undefined && isSharing(provider);
    return { suffix: `${at + 1}`, allocation, provider, isShared, isKept };
  });
}

/** Returns the position of the allocation whose amounts a derived group has. */
export function allocationReplacedBy({ suffix }: RequestGroup): number {
  return Number.parseInt(suffix, 10) - 1;
}

class Shape {
  private readonly ties: readonly Tie[];
  private readonly requiredTraits: readonly (readonly string[])[];
  private readonly memberOf: readonly (readonly string[])[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly shares: readonly Share[],
    private readonly options: ShapeOptions,
  ) {
    const local = shares.flatMap(({ provider, isShared, suffix }) =>
      provider && !isShared ? [{ ...provider, suffix }] : [],
    );
    this.ties = tiesOf(local, (provider) => traitsOf(snapshot, provider));
    this.requiredTraits = options.keepsTraits ? common(local, (each) => traitsOf(snapshot, each)) : [];
    this.memberOf = options.keepsAggregates ? common(local, (each) => aggregatesOf(snapshot, each)) : [];
  }

  get keepsAny(): boolean {
    return this.shares.some(({ isKept }) => isKept);
  }

  request(strictness: Strictness): CandidatesRequest {
    const groups = this.shares.flatMap((share) => this.groupsOf(share, strictness));
    const stays = strictness === 'STAYS' && this.shares.some((share) => share.isKept && !share.isShared);
    const canExclude = this.snapshot.traits.idOf(DISABLED_TRAIT) !== undefined;
    return requestOf([...groups, ...this.ties.flatMap(({ top }) => top ?? [])], {
      sameSubtree: this.affinities(groups),
      isolate: suffixesToIsolate(groups),
      rootForbiddenTraits: canExclude && !stays ? [DISABLED_TRAIT] : [],
      excludedRootTraits: stays ? [] : this.options.excludedRootTraits,
    });
  }

  private groupsOf(share: Share, strictness: Strictness): RequestGroup[] {
    const { suffix, isShared, isKept } = share;
    const { resources, resourceProvider } = share.allocation;
    const conditions = isShared ? {} : { requiredTraits: this.requiredTraits, memberOf: this.memberOf };
    if (strictness === 'STAYS' && isKept)
      return [groupOf(suffix, resources, { ...conditions, inSubtree: resourceProvider })];
    if (this.snapshot.sharing.all.length === 0) return [groupOf(suffix, resources, conditions)];
    const ofKind = isShared
      ? { requiredTraits: [[SHARING_TRAIT]] }
      : { ...conditions, forbiddenTraits: [SHARING_TRAIT] };
    const home = strictness === 'HOME' && isShared && isKept ? resourceProvider : null;
    if (strictness !== 'ANY') return [groupOf(suffix, resources, { ...ofKind, home })];
    if (isShared) return [groupOf(suffix, resources, {})];
    const bound = resources.filter(({ resourceClass }) => !this.isDetachable(resourceClass));
    const detached = resources.filter(({ resourceClass }) => this.isDetachable(resourceClass));
    return [
      ...(bound.length > 0 ? [groupOf(suffix, bound, ofKind)] : []),
      ...(detached.length > 0 ? [groupOf(`${suffix}-detached`, detached, {})] : []),
    ];
  }

  /** Returns whether a sharing provider may take over a local amount of a class. */
  private isDetachable(resourceClass: string): boolean {
    const id = this.snapshot.classes.idOf(resourceClass);
    return (
      id !== undefined && this.snapshot.sharing.has('class', id) && !COMPUTE_CLASSES.includes(resourceClass)
    );
  }

  /** Returns the ties of the groups that the request has. */
  private affinities(groups: readonly RequestGroup[]): SubtreeAffinity[] {
    const suffixes = new Set(groups.map(({ suffix }) => suffix));
    return this.ties.flatMap(({ members, top }) => {
      const tied = members.filter((suffix) => suffixes.has(suffix));
      if (top !== null) return [{ groups: [...tied, top.suffix], except: [] }];
      return tied.length > 1 ? [{ groups: tied, except: [] }] : [];
    });
  }
}

/** Groups whose providers are below one provider. */
interface Tie {
  /** The suffixes. If `top` is null, the provider of one of the groups is above the others. */
  readonly members: readonly string[];
  /** A group without resources for the provider above all members. */
  readonly top: RequestGroup | null;
}

/**
 * Returns one tie for each lowest common ancestor of two local shares that is not a root. Omits ancestors
 * without traits and without a share, because no request can name them.
 */
function tiesOf(
  local: readonly (ProviderRef & { readonly suffix: string })[],
  traitsAt: (provider: ProviderRef) => string[],
): Tie[] {
  const ties: Tie[] = [];
  for (const members of groupBy(local, treeIndexOf).values()) {
    const [{ block }] = members;
    const rows = members.map(({ row }) => row);
    const tops = new Set(rows.flatMap((a, at) => rows.slice(at + 1).map((b) => commonAncestor(block, a, b))));
    tops.delete(rootRow(block, rows[0]));
    for (const top of tops) {
      const below = members.filter(({ row }) => row >= top && row < block.ends[top]);
      const suffixes = below.map(({ suffix }) => suffix);
      const traits = traitsAt({ block, row: top });
      const required = traits.includes(NUMA_TRAIT) ? [NUMA_TRAIT] : traits;
      const conditions = { requiredTraits: required.map((trait) => [trait]) };
      if (rows.includes(top)) ties.push({ members: suffixes, top: null });
      else if (required.length > 0)
        ties.push({ members: suffixes, top: groupOf(`above-${suffixes.join('-')}`, [], conditions) });
    }
  }
  return ties;
}

function commonAncestor({ parents, ends }: Block, a: number, b: number): number {
  let top = a;
  while (b < top || b >= ends[top]) top = parents[top];
  return top;
}

/** Returns the suffixes of the groups that have a resource class in common with another group. */
function suffixesToIsolate(groups: readonly RequestGroup[]): string[] {
  const classesOf = ({ resources }: RequestGroup): string[] =>
    resources.map(({ resourceClass }) => resourceClass);
  return groups
    .filter((group) => {
      const classes = new Set(classesOf(group));
      return groups.some((other) => other !== group && classesOf(other).some((name) => classes.has(name)));
    })
    .map(({ suffix }) => suffix);
}

/** Returns the names that all providers have, each as an alternative of its own. */
function common(providers: readonly ProviderRef[], namesOf: (each: ProviderRef) => string[]): string[][] {
  if (providers.length === 0) return [];
  const [first, ...others] = providers.map(namesOf);
  return first.filter((name) => others.every((names) => names.includes(name))).map((name) => [name]);
}

/** Returns the traits of a provider without DISABLED_TRAIT, which is a state of its host. */
export function traitsOf({ traits }: Snapshot, { block, row }: ProviderRef): string[] {
  const ids = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
  return Array.from(ids, (id) => traits.nameOf(id)).filter((name) => name !== DISABLED_TRAIT);
}

function aggregatesOf({ aggregates }: Snapshot, { block, row }: ProviderRef): string[] {
  const ids = block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1]);
  return Array.from(ids, (id) => aggregates.nameOf(id));
}
