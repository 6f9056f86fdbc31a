import type { Queryable } from '../../database/statements.js';
import type { Transaction } from '../transaction.js';

/** The checks in the order of their findings. */
export const AUDIT_CHECKS = [
  'OVER_CAPACITY',
  'UNIT_VIOLATION',
  'DANGLING_ALLOCATION',
  'EMPTY_CONSUMER',
  'BROKEN_TREE',
  'UNKNOWN_REFERENCE',
] as const;

export type AuditCheck = (typeof AUDIT_CHECKS)[number];

/** Identifies and orders the findings of a rule: database ids. The second is 0 if unused. */
export type AuditKey = readonly [number, number];

export const BEFORE_ALL: AuditKey = [-1, -1];

export interface RuleFinding {
  readonly key: AuditKey;
  readonly message: string;
  /** The uuid of the affected provider. Null if there is none or it does not exist. */
  readonly provider: string | null;
  /** The uuid of the affected consumer, which may not exist. */
  readonly consumer: string | null;
  readonly resourceClass: string | null;
}

/** A check consists of one or several rules. */
export interface AuditRule {
  readonly check: AuditCheck;
  /** Returns the first findings after a key, by key, at most `limit`. */
  find(reader: Queryable, after: AuditKey, limit: number): Promise<RuleFinding[]>;
  count(reader: Queryable): Promise<number>;
  /**
   * Repairs the findings with these keys that are still true, and returns their keys. Absent unless
   * the findings have only one possible repair.
   */
  readonly repair?: (tx: Transaction, keys: readonly AuditKey[]) => Promise<AuditKey[]>;
}
