import type { Connection } from 'mariadb';
import { columns, select } from '../statements.js';

/** A read of a table: a node of a cluster without a majority answers whatever needs none. */
const READ = select({ id: columns('resource_classes').id }, 'FROM resource_classes LIMIT 1').text;

type Statements = Pick<Connection, 'query'>;

interface Setting {
  readonly Variable_name: string;
  readonly Value: string;
}

/**
 * Why a server cannot serve, in a few words: it is a node of a Galera cluster that has no majority or is not ready, it is read-only,
 * or the database has no tables. Null: it can. Rejects when it does not answer, or refuses.
 */
export async function unavailability(connection: Statements): Promise<string | null> {
  const node = await nodeUnavailability(connection);
  if (node !== null) return node;
  await connection.query(READ);
  return null;
}

/** The same without a look at the database, which may have to be created yet. */
export async function nodeUnavailability(connection: Statements): Promise<string | null> {
  const settings = await connection.query<Setting[]>(
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('wsrep_on', 'read_only', 'super_read_only', 'innodb_read_only')",
  );
  const on = new Set(settings.filter(({ Value }) => Value === 'ON').map((setting) => setting.Variable_name));
  if (on.delete('wsrep_on')) {
    const status = await connection.query<Setting[]>(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status')",
    );
    const { wsrep_ready, wsrep_cluster_status } = Object.fromEntries(
      status.map(({ Variable_name, Value }) => [Variable_name, Value]),
    );
    if (wsrep_cluster_status !== 'Primary')
      return `the node of the cluster has no majority (${wsrep_cluster_status})`;
    if (wsrep_ready !== 'ON') return 'the node of the cluster is not ready';
  }
  return on.size > 0 ? `the database server is read-only (${[...on].join(', ')})` : null;
}
