/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A preferred aggregate. */
export type AggregatePreferenceInput = {
  /** The aggregate. An unknown uuid matches no provider. */
  aggregate: AggregateRef;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
};

/** Identifies an aggregate by its uuid or its name. */
export type AggregateRef =
  {   /** The whole name, as set by nameAggregate. */
  name: string; uuid?: never; }
  |  { name?: never;   /** The uuid of the aggregate. */
  uuid: string; };

/** The request: at least one group has resources. Unknown traits and resource classes fail with INVALID_INPUT. In lists of lists, the outer list is AND and the inner list is OR. */
export type AllocationCandidatesInput = {
  /** Consumers whose trees are excluded. Their allocations on sharing providers do not count. */
  awayFromConsumers?: Array<string>;
  /** Whether one provider may serve several granular groups. */
  groupPolicy?: GroupPolicy;
  /** The request groups, at most 256, each suffix once. */
  groups: Array<RequestGroupInput>;
  /** Suffixes of granular groups whose provider may serve no other group. Excludes groupPolicy ISOLATE. */
  isolate?: Array<string>;
  /** Consumers to whose trees the search is restricted. Their allocations on sharing providers do not count. */
  nearConsumers?: Array<string>;
  /** Trees to exclude entirely, sharing providers included. Unknown uuids have no effect. */
  notInTrees?: Array<ProviderRef>;
  /** The terms of the order; the first that distinguishes two candidates decides. A limit returns the best. Defaults to a seeded order that favours no tree. */
  orderBy?: Array<CandidateOrderInput>;
  /** Aggregates that must not contain the root of the tree. */
  rootForbiddenAggregates?: Array<AggregateRef>;
  /** Traits that the root of the tree must not have. */
  rootForbiddenTraits?: Array<string>;
  /** Aggregates that must contain the root of the tree. */
  rootMemberOf?: Array<Array<AggregateRef>>;
  /** Traits that the root of the tree must have. */
  rootRequiredTraits?: Array<Array<string>>;
  /** Conditions on the positions of granular groups in a tree; all must hold. */
  sameSubtree?: Array<SubtreeAffinityInput>;
  /** Makes the order repeatable; with orderBy, that of equal candidates. Defaults to a random seed. */
  seed?: number | null | undefined;
};

/** The whole set of allocations of a consumer. */
export type AllocationsInput =
  {   /** The token of an allocation request. Fails with INVALID_INPUT if it is malformed or of another database. */
  claimToken: string | number; providers?: never; }
  |  { claimToken?: never;   /** The providers, each once. [] releases everything: the consumer then ceases to exist. */
  providers: Array<ProviderAllocationInput>; };

/** A constraint of a request, in the order of the checks. */
export type CandidateConstraint =
  /** A consumer of `awayFromConsumers` has an allocation in the tree. */
  | 'AWAY_FROM_CONSUMERS'
  /** A forbidden aggregate contains the provider. */
  | 'FORBIDDEN_AGGREGATES'
  /** A forbidden trait is present. */
  | 'FORBIDDEN_TRAITS'
  /** Not every granular group can have its own provider. */
  | 'GROUP_POLICY'
  /** The free amount is less than requested. */
  | 'INSUFFICIENT_CAPACITY'
  /** The provider is not in the subtree of `inSubtree`. */
  | 'IN_SUBTREE'
  /** The provider is not in the tree of `inTree`. */
  | 'IN_TREE'
  /** Not every isolated group can have its own provider. */
  | 'ISOLATE'
  /** The amount is above max_unit. */
  | 'MAX_UNIT'
  /** A required aggregate does not contain the provider. */
  | 'MEMBER_OF'
  /** The sum of groups on one provider exceeds its capacity or violates its units. */
  | 'MERGED_AMOUNT'
  /** The amount is below min_unit. */
  | 'MIN_UNIT'
  /** No consumer of `nearConsumers` has an allocation in the tree. */
  | 'NEAR_CONSUMERS'
  /** The tree is excluded by `notInTrees`. */
  | 'NOT_IN_TREES'
  /** An inventory of a requested resource class is missing. */
  | 'NO_INVENTORY'
  /** A required trait is missing. */
  | 'REQUIRED_TRAITS'
  /** The root is not in the required aggregates or is in a forbidden one. */
  | 'ROOT_AGGREGATES'
  /** The root lacks a required trait or has a forbidden one. */
  | 'ROOT_TRAITS'
  /** No choice of providers meets the subtree conditions. */
  | 'SAME_SUBTREE'
  /** The amount is neither min_unit nor a multiple of step_size. */
  | 'STEP_SIZE'
  /** No provider of the tree or linked sharing provider can serve some group. */
  | 'TREE_LACKS_GROUP';

