/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** An edit of aggregates. Each may occur once; an edit without any field is INVALID_INPUT. */
export type AggregatesEdit = {
  /** Added to the others; present ones change nothing. Unknown uuids are created. */
  add?: Array<AggregateRef> | null | undefined;
  /** Removed from the set; absent ones change nothing. */
  remove?: Array<AggregateRef> | null | undefined;
  /** The whole new set. Excludes add and remove. Unknown uuids are created. */
  set?: Array<AggregateRef> | null | undefined;
};

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

/** The desired state of a whole tree. */
export type ApplyProviderTreeInput = {
  /** The consumers to reallocate, each once with its whole final set. If omitted, removing inventories or providers in use fails with RESHAPE_NEEDED. */
  allocations?: Array<ConsumerAllocationsInput> | null | undefined;
  /** True validates everything and changes nothing. */
  dryRun?: boolean;
  /** The root and its descendants. Its uuid may not name a provider with a parent. */
  root: DesiredProviderInput;
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

/** The desired state of a provider and its descendants. Matched by uuid, else by name within the tree, else created. */
export type DesiredProviderInput = {
  /** All aggregates, each once. Omit or pass null to keep them. */
  aggregates?: Array<AggregateRef> | null | undefined;
  /** All children. Other current children are deleted, or move to where the input states them. Omit or pass null to keep them. */
  children?: Array<DesiredProviderInput> | null | undefined;
  /** The generation that the change is based on. Compared if something differs; if it is stale: PROVIDER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** All inventories, each class once. Omit or pass null to keep them. */
  inventories?: Array<InventoryInput> | null | undefined;
  /** The name: 1 to 200 characters, unique among providers. */
  name: string;
  /** The names of all traits, each once. Omit or pass null to keep them. */
  traits?: Array<string> | null | undefined;
  /** A provider of another tree moves into this one. Generated for a new provider if omitted. */
  uuid?: string | null | undefined;
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

/** The sort keys of fleet totals. */
export type FleetTotalOrderField =
  /** By capacity - used. */
  | 'AVAILABLE'
  /** By capacity. */
  | 'CAPACITY'
  /** By the name of the tree or trait, or the uuid of the aggregate. */
  | 'GROUP'
  /** By the number of providers. */
  | 'PROVIDER_COUNT'
  /** By the name of the resource class. */
  | 'RESOURCE_CLASS'
  /** By usage. */
  | 'USED'
  /** By used / capacity. Rows without capacity come last. */
  | 'UTILIZATION';

/** A sort key of a list of totals. */
export type FleetTotalOrderInput = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** The sort key. */
  field: FleetTotalOrderField;
};

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

/** A new parent of a provider, or none. */
export type ParentRef =
  {   /** The whole name of the parent. */
  name: string; none?: never; uuid?: never; }
  |  { name?: never;   /** True makes the provider a root. False is INVALID_INPUT. */
  none: boolean; uuid?: never; }
  |  { name?: never; none?: never;   /** The uuid of the parent. */
  uuid: string; };

/** Resources to allocate from one provider. */
export type ProviderAllocationInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The amounts, at least one, each class once. */
  resources: Array<ResourceAmountInput>;
};

/** The desired inventories of a provider. */
export type ProviderInventoriesInput = {
  /** The generation that the change is based on. If it is stale: PROVIDER_GENERATION_CONFLICT. */
  generation: number;
  /** The whole set of inventories, each class once. */
  inventories: Array<InventoryInput>;
  /** The provider. */
  resourceProvider: ProviderRef;
};

/** Identifies a provider by its uuid or its name. */
export type ProviderRef =
  {   /** The whole name, case-sensitive. */
  name: string; uuid?: never; }
  |  { name?: never;   /** The uuid of the provider. */
  uuid: string; };

/** What applyProviderTree does with a provider. */
export type ProviderTreeChangeKind =
  /** Creates it. */
  | 'CREATE'
  /** Deletes it. */
  | 'DELETE'
  /** Changes its name, parent, inventories, traits or aggregates. */
  | 'UPDATE';

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

