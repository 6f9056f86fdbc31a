/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
/** How the consumers of a claim may be placed relative to each other. Sharing providers do not count. */
export type ClaimPlacement =
  /** In any trees. */
  | 'ANY'
  /** All in one tree. */
  | 'SAME_TREE'
  /** Each in another tree. */
  | 'DISTINCT_TREES';

/** How a topology rule distributes its consumers over domains. Each must be in at least one. */
export type TopologyRule =
  /** All are in one domain. */
  | 'SAME'
  /** No two are in one domain. */
  | 'DIFFERENT'
  /** The numbers of consumers in the domains differ by at most `maxSkew`. A domain does not count if it could not serve one consumer even if it were empty. */
  | 'SPREAD'
  /** In the fewest possible domains, of these in those with the least free amounts of the requested classes. Less important than few moves and preferred requests, more than `orderBy`. */
  | 'PACK';

/** At least one group has resources. Unknown traits and classes fail with INVALID_INPUT. Lists of lists: AND of ORs. */
export type AllocationCandidatesInput = {
  /** The request groups, at most 256, each suffix once. */
  groups: Array<RequestGroupInput>;
  /** Whether one provider may serve several granular groups. */
  groupPolicy?: GroupPolicy;
  /** Conditions on the positions of granular groups in the tree. */
  sameSubtree?: Array<SubtreeAffinityInput>;
  /** Granular groups whose provider serves no other group. Excludes groupPolicy ISOLATE. */
  isolate?: Array<string>;
  /** Traits that the root must have. */
  rootRequiredTraits?: Array<Array<string>>;
  /** Traits that the root must not have. */
  rootForbiddenTraits?: Array<string>;
  /** Whether to include roots with a trait of the setting `search.excludedRootTraits`. Defaults to false: only if the request requires the trait, or a consumer of the claim is there. */
  includeExcluded?: boolean;
  /** Aggregates that must contain the root. */
  rootMemberOf?: Array<Array<AggregateRef>>;
  /** Aggregates that must not contain the root. */
  rootForbiddenAggregates?: Array<AggregateRef>;
  /** Trees to exclude entirely, sharing providers included. Unknown uuids have no effect. */
  notInTrees?: Array<ProviderRef>;
  /** Consumers whose trees are excluded. Sharing providers do not count. Consumers of the same claim count where it places them. */
  awayFromConsumers?: Array<string>;
  /** Consumers whose trees alone are searched. Sharing providers do not count. Consumers of the same claim count where it places them. */
  nearConsumers?: Array<string>;
  /** The terms of the order, most significant first, at most 32 different ones. A limit returns the best. Defaults to a seeded order. */
  orderBy?: Array<CandidateOrderInput>;
  /** Repeats an order (with orderBy, that of equal candidates). Random by default. */
  seed?: number | null | undefined;
};

/** The unsuffixed group may use several providers of a tree and linked sharing providers. One provider serves a granular group (with a suffix). Lists of lists: AND of ORs. */
export type RequestGroupInput = {
  /** The amounts, each class once. May be empty if `sameSubtree` names the group. */
  resources?: Array<ResourceAmountInput>;
  /** Traits of the provider; in the unsuffixed group, of its providers together. */
  requiredTraits?: Array<Array<string>>;
  /** Traits that no provider may have. */
  forbiddenTraits?: Array<string>;
  /** Aggregates that contain each provider or, in the unsuffixed group, its root. Unknown uuids match no provider. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Aggregates that contain no provider of the group. In the unsuffixed group, they do not contain its root either. Unknown uuids have no effect. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed. */
  suffix?: string;
  /** Only the tree of this provider. An unknown uuid matches none. */
  inTree?: ProviderRef | null | undefined;
  /** Only this provider and its descendants. An unknown uuid matches none. */
  inSubtree?: ProviderRef | null | undefined;
  /** Classes of the unsuffixed group to split over the fewest providers; sharing providers take all or nothing. */
  canSplit?: Array<string>;
};

/** An amount of one resource class. */
export type ResourceAmountInput = {
  /** The name of the class. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
  /** The amount in units of the class (MEMORY_MB: MiB), at least 1. Fails with INVALID_INPUT. */
  amount: number;
};

