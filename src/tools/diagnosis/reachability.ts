import { type Connection, SqlError, createConnection } from 'mariadb';
import {
  CONNECTING,
  type DatabaseAddress,
  databaseAddresses,
  nameOf,
  quoted,
} from '../../store/database/address.js';
import { nodeUnavailability, readMembers, readSettings } from '../../store/database/cluster/availability.js';
import { reason } from '../../store/database/failures.js';
import { type Finding, ok, orOk, problem, warning } from '../../store/finding.js';

const CONNECTION = 'connection';

/** Error numbers: wrong user, password or host; no privilege on the database; no such database. */
const DENIED = 1045;
const NO_RIGHT = 1044;
const UNKNOWN_DATABASE = 1049;
const NO_MORE_CONNECTIONS = new Set([1040, 1203]);

const CHANGES: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED:
    'start the database server, or correct host and port in DATABASE_URL; it must listen there ' +
    '(bind_address, skip_networking)',
  ENOENT: 'start the database server, or correct socketPath in DATABASE_URL',
  ENOTFOUND: 'correct the host in DATABASE_URL: no name service knows it',
  EAI_AGAIN: 'correct the host in DATABASE_URL, or the name service of this machine',
  ETIMEDOUT:
    'allow connections from this machine to that port (firewall), or correct the host in DATABASE_URL',
};

/** Connects to every server of a URL. Returns the first connection, or null if all fail. */
export async function connect(url: string): Promise<{ findings: Finding[]; connection: Connection | null }> {
  const findings: Finding[] = [];
  let first: Connection | null = null;
  for (const address of databaseAddresses(url)) {
    try {
      const options = { ...CONNECTING, collation: 'UTF8MB4_BIN', bigIntAsNumber: true };
      const connection = await createConnection({ ...address, ...options });
      findings.push(ok(CONNECTION, `${nameOf(address)} answers`));
      if (first === null) first = connection;
      else await connection.end();
    } catch (error) {
      findings.push(failed(address, error));
    }
  }
  return { findings, connection: first };
}

function failed(address: DatabaseAddress, error: unknown): Finding {
  const found = `${nameOf(address)}: ${reason(error)}`;
  const { user } = address;
  const name = quoted(address.database);
  const number = error instanceof SqlError ? error.errno : 0;
  if (number === UNKNOWN_DATABASE)
    return warning(CONNECTION, `${found}: \`serve\` and \`migrate\` create it where the user may`, {
      statements: [`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`],
    });
  if (number === NO_RIGHT)
    return problem(CONNECTION, found, { statements: [`GRANT ALL ON ${name}.* TO '${user}'@'%'`] });
  if (number === DENIED) {
    const allow = `allow the user ${user} from this machine (CREATE USER, ALTER USER)`;
    return problem(
      CONNECTION,
      found,
      `correct user and password in DATABASE_URL (percent-encoded), or ${allow}`,
    );
  }
  const change = NO_MORE_CONNECTIONS.has(number)
    ? 'raise max_connections or max_user_connections, or stop programs that hold connections'
    : CHANGES[codeOf(error)];
  return problem(CONNECTION, found, change ?? 'read the log of the database server');
}

/** Returns the code of an error, also if the connector wraps it. */
function codeOf(error: unknown): string {
  for (let layer = error; layer instanceof Error; layer = layer.cause) {
    const { code } = layer as NodeJS.ErrnoException;
    if (code !== undefined && code in CHANGES) return code;
  }
  return error instanceof SqlError && error.message.includes('timeout') ? 'ETIMEDOUT' : '';
}

const AVAILABILITY = 'availability';

/** Checks whether a server can serve, and its cluster. @param hosts the number of hosts in DATABASE_URL */
export async function checkNode(connection: Connection, hosts: number): Promise<Finding[]> {
  const names = ['wsrep_on', 'group_replication_group_name', 'read_only', 'innodb_read_only'];
  const values = await readSettings(connection, 'GLOBAL VARIABLES', names);
  const isGalera = values.wsrep_on === 'ON';
  const isGroup = Boolean(values.group_replication_group_name);
  const reason = await nodeUnavailability(connection);
  if (reason !== null) {
    if (isGalera || isGroup)
      return [
        problem(AVAILABILITY, reason, 'repair the cluster: start missing nodes, or let this one join again'),
      ];
    if (values.innodb_read_only !== 'ON') {
      const change = 'or name the primary in DATABASE_URL where this is a replica';
      return [problem(AVAILABILITY, reason, { statements: ['SET GLOBAL read_only = OFF'], change })];
    }
    // cannot be changed while the server runs
    const restart = 'start the database server without innodb_read_only, or name another one in DATABASE_URL';
    return [problem(AVAILABILITY, reason, restart)];
  }
  const findings: Finding[] = [];
  if (isGroup && (await readMembers(connection)) === null)
    findings.push(
      warning(AVAILABILITY, 'the user may not read whether the node has the majority of its group', {
        statements: ['GRANT SELECT ON performance_schema.replication_group_members TO CURRENT_USER()'],
      }),
    );
  if (hosts > 1 && !isGalera && !isGroup) {
    const found = `DATABASE_URL names ${hosts} hosts, which are not a cluster: each has a separate database`;
    findings.push(problem(AVAILABILITY, found, 'name one host'));
  }
  const { wsrep_cluster_size: size } = await readSettings(connection, 'GLOBAL STATUS', [
    'wsrep_cluster_size',
  ]);
  const member = isGroup ? 'a member of a group' : 'a single server';
  const kind = isGalera ? `a node of a Galera cluster of ${size}` : member;
  return orOk(findings, AVAILABILITY, `it can be read and written; ${kind}`);
}
