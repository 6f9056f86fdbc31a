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

/** Whether granular groups may be served by the same provider. */
export type GroupPolicy =
  /** Each granular group has a provider of its own; the unsuffixed group is exempt. For some groups only: `isolate`. */
  | 'ISOLATE'
  /** They may. */
  | 'NONE';

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

/** One of the providers that serve `groups` must be an ancestor of, or the same as, every other one of them; none of the providers that serve `except` may be in that provider's subtree. */
export type SubtreeAffinityInput = {
  /** Suffixes of other granular groups of this request, each once: those to keep out of the subtree. */
  except?: Array<string>;
  /** Suffixes of granular groups of this request, at least one, each once. */
  groups: Array<string>;
};

export type FleetMapQueryVariables = Exact<{
  resourceClass: string;
  byAggregate: boolean;
  traits: Array<string> | string;
}>;


export type FleetMapQuery = { fleetMap: { names: Array<string>, capacities: Array<number>, used: Array<number>, aggregates?: Array<{ trees: Array<number>, aggregate: { uuid: string, name: string | null } | null }>, traits: Array<{ trees: Array<number>, trait: { name: string } | null }> } | null };

export type FleetMapOfTreesQueryVariables = Exact<{
  resourceClass: string;
  inTrees: Array<ProviderRef> | ProviderRef;
}>;


export type FleetMapOfTreesQuery = { fleetMap: { names: Array<string>, capacities: Array<number>, used: Array<number> } | null };

export type FleetTotalsQueryVariables = Exact<{ [key: string]: never; }>;


export type FleetTotalsQuery = { fleetTotals: { nodes: Array<{ capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type TraitNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type TraitNamesQuery = { traits: Array<{ name: string }> | null };

export type ZoneNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type ZoneNamesQuery = { aggregates: { nodes: Array<{ uuid: string, name: string | null }> } | null };

export type FlavorHeadroomQueryVariables = Exact<{
  request: AllocationCandidatesInput;
  upTo: number;
}>;


export type FlavorHeadroomQuery = { headroom: { count: number, exact: boolean, reachedUpTo: boolean } | null };

export type FleetChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type FleetChangesSubscription = { resourceProviderChanged: { uuid: string, kinds: Array<ResourceProviderChangeKind> } };


export const FleetMapDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetMap"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resourceClass"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"byAggregate"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"traits"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fleetMap"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"resourceClass"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resourceClass"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"capacities"}},{"kind":"Field","name":{"kind":"Name","value":"used"}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"byAggregate"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"aggregate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"trees"}}]}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"names"},"value":{"kind":"Variable","name":{"kind":"Name","value":"traits"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trait"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"trees"}}]}}]}}]}}]} as unknown as DocumentNode<FleetMapQuery, FleetMapQueryVariables>;
export const FleetMapOfTreesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetMapOfTrees"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resourceClass"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"inTrees"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRef"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fleetMap"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"resourceClass"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resourceClass"}}},{"kind":"Argument","name":{"kind":"Name","value":"inTrees"},"value":{"kind":"Variable","name":{"kind":"Name","value":"inTrees"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"names"}},{"kind":"Field","name":{"kind":"Name","value":"capacities"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]} as unknown as DocumentNode<FleetMapOfTreesQuery, FleetMapOfTreesQueryVariables>;
export const FleetTotalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetTotals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fleetTotals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]}}]} as unknown as DocumentNode<FleetTotalsQuery, FleetTotalsQueryVariables>;
export const TraitNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TraitNames"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"traits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"associated"},"value":{"kind":"BooleanValue","value":true}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<TraitNamesQuery, TraitNamesQueryVariables>;
export const ZoneNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ZoneNames"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ZoneNamesQuery, ZoneNamesQueryVariables>;
export const FlavorHeadroomDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FlavorHeadroom"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"request"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllocationCandidatesInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"headroom"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"request"},"value":{"kind":"Variable","name":{"kind":"Name","value":"request"}}},{"kind":"Argument","name":{"kind":"Name","value":"upTo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"upTo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"reachedUpTo"}}]}}]}}]} as unknown as DocumentNode<FlavorHeadroomQuery, FlavorHeadroomQueryVariables>;
export const FleetChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"FleetChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProviderChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}}]}}]}}]} as unknown as DocumentNode<FleetChangesSubscription, FleetChangesSubscriptionVariables>;