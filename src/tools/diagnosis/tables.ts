import type { Connection } from 'mariadb';
import { quoted } from '../../store/database/address.js';
import { findDifferences } from '../adoption/differences.js';
import {
  EXPECTED_TABLES,
  HISTORY,
  HISTORY_TABLE,
  OWN_TABLES,
  type StoredTable,
  readStoredTables,
} from '../../store/migrations/tables.js';
import { findCatalogConflicts, isLoaded, readCatalog } from '../../store/sql/catalog.js';
import { LOCK_TABLE } from '../../store/migrations/migrationLock.js';
import { reason } from '../../store/database/failures.js';
import { ALEMBIC_TABLE, PACKAGE, pendingMigrations } from '../../store/migrations/migrator.js';
import { type Finding, ok, orOk, problem, warning } from '../../store/finding.js';

const TABLES = 'tables';

/** Compares the tables of a migrated database with those that the migrations create. */
export async function checkTables(connection: Connection): Promise<Finding[]> {
  const stored = await readStoredTables(connection);
  const others = new Set([LOCK_TABLE, ALEMBIC_TABLE]);
  const expected = { ...EXPECTED_TABLES, ...OWN_TABLES, [HISTORY_TABLE]: HISTORY };
  const { all } = findDifferences(stored, others, { expected });
  // omits harmless differences without a repair: an operator made them on purpose
  const reported = all.filter(({ isHarmless, repair }) => !isHarmless || repair !== undefined);
  const undo = 'restore a backup into an empty database, or revert the changes to the tables';
  const differences = reported.map(({ isHarmless, line, repair }) =>
    (isHarmless ? warning : problem)(TABLES, line, repair === undefined ? undo : { statements: [repair] }),
  );
  // OpenStack Placement chooses the collations of its own tables
  const collations = stored.has(ALEMBIC_TABLE) ? [] : findCollations(stored);
  const [{ collation }] = await connection.query<{ collation: string }[]>(
    `SELECT DEFAULT_COLLATION_NAME AS collation FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = DATABASE()`,
  );
  const harmless = all.map(({ line }) => `; ${line}`).join('');
  const found = `match the migrations; the database's own collation is ${collation}${harmless}`;
  return orOk([...differences, ...collations], TABLES, found);
}

const COLLATION = 'utf8mb4_bin';

/** Warns about tables whose names are not compared byte by byte. */
function findCollations(stored: ReadonlyMap<string, StoredTable>): Finding[] {
  return Object.keys(EXPECTED_TABLES).flatMap((table) => {
    const columns = stored.get(table)?.columns ?? [];
    const other = columns.find(({ collation }) => collation !== null && collation !== COLLATION);
    if (other === undefined) return [];
    const found = `${table}.${other.name} is of ${other.collation}, not ${COLLATION}`;
    const statements = [`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${COLLATION}`];
    return [warning('collation', `${found}: different names may count as equal`, { statements })];
  });
}

const MIGRATIONS = 'migrations';
const MIGRATE = 'run `placement-graphql migrate`, or start the server';

export async function checkHistory(connection: Connection) {
  const not = (finding: Finding) => ({ findings: [finding], isMigrated: false });
  let pending;
  try {
    pending = await pendingMigrations(connection);
  } catch (error) {
    // the message also states the remedy
    return not(problem(MIGRATIONS, reason(error)));
  }
  if (pending === null) return not(warning(MIGRATIONS, 'the database is empty', MIGRATE));
  const half = pending.find(({ begun }) => begun !== null);
  if (half !== undefined) {
    const { applied_steps_count: steps, logs } = half.begun!;
    const why = logs ?? 'it was interrupted';
    const found = `${half.name} has stopped after ${steps} of ${half.statements.length} statements: ${why}`;
    const change = 'remove the cause and run `placement-graphql migrate`, which continues from there';
    return not(problem(MIGRATIONS, found, change));
  }
  const names = pending.map(({ name }) => name).join(', ');
  if (names !== '') return not(warning(MIGRATIONS, `missing: ${names}`, MIGRATE));
  const findings = [ok(MIGRATIONS, 'all are done'), ...(await checkCatalog(connection))];
  return { findings, isMigrated: true };
}

async function checkCatalog(connection: Connection): Promise<Finding[]> {
  const catalog = readCatalog(PACKAGE);
  const conflicts = await findCatalogConflicts(connection, catalog);
  const change = 'this is no database of OpenStack Placement or of this program: name another one';
  if (conflicts.length > 0) return conflicts.map((line) => problem('catalog', line, change));
  return (await isLoaded(connection, catalog))
    ? [ok('catalog', 'every standard trait and resource class is there')]
    : [warning('catalog', 'standard traits or resource classes are missing', MIGRATE)];
}

const PRIVILEGES = 'privileges';

const TO_SERVE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const TO_MIGRATE = ['CREATE', 'ALTER', 'INDEX', 'REFERENCES'];
/** One privilege of each inner list is enough: servers have different names for it. */
const TO_READ_LOG = [['REPLICATION SLAVE'], ['REPLICATION CLIENT', 'BINLOG MONITOR', 'SUPER']];

