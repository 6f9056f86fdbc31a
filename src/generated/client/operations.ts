/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A condition on quotas. Omitted and null fields do not restrict. */
export type QuotaFilter = {
  /** The kind of owner. */
  kind?: QuotaOwnerKind | null | undefined;
  /** The limits of a project and the defaults that it has. */
  projectId?: string | null | undefined;
  /** The limits of a group, by its name. */
  group?: string | null | undefined;
  /** The name of a class. Fails with INVALID_INPUT if it is unknown. */
  resourceClass?: string | null | undefined;
  /** True: the usage is above the limit. False: it is not. */
  exceeded?: boolean | null | undefined;
};

/** The kind of owner of a quota. */
export type QuotaOwnerKind =
  /** A project. */
  | 'PROJECT'
  /** A group: the limit is for the sum of its projects. */
  | 'GROUP'
  /** Each project without its own limit of the class. */
  | 'DEFAULT';

/** A sort key of a list of quotas. */
export type QuotaOrderInput =
  {   /** By the id of the project or the name of the group. Defaults come last. */
  owner: OrderDirection; resourceClass?: never; limit?: never; used?: never; left?: never; share?: never; }
  |  { owner?: never;   /** By the name of the class. The number of consumers comes last. */
  resourceClass: OrderDirection; limit?: never; used?: never; left?: never; share?: never; }
  |  { owner?: never; resourceClass?: never;   /** By the limit. */
  limit: OrderDirection; used?: never; left?: never; share?: never; }
  |  { owner?: never; resourceClass?: never; limit?: never;   /** By the counted usage. */
  used: OrderDirection; left?: never; share?: never; }
  |  { owner?: never; resourceClass?: never; limit?: never; used?: never;   /** By the limit less the usage. */
  left: OrderDirection; share?: never; }
  |  { owner?: never; resourceClass?: never; limit?: never; used?: never; left?: never;   /** By used / limit. */
  share: OrderDirection; };

/** The direction of an order. Entries without a value come last in both. */
export type OrderDirection =
  /** The smallest or oldest first. */
  | 'ASC'
  /** The largest or newest first. */
  | 'DESC';

/** Consumers of one type, or without a type. */
export type ConsumerTypeFilter =
  {   /** Consumers of the type with this name. */
  name: string; none?: never; }
  |  { name?: never;   /** True: no type. False fails with INVALID_INPUT. */
  none: boolean; };

/** A part of a provider that has an owner. */
export type OwnedPart =
  /** The provider itself: its existence, its name and its parent. */
  | 'PROVIDER'
  /** An inventory. */
  | 'INVENTORY'
  /** A trait. */
  | 'TRAIT'
  /** The membership in an aggregate. */
  | 'AGGREGATE';

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

/** A modified fleet to search in: copies are added, then trees removed, then capacities scaled. More than 1000 trees fail with INVALID_INPUT. */
export type WhatIfInput = {
  /** Trees to remove, with the allocations on them. */
  remove?: TreesInput | null | undefined;
  /** Trees to copy. */
  add?: Array<AddedTreesInput>;
  /** Capacities to scale, of all providers. */
  scale?: Array<ScaledClassInput>;
};

/** Some trees. Unknown uuids fail with INVALID_INPUT. */
export type TreesInput =
  {   /** One provider of each tree, at least one. */
  providers: Array<ProviderRef>; aggregate?: never; }
  |  { providers?: never;   /** All trees with a provider directly in the aggregate. */
  aggregate: AggregateRef; };

/** Copies of a tree, without allocations. */
export type AddedTreesInput = {
  /** Any provider of the tree. */
  copyOf: ProviderRef;
  /** The number of copies, from 1 to 1000. Defaults to 1. */
  count?: number;
};

