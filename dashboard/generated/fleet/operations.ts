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

export type FleetMapQueryVariables = Exact<{
  resourceClass: string;
  byAggregate: boolean;
  traits: Array<string> | string;
}>;


export type FleetMapQuery = { fleetMap: { names: Array<string>, used: Array<number>, available: Array<number>, capacities: Array<number>, aggregates?: Array<{ trees: Array<number>, aggregate: { uuid: string, name: string | null } | null }>, traits: Array<{ trees: Array<number>, trait: { name: string } | null }> } | null };

export type FleetMapOfTreesQueryVariables = Exact<{
  resourceClass: string;
  inTrees: Array<ProviderRef> | ProviderRef;
}>;


export type FleetMapOfTreesQuery = { fleetMap: { names: Array<string>, used: Array<number>, available: Array<number>, capacities: Array<number> } | null };

export type FleetTotalsQueryVariables = Exact<{ [key: string]: never; }>;


export type FleetTotalsQuery = { fleetTotals: { nodes: Array<{ used: number, available: number, capacity: number, resourceClass: { name: string } }> } | null };

export type TraitNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type TraitNamesQuery = { traits: Array<{ name: string }> | null };

export type ZoneNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type ZoneNamesQuery = { aggregates: { nodes: Array<{ uuid: string, name: string | null }> } | null };

export type AnyHostQueryVariables = Exact<{ [key: string]: never; }>;


export type AnyHostQuery = { resourceProviders: { nodes: Array<{ uuid: string }> } | null };

export type FlavorHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
  whatIf?: WhatIfInput | null | undefined;
}>;


export type FlavorHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean } | null };

export type FleetChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type FleetChangesSubscription = { resourceProviderChanged: { uuid: string, kinds: Array<ResourceProviderChangeKind> } };


export const FleetMapDocument = gql`
    query FleetMap($resourceClass: String!, $byAggregate: Boolean!, $traits: [String!]!) {
  fleetMap(resourceClass: $resourceClass) {
    names
    capacities: allowedUsages
    used
    available
    aggregates @include(if: $byAggregate) {
      aggregate {
        uuid
        name
      }
      trees
    }
    traits(names: $traits) {
      trait {
        name
      }
      trees
    }
  }
}
    ` as unknown as DocumentNode<FleetMapQuery, FleetMapQueryVariables>;
export const FleetMapOfTreesDocument = gql`
    query FleetMapOfTrees($resourceClass: String!, $inTrees: [ProviderRef!]!) {
  fleetMap(resourceClass: $resourceClass, inTrees: $inTrees) {
    names
    capacities: allowedUsages
    used
    available
  }
}
    ` as unknown as DocumentNode<FleetMapOfTreesQuery, FleetMapOfTreesQueryVariables>;
export const FleetTotalsDocument = gql`
    query FleetTotals {
  fleetTotals(first: 1000) {
    nodes {
      resourceClass {
        name
      }
      capacity: allowedUsage
      used
      available
    }
  }
}
    ` as unknown as DocumentNode<FleetTotalsQuery, FleetTotalsQueryVariables>;
export const TraitNamesDocument = gql`
    query TraitNames {
  traits(filter: {associated: true}) {
    name
  }
}
    ` as unknown as DocumentNode<TraitNamesQuery, TraitNamesQueryVariables>;
export const ZoneNamesDocument = gql`
    query ZoneNames {
  aggregates(first: 1000) {
    nodes {
      uuid
      name
    }
  }
}
    ` as unknown as DocumentNode<ZoneNamesQuery, ZoneNamesQueryVariables>;
export const AnyHostDocument = gql`
    query AnyHost {
  resourceProviders(first: 1) {
    nodes {
      uuid
    }
  }
}
    ` as unknown as DocumentNode<AnyHostQuery, AnyHostQueryVariables>;
export const FlavorHeadroomDocument = gql`
    query FlavorHeadroom($request: AllocationCandidatesInput!, $upTo: Int!, $whatIf: WhatIfInput) {
  headroom(request: $request, upTo: $upTo, whatIf: $whatIf) {
    count
    exact
    reachedUpTo
  }
}
    ` as unknown as DocumentNode<FlavorHeadroomQuery, FlavorHeadroomQueryVariables>;
export const FleetChangesDocument = gql`
    subscription FleetChanges {
  resourceProviderChanged {
    uuid
    kinds
  }
}
    ` as unknown as DocumentNode<FleetChangesSubscription, FleetChangesSubscriptionVariables>;