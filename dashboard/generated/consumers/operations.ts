/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
/** The direction of an order. Entries without a value come last in both. */
export type OrderDirection =
  /** The smallest or oldest first. */
  | 'ASC'
  /** The largest or newest first. */
  | 'DESC';

/** A sort key of a list of consumers. */
export type ConsumerOrderInput =
  {   /** By the order of creation. */
  age: OrderDirection; updatedAt?: never; expiresAt?: never; projectId?: never; userId?: never; type?: never; used?: never; }
  |  { age?: never;   /** By the time of the last change, in seconds. */
  updatedAt: OrderDirection; expiresAt?: never; projectId?: never; userId?: never; type?: never; used?: never; }
  |  { age?: never; updatedAt?: never;   /** By the time at which they end by themselves. */
  expiresAt: OrderDirection; projectId?: never; userId?: never; type?: never; used?: never; }
  |  { age?: never; updatedAt?: never; expiresAt?: never;   /** By the id of the project. */
  projectId: OrderDirection; userId?: never; type?: never; used?: never; }
  |  { age?: never; updatedAt?: never; expiresAt?: never; projectId?: never;   /** By the id of the user. */
  userId: OrderDirection; type?: never; used?: never; }
  |  { age?: never; updatedAt?: never; expiresAt?: never; projectId?: never; userId?: never;   /** By the name of the type. */
  type: OrderDirection; used?: never; }
  |  { age?: never; updatedAt?: never; expiresAt?: never; projectId?: never; userId?: never; type?: never;   /** By the usage of a resource class on all providers. */
  used: ClassOrderInput; };

/** An order by an amount of a resource class. */
export type ClassOrderInput = {
  /** The name of the class. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
  /** The direction. */
  direction?: OrderDirection;
};

/** Consumers of one type, or without a type. */
export type ConsumerTypeFilter =
  {   /** Consumers of the type with this name. */
  name: string; none?: never; }
  |  { name?: never;   /** True: no type. False fails with INVALID_INPUT. */
  none: boolean; };

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

/** Conditions on consumers. All must hold. */
export type ConsumerFilter = {
  /** Consumers of this project. */
  projectId?: string | null | undefined;
  /** Consumers of this user. */
  userId?: string | null | undefined;
  /** Consumers of this type. */
  type?: ConsumerTypeFilter | null | undefined;
  /** Consumers with an allocation of this class (in the tree of `inTree`). */
  resourceClass?: string | null | undefined;
  /** Consumers with an allocation in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Consumers with one of these uuids, at most 1024. */
  uuidIn?: Array<string> | null | undefined;
  /** True: consumers with allocations in several trees, sharing providers apart. False: all others. */
  severalTrees?: boolean | null | undefined;
  /** True: consumers that end by themselves. False: all others. */
  expires?: boolean | null | undefined;
  /** Consumers that end by themselves before this time. */
  expiresBefore?: string | null | undefined;
};

/** A sort key of a list of projects or users. */
export type OwnerOrderInput =
  {   /** By `projectId` or `userId`. */
  id: OrderDirection; age?: never; consumerCount?: never; used?: never; }
  |  { id?: never;   /** By age, from the first consumer on. */
  age: OrderDirection; consumerCount?: never; used?: never; }
  |  { id?: never; age?: never;   /** By the number of consumers. */
  consumerCount: OrderDirection; used?: never; }
  |  { id?: never; age?: never; consumerCount?: never;   /** By the usage of a resource class by all its consumers. */
  used: ClassOrderInput; };

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

export type ConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ConsumerQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, workload: { name: string } | null, request: { input: unknown, isOutdated: boolean } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { uuid: string, name: string } } | null }> } | null };

export type TreeOfConsumerQueryVariables = Exact<{
  root: string;
}>;


export type TreeOfConsumerQuery = { resourceProvider: { uuid: string, name: string, isSharing: boolean, descendants: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number }> }> }>, sharingProviders: Array<{ uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number }> }> }>, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number }> }> } | null };

export type ConsumerProviderFragment = { uuid: string, name: string, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number }> }> };

export type PlanMoveQueryVariables = Exact<{
  input: ClaimInput;
}>;


export type PlanMoveQuery = { planWorkload: { failure: { code: ErrorCode, message: string, explanation: { summary: string } | null } | null, plans: Array<{ consumers: Array<{ traitsLost: Array<string>, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string, isSharing: boolean, root: { name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } }> }> } | null };

export type SetConsumersMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type SetConsumersMutation = { setAllocations:
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


export type ProjectUsagesQuery = { projects: { nodes: Array<{ projectId: string, usages: Array<{ used: number, resourceClass: { name: string } }>, quotas: Array<{ limit: number, used: number | null, resourceClass: { name: string } | null }>, quotaGroup: { name: string, quotas: Array<{ limit: number, used: number | null, resourceClass: { name: string } | null }> | null } | null }> } | null };

export type ProjectQueryVariables = Exact<{
  projectId: string;
  orderBy: Array<ConsumerOrderInput> | ConsumerOrderInput;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProjectQuery = { usages: { byType: Array<{ consumerCount: number, type: { name: string } | null, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null, consumers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean }, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, updatedAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { root: { name: string } } | null }> }> } | null };