interface Needs {
  readonly hasBinaryLog: boolean;
  readonly isToMigrate: boolean;
}

/** Checks the privileges of the user to serve and to migrate. */
export async function checkPrivileges(connection: Connection, needs: Needs): Promise<Finding[]> {
  const { database, account, grants } = await readGrants(connection);
  const held = privilegesOn(grants, database);
  const everywhere = privilegesOn(grants, null);
  const missing = (wanted: readonly string[]): string[] => wanted.filter((each) => !has(held, each));
  const toServe = missing(TO_SERVE);
  const toMigrate = missing(TO_MIGRATE);
  const toRead = needs.hasBinaryLog
    ? TO_READ_LOG.flatMap((some) => (some.some((each) => has(everywhere, each)) ? [] : [some[0]]))
    : [];
  const lacks = (some: readonly string[], why: string): string => `${account} lacks ${some.join(', ')}${why}`;
  const granting = (some: readonly string[], on = `${quoted(database)}.*`): { statements: string[] } => ({
    statements: [`GRANT ${some.join(', ')} ON ${on} TO ${account}`],
  });
  const findings: Finding[] = [];
  if (toServe.length > 0) {
    const found = lacks(toServe, ', without which nothing can be served');
    findings.push(problem(PRIVILEGES, found, granting(toServe)));
  }
  if (toMigrate.length > 0) {
    const why = needs.isToMigrate ? 'migrations are missing' : 'a later version may need it to migrate';
    const change = 'or migrate with another user: DATABASE_URL=... placement-graphql migrate';
    const remedy = { ...granting(toMigrate), change };
    findings.push((needs.isToMigrate ? problem : warning)(PRIVILEGES, lacks(toMigrate, `: ${why}`), remedy));
  }
  if (toRead.length > 0) {
    const found = lacks(toRead, ': foreignWrites.binaryLog is set, and the log cannot be read');
    findings.push(problem(PRIVILEGES, found, granting(toRead, '*.*')));
  }
  return orOk(findings, PRIVILEGES, `${account} has all required privileges`);
}

interface Grant {
  readonly privileges: readonly string[];
  readonly schema: string;
  readonly table: string;
}

async function readGrants(connection: Connection) {
  const [[database, user, version]] = await connection.query<string[][]>({
    sql: 'SELECT DATABASE(), CURRENT_USER(), VERSION()',
    rowsAsArray: true,
  });
  const rows = await connection.query<string[][]>({
    sql: `SHOW GRANTS${version.includes('MariaDB') ? '' : await withRoles(connection)}`,
    rowsAsArray: true,
  });
  const at = user.lastIndexOf('@');
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const account = `${quoted(user.slice(0, at))}@${quoted(user.slice(at + 1))}`;
  return { database, account, grants: rows.flatMap(([line]) => parseGrant(line)) };
}

/** Makes SHOW GRANTS of MySQL include the privileges of roles. MariaDB includes them by default. */
async function withRoles(connection: Connection): Promise<string> {
  const [[roles]] = await connection.query<string[][]>({ sql: 'SELECT CURRENT_ROLE()', rowsAsArray: true });
  return roles === 'NONE' ? '' : ` FOR CURRENT_USER() USING ${roles}`;
}

function parseGrant(line: string): Grant[] {
  const match = /^GRANT (.+) ON (?:TABLE )?(`(?:[^`]|``)*`|\*)\.(`(?:[^`]|``)*`|\*) TO /.exec(line);
  if (match === null) return [];
  const [, list, schema, table] = match;
  const privileges = list
    .replace(/, (?=[^()]*\))/g, ' ') // joins column lists: they grant nothing on the whole table
    .split(', ')
    .map((each) => each.toUpperCase());
  const name = (text: string): string => text.replace(/^`|`$/g, '').replaceAll('``', '`');
  return [{ privileges, schema: name(schema), table: name(table) }];
}

/** Returns the privileges on all tables of a database, or of every database if it is null. */
function privilegesOn(grants: readonly Grant[], database: string | null): Set<string> {
  const fitting = grants.filter(
    ({ schema, table }) =>
      table === '*' && (schema === '*' || (database !== null && isLike(database, schema))),
  );
  return new Set(fitting.flatMap(({ privileges }) => privileges));
}

function has(held: ReadonlySet<string>, privilege: string): boolean {
  return held.has(privilege) || held.has('ALL PRIVILEGES') || held.has('ALL');
}

/** Matches a name with the pattern of a grant: _ and % are wildcards unless a backslash precedes them. */
function isLike(name: string, pattern: string): boolean {
  const special = /\\([_%])|([_%])|[.*+?^${}()|[\]\\]/g;
  const text = pattern.replace(special, (found, escaped?: string, wild?: string) => {
    if (wild !== undefined) return wild === '_' ? '.' : '.*';
    return escaped ?? `\\${found}`;
  });
  return new RegExp(`^${text}$`, 'i').test(name);
}
