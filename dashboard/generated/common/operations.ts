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

/** A role of a viewer. */
export type Role =
  /** Reads and writes everything. */
  | 'ADMIN'
  /** Reads and writes everything, and may reshape trees. */
  | 'SERVICE'
  /** Reads the whole cloud, or the objects of its project if it has one. */
  | 'READER'
  /** Reads the objects of the project. */
  | 'MEMBER';

/** Whether the viewer may use an operation. */
export type Access =
  /** For all objects. */
  | 'YES'
  /** For objects of the viewer's project. */
  | 'OWN_PROJECT'
  /** It fails with FORBIDDEN. */
  | 'NO';

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

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { subject: string, roles: Array<Role>, projectId: string | null, hosts: Access, candidates: Access, rebalance: Access, audit: Access, allocate: Access, edit: Access } | null };

export type CatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogQuery = { resourceClasses: Array<{ name: string }> | null, traits: Array<{ name: string }> | null, aggregates: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ uuid: string, name: string | null }> } | null };

export type HostTotalsQueryVariables = Exact<{
  uuids: Array<string> | string;
  first: number;
}>;


export type HostTotalsQuery = { resourceProviders: { nodes: Array<{ uuid: string, treeTotals: Array<{ capacity: number, used: number, resourceClass: { name: string } }> }> } | null };

export type MoveConsumersMutationVariables = Exact<{
  input: SetAllocationsInput;
}>;


export type MoveConsumersMutation = { setAllocations:
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

export type ProviderNamesQueryVariables = Exact<{
  text: string;
}>;


export type ProviderNamesQuery = { resourceProviders: { nodes: Array<{ root: { name: string } }> } | null };


export const ViewerDocument = gql`
    query Viewer {
  viewer {
    subject
    roles
    projectId
    hosts: may(operation: "fleetMap")
    candidates: may(operation: "allocationCandidates")
    rebalance: may(operation: "planRebalance")
    audit: may(operation: "audit")
    allocate: may(operation: "setAllocations")
    edit: may(operation: "applyProviderTree")
  }
}
    ` as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const CatalogDocument = gql`
    query Catalog {
  resourceClasses {
    name
  }
  traits {
    name
  }
  aggregates(first: 1000) {
    pageInfo {
      hasNextPage
    }
    nodes {
      uuid
      name
    }
  }
}
    ` as unknown as DocumentNode<CatalogQuery, CatalogQueryVariables>;
export const HostTotalsDocument = gql`
    query HostTotals($uuids: [UUID!]!, $first: Int!) {
  resourceProviders(filter: {uuidIn: $uuids}, first: $first) {
    nodes {
      uuid
      treeTotals {
        resourceClass {
          name
        }
        capacity
        used
      }
    }
  }
}
    ` as unknown as DocumentNode<HostTotalsQuery, HostTotalsQueryVariables>;
export const MoveConsumersDocument = gql`
    mutation MoveConsumers($input: SetAllocationsInput!) {
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
    ` as unknown as DocumentNode<MoveConsumersMutation, MoveConsumersMutationVariables>;
export const ProviderNamesDocument = gql`
    query ProviderNames($text: String!) {
  resourceProviders(first: 100, filter: {nameContains: $text}) {
    nodes {
      root {
        name
      }
    }
  }
}
    ` as unknown as DocumentNode<ProviderNamesQuery, ProviderNamesQueryVariables>;