/** A factor for the capacity of a resource class. Units and allocations stay as they are. */
export type ScaledClassInput = {
  /** The name of the class, each once. */
  resourceClass: string;
  /** The factor, from 0 to 1000. Capacities are rounded down. */
  factor: number;
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

/** Conditions on providers. All must hold. Traits and aggregates of a root count for its tree. */
export type FleetTotalsFilter = {
  /** Only this resource class. */
  resourceClass?: string | null | undefined;
  /** Only providers in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Providers in an aggregate of each inner list. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Providers with a trait of each inner list. */
  requiredTraits?: Array<Array<string>>;
};

/** How fleet totals are grouped, besides by resource class. */
export type FleetGrouping =
  /** One group per tree. */
  | 'TREE'
  /** One group per aggregate. A provider counts in each of its aggregates and of those of its root. */
  | 'AGGREGATE'
  /** One group per trait. A provider counts in each of its traits and of those of its root. */
  | 'TRAIT';

/** A sort key of a list of totals. */
export type FleetTotalOrderInput =
  {   /** By the name of the tree or trait, or by the aggregate's uuid. */
  group: OrderDirection; resourceClass?: never; capacity?: never; used?: never; available?: never; utilization?: never; providerCount?: never; }
  |  { group?: never;   /** By the name of the resource class. */
  resourceClass: OrderDirection; capacity?: never; used?: never; available?: never; utilization?: never; providerCount?: never; }
  |  { group?: never; resourceClass?: never;   /** By capacity. */
  capacity: OrderDirection; used?: never; available?: never; utilization?: never; providerCount?: never; }
  |  { group?: never; resourceClass?: never; capacity?: never;   /** By usage. */
  used: OrderDirection; available?: never; utilization?: never; providerCount?: never; }
  |  { group?: never; resourceClass?: never; capacity?: never; used?: never;   /** By the free amount. */
  available: OrderDirection; utilization?: never; providerCount?: never; }
  |  { group?: never; resourceClass?: never; capacity?: never; used?: never; available?: never;   /** By used / capacity. */
  utilization: OrderDirection; providerCount?: never; }
  |  { group?: never; resourceClass?: never; capacity?: never; used?: never; available?: never; utilization?: never;   /** By the number of providers. */
  providerCount: OrderDirection; };

/** The request of a consumer, or of all consumers of a type. */
export type DrainRequestInput = {
  /** The consumers. */
  consumers: DrainConsumersInput;
  /** The request of each consumer, outside the drained trees. Other consumers count at their planned positions. */
  request: AllocationCandidatesInput;
};

/** One consumer, or all consumers of a type. */
export type DrainConsumersInput =
  {   /** The consumer. Takes precedence over its type. */
  uuid: string; type?: never; }
  |  { uuid?: never;   /** The name of the type. */
  type: string; };

/** Where the request of a planned move is from. */
export type RequestSource =
  /** The argument `requests`. */
  | 'STATED'
  /** The request by which the consumer was placed. */
  | 'REMEMBERED'
  /** The conditions of that request, and the amounts of the allocations, which differ from it. */
  | 'OUTDATED'
  /** The allocations: the consumer has no remembered request. */
  | 'DERIVED';

/** Why a drain plans no move of a consumer that may fit elsewhere. */
export type DrainMoveCode =
  /** It is stored in several spellings of its uuid. It can only be deleted. */
  | 'SEVERAL_ROWS'
  /** It has allocations in several trees, sharing providers apart. */
  | 'SEVERAL_TREES'
  /** It holds the former allocations of a move (`keepOldAs`) until the client deletes it. */
  | 'KEPT';

/** The goal of a plan, and the consumers that it may move. */
export type RebalanceInput = {
  /** The goal. */
  goal: RebalanceGoal;
  /** The maximum number of moves, from 1 to 1000. Defaults to 100. */
  maxMoves?: number;
  /** The aggregate whose trees are the hosts of the plan. Null: all trees. */
  scope?: AggregateRef | null | undefined;
  /** A plan that gains less has no moves. In hosts, utilization (0 to 1) or faults. Defaults to 0: any gain. */
  minGain?: number;
  /** The names of the classes whose utilization counts. Defaults to all. */
  resourceClasses?: Array<string> | null | undefined;
  /** Consumers that never move. */
  keep?: Array<string>;
  /** Types whose consumers never move. */
  keepTypes?: Array<string>;
  /** Whether derived requests require the traits that all providers of the consumer on hosts have. Defaults to false. */
  keepTraits?: boolean;
  /** The requests of consumers. Defaults to remembered and derived ones, as in `planDrain`. */
  requests?: Array<DrainRequestInput>;
};

/** The goal of a plan. */
export type RebalanceGoal =
  /** The fewest used hosts. */
  | 'FREE_HOSTS'
  /** The lowest maximum utilization. */
  | 'EVEN_OUT'
  /** The fewest broken relations between consumers, then the fewest other faults: inventories over capacity, and consumers whose allocations violate units or their request. */
  | 'FIX';

/** The result of a plan. */
export type RebalanceOutcome =
  /** The plan has moves. */
  | 'FOUND'
  /** No moves were found, or they gain less than `minGain`. */
  | 'NOTHING_WORTH_MOVING'
  /** The search ended early and found no moves, or none that gain `minGain`. */
  | 'UNDECIDED';

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

/** Conditions on providers. All must hold. Those named ...InTree concern the whole tree. */
export type ResourceProviderFilter = {
  /** The provider with this name. */
  name?: string | null | undefined;
  /** Providers whose names start with this text. */
  nameStartsWith?: string | null | undefined;
  /** Providers whose names contain this text. */
  nameContains?: string | null | undefined;
  /** The provider with this uuid. */
  uuid?: string | null | undefined;
  /** Providers with one of these uuids, at most 1024. */
  uuidIn?: Array<string> | null | undefined;
  /** True: only roots. */
  rootsOnly?: boolean;
  /** Providers in the tree of this provider. */
  inTree?: ProviderRef | null | undefined;
  /** Providers with all these amounts free, also in the counters of partitions. Each class once. */
  resources?: Array<ResourceAmountInput>;
  /** Providers with a trait of each inner list, at most 100 lists. */
  requiredTraits?: Array<Array<string>>;
  /** Providers without these traits. */
  forbiddenTraits?: Array<string>;
  /** Providers in an aggregate of each inner list, at most 100 lists. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Providers outside these aggregates. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** For each amount, any provider of the tree has it free, also in the counters of partitions. Each class once. */
  resourcesInTree?: Array<ResourceAmountInput>;
  /** For each inner list, any provider of the tree has a trait of it. */
  hasTraitInTree?: Array<Array<string>>;
  /** For each inner list, any provider of the tree is in an aggregate of it. */
  memberOfInTree?: Array<Array<AggregateRef>>;
};

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

/** Conditions on resource classes. All must hold. */
export type ResourceClassFilter = {
  /** Classes with one of these names. */
  nameIn?: Array<string> | null | undefined;
  /** Classes whose names start with this text. */
  startsWith?: string | null | undefined;
  /** True: classes with an inventory. False: classes without. */
  associated?: boolean | null | undefined;
};

/** Conditions on traits. All must hold. */
export type TraitFilter = {
  /** Traits with one of these names. */
  nameIn?: Array<string> | null | undefined;
  /** Traits whose names start with this text. */
  startsWith?: string | null | undefined;
  /** True: traits of any provider. False: traits of no provider. */
  associated?: boolean | null | undefined;
};

/** A check of the audit. */
export type AuditCheck =
  /** A usage exceeds the capacity. If all is reserved, it may reach `total`. */
  | 'OVER_CAPACITY'
  /** An allocation violates minUnit, maxUnit or stepSize. */
  | 'UNIT_VIOLATION'
  /** An allocation refers to a missing provider, consumer or resource class. */
  | 'DANGLING_ALLOCATION'
  /** A consumer has no allocations. */
  | 'EMPTY_CONSUMER'
  /** The root of a provider differs from the root of its parent. */
  | 'BROKEN_TREE'
  /** A row refers to a missing provider, class, trait, aggregate, project, user or type. */
  | 'UNKNOWN_REFERENCE'
  /** Another program has stored a consumer or aggregate in another spelling of its uuid. */
  | 'UUID_SPELLING'
  /** A consumer has allocations in several trees, sharing providers apart. */
  | 'SEVERAL_TREES'
  /** An inventory consumes a counter that does not exist, or that no ancestor has. */
  | 'LOST_COUNTER'
  /** A consumer has another amount of a counter than its allocations consume. */
  | 'MISSING_CONSUMPTION'
  /** The counted usage of a project or group differs from its allocations. */
  | 'QUOTA_USAGE'
  /** A request is remembered for a consumer that does not exist. */
  | 'LOST_REQUEST';

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

/** The allocations to remove, by providers, classes or both. */
export type UnsetAllocationsInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation read before. If stale: CONSUMER_GENERATION_CONFLICT. Null: not checked. */
  generation?: number | null | undefined;
  /** The providers, each once. Defaults to all, with `resourceClasses`. */
  resourceProviders?: Array<ProviderRef>;
  /** The class names, each once. Defaults to all, with `resourceProviders`. */
  resourceClasses?: Array<string>;
};

/** A resource provider to create. */
export type CreateResourceProviderInput = {
  /** The name: 1 to 200 characters, unique, case-sensitive. */
  name: string;
  /** Generated if omitted. */
  uuid?: string | null | undefined;
  /** The parent. Omit it to create a root. */
  parent?: ProviderRef | null | undefined;
  /** The aggregates, each once. Unknown uuids are created. */
  aggregates?: Array<AggregateRef>;
  /** The names of the traits, each once. */
  traits?: Array<string>;
  /** The inventories, each class once. */
  inventories?: Array<InventoryInput>;
};

/** A whole inventory. Omitted fields get their defaults. */
export type InventoryInput = {
  /** The name of a resource class. */
  resourceClass: string;
  /** The total amount, at least 1. */
  total: number;
  /** The reserved amount, 0 to the total. */
  reserved?: number;
  /** The minimum of one allocation, at least 1. */
  minUnit?: number;
  /** The maximum of one allocation, at least 1. */
  maxUnit?: number;
  /** An amount is a multiple of this, or exactly minUnit. At least 1. */
  stepSize?: number;
  /** The capacity is (total - reserved) * allocationRatio. More than 0. */
  allocationRatio?: number;
  /** The counters that each allocated unit consumes, each once. */
  consumes?: Array<ConsumptionInput>;
};

/** A counter: an inventory with minUnit 1 and stepSize 1 that consumes nothing itself. */
export type ConsumptionInput = {
  /** The provider of the inventory that consumes, or an ancestor of it. In trees, a name of the input comes first. */
  resourceProvider: ProviderRef;
  /** The name of the resource class of the counter. */
  resourceClass: string;
  /** The amount for each allocated unit, at least 1. */
  amount?: number;
};

/** The edits of a provider, at least one. Omitted or null parts remain. */
export type UpdateResourceProviderInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The generation read before. If stale: PROVIDER_GENERATION_CONFLICT. Omit it to edit the current state. */
  generation?: number | null | undefined;
  /** The new name: 1 to 200 characters, unique, case-sensitive. */
  name?: string | null | undefined;
  /** The new parent, in any tree. Descendants move too. */
  parent?: ParentRef | null | undefined;
  /** The edit of the aggregates. */
  aggregates?: AggregatesEdit | null | undefined;
  /** The edit of the traits. */
  traits?: TraitsEdit | null | undefined;
  /** The edit of the inventories. */
  inventories?: InventoriesEdit | null | undefined;
};