/** An aggregate, by uuid or name. */
export type AggregateRef =
  {   /** The uuid of the aggregate. */
  uuid: string; name?: never; }
  |  { uuid?: never;   /** The whole name. */
  name: string; };

/** A provider, by uuid or name. */
export type ProviderRef =
  {   /** The uuid of the provider. */
  uuid: string; name?: never; }
  |  { uuid?: never;   /** The whole name, case-sensitive. */
  name: string; };

/** Whether one provider may serve several granular groups. */
export type GroupPolicy =
  /** One provider may serve several groups. */
  | 'NONE'
  /** Each granular group has its own provider. The unsuffixed group is exempt. */
  | 'ISOLATE';

/** The provider of one of `groups` has the providers of all `groups` in its subtree, and no provider of `except`. */
export type SubtreeAffinityInput = {
  /** Granular groups, at least one, each once. */
  groups: Array<string>;
  /** Granular groups to keep out of the subtree. */
  except?: Array<string>;
};

/** A term of the order of candidates. */
export type CandidateOrderInput =
  {   /** The free share of a resource class after the claim. */
  freeShare: FreeShareInput; fewestProviders?: never; leastStranding?: never; preferTraits?: never; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never;   /** The fewest providers first. Must be true. */
  fewestProviders: boolean; leastStranding?: never; preferTraits?: never; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never;   /** The fewest units of other classes lost first, such as of larger partitions of a GPU. */
  leastStranding: LeastStrandingInput; preferTraits?: never; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never; leastStranding?: never;   /** The largest sum of weights of traits that the providers or their root have. Sharing providers do not count. */
  preferTraits: Array<TraitPreferenceInput>; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never; leastStranding?: never; preferTraits?: never;   /** The largest sum of weights of aggregates of the providers or their root. Sharing providers do not count. */
  preferAggregates: Array<AggregatePreferenceInput>; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never; leastStranding?: never; preferTraits?: never; preferAggregates?: never;   /** Trees with the most of these consumers first. Sharing providers do not count. */
  nearConsumers: Array<string>; };

/** The share of a resource class that a candidate leaves free on its providers. */
export type FreeShareInput = {
  /** The name of a requested class. Others fail with INVALID_INPUT. */
  resourceClass: string;
  /** Which share comes first. */
  strategy: CandidateStrategy;
  /** Aggregates such as racks, each once: orders by the free share of the aggregates of the root before the claim, not by that of the providers. Trees in none of them come last; unknown uuids have no effect. */
  aggregates?: Array<AggregateRef>;
};

/** Whether larger or smaller free shares come first. */
export type CandidateStrategy =
  /** The largest first, to spread load. */
  | 'SPREAD'
  /** The smallest first, to keep large free amounts. */
  | 'PACK';

/** An order by the units of other classes that a candidate takes away by consuming shared counters. */
export type LeastStrandingInput = {
  /** The weights of units by class. Others weigh the sum of what a unit consumes of counters. */
  weights?: Array<ClassWeightInput>;
};

/** The weight of a resource class. */
export type ClassWeightInput = {
  /** The name of the class. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
  /** The weight of a unit. At least 0. */
  weight: number;
};

/** A preferred trait. */
export type TraitPreferenceInput = {
  /** The name of the trait. Fails with INVALID_INPUT if it is unknown. */
  trait: string;
  /** The weight, negative to avoid. Defaults to 1. */
  weight?: number;
};

/** A preferred aggregate. */
export type AggregatePreferenceInput = {
  /** The aggregate. An unknown uuid matches no provider. */
  aggregate: AggregateRef;
  /** The weight, negative to avoid. Defaults to 1. */
  weight?: number;
};