/** A term of the order of candidates. */
export type CandidateOrderInput =
  {   /** The fewest providers first. Must be true. */
  fewestProviders: boolean; freeShare?: never; nearConsumers?: never; preferAggregates?: never; preferTraits?: never; }
  |  { fewestProviders?: never;   /** The free share of a resource class after the claim. */
  freeShare: FreeShareInput; nearConsumers?: never; preferAggregates?: never; preferTraits?: never; }
  |  { fewestProviders?: never; freeShare?: never;   /** Candidates in the trees of the most listed consumers first. Their allocations on sharing providers do not count. */
  nearConsumers: Array<string>; preferAggregates?: never; preferTraits?: never; }
  |  { fewestProviders?: never; freeShare?: never; nearConsumers?: never;   /** The largest sum of the weights of the listed aggregates first. An aggregate counts if it contains a provider of the candidate that is not a sharing one, or the root of its tree. */
  preferAggregates: Array<AggregatePreferenceInput>; preferTraits?: never; }
  |  { fewestProviders?: never; freeShare?: never; nearConsumers?: never; preferAggregates?: never;   /** The largest sum of the weights of the listed traits first. A trait counts if a provider of the candidate that is not a sharing one, or the root of its tree, has it. */
  preferTraits: Array<TraitPreferenceInput>; };

/** Whether a large or a small free share comes first. */
export type CandidateStrategy =
  /** The smallest free share first, to keep large free amounts elsewhere. */
  | 'PACK'
  /** The largest free share first, to spread load. */
  | 'SPREAD';

/** A consumer to claim for. */
export type ClaimConsumerInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation of an existing consumer: the claim replaces all its allocations, which the search treats as free. Null: the consumer must not exist. Else fails with CONSUMER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** Keeps the former allocations under a new consumer, as for a live migration. Null releases them. */
  keepOldAs?: KeepOldAsInput | null | undefined;
  /** The id of its project: 1 to 255 characters, no space at the end. */
  projectId: string;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged; a new consumer then has none. */
  type?: string | null | undefined;
  /** The id of its user: 1 to 255 characters, no space at the end. */
  userId: string;
};

/** A workload: the resources to claim and the consumers to claim for. */
export type ClaimInput = {
  /** The members, 1 to 64. Preferred requests of earlier members are more important than those of later ones. */
  members: Array<ClaimMemberInput>;
  /** The rules of the topology, at most 64; all must hold. SAME and DIFFERENT for a member at one level contradict each other. */
  topology?: Array<TopologyRuleInput>;
};

/** Consumers that each receive a candidate of the same request. */
export type ClaimMemberInput = {
  /** The consumers to claim for, at least one, each once; at most 1000 in all members. */
  consumers: Array<ClaimConsumerInput>;
  /** The name of the member: 1 to 64 of A-Z, a-z, 0-9, _ and -. */
  name: string;
  /** How the consumers may be placed relative to each other. Defaults to ANY. */
  placement?: ClaimPlacement;
  /** The alternative requests, at most 8, the preferred one first. All consumers of the member get the same one. The first seed of all requests counts; without one, concurrent claims choose differently. */
  requests: Array<AllocationCandidatesInput>;
};

/** How the consumers of a claim may be placed relative to each other. Sharing providers do not count. */
export type ClaimPlacement =
  /** In any trees. */
  | 'ANY'
  /** Each in another tree. */
  | 'DISTINCT_TREES'
  /** All in one tree. */
  | 'SAME_TREE';

/** The desired state of a consumer. */
export type ConsumerAllocationsInput = {
  /** All its allocations. They replace its current ones. */
  allocations: AllocationsInput;
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation on which the change is based. Null: the consumer must not exist. Else fails with CONSUMER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** The id of its project: 1 to 255 characters, no space at the end. */
  projectId: string;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged; a new consumer then has none. */
  type?: string | null | undefined;
  /** The id of its user: 1 to 255 characters, no space at the end. */
  userId: string;
};

