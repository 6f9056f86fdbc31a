import type { Alternatives, ResourceAmount } from '../../domain/providerConditions.js';

/**
 * A request group. The unsuffixed one (suffix '') may be spread over a tree and its sharing providers, each
 * unsplit class whole from one of them (rules 137-151); one provider meets a granular one (129-136).
 */
export interface RequestGroup {
  readonly suffix: string;
  readonly resources: readonly ResourceAmount[];
  readonly requiredTraits: Alternatives;
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: Alternatives;
  readonly forbiddenAggregates: readonly string[];
  /** The uuid of any provider stands for its whole tree (rules 131, 147). */
  readonly inTree: string | null;
  /** Only this provider and its descendants. */
  readonly inSubtree: string | null;
  /** Classes of the unsuffixed group that may be spread over several providers of the anchor's tree. */
  readonly canSplit: readonly string[];
}

export type GroupPolicy = 'NONE' | 'ISOLATE';

/** The provider of one of `groups` has those of all of them in its subtree, and none of those of `except`. */
export interface SubtreeAffinity {
  readonly groups: readonly string[];
  readonly except: readonly string[];
}

/** Prefer providers of which much of the class stays free, or little. */
export type CandidateStrategy = 'SPREAD' | 'PACK';

export interface CandidateOrder {
  readonly resourceClass: string;
  readonly strategy: CandidateStrategy;
}

/** By consumer the providers that it has something of; empty for one that has nothing or does not exist. */
export type Holdings = ReadonlyMap<string, readonly string[]>;

/** The request of `allocationCandidates`, as in the API after its defaults are filled in (rule 112). */
export interface CandidatesRequest {
  readonly groups: readonly RequestGroup[];
  readonly groupPolicy: GroupPolicy;
  readonly sameSubtree: readonly SubtreeAffinity[];
  /** Suffixes of granular groups whose provider serves no other group. */
  readonly isolate: readonly string[];
  readonly rootRequiredTraits: Alternatives;
  readonly rootForbiddenTraits: readonly string[];
  readonly rootMemberOf: Alternatives;
  readonly rootForbiddenAggregates: readonly string[];
  /** Any provider stands for its whole tree: all is as if that were not there. Unknown ones have no effect. */
  readonly notInTrees: readonly string[];
  /** No anchor tree in which one of these consumers has something, by a provider that is not a sharing one. */
  readonly awayFromConsumers: readonly string[];
  /** Only such anchor trees; none where the consumers have nothing. Empty: any. */
  readonly nearConsumers: readonly string[];
  /** What the consumers that it names have: each must be in it before the request is planned. */
  readonly holdings?: Holdings;
  /** The first entry that tells two candidates apart decides; empty: the default order (decision D10). */
  readonly orderBy: readonly CandidateOrder[];
}