/** A constraint of a request, in the order of the checks. */
export type CandidateConstraint =
  /** The tree is excluded by `notInTrees`. */
  | 'NOT_IN_TREES'
  /** An inventory of a requested resource class is missing. */
  | 'NO_INVENTORY'
  /** The free amount is less than requested. */
  | 'INSUFFICIENT_CAPACITY'
  /** The amount is below minUnit. */
  | 'MIN_UNIT'
  /** The amount is above maxUnit. */
  | 'MAX_UNIT'
  /** The amount is no multiple of stepSize and not minUnit. */
  | 'STEP_SIZE'
  /** A required trait is missing. */
  | 'REQUIRED_TRAITS'
  /** A forbidden trait is present. */
  | 'FORBIDDEN_TRAITS'
  /** A required aggregate does not contain the provider. */
  | 'MEMBER_OF'
  /** A forbidden aggregate contains the provider. */
  | 'FORBIDDEN_AGGREGATES'
  /** The provider is not in the tree of `inTree`. */
  | 'IN_TREE'
  /** The provider is not in the subtree of `inSubtree`. */
  | 'IN_SUBTREE'
  /** A consumer of `awayFromConsumers` has an allocation in the tree. */
  | 'AWAY_FROM_CONSUMERS'
  /** No consumer of `nearConsumers` has an allocation in the tree. */
  | 'NEAR_CONSUMERS'
  /** The root has a trait of `search.excludedRootTraits`. */
  | 'EXCLUDED_ROOTS'
  /** The root lacks a required trait or has a forbidden one. */
  | 'ROOT_TRAITS'
  /** The root is not in the required aggregates or is in a forbidden one. */
  | 'ROOT_AGGREGATES'
  /** No provider of the tree or linked sharing provider can serve some group. */
  | 'TREE_LACKS_GROUP'
  /** Not every granular group can have its own provider. */
  | 'GROUP_POLICY'
  /** Not every isolated group can have its own provider. */
  | 'ISOLATE'
  /** No choice of providers meets the subtree conditions. */
  | 'SAME_SUBTREE'
  /** The sum of groups on one provider exceeds its capacity or violates its units. */
  | 'MERGED_AMOUNT'
  /** The groups consume more of a counter than is free. */
  | 'COUNTERS';

/** A workload: the resources to claim and the consumers to claim for. */
export type ClaimInput = {
  /** The members, 1 to 64. Preferred requests of earlier ones are more important. */
  members: Array<ClaimMemberInput>;
  /** The rules, at most 64; all must hold. SAME and DIFFERENT for the same two consumers at one level contradict each other. */
  topology?: Array<TopologyRuleInput>;
  /** At most 8 alternatives, the preferred one first, such as one rack, else one block. The first possible one must hold with `topology`. More important than preferred requests, less than few moves. */
  topologyAlternatives?: Array<TopologyAlternativeInput>;
  /** Whether as few existing consumers as possible move, before preferred requests, PACK and `orderBy`. Members with placed consumers keep their request if they can. Defaults to true. */
  stay?: boolean;
  /** Names the workload in the project of its consumers, so that its rules bind later moves; defaults to none. A claim with the name of an existing one adds members and consumers, and replaces its rules. The rules count only the consumers that the claim names: to count existing ones, name them with their generations. */
  workload?: WorkloadNameInput | null | undefined;
};

/** Consumers that each receive a candidate of the same request. */
export type ClaimMemberInput = {
  /** The name of the member: 1 to 64 of A-Z, a-z, 0-9, _ and -. */
  name: string;
  /** The consumers to claim for, at least one, each once; at most 1000 in all members. */
  consumers: Array<ClaimConsumerInput>;
  /** At most 8 alternatives, the preferred one first. All consumers of the member get the same one. The first seed of all requests counts; without one, concurrent claims choose differently. */
  requests: Array<AllocationCandidatesInput>;
  /** How the consumers may be placed relative to each other. Defaults to ANY. */
  placement?: ClaimPlacement;
};