/** The final state, as far as it changes. */
export type ReshapeInput = {
  /** The consumers whose allocations change, each once with its whole final set. */
  allocations: Array<ConsumerAllocationsInput>;
  /** True: check everything and change nothing. Defaults to false. */
  dryRun?: boolean;
  /** The providers whose inventories change, at least one, each once. */
  inventories: Array<ProviderInventoriesInput>;
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

/** Selects the traits for which all given conditions hold. */
export type TraitFilter = {
  /** True: traits of any provider. False: traits of no provider. */
  associated?: boolean | null | undefined;
  /** Traits with one of these names. */
  nameIn?: Array<string> | null | undefined;
  /** Traits whose names start with this text. */
  startsWith?: string | null | undefined;
};

/** A preferred trait. */
export type TraitPreferenceInput = {
  /** The name of the trait. Fails with INVALID_INPUT if it is unknown. */
  trait: string;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
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

/** The allocations to remove: of these providers, of these classes, or of both. Name at least one. */
export type UnsetAllocationsInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation on which the change is based; else fails with CONSUMER_GENERATION_CONFLICT. Null: not checked. */
  generation?: number | null | undefined;
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

/** The result of a search for a placement. */
export type WorkloadOutcome =
  /** The workload can be placed. */
  | 'FOUND'
  /** Proven: the workload does not fit. */
  | 'IMPOSSIBLE'
  /** The search ended at its deadline without a placement or a proof. */
  | 'UNDECIDED';

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

export type AllocationRequestFieldsFragment = { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> };

export type ExplanationFieldsFragment = { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> }>, combination: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> };

export type EliminationFieldsFragment = { constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string };

export type ListCandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit?: number | null | undefined;
}>;


export type ListCandidatesQuery = { allocationCandidates: { complete: boolean, seed: number, allocationRequests: Array<{ claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string }, resources: Array<{ used: number, capacity: number, resourceClass: { name: string } }> }> } | null };

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
    | { optimal: boolean, members: Array<{ name: string, requestIndex: number, rejectedRequests: Array<{ requestIndex: number, reason: string }> }>, claims: Array<{ consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }, keptAs: { uuid: string } | null, allocationRequest: { mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } }> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null }
   };

export type PlanDrainQueryVariables = Exact<{
  resourceProvider: ProviderRef;
  requests: Array<DrainRequestInput> | DrainRequestInput;
}>;


export type PlanDrainQuery = { planDrain: { complete: boolean, root: { uuid: string, name: string }, moves: Array<{ requestIndex: number | null, consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }, derivedResources: Array<{ amount: number, resourceClass: { name: string } }> | null, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } | null, explanation: { summary: string } | null }>, totalsBefore: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
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