/** Why a mutation changed nothing. If several reasons apply, the error has the first one in this order: INVALID_INPUT, NOT_FOUND, DUPLICATE_NAME, DUPLICATE_UUID, STANDARD_IS_IMMUTABLE, ILLEGAL_REPARENT, PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT, PROVIDER_HAS_CHILDREN, PROVIDER_IN_USE, TRAIT_IN_USE, RESOURCE_CLASS_IN_USE, INVENTORY_IN_USE, NO_INVENTORY, UNIT_VIOLATION, CAPACITY_EXCEEDED, RESHAPE_REFUSED, RESHAPE_NEEDED, NO_CANDIDATES, CONCURRENT_UPDATE. More codes may be added. */
export type ErrorCode =
  /** The usage would exceed the capacity, and the current usage. */
  | 'CAPACITY_EXCEEDED'
  /** Concurrent writes caused conflicts until the server gave up. */
  | 'CONCURRENT_UPDATE'
  /** The consumer is not absent, or not at the generation, as the input expects. */
  | 'CONSUMER_GENERATION_CONFLICT'
  /** Another provider, or another aggregate, has this name. */
  | 'DUPLICATE_NAME'
  /** A provider with this UUID exists already. */
  | 'DUPLICATE_UUID'
  /** A provider cannot be moved under itself or one of its descendants. */
  | 'ILLEGAL_REPARENT'
  /** A value is malformed, out of range, contradictory, given twice or an unknown name. */
  | 'INVALID_INPUT'
  /** The inventory has allocations, so it cannot be deleted. */
  | 'INVENTORY_IN_USE'
  /** The object to change, or a provider in the input, does not exist. */
  | 'NOT_FOUND'
  /** No candidates fit the request for all consumers. */
  | 'NO_CANDIDATES'
  /** The provider has no inventory of the resource class. */
  | 'NO_INVENTORY'
  /** The provider changed since the generation in the input was read. */
  | 'PROVIDER_GENERATION_CONFLICT'
  /** The provider has children, so it cannot be deleted. */
  | 'PROVIDER_HAS_CHILDREN'
  /** The provider has allocations, so it cannot be deleted. */
  | 'PROVIDER_IN_USE'
  /** Inventories or providers in use would be removed, and the input states no allocations. */
  | 'RESHAPE_NEEDED'
  /** The final state violates rules of inventories or allocations. The error lists all violations. */
  | 'RESHAPE_REFUSED'
  /** A provider has an inventory of the resource class, so it cannot be deleted. */
  | 'RESOURCE_CLASS_IN_USE'
  /** Standard traits and resource classes cannot be deleted. */
  | 'STANDARD_IS_IMMUTABLE'
  /** A provider has the trait, so it cannot be deleted. */
  | 'TRAIT_IN_USE'
  /** An amount violates minUnit, maxUnit or stepSize of the inventory. */
  | 'UNIT_VIOLATION';

/** Compares the share of a resource class that a candidate leaves free on its providers. */
export type FreeShareInput = {
  /** The name of the resource class. Fails with INVALID_INPUT if no group of the request asks for it. */
  resourceClass: string;
  /** Which share comes first. */
  strategy: CandidateStrategy;
};

/** Whether one provider may serve several granular groups. */
export type GroupPolicy =
  /** Each granular group has its own provider. The unsuffixed group is exempt. */
  | 'ISOLATE'
  /** One provider may serve several groups. */
  | 'NONE';

/** A new consumer that takes over the former allocations of another, in the same transaction. It has the same project and user. */
export type KeepOldAsInput = {
  /** The uuid of the new consumer. If it exists, fails with CONSUMER_GENERATION_CONFLICT. */
  consumer: string;
  /** The type: 1 to 255 of A-Z, 0-9 and _. Null: none. */
  type?: string | null | undefined;
};

/** Resources to allocate from one provider. */
export type ProviderAllocationInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The amounts, at least one, each class once. */
  resources: Array<ResourceAmountInput>;
};