/** A consumer to claim for. */
export type ClaimConsumerInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation read before: the claim replaces all its allocations, which count as free (see `stay`). Null: it must not exist. Else fails with CONSUMER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged. */
  type?: string | null | undefined;
  /** The project: 1 to 255 characters, no trailing space. */
  projectId: string;
  /** The user: 1 to 255 characters, no trailing space. */
  userId: string;
  /** The consumer ends by itself at this time, unless it is confirmed or extended before: within 366 days from now. Null leaves the time unchanged; a new consumer has none. */
  expiresAt?: string | null | undefined;
  /** Keeps the former allocations under a new consumer, as for a live migration. Amounts on a provider and class of both placements stay with this consumer and count once. Null releases them. */
  keepOldAs?: KeepOldAsInput | null | undefined;
  /** Whether the consumer keeps the request that is remembered for it, as for a move with further conditions. Defaults to false: the claim replaces it. A consumer of a named workload without one gets that of the claim. */
  keepRequest?: boolean;
};

/** A new consumer, of the same project and user, for the former allocations that the new ones do not use. */
export type KeepOldAsInput = {
  /** The uuid of the new consumer. If it exists, fails with CONSUMER_GENERATION_CONFLICT. */
  consumer: string;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null: none. */
  type?: string | null | undefined;
  /** The new consumer ends by itself at this time. Null: it does not. */
  expiresAt?: string | null | undefined;
};

/** Where the consumers of some members may be placed relative to each other. */
export type TopologyRuleInput = {
  /** The domains. */
  level: TopologyLevelInput;
  /** The names of the members whose consumers the rule concerns, at least one, each once. */
  members: Array<string>;
  /** The rule. */
  rule: TopologyRule;
  /** The largest difference between two domains, at least 1. Defaults to 1. For SPREAD only. */
  maxSkew?: number | null | undefined;
  /** Whether its consumers may be outside of the domains; the rule then concerns those inside. By default, each must be in a domain. */
  allowOutside?: boolean;
};

/** The domains of a topology rule. Sharing providers are in no domain. */
export type TopologyLevelInput =
  {   /** True: each tree is a domain. False fails with INVALID_INPUT. */
  tree: boolean; aggregates?: never; trait?: never; }
  |  { tree?: never;   /** Each aggregate is a domain: its providers and their descendants. At most 1024, each once. Unknown ones fail with INVALID_INPUT. */
  aggregates: Array<AggregateRef>; trait?: never; }
  |  { tree?: never; aggregates?: never;   /** Each provider with the trait is a domain, with its descendants up to the next such provider: NUMA nodes, switches. */
  trait: string; };

/** One of several lists of topology rules. */
export type TopologyAlternativeInput = {
  /** The rules, with those of `topology` at most 64. All must hold. */
  rules: Array<TopologyRuleInput>;
};

/** The name of a workload. All its consumers are of one project. */
export type WorkloadNameInput = {
  /** The name: 1 to 255 characters without spaces at its ends, unique in the project. */
  name: string;
};

/** The moves of other consumers that may free capacity for a workload. */
export type MakeRoomInput = {
  /** The maximum number of moves, from 1 to 100. Defaults to 10. */
  maxMoves?: number;
  /** The consumers that may move. */
  movable: MovableInput;
};

/** The consumers that may move for a workload: those that match all given lists. At least one list is required. Consumers of the workload, and consumers with allocations in several trees, never move. */
export type MovableInput = {
  /** The names of their types. Null: any type. */
  consumerTypes?: Array<string> | null | undefined;
  /** The ids of their projects. Null: any project. */
  projects?: Array<string> | null | undefined;
  /** Their uuids. Null: any consumer. */
  consumers?: Array<string> | null | undefined;
};

/** The result of a search for a placement. */
export type WorkloadOutcome =
  /** The workload can be placed. */
  | 'FOUND'
  /** Proven: the workload does not fit. */
  | 'IMPOSSIBLE'
  /** The search ended at its deadline without a placement or a proof. */
  | 'UNDECIDED';