/** A new parent of a provider, or none. */
export type ParentRef =
  {   /** The uuid of the parent. */
  uuid: string; name?: never; none?: never; }
  |  { uuid?: never;   /** The whole name of the parent. */
  name: string; none?: never; }
  |  { uuid?: never; name?: never;   /** True makes the provider a root. False is INVALID_INPUT. */
  none: boolean; };

/** An edit of aggregates, each once. An empty edit is INVALID_INPUT. */
export type AggregatesEdit = {
  /** The whole new set. Excludes add and remove. Unknown uuids are created. */
  set?: Array<AggregateRef> | null | undefined;
  /** To add; present ones change nothing. Unknown uuids are created. */
  add?: Array<AggregateRef> | null | undefined;
  /** To remove; absent ones change nothing. */
  remove?: Array<AggregateRef> | null | undefined;
};

/** An edit of traits, each once. An empty edit is INVALID_INPUT. */
export type TraitsEdit = {
  /** The whole new set. Excludes add and remove. */
  set?: Array<string> | null | undefined;
  /** To add; present ones change nothing. */
  add?: Array<string> | null | undefined;
  /** To remove; absent ones change nothing. */
  remove?: Array<string> | null | undefined;
};

/** An edit of inventories. A class occurs once in add, patch and remove. */
export type InventoriesEdit = {
  /** All inventories. Others are deleted. Excludes the other fields. */
  set?: Array<InventoryInput> | null | undefined;
  /** Inventories to create or to replace. */
  add?: Array<InventoryInput> | null | undefined;
  /** Changes of stored inventories. A missing one is NOT_FOUND. */
  patch?: Array<InventoryPatch> | null | undefined;
  /** Classes to delete. A missing one is NOT_FOUND, one with allocations INVENTORY_IN_USE. */
  remove?: Array<string> | null | undefined;
};

/** A change of an inventory. Omitted or null fields remain. */
export type InventoryPatch = {
  /** The name of a resource class. */
  resourceClass: string;
  /** The total amount, at least 1. */
  total?: number | null | undefined;
  /** The reserved amount, 0 to the total. */
  reserved?: number | null | undefined;
  /** The minimum of one allocation, at least 1. */
  minUnit?: number | null | undefined;
  /** The maximum of one allocation, at least 1. */
  maxUnit?: number | null | undefined;
  /** An amount is a multiple of this, or exactly minUnit. At least 1. */
  stepSize?: number | null | undefined;
  /** The capacity is (total - reserved) * allocationRatio. More than 0. */
  allocationRatio?: number | null | undefined;
  /** The whole new list of counters, each once. */
  consumes?: Array<ConsumptionInput> | null | undefined;
};

/** The desired state of a whole tree. */
export type ApplyProviderTreeInput = {
  /** The root and its descendants. A provider with a parent is INVALID_INPUT. */
  root: DesiredProviderInput;
  /** The consumers to reallocate, each once. If omitted, removing resources in use fails with RESHAPE_NEEDED. */
  allocations?: Array<ConsumerAllocationsInput> | null | undefined;
  /** Whether to validate only. */
  dryRun?: boolean;
};

/** The desired state of a provider, found by uuid, or by name in the tree, or created. */
export type DesiredProviderInput = {
  /** A provider of another tree moves here. Generated for a new provider if omitted. */
  uuid?: string | null | undefined;
  /** The name: 1 to 200 characters, unique. */
  name: string;
  /** The generation read before. If stale and something differs: PROVIDER_GENERATION_CONFLICT. */
  generation?: number | null | undefined;
  /** All inventories, each class once. Omit or pass null to keep them. */
  inventories?: Array<InventoryInput> | null | undefined;
  /** The names of all traits, each once. Omit or pass null to keep them. */
  traits?: Array<string> | null | undefined;
  /** All aggregates, each once. Omit or pass null to keep them. */
  aggregates?: Array<AggregateRef> | null | undefined;
  /** All children. Other children are deleted, unless the input contains them elsewhere. Omit or pass null to keep them. */
  children?: Array<DesiredProviderInput> | null | undefined;
};

/** What applyProviderTree does with a provider. */
export type ProviderTreeChangeKind =
  /** Creates it. */
  | 'CREATE'
  /** Changes its name, parent or properties. */
  | 'UPDATE'
  /** Deletes it. */
  | 'DELETE';

/** The providers to delete. */
export type DeleteResourceProvidersInput = {
  /** The providers, 1 to 1000, each once. */
  resourceProviders: Array<ProviderRef>;
  /** Whether to delete their descendants, too. */
  recursive?: boolean;
  /** Whether to validate only. */
  dryRun?: boolean;
};

/** The desired state of several trees, as one owner states it. */
export type ApplyProviderTreesInput = {
  /** The owner: 1 to 200 characters. */
  owner: string;
  /** The roots and their descendants, at most 500. A provider of another tree is INVALID_INPUT. */
  trees?: Array<DesiredProviderInput>;
  /** Roots to remove with their trees, at most 500. The tree of another owner loses only the owner's parts. */
  remove?: Array<ProviderRef>;
  /** Whether to write values that differ and have no owner. */
  takeOver?: boolean;
  /** Whether to validate only. */
  dryRun?: boolean;
};

/** What applyProviderTrees does with a part that differs. */
export type FleetDifferenceOutcome =
  /** Writes it. The owner owns it, or it did not exist. */
  | 'SET'
  /** Writes it. It had no owner, and `takeOver` was given. */
  | 'TAKEN_OVER'
  /** Removes it: the owner owns it and no longer states it. */
  | 'REMOVED'
  /** Leaves it unchanged: the owner does not own it or all of its descendants. */
  | 'KEPT'
  /** Leaves it unchanged: the owner no longer states it, or states another `consumes`, but consumers use it. */
  | 'IN_USE';

/** The final state, as far as it changes. */
export type ReshapeInput = {
  /** The providers whose inventories change, at least one, each once. */
  inventories: Array<ProviderInventoriesInput>;
  /** The consumers whose allocations change, each once. */
  allocations: Array<ConsumerAllocationsInput>;
  /** Whether to validate only. */
  dryRun?: boolean;
};

/** The desired inventories of a provider. */
export type ProviderInventoriesInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
  /** The generation read before. If stale: PROVIDER_GENERATION_CONFLICT. */
  generation: number;
  /** The whole set of inventories, each class once. */
  inventories: Array<InventoryInput>;
};

/** The consumers to extend, all or none. */
export type ExtendConsumersInput = {
  /** The consumers, at least one, each once. */
  consumers: Array<ExtendedConsumerInput>;
};

/** A consumer that is to end at another time. */
export type ExtendedConsumerInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation read before. If stale: CONSUMER_GENERATION_CONFLICT. */
  generation: number;
  /** The new time, earlier or later: within 366 days from now. */
  expiresAt: string;
};

/** The consumers to confirm, all or none. */
export type ConfirmConsumersInput = {
  /** The consumers, at least one, each once. */
  consumers: Array<ConfirmedConsumerInput>;
};

/** A consumer that is to stay. */
export type ConfirmedConsumerInput = {
  /** The uuid of the consumer. */
  consumer: string;
  /** The generation read before. If stale: CONSUMER_GENERATION_CONFLICT. */
  generation: number;
};

/** Limits to set or to remove, all or none. */
export type SetQuotasInput = {
  /** Projects, each once. */
  projects?: Array<ProjectQuotasInput>;
  /** Groups, each once. One without projects and limits is deleted. */
  groups?: Array<QuotaGroupInput>;
  /** For projects without their own. The limits to set or remove, each class once. Other limits stay. */
  defaults?: Array<QuotaLimitInput>;
};

