/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import { gql } from '@urql/core';
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
  /** A row refers to a missing provider, class, trait, aggregate, project, user or type. */
  | 'UNKNOWN_REFERENCE'
  /** Another program has stored a consumer or aggregate in another spelling of its uuid. */
  | 'UUID_SPELLING'
  /** A consumer has allocations in several trees, sharing providers apart. */
  | 'SEVERAL_TREES'
  /** An inventory consumes a counter that does not exist, or that no ancestor has. */
  | 'LOST_COUNTER'
  /** A consumer has another amount of a counter than its allocations consume. */
  | 'MISSING_CONSUMPTION'
  /** The counted usage of a project or group differs from its allocations. */
  | 'QUOTA_USAGE'
  /** A request is remembered for a consumer that does not exist. */
  | 'LOST_REQUEST';

export type AuditQueryVariables = Exact<{
  checks: Array<AuditCheck> | AuditCheck;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { totalCount: number | null, pageInfo: { endCursor: string | null, hasNextPage: boolean }, nodes: Array<{ check: AuditCheck, message: string, consumerUuid: string | null, resourceProvider: { name: string } | null, consumer: { uuid: string } | null }> } | null };


export const AuditDocument = gql`
    query Audit($checks: [AuditCheck!]!, $after: String) {
  audit(checks: $checks, first: 200, after: $after) {
    totalCount
    pageInfo {
      endCursor
      hasNextPage
    }
    nodes {
      check
      message
      consumerUuid
      resourceProvider {
        name
      }
      consumer {
        uuid
      }
    }
  }
}
    ` as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;