/** Why a mutation has no payload: it changed nothing, unless COMMITTED. If several reasons apply, the first of these values. More may be added. */
export type ErrorCode =
  /** The write is the first to use a feature that a running server of version 1.0 lacks. */
  | 'OLDER_SERVER'
  /** A value is malformed, out of range, contradictory or duplicate, or a name is unknown. */
  | 'INVALID_INPUT'
  /** The object to change, or a provider in the input, does not exist. */
  | 'NOT_FOUND'
  /** Another provider or aggregate has this name. */
  | 'DUPLICATE_NAME'
  /** A provider with this UUID exists already. */
  | 'DUPLICATE_UUID'
  /** Standard traits and resource classes cannot be deleted. */
  | 'STANDARD_IS_IMMUTABLE'
  /** A provider cannot move under itself or a descendant. */
  | 'ILLEGAL_REPARENT'
  /** The provider does not have the generation in the input. */
  | 'PROVIDER_GENERATION_CONFLICT'
  /** The consumer does not have the generation in the input. */
  | 'CONSUMER_GENERATION_CONFLICT'
  /** A provider with children cannot be deleted. */
  | 'PROVIDER_HAS_CHILDREN'
  /** A provider with allocations cannot be deleted. */
  | 'PROVIDER_IN_USE'
  /** A trait that a provider has cannot be deleted. */
  | 'TRAIT_IN_USE'
  /** A resource class with inventories cannot be deleted. */
  | 'RESOURCE_CLASS_IN_USE'
  /** An aggregate that contains a provider cannot be deleted. */
  | 'AGGREGATE_IN_USE'
  /** An inventory with allocations cannot be deleted. */
  | 'INVENTORY_IN_USE'
  /** The consumption of an inventory with allocations would change, or a counter that an inventory consumes would go. */
  | 'CONSUMPTION_IN_USE'
  /** The provider has no inventory of the resource class. */
  | 'NO_INVENTORY'
  /** An amount violates minUnit, maxUnit or stepSize of the inventory. */
  | 'UNIT_VIOLATION'
  /** The usage would exceed the capacity, and the current usage. */
  | 'CAPACITY_EXCEEDED'
  /** The counted usage of the project or its group would exceed a limit. */
  | 'QUOTA_EXCEEDED'
  /** The final state violates rules of inventories or allocations. */
  | 'RESHAPE_REFUSED'
  /** The input removes inventories or providers in use without `allocations`. */
  | 'RESHAPE_NEEDED'
  /** Another owner has a part of a provider that the input states. */
  | 'OWNED_BY_ANOTHER'
  /** No candidates fit the request for all consumers. */
  | 'NO_CANDIDATES'
  /** Concurrent writes caused conflicts until the server gave up. */
  | 'CONCURRENT_UPDATE'
  /** No rejection: the write was committed, but its payload could not be read. */
  | 'COMMITTED';

/** The consumers to change, all or none. */
export type SetAllocationsInput = {
  /** The consumers, at least one, each once. */
  consumers: Array<ConsumerAllocationsInput>;
};

/** The desired state of a consumer. */
export type ConsumerAllocationsInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation read before. Null: it must not exist. Else fails with CONSUMER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged. */
  type?: string | null | undefined;
  /** The project: 1 to 255 characters, no trailing space. */
  projectId: string;
  /** The user: 1 to 255 characters, no trailing space. */
  userId: string;
  /** The consumer ends by itself at this time, unless it is confirmed or extended before: within 366 days from now. Null leaves the time unchanged; a new consumer has none. */
  expiresAt?: string | null | undefined;
  /** All its allocations. They replace its current ones. */
  allocations: AllocationsInput;
};

/** The whole set of allocations of a consumer. */
export type AllocationsInput =
  {   /** The providers, each once. [] releases everything and deletes the consumer. */
  providers: Array<ProviderAllocationInput>; claimToken?: never; }
  |  { providers?: never;   /** The token of an allocation request. A malformed one, or one of another database, is INVALID_INPUT. */
  claimToken: string | number; };

/** Resources to allocate from one provider. */
export type ProviderAllocationInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The amounts, at least one, each class once. */
  resources: Array<ResourceAmountInput>;
};

export type CandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit: number;
}>;


export type CandidatesQuery = { allocationCandidates: { complete: boolean, allocationRequests: Array<{ claimToken: string, score: Array<number>, allocations: Array<{ resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string, parent: { uuid: string } | null, root: { uuid: string } }, resources: Array<{ capacity: number, used: number, consumesCounters: boolean, resourceClass: { name: string } }> }> } | null };

export type WhyNotQueryVariables = Exact<{
  request: AllocationCandidatesInput;
}>;


