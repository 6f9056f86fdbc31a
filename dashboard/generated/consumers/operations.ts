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

export type ConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ConsumerQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { uuid: string, name: string } } | null }> } | null };

export type TreeOfConsumerQueryVariables = Exact<{
  root: string;
}>;


export type TreeOfConsumerQuery = { resourceProvider: { uuid: string, name: string, isSharing: boolean, descendants: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }>, sharingProviders: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }>, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type ConsumerProviderFragment = { uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ capacity: number, used: number, resourceClass: { name: string } }> };

export type PlanMoveQueryVariables = Exact<{
  input: ClaimInput;
}>;


export type PlanMoveQuery = { planWorkload: { failure: { code: ErrorCode, message: string, explanation: { summary: string } | null } | null, plans: Array<{ consumers: Array<{ allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } }> }> } | null };

export type SetConsumersMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type SetConsumersMutation = { setAllocations:
    | { __typename: 'CapacityExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NoInventoryError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'SetAllocationsPayload', consumers: Array<{ uuid: string }> }
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


export type ProjectsQuery = { projects: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ projectId: string, consumerCount: number }> } | null };

export type ProjectUsagesQueryVariables = Exact<{
  orderBy: Array<OwnerOrderInput> | OwnerOrderInput;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProjectUsagesQuery = { projects: { nodes: Array<{ projectId: string, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null };

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
export const PlanMoveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlanMove"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClaimInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planWorkload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"failure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocationRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claimToken"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<PlanMoveQuery, PlanMoveQueryVariables>;
export const SetConsumersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetConsumers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setAllocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<SetConsumersMutation, SetConsumersMutationVariables>;
export const ConsumersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Consumers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerFilter"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerPage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ConsumersQuery, ConsumersQueryVariables>;
export const ConsumerCatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConsumerCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumerTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceClasses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ConsumerCatalogQuery, ConsumerCatalogQueryVariables>;
export const ConsumerChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ConsumerChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"consumer"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UUID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumerChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"consumer"},"value":{"kind":"Variable","name":{"kind":"Name","value":"consumer"}}},{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"deleted"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}}]}}]} as unknown as DocumentNode<ConsumerChangesSubscription, ConsumerChangesSubscriptionVariables>;
export const ProjectsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Projects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"OwnerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerCount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ProjectsQuery, ProjectsQueryVariables>;
export const ProjectUsagesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectUsages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"OwnerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"usages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProjectUsagesQuery, ProjectUsagesQueryVariables>;
export const ProjectDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Project"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerOrderInput"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"byType"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumerCount"}},{"kind":"Field","name":{"kind":"Name","value":"usages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"projectId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectId"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsumerPage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsumerPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConsumerConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PageEnds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PageEnds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PageInfo"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]} as unknown as DocumentNode<ProjectQuery, ProjectQueryVariables>;