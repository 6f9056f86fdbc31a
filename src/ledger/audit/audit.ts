import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { inConsistentSnapshot } from '../../database/consistentSnapshot.js';
import { BEFORE_ALL, type AuditCheck, type RuleFinding, type AuditKey, type AuditRule } from './rule.js';
import { AUDIT_RULES } from './rules.js';
import { COMPARED_AT_ONCE } from '../batches.js';
import { inTransaction, type Ledger } from '../transaction.js';

/** The position of a finding among all: its rule by its number, and its key. */
export interface AuditPosition {
  readonly rule: number;
  readonly key: AuditKey;
}

export interface AuditFinding extends RuleFinding {
  readonly check: AuditCheck;
  readonly position: AuditPosition;
}

/**
 * The first findings of these checks after a position, in order, `limit` at most. They are read in one consistent snapshot, so
 * that a write under way is never a finding. Costs scans of whole tables, as far as they have to be read to find so many.
 */
export function readAudit(
  database: Database,
  checks: readonly AuditCheck[],
  { after, limit }: { readonly after: AuditPosition | null; readonly limit: number },
  signal?: AbortSignal,
): Promise<AuditFinding[]> {
  const find = async (connection: Connection): Promise<AuditFinding[]> => {
    const found: AuditFinding[] = [];
    for (const [number, rule] of AUDIT_RULES.entries()) {
      if (found.length >= limit) break;
      if (!checks.includes(rule.check) || number < (after?.rule ?? 0)) continue;
      const start = number === after?.rule ? after.key : BEFORE_ALL;
      const findings = await rule.find(connection, start, limit - found.length);
      for (const finding of findings) found.push(positioned(finding, rule, number));
    }
    return found;
  };
  return inConsistentSnapshot(database, find, signal);
}

/** How many findings these checks have, in one consistent snapshot. Costs scans of whole tables. */
export function countAudit(
  database: Database,
  checks: readonly AuditCheck[],
  signal?: AbortSignal,
): Promise<number> {
  const countFindings = async (connection: Connection): Promise<number> => {
    let count = 0;
    for (const rule of AUDIT_RULES) {
      if (checks.includes(rule.check)) count += await rule.count(connection);
    }
    return count;
  };
  return inConsistentSnapshot(database, countFindings, signal);
}

/**
 * Repairs what can be repaired in one way only: allocations, inventories, traits and aggregates of providers that refer to
 * nothing are deleted, and so are consumers without allocations. Each is checked again in the transaction that does it, and
 * the providers and consumers concerned move one generation further. Gives what was done, batch by batch.
 */
export async function* repairAudit(ledger: Ledger): AsyncGenerator<AuditFinding[]> {
  for (const [number, rule] of AUDIT_RULES.entries()) {
    const { repair } = rule;
    if (repair === undefined) continue;
    for (let after = BEFORE_ALL; ;) {
      const findings = await inConsistentSnapshot(ledger.database, (connection) =>
        rule.find(connection, after, COMPARED_AT_ONCE),
      );
      if (findings.length === 0) break;
      const keys = findings.map(({ key }) => key);
      const repaired = new Set((await inTransaction(ledger, (tx) => repair(tx, keys))).map(String));
      yield findings
        .filter(({ key }) => repaired.has(String(key)))
        .map((each) => positioned(each, rule, number));
      after = keys[keys.length - 1];
    }
  }
}

function positioned(finding: RuleFinding, { check }: AuditRule, rule: number): AuditFinding {
  return { ...finding, check, position: { rule, key: finding.key } };
}