export type WhyNotQuery = { allocationCandidates: { explanation: { summary: string, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number }> }>, combination: Array<{ constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number }> } | null } | null };

export type StepFragment = { constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number };

export type PlaceHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
}>;


export type PlaceHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean } | null };

export type PlaceQuotaQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  projectId: string;
}>;


export type PlaceQuotaQuery = { headroom: { quota: { fits: boolean, count: number | null, limits: Array<{ asked: number, left: number, fits: boolean, quota: { limit: number, resourceClass: { name: string } | null, group: { name: string } | null } }> } | null } | null };

export type ClaimCandidateMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type ClaimCandidateMutation = { setAllocations:
    | { __typename: 'OlderServerError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'NoInventoryError', code: ErrorCode, message: string }
    | { __typename: 'UnitViolationError', code: ErrorCode, message: string }
    | { __typename: 'CapacityExceededError', code: ErrorCode, message: string }
    | { __typename: 'QuotaExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'CommittedError', code: ErrorCode, message: string }
    | { __typename: 'SetAllocationsPayload', consumers: Array<{ uuid: string }> }
   };

export type GrownWorkloadQueryVariables = Exact<{
  projectId: string;
  name: string;
}>;


export type GrownWorkloadQuery = { workload: { members: Array<{ name: string, placement: ClaimPlacement, requests: Array<unknown> | null, consumers: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null }> }>, topology: Array<{ input: unknown }> } | null };

export type GrowWorkloadMutationVariables = Exact<{
  input: ClaimInput;
}>;


export type GrowWorkloadMutation = { claim:
    | { __typename: 'OlderServerError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'QuotaExceededError', code: ErrorCode, message: string }
    | { __typename: 'NoCandidatesError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'CommittedError', code: ErrorCode, message: string }
    | { __typename: 'ClaimPayload' }
   };

export type PlanWorkloadQueryVariables = Exact<{
  input: ClaimInput;
  makeRoom?: MakeRoomInput | null | undefined;
}>;


export type PlanWorkloadQuery = { planWorkload: { outcome: WorkloadOutcome, failure: { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null } | null, totalsBefore: Array<{ used: number, capacity: number, resourceClass: { name: string } }>, plans: Array<{ seed: number, optimal: boolean, movedCount: number, moves: Array<{ generation: number, traitsLost: Array<string>, claimToken: string, consumer: { uuid: string, projectId: string | null, userId: string | null, type: { name: string } | null }, from: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, to: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> }>, totalsAfter: Array<{ used: number, capacity: number, resourceClass: { name: string } }>, consumers: Array<{ consumerUuid: string, member: string, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { name: string, aggregates: Array<{ uuid: string, name: string | null }> } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } }> }> } | null };

export type PlacePartFragment = { resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> };

export type PlanTotalFragment = { used: number, capacity: number, resourceClass: { name: string } };

export const StepFragmentDoc = gql`
    fragment Step on Elimination {
  constraint
  detail
  eliminated
  remaining
}
    ` as unknown as DocumentNode<StepFragment, unknown>;
export const PlacePartFragmentDoc = gql`
    fragment PlacePart on ProviderAllocation {
  resourceProvider {
    name
    isSharing
    root {
      uuid
      name
    }
  }
  resources {
    resourceClass {
      name
    }
    amount
  }
}
    ` as unknown as DocumentNode<PlacePartFragment, unknown>;
export const PlanTotalFragmentDoc = gql`
    fragment PlanTotal on FleetTotal {
  resourceClass {
    name
  }
  used
  capacity
}
    ` as unknown as DocumentNode<PlanTotalFragment, unknown>;
export const CandidatesDocument = gql`
    query Candidates($request: AllocationCandidatesInput!, $limit: Int!) {
  allocationCandidates(request: $request, limit: $limit) {
    complete
    allocationRequests {
      claimToken
      score
      allocations {
        resourceProvider {
          uuid
          name
          isSharing
          root {
            uuid
            name
          }
        }
        resources {
          resourceClass {
            name
          }
          amount
        }
      }
      mappings {
        suffix
        resourceProviders {
          uuid
        }
      }
    }
    providerSummaries {
      traitNames
      resourceProvider {
        uuid
        name
        parent {
          uuid
        }
        root {
          uuid
        }
      }
      resources {
        resourceClass {
          name
        }
        capacity
        used
        consumesCounters
      }
    }
  }
}
    ` as unknown as DocumentNode<CandidatesQuery, CandidatesQueryVariables>;
export const WhyNotDocument = gql`
    query WhyNot($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request, limit: 1) {
    explanation {
      summary
      groups {
        suffix
        considered
        remaining
        eliminations {
          ...Step
        }
      }
      combination {
        ...Step
      }
    }
  }
}
    ${StepFragmentDoc}` as unknown as DocumentNode<WhyNotQuery, WhyNotQueryVariables>;
export const PlaceHeadroomDocument = gql`
    query PlaceHeadroom($request: AllocationCandidatesInput!, $upTo: Int!) {
  headroom(request: $request, upTo: $upTo) {
    count
    exact
    reachedUpTo
  }
}
    ` as unknown as DocumentNode<PlaceHeadroomQuery, PlaceHeadroomQueryVariables>;
export const PlaceQuotaDocument = gql`
    query PlaceQuota($request: AllocationCandidatesInput!, $projectId: String!) {
  headroom(request: $request, projectId: $projectId, upTo: 1) {
    quota {
      fits
      count
      limits {
        asked
        left
        fits
        quota {
          limit
          resourceClass {
            name
          }
          group {
            name
          }
        }
      }
    }
  }
}
    ` as unknown as DocumentNode<PlaceQuotaQuery, PlaceQuotaQueryVariables>;
export const ClaimCandidateDocument = gql`
    mutation ClaimCandidate($input: SetAllocationsInput!) {
  setAllocations(input: $input) {
    __typename
    ... on SetAllocationsPayload {
      consumers {
        uuid
      }
    }
    ... on UserError {
      code
      message
    }
  }
}
    ` as unknown as DocumentNode<ClaimCandidateMutation, ClaimCandidateMutationVariables>;
export const GrownWorkloadDocument = gql`
    query GrownWorkload($projectId: String!, $name: String!) {
  workload(projectId: $projectId, name: $name) {
    members {
      name
      placement
      requests
      consumers {
        uuid
        generation
        type {
          name
        }
        projectId
        userId
      }
    }
    topology {
      input
    }
  }
}
    ` as unknown as DocumentNode<GrownWorkloadQuery, GrownWorkloadQueryVariables>;
export const GrowWorkloadDocument = gql`
    mutation GrowWorkload($input: ClaimInput!) {
  claim(input: $input) {
    __typename
    ... on UserError {
      code
      message
    }
  }
}
    ` as unknown as DocumentNode<GrowWorkloadMutation, GrowWorkloadMutationVariables>;
export const PlanWorkloadDocument = gql`
    query PlanWorkload($input: ClaimInput!, $makeRoom: MakeRoomInput) {
  planWorkload(input: $input, makeRoom: $makeRoom) {
    outcome
    failure {
      message
      member
      fitIsLargest
      members {
        name
        requested
        fit
      }
      explanation {
        summary
      }
    }
    totalsBefore {
      ...PlanTotal
    }
    plans {
      seed
      optimal
      movedCount
      moves {
        generation
        traitsLost
        claimToken
        consumer {
          uuid
          type {
            name
          }
          projectId
          userId
        }
        from {
          ...PlacePart
        }
        to {
          ...PlacePart
        }
      }
      totalsAfter {
        ...PlanTotal
      }
      consumers {
        consumerUuid
        member
        allocationRequest {
          claimToken
          allocations {
            resourceProvider {
              name
              isSharing
              root {
                name
                aggregates {
                  uuid
                  name
                }
              }
            }
            resources {
              resourceClass {
                name
              }
              amount
            }
          }
        }
      }
    }
  }
}
    ${PlanTotalFragmentDoc}
${PlacePartFragmentDoc}` as unknown as DocumentNode<PlanWorkloadQuery, PlanWorkloadQueryVariables>;