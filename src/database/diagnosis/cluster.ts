import { SqlError, type Connection } from 'mariadb';
import { nodeUnavailability, readSettings } from '../cluster/availability.js';
import { ok, problem, warning, type Finding } from './finding.js';

const CHECK = 'availability';
const NO_PRIVILEGE = 1142;

/** Whether a server can serve, and as a node of which cluster. @param hosts how many DATABASE_URL names */
export async function checkNode(connection: Connection, hosts: number): Promise<Finding[]> {
  const values = await readSettings(connection, 'VARIABLES', [
    'wsrep_on',
    'group_replication_group_name',
    'read_only',
  ]);
  const isGalera = values.wsrep_on === 'ON';
  const isGroup = Boolean(values.group_replication_group_name);
  const reason = await nodeUnavailability(connection);
  if (reason !== null) {
    const isPlain = !isGalera && !isGroup;
    return [
      problem(
        CHECK,
        reason,
        isPlain
          ? {
              statements: ['SET GLOBAL read_only = OFF'],
              change: 'or name the primary in DATABASE_URL where this is a replica',
            }
          : { change: 'see to the cluster: nodes that are away, or let this one join again' },
      ),
    ];
  }
  const findings: Finding[] = [];
  if (isGroup && !(await mayReadMembers(connection)))
    findings.push(
      warning(CHECK, 'whether the node has the majority of its group cannot be asked', {
        statements: ['GRANT SELECT ON performance_schema.replication_group_members TO CURRENT_USER()'],
      }),
    );
  if (hosts > 1 && !isGalera && !isGroup)
    findings.push(
      problem(
        CHECK,
        `DATABASE_URL names ${hosts} hosts, and they are no cluster: each has a database of its own`,
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
      : 'a server of its own';
  return [ok(CHECK, `it can be read and written; ${kind}`)];
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
