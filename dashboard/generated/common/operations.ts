/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { subject: string, roles: Array<Role>, projectId: string | null, hosts: Access, candidates: Access, audit: Access, allocate: Access, edit: Access } | null };

export type CatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogQuery = { resourceClasses: Array<{ name: string }> | null, traits: Array<{ name: string }> | null, aggregates: { nodes: Array<{ uuid: string, name: string | null }> } | null };


export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"projectId"}},{"kind":"Field","alias":{"kind":"Name","value":"hosts"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"fleetMap","block":false}}]},{"kind":"Field","alias":{"kind":"Name","value":"candidates"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"allocationCandidates","block":false}}]},{"kind":"Field","alias":{"kind":"Name","value":"audit"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"audit","block":false}}]},{"kind":"Field","alias":{"kind":"Name","value":"allocate"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"setAllocations","block":false}}]},{"kind":"Field","alias":{"kind":"Name","value":"edit"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"applyProviderTree","block":false}}]}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const CatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Catalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resourceClasses"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"traits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"aggregates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<CatalogQuery, CatalogQueryVariables>;