/** Identifies a provider by its uuid or its name. */
export type ProviderRef =
  {   /** The whole name, case-sensitive. */
  name: string; uuid?: never; }
  |  { name?: never;   /** The uuid of the provider. */
  uuid: string; };

/** A part of a request. The unsuffixed group may use several providers of a tree and linked sharing providers; one provider serves a granular group (with a suffix). In lists of lists, the outer list is AND and the inner list is OR. */
export type RequestGroupInput = {
  /** Classes of the unsuffixed group whose amount may be split over the fewest possible providers of the tree. Sharing providers take the whole amount or nothing. */
  canSplit?: Array<string>;
  /** Aggregates that may contain no provider of the group nor, for the unsuffixed group, the root. Unknown uuids have no effect. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** Traits that no provider of the group may have. */
  forbiddenTraits?: Array<string>;
  /** Only this provider and its descendants. An unknown uuid matches no provider. */
  inSubtree?: ProviderRef | null | undefined;
  /** Only the tree of this provider. An unknown uuid matches no provider. */
  inTree?: ProviderRef | null | undefined;
  /** Aggregates that must contain each provider of the group; in the unsuffixed group, it or its root. An unknown uuid matches no provider. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Traits that the group's provider must have; in the unsuffixed group, its providers together. */
  requiredTraits?: Array<Array<string>>;
  /** The amounts, each class once. May be empty if a subtree condition names the group. */
  resources?: Array<ResourceAmountInput>;
  /** The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed. */
  suffix?: string;
};

/** An amount of one resource class. */
export type ResourceAmountInput = {
  /** The amount in units of the class (MEMORY_MB: mebibytes), at least 1. Fails with INVALID_INPUT if it is less. */
  amount: number;
  /** The name of the resource class, standard or custom. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
};

/** The consumers to change, all or none. */
export type SetAllocationsInput = {
  /** The consumers, at least one, each once. */
  consumers: Array<ConsumerAllocationsInput>;
};

/** The provider of one of `groups` has the providers of all of them in its subtree, and none of `except`. */
export type SubtreeAffinityInput = {
  /** Suffixes of granular groups to keep out of the subtree. */
  except?: Array<string>;
  /** Suffixes of granular groups, at least one, each once. */
  groups: Array<string>;
};

/** The domains of a topology rule. Sharing providers are in no domain. */
export type TopologyLevelInput =
  {   /** Each aggregate is a domain: its providers and their descendants. At most 1024, each once. Unknown ones fail with INVALID_INPUT. */
  aggregates: Array<AggregateRef>; trait?: never; tree?: never; }
  |  { aggregates?: never;   /** Each provider with the trait is a domain, with its descendants up to the next such provider: NUMA nodes, switches. */
  trait: string; tree?: never; }
  |  { aggregates?: never; trait?: never;   /** True: each tree is a domain. False fails with INVALID_INPUT. */
  tree: boolean; };

/** How the consumers of a topology rule lie in its domains. */
export type TopologyRule =
  /** No two are in one domain. */
  | 'DIFFERENT'
  /** In the fewest possible domains. More important than `orderBy`. */
  | 'PACK'
  /** All are in one domain. */
  | 'SAME'
  /** The numbers of consumers in the domains differ by at most `maxSkew`. Domains that could not serve one even if unused do not count. */
  | 'SPREAD';

/** Where the consumers of some members may be placed relative to each other. */
export type TopologyRuleInput = {
  /** The domains. */
  level: TopologyLevelInput;
  /** The largest difference between two domains, from 1. Defaults to 1. Only SPREAD takes it. */
  maxSkew?: number | null | undefined;
  /** The names of the members whose consumers the rule concerns, at least one, each once. */
  members: Array<string>;
  /** The rule. */
  rule: TopologyRule;
};

/** A preferred trait. */
export type TraitPreferenceInput = {
  /** The name of the trait. Fails with INVALID_INPUT if it is unknown. */
  trait: string;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
};

/** The result of a search for a placement. */
export type WorkloadOutcome =
  /** The workload can be placed. */
  | 'FOUND'
  /** Proven: the workload does not fit. */
  | 'IMPOSSIBLE'
  /** The search ended at its deadline without a placement or a proof. */
  | 'UNDECIDED';

export type CandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit: number;
}>;


