import type { CandidatesRequest } from '../../model/request.js';

/** What a request states about consumers of its own workload, whose positions the search decides. */
export interface InnerStatement {
  /** The named consumers of the workload. */
  readonly awayFromConsumers: readonly string[];
  /** All named consumers if any of them is of the workload, because one of the list suffices. */
  readonly nearConsumers: readonly string[];
  /** By term of the order: the consumers of the workload that it prefers to be near. */
  readonly preferred: readonly (readonly string[])[];
  readonly holdings: CandidatesRequest['holdings'];
}

/** The statements of the requests about consumers of their workload. */
export interface InnerRelations {
  /** The uuids of the consumers, member by member. */
  readonly consumers: readonly string[];
  /** By member and request: null if it states nothing about these consumers. */
  readonly statements: readonly (readonly (InnerStatement | null)[])[];
}
