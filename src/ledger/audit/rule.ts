import type { Queryable } from '../../database/statements.js';
import type { Transaction } from '../transaction.js';

/** What can be wrong with what is stored, in the order in which findings are listed. */
export const AUDIT_CHECKS = [
  'OVER_CAPACITY',
  'UNIT_VIOLATION',
  'DANGLING_ALLOCATION',
  'EMPTY_CONSUMER',
  'BROKEN_TREE',
  'UNKNOWN_REFERENCE',
] as const;

export type AuditCheck = (typeof AUDIT_CHECKS)[number];

/** What identifies and orders the findings of a rule: ids of the database, 0 where there is no second one. */
export type AuditKey = readonly [number, number];

export const BEFORE_ALL: AuditKey = [-1, -1];

export interface RuleFinding {
  readonly key: AuditKey;
  readonly message: string;
  /** The uuid of the provider concerned; null where there is none, or none any more. */
  readonly provider: string | null;
  /** The uuid of the consumer concerned, whether it exists or not. */
  readonly consumer: string | null;
  readonly resourceClass: string | null;
}

/** One way in which what is stored can be wrong. A check is made of one or several. */
export interface AuditRule {
  readonly check: AuditCheck;
  /** The first findings after a key, by key, `limit` at most. */
  find(reader: Queryable, after: AuditKey, limit: number): Promise<RuleFinding[]>;
  count(reader: Queryable): Promise<number>;
  /**
   * Present where there is only one way to repair it: does so for those of the findings with these keys that are still
   * true, and gives their keys.
   */
  readonly repair?: (tx: Transaction, keys: readonly AuditKey[]) => Promise<AuditKey[]>;
}
