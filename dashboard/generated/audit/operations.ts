/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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
  /** A row refers to a missing class, trait, aggregate, project, user or type. */
  | 'UNKNOWN_REFERENCE'
  /** Another program has stored a consumer or aggregate in another spelling of its uuid. */
  | 'UUID_SPELLING'
  /** A consumer has allocations in several trees, sharing providers apart. */
  | 'SEVERAL_TREES';

export type AuditQueryVariables = Exact<{
  checks: Array<AuditCheck> | AuditCheck;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { totalCount: number | null, pageInfo: { endCursor: string | null, hasNextPage: boolean }, nodes: Array<{ check: AuditCheck, message: string, consumerUuid: string | null, resourceProvider: { name: string } | null, consumer: { uuid: string } | null }> } | null };


export const AuditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Audit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"checks"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditCheck"}}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"audit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"checks"},"value":{"kind":"Variable","name":{"kind":"Name","value":"checks"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"check"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"consumerUuid"}},{"kind":"Field","name":{"kind":"Name","value":"resourceProvider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;