export type CandidatesQuery = { allocationCandidates: { complete: boolean, allocationRequests: Array<{ claimToken: string, score: Array<number>, allocations: Array<{ resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string, parent: { uuid: string } | null, root: { uuid: string } }, resources: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }> } | null };

export type WhyNotQueryVariables = Exact<{
  request: AllocationCandidatesInput;
}>;


export type WhyNotQuery = { allocationCandidates: { explanation: { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number }> }>, combination: Array<{ constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number }> } | null } | null };

export type StepFragment = { constraint: CandidateConstraint, detail: string, eliminated: number, remaining: number };

export type PlaceHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
}>;


export type PlaceHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean } | null };

export type ProviderNamesQueryVariables = Exact<{
  text: string;
}>;


export type ProviderNamesQuery = { resourceProviders: { nodes: Array<{ root: { name: string } }> } | null };

export type ClaimCandidateMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type ClaimCandidateMutation = { setAllocations:
    | { __typename: 'CapacityExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NoInventoryError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'SetAllocationsPayload', consumers: Array<{ uuid: string }> }
    | { __typename: 'UnitViolationError', code: ErrorCode, message: string }
   };

export type PlanWorkloadQueryVariables = Exact<{
  input: ClaimInput;
}>;


export type PlanWorkloadQuery = { planWorkload: { outcome: WorkloadOutcome, failure: { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null } | null, totalsBefore: Array<{ used: number, capacity: number, resourceClass: { name: string } }>, plans: Array<{ optimal: boolean, totalsAfter: Array<{ used: number, capacity: number, resourceClass: { name: string } }>, consumers: Array<{ consumerUuid: string, member: string, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { name: string, aggregates: Array<{ uuid: string, name: string | null }> } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } }> }> } | null };

export type PlanTotalFragment = { used: number, capacity: number, resourceClass: { name: string } };

export const StepFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Step"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Elimination"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"constraint"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}},{"kind":"Field","name":{"kind":"Name","value":"eliminated"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}}]}}]} as unknown as DocumentNode<StepFragment, unknown>;
export const PlanTotalFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanTotal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FleetTotal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}}]}}]} as unknown as DocumentNode<PlanTotalFragment, unknown>;
export const CandidatesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Candidates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocationCandidates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"allocationRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claimToken"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"mappings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"suffix"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProviders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"providerSummaries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"traitNames"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CandidatesQuery, CandidatesQueryVariables>;
export const WhyNotDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WhyNot"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocationCandidates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"explanation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"satisfiableWhenEmpty"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"suffix"}},{"kind":"Field","name":{"kind":"Name","value":"considered"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}},{"kind":"Field","name":{"kind":"Name","value":"eliminations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Step"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"combination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Step"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Step"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Elimination"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"constraint"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}},{"kind":"Field","name":{"kind":"Name","value":"eliminated"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}}]}}]} as unknown as DocumentNode<WhyNotQuery, WhyNotQueryVariables>;
export const PlaceHeadroomDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlaceHeadroom"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"headroom"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"reachedUpTo"}}]}}]}}]} as unknown as DocumentNode<PlaceHeadroomQuery, PlaceHeadroomQueryVariables>;
export const ProviderNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProviderNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProviders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"nameContains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProviderNamesQuery, ProviderNamesQueryVariables>;
export const ClaimCandidateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ClaimCandidate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setAllocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<ClaimCandidateMutation, ClaimCandidateMutationVariables>;
export const PlanWorkloadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlanWorkload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClaimInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planWorkload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"failure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"member"}},{"kind":"Field","name":{"kind":"Name","value":"fitIsLargest"}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"requested"}},{"kind":"Field","name":{"kind":"Name","value":"fit"}}]}},{"kind":"Field","name":{"kind":"Name","value":"explanation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalsBefore"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanTotal"}}]}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"optimal"}},{"kind":"Field","name":{"kind":"Name","value":"totalsAfter"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanTotal"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"member"}},{"kind":"Field","name":{"kind":"Name","value":"allocationRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claimToken"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanTotal"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FleetTotal"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}}]}}]} as unknown as DocumentNode<PlanWorkloadQuery, PlanWorkloadQueryVariables>;