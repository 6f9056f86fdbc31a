import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { inConsistentSnapshot } from '../../database/consistentSnapshot.js';
import { FRONT, type AuditCheck, type AuditFinding, type AuditKey, type AuditRule } from './rule.js';
import { AUDIT_RULES } from './rules.js';
import { COMPARED_AT_ONCE } from '../batches.js';
import { inTransaction, type Ledger } from '../transaction.js';

/** Where a finding stands in the list of all: its rule by its number, and its key. */
export interface AuditPlace {
  readonly rule: number;
  readonly key: AuditKey;
}

export interface PlacedFinding extends AuditFinding {
  readonly check: AuditCheck;
  readonly place: AuditPlace;
}

/**
 * The first findings of these checks behind a place, in order, `limit` at most. They are read at one moment, so that a writer
 * who is half done is never a finding. Costs scans of whole tables, as far as they have to be read to find so many.
 */
export function readAudit(
  database: Database,
  checks: readonly AuditCheck[],
  { behind, limit }: { readonly behind: AuditPlace | null; readonly limit: number },
): Promise<PlacedFinding[]> {
  return inConsistentSnapshot(database, async (connection) => {
    const found: PlacedFinding[] = [];
    for (const [number, rule] of AUDIT_RULES.entries()) {
      if (found.length >= limit) break;
      if (!checks.includes(rule.check) || number < (behind?.rule ?? 0)) continue;
      const start = number === behind?.rule ? behind.key : FRONT;
      const findings = await rule.find(connection, start, limit - found.length);
      for (const finding of findings) found.push(placed(finding, rule, number));
    }
    return found;
  });
}

/** How many findings these checks have, at one moment. Costs scans of whole tables. */
export function countAudit(database: Database, checks: readonly AuditCheck[]): Promise<number> {
  return inConsistentSnapshot(database, async (connection: Connection) => {
    let count = 0;
    for (const rule of AUDIT_RULES) {
      if (checks.includes(rule.check)) count += await rule.count(connection);
    }
    return count;
  });
}

/**
 * Puts right what can be put right in one way only: allocations, inventories, traits and aggregates of providers that point
 * at nothing are deleted, and so are consumers without allocations. Each is judged again in the transaction that does it, and
 * providers and consumers that it touches move one generation further. Gives what was done, batch by batch.
 */
export async function* repairAudit(ledger: Ledger): AsyncGenerator<PlacedFinding[]> {
  for (const [number, rule] of AUDIT_RULES.entries()) {
    const { mend } = rule;
    if (mend === undefined) continue;
    for (let behind = FRONT; ;) {
      const findings = await inConsistentSnapshot(ledger.database, (connection) =>
        rule.find(connection, behind, COMPARED_AT_ONCE),
      );
      if (findings.length === 0) break;
      const keys = findings.map(({ key }) => key);
      const mended = await inTransaction(ledger, (tx) => mend(tx, keys, tx.now));
      const done = new Set(mended.map(String));
      yield findings.filter(({ key }) => done.has(String(key))).map((each) => placed(each, rule, number));
      behind = keys[keys.length - 1];
    }
  }
}

function placed(finding: AuditFinding, { check }: AuditRule, rule: number): PlacedFinding {
  return { ...finding, check, place: { rule, key: finding.key } };
}
