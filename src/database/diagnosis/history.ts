import type { Connection } from 'mariadb';
import { findCatalogConflicts, isLoaded, readCatalog } from '../catalog.js';
import { reason } from '../failures.js';
import { PACKAGE, pendingMigrations } from '../migrator.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** What the history of migrations says. */
export interface HistoryFindings {
  readonly findings: readonly Finding[];
  /** Whether the tables are those of this version. */
  readonly isMigrated: boolean;
}

const CHECK = 'migrations';
const MIGRATE = { change: 'run `placement-graphql migrate`, or start the server' };

export async function checkHistory(connection: Connection): Promise<HistoryFindings> {
  const not = (finding: Finding): HistoryFindings => ({ findings: [finding], isMigrated: false });
  let pending;
  try {
    pending = await pendingMigrations(connection);
  } catch (error) {
    // says what to do, too
    return not(problem(CHECK, reason(error)));
  }
  if (pending === null) return not(warning(CHECK, 'the database is empty', MIGRATE));
  const half = pending.find(({ begun }) => begun !== null);
  if (half !== undefined) {
    const { applied_steps_count: steps, logs } = half.begun!;
    const why = logs === null ? 'it was interrupted' : logs;
    return not(
      problem(
        CHECK,
        `${half.name} has stopped after ${steps} of ${half.statements.length} statements: ${why}`,
        {
          change: 'remove the cause and run `placement-graphql migrate`: it goes on from there',
        },
      ),
    );
  }
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ');
    return not(warning(CHECK, `missing: ${names}`, MIGRATE));
  }
  return { findings: [ok(CHECK, 'all are done'), ...(await checkCatalog(connection))], isMigrated: true };
}

async function checkCatalog(connection: Connection): Promise<Finding[]> {
  const catalog = readCatalog(PACKAGE);
  const conflicts = await findCatalogConflicts(connection, catalog);
  if (conflicts.length > 0)
    return conflicts.map((line) =>
      problem('catalog', line, {
        change: 'this is no database of OpenStack Placement or of this program: name another one',
      }),
    );
  return (await isLoaded(connection, catalog))
    ? [ok('catalog', 'every standard trait and resource class is there')]
    : [warning('catalog', 'standard traits or resource classes are missing', MIGRATE)];
}
