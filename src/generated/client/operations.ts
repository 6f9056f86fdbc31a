/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Identifies an aggregate by its uuid or its name. */
export type AggregateRef =
  {   /** The whole name, as set by nameAggregate. */
  name: string; uuid?: never; }
  |  { name?: never;   /** The uuid of the aggregate. */
  uuid: string; };

/** An edit of aggregates. Each may occur once; an edit without any field is INVALID_INPUT. */
export type AggregatesEdit = {
  /** Added to the others; present ones change nothing. Unknown uuids are created. */
  add?: Array<AggregateRef> | null | undefined;
  /** Removed from the set; absent ones change nothing. */
  remove?: Array<AggregateRef> | null | undefined;
  /** The whole new set. Excludes add and remove. Unknown uuids are created. */
  set?: Array<AggregateRef> | null | undefined;
};

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

/** A check of the audit. */
export type AuditCheck =
  /** The root of a provider is not the one to which its parents lead. */
  | 'BROKEN_TREE'
  /** The provider, consumer or resource class of an allocation does not exist. */
  | 'DANGLING_ALLOCATION'
  /** A consumer has no allocations. */
  | 'EMPTY_CONSUMER'
  /** The usage of a resource class of a provider exceeds its capacity. */
  | 'OVER_CAPACITY'
  /** An allocation violates minUnit, maxUnit or stepSize. */
  | 'UNIT_VIOLATION'
  /** A row refers to a class, trait, aggregate, project, user or type that does not exist. */
  | 'UNKNOWN_REFERENCE';

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

/** Selects consumers of one type, or without a type. */
export type ConsumerTypeFilter =
  {   /** Consumers of the type with this name. */
  name: string; none?: never; }
  |  { name?: never;   /** True: consumers without a type. False fails with INVALID_INPUT. */
  none: boolean; };

/** A resource provider to create. */
export type CreateResourceProviderInput = {
  /** The aggregates, each once. Unknown uuids are created. */
  aggregates?: Array<AggregateRef>;
  /** The inventories, each class once. */
  inventories?: Array<InventoryInput>;
  /** The name: 1 to 200 characters, case-sensitive, unique among providers. */
  name: string;
  /** The parent. Omit it to create a root. */
  parent?: ProviderRef | null | undefined;
  /** The names of the traits, each once. */
  traits?: Array<string>;
  /** Generated if omitted. */
  uuid?: string | null | undefined;
};

/** The provider to delete. */
export type DeleteResourceProviderInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
};

/** Selects one consumer, or all consumers of a type. */
export type DrainConsumersInput =
  {   /** The name of the type. */
  type: string; uuid?: never; }
  |  { type?: never;   /** The consumer. Takes precedence over a request for its type. */
  uuid: string; };

