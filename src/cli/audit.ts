import { openDatabase, type Database } from '../database/database.js';
import { requireDatabase } from '../database/ensure.js';
import { repairAudit, readAudit, type AuditPosition, type AuditFinding } from '../ledger/audit/audit.js';
import { AUDIT_CHECKS } from '../ledger/audit/rule.js';
import { readEnvironment } from './environment.js';
import { holdData, homeUrl } from './bootstrap.js';
import { createProcess } from '../process/process.js';
import { Life } from './lifecycle.js';

export interface AuditOptions {
  fix?: boolean;
}

/** Findings read at a time. */
const PAGE = 1000;

/** Tells what is wrong with what is stored, one line a finding; first mends what is unambiguous, if that is wanted. */
export function audit({ fix = false }: AuditOptions): Promise<void> {
  return Life.lead(async (life) => {
    const environment = readEnvironment();
    await holdData(life, environment);
    const url = await homeUrl(life, environment);
    await requireDatabase(url);
    const database = openDatabase(url);
    life.defer(() => database.close());
    if (fix) console.log(`${await repair(life, database)} fixed`);
    const counts = await report(life, database);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [check, count] of counts) console.log(`${check}: ${count}`);
    console.log(total === 0 ? 'nothing is wrong' : `${total} findings`);
    await life.end(total === 0 ? 0 : 1);
  });
}

async function repair(life: Life, database: Database): Promise<number> {
  let repaired = 0;
  for await (const batch of repairAudit(createProcess(database).ledger)) {
    for (const finding of batch) console.log(`fixed ${lineOf(finding)}`);
    repaired += batch.length;
    life.goOn();
  }
  return repaired;
}

/** Prints every finding; gives how many each check has that has any. */
async function report(life: Life, database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: AuditPosition | null = null; ;) {
    const page: AuditFinding[] = await readAudit(database, AUDIT_CHECKS, { after, limit: PAGE });
    for (const finding of page) {
      console.log(lineOf(finding));
      counts.set(finding.check, (counts.get(finding.check) ?? 0) + 1);
    }
    if (page.length < PAGE) return counts;
    after = page[page.length - 1].position;
    life.goOn();
  }
}

function lineOf({ check, message }: AuditFinding): string {
  return `${check}: ${message}`;
}
