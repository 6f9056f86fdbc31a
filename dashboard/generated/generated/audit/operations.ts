/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What can be wrong with what is stored. */
export type AuditCheck =
  /** A provider whose recorded root is not the one that its parents lead to: it is missing, a parent is missing, or the parents are a loop. */
  | 'BROKEN_TREE'
  /** An allocation whose provider, consumer or resource class does not exist. It is listed nowhere, but counts as used. */
  | 'DANGLING_ALLOCATION'
  /** A consumer without allocations. */
  | 'EMPTY_CONSUMER'
  /** More of a resource class is in use on a provider than its capacity, or it has no inventory of it. No error by itself: an inventory may be shrunk below what is used. Nothing more can be allocated there until it is put right. */
  | 'OVER_CAPACITY'
  /** An allocation does not respect minUnit, maxUnit or stepSize of its inventory. */
  | 'UNIT_VIOLATION'
  /** An inventory, a trait or an aggregate of a provider that points at nothing, or a consumer whose project, user or type does not exist. */
  | 'UNKNOWN_REFERENCE';

export type AuditQueryVariables = Exact<{
  checks?: Array<AuditCheck> | AuditCheck | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { totalCount: number | null, pageInfo: { endCursor: string | null, hasNextPage: boolean }, nodes: Array<{ check: AuditCheck, message: string, consumerUuid: string | null, resourceProvider: { name: string } | null, consumer: { uuid: string } | null }> } };


export const AuditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Audit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"checks"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditCheck"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"audit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"checks"},"value":{"kind":"Variable","name":{"kind":"Name","value":"checks"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"check"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"consumerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;