export const ConsumerProviderFragmentDoc = gql`
    fragment ConsumerProvider on ResourceProvider {
  uuid
  name
  isSharing
  parent {
    uuid
  }
  inventories {
    resourceClass {
      name
    }
    capacity: allowedUsage
    used
    consumes {
      amount
    }
  }
}
    ` as unknown as DocumentNode<ConsumerProviderFragment, unknown>;
export const PageEndsFragmentDoc = gql`
    fragment PageEnds on PageInfo {
  startCursor
  endCursor
  hasPreviousPage
  hasNextPage
}
    ` as unknown as DocumentNode<PageEndsFragment, unknown>;
export const ConsumerPageFragmentDoc = gql`
    fragment ConsumerPage on ConsumerConnection {
  totalCount
  pageInfo {
    ...PageEnds
  }
  nodes {
    uuid
    type {
      name
    }
    projectId
    userId
    createdAt
    updatedAt
    allocations {
      amount
      resourceClass {
        name
      }
      resourceProvider {
        root {
          name
        }
      }
    }
  }
}
    ` as unknown as DocumentNode<ConsumerPageFragment, unknown>;
export const ConsumerDocument = gql`
    query Consumer($uuid: UUID!) {
  consumer(uuid: $uuid) {
    uuid
    generation
    type {
      name
    }
    projectId
    userId
    expiresAt
    createdAt
    updatedAt
    workload {
      name
    }
    request {
      input
      isOutdated
    }
    allocations {
      amount
      resourceClass {
        name
      }
      resourceProvider {
        uuid
        name
        isSharing
        root {
          uuid
          name
        }
      }
    }
  }
}
    ` as unknown as DocumentNode<ConsumerQuery, ConsumerQueryVariables>;
export const TreeOfConsumerDocument = gql`
    query TreeOfConsumer($root: UUID!) {
  resourceProvider(by: {uuid: $root}) {
    ...ConsumerProvider
    descendants {
      ...ConsumerProvider
    }
    sharingProviders {
      ...ConsumerProvider
    }
  }
}
    ${ConsumerProviderFragmentDoc}` as unknown as DocumentNode<TreeOfConsumerQuery, TreeOfConsumerQueryVariables>;
export const PlanMoveDocument = gql`
    query PlanMove($input: ClaimInput!) {
  planWorkload(input: $input) {
    failure {
      code
      message
      explanation {
        summary
      }
    }
    plans {
      consumers {
        traitsLost
        allocationRequest {
          claimToken
          allocations {
            resourceProvider {
              uuid
              name
              isSharing
              root {
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
        }
      }
    }
  }
}
    ` as unknown as DocumentNode<PlanMoveQuery, PlanMoveQueryVariables>;
export const SetConsumersDocument = gql`
    mutation SetConsumers($input: SetAllocationsInput!) {
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
    ` as unknown as DocumentNode<SetConsumersMutation, SetConsumersMutationVariables>;
export const ConsumersDocument = gql`
    query Consumers($filter: ConsumerFilter!, $orderBy: [ConsumerOrderInput!]!, $first: Int, $after: String, $last: Int, $before: String) {
  consumers(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    ...ConsumerPage
  }
}
    ${ConsumerPageFragmentDoc}
${PageEndsFragmentDoc}` as unknown as DocumentNode<ConsumersQuery, ConsumersQueryVariables>;
export const ConsumerCatalogDocument = gql`
    query ConsumerCatalog {
  consumerTypes {
    name
  }
  resourceClasses {
    name
  }
}
    ` as unknown as DocumentNode<ConsumerCatalogQuery, ConsumerCatalogQueryVariables>;
export const ConsumerChangesDocument = gql`
    subscription ConsumerChanges($consumer: UUID, $projectId: String) {
  consumerChanged(consumer: $consumer, projectId: $projectId) {
    uuid
    generation
    deleted
    cursor
  }
}
    ` as unknown as DocumentNode<ConsumerChangesSubscription, ConsumerChangesSubscriptionVariables>;
export const ProjectsDocument = gql`
    query Projects($orderBy: [OwnerOrderInput!]!, $first: Int, $after: String, $last: Int, $before: String) {
  projects(
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageEnds
    }
    nodes {
      projectId
      consumerCount
    }
  }
}
    ${PageEndsFragmentDoc}` as unknown as DocumentNode<ProjectsQuery, ProjectsQueryVariables>;
export const ProjectUsagesDocument = gql`
    query ProjectUsages($orderBy: [OwnerOrderInput!]!, $first: Int, $after: String, $last: Int, $before: String) {
  projects(
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      projectId
      usages {
        used
        resourceClass {
          name
        }
      }
      quotas {
        resourceClass {
          name
        }
        limit
        used
      }
      quotaGroup {
        name
        quotas {
          resourceClass {
            name
          }
          limit
          used
        }
      }
    }
  }
}
    ` as unknown as DocumentNode<ProjectUsagesQuery, ProjectUsagesQueryVariables>;
export const ProjectDocument = gql`
    query Project($projectId: String!, $orderBy: [ConsumerOrderInput!]!, $first: Int, $after: String, $last: Int, $before: String) {
  usages(projectId: $projectId) {
    byType {
      type {
        name
      }
      consumerCount
      usages {
        used
        resourceClass {
          name
        }
      }
    }
  }
  consumers(
    filter: {projectId: $projectId}
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    ...ConsumerPage
  }
}
    ${ConsumerPageFragmentDoc}
${PageEndsFragmentDoc}` as unknown as DocumentNode<ProjectQuery, ProjectQueryVariables>;