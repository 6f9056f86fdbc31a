/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
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

/** The provider to delete. */
export type DeleteResourceProviderInput = {
  /** The provider. */
  resourceProvider: ProviderRef;
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

export type HostQueryVariables = Exact<{
  by: ProviderRef;
}>;


export type HostQuery = { resourceProvider: { uuid: string, name: string, root: { uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, treeTotals: Array<{ used: number, capacity: number, resourceClass: { name: string } }>, descendants: Array<{ uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, used: number, available: number, isCounter: boolean, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string } | null }> }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> }>, sharingProviders: Array<{ uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, used: number, available: number, isCounter: boolean, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string } | null }> }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> }>, treeConsumers: { totalCount: number | null, nodes: Array<{ uuid: string, projectId: string | null, userId: string | null, createdAt: string | null, type: { name: string } | null, workload: { name: string } | null, request: { input: unknown, isOutdated: boolean } | null, allocations: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string, name: string } | null }> }> }, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, used: number, available: number, isCounter: boolean, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string } | null }> }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> } } | null };

export type HostProviderFragment = { uuid: string, name: string, generation: number, createdAt: string | null, updatedAt: string | null, isSharing: boolean, parent: { uuid: string } | null, inventories: Array<{ total: number, reserved: number, allocationRatio: number, minUnit: number, maxUnit: number, stepSize: number, used: number, available: number, isCounter: boolean, capacity: number, resourceClass: { name: string }, consumes: Array<{ amount: number, resourceClass: { name: string }, resourceProvider: { uuid: string } | null }> }>, traits: Array<{ name: string }>, aggregates: Array<{ uuid: string, name: string | null }> };

export type HostChangesSubscriptionVariables = Exact<{
  inTree?: ProviderRef | null | undefined;
}>;


export type HostChangesSubscription = { resourceProviderChanged: { uuid: string, kinds: Array<ResourceProviderChangeKind>, generation: number | null, cursor: string, resourceProvider: { name: string } | null } };

export type ApplyTreeMutationVariables = Exact<{
  input: ApplyProviderTreeInput;
}>;


export type ApplyTreeMutation = { applyProviderTree:
    | { __typename: 'OlderServerError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'DuplicateNameError', code: ErrorCode, message: string }
    | { __typename: 'ProviderGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'ConsumerGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'ConsumptionInUseError', code: ErrorCode, message: string }
    | { __typename: 'ReshapeRefusedError', code: ErrorCode, message: string }
    | { __typename: 'ReshapeNeededError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'CommittedError', code: ErrorCode, message: string }
    | { __typename: 'ApplyProviderTreePayload', changes: Array<{ kind: ProviderTreeChangeKind, name: string }>, root: { uuid: string, traits: Array<{ name: string }> } | null }
   };

export type EditProviderMutationVariables = Exact<{
  input: UpdateResourceProviderInput;
}>;


export type EditProviderMutation = { updateResourceProvider:
    | { __typename: 'OlderServerError', code: ErrorCode, message: string }
    | { __typename: 'InvalidInputError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'DuplicateNameError', code: ErrorCode, message: string }
    | { __typename: 'IllegalReparentError', code: ErrorCode, message: string }
    | { __typename: 'ProviderGenerationConflictError', code: ErrorCode, message: string }
    | { __typename: 'InventoryInUseError', code: ErrorCode, message: string }
    | { __typename: 'ConsumptionInUseError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'CommittedError', code: ErrorCode, message: string }
    | { __typename: 'UpdateResourceProviderPayload', resourceProvider: { uuid: string, traits: Array<{ name: string }> } }
   };

export type DeleteHostMutationVariables = Exact<{
  input: DeleteResourceProviderInput;
}>;


export type DeleteHostMutation = { deleteResourceProvider:
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'ProviderHasChildrenError', code: ErrorCode, message: string }
    | { __typename: 'ProviderInUseError', code: ErrorCode, message: string }
    | { __typename: 'ConcurrentUpdateError', code: ErrorCode, message: string }
    | { __typename: 'CommittedError', code: ErrorCode, message: string }
    | { __typename: 'DeleteResourceProviderPayload' }
   };

export const HostProviderFragmentDoc = gql`
    fragment HostProvider on ResourceProvider {
  uuid
  name
  generation
  createdAt
  updatedAt
  isSharing
  parent {
    uuid
  }
  inventories {
    resourceClass {
      name
    }
    total
    reserved
    allocationRatio
    minUnit
    maxUnit
    stepSize
    capacity: allowedUsage
    used
    available
    isCounter
    consumes {
      amount
      resourceClass {
        name
      }
      resourceProvider {
        uuid
      }
    }
  }
  traits {
    name
  }
  aggregates {
    uuid
    name
  }
}
    ` as unknown as DocumentNode<HostProviderFragment, unknown>;
export const HostDocument = gql`
    query Host($by: ProviderRef!) {
  resourceProvider(by: $by) {
    uuid
    name
    root {
      ...HostProvider
      treeTotals {
        resourceClass {
          name
        }
        capacity: allowedUsage
        used
      }
      descendants {
        ...HostProvider
      }
      sharingProviders {
        ...HostProvider
      }
      treeConsumers(first: 200) {
        totalCount
        nodes {
          uuid
          type {
            name
          }
          projectId
          userId
          createdAt
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
            }
          }
        }
      }
    }
  }
}
    ${HostProviderFragmentDoc}` as unknown as DocumentNode<HostQuery, HostQueryVariables>;
export const HostChangesDocument = gql`
    subscription HostChanges($inTree: ProviderRef) {
  resourceProviderChanged(inTree: $inTree) {
    uuid
    kinds
    generation
    cursor
    resourceProvider {
      name
    }
  }
}
    ` as unknown as DocumentNode<HostChangesSubscription, HostChangesSubscriptionVariables>;
export const ApplyTreeDocument = gql`
    mutation ApplyTree($input: ApplyProviderTreeInput!) {
  applyProviderTree(input: $input) {
    __typename
    ... on ApplyProviderTreePayload {
      changes {
        kind
        name
      }
      root {
        uuid
        traits {
          name
        }
      }
    }
    ... on UserError {
      code
      message
    }
  }
}
    ` as unknown as DocumentNode<ApplyTreeMutation, ApplyTreeMutationVariables>;
export const EditProviderDocument = gql`
    mutation EditProvider($input: UpdateResourceProviderInput!) {
  updateResourceProvider(input: $input) {
    __typename
    ... on UpdateResourceProviderPayload {
      resourceProvider {
        uuid
        traits {
          name
        }
      }
    }
    ... on UserError {
      code
      message
    }
  }
}
    ` as unknown as DocumentNode<EditProviderMutation, EditProviderMutationVariables>;
export const DeleteHostDocument = gql`
    mutation DeleteHost($input: DeleteResourceProviderInput!) {
  deleteResourceProvider(input: $input) {
    __typename
    ... on UserError {
      code
      message
    }
  }
}
    ` as unknown as DocumentNode<DeleteHostMutation, DeleteHostMutationVariables>;