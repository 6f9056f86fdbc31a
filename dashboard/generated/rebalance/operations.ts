/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
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

export type MetricsFragment = { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null };

export type PartFragment = { resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> };

export type PlanRebalanceQueryVariables = Exact<{
  input: RebalanceInput;
}>;


export type PlanRebalanceQuery = { planRebalance: { outcome: RebalanceOutcome, gain: number, optimal: boolean, before: { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null }, after: { usedHosts: number, maxUtilization: number, overCapacityCount: number, brokenRelationCount: number | null, faultyConsumerCount: number | null }, moves: Array<{ generation: number, traitsLost: Array<string>, claimToken: string, consumer: { uuid: string, projectId: string | null, userId: string | null, type: { name: string } | null }, from: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }>, to: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> }> } | null };

export const MetricsFragmentDoc = gql`
    fragment Metrics on RebalanceMetrics {
  usedHosts
  maxUtilization
  overCapacityCount
  brokenRelationCount
  faultyConsumerCount
}
    ` as unknown as DocumentNode<MetricsFragment, unknown>;
export const PartFragmentDoc = gql`
    fragment Part on ProviderAllocation {
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
    ` as unknown as DocumentNode<PartFragment, unknown>;
export const PlanRebalanceDocument = gql`
    query PlanRebalance($input: RebalanceInput!) {
  planRebalance(input: $input) {
    outcome
    gain
    optimal
    before {
      ...Metrics
    }
    after {
      ...Metrics
    }
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
        ...Part
      }
      to {
        ...Part
      }
    }
  }
}
    ${MetricsFragmentDoc}
${PartFragmentDoc}` as unknown as DocumentNode<PlanRebalanceQuery, PlanRebalanceQueryVariables>;