/** Limits of a project. */
export type ProjectQuotasInput = {
  /** The id of the project. It may have no consumer yet. */
  projectId: string;
  /** The limits to set or remove, each class once. Other limits stay. */
  limits: Array<QuotaLimitInput>;
};

/** A limit for a resource class or for the number of consumers. */
export type QuotaLimitInput = {
  /** The name of the class. Null or omitted: the number of consumers. */
  resourceClass?: string | null | undefined;
  /** The limit, at least 0. Null or omitted removes it. */
  limit?: number | null | undefined;
};

/** The projects and the limits of a group. */
export type QuotaGroupInput = {
  /** The name of the group, which is created if it is new. */
  group: string;
  /** The ids of all its projects. A project of another group is INVALID_INPUT. Null or omitted leaves them unchanged. */
  projects?: Array<string> | null | undefined;
  /** The limits to set or remove, each class once. Other limits stay. */
  limits?: Array<QuotaLimitInput>;
};

/** An aggregate, and providers to add or to remove. An empty edit is INVALID_INPUT. */
export type UpdateAggregateMembersInput = {
  /** The aggregate. An unknown uuid is created if providers are added. */
  aggregate: AggregateRef;
  /** The providers to add. Together at most 1000, each once. */
  add?: Array<ProviderRef>;
  /** The providers to remove. Together at most 1000, each once. */
  remove?: Array<ProviderRef>;
};

/** The kind of a change of a provider. */
export type ResourceProviderChangeKind =
  /** Created. The same event lists its initial inventories and traits. */
  | 'CREATED'
  /** Deleted. The event has no other kinds. */
  | 'DELETED'
  /** The parent or the tree has changed. */
  | 'MOVED'
  /** The name has changed. */
  | 'RENAMED'
  /** An inventory was created, changed or deleted. */
  | 'INVENTORY'
  /** The allocations have changed. */
  | 'USAGE'
  /** The traits have changed. */
  | 'TRAITS'
  /** The aggregates have changed. */
  | 'AGGREGATES';

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

export type FindAggregateNameQueryVariables = Exact<{
  uuid: string;
}>;


export type FindAggregateNameQuery = { aggregate: { name: string | null } | null };

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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { aggregate: { uuid: string, name: string | null } }
   };

export type UpdateAggregateMembersMutationVariables = Exact<{
  input: UpdateAggregateMembersInput;
}>;


export type UpdateAggregateMembersMutation = { updateAggregateMembers:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProviders: Array<{ uuid: string, name: string }> }
   };

export type DeleteAggregatesMutationVariables = Exact<{
  aggregates: Array<AggregateRef> | AggregateRef;
}>;


export type DeleteAggregatesMutation = { deleteAggregates:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { uuids: Array<string> }
   };

export type AllocationRequestFieldsFragment = { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> };

export type ExplanationFieldsFragment = { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> }>, combination: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> };

export type EliminationFieldsFragment = { constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string };

export type ListCandidatesQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  limit?: number | null | undefined;
  whatIf?: WhatIfInput | null | undefined;
}>;


export type ListCandidatesQuery = { allocationCandidates: { complete: boolean, seed: number, allocationRequests: Array<{ claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> }>, providerSummaries: Array<{ traitNames: Array<string>, resourceProvider: { uuid: string, name: string }, resources: Array<{ used: number, capacity: number, resourceClass: { name: string } }> }> } | null };

export type ExplainQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  whatIf?: WhatIfInput | null | undefined;
}>;


export type ExplainQuery = { allocationCandidates: { explanation: { summary: string, satisfiableWhenEmpty: boolean, groups: Array<{ suffix: string, considered: number, remaining: number, eliminations: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> }>, combination: Array<{ constraint: CandidateConstraint, eliminated: number, remaining: number, detail: string }> } | null } | null };

export type CountHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
  whatIf?: WhatIfInput | null | undefined;
}>;


export type CountHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean, trees: number } | null };

export type ClaimMutationVariables = Exact<{
  input: ClaimInput;
}>;


export type ClaimMutation = { claim:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { members: Array<{ name: string, requestIndex: number, rejectedRequests: Array<{ requestIndex: number, reason: string }> }>, topology: Array<{ rule: TopologyRule, outsideCount: number, domains: Array<{ consumerCount: number, domain:
            | { __typename: 'ResourceProvider', name: string }
            | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
           }> }>, rejectedTopologies: Array<{ alternativeIndex: number, reason: string }>, claims: Array<{ consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } }> }
   };

export type PlanDrainQueryVariables = Exact<{
  from: TreesInput;
  requests: Array<DrainRequestInput> | DrainRequestInput;
  keepTraits: boolean;
  keepAggregates: boolean;
  whatIf?: WhatIfInput | null | undefined;
  after?: string | null | undefined;
}>;


export type PlanDrainQuery = { planDrain: { complete: boolean, next: string | null, roots: Array<{ uuid: string, name: string }>, moves: Array<{ code: DrainMoveCode | null, requestSource: RequestSource, traitsLost: Array<string>, consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, workload: { name: string } | null, request: { input: unknown } | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }, movedToSharing: Array<{ amount: number, resourceClass: { name: string } }>, movedFromSharing: Array<{ amount: number, resourceClass: { name: string } }>, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } | null, explanation: { summary: string } | null }>, totalsBefore: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, totalsAfter: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }> } | null };

export type PageFragment = { hasNextPage: boolean, endCursor: string | null };

type Rejection_NoCandidatesError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_OlderServerError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_InvalidInputError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ConsumerGenerationConflictError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_QuotaExceededError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ConcurrentUpdateError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_CommittedError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_NotFoundError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_NoInventoryError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_UnitViolationError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_CapacityExceededError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_DuplicateNameError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_DuplicateUuidError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ConsumptionInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_IllegalReparentError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderGenerationConflictError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_InventoryInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderHasChildrenError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ProviderInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ReshapeRefusedError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ReshapeNeededError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_OwnedByAnotherError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_StandardIsImmutableError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_ResourceClassInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_TraitInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

type Rejection_AggregateInUseError_Fragment = { code: ErrorCode, message: string, path: Array<string> };

export type RejectionFragment =
  | Rejection_NoCandidatesError_Fragment
  | Rejection_OlderServerError_Fragment
  | Rejection_InvalidInputError_Fragment
  | Rejection_ConsumerGenerationConflictError_Fragment
  | Rejection_QuotaExceededError_Fragment
  | Rejection_ConcurrentUpdateError_Fragment
  | Rejection_CommittedError_Fragment
  | Rejection_NotFoundError_Fragment
  | Rejection_NoInventoryError_Fragment
  | Rejection_UnitViolationError_Fragment
  | Rejection_CapacityExceededError_Fragment
  | Rejection_DuplicateNameError_Fragment
  | Rejection_DuplicateUuidError_Fragment
  | Rejection_ConsumptionInUseError_Fragment
  | Rejection_IllegalReparentError_Fragment
  | Rejection_ProviderGenerationConflictError_Fragment
  | Rejection_InventoryInUseError_Fragment
  | Rejection_ProviderHasChildrenError_Fragment
  | Rejection_ProviderInUseError_Fragment
  | Rejection_ReshapeRefusedError_Fragment
  | Rejection_ReshapeNeededError_Fragment
  | Rejection_OwnedByAnotherError_Fragment
  | Rejection_StandardIsImmutableError_Fragment
  | Rejection_ResourceClassInUseError_Fragment
  | Rejection_TraitInUseError_Fragment
  | Rejection_AggregateInUseError_Fragment
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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { created: boolean, trait: { name: string } }
   };

export type DeleteTraitMutationVariables = Exact<{
  name: string;
}>;