/** A request for one consumer, or for all consumers of a type. */
export type DrainRequestInput = {
  /** The consumers. */
  consumers: DrainConsumersInput;
  /** The request of each consumer. It excludes the drained tree. awayFromConsumers and nearConsumers refer to the planned places. */
  request: AllocationCandidatesInput;
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

/** How fleet totals are grouped, in addition to the resource class. */
export type FleetGrouping =
  /** One group per aggregate. A provider counts in each aggregate of its own and of its root, so groups may overlap. */
  | 'AGGREGATE'
  /** One group per trait. A provider counts in each trait of its own and of its root, so groups may overlap. */
  | 'TRAIT'
  /** One group per tree; the group is its root. */
  | 'TREE';

/** Selects the providers for which all conditions hold. The traits and aggregates of a root also count for its tree. */
export type FleetTotalsFilter = {
  /** Only providers in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Providers in at least one aggregate of each inner list. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Providers with at least one trait of each inner list. */
  requiredTraits?: Array<Array<string>>;
  /** Only this resource class. */
  resourceClass?: string | null | undefined;
};

/** Whether granular groups may be served by the same provider. */
export type GroupPolicy =
  /** Each granular group has a provider of its own; the unsuffixed group is exempt. For some groups only: `isolate`. */
  | 'ISOLATE'
  /** They may. */
  | 'NONE';

/** An edit of inventories: the whole set, or changes of some. A class occurs in one of add, patch and remove. */
export type InventoriesEdit = {
  /** Inventories to create or to replace. */
  add?: Array<InventoryInput> | null | undefined;
  /** Changes of stored inventories. A missing one is NOT_FOUND. */
  patch?: Array<InventoryPatch> | null | undefined;
  /** The classes of inventories to delete. A missing one is NOT_FOUND; one with allocations is INVENTORY_IN_USE. */
  remove?: Array<string> | null | undefined;
  /** All inventories. Others are deleted. Excludes the other fields. */
  set?: Array<InventoryInput> | null | undefined;
};

/** A whole inventory. Omitted fields get their defaults, whatever is stored. */
export type InventoryInput = {
  /** The factor on (total - reserved) that gives the capacity. More than 0. */
  allocationRatio?: number;
  /** The largest amount of one allocation, at least 1. */
  maxUnit?: number;
  /** The smallest amount of one allocation, at least 1. */
  minUnit?: number;
  /** The reserved amount, 0 to the total. */
  reserved?: number;
  /** The name of a resource class. */
  resourceClass: string;
  /** An amount is a multiple of this, or exactly minUnit. At least 1. */
  stepSize?: number;
  /** The total amount, at least 1. */
  total: number;
};

/** A change of an inventory. Omitted or null fields stay as they are. */
export type InventoryPatch = {
  /** The factor on (total - reserved) that gives the capacity. More than 0. */
  allocationRatio?: number | null | undefined;
  /** The largest amount of one allocation, at least 1. */
  maxUnit?: number | null | undefined;
  /** The smallest amount of one allocation, at least 1. */
  minUnit?: number | null | undefined;
  /** The reserved amount, 0 to the total. */
  reserved?: number | null | undefined;
  /** The name of a resource class. */
  resourceClass: string;
  /** An amount is a multiple of this, or exactly minUnit. At least 1. */
  stepSize?: number | null | undefined;
  /** The total amount, at least 1. */
  total?: number | null | undefined;
};

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

/** A new parent of a provider, or none. */
export type ParentRef =
  {   /** The whole name of the parent. */
  name: string; none?: never; uuid?: never; }
  |  { name?: never;   /** True makes the provider a root. False is INVALID_INPUT. */
  none: boolean; uuid?: never; }
  |  { name?: never; none?: never;   /** The uuid of the parent. */
  uuid: string; };

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

/** The kind of a change of a provider. */
export type ResourceProviderChangeKind =
  /** The aggregates have changed. */
  | 'AGGREGATES'
  /** Created. The same event lists its initial inventories and traits. */
  | 'CREATED'
  /** Deleted. The event lists no other kinds. */
  | 'DELETED'
  /** An inventory was created, changed or deleted. */
  | 'INVENTORY'
  /** The parent or the tree has changed. */
  | 'MOVED'
  /** The name has changed. */
  | 'RENAMED'
  /** The traits have changed. */
  | 'TRAITS'
  /** The allocations have changed. */
  | 'USAGE';

/** Selects the providers for which all given conditions hold. Conditions named ...InTree are about their trees. */
export type ResourceProviderFilter = {
  /** Providers outside these aggregates. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** Providers without these traits. */
  forbiddenTraits?: Array<string>;
  /** For each inner list, any provider of the tree has one of the traits. */
  hasTraitInTree?: Array<Array<string>>;
  /** Providers in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Providers in at least one aggregate of each inner list, at most 100 lists. */
  memberOf?: Array<Array<AggregateRef>>;
  /** For each inner list, any provider of the tree is in one of the aggregates. */
  memberOfInTree?: Array<Array<AggregateRef>>;
  /** The provider with this name. */
  name?: string | null | undefined;
  /** Providers whose names contain this text. */
  nameContains?: string | null | undefined;
  /** Providers whose names start with this text. */
  nameStartsWith?: string | null | undefined;
  /** Providers with at least one trait of each inner list, at most 100 lists. */
  requiredTraits?: Array<Array<string>>;
  /** Providers that can serve all these amounts now. Each class once. */
  resources?: Array<ResourceAmountInput>;
  /** For each amount, any provider of the tree can serve it now. Each class once. */
  resourcesInTree?: Array<ResourceAmountInput>;
  /** True: only roots. */
  rootsOnly?: boolean;
  /** The provider with this uuid. */
  uuid?: string | null | undefined;
  /** Providers with one of these uuids, at most 1024. */
  uuidIn?: Array<string> | null | undefined;
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

/** Selects the traits for which all given conditions hold. */
export type TraitFilter = {
  /** True: traits of any provider. False: traits of no provider. */
  associated?: boolean | null | undefined;
  /** Traits with one of these names. */
  nameIn?: Array<string> | null | undefined;
  /** Traits whose names start with this text. */
  startsWith?: string | null | undefined;
};

/** An edit of traits. Each may occur once; an edit without any field is INVALID_INPUT. */
export type TraitsEdit = {
  /** Added to the others; present ones change nothing. Their names. */
  add?: Array<string> | null | undefined;
  /** Removed from the set; absent ones change nothing. */
  remove?: Array<string> | null | undefined;
  /** The whole new set. Excludes add and remove. Their names. */
  set?: Array<string> | null | undefined;
};

/** What to take from a consumer: what it has of these providers, of these classes, or, where both are named, of these classes of these providers. At least one of either must be named. */
export type UnsetAllocationsInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation of the consumer on which the change is based; any other one stored is CONSUMER_GENERATION_CONFLICT. Not checked when nothing is said. */
  consumerGeneration?: number | null | undefined;
  /** The names of resource classes, each once. Defaults to all classes if resourceProviders is not empty. */
  resourceClasses?: Array<string>;
  /** The providers, each once. Defaults to all providers if resourceClasses is not empty. */
  resourceProviders?: Array<ProviderRef>;
};

/** The edits of a provider, at least one. Omitted or null parts stay as they are. */
export type UpdateResourceProviderInput = {
  /** The edit of its aggregates. */
  aggregates?: AggregatesEdit | null | undefined;
  /** The generation that the change is based on. If it is stale: PROVIDER_GENERATION_CONFLICT. Omit it to edit the current state. */
  generation?: number | null | undefined;
  /** The edit of its inventories. */
  inventories?: InventoriesEdit | null | undefined;
  /** The new name: 1 to 200 characters, case-sensitive, unique among providers. */
  name?: string | null | undefined;
  /** The new parent, in any tree. All descendants move with the provider. */
  parent?: ParentRef | null | undefined;
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The edit of its traits. */
  traits?: TraitsEdit | null | undefined;
};

export type AggregateFieldsFragment = { uuid: string, name: string | null };

export type ProviderAggregatesFragment = { aggregates: Array<{ uuid: string, name: string | null }> };

export type ListAggregatesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ListAggregatesQuery = { aggregates: { nodes: Array<{ uuid: string, name: string | null, resourceProviders: { totalCount: number | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowAggregateQueryVariables = Exact<{
  by: AggregateRef;
  first: number;
  after?: string | null | undefined;
}>;


export type ShowAggregateQuery = { aggregate: { uuid: string, resourceProviders: { nodes: Array<{ uuid: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ListProviderAggregatesQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ListProviderAggregatesQuery = { resourceProvider: { aggregates: Array<{ uuid: string, name: string | null }> } | null };

export type NameAggregateMutationVariables = Exact<{
  aggregate: AggregateRef;
  name?: string | null | undefined;
}>;


export type NameAggregateMutation = { nameAggregate:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { aggregate: { uuid: string, name: string | null } }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type AllocationRequestFieldsFragment = { allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> };

export type ExplanationFieldsFragment = { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> }>, combination: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> };

export type EliminationFieldsFragment = { constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string };

export type ListCandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit?: number | null | undefined;
}>;


export type ListCandidatesQuery = { allocationCandidates: { complete: boolean, seed: number, allocationRequests: Array<{ allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string }, resources: Array<{ used: number, capacity: number, resourceClass: { name: string } }> }> } | null };

export type ExplainQueryVariables = Exact<{
  request: AllocationCandidatesInput;
}>;


export type ExplainQuery = { allocationCandidates: { explanation: { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> }>, combination: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> } | null } | null };

export type CountHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
}>;


export type CountHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean, trees: number } | null };

export type ClaimMutationVariables = Exact<{
  input: ClaimInput;
}>;


export type ClaimMutation = { claim:
    | { claims: Array<{ consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }, keptAs: { uuid: string } | null, allocationRequest: { mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } }> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, explanation: { summary: string } | null }
   };

export type PlanDrainQueryVariables = Exact<{
  resourceProvider: ProviderRef;
  requests: Array<DrainRequestInput> | DrainRequestInput;
}>;


export type PlanDrainQuery = { planDrain: { complete: boolean, root: { uuid: string, name: string }, moves: Array<{ requestIndex: number | null, consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }, derivedResources: Array<{ amount: number, resourceClass: { name: string } }> | null, allocationRequest: { allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } | null, explanation: { summary: string } | null }>, totalsBefore: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, totalsAfter: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }> } | null };

