/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Identifies an aggregate by its uuid or its name. */
export type AggregateRef =
  {   /** The whole name, as set by nameAggregate. */
  name: string; uuid?: never; }
  |  { name?: never;   /** The uuid of the aggregate. */
  uuid: string; };

/** What is to be placed. At least one group asks for resources. An unknown trait or resource class is INVALID_INPUT. */
export type AllocationCandidatesInput = {
  /** Consumers in whose trees nothing is to be placed: a tree in which one of them has something is no anchor. What they have of sharing providers does not count. One that has nothing, or does not exist, has no effect. */
  awayFromConsumers?: Array<string>;
  /** Whether granular groups may share a provider. */
  groupPolicy?: GroupPolicy;
  /** The request groups, at most 256, each suffix once. */
  groups: Array<RequestGroupInput>;
  /** Suffixes of granular groups, each once, whose provider may serve no other group of this request, the unsuffixed one included. INVALID_INPUT together with groupPolicy: ISOLATE. */
  isolate?: Array<string>;
  /** Consumers beside which everything is to be placed: only trees in which one of them has something are anchors. What they have of sharing providers does not count. Where none of them has anything, nothing is found. */
  nearConsumers?: Array<string>;
  /** Trees to exclude entirely, sharing providers included. Any provider identifies its tree, each once; unknown uuids are ignored. */
  notInTrees?: Array<ProviderRef>;
  /** What the best candidates are; the first entry that tells two of them apart decides. A limit applies after ordering: it gives the best. Each class once. Empty: the default order, which favours no tree. */
  orderBy?: Array<CandidateOrderInput>;
  /** Aggregates that the root of the anchor tree must not be in directly. */
  rootForbiddenAggregates?: Array<AggregateRef>;
  /** Traits that the root of the anchor tree must not have. */
  rootForbiddenTraits?: Array<string>;
  /** Aggregates that the root of the anchor tree must be in directly. The outer list is AND, the inner OR: `[["A", "B"], ["C"]]` is (A or B) and C. An empty inner list is INVALID_INPUT. */
  rootMemberOf?: Array<Array<AggregateRef>>;
  /** Traits that the root of the anchor tree must have, whatever it gives. The outer list is AND, the inner OR: `[["A", "B"], ["C"]]` is (A or B) and C. An empty inner list is INVALID_INPUT. */
  rootRequiredTraits?: Array<Array<string>>;
  /** Independent conditions on where in a tree granular groups lie to each other; all must hold. */
  sameSubtree?: Array<SubtreeAffinityInput>;
  /** Makes the order of the candidates repeatable, with orderBy that of equal ones; left out, each query has an order of its own. */
  seed?: number | null | undefined;
};

/** What can stand in the way of a request, in the order in which it is checked. */
export type CandidateConstraint =
  /** A consumer that the request is to be away from has something in the tree. */
  | 'AWAY_FROM_CONSUMERS'
  /** In an aggregate that the group forbids. */
  | 'FORBIDDEN_AGGREGATES'
  /** Traits that the group forbids are there. */
  | 'FORBIDDEN_TRAITS'
  /** Not every granular group can have a provider of its own. */
  | 'GROUP_POLICY'
  /** Less free than asked for. */
  | 'INSUFFICIENT_CAPACITY'
  /** Outside of the subtree that the group asks for. */
  | 'IN_SUBTREE'
  /** In another tree than the group asks for. */
  | 'IN_TREE'
  /** Not every group to be isolated can have a provider to itself. */
  | 'ISOLATE'
  /** The amount is above max_unit. */
  | 'MAX_UNIT'
  /** Not in the aggregates that the group asks for. */
  | 'MEMBER_OF'
  /** Groups that have to share a provider ask together for more, or for another amount, than it can give. */
  | 'MERGED_AMOUNT'
  /** The amount is below min_unit. */
  | 'MIN_UNIT'
  /** None of the consumers that the request is to be near has anything in the tree. */
  | 'NEAR_CONSUMERS'
  /** In a tree of which the request lets no provider take part. */
  | 'NOT_IN_TREES'
  /** No inventory of a resource class that the group asks for. */
  | 'NO_INVENTORY'
  /** Traits that the group requires are missing. */
  | 'REQUIRED_TRAITS'
  /** The root of the tree is not in the right aggregates. */
  | 'ROOT_AGGREGATES'
  /** The root of the tree lacks a required trait, or has a forbidden one. */
  | 'ROOT_TRAITS'
  /** No choice of providers obeys the subtree conditions. */
  | 'SAME_SUBTREE'
  /** The amount is neither min_unit nor a multiple of step_size. */
  | 'STEP_SIZE'
  /** Neither a provider of the tree nor one that shares with it can serve some group of the request. */
  | 'TREE_LACKS_GROUP';

