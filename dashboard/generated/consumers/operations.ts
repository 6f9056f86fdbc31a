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

/** A consumer to be; or one that exists, with its generation: then all that it has is replaced by what is found. */
export type ClaimConsumerInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation of a consumer that exists: what is found takes the place of all that it has, wherever that is, and the search goes as if it had let go of that, so that it may stay, grow or shrink where it is. Null, or nothing said: the consumer must not exist yet. Anything else stored is CONSUMER_GENERATION_CONFLICT. */
  consumerGeneration?: number | null | undefined;
  /** What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null keeps the type of one that exists; a new one then has none. */
  consumerType?: string | null | undefined;
  /** Keeps what an existing consumer has in use under another, new one, as for a live migration; the search then counts it as used. Null: the consumer lets go of it. */
  keepOldAs?: KeepOldAsInput | null | undefined;
  /** The project that it belongs to: any text of 1 to 255 characters, no space at its end. */
  projectId: string;
  /** The user that it belongs to: any text of 1 to 255 characters, no space at its end. */
  userId: string;
};

/** What to look for, and for whom. */
export type ClaimInput = {
  /** Who is to get it: at least one, at most 1000, each once. */
  consumers: Array<ClaimConsumerInput>;
  /** Where the consumers may lie to each other. */
  placement?: ClaimPlacement;
  /** What each of the consumers is to get. With a seed the choice can be repeated: the same state gives the same choice. Without one, claims that are made at the same time choose differently. */
  request: AllocationCandidatesInput;
};

/** Where the consumers of a claim may lie to each other. What counts is the anchor tree of each: the one that the providers which are not sharing ones belong to. */
export type ClaimPlacement =
  /** Anywhere. */
  | 'ANY'
  /** Each in a tree of its own. */
  | 'DISTINCT_TREES'
  /** All of them in one tree. */
  | 'SAME_TREE';

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

/** Selects the consumers for which all given conditions hold. */
export type ConsumerFilter = {
  /** Consumers with an allocation in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Consumers of this project. */
  projectId?: string | null | undefined;
  /** Consumers with an allocation of this class; with `inTree`, in that tree. */
  resourceClass?: string | null | undefined;
  /** Consumers of this type. */
  type?: ConsumerTypeFilter | null | undefined;
  /** Consumers of this user. */
  userId?: string | null | undefined;
  /** Consumers with one of these uuids, at most 1024. */
  uuidIn?: Array<string> | null | undefined;
};

/** The sort keys of consumers. Consumers without a value come last. */
export type ConsumerOrderField =
  /** By the order of creation. */
  | 'AGE'
  /** By the name of the type. */
  | 'CONSUMER_TYPE'
  /** By the id of the project. */
  | 'PROJECT_ID'
  /** By the time of the last change, in seconds. */
  | 'UPDATED_AT'
  /** By the usage of a resource class on all providers. */
  | 'USED'
  /** By the id of the user. */
  | 'USER_ID';

/** A sort key of a list of consumers. */
export type ConsumerOrderInput = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** The sort key. */
  field: ConsumerOrderField;
  /** The name of a resource class. Required for USED only. */
  resourceClass?: string | null | undefined;
};

/** Selects consumers of one type, or without a type. */
export type ConsumerTypeFilter =
  {   /** Consumers of the type with this name. */
  name: string; none?: never; }
  |  { name?: never;   /** True: consumers without a type. False fails with INVALID_INPUT. */
  none: boolean; };

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

/** A new consumer that takes over, in the same transaction, what another has had so far: it stays in use until this one is released. It belongs to the same project and user. */
export type KeepOldAsInput = {
  /** The uuid of the new consumer. One that exists already is CONSUMER_GENERATION_CONFLICT. */
  consumer: string;
  /** What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null: none. */
  consumerType?: string | null | undefined;
};

/** Which end of an order comes first. What has no figure to be ordered by comes last either way. */
export type OrderDirection =
  /** The least first: names from A, the oldest, the emptiest. */
  | 'ASC'
  /** The greatest first. */
  | 'DESC';

/** The sort keys of projects and users. */
export type OwnerOrderField =
  /** By age, from the first consumer on. */
  | 'AGE'
  /** By the number of consumers. */
  | 'CONSUMER_COUNT'
  /** By `projectId` or `userId`. */
  | 'ID'
  /** By the usage of a resource class by all its consumers. */
  | 'USED';

/** A sort key of a list of projects or users. */
export type OwnerOrderInput = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** The sort key. */
  field: OwnerOrderField;
  /** The name of a resource class. Required for USED only. */
  resourceClass?: string | null | undefined;
};

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

