import type { Connection } from 'mariadb';
import type { Database } from '../database/database.js';
import { inConsistentSnapshot } from '../database/onConnection.js';
import { BEFORE_ALL, type AuditCheck, type RuleFinding, type AuditKey, type AuditRule } from './rule.js';
import { AUDIT_RULES } from './rules.js';
import { COMPARED_AT_ONCE, inTransaction, type Ledger } from '../ledger/transaction.js';
import { deletionFrom } from '../sql/statements.js';

export interface AuditPosition {
  readonly rule: number;
  readonly key: AuditKey;
}

export interface AuditFinding extends RuleFinding {
  readonly check: AuditCheck;
  readonly position: AuditPosition;
}

/** Selects `limit` findings between two positions: the first, or the last if `backwards`. */
export interface AuditBounds {
  readonly after: AuditPosition | null;
  readonly before?: AuditPosition | null;
  readonly backwards?: boolean;
  readonly limit: number;
}

export interface AuditPage {
  readonly findings: AuditFinding[];
  /** The number of all findings, whatever the bounds. Null if it is not wanted. */
  readonly count: number | null;
}

/**
 * Reads findings in one consistent snapshot, so that a write in progress is never a finding. Scans
 * the tables until it reaches the limit. If `backwards`, it scans them to the end.
 */
export async function readAudit(
  database: Database,
  checks: readonly AuditCheck[],
  bounds: AuditBounds,
): Promise<AuditFinding[]> {
  return (await readAuditPage(database, checks, bounds, { isCounted: false })).findings;
}

/**
 * Reads findings and, if `isCounted`, the number of all in the same snapshot. A rule whose findings are all on the page
 * is not scanned again for its count. May take minutes.
 */
export function readAuditPage(
  database: Database,
  checks: readonly AuditCheck[],
  bounds: AuditBounds,
  { isCounted, signal }: { readonly isCounted: boolean; readonly signal?: AbortSignal },
): Promise<AuditPage> {
  const { backwards = false, limit } = bounds;
  const find = async (connection: Connection): Promise<AuditPage> => {
    const counts = new Map<AuditRule, number>();
    let found: AuditFinding[] = [];
    for await (const some of findingsWithin(connection, checks, bounds, counts)) {
      found.push(...some);
      if (backwards) found = found.slice(-limit);
      else if (found.length >= limit) break;
    }
    const findings = backwards ? found.reverse() : found.slice(0, limit);
    return { findings, count: isCounted ? await countAll(connection, checks, counts) : null };
  };
  return inConsistentSnapshot(database, find, { pool: database.longWork, signal });
}

async function countAll(
  connection: Connection,
  checks: readonly AuditCheck[],
  counts: ReadonlyMap<AuditRule, number>,
): Promise<number> {
  let count = 0;
  for (const rule of AUDIT_RULES)
    if (checks.includes(rule.check)) count += counts.get(rule) ?? (await rule.count(connection));
  return count;
}

/** The minimum number of findings that a backward scan reads at a time: it reads all of them. */
const READ_BACKWARDS = 1000;

/** Yields all findings between two positions, in order. Adds the counts of the rules that it scans as a whole. */
async function* findingsWithin(
  connection: Connection,
  checks: readonly AuditCheck[],
  { after, before = null, backwards = false, limit }: AuditBounds,
  counts: Map<AuditRule, number>,
): AsyncGenerator<AuditFinding[]> {
  const atOnce = backwards ? Math.max(limit, READ_BACKWARDS) : limit;
  for (const [number, rule] of AUDIT_RULES.entries()) {
    if (!checks.includes(rule.check) || number < (after?.rule ?? 0)) continue;
    if (before !== null && number > before.rule) return;
    const first = number === after?.rule ? after.key : BEFORE_ALL;
    let start = first;
    let count = 0;
    for (let isEnd = false; !isEnd;) {
      const findings = await rule.find(connection, start, atOnce);
      isEnd = findings.length < atOnce;
      count += findings.length;
      if (isEnd && first === BEFORE_ALL) counts.set(rule, count);
      start = findings.at(-1)?.key ?? start;
      yield findings
        .map((finding) => positioned(finding, rule, number))
        .filter(({ position }) => before === null || isAhead(position, before));
    }
  }
}

function isAhead(one: AuditPosition, other: AuditPosition): boolean {
  const order = one.rule - other.rule || one.key[0] - other.key[0] || one.key[1] - other.key[1];
  return order < 0;
}

/**
 * Repairs findings with only one possible repair: deletes dangling allocations, inventories, traits
 * and aggregates of providers, and consumers without allocations. Checks each finding again in the
 * transaction of its repair, which bumps the providers and consumers concerned. Yields the repaired
 * findings batch by batch.
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
  await removeUnused(ledger);
}

/** Statements that lock rows in use by no consumer, and that delete those of them that still are. */
const UNUSED = [
  {
    table: 'placement_workload_members',
    unused: `NOT EXISTS (SELECT 1 FROM placement_consumer_requests r WHERE r.member_id = u.id)`,
  },
  {
    table: 'placement_workloads',
    unused: `NOT EXISTS (SELECT 1 FROM placement_workload_members m WHERE m.workload_id = u.id)`,
  },
  {
    table: 'placement_requests',
    unused: `NOT EXISTS (SELECT 1 FROM placement_consumer_requests r WHERE r.request_id = u.id)
      AND NOT EXISTS (SELECT 1 FROM placement_workload_members m WHERE FIND_IN_SET(u.id, m.request_ids))`,
  },
] as const;

/**
 * Removes requests, members and workloads that no consumer has. They are no faults: claims leave them behind, and use
 * them again. The second statement reads again what a claim has committed before the lock.
 */
async function removeUnused(ledger: Ledger): Promise<void> {
  for (const { table, unused } of UNUSED) {
    for (let count = COMPARED_AT_ONCE; count === COMPARED_AT_ONCE;) {
      count = await inTransaction(ledger, async (tx) => {
        const rows = await tx.query<{ id: number }[]>(
          `SELECT u.id FROM ${table} u WHERE ${unused} ORDER BY u.id LIMIT ${COMPARED_AT_ONCE}`,
        );
        const ids = rows.map(({ id }) => id);
        if (ids.length === 0) return 0;
        await tx.query(`SELECT u.id FROM ${table} u WHERE u.id IN (?) ORDER BY u.id FOR UPDATE`, [ids]);
        const still = await tx.query<{ id: number }[]>(
          `SELECT u.id FROM ${table} u WHERE u.id IN (?) AND ${unused}`,
          [ids],
        );
        if (still.length > 0)
          await tx.query(`${deletionFrom(table)} WHERE id IN (?) ORDER BY id`, [still.map(({ id }) => id)]);
        return still.length;
      });
    }
  }
}

function positioned(finding: RuleFinding, { check }: AuditRule, rule: number): AuditFinding {
  return { ...finding, check, position: { rule, key: finding.key } };
}
