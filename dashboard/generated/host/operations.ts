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

/** The desired state of a whole tree. */
export type ApplyProviderTreeInput = {
  /** The consumers to reallocate, each once with its whole final set. If omitted, removing inventories or providers in use fails with RESHAPE_NEEDED. */
  allocations?: Array<ConsumerAllocationsInput> | null | undefined;
  /** True validates everything and changes nothing. */
  dryRun?: boolean;
  /** The root and its descendants. Its uuid may not name a provider with a parent. */
  root: DesiredProviderInput;
};

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

/** A preferred trait. */
export type TraitPreferenceInput = {
  /** The name of the trait. Fails with INVALID_INPUT if it is unknown. */
  trait: string;
  /** The weight; negative: to avoid. Defaults to 1. */
  weight?: number;
};

export type HostQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type HostQuery = { resourceProvider: { uuid: string, name: string, root: { uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, treeTotals: Array<{ capacity: number, used: number, resourceClass: { name: string } }>, descendants: Array<{ uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, capacity: number, used: number, resourceClass: { name: string } }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> }>, sharingProviders: Array<{ uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, capacity: number, used: number, resourceClass: { name: string } }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> }>, treeConsumers: { totalCount: number | null, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string, name: string } | null }> }> }, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, capacity: number, used: number, resourceClass: { name: string } }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> } } | null };

export type HostProviderFragment = { uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, capacity: number, used: number, resourceClass: { name: string } }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> };

export type ConsumersOfHostQueryVariables = Exact<{
  resourceProvider: ProviderRef;
}>;


export type ConsumersOfHostQuery = { consumers: { nodes: Array<{ uuid: string, allocations: Array<{ amount: number, resourceClass: { name: string } }> }> } | null };

export type DrainOfHostQueryVariables = Exact<{
  resourceProvider: ProviderRef;
  requests: Array<DrainRequestInput> | DrainRequestInput;
}>;


export type DrainOfHostQuery = { planDrain: { complete: boolean, moves: Array<{ consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, type: { name: string } | null, allocations: Array<{ amount: number, resourceClass: { name: string } }> }, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } | null }>, totalsAfter: Array<{ capacity: number, used: number, resourceClass: { name: string } }> } | null };

export type HostChangesSubscriptionVariables = Exact<{
  inTree?: ProviderRef | null | undefined;
}>;


export type HostChangesSubscription = { resourceProviderChanged: { uuid: string, kinds: Array<ResourceProviderChangeKind>, generation: number | null, cursor: string, resourceProvider: { name: string } | null } };

export type MoveAllMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type MoveAllMutation = { setAllocations:
    | { __typename: 'CapacityExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NoInventoryError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'SetAllocationsPayload', consumers: Array<{ uuid: string }> }
    | { __typename: 'UnitViolationError', code: ErrorCode, message: string }
   };

export type ApplyTreeMutationVariables = Exact<{
  input: ApplyProviderTreeInput;
}>;


export type ApplyTreeMutation = { applyProviderTree:
    | { __typename: 'ApplyProviderTreePayload', changes: Array<{ kind: ProviderTreeChangeKind, name: string }>, root: { uuid: string, traits: Array<{ name: string }> } | null }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'DuplicateNameError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'ProviderGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'ReshapeNeededError', code: ErrorCode, message: string }
    | { __typename: 'ReshapeRefusedError', code: ErrorCode, message: string }
   };

export type DeleteHostMutationVariables = Exact<{
  input: DeleteResourceProviderInput;
}>;


export type DeleteHostMutation = { deleteResourceProvider:
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'DeleteResourceProviderPayload' }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'ProviderHasChildrenError', code: ErrorCode, message: string }
    | { __typename: 'ProviderInUseError', code: ErrorCode, message: string }
   };

export const HostProviderFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HostProvider"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceProvider"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"reserved"}},{"kind":"Field","name":{"kind":"Name","value":"allocationRatio"}},{"kind":"Field","name":{"kind":"Name","value":"minUnit"}},{"kind":"Field","name":{"kind":"Name","value":"maxUnit"}},{"kind":"Field","name":{"kind":"Name","value":"stepSize"}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<HostProviderFragment, unknown>;
export const HostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Host"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRef"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HostProvider"}},{"kind":"Field","name":{"kind":"Name","value":"treeTotals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}},{"kind":"Field","name":{"kind":"Name","value":"descendants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HostProvider"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sharingProviders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HostProvider"}}]}},{"kind":"Field","name":{"kind":"Name","value":"treeConsumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HostProvider"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceProvider"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"reserved"}},{"kind":"Field","name":{"kind":"Name","value":"allocationRatio"}},{"kind":"Field","name":{"kind":"Name","value":"minUnit"}},{"kind":"Field","name":{"kind":"Name","value":"maxUnit"}},{"kind":"Field","name":{"kind":"Name","value":"stepSize"}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<HostQuery, HostQueryVariables>;
export const ConsumersOfHostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConsumersOfHost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resourceProvider"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRef"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"inTree"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resourceProvider"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConsumersOfHostQuery, ConsumersOfHostQueryVariables>;
export const DrainOfHostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DrainOfHost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resourceProvider"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRef"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"requests"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DrainRequestInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planDrain"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"resourceProvider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resourceProvider"}}},{"kind":"Argument","name":{"kind":"Name","value":"requests"},"value":{"kind":"Variable","name":{"kind":"Name","value":"requests"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"moves"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"type"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocationRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"claimToken"}},{"kind":"Field","name":{"kind":"Name","value":"allocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSharing"}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalsAfter"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClass"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capacity"}},{"kind":"Field","name":{"kind":"Name","value":"used"}}]}}]}}]}}]} as unknown as DocumentNode<DrainOfHostQuery, DrainOfHostQueryVariables>;
export const HostChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"HostChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"inTree"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRef"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceProviderChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"inTree"},"value":{"kind":"Variable","name":{"kind":"Name","value":"inTree"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<HostChangesSubscription, HostChangesSubscriptionVariables>;
export const MoveAllDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MoveAll"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setAllocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetAllocationsPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"consumers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<MoveAllMutation, MoveAllMutationVariables>;
export const ApplyTreeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ApplyTree"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ApplyProviderTreeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"applyProviderTree"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApplyProviderTreePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"root"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<ApplyTreeMutation, ApplyTreeMutationVariables>;
export const DeleteHostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteHost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteResourceProviderInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteResourceProvider"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteHostMutation, DeleteHostMutationVariables>;