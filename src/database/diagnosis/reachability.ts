import { type Connection, SqlError, createConnection } from 'mariadb';
import { CONNECTING, type DatabaseAddress, databaseAddresses } from '../address.js';
import { nodeUnavailability, readSettings } from '../cluster/availability.js';
import { reason } from '../failures.js';
import { type Finding, ok, problem, warning } from './finding.js';

const CONNECTION = 'connection';

/** Error numbers: wrong user, password or host; no privilege on the database; no such database. */
const DENIED = 1045;
const NO_RIGHT = 1044;
const UNKNOWN_DATABASE = 1049;
const NO_MORE_CONNECTIONS = new Set([1040, 1203]);

const CHANGES: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'start the database server, or correct host and port in DATABASE_URL; it must listen there ' +
    '(bind_address, skip_networking)',
  ENOENT: 'start the database server, or correct socketPath in DATABASE_URL',
  ENOTFOUND: 'correct the host in DATABASE_URL: no name service knows it',
  EAI_AGAIN: 'correct the host in DATABASE_URL, or the name service of this machine',
  ETIMEDOUT:
    'let connections pass from this machine to that port (firewall), or correct the host in DATABASE_URL',
};

/** Connects to every server of a URL. Returns the first connection, or null if all fail. */
export async function connect(
  url: string,
): Promise<{ readonly findings: readonly Finding[]; readonly connection: Connection | null }> {
  const findings: Finding[] = [];
  let first: Connection | null = null;
  for (const address of databaseAddresses(url)) {
    try {
      const connection = await createConnection({
        ...address,
        ...CONNECTING,
        collation: 'UTF8MB4_BIN',
        bigIntAsNumber: true,
      });
      findings.push(ok(CONNECTION, `${nameOf(address)} answers`));
      if (first === null) first = connection;
      else await connection.end();
    } catch (error) {
      findings.push(failed(address, error));
    }
  }
  return { findings, connection: first };
}

function nameOf({ socketPath, host, port, database }: DatabaseAddress): string {
  return `the database ${database} on ${socketPath ?? `${host}:${port}`}`;
}

function failed(address: DatabaseAddress, error: unknown): Finding {
  const found = `${nameOf(address)}: ${reason(error)}`;
  const { database, user } = address;
  const name = `\`${database.replaceAll('`', '``')}\``;
  const number = error instanceof SqlError ? error.errno : 0;
  if (number === UNKNOWN_DATABASE)
    return warning(CONNECTION, `${found}: \`serve\` and \`migrate\` create it where the user may`, {
      statements: [`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`],
    });
  if (number === NO_RIGHT)
    return problem(CONNECTION, found, { statements: [`GRANT ALL ON ${name}.* TO '${user}'@'%'`] });
  if (number === DENIED)
    return problem(CONNECTION, found, {
      change:
        'correct user and password in DATABASE_URL (percent-encoded), or allow the user ' +
        `${user} from this machine (CREATE USER, ALTER USER)`,
    });
  if (NO_MORE_CONNECTIONS.has(number))
    return problem(CONNECTION, found, {
      change: 'raise max_connections or max_user_connections, or stop what holds connections',
    });
  const code = codeOf(error);
  return problem(CONNECTION, found, {
    change: CHANGES[code] ?? 'see what the database server says in its log',
  });
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
const NO_PRIVILEGE = 1142;

function remedyOfReadOnly(isInnodb: boolean) {
  return isInnodb // cannot be changed while the server runs
    ? { change: 'start the database server without innodb_read_only, or name another one in DATABASE_URL' }
    : {
        statements: ['SET GLOBAL read_only = OFF'],
        change: 'or name the primary in DATABASE_URL where this is a replica',
      };
}

/** Checks whether a server can serve, and its cluster. @param hosts the number of hosts in DATABASE_URL */
export async function checkNode(connection: Connection, hosts: number): Promise<Finding[]> {
  const values = await readSettings(connection, 'VARIABLES', [
    'wsrep_on',
    'group_replication_group_name',
    'read_only',
    'innodb_read_only',
  ]);
  const isGalera = values.wsrep_on === 'ON';
  const isGroup = Boolean(values.group_replication_group_name);
  const reason = await nodeUnavailability(connection);
  if (reason !== null) {
    const isPlain = !isGalera && !isGroup;
    return [
      problem(
        AVAILABILITY,
        reason,
        isPlain
          ? remedyOfReadOnly(values.innodb_read_only === 'ON')
          : { change: 'repair the cluster: start missing nodes, or let this one join again' },
      ),
    ];
  }
  const findings: Finding[] = [];
  if (isGroup && !(await mayReadMembers(connection)))
    findings.push(
      warning(AVAILABILITY, 'whether the node has the majority of its group cannot be asked', {
        statements: ['GRANT SELECT ON performance_schema.replication_group_members TO CURRENT_USER()'],
      }),
    );
  if (hosts > 1 && !isGalera && !isGroup)
    findings.push(
      problem(
        AVAILABILITY,
        `DATABASE_URL names ${hosts} hosts, which are not a cluster: each has a separate database`,
        {
          change: 'name one host',
        },
      ),
    );
  if (findings.length > 0) return findings;
  const { wsrep_cluster_size: size } = isGalera
    ? await readSettings(connection, 'STATUS', ['wsrep_cluster_size'])
    : {};
  const kind = isGalera
    ? `a node of a Galera cluster of ${size}`
    : isGroup
      ? 'a member of a group'
      : 'a single server';
  return [ok(AVAILABILITY, `it can be read and written; ${kind}`)];
}

async function mayReadMembers(connection: Connection): Promise<boolean> {
  try {
    await connection.query('SELECT 1 FROM performance_schema.replication_group_members LIMIT 1');
    return true;
  } catch (error) {
    if (error instanceof SqlError && error.errno === NO_PRIVILEGE) return false;
    throw error;
  }
}