export type PageFragment = { hasNextPage: boolean, endCursor: string | null };

type Rejection_CapacityExceededError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ConcurrentUpdateError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ConsumerGenerationConflictError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_DuplicateNameError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_DuplicateUuidError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_IllegalReparentError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_InvalidInputError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_InventoryInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_NoCandidatesError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_NoInventoryError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_NotFoundError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderGenerationConflictError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderHasChildrenError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ReshapeNeededError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ReshapeRefusedError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ResourceClassInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_StandardIsImmutableError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_TraitInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_UnitViolationError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

export type RejectionFragment =
  | Rejection_CapacityExceededError_Fragment
  | Rejection_ConcurrentUpdateError_Fragment
  | Rejection_ConsumerGenerationConflictError_Fragment
  | Rejection_DuplicateNameError_Fragment
  | Rejection_DuplicateUuidError_Fragment
  | Rejection_IllegalReparentError_Fragment
  | Rejection_InvalidInputError_Fragment
  | Rejection_InventoryInUseError_Fragment
  | Rejection_NoCandidatesError_Fragment
  | Rejection_NoInventoryError_Fragment
  | Rejection_NotFoundError_Fragment
  | Rejection_ProviderGenerationConflictError_Fragment
  | Rejection_ProviderHasChildrenError_Fragment
  | Rejection_ProviderInUseError_Fragment
  | Rejection_ReshapeNeededError_Fragment
  | Rejection_ReshapeRefusedError_Fragment
  | Rejection_ResourceClassInUseError_Fragment
  | Rejection_StandardIsImmutableError_Fragment
  | Rejection_TraitInUseError_Fragment
  | Rejection_UnitViolationError_Fragment
;

export type ProviderTraitsFragment = { traits: Array<{ name: string, isStandard: boolean }> };

export type ListTraitsQueryVariables = Exact<{
  filter?: TraitFilter | null | undefined;
}>;


export type ListTraitsQuery = { traits: Array<{ name: string, isStandard: boolean }> | null };

