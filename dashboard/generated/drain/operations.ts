/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
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

export type DrainPlanQueryVariables = Exact<{
  from: TreesInput;
  keepTraits: boolean;
  whatIf?: WhatIfInput | null | undefined;
  after?: string | null | undefined;
}>;


export type DrainPlanQuery = { planDrain: { complete: boolean, next: string | null, moves: Array<{ traitsLost: Array<string>, code: DrainMoveCode | null, requestSource: RequestSource, consumer: { uuid: string, generation: number, projectId: string | null, userId: string | null, workload: { name: string } | null, request: { input: unknown } | null, type: { name: string } | null, providerAllocations: Array<{ resourceProvider: { root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> | null }, allocationRequest: { claimToken: string, allocations: Array<{ resourceProvider: { name: string, isSharing: boolean, root: { uuid: string, name: string } }, resources: Array<{ amount: number, resourceClass: { name: string } }> }> } | null }>, totalsAfter: Array<{ used: number, capacity: number, resourceClass: { name: string } }> } | null };

export type DrainedHostsQueryVariables = Exact<{
  disabled: Array<Array<string> | string> | Array<string> | string;
  byAggregate: boolean;
  aggregates: Array<Array<AggregateRef> | AggregateRef> | Array<AggregateRef> | AggregateRef;
}>;


export type DrainedHostsQuery = { disabled: { nodes: Array<{ name: string, traits: Array<{ name: string }> }> } | null, members?: { nodes: Array<{ name: string }> } | null };

export type SetMaintenanceMutationVariables = Exact<{
  input: UpdateResourceProviderInput;
}>;


export type SetMaintenanceMutation = { updateResourceProvider:
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


export const DrainPlanDocument = gql`
    query DrainPlan($from: TreesInput!, $keepTraits: Boolean!, $whatIf: WhatIfInput, $after: String) {
  planDrain(from: $from, keepTraits: $keepTraits, whatIf: $whatIf, after: $after) {
    complete
    next
    moves {
      traitsLost
      code
      requestSource
      consumer {
        uuid
        generation
        workload {
          name
        }
        request {
          input
        }
        type {
          name
        }
        projectId
        userId
        providerAllocations {
          resourceProvider {
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
      }
      allocationRequest {
        claimToken
        allocations {
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
      }
    }
    totalsAfter {
      resourceClass {
        name
      }
      capacity: allowedUsage
      used
    }
  }
}
    ` as unknown as DocumentNode<DrainPlanQuery, DrainPlanQueryVariables>;
export const DrainedHostsDocument = gql`
    query DrainedHosts($disabled: [[String!]!]!, $byAggregate: Boolean!, $aggregates: [[AggregateRef!]!]!) {
  disabled: resourceProviders(
    first: 1000
    filter: {rootsOnly: true, requiredTraits: $disabled}
  ) {
    nodes {
      name
      traits {
        name
      }
    }
  }
  members: resourceProviders(
    first: 1000
    filter: {rootsOnly: true, forbiddenTraits: ["MISC_SHARES_VIA_AGGREGATE"], memberOfInTree: $aggregates}
  ) @include(if: $byAggregate) {
    nodes {
      name
    }
  }
}
    ` as unknown as DocumentNode<DrainedHostsQuery, DrainedHostsQueryVariables>;
export const SetMaintenanceDocument = gql`
    mutation SetMaintenance($input: UpdateResourceProviderInput!) {
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
    ` as unknown as DocumentNode<SetMaintenanceMutation, SetMaintenanceMutationVariables>;