export type ConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ConsumerQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { uuid: string, name: string } } | null }> } | null };

export type TreeOfConsumerQueryVariables = Exact<{
  root: string;
}>;


export type TreeOfConsumerQuery = { resourceProvider: { uuid: string, name: string, isSharing: boolean, descendants: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }>, sharingProviders: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }>, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type ConsumerProviderFragment = { uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> };

export type MoveConsumerMutationVariables = Exact<{
  input: ClaimInput;
}>;


export type MoveConsumerMutation = { claim:
    | { __typename: 'ClaimPayload', claims: Array<{ consumer: { uuid: string }, keptAs: { uuid: string } | null, allocationRequest: { allocations: Array<{ resourceProvider: { name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } }> }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NoCandidatesError', code: ErrorCode, message: string, explanation: { summary: string } | null }
   };

export type ReleaseConsumerMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type ReleaseConsumerMutation = { setAllocations:
    | { __typename: 'CapacityExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NoInventoryError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'SetAllocationsPayload' }
    | { __typename: 'UnitViolationError', code: ErrorCode, message: string }
   };

export type ConsumersQueryVariables = Exact<{
  filter: ConsumerFilter;
  orderBy: Array<ConsumerOrderInput> | ConsumerOrderInput;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ConsumersQuery = { consumers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { root: { name: string } } | null }> }> } | null };

export type ConsumerPageFragment = { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { root: { name: string } } | null }> }> };

export type PageEndsFragment = { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean };

export type ConsumerCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsumerCatalogQuery = { consumerTypes: Array<{ name: string }> | null, resourceClasses: Array<{ name: string }> | null };

export type ConsumerChangesSubscriptionVariables = Exact<{
  consumer?: string | null | undefined;
  projectId?: string | null | undefined;
}>;


export type ConsumerChangesSubscription = { consumerChanged: { uuid: string, generation: number | null, deleted: boolean, cursor: string } };

export type ProjectsQueryVariables = Exact<{
  orderBy: Array<OwnerOrderInput> | OwnerOrderInput;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProjectsQuery = { projects: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ projectId: string, consumerCount: number, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null };

export type ProjectQueryVariables = Exact<{
  projectId: string;
  orderBy: Array<ConsumerOrderInput> | ConsumerOrderInput;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProjectQuery = { usages: { byType: Array<{ consumerCount: number, type: { name: string } | null, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null, consumers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { root: { name: string } } | null }> }> } | null };

export const ConsumerProviderFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerProvider"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceProvider"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]} as unknown as DocumentNode<ConsumerProviderFragment, unknown>;
export const PageEndsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<PageEndsFragment, unknown>;
export const ConsumerPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ConsumerPageFragment, unknown>;
export const ConsumerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Consumer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"uuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConsumerQuery, ConsumerQueryVariables>;
export const TreeOfConsumerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TreeOfConsumer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"root"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"uuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"root"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerProvider"}},{"kind":"Field","name":{"kind":"Name","value":"descendants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerProvider"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sharingProviders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerProvider"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerProvider"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceProvider"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]} as unknown as DocumentNode<TreeOfConsumerQuery, TreeOfConsumerQueryVariables>;
export const MoveConsumerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MoveConsumer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClaimInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claim"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClaimPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claims"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"keptAs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocationRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoCandidatesError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"explanation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<MoveConsumerMutation, MoveConsumerMutationVariables>;
export const ReleaseConsumerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReleaseConsumer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setAllocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<ReleaseConsumerMutation, ReleaseConsumerMutationVariables>;
export const ConsumersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Consumers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerFilter"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerPage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ConsumersQuery, ConsumersQueryVariables>;
export const ConsumerCatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConsumerCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumerTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceClasses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ConsumerCatalogQuery, ConsumerCatalogQueryVariables>;
export const ConsumerChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ConsumerChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"consumer"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumerChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"consumer"},"value":{"kind":"Variable","name":{"kind":"Name","value":"consumer"}}},{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}}]}}]} as unknown as DocumentNode<ConsumerChangesSubscription, ConsumerChangesSubscriptionVariables>;
export const ProjectsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Projects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"OwnerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerCount"}},{"kind":"Field","name":{"kind":"Name","value":"usages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ProjectsQuery, ProjectsQueryVariables>;
export const ProjectDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Project"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"byType"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumerCount"}},{"kind":"Field","name":{"kind":"Name","value":"usages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerPage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ProjectQuery, ProjectQueryVariables>;