export type ShowTraitQueryVariables = Exact<{
  name: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ShowTraitQuery = { trait: { name: string, isStandard: boolean, resourceProviders: { nodes: Array<{ uuid: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ListProviderTraitsQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ListProviderTraitsQuery = { resourceProvider: { traits: Array<{ name: string, isStandard: boolean }> } | null };

export type CreateTraitMutationVariables = Exact<{
  name: string;
}>;


export type CreateTraitMutation = { createTrait:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { created: boolean, trait: { name: string } }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type DeleteTraitMutationVariables = Exact<{
  name: string;
}>;


export type DeleteTraitMutation = { deleteTrait:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { name: string }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type ListClassesQueryVariables = Exact<{ [key: string]: never; }>;


export type ListClassesQuery = { resourceClasses: Array<{ name: string, isStandard: boolean }> | null };

export type ShowClassQueryVariables = Exact<{
  name: string;
}>;


export type ShowClassQuery = { resourceClass: { name: string, isStandard: boolean } | null };

export type CreateClassMutationVariables = Exact<{
  name: string;
}>;


export type CreateClassMutation = { createResourceClass:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { created: boolean, resourceClass: { name: string } }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type DeleteClassMutationVariables = Exact<{
  name: string;
}>;


export type DeleteClassMutation = { deleteResourceClass:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { name: string }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type ConsumerFieldsFragment = { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> };

export type ListConsumersQueryVariables = Exact<{
  filter?: ConsumerFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ListConsumersQuery = { consumers: { nodes: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowConsumerToMoveQueryVariables = Exact<{
  uuid: string;
}>;


export type ShowConsumerToMoveQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, allocations: Array<{ amount: number, resourceProvider: { isSharing: boolean, uuid: string, name: string, root: { uuid: string, name: string } } | null, resourceClass: { name: string } }>, type: { name: string } | null } | null };

export type ShowConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ShowConsumerQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } | null };

export type SetAllocationsMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type SetAllocationsMutation = { setAllocations:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumers: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type ReleaseMutationVariables = Exact<{
  consumer: string;
}>;


export type ReleaseMutation = { deleteConsumer:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { uuid: string }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type UnsetAllocationsMutationVariables = Exact<{
  input: UnsetAllocationsInput;
}>;


export type UnsetAllocationsMutation = { unsetAllocations:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } | null }
   };

export type UsageFieldsFragment = { used: number, resourceClass: { name: string } };

export type ShowProviderUsageQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowProviderUsageQuery = { resourceProvider: { usages: Array<{ used: number, resourceClass: { name: string } }> } | null };

export type ShowProjectUsageQueryVariables = Exact<{
  projectId: string;
  userId?: string | null | undefined;
}>;


export type ShowProjectUsageQuery = { usages: { consumerCount: number, usages: Array<{ used: number, resourceClass: { name: string } }>, byType: Array<{ consumerCount: number, type: { name: string } | null, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null };

export type TotalFieldsFragment = { used: number, capacity: number, available: number, utilization: number | null, group:
    | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
    | { __typename: 'ResourceProvider', name: string }
    | { __typename: 'Trait', name: string }
   | null, resourceClass: { name: string } };

export type ShowTotalsQueryVariables = Exact<{
  filter?: FleetTotalsFilter | null | undefined;
  groupBy?: FleetGrouping | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ShowTotalsQuery = { fleetTotals: { nodes: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TopTreesQueryVariables = Exact<{
  resourceClass: string;
  direction: OrderDirection;
  first: number;
  after?: string | null | undefined;
}>;


export type TopTreesQuery = { resourceProviders: { nodes: Array<{ uuid: string, name: string, treeTotals: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
          | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
          | { __typename: 'ResourceProvider', name: string }
          | { __typename: 'Trait', name: string }
         | null, resourceClass: { name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AuditQueryVariables = Exact<{
  checks?: Array<AuditCheck> | AuditCheck | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { nodes: Array<{ check: AuditCheck, message: string, resourceProviderUuid: string | null, consumerUuid: string | null, resourceClassName: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type WatchSubscriptionVariables = Exact<{
  inTree?: ProviderRef | null | undefined;
  kinds?: Array<ResourceProviderChangeKind> | ResourceProviderChangeKind | null | undefined;
  since?: string | null | undefined;
}>;


export type WatchSubscription = { resourceProviderChanged: { cursor: string, kinds: Array<ResourceProviderChangeKind>, uuid: string, generation: number | null, deleted: boolean, resourceProvider: { name: string, usages: Array<{ used: number, resourceClass: { name: string } }> } | null } };

export type WatchConsumersSubscriptionVariables = Exact<{
  projectId?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type WatchConsumersSubscription = { consumerChanged: { cursor: string, uuid: string, generation: number | null, deleted: boolean, projectId: string | null } };

export type WatchTotalsSubscriptionVariables = Exact<{
  filter?: FleetTotalsFilter | null | undefined;
  everySeconds: number;
}>;


export type WatchTotalsSubscription = { fleetTotalsChanged: { totals: Array<{ capacity: number, used: number, available: number, resourceClass: { name: string } }>, removed: Array<{ resourceClass: { name: string } }> } };

export type ProviderInventoriesFragment = { inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> };

export type ShowInventoriesQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowInventoriesQuery = { resourceProvider: { uuid: string, generation: number, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type ShowInventoryQueryVariables = Exact<{
  by: ProviderRef;
  resourceClass: string;
}>;


export type ShowInventoryQuery = { resourceProvider: { inventory: { available: number, utilization: number | null, total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } } | null } | null };

export type NamedFragment = { uuid: string, name: string };

export type ProviderFieldsFragment = { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null };

export type InventoryFieldsFragment = { total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } };

export type FindProviderQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type FindProviderQuery = { resourceProvider: { uuid: string, generation: number } | null };

export type ListProvidersQueryVariables = Exact<{
  filter?: ResourceProviderFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ListProvidersQuery = { resourceProviders: { nodes: Array<{ generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowProviderQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowProviderQuery = { resourceProvider: { createdAt: string | null, updatedAt: string | null, isSharing: boolean, generation: number, uuid: string, name: string, children: Array<{ uuid: string, name: string }>, sharingProviders: Array<{ uuid: string, name: string }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string }>, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type ListProviderAllocationsQueryVariables = Exact<{
  by: ProviderRef;
  first: number;
  after?: string | null | undefined;
}>;


export type ListProviderAllocationsQuery = { resourceProvider: { allocations: { nodes: Array<{ amount: number, consumer: { uuid: string, projectId: string | null, userId: string | null, type: { name: string } | null }, resourceClass: { name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TreeNodeFragment = { generation: number, uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string }>, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string } }> };

export type ShowTreeQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowTreeQuery = { resourceProvider: { root: { generation: number, uuid: string, name: string, descendants: Array<{ generation: number, uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string }>, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string } }> }>, parent: { uuid: string } | null, traits: Array<{ name: string }>, inventories: Array<{ used: number, capacity: number, resourceClass: { name: string } }> } } | null };

export type CreateProviderMutationVariables = Exact<{
  input: CreateResourceProviderInput;
}>;


export type CreateProviderMutation = { createResourceProvider:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProvider: { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null } }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export type UpdateProviderMutationVariables = Exact<{
  input: UpdateResourceProviderInput;
}>;


export type UpdateProviderMutation = { updateResourceProvider:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProvider: { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null, aggregates: Array<{ uuid: string, name: string | null }>, traits: Array<{ name: string, isStandard: boolean }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } }
   };

export type DeleteProviderMutationVariables = Exact<{
  input: DeleteResourceProviderInput;
}>;


export type DeleteProviderMutation = { deleteResourceProvider:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { uuid: string }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
   };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AggregateFieldsFragmentDoc = new TypedDocumentString(`
    fragment AggregateFields on Aggregate {
  uuid
  name
}
    `, {"fragmentName":"AggregateFields"}) as unknown as TypedDocumentString<AggregateFieldsFragment, unknown>;
export const ProviderAggregatesFragmentDoc = new TypedDocumentString(`
    fragment ProviderAggregates on ResourceProvider {
  aggregates {
    ...AggregateFields
  }
}
    fragment AggregateFields on Aggregate {
  uuid
  name
}`, {"fragmentName":"ProviderAggregates"}) as unknown as TypedDocumentString<ProviderAggregatesFragment, unknown>;
export const NamedFragmentDoc = new TypedDocumentString(`
    fragment Named on ResourceProvider {
  uuid
  name
}
    `, {"fragmentName":"Named"}) as unknown as TypedDocumentString<NamedFragment, unknown>;
export const AllocationRequestFieldsFragmentDoc = new TypedDocumentString(`
    fragment AllocationRequestFields on AllocationRequest {
  allocations {
    resourceProvider {
      ...Named
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
      ...Named
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`, {"fragmentName":"AllocationRequestFields"}) as unknown as TypedDocumentString<AllocationRequestFieldsFragment, unknown>;
export const EliminationFieldsFragmentDoc = new TypedDocumentString(`
    fragment EliminationFields on Elimination {
  constraint
  eliminated
  remaining
  detail
}
    `, {"fragmentName":"EliminationFields"}) as unknown as TypedDocumentString<EliminationFieldsFragment, unknown>;
export const ExplanationFieldsFragmentDoc = new TypedDocumentString(`
    fragment ExplanationFields on CandidateExplanation {
  summary
  satisfiableWhenEmpty
  groups {
    suffix
    considered
    remaining
    eliminations {
      ...EliminationFields
    }
  }
  combination {
    ...EliminationFields
  }
}
    fragment EliminationFields on Elimination {
  constraint
  eliminated
  remaining
  detail
}`, {"fragmentName":"ExplanationFields"}) as unknown as TypedDocumentString<ExplanationFieldsFragment, unknown>;
export const PageFragmentDoc = new TypedDocumentString(`
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"Page"}) as unknown as TypedDocumentString<PageFragment, unknown>;
export const RejectionFragmentDoc = new TypedDocumentString(`
    fragment Rejection on UserError {
  code
  message
  path
}
    `, {"fragmentName":"Rejection"}) as unknown as TypedDocumentString<RejectionFragment, unknown>;
export const ProviderTraitsFragmentDoc = new TypedDocumentString(`
    fragment ProviderTraits on ResourceProvider {
  traits {
    name
    isStandard
  }
}
    `, {"fragmentName":"ProviderTraits"}) as unknown as TypedDocumentString<ProviderTraitsFragment, unknown>;
export const ConsumerFieldsFragmentDoc = new TypedDocumentString(`
    fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`, {"fragmentName":"ConsumerFields"}) as unknown as TypedDocumentString<ConsumerFieldsFragment, unknown>;
export const UsageFieldsFragmentDoc = new TypedDocumentString(`
    fragment UsageFields on Usage {
  resourceClass {
    name
  }
  used
}
    `, {"fragmentName":"UsageFields"}) as unknown as TypedDocumentString<UsageFieldsFragment, unknown>;
export const TotalFieldsFragmentDoc = new TypedDocumentString(`
    fragment TotalFields on FleetTotal {
  group {
    __typename
    ... on ResourceProvider {
      name
    }
    ... on Aggregate {
      uuid
      aggregateName: name
    }
    ... on Trait {
      name
    }
  }
  resourceClass {
    name
  }
  used
  capacity
  available
  utilization
}
    `, {"fragmentName":"TotalFields"}) as unknown as TypedDocumentString<TotalFieldsFragment, unknown>;
export const InventoryFieldsFragmentDoc = new TypedDocumentString(`
    fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}
    `, {"fragmentName":"InventoryFields"}) as unknown as TypedDocumentString<InventoryFieldsFragment, unknown>;
export const ProviderInventoriesFragmentDoc = new TypedDocumentString(`
    fragment ProviderInventories on ResourceProvider {
  inventories {
    ...InventoryFields
  }
}
    fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}`, {"fragmentName":"ProviderInventories"}) as unknown as TypedDocumentString<ProviderInventoriesFragment, unknown>;
export const ProviderFieldsFragmentDoc = new TypedDocumentString(`
    fragment ProviderFields on ResourceProvider {
  ...Named
  generation
  root {
    ...Named
  }
  parent {
    ...Named
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`, {"fragmentName":"ProviderFields"}) as unknown as TypedDocumentString<ProviderFieldsFragment, unknown>;
export const TreeNodeFragmentDoc = new TypedDocumentString(`
    fragment TreeNode on ResourceProvider {
  ...Named
  generation
  parent {
    uuid
  }
  traits {
    name
  }
  inventories {
    resourceClass {
      name
    }
    used
    capacity
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`, {"fragmentName":"TreeNode"}) as unknown as TypedDocumentString<TreeNodeFragment, unknown>;
export const ListAggregatesDocument = new TypedDocumentString(`
    query ListAggregates($first: Int!, $after: String) {
  aggregates(first: $first, after: $after) {
    nodes {
      ...AggregateFields
      resourceProviders(first: 0) {
        totalCount
      }
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment AggregateFields on Aggregate {
  uuid
  name
}
fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ListAggregatesQuery, ListAggregatesQueryVariables>;
export const ShowAggregateDocument = new TypedDocumentString(`
    query ShowAggregate($by: AggregateRef!, $first: Int!, $after: String) {
  aggregate(by: $by) {
    uuid
    resourceProviders(first: $first, after: $after) {
      nodes {
        ...Named
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowAggregateQuery, ShowAggregateQueryVariables>;
export const ListProviderAggregatesDocument = new TypedDocumentString(`
    query ListProviderAggregates($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...ProviderAggregates
  }
}
    fragment AggregateFields on Aggregate {
  uuid
  name
}
fragment ProviderAggregates on ResourceProvider {
  aggregates {
    ...AggregateFields
  }
}`) as unknown as TypedDocumentString<ListProviderAggregatesQuery, ListProviderAggregatesQueryVariables>;
export const NameAggregateDocument = new TypedDocumentString(`
    mutation NameAggregate($aggregate: AggregateRef!, $name: String) {
  nameAggregate(input: {aggregate: $aggregate, name: $name}) {
    ...Rejection
    ... on NameAggregatePayload {
      aggregate {
        ...AggregateFields
      }
    }
  }
}
    fragment AggregateFields on Aggregate {
  uuid
  name
}
fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<NameAggregateMutation, NameAggregateMutationVariables>;
export const ListCandidatesDocument = new TypedDocumentString(`
    query ListCandidates($request: AllocationCandidatesInput!, $limit: Int) {
  allocationCandidates(request: $request, limit: $limit) {
    complete
    seed
    allocationRequests {
      ...AllocationRequestFields
    }
    providerSummaries {
      resourceProvider {
        ...Named
      }
      traitNames
      resources {
        resourceClass {
          name
        }
        used
        capacity
      }
    }
  }
}
    fragment AllocationRequestFields on AllocationRequest {
  allocations {
    resourceProvider {
      ...Named
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
      ...Named
    }
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ListCandidatesQuery, ListCandidatesQueryVariables>;
export const ExplainDocument = new TypedDocumentString(`
    query Explain($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request, limit: 1) {
    explanation {
      ...ExplanationFields
    }
  }
}
    fragment ExplanationFields on CandidateExplanation {
  summary
  satisfiableWhenEmpty
  groups {
    suffix
    considered
    remaining
    eliminations {
      ...EliminationFields
    }
  }
  combination {
    ...EliminationFields
  }
}
fragment EliminationFields on Elimination {
  constraint
  eliminated
  remaining
  detail
}`) as unknown as TypedDocumentString<ExplainQuery, ExplainQueryVariables>;
export const CountHeadroomDocument = new TypedDocumentString(`
    query CountHeadroom($request: AllocationCandidatesInput!, $upTo: Int!) {
  headroom(request: $request, upTo: $upTo) {
    count
    exact
    reachedUpTo
    trees
  }
}
    `) as unknown as TypedDocumentString<CountHeadroomQuery, CountHeadroomQueryVariables>;
export const ClaimDocument = new TypedDocumentString(`
    mutation Claim($input: ClaimInput!) {
  claim(input: $input) {
    ...Rejection
    ... on NoCandidatesError {
      explanation {
        summary
      }
    }
    ... on ClaimPayload {
      claims {
        consumer {
          ...ConsumerFields
        }
        keptAs {
          uuid
        }
        allocationRequest {
          mappings {
            suffix
            resourceProviders {
              ...Named
            }
          }
        }
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ClaimMutation, ClaimMutationVariables>;
export const PlanDrainDocument = new TypedDocumentString(`
    query PlanDrain($resourceProvider: ProviderRef!, $requests: [DrainRequestInput!]!) {
  planDrain(resourceProvider: $resourceProvider, requests: $requests) {
    complete
    root {
      ...Named
    }
    moves {
      consumer {
        ...ConsumerFields
      }
      requestIndex
      derivedResources {
        resourceClass {
          name
        }
        amount
      }
      allocationRequest {
        ...AllocationRequestFields
      }
      explanation {
        summary
      }
    }
    totalsBefore {
      ...TotalFields
    }
    totalsAfter {
      ...TotalFields
    }
  }
}
    fragment AllocationRequestFields on AllocationRequest {
  allocations {
    resourceProvider {
      ...Named
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
      ...Named
    }
  }
}
fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment TotalFields on FleetTotal {
  group {
    __typename
    ... on ResourceProvider {
      name
    }
    ... on Aggregate {
      uuid
      aggregateName: name
    }
    ... on Trait {
      name
    }
  }
  resourceClass {
    name
  }
  used
  capacity
  available
  utilization
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<PlanDrainQuery, PlanDrainQueryVariables>;
export const ListTraitsDocument = new TypedDocumentString(`
    query ListTraits($filter: TraitFilter) {
  traits(filter: $filter) {
    name
    isStandard
  }
}
    `) as unknown as TypedDocumentString<ListTraitsQuery, ListTraitsQueryVariables>;
export const ShowTraitDocument = new TypedDocumentString(`
    query ShowTrait($name: String!, $first: Int!, $after: String) {
  trait(name: $name) {
    name
    isStandard
    resourceProviders(first: $first, after: $after) {
      nodes {
        ...Named
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowTraitQuery, ShowTraitQueryVariables>;
export const ListProviderTraitsDocument = new TypedDocumentString(`
    query ListProviderTraits($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...ProviderTraits
  }
}
    fragment ProviderTraits on ResourceProvider {
  traits {
    name
    isStandard
  }
}`) as unknown as TypedDocumentString<ListProviderTraitsQuery, ListProviderTraitsQueryVariables>;
export const CreateTraitDocument = new TypedDocumentString(`
    mutation CreateTrait($name: String!) {
  createTrait(input: {name: $name}) {
    ...Rejection
    ... on CreateTraitPayload {
      created
      trait {
        name
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<CreateTraitMutation, CreateTraitMutationVariables>;
export const DeleteTraitDocument = new TypedDocumentString(`
    mutation DeleteTrait($name: String!) {
  deleteTrait(input: {name: $name}) {
    ...Rejection
    ... on DeleteTraitPayload {
      name
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<DeleteTraitMutation, DeleteTraitMutationVariables>;
export const ListClassesDocument = new TypedDocumentString(`
    query ListClasses {
  resourceClasses {
    name
    isStandard
  }
}
    `) as unknown as TypedDocumentString<ListClassesQuery, ListClassesQueryVariables>;
export const ShowClassDocument = new TypedDocumentString(`
    query ShowClass($name: String!) {
  resourceClass(name: $name) {
    name
    isStandard
  }
}
    `) as unknown as TypedDocumentString<ShowClassQuery, ShowClassQueryVariables>;
export const CreateClassDocument = new TypedDocumentString(`
    mutation CreateClass($name: String!) {
  createResourceClass(input: {name: $name}) {
    ...Rejection
    ... on CreateResourceClassPayload {
      created
      resourceClass {
        name
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<CreateClassMutation, CreateClassMutationVariables>;
export const DeleteClassDocument = new TypedDocumentString(`
    mutation DeleteClass($name: String!) {
  deleteResourceClass(input: {name: $name}) {
    ...Rejection
    ... on DeleteResourceClassPayload {
      name
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<DeleteClassMutation, DeleteClassMutationVariables>;
export const ListConsumersDocument = new TypedDocumentString(`
    query ListConsumers($filter: ConsumerFilter, $first: Int!, $after: String) {
  consumers(filter: $filter, first: $first, after: $after) {
    nodes {
      ...ConsumerFields
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ListConsumersQuery, ListConsumersQueryVariables>;
export const ShowConsumerToMoveDocument = new TypedDocumentString(`
    query ShowConsumerToMove($uuid: UUID!) {
  consumer(uuid: $uuid) {
    ...ConsumerFields
    allocations {
      resourceProvider {
        isSharing
        root {
          ...Named
        }
      }
    }
  }
}
    fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowConsumerToMoveQuery, ShowConsumerToMoveQueryVariables>;
export const ShowConsumerDocument = new TypedDocumentString(`
    query ShowConsumer($uuid: UUID!) {
  consumer(uuid: $uuid) {
    ...ConsumerFields
  }
}
    fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowConsumerQuery, ShowConsumerQueryVariables>;
export const SetAllocationsDocument = new TypedDocumentString(`
    mutation SetAllocations($input: SetAllocationsInput!) {
  setAllocations(input: $input) {
    ...Rejection
    ... on SetAllocationsPayload {
      consumers {
        ...ConsumerFields
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<SetAllocationsMutation, SetAllocationsMutationVariables>;
export const ReleaseDocument = new TypedDocumentString(`
    mutation Release($consumer: UUID!) {
  deleteConsumer(input: {consumer: $consumer}) {
    ...Rejection
    ... on DeleteConsumerPayload {
      uuid
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<ReleaseMutation, ReleaseMutationVariables>;
export const UnsetAllocationsDocument = new TypedDocumentString(`
    mutation UnsetAllocations($input: UnsetAllocationsInput!) {
  unsetAllocations(input: $input) {
    ...Rejection
    ... on UnsetAllocationsPayload {
      consumer {
        ...ConsumerFields
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  type {
    name
  }
  allocations {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<UnsetAllocationsMutation, UnsetAllocationsMutationVariables>;
export const ShowProviderUsageDocument = new TypedDocumentString(`
    query ShowProviderUsage($by: ProviderRef!) {
  resourceProvider(by: $by) {
    usages {
      ...UsageFields
    }
  }
}
    fragment UsageFields on Usage {
  resourceClass {
    name
  }
  used
}`) as unknown as TypedDocumentString<ShowProviderUsageQuery, ShowProviderUsageQueryVariables>;
export const ShowProjectUsageDocument = new TypedDocumentString(`
    query ShowProjectUsage($projectId: String!, $userId: String) {
  usages(projectId: $projectId, userId: $userId) {
    consumerCount
    usages {
      ...UsageFields
    }
    byType {
      type {
        name
      }
      consumerCount
      usages {
        ...UsageFields
      }
    }
  }
}
    fragment UsageFields on Usage {
  resourceClass {
    name
  }
  used
}`) as unknown as TypedDocumentString<ShowProjectUsageQuery, ShowProjectUsageQueryVariables>;
export const ShowTotalsDocument = new TypedDocumentString(`
    query ShowTotals($filter: FleetTotalsFilter, $groupBy: FleetGrouping, $first: Int!, $after: String) {
  fleetTotals(filter: $filter, groupBy: $groupBy, first: $first, after: $after) {
    nodes {
      ...TotalFields
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment TotalFields on FleetTotal {
  group {
    __typename
    ... on ResourceProvider {
      name
    }
    ... on Aggregate {
      uuid
      aggregateName: name
    }
    ... on Trait {
      name
    }
  }
  resourceClass {
    name
  }
  used
  capacity
  available
  utilization
}`) as unknown as TypedDocumentString<ShowTotalsQuery, ShowTotalsQueryVariables>;
export const TopTreesDocument = new TypedDocumentString(`
    query TopTrees($resourceClass: String!, $direction: OrderDirection!, $first: Int!, $after: String) {
  resourceProviders(
    filter: {rootsOnly: true}
    orderBy: {field: TREE_UTILIZATION, resourceClass: $resourceClass, direction: $direction}
    first: $first
    after: $after
  ) {
    nodes {
      uuid
      name
      treeTotals(resourceClass: $resourceClass) {
        ...TotalFields
      }
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment TotalFields on FleetTotal {
  group {
    __typename
    ... on ResourceProvider {
      name
    }
    ... on Aggregate {
      uuid
      aggregateName: name
    }
    ... on Trait {
      name
    }
  }
  resourceClass {
    name
  }
  used
  capacity
  available
  utilization
}`) as unknown as TypedDocumentString<TopTreesQuery, TopTreesQueryVariables>;
export const AuditDocument = new TypedDocumentString(`
    query Audit($checks: [AuditCheck!], $first: Int!, $after: String) {
  audit(checks: $checks, first: $first, after: $after) {
    nodes {
      check
      message
      resourceProviderUuid
      consumerUuid
      resourceClassName
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<AuditQuery, AuditQueryVariables>;
export const WatchDocument = new TypedDocumentString(`
    subscription Watch($inTree: ProviderRef, $kinds: [ResourceProviderChangeKind!], $since: String) {
  resourceProviderChanged(inTree: $inTree, kinds: $kinds, since: $since) {
    cursor
    kinds
    uuid
    generation
    deleted
    resourceProvider {
      name
      usages {
        ...UsageFields
      }
    }
  }
}
    fragment UsageFields on Usage {
  resourceClass {
    name
  }
  used
}`) as unknown as TypedDocumentString<WatchSubscription, WatchSubscriptionVariables>;
export const WatchConsumersDocument = new TypedDocumentString(`
    subscription WatchConsumers($projectId: String, $since: String) {
  consumerChanged(projectId: $projectId, since: $since) {
    cursor
    uuid
    generation
    deleted
    projectId
  }
}
    `) as unknown as TypedDocumentString<WatchConsumersSubscription, WatchConsumersSubscriptionVariables>;
export const WatchTotalsDocument = new TypedDocumentString(`
    subscription WatchTotals($filter: FleetTotalsFilter, $everySeconds: Int!) {
  fleetTotalsChanged(filter: $filter, everySeconds: $everySeconds) {
    totals {
      resourceClass {
        name
      }
      capacity
      used
      available
    }
    removed {
      resourceClass {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchTotalsSubscription, WatchTotalsSubscriptionVariables>;
export const ShowInventoriesDocument = new TypedDocumentString(`
    query ShowInventories($by: ProviderRef!) {
  resourceProvider(by: $by) {
    uuid
    generation
    ...ProviderInventories
  }
}
    fragment ProviderInventories on ResourceProvider {
  inventories {
    ...InventoryFields
  }
}
fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}`) as unknown as TypedDocumentString<ShowInventoriesQuery, ShowInventoriesQueryVariables>;
export const ShowInventoryDocument = new TypedDocumentString(`
    query ShowInventory($by: ProviderRef!, $resourceClass: String!) {
  resourceProvider(by: $by) {
    inventory(resourceClass: $resourceClass) {
      ...InventoryFields
      available
      utilization
    }
  }
}
    fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}`) as unknown as TypedDocumentString<ShowInventoryQuery, ShowInventoryQueryVariables>;
export const FindProviderDocument = new TypedDocumentString(`
    query FindProvider($by: ProviderRef!) {
  resourceProvider(by: $by) {
    uuid
    generation
  }
}
    `) as unknown as TypedDocumentString<FindProviderQuery, FindProviderQueryVariables>;
export const ListProvidersDocument = new TypedDocumentString(`
    query ListProviders($filter: ResourceProviderFilter, $first: Int!, $after: String) {
  resourceProviders(filter: $filter, first: $first, after: $after) {
    nodes {
      ...ProviderFields
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}
fragment Named on ResourceProvider {
  uuid
  name
}
fragment ProviderFields on ResourceProvider {
  ...Named
  generation
  root {
    ...Named
  }
  parent {
    ...Named
  }
}`) as unknown as TypedDocumentString<ListProvidersQuery, ListProvidersQueryVariables>;
export const ShowProviderDocument = new TypedDocumentString(`
    query ShowProvider($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...ProviderFields
    createdAt
    updatedAt
    isSharing
    children {
      ...Named
    }
    sharingProviders {
      ...Named
    }
    traits {
      name
    }
    aggregates {
      uuid
    }
    ...ProviderInventories
  }
}
    fragment ProviderInventories on ResourceProvider {
  inventories {
    ...InventoryFields
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}
fragment ProviderFields on ResourceProvider {
  ...Named
  generation
  root {
    ...Named
  }
  parent {
    ...Named
  }
}
fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}`) as unknown as TypedDocumentString<ShowProviderQuery, ShowProviderQueryVariables>;
export const ListProviderAllocationsDocument = new TypedDocumentString(`
    query ListProviderAllocations($by: ProviderRef!, $first: Int!, $after: String) {
  resourceProvider(by: $by) {
    allocations(first: $first, after: $after) {
      nodes {
        consumer {
          uuid
          projectId
          userId
          type {
            name
          }
        }
        resourceClass {
          name
        }
        amount
      }
      pageInfo {
        ...Page
      }
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ListProviderAllocationsQuery, ListProviderAllocationsQueryVariables>;
export const ShowTreeDocument = new TypedDocumentString(`
    query ShowTree($by: ProviderRef!) {
  resourceProvider(by: $by) {
    root {
      ...TreeNode
      descendants {
        ...TreeNode
      }
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}
fragment TreeNode on ResourceProvider {
  ...Named
  generation
  parent {
    uuid
  }
  traits {
    name
  }
  inventories {
    resourceClass {
      name
    }
    used
    capacity
  }
}`) as unknown as TypedDocumentString<ShowTreeQuery, ShowTreeQueryVariables>;
export const CreateProviderDocument = new TypedDocumentString(`
    mutation CreateProvider($input: CreateResourceProviderInput!) {
  createResourceProvider(input: $input) {
    ...Rejection
    ... on CreateResourceProviderPayload {
      resourceProvider {
        ...ProviderFields
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment Named on ResourceProvider {
  uuid
  name
}
fragment ProviderFields on ResourceProvider {
  ...Named
  generation
  root {
    ...Named
  }
  parent {
    ...Named
  }
}`) as unknown as TypedDocumentString<CreateProviderMutation, CreateProviderMutationVariables>;
export const UpdateProviderDocument = new TypedDocumentString(`
    mutation UpdateProvider($input: UpdateResourceProviderInput!) {
  updateResourceProvider(input: $input) {
    ...Rejection
    ... on UpdateResourceProviderPayload {
      resourceProvider {
        ...ProviderFields
        ...ProviderAggregates
        ...ProviderTraits
        ...ProviderInventories
      }
    }
  }
}
    fragment AggregateFields on Aggregate {
  uuid
  name
}
fragment ProviderAggregates on ResourceProvider {
  aggregates {
    ...AggregateFields
  }
}
fragment Rejection on UserError {
  code
  message
  path
}
fragment ProviderTraits on ResourceProvider {
  traits {
    name
    isStandard
  }
}
fragment ProviderInventories on ResourceProvider {
  inventories {
    ...InventoryFields
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}
fragment ProviderFields on ResourceProvider {
  ...Named
  generation
  root {
    ...Named
  }
  parent {
    ...Named
  }
}
fragment InventoryFields on Inventory {
  resourceClass {
    name
  }
  total
  reserved
  minUnit
  maxUnit
  stepSize
  allocationRatio
  capacity
  used
}`) as unknown as TypedDocumentString<UpdateProviderMutation, UpdateProviderMutationVariables>;
export const DeleteProviderDocument = new TypedDocumentString(`
    mutation DeleteProvider($input: DeleteResourceProviderInput!) {
  deleteResourceProvider(input: $input) {
    ...Rejection
    ... on DeleteResourceProviderPayload {
      uuid
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<DeleteProviderMutation, DeleteProviderMutationVariables>;