import type { Role } from '../../model/viewer.js';

export interface RestSettings {
  /** The roles that may reshape. */
  readonly reshapeRoles: readonly Role[];
  /** The maximum number of candidates of a request without `limit`. */
  readonly candidates: number;
  /** Whether the order of candidates differs from one request to the next. */
  readonly randomizeCandidates: boolean;
  /** The URL of Keystone, which an answer without valid credentials names. Null: Keystone is not used. */
  readonly keystoneUrl: string | null;
  /** The port that serves the REST API at its root. Null: none. */
  readonly port: number | null;
}

export const DEFAULT_REST: RestSettings = {
  reshapeRoles: ['service'],
  candidates: 100_000,
  randomizeCandidates: true,
  keystoneUrl: null,
  port: null,
};
