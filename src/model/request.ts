import type { Alternatives, ResourceAmount } from './providerConditions.js';

/**
 * The unsuffixed group (suffix '') may be spread over a tree and its sharing providers (rules 137-151).
 * One provider serves a granular group (rules 129-136).
 */
export interface RequestGroup {
  readonly suffix: string;
  readonly resources: readonly ResourceAmount[];
  readonly requiredTraits: Alternatives;
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: Alternatives;
  readonly forbiddenAggregates: readonly string[];
  /** Allows only the tree of this provider, which need not be the root (rules 131, 147). */
  readonly inTree: string | null;
  /** Allows only this provider and its descendants. */
  readonly inSubtree: string | null;
  /** The only provider at anchors where it can serve the group. Null or absent: no provider is preferred. */
  readonly home?: string | null;
  /** Classes of the unsuffixed group that may be split over several providers. */
  readonly canSplit: readonly string[];
}

export type GroupPolicy = 'NONE' | 'ISOLATE';

/** The subtree of one group's provider has the providers of all `groups`, and none of `except`. */
export interface SubtreeAffinity {
  readonly groups: readonly string[];
  readonly except: readonly string[];
}

export type CandidateStrategy = 'SPREAD' | 'PACK';

/** A term of the order. Exactly one of the fields is set. */
export interface CandidateOrder {
  readonly freeShare?: { readonly resourceClass: string; readonly strategy: CandidateStrategy } | null;
  /** Must be true. */
  readonly fewestProviders?: boolean | null;
  readonly preferTraits?: readonly { readonly trait: string; readonly weight: number }[] | null;
  readonly preferAggregates?: readonly { readonly aggregate: string; readonly weight: number }[] | null;
  readonly nearConsumers?: readonly string[] | null;
}

/** The providers of each consumer's allocations; empty if it has none or does not exist. */
export type Holdings = ReadonlyMap<string, readonly string[]>;

/** A request for candidates with its defaults filled in (rule 112). */
export interface CandidatesRequest {
  readonly groups: readonly RequestGroup[];
  readonly groupPolicy: GroupPolicy;
  readonly sameSubtree: readonly SubtreeAffinity[];
  /** Suffixes of granular groups whose provider serves no other group. */
  readonly isolate: readonly string[];
  readonly rootRequiredTraits: Alternatives;
  readonly rootForbiddenTraits: readonly string[];
  /** Excludes anchor trees whose root has one of these traits (ADR 33). Unknown traits have no effect. */
  readonly excludedRootTraits: readonly string[];
  /** Providers that the consumers of the request use now. Their trees are not excluded by traits of the root. */
  readonly ownProviders?: readonly string[];
  /** Whether the providers that a candidate allocates from are all in different trees. Absent: false. */
  readonly oneProviderPerTree?: boolean;
  readonly rootMemberOf: Alternatives;
  readonly rootForbiddenAggregates: readonly string[];
  /** Excludes the trees of these providers. Unknown providers have no effect. */
  readonly notInTrees: readonly string[];
  /** Excludes anchor trees where one of these consumers allocates from a non-sharing provider. */
  readonly awayFromConsumers: readonly string[];
  /** Allows only anchor trees where one of these consumers does so. Empty: any. */
  readonly nearConsumers: readonly string[];
  /** Must contain each consumer that the request names. */
  readonly holdings?: Holdings;
  /** The first term that distinguishes two candidates decides. Empty: the default order (decision D10). */
  readonly orderBy: readonly CandidateOrder[];
}

/** Returns a group with these conditions, and no others. */
export function groupOf(
  suffix: string,
  resources: RequestGroup['resources'],
  conditions: Partial<RequestGroup> = {},
): RequestGroup {
  return {
    suffix,
    resources,
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
    inSubtree: null,
    canSplit: [],
    ...conditions,
  };
}

/** Returns a request with these conditions, and no others. */
export function requestOf(
  groups: readonly RequestGroup[],
  conditions: Partial<CandidatesRequest> = {},
): CandidatesRequest {
  return {
    groups,
    groupPolicy: 'NONE',
    sameSubtree: [],
    isolate: [],
    rootRequiredTraits: [],
    rootForbiddenTraits: [],
    excludedRootTraits: [],
    rootMemberOf: [],
    rootForbiddenAggregates: [],
    notInTrees: [],
    awayFromConsumers: [],
    nearConsumers: [],
    orderBy: [],
    ...conditions,
  };
}