export type DeleteTraitMutation = { deleteTrait:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { name: string }
   };

export type ListClassesQueryVariables = Exact<{
  filter?: ResourceClassFilter | null | undefined;
}>;


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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { created: boolean, resourceClass: { name: string } }
   };

export type DeleteClassMutationVariables = Exact<{
  name: string;
}>;


export type DeleteClassMutation = { deleteResourceClass:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { name: string }
   };

export type ConsumerFieldsFragment = { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> };

export type ListConsumersQueryVariables = Exact<{
  filter?: ConsumerFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ListConsumersQuery = { consumers: { nodes: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowConsumerToMoveQueryVariables = Exact<{
  uuid: string;
}>;


export type ShowConsumerToMoveQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, request: { isOutdated: boolean, input: unknown } | null, allocations: Array<{ amount: number, resourceProvider: { isSharing: boolean, uuid: string, name: string, root: { uuid: string, name: string } } | null, resourceClass: { name: string } }>, type: { name: string } | null } | null };

export type ShowRootQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowRootQuery = { resourceProvider: { root: { uuid: string, name: string } } | null };

export type ShowConsumerQueryVariables = Exact<{
  uuid: string;
}>;


export type ShowConsumerQuery = { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, workload: { name: string } | null, request: { isOutdated: boolean, input: unknown } | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } | null };

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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumers: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }
   };

export type ReleaseMutationVariables = Exact<{
  consumer: string;
}>;


export type ReleaseMutation = { deleteConsumer:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { uuid: string }
   };

export type ExtendConsumersMutationVariables = Exact<{
  input: ExtendConsumersInput;
}>;


export type ExtendConsumersMutation = { extendConsumers:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumers: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }
   };

export type ConfirmConsumersMutationVariables = Exact<{
  input: ConfirmConsumersInput;
}>;


export type ConfirmConsumersMutation = { confirmConsumers:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumers: Array<{ uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }
   };

export type UnsetAllocationsMutationVariables = Exact<{
  input: UnsetAllocationsInput;
}>;


export type UnsetAllocationsMutation = { unsetAllocations:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, expiresAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } | null }
   };