/** Orders candidates by what they leave free of a resource class: of the providers that they draw it from, what is free after the claim, all together, as a share of what these providers can hold of it, all together. */
export type CandidateOrderInput = {
  /** The name of a resource class that some group of the request asks for; any other is INVALID_INPUT. */
  resourceClass: string;
  /** What comes first. */
  strategy: CandidateStrategy;
};

/** Whether much or little of a resource class is to stay free where it is taken from. */
export type CandidateStrategy =
  /** Candidates come first that leave the smallest share free: room is kept elsewhere. */
  | 'PACK'
  /** Candidates come first that leave the largest share free: load is spread. */
  | 'SPREAD';

/** A consumer as it shall be, with all that it shall have. */
export type ConsumerAllocationsInput = {
  /** All that it shall have, each provider once, in place of all that it has; [] takes everything from it, and it ceases to exist. */
  allocations: Array<ProviderAllocationInput>;
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation of the consumer on which the change is based. Null, or nothing said: the consumer must not exist yet. Anything else stored is CONSUMER_GENERATION_CONFLICT. */
  consumerGeneration?: number | null | undefined;
  /** What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null keeps the type that it has; a new consumer then has none. */
  consumerType?: string | null | undefined;
  /** The project that it belongs to from now on: any text of 1 to 255 characters, no space at its end. */
  projectId: string;
  /** The user that it belongs to from now on: any text of 1 to 255 characters, no space at its end. */
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

/** Whether granular groups may be served by the same provider. */
export type GroupPolicy =
  /** Each granular group has a provider of its own; the unsuffixed group is exempt. For some groups only: `isolate`. */
  | 'ISOLATE'
  /** They may. */
  | 'NONE';

/** Resources to allocate from one provider, in the form of an allocation of an allocation request. */
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

/** A part of a request that belongs together. The unsuffixed group may be spread over the providers of a tree and the sharing providers linked with it, each class whole from one of them unless it can be split; a group with a suffix is granular: ONE provider meets it all. */
export type RequestGroupInput = {
  /** Classes, among the group's own, whose amount may be spread over several providers of the anchor's tree, over as few as can hold it: for each smallest set of providers one split, filled by descending free capacity, ties by uuid, every part an amount that its provider could take by itself. A sharing provider gives no parts: it gives the whole amount or nothing. Only in the unsuffixed group. */
  canSplit?: Array<string>;
  /** Aggregates that no provider serving the group may be in directly, nor, for the unsuffixed group, the root of the tree. Unknown uuids are ignored. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** Traits that no provider serving the group may have. */
  forbiddenTraits?: Array<string>;
  /** Only this provider and its descendants; sharing providers of other trees are excluded, as for inTree. An unknown uuid matches none. Together with inTree, both conditions hold. */
  inSubtree?: ProviderRef | null | undefined;
  /** Only providers of the tree of this provider. An unknown uuid matches none. */
  inTree?: ProviderRef | null | undefined;
  /** Aggregates that each provider serving the group must be in: directly for a granular group, itself or by the root of its tree for the unsuffixed one. The outer list is AND, the inner OR: `[["A", "B"], ["C"]]` is (A or B) and C. An empty inner list is INVALID_INPUT. An unknown uuid matches no provider. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Traits that the group's provider must have; for the unsuffixed group, that its contributing providers must have together. The outer list is AND, the inner OR: `[["A", "B"], ["C"]]` is (A or B) and C. An empty inner list is INVALID_INPUT. */
  requiredTraits?: Array<Array<string>>;
  /** What the group takes, each class once. A granular group may take nothing (resourceless) when a subtree condition names it: it then stands for a provider that must be there. */
  resources?: Array<ResourceAmountInput>;
  /** Names the group: "" is the unsuffixed one, any other a granular one, 1 to 64 of A-Z, a-z, 0-9, _ and -. Each only once in a request. */
  suffix?: string;
};

/** An amount of one resource class. */
export type ResourceAmountInput = {
  /** The amount in units of the class (MEMORY_MB: mebibytes), at least 1. Fails with INVALID_INPUT if it is less. */
  amount: number;
  /** The name of the resource class, standard or custom. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
};

/** The consumers to change, together or not at all. */
export type SetAllocationsInput = {
  /** The consumers, at least one, each once. */
  consumers: Array<ConsumerAllocationsInput>;
};

/** One of the providers that serve `groups` must be an ancestor of, or the same as, every other one of them; none of the providers that serve `except` may be in that provider's subtree. */
export type SubtreeAffinityInput = {
  /** Suffixes of other granular groups of this request, each once: those to keep out of the subtree. */
  except?: Array<string>;
  /** Suffixes of granular groups of this request, at least one, each once. */
  groups: Array<string>;
};

export type CandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit: number;
}>;


export type CandidatesQuery = { allocationCandidates: { complete: boolean, allocationRequests: Array<{ score: number | null, allocations: Array<{ resourceProvider: { uuid: string, name: string, root: { uuid: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string, parent: { uuid: string } | null, root: { uuid: string } }, resources: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }> } | null };

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

export type PlaceCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type PlaceCatalogQuery = { resourceClasses: Array<{ name: string }> | null, traits: Array<{ name: string }> | null, aggregates: { nodes: Array<{ name: string | null }> } | null };

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

export const StepFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Step"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Elimination"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"constraint"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}},{"kind":"Field","name":{"kind":"Name","value":"eliminated"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}}]}}]} as unknown as DocumentNode<StepFragment, unknown>;
export const CandidatesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Candidates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocationCandidates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"allocationRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"mappings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"suffix"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProviders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"providerSummaries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"traitNames"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CandidatesQuery, CandidatesQueryVariables>;
export const WhyNotDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WhyNot"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocationCandidates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"explanation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"satisfiableWhenEmpty"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"suffix"}},{"kind":"Field","name":{"kind":"Name","value":"considered"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}},{"kind":"Field","name":{"kind":"Name","value":"eliminations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Step"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"combination"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Step"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Step"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Elimination"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"constraint"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}},{"kind":"Field","name":{"kind":"Name","value":"eliminated"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}}]}}]} as unknown as DocumentNode<WhyNotQuery, WhyNotQueryVariables>;
export const PlaceHeadroomDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlaceHeadroom"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"headroom"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"reachedUpTo"}}]}}]}}]} as unknown as DocumentNode<PlaceHeadroomQuery, PlaceHeadroomQueryVariables>;
export const PlaceCatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlaceCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClasses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<PlaceCatalogQuery, PlaceCatalogQueryVariables>;
export const ProviderNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProviderNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProviders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"nameContains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProviderNamesQuery, ProviderNamesQueryVariables>;
export const ClaimCandidateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ClaimCandidate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setAllocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<ClaimCandidateMutation, ClaimCandidateMutationVariables>;