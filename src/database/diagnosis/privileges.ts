import type { Connection } from 'mariadb';
import { ok, problem, warning, type Finding } from './finding.js';

const CHECK = 'privileges';

const TO_SERVE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const TO_MIGRATE = ['CREATE', 'ALTER', 'INDEX', 'REFERENCES'];
/** Each of these is enough: the servers have different names for it. */
const TO_READ_LOG = [['REPLICATION SLAVE'], ['REPLICATION CLIENT', 'BINLOG MONITOR', 'SUPER']];

interface Needs {
  /** Whether the settings have the binary log read. */
  readonly hasBinaryLog: boolean;
  /** Whether migrations are missing. */
  readonly isToMigrate: boolean;
}

/** Whether the user may do what serving and migrating need. */
export async function checkPrivileges(
  connection: Connection,
  { hasBinaryLog, isToMigrate }: Needs,
): Promise<Finding[]> {
  const { database, account, grants } = await readGrants(connection);
  const held = privilegesOn(grants, database);
  const everywhere = privilegesOn(grants, null);
  const name = `\`${database.replaceAll('`', '``')}\``;
  const missing = (wanted: readonly string[]): string[] => wanted.filter((each) => !has(held, each));
  const grant = (some: readonly string[], on: string): string =>
    `GRANT ${some.join(', ')} ON ${on} TO ${account}`;
  const findings: Finding[] = [];
  const toServe = missing(TO_SERVE);
  if (toServe.length > 0)
    findings.push(
      problem(CHECK, `${account} lacks ${toServe.join(', ')}, without which nothing can be served`, {
        statements: [grant(toServe, `${name}.*`)],
      }),
    );
  const toMigrate = missing(TO_MIGRATE);
  if (toMigrate.length > 0) {
    const why = isToMigrate ? 'migrations are missing' : 'a later version may need it to migrate';
    findings.push(
      (isToMigrate ? problem : warning)(CHECK, `${account} lacks ${toMigrate.join(', ')}: ${why}`, {
        statements: [grant(toMigrate, `${name}.*`)],
        change: 'or migrate with another user: DATABASE_URL=... placement-graphql migrate',
      }),
    );
  }
  const toRead = hasBinaryLog
    ? TO_READ_LOG.flatMap((some) => (some.some((each) => has(everywhere, each)) ? [] : [some[0]]))
    : [];
  if (toRead.length > 0)
    findings.push(
      problem(
        CHECK,
        `${account} lacks ${toRead.join(', ')}: foreignWrites.binaryLog is set, and the log cannot be read`,
        {
          statements: [grant(toRead, '*.*')],
        },
      ),
    );
  return findings.length > 0 ? findings : [ok(CHECK, `${account} may do all that is needed`)];
}

interface Grant {
  readonly privileges: readonly string[];
  readonly schema: string;
  readonly table: string;
}

async function readGrants(
  connection: Connection,
): Promise<{ database: string; account: string; grants: Grant[] }> {
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

/** MariaDB shows what roles give by itself. */
async function withRoles(connection: Connection): Promise<string> {
  const [[roles]] = await connection.query<string[][]>({ sql: 'SELECT CURRENT_ROLE()', rowsAsArray: true });
  return roles === 'NONE' ? '' : ` FOR CURRENT_USER() USING ${roles}`;
}

function parseGrant(line: string): Grant[] {
  const match = /^GRANT (.+) ON (?:TABLE )?(`(?:[^`]|``)*`|\*)\.(`(?:[^`]|``)*`|\*) TO /.exec(line);
  if (match === null) return [];
  const [, list, schema, table] = match;
  const privileges = list
    .replace(/, (?=[^()]*\))/g, ' ') // of columns, which are no privilege on a table
    .split(', ')
    .map((each) => each.toUpperCase());
  const name = (text: string): string => text.replace(/^`|`$/g, '').replaceAll('``', '`');
  return [{ privileges, schema: name(schema), table: name(table) }];
}

/** Those on all tables of a database; null: of every database. */
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

/** The name in a grant is a pattern: _ and % stand for others unless there is a backslash before them. */
function isLike(name: string, pattern: string): boolean {
  const text = pattern.replace(
    /\\([_%])|([_%])|[.*+?^${}()|[\]\\]/g,
    (found, escaped?: string, wild?: string) => {
      if (escaped !== undefined) return escaped;
      if (wild !== undefined) return wild === '_' ? '.' : '.*';
      return `\\${found}`;
    },
  );
  return new RegExp(`^${text}$`, 'i').test(name);
}