export type ListProjectsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ListProjectsQuery = { projects: { nodes: Array<{ projectId: string, consumerCount: number, usages: Array<{ used: number, resourceClass: { name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type UsageFieldsFragment = { used: number, resourceClass: { name: string } };

export type TreeUsageFragment = { uuid: string, name: string, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, allowedUsage: number, utilization: number | null, isCounter: boolean, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> };

export type ShowTreeUsageQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowTreeUsageQuery = { resourceProvider: { uuid: string, name: string, descendants: Array<{ uuid: string, name: string, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, allowedUsage: number, utilization: number | null, isCounter: boolean, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }>, parent: { uuid: string } | null, inventories: Array<{ used: number, capacity: number, available: number, allowedUsage: number, utilization: number | null, isCounter: boolean, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> } | null };

export type ShowProjectUsageQueryVariables = Exact<{
  projectId: string;
  userId?: string | null | undefined;
}>;


export type ShowProjectUsageQuery = { workloads: { nodes: Array<{ name: string, members: Array<{ name: string, consumerCount: number }> }> } | null, usages: { consumerCount: number, usages: Array<{ used: number, resourceClass: { name: string } }>, byType: Array<{ consumerCount: number, type: { name: string } | null, usages: Array<{ used: number, resourceClass: { name: string } }> }> } | null };

export type TotalFieldsFragment = { used: number, capacity: number, available: number, utilization: number | null, group:
    | { __typename: 'ResourceProvider', name: string }
    | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
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
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TopTreesQueryVariables = Exact<{
  resourceClass: string;
  direction: OrderDirection;
  first: number;
  after?: string | null | undefined;
}>;


export type TopTreesQuery = { resourceProviders: { nodes: Array<{ uuid: string, name: string, treeTotals: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
          | { __typename: 'ResourceProvider', name: string }
          | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
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

export type ApplyTreesMutationVariables = Exact<{
  input: ApplyProviderTreesInput;
}>;


export type ApplyTreesMutation = { applyProviderTrees:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { claimed: number, released: number, differences: Array<{ provider: string, part: OwnedPart, name: string, before: string | null, after: string | null, outcome: FleetDifferenceOutcome }> }
   };

export type OwnedTreesQueryVariables = Exact<{
  owner: string;
  first: number;
  after?: string | null | undefined;
}>;


export type OwnedTreesQuery = { fleetOwners: Array<{ trees: { nodes: Array<{ uuid: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } }> | null };

export type OwnedRootsQueryVariables = Exact<{
  owner: string;
  first: number;
  after?: string | null | undefined;
}>;


export type OwnedRootsQuery = { fleetOwners: Array<{ resourceProviders: { nodes: Array<{ uuid: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } }> | null };

export type ConsumersOfTypeQueryVariables = Exact<{
  type: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ConsumersOfTypeQuery = { consumers: { nodes: Array<{ uuid: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TreesOfConsumersQueryVariables = Exact<{
  uuidIn: Array<string> | string;
  first: number;
  after?: string | null | undefined;
}>;


export type TreesOfConsumersQuery = { consumers: { nodes: Array<{ uuid: string, allocations: Array<{ resourceProvider: { root: { uuid: string } } | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type FindRootQueryVariables = Exact<{
  name: string;
}>;


export type FindRootQuery = { resourceProvider: { root: { uuid: string, name: string } } | null };

export type FindAggregateQueryVariables = Exact<{
  by: AggregateRef;
}>;


export type FindAggregateQuery = { aggregate: { uuid: string } | null };

export type ApplyTreesDifferenceFragment = { provider: string, part: OwnedPart, name: string, before: string | null, after: string | null, outcome: FleetDifferenceOutcome };

export type ProviderInventoriesFragment = { inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> };

export type ShowInventoriesQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowInventoriesQuery = { resourceProvider: { generation: number, uuid: string, name: string, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> } | null };

export type ShowInventoryQueryVariables = Exact<{
  by: ProviderRef;
  resourceClass: string;
}>;


export type ShowInventoryQuery = { resourceProvider: { inventory: { available: number, utilization: number | null, total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> } | null } | null };

export type NamedFragment = { uuid: string, name: string };

export type ProviderFieldsFragment = { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null };

export type InventoryFieldsFragment = { total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> };

export type FindProviderQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type FindProviderQuery = { resourceProvider: { uuid: string } | null };

export type ShowHostQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowHostQuery = { resourceProvider: { uuid: string, name: string, root: { uuid: string, name: string }, traits: Array<{ name: string }> } | null };

export type ListProvidersQueryVariables = Exact<{
  filter?: ResourceProviderFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ListProvidersQuery = { resourceProviders: { nodes: Array<{ generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowProviderQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowProviderQuery = { resourceProvider: { createdAt: string | null, updatedAt: string | null, isSharing: boolean, generation: number, uuid: string, name: string, children: Array<{ uuid: string, name: string }>, sharingProviders: Array<{ uuid: string, name: string }>, traits: Array<{ name: string }>, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> } | null };

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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProvider: { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null } }
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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProvider: { generation: number, uuid: string, name: string, root: { uuid: string, name: string }, parent: { uuid: string, name: string } | null, aggregates: Array<{ uuid: string, name: string | null }>, traits: Array<{ name: string, isStandard: boolean }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> } }
   };

export type DeleteProvidersMutationVariables = Exact<{
  input: DeleteResourceProvidersInput;
}>;


export type DeleteProvidersMutation = { deleteResourceProviders:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { changes: Array<{ uuid: string | null, name: string }> }
   };

export type NameProvidersQueryVariables = Exact<{
  uuids: Array<string> | string;
}>;


export type NameProvidersQuery = { resourceProviders: { nodes: Array<{ uuid: string, name: string }> } | null };

export type FindSimilarQueryVariables = Exact<{
  filter: ResourceProviderFilter;
}>;


export type FindSimilarQuery = { resourceProviders: { pageInfo: { hasNextPage: boolean } } | null };

export type QuotaFieldsFragment = { kind: QuotaOwnerKind, isDefault: boolean, limit: number, used: number | null, held: number | null, resourceClass: { name: string } | null, project: { projectId: string } | null, group: { name: string } | null };

export type ListQuotasQueryVariables = Exact<{
  filter?: QuotaFilter | null | undefined;
  orderBy?: Array<QuotaOrderInput> | QuotaOrderInput | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ListQuotasQuery = { quotas: { nodes: Array<{ kind: QuotaOwnerKind, isDefault: boolean, limit: number, used: number | null, held: number | null, resourceClass: { name: string } | null, project: { projectId: string } | null, group: { name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SetQuotasMutationVariables = Exact<{
  input: SetQuotasInput;
}>;


export type SetQuotasMutation = { setQuotas:
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string, path: Array<string> }
    | { __typename: 'OlderServerError', code: ErrorCode, message: string, path: Array<string> }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string, path: Array<string> }
    | { __typename: 'CommittedError', code: ErrorCode, message: string, path: Array<string> }
    | { __typename: 'SetQuotasPayload', projects: Array<{ projectId: string, quotas: Array<{ kind: QuotaOwnerKind, isDefault: boolean, limit: number, used: number | null, held: number | null, resourceClass: { name: string } | null, project: { projectId: string } | null, group: { name: string } | null }> }>, groups: Array<{ name: string, quotas: Array<{ kind: QuotaOwnerKind, isDefault: boolean, limit: number, used: number | null, held: number | null, resourceClass: { name: string } | null, project: { projectId: string } | null, group: { name: string } | null }> | null }>, defaults: Array<{ kind: QuotaOwnerKind, isDefault: boolean, limit: number, used: number | null, held: number | null, resourceClass: { name: string } | null, project: { projectId: string } | null, group: { name: string } | null }> }
   };

export type RebalanceMetricsFieldsFragment = { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null };

export type AmountFieldsFragment = { amount: number, resourceClass: { name: string } };

export type MovedAllocationFieldsFragment = { resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> };

export type PlanRebalanceQueryVariables = Exact<{
  input: RebalanceInput;
  whatIf?: WhatIfInput | null | undefined;
}>;


export type PlanRebalanceQuery = { planRebalance: { outcome: RebalanceOutcome, optimal: boolean, gain: number, moveCount: number, before: { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null }, after: { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null }, moves: Array<{ generation: number, traitsLost: Array<string>, consumer: { uuid: string, projectId: string | null, userId: string | null }, from: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, to: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> }> } | null };

export type StoredNodeFragment = { uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> };

export type ShowStoredTreeQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type ShowStoredTreeQuery = { resourceProvider: { uuid: string, name: string, descendants: Array<{ uuid: string, name: string, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> }>, parent: { uuid: string } | null, traits: Array<{ name: string, isStandard: boolean }>, aggregates: Array<{ uuid: string, name: string | null }>, inventories: Array<{ total: number, reserved: number, minUnit: number, maxUnit: number, stepSize: number, allocationRatio: number, capacity: number, used: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceProvider: { uuid: string, name: string } | null, resourceClass: { name: string } }> }> } | null };

export type ApplyTreeChangeFragment = { kind: ProviderTreeChangeKind, name: string };

export type ApplyTreeMutationVariables = Exact<{
  input: ApplyProviderTreeInput;
}>;


export type ApplyTreeMutation = { applyProviderTree:
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, violations: Array<{ message: string }> }
    | { code: ErrorCode, message: string, path: Array<string>, consumers: Array<{ uuid: string }> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { changes: Array<{ kind: ProviderTreeChangeKind, name: string }> }
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
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string>, violations: Array<{ message: string }> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { code: ErrorCode, message: string, path: Array<string> }
    | { resourceProviders: Array<{ uuid: string }> }
   };

export type WorkloadFailureFragment = { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null };

export type PlanWorkloadQueryVariables = Exact<{
  input: ClaimInput;
  plans: number;
  seed?: number | null | undefined;
  makeRoom?: MakeRoomInput | null | undefined;
}>;


export type PlanWorkloadQuery = { planWorkload: { outcome: WorkloadOutcome, failure: { message: string, member: string | null, fitIsLargest: boolean, members: Array<{ name: string, requested: number, fit: number }>, explanation: { summary: string } | null } | null, totalsBefore: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
        | { __typename: 'ResourceProvider', name: string }
        | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
        | { __typename: 'Trait', name: string }
       | null, resourceClass: { name: string } }>, plans: Array<{ seed: number, optimal: boolean, moves: Array<{ generation: number, traitsLost: Array<string>, consumer: { uuid: string }, from: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, to: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> }>, members: Array<{ name: string, requestIndex: number, rejectedRequests: Array<{ requestIndex: number, reason: string }> }>, consumers: Array<{ consumerUuid: string, member: string, traitsLost: Array<string>, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { uuid: string, name: string }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, mappings: Array<{ suffix: string, resourceProviders: Array<{ uuid: string, name: string }> }> } }>, topology: Array<{ rule: TopologyRule, outsideCount: number, domains: Array<{ consumerCount: number, domain:
            | { __typename: 'ResourceProvider', name: string }
            | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
           }> }>, rejectedTopologies: Array<{ alternativeIndex: number, reason: string }>, totalsAfter: Array<{ used: number, capacity: number, available: number, utilization: number | null, group:
          | { __typename: 'ResourceProvider', name: string }
          | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
          | { __typename: 'Trait', name: string }
         | null, resourceClass: { name: string } }> }> } | null };

export type RulePlacementFieldsFragment = { rule: TopologyRule, outsideCount: number, domains: Array<{ consumerCount: number, domain:
      | { __typename: 'ResourceProvider', name: string }
      | { __typename: 'Aggregate', uuid: string, aggregateName: string | null }
     }> };

export type RejectedTopologyFieldsFragment = { alternativeIndex: number, reason: string };

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
export const AmountFieldsFragmentDoc = new TypedDocumentString(`
    fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
    `, {"fragmentName":"AmountFields"}) as unknown as TypedDocumentString<AmountFieldsFragment, unknown>;
export const MovedAllocationFieldsFragmentDoc = new TypedDocumentString(`
    fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}`, {"fragmentName":"MovedAllocationFields"}) as unknown as TypedDocumentString<MovedAllocationFieldsFragment, unknown>;
export const AllocationRequestFieldsFragmentDoc = new TypedDocumentString(`
    fragment AllocationRequestFields on AllocationRequest {
  claimToken
  allocations {
    ...MovedAllocationFields
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
}
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
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
  expiresAt
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
    allowedUsage
    utilization
    isCounter
    consumes {
      resourceProvider {
        ...Named
      }
      resourceClass {
        name
      }
      amount
    }
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
export const ApplyTreesDifferenceFragmentDoc = new TypedDocumentString(`
    fragment ApplyTreesDifference on FleetDifference {
  provider
  part
  name
  before
  after
  outcome
}
    `, {"fragmentName":"ApplyTreesDifference"}) as unknown as TypedDocumentString<ApplyTreesDifferenceFragment, unknown>;
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
export const QuotaFieldsFragmentDoc = new TypedDocumentString(`
    fragment QuotaFields on Quota {
  kind
  isDefault
  resourceClass {
    name
  }
  limit
  used
  held
  project {
    projectId
  }
  group {
    name
  }
}
    `, {"fragmentName":"QuotaFields"}) as unknown as TypedDocumentString<QuotaFieldsFragment, unknown>;
export const RebalanceMetricsFieldsFragmentDoc = new TypedDocumentString(`
    fragment RebalanceMetricsFields on RebalanceMetrics {
  usedHosts
  maxUtilization
  overCapacityCount
  brokenRelationCount
  faultyConsumerCount
}
    `, {"fragmentName":"RebalanceMetricsFields"}) as unknown as TypedDocumentString<RebalanceMetricsFieldsFragment, unknown>;
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
  consumes {
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
}`, {"fragmentName":"InventoryFields"}) as unknown as TypedDocumentString<InventoryFieldsFragment, unknown>;
export const ProviderInventoriesFragmentDoc = new TypedDocumentString(`
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}`, {"fragmentName":"StoredNode"}) as unknown as TypedDocumentString<StoredNodeFragment, unknown>;
export const ApplyTreeChangeFragmentDoc = new TypedDocumentString(`
    fragment ApplyTreeChange on ProviderTreeChange {
  kind
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
export const RulePlacementFieldsFragmentDoc = new TypedDocumentString(`
    fragment RulePlacementFields on RulePlacement {
  rule
  outsideCount
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
    `, {"fragmentName":"RulePlacementFields"}) as unknown as TypedDocumentString<RulePlacementFieldsFragment, unknown>;
export const RejectedTopologyFieldsFragmentDoc = new TypedDocumentString(`
    fragment RejectedTopologyFields on RejectedTopology {
  alternativeIndex
  reason
}
    `, {"fragmentName":"RejectedTopologyFields"}) as unknown as TypedDocumentString<RejectedTopologyFieldsFragment, unknown>;
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
export const FindAggregateNameDocument = new TypedDocumentString(`
    query FindAggregateName($uuid: UUID!) {
  aggregate(by: {uuid: $uuid}) {
    name
  }
}
    `) as unknown as TypedDocumentString<FindAggregateNameQuery, FindAggregateNameQueryVariables>;
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
export const UpdateAggregateMembersDocument = new TypedDocumentString(`
    mutation UpdateAggregateMembers($input: UpdateAggregateMembersInput!) {
  updateAggregateMembers(input: $input) {
    ...Rejection
    ... on UpdateAggregateMembersPayload {
      resourceProviders {
        ...Named
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
}`) as unknown as TypedDocumentString<UpdateAggregateMembersMutation, UpdateAggregateMembersMutationVariables>;
export const DeleteAggregatesDocument = new TypedDocumentString(`
    mutation DeleteAggregates($aggregates: [AggregateRef!]!) {
  deleteAggregates(input: {aggregates: $aggregates}) {
    ...Rejection
    ... on DeleteAggregatesPayload {
      uuids
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<DeleteAggregatesMutation, DeleteAggregatesMutationVariables>;
export const ListCandidatesDocument = new TypedDocumentString(`
    query ListCandidates($request: AllocationCandidatesInput!, $limit: Int, $whatIf: WhatIfInput) {
  allocationCandidates(request: $request, limit: $limit, whatIf: $whatIf) {
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
    ...MovedAllocationFields
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
}
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
}`) as unknown as TypedDocumentString<ListCandidatesQuery, ListCandidatesQueryVariables>;
export const ExplainDocument = new TypedDocumentString(`
    query Explain($request: AllocationCandidatesInput!, $whatIf: WhatIfInput) {
  allocationCandidates(request: $request, limit: 1, whatIf: $whatIf) {
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
    query CountHeadroom($request: AllocationCandidatesInput!, $upTo: Int!, $whatIf: WhatIfInput) {
  headroom(request: $request, upTo: $upTo, whatIf: $whatIf) {
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
      members {
        ...MemberPlacementFields
      }
      topology {
        ...RulePlacementFields
      }
      rejectedTopologies {
        ...RejectedTopologyFields
      }
      claims {
        consumer {
          ...ConsumerFields
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
  expiresAt
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
fragment RulePlacementFields on RulePlacement {
  rule
  outsideCount
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
fragment RejectedTopologyFields on RejectedTopology {
  alternativeIndex
  reason
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
    query PlanDrain($from: TreesInput!, $requests: [DrainRequestInput!]!, $keepTraits: Boolean!, $keepAggregates: Boolean!, $whatIf: WhatIfInput, $after: String) {
  planDrain(
    from: $from
    requests: $requests
    keepTraits: $keepTraits
    keepAggregates: $keepAggregates
    whatIf: $whatIf
    after: $after
  ) {
    complete
    next
    roots {
      ...Named
    }
    moves {
      code
      requestSource
      consumer {
        ...ConsumerFields
        workload {
          name
        }
        request {
          input
        }
      }
      movedToSharing {
        ...AmountFields
      }
      movedFromSharing {
        ...AmountFields
      }
      traitsLost
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
    ...MovedAllocationFields
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
  expiresAt
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
}
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
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
    query ListClasses($filter: ResourceClassFilter) {
  resourceClasses(filter: $filter) {
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
  expiresAt
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
    request {
      isOutdated
      input
    }
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
  expiresAt
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
export const ShowRootDocument = new TypedDocumentString(`
    query ShowRoot($by: ProviderRef!) {
  resourceProvider(by: $by) {
    root {
      ...Named
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowRootQuery, ShowRootQueryVariables>;
export const ShowConsumerDocument = new TypedDocumentString(`
    query ShowConsumer($uuid: UUID!) {
  consumer(uuid: $uuid) {
    ...ConsumerFields
    workload {
      name
    }
    request {
      isOutdated
      input
    }
  }
}
    fragment ConsumerFields on Consumer {
  uuid
  generation
  projectId
  userId
  expiresAt
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
  expiresAt
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
export const ExtendConsumersDocument = new TypedDocumentString(`
    mutation ExtendConsumers($input: ExtendConsumersInput!) {
  extendConsumers(input: $input) {
    ...Rejection
    ... on ExtendConsumersPayload {
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
  expiresAt
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
}`) as unknown as TypedDocumentString<ExtendConsumersMutation, ExtendConsumersMutationVariables>;
export const ConfirmConsumersDocument = new TypedDocumentString(`
    mutation ConfirmConsumers($input: ConfirmConsumersInput!) {
  confirmConsumers(input: $input) {
    ...Rejection
    ... on ConfirmConsumersPayload {
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
  expiresAt
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
}`) as unknown as TypedDocumentString<ConfirmConsumersMutation, ConfirmConsumersMutationVariables>;
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
  expiresAt
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
    allowedUsage
    utilization
    isCounter
    consumes {
      resourceProvider {
        ...Named
      }
      resourceClass {
        name
      }
      amount
    }
  }
}
fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowTreeUsageQuery, ShowTreeUsageQueryVariables>;
export const ShowProjectUsageDocument = new TypedDocumentString(`
    query ShowProjectUsage($projectId: String!, $userId: String) {
  workloads(projectId: $projectId, first: 100) {
    nodes {
      name
      members {
        name
        consumerCount
      }
    }
  }
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
    orderBy: {treeUtilization: {resourceClass: $resourceClass, direction: $direction}}
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
export const ApplyTreesDocument = new TypedDocumentString(`
    mutation ApplyTrees($input: ApplyProviderTreesInput!) {
  applyProviderTrees(input: $input) {
    ...Rejection
    ... on ApplyProviderTreesPayload {
      claimed
      released
      differences {
        ...ApplyTreesDifference
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment ApplyTreesDifference on FleetDifference {
  provider
  part
  name
  before
  after
  outcome
}`) as unknown as TypedDocumentString<ApplyTreesMutation, ApplyTreesMutationVariables>;
export const OwnedTreesDocument = new TypedDocumentString(`
    query OwnedTrees($owner: String!, $first: Int!, $after: String) {
  fleetOwners(name: $owner) {
    trees(first: $first, after: $after) {
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
}`) as unknown as TypedDocumentString<OwnedTreesQuery, OwnedTreesQueryVariables>;
export const OwnedRootsDocument = new TypedDocumentString(`
    query OwnedRoots($owner: String!, $first: Int!, $after: String) {
  fleetOwners(name: $owner) {
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
}`) as unknown as TypedDocumentString<OwnedRootsQuery, OwnedRootsQueryVariables>;
export const ConsumersOfTypeDocument = new TypedDocumentString(`
    query ConsumersOfType($type: String!, $first: Int!, $after: String) {
  consumers(filter: {type: {name: $type}}, first: $first, after: $after) {
    nodes {
      uuid
    }
    pageInfo {
      ...Page
    }
  }
}
    fragment Page on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<ConsumersOfTypeQuery, ConsumersOfTypeQueryVariables>;
export const TreesOfConsumersDocument = new TypedDocumentString(`
    query TreesOfConsumers($uuidIn: [UUID!]!, $first: Int!, $after: String) {
  consumers(filter: {uuidIn: $uuidIn}, first: $first, after: $after) {
    nodes {
      uuid
      allocations {
        resourceProvider {
          root {
            uuid
          }
        }
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
}`) as unknown as TypedDocumentString<TreesOfConsumersQuery, TreesOfConsumersQueryVariables>;
export const FindRootDocument = new TypedDocumentString(`
    query FindRoot($name: String!) {
  resourceProvider(by: {name: $name}) {
    root {
      ...Named
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<FindRootQuery, FindRootQueryVariables>;
export const FindAggregateDocument = new TypedDocumentString(`
    query FindAggregate($by: AggregateRef!) {
  aggregate(by: $by) {
    uuid
  }
}
    `) as unknown as TypedDocumentString<FindAggregateQuery, FindAggregateQueryVariables>;
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}`) as unknown as TypedDocumentString<ShowInventoryQuery, ShowInventoryQueryVariables>;
export const FindProviderDocument = new TypedDocumentString(`
    query FindProvider($by: ProviderRef!) {
  resourceProvider(by: $by) {
    uuid
  }
}
    `) as unknown as TypedDocumentString<FindProviderQuery, FindProviderQueryVariables>;
export const ShowHostDocument = new TypedDocumentString(`
    query ShowHost($by: ProviderRef!) {
  resourceProvider(by: $by) {
    ...Named
    root {
      ...Named
    }
    traits {
      name
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<ShowHostQuery, ShowHostQueryVariables>;
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
}`) as unknown as TypedDocumentString<UpdateProviderMutation, UpdateProviderMutationVariables>;
export const DeleteProvidersDocument = new TypedDocumentString(`
    mutation DeleteProviders($input: DeleteResourceProvidersInput!) {
  deleteResourceProviders(input: $input) {
    ...Rejection
    ... on DeleteResourceProvidersPayload {
      changes {
        uuid
        name
      }
    }
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<DeleteProvidersMutation, DeleteProvidersMutationVariables>;
export const NameProvidersDocument = new TypedDocumentString(`
    query NameProviders($uuids: [UUID!]!) {
  resourceProviders(filter: {uuidIn: $uuids}, first: 100) {
    nodes {
      ...Named
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}`) as unknown as TypedDocumentString<NameProvidersQuery, NameProvidersQueryVariables>;
export const FindSimilarDocument = new TypedDocumentString(`
    query FindSimilar($filter: ResourceProviderFilter!) {
  resourceProviders(filter: $filter, first: 0) {
    pageInfo {
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<FindSimilarQuery, FindSimilarQueryVariables>;
export const ListQuotasDocument = new TypedDocumentString(`
    query ListQuotas($filter: QuotaFilter, $orderBy: [QuotaOrderInput!], $first: Int!, $after: String) {
  quotas(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    nodes {
      ...QuotaFields
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
fragment QuotaFields on Quota {
  kind
  isDefault
  resourceClass {
    name
  }
  limit
  used
  held
  project {
    projectId
  }
  group {
    name
  }
}`) as unknown as TypedDocumentString<ListQuotasQuery, ListQuotasQueryVariables>;
export const SetQuotasDocument = new TypedDocumentString(`
    mutation SetQuotas($input: SetQuotasInput!) {
  setQuotas(input: $input) {
    __typename
    ... on SetQuotasPayload {
      projects {
        projectId
        quotas {
          ...QuotaFields
        }
      }
      groups {
        name
        quotas {
          ...QuotaFields
        }
      }
      defaults {
        ...QuotaFields
      }
    }
    ...Rejection
  }
}
    fragment Rejection on UserError {
  code
  message
  path
}
fragment QuotaFields on Quota {
  kind
  isDefault
  resourceClass {
    name
  }
  limit
  used
  held
  project {
    projectId
  }
  group {
    name
  }
}`) as unknown as TypedDocumentString<SetQuotasMutation, SetQuotasMutationVariables>;
export const PlanRebalanceDocument = new TypedDocumentString(`
    query PlanRebalance($input: RebalanceInput!, $whatIf: WhatIfInput) {
  planRebalance(input: $input, whatIf: $whatIf) {
    outcome
    optimal
    gain
    moveCount
    before {
      ...RebalanceMetricsFields
    }
    after {
      ...RebalanceMetricsFields
    }
    moves {
      generation
      traitsLost
      consumer {
        uuid
        projectId
        userId
      }
      from {
        ...MovedAllocationFields
      }
      to {
        ...MovedAllocationFields
      }
    }
  }
}
    fragment Named on ResourceProvider {
  uuid
  name
}
fragment RebalanceMetricsFields on RebalanceMetrics {
  usedHosts
  maxUtilization
  overCapacityCount
  brokenRelationCount
  faultyConsumerCount
}
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
}`) as unknown as TypedDocumentString<PlanRebalanceQuery, PlanRebalanceQueryVariables>;
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
  consumes {
    resourceProvider {
      ...Named
    }
    resourceClass {
      name
    }
    amount
  }
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
    query PlanWorkload($input: ClaimInput!, $plans: Int!, $seed: Int, $makeRoom: MakeRoomInput) {
  planWorkload(input: $input, plans: $plans, seed: $seed, makeRoom: $makeRoom) {
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
      moves {
        consumer {
          uuid
        }
        generation
        from {
          ...MovedAllocationFields
        }
        to {
          ...MovedAllocationFields
        }
        traitsLost
      }
      members {
        ...MemberPlacementFields
      }
      consumers {
        consumerUuid
        member
        traitsLost
        allocationRequest {
          ...AllocationRequestFields
        }
      }
      topology {
        ...RulePlacementFields
      }
      rejectedTopologies {
        ...RejectedTopologyFields
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
    ...MovedAllocationFields
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
fragment AmountFields on ResourceAmount {
  resourceClass {
    name
  }
  amount
}
fragment MovedAllocationFields on ProviderAllocation {
  resourceProvider {
    ...Named
  }
  resources {
    ...AmountFields
  }
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
fragment RulePlacementFields on RulePlacement {
  rule
  outsideCount
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
fragment RejectedTopologyFields on RejectedTopology {
  alternativeIndex
  reason
}
fragment MemberPlacementFields on MemberPlacement {
  name
  requestIndex
  rejectedRequests {
    requestIndex
    reason
  }
}`) as unknown as TypedDocumentString<PlanWorkloadQuery, PlanWorkloadQueryVariables>;