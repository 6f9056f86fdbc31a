/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The request: at least one group has resources. Unknown traits and resource classes fail with INVALID_INPUT. In lists of lists, the outer list is AND and the inner list is OR. */
export type AllocationCandidatesInput = {
  /** The request groups, at most 256, each suffix once. */
  groups: Array<RequestGroupInput>;
  /** Whether one provider may serve several granular groups. */
  groupPolicy?: GroupPolicy;
  /** Conditions on the positions of granular groups in a tree; all must hold. */
  sameSubtree?: Array<SubtreeAffinityInput>;
  /** Suffixes of granular groups whose provider may serve no other group. Excludes groupPolicy ISOLATE. */
  isolate?: Array<string>;
  /** Traits that the root of the tree must have. */
  rootRequiredTraits?: Array<Array<string>>;
  /** Traits that the root of the tree must not have. */
  rootForbiddenTraits?: Array<string>;
  /** Aggregates that must contain the root of the tree. */
  rootMemberOf?: Array<Array<AggregateRef>>;
  /** Aggregates that must not contain the root of the tree. */
  rootForbiddenAggregates?: Array<AggregateRef>;
  /** Trees to exclude entirely, sharing providers included. Unknown uuids have no effect. */
  notInTrees?: Array<ProviderRef>;
  /** Consumers whose trees are excluded. Their allocations on sharing providers do not count. */
  awayFromConsumers?: Array<string>;
  /** Consumers to whose trees the search is restricted. Their allocations on sharing providers do not count. */
  nearConsumers?: Array<string>;
  /** The terms of the order; the first that distinguishes two candidates decides. A limit returns the best. Defaults to a seeded order that favours no tree. */
  orderBy?: Array<CandidateOrderInput>;
  /** Makes the order repeatable; with orderBy, that of equal candidates. Defaults to a random seed. */
  seed?: number | null | undefined;
};

/** A part of a request. The unsuffixed group may use several providers of a tree and linked sharing providers; one provider serves a granular group (with a suffix). In lists of lists, the outer list is AND and the inner list is OR. */
export type RequestGroupInput = {
  /** The amounts, each class once. May be empty if a subtree condition names the group. */
  resources?: Array<ResourceAmountInput>;
  /** Traits that the group's provider must have; in the unsuffixed group, its providers together. */
  requiredTraits?: Array<Array<string>>;
  /** Traits that no provider of the group may have. */
  forbiddenTraits?: Array<string>;
  /** Aggregates that must contain each provider of the group; in the unsuffixed group, it or its root. An unknown uuid matches no provider. */
  memberOf?: Array<Array<AggregateRef>>;
  /** Aggregates that may contain no provider of the group nor, for the unsuffixed group, the root. Unknown uuids have no effect. */
  forbiddenAggregates?: Array<AggregateRef>;
  /** The name of a granular group: 1 to 64 of A-Z, a-z, 0-9, _ and -. Defaults to "": unsuffixed. */
  suffix?: string;
  /** Only the tree of this provider. An unknown uuid matches no provider. */
  inTree?: ProviderRef | null | undefined;
  /** Only this provider and its descendants. An unknown uuid matches no provider. */
  inSubtree?: ProviderRef | null | undefined;
  /** Classes of the unsuffixed group whose amount may be split over the fewest possible providers of the tree. Sharing providers take the whole amount or nothing. */
  canSplit?: Array<string>;
};

/** An amount of one resource class. */
export type ResourceAmountInput = {
  /** The name of the resource class, standard or custom. Fails with INVALID_INPUT if it is unknown. */
  resourceClass: string;
  /** The amount in units of the class (MEMORY_MB: mebibytes), at least 1. Fails with INVALID_INPUT if it is less. */
  amount: number;
};

/** Identifies an aggregate by its uuid or its name. */
export type AggregateRef =
  {   /** The uuid of the aggregate. */
  uuid: string; name?: never; }
  |  { uuid?: never;   /** The whole name, as set by nameAggregate. */
  name: string; };

/** Identifies a provider by its uuid or its name. */
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

/** The provider of one of `groups` has the providers of all of them in its subtree, and none of `except`. */
export type SubtreeAffinityInput = {
  /** Suffixes of granular groups, at least one, each once. */
  groups: Array<string>;
  /** Suffixes of granular groups to keep out of the subtree. */
  except?: Array<string>;
};

/** A term of the order of candidates. */
export type CandidateOrderInput =
  {   /** The free share of a resource class after the claim. */
  freeShare: FreeShareInput; fewestProviders?: never; preferTraits?: never; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never;   /** The fewest providers first. Must be true. */
  fewestProviders: boolean; preferTraits?: never; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never;   /** The largest sum of the weights of the listed traits first. A trait counts if a provider of the candidate that is not a sharing one, or the root of its tree, has it. */
  preferTraits: Array<TraitPreferenceInput>; preferAggregates?: never; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never; preferTraits?: never;   /** The largest sum of the weights of the listed aggregates first. An aggregate counts if it contains a provider of the candidate that is not a sharing one, or the root of its tree. */
  preferAggregates: Array<AggregatePreferenceInput>; nearConsumers?: never; }
  |  { freeShare?: never; fewestProviders?: never; preferTraits?: never; preferAggregates?: never;   /** Candidates in the trees of the most listed consumers first. Their allocations on sharing providers do not count. */
  nearConsumers: Array<string>; };

/** Compares the share of a resource class that a candidate leaves free on its providers. */
export type FreeShareInput = {
  /** The name of the resource class. Fails with INVALID_INPUT if no group of the request asks for it. */
  resourceClass: string;
  /** Which share comes first. */
  strategy: CandidateStrategy;
};

/** Whether a large or a small free share comes first. */
export type CandidateStrategy =
  /** The largest free share first, to spread load. */
  | 'SPREAD'
  /** The smallest free share first, to keep large free amounts elsewhere. */
  | 'PACK';

/** A preferred trait. */
export type TraitPreferenceInput = {
  /** The name of the trait. Fails with INVALID_INPUT if it is unknown. */
  trait: string;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
};

/** A preferred aggregate. */
export type AggregatePreferenceInput = {
  /** The aggregate. An unknown uuid matches no provider. */
  aggregate: AggregateRef;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
};

/** The kind of a change of a provider. */
export type ResourceProviderChangeKind =
  /** Created. The same event lists its initial inventories and traits. */
  | 'CREATED'
  /** Deleted. The event lists no other kinds. */
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