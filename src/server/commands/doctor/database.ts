import type { Connection } from 'mariadb';
import { databaseAddresses } from '../../../store/database/address.js';
import { connectionsInAll, openDatabase, type Database } from '../../../store/database/database.js';
import { checkNode, connect } from '../../../tools/diagnosis/reachability.js';
import { ok, problem, warning, type Finding } from '../../../store/finding.js';
import { checkHistory, checkPrivileges, checkTables } from '../../../tools/diagnosis/tables.js';
import { checkClock, checkServerSettings, checkSession } from '../../../tools/diagnosis/server.js';
import { reason } from '../../../store/database/failures.js';
import { onConnection } from '../../../store/database/onConnection.js';
import { checkExcludedRoots } from '../../../store/feed/excludedRoots.js';
import { checkServerVersions } from '../../../store/feed/olderServers.js';
import { checkFeed } from '../../../store/feed/health.js';
import { readAudit } from '../../../store/audit/audit.js';
import { AUDIT_CHECKS } from '../../../store/audit/rule.js';
import type { Settings } from '../../settings/definitions.js';

/** Runs all checks of a database. Changes nothing. */
export async function checkDatabase(url: string, settings: Settings): Promise<Finding[]> {
  let reached;
  try {
    reached = await connect(url);
  } catch (error) {
    // the URL is invalid
    return [problem('connection', reason(error), { change: 'correct DATABASE_URL' })];
  }
  const { findings, connection } = reached;
  if (connection === null) return [...findings];
  const database = openDatabase(url, { connections: 2 });
  try {
    return [...findings, ...(await checkReached(url, settings, connection, database))];
  } finally {
    await connection.end();
    await database.close();
  }
}

async function checkReached(
  url: string,
  settings: Settings,
  connection: Connection,
  database: Database,
): Promise<Finding[]> {
  const hasBinaryLog = settings['foreignWrites.binaryLog'];
  // of all processes that the settings start
  const connections = connectionsInAll(settings['database.connections']) * settings['workers.count'];
  const needs = { hasBinaryLog, connections };
  const findings = [
    ...(await attempt('server', () => checkServerSettings(connection, needs))),
    ...(await attempt('availability', () => checkNode(connection, databaseAddresses(url).length))),
    ...(await attempt('session', () => onConnection(database, checkSession))),
    ...(await attempt('clocks', () => checkClock(connection))),
  ];
  const history = await checkHistory(connection).catch((error: unknown) => ({
    findings: [notChecked('migrations', error)],
    isMigrated: false,
  }));
  const isToMigrate = !history.isMigrated;
  findings.push(
    ...(await attempt('privileges', () => checkPrivileges(connection, { hasBinaryLog, isToMigrate }))),
    ...history.findings,
  );
  if (isToMigrate) return findings;
  return [
    ...findings,
    ...(await attempt('tables', () => checkTables(connection))),
    ...(await attempt('change feed', () => checkFeed(connection))),
    ...(await attempt('excluded root traits', () =>
      checkExcludedRoots(connection, settings['search.excludedRootTraits']),
    )),
    ...(await attempt('versions of servers', () => checkServerVersions(connection))),
    ...(await attempt('audit', () => checkAudit(database))),
  ];
}

/** Reports a check that fails, so that the others continue. */
export async function attempt(check: string, work: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [notChecked(check, error)];
  }
}

function notChecked(check: string, error: unknown): Finding {
  return problem(check, `the check failed: ${reason(error)}`);
}

const MOST_FINDINGS = 1_000;

async function checkAudit(database: Database): Promise<Finding[]> {
  const found = await readAudit(database, AUDIT_CHECKS, { after: null, limit: MOST_FINDINGS });
  if (found.length === 0) return [ok('audit', 'no findings')];
  const count = found.length === MOST_FINDINGS ? `${MOST_FINDINGS} or more` : String(found.length);
  const change =
    '`placement-graphql audit-database` lists them; `--fix` repairs those with only one possible repair';
  return [warning('audit', `${count} findings, such as: ${found[0].message}`, { change })];
}
