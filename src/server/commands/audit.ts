import type { Database } from '../../store/database/database.js';
import { repairAudit, readAudit, type AuditPosition, type AuditFinding } from '../../store/audit/audit.js';
import { AUDIT_CHECKS } from '../../store/audit/rule.js';
import { createProcess } from '../process.js';
import { openExisting } from '../start/bootstrap.js';
import type { Lifecycle } from '../start/lifecycle.js';
import type { Settings } from '../settings/definitions.js';

const PAGE = 1000;

/** Prints one line for each finding. With `fix`, first repairs the unambiguous ones. */
export async function audit(
  lifecycle: Lifecycle,
  settings: Settings,
  { fix }: { readonly fix?: boolean },
): Promise<number> {
  const database = await openExisting(lifecycle, settings);
  if (fix) console.log(`${await repair(lifecycle, database)} fixed`);
  const counts = await printFindings(lifecycle, database);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [check, count] of counts) console.log(`${check}: ${count}`);
  console.log(total === 0 ? 'no findings' : `${total} findings`);
  return total === 0 ? 0 : 1;
}

async function repair(lifecycle: Lifecycle, database: Database): Promise<number> {
  const process = createProcess(database);
  lifecycle.defer(() => Promise.resolve(process.stop()));
  let repaired = 0;
  for await (const batch of repairAudit(process.ledger)) {
    for (const finding of batch) console.log(`fixed ${lineOf(finding)}`);
    repaired += batch.length;
    lifecycle.throwIfStopping();
  }
  return repaired;
}

/** Prints every finding. Returns their number by check. */
async function printFindings(lifecycle: Lifecycle, database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: AuditPosition | null = null; ;) {
    const page: AuditFinding[] = await readAudit(database, AUDIT_CHECKS, { after, limit: PAGE });
    for (const finding of page) {
      console.log(lineOf(finding));
      counts.set(finding.check, (counts.get(finding.check) ?? 0) + 1);
    }
    if (page.length < PAGE) return counts;
    after = page[page.length - 1].position;
    lifecycle.throwIfStopping();
  }
}

function lineOf({ check, message }: AuditFinding): string {
  return `${check}: ${message}`;
}