export type ListProjectsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ListProjectsQuery = { projects: { nodes: Array<{ projectId: string, consumerCount: number, usages: Array<{ used: number, resourceClass: { name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type UsageFieldsFragment = { used: number, resourceClass: { name: string } };

export type TreeUsageFragment = { uuid: string, name: string, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, utilization: number | null, resourceClass: { name: string } }> };

export type ShowTreeUsageQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowTreeUsageQuery = { resourceProvider: { uuid: string, name: string, descendants: Array<{ uuid: string, name: string, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, utilization: number | null, resourceClass: { name: string } }> }>, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, utilization: number | null, resourceClass: { name: string } }> } | null };

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
  orderBy?: Array<FleetTotalOrderInput> | FleetTotalOrderInput | null | undefined;
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


export type ShowInventoriesQuery = { resourceProvider: { generation: number, uuid: string, name: string, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } | null };

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


export type ShowProviderQuery = { resourceProvider: { createdAt: string | null, updatedAt: string | null, isSharing: boolean, generation: number, uuid: string, name: string, children: Array<{ uuid: string, name: string }>, sharingProviders: Array<{ uuid: string, name: string }>, traits: Array<{ name: string }>, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } | null };

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

export type FindSimilarQueryVariables = Exact<{
  filter: ResourceProviderFilter;
}>;


export type FindSimilarQuery = { resourceProviders: { pageInfo: { hasNextPage: boolean } } | null };

export type StoredNodeFragment = { uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> };

export type ShowStoredTreeQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowStoredTreeQuery = { resourceProvider: { uuid: string, name: string, descendants: Array<{ uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> }>, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type ApplyTreeChangeFragment = { kind: ProviderTreeChangeKind, uuid: string | null, name: string };

export type ApplyTreeMutationVariables = Exact<{
  input: ApplyProviderTreeInput;
}>;


export type ApplyTreeMutation = { applyProviderTree:
    | { reshaped: boolean, changes: Array<{ kind: ProviderTreeChangeKind, uuid: string | null, name: string }> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, consumers: Array<{ uuid: string }> }
    | { code: ErrorCode, message: string, path: Array<string>, violations: Array<{ message: string }> }
   };

export type ReshapeMutationVariables = Exact<{
  input: ReshapeInput;
}>;


export type ReshapeMutation = { reshape:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProviders: Array<{ uuid: string }> }
    | { code: ErrorCode, message: string, path: Array<string>, violations: Array<{ message: string }> }
   };

export type WorkloadFailureFragment = { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null };

export type PlanWorkloadQueryVariables = Exact<{
  input: ClaimInput;
  plans: number;
  seed?: number | null | undefined;
}>;


export type PlanWorkloadQuery = { planWorkload: { outcome: WorkloadOutcome, failure: { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null } | null, totalsBefore: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, plans: Array<{ seed: number, optimal: boolean, members: Array<{ name: string, requestIndex: number, rejectedRequests: Array<{ requestIndex: number, reason: string }> }>, consumers: Array<{ consumerUuid: string, member: string, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } }>, topology: Array<{ rule: TopologyRule, domains: Array<{ consumerCount: number, domain:
            | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
            | { __typename: 'ResourceProvider', name: string }
           }> }>, totalsAfter: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
          | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
          | { __typename: 'ResourceProvider', name: string }
          | { __typename: 'Trait', name: string }
         | null, resourceClass: { name: string } }> }> } | null };

export type MemberPlacementFieldsFragment = { name: string, requestIndex: number, rejectedRequests: Array<{ requestIndex: number, reason: string }> };

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
export const NamedFragmentDoc = new TypedDocumentString(`
    fragment Named on ResourceProvider {
  uuid
  name
}
    `, {"fragmentName":"Named"}) as unknown as TypedDocumentString<NamedFragment, unknown>;
export const AllocationRequestFieldsFragmentDoc = new TypedDocumentString(`
    fragment AllocationRequestFields on AllocationRequest {
  claimToken
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
export const TreeUsageFragmentDoc = new TypedDocumentString(`
    fragment TreeUsage on ResourceProvider {
  ...Named
  parent {
    uuid
  }
  inventories {
    resourceClass {
      name
    }
    used
    capacity
    available
    utilization
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`, {"fragmentName":"TreeUsage"}) as unknown as TypedDocumentString<TreeUsageFragment, unknown>;
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
export const ProviderTraitsFragmentDoc = new TypedDocumentString(`
    fragment ProviderTraits on ResourceProvider {
  traits {
    name
    isStandard
  }
}
    `, {"fragmentName":"ProviderTraits"}) as unknown as TypedDocumentString<ProviderTraitsFragment, unknown>;
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
export const StoredNodeFragmentDoc = new TypedDocumentString(`
    fragment StoredNode on ResourceProvider {
  ...Named
  parent {
    uuid
  }
  ...ProviderTraits
  ...ProviderAggregates
  ...ProviderInventories
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
}`, {"fragmentName":"StoredNode"}) as unknown as TypedDocumentString<StoredNodeFragment, unknown>;
export const ApplyTreeChangeFragmentDoc = new TypedDocumentString(`
    fragment ApplyTreeChange on ProviderTreeChange {
  kind
  uuid
  name
}
    `, {"fragmentName":"ApplyTreeChange"}) as unknown as TypedDocumentString<ApplyTreeChangeFragment, unknown>;
export const WorkloadFailureFragmentDoc = new TypedDocumentString(`
    fragment WorkloadFailure on NoCandidatesError {
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
    `, {"fragmentName":"WorkloadFailure"}) as unknown as TypedDocumentString<WorkloadFailureFragment, unknown>;
export const MemberPlacementFieldsFragmentDoc = new TypedDocumentString(`
    fragment MemberPlacementFields on MemberPlacement {
  name
  requestIndex
  rejectedRequests {
    requestIndex
    reason
  }
}
    `, {"fragmentName":"MemberPlacementFields"}) as unknown as TypedDocumentString<MemberPlacementFieldsFragment, unknown>;
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
  claimToken
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
    ...WorkloadFailure
    ... on ClaimPayload {
      optimal
      members {
        ...MemberPlacementFields
      }
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
}
fragment WorkloadFailure on NoCandidatesError {
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
fragment MemberPlacementFields on MemberPlacement {
  name
  requestIndex
  rejectedRequests {
    requestIndex
    reason
  }
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
  claimToken
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
export const ListProjectsDocument = new TypedDocumentString(`
    query ListProjects($first: Int!, $after: String) {
  projects(first: $first, after: $after) {
    nodes {
      projectId
      consumerCount
      usages {
        ...UsageFields
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
fragment UsageFields on Usage {
  resourceClass {
    name
  }
  used
}`) as unknown as TypedDocumentString<ListProjectsQuery, ListProjectsQueryVariables>;
export const ShowTreeUsageDocument = new TypedDocumentString(`
    query ShowTreeUsage($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...TreeUsage
    descendants {
      ...TreeUsage
    }
  }
}
    fragment TreeUsage on ResourceProvider {
  ...Named
  parent {
    uuid
  }
  inventories {
    resourceClass {
      name
    }
    used
    capacity
    available
    utilization
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowTreeUsageQuery, ShowTreeUsageQueryVariables>;
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
    query ShowTotals($filter: FleetTotalsFilter, $groupBy: FleetGrouping, $orderBy: [FleetTotalOrderInput!], $first: Int!, $after: String) {
  fleetTotals(
    filter: $filter
    groupBy: $groupBy
    orderBy: $orderBy
    first: $first
    after: $after
  ) {
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
    ...Named
    generation
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
    ...ProviderAggregates
    ...ProviderInventories
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
export const FindSimilarDocument = new TypedDocumentString(`
    query FindSimilar($filter: ResourceProviderFilter!) {
  resourceProviders(filter: $filter, first: 0) {
    pageInfo {
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<FindSimilarQuery, FindSimilarQueryVariables>;
export const ShowStoredTreeDocument = new TypedDocumentString(`
    query ShowStoredTree($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...StoredNode
    descendants {
      ...StoredNode
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
fragment StoredNode on ResourceProvider {
  ...Named
  parent {
    uuid
  }
  ...ProviderTraits
  ...ProviderAggregates
  ...ProviderInventories
}`) as unknown as TypedDocumentString<ShowStoredTreeQuery, ShowStoredTreeQueryVariables>;
export const ApplyTreeDocument = new TypedDocumentString(`
    mutation ApplyTree($input: ApplyProviderTreeInput!) {
  applyProviderTree(input: $input) {
    ...Rejection
    ... on ReshapeNeededError {
      consumers {
        uuid
      }
    }
    ... on ReshapeRefusedError {
      violations {
        message
      }
    }
    ... on ApplyProviderTreePayload {
      changes {
        ...ApplyTreeChange
      }
      reshaped
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment ApplyTreeChange on ProviderTreeChange {
  kind
  uuid
  name
}`) as unknown as TypedDocumentString<ApplyTreeMutation, ApplyTreeMutationVariables>;
export const ReshapeDocument = new TypedDocumentString(`
    mutation Reshape($input: ReshapeInput!) {
  reshape(input: $input) {
    ...Rejection
    ... on ReshapeRefusedError {
      violations {
        message
      }
    }
    ... on ReshapePayload {
      resourceProviders {
        uuid
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<ReshapeMutation, ReshapeMutationVariables>;
export const PlanWorkloadDocument = new TypedDocumentString(`
    query PlanWorkload($input: ClaimInput!, $plans: Int!, $seed: Int) {
  planWorkload(input: $input, plans: $plans, seed: $seed) {
    outcome
    failure {
      ...WorkloadFailure
    }
    totalsBefore {
      ...TotalFields
    }
    plans {
      seed
      optimal
      members {
        ...MemberPlacementFields
      }
      consumers {
        consumerUuid
        member
        allocationRequest {
          ...AllocationRequestFields
        }
      }
      topology {
        rule
        domains {
          consumerCount
          domain {
            __typename
            ... on ResourceProvider {
              name
            }
            ... on Aggregate {
              uuid
              aggregateName: name
            }
          }
        }
      }
      totalsAfter {
        ...TotalFields
      }
    }
  }
}
    fragment AllocationRequestFields on AllocationRequest {
  claimToken
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
}
fragment WorkloadFailure on NoCandidatesError {
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
fragment MemberPlacementFields on MemberPlacement {
  name
  requestIndex
  rejectedRequests {
    requestIndex
    reason
  }
}`) as unknown as TypedDocumentString<PlanWorkloadQuery, PlanWorkloadQueryVariables>;