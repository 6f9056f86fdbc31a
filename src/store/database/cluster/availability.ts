import { SqlError } from 'mariadb';
import type { Queryable } from '../../sql/statements.js';

/** Reads a table, which a cluster node without a majority refuses. */
const READ = 'SELECT id FROM resource_classes LIMIT 1';

const READ_ONLY = ['read_only', 'super_read_only', 'innodb_read_only'];

const MEMBERS = `SELECT MEMBER_STATE AS state, MEMBER_ID = @@server_uuid AS isThis
  FROM performance_schema.replication_group_members`;

/** Error number: the user of the database may not read a table. */
const NO_PRIVILEGE = 1142;

/** Values by name. Names that are unknown to the server are missing. */
export type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Returns in a few words why a server cannot serve: a cluster node without a majority or not ready, read-only, or a
 * database without tables. Null: it can serve. Rejects if the server does not answer or refuses.
 */
export async function unavailability(reader: Queryable): Promise<string | null> {
  const node = await nodeUnavailability(reader);
  if (node !== null) return node;
  await reader.query(READ);
  return null;
}

/** Like {@link unavailability}, but does not read the database, which may not exist yet. */
export async function nodeUnavailability(reader: Queryable): Promise<string | null> {
  const names = ['wsrep_on', 'group_replication_group_name', ...READ_ONLY];
  const settings = await readSettings(reader, 'GLOBAL VARIABLES', names);
  const node =
    (settings.wsrep_on === 'ON' ? await galeraUnavailability(reader) : null) ??
    (settings.group_replication_group_name ? await groupUnavailability(reader) : null);
  if (node !== null) return node;
  const on = READ_ONLY.filter((name) => settings[name] === 'ON');
  return on.length > 0 ? `the database server is read-only (${on.join(', ')})` : null;
}

async function galeraUnavailability(reader: Queryable): Promise<string | null> {
  const status = await readSettings(reader, 'GLOBAL STATUS', ['wsrep_ready', 'wsrep_cluster_status']);
  if (status.wsrep_cluster_status !== 'Primary')
    return `the node of the cluster has no majority (${status.wsrep_cluster_status})`;
  return status.wsrep_ready === 'ON' ? null : 'the node of the cluster is not ready';
}

/**
 * Checks a node of MySQL's Group Replication. Without the privilege to read
 * `performance_schema.replication_group_members` a lost majority is not detected; a node outside of its group is
 * read-only anyway.
 */
async function groupUnavailability(reader: Queryable): Promise<string | null> {
  const members = await readMembers(reader);
  if (members === null) return null;
  const state = members.find(({ isThis }) => Number(isThis) === 1)?.state ?? 'OFFLINE';
  if (state !== 'ONLINE') return `the node of the cluster is not ready (${state})`;
  const reachable = members.filter((member) => member.state !== 'UNREACHABLE').length;
  if (2 * reachable > members.length) return null;
  return `the node of the cluster has no majority (it reaches ${reachable} of ${members.length} members)`;
}

/** Returns the members of a node's group. Null if the user may not read them. */
export async function readMembers(reader: Queryable): Promise<{ state: string; isThis: unknown }[] | null> {
  try {
    return await reader.query(MEMBERS);
  } catch (error) {
    if (error instanceof SqlError && error.errno === NO_PRIVILEGE) return null;
    throw error;
  }
}

/** Reads variables or the status of a server. Needs no privilege. Works in any state of a node. */
export async function readSettings(
  reader: Queryable,
  kind: 'GLOBAL VARIABLES' | 'GLOBAL STATUS' | 'SESSION VARIABLES',
  names: readonly string[],
): Promise<Settings> {
  const rows = await reader.query<{ Variable_name: string; Value: string }[]>(
    `SHOW ${kind} WHERE Variable_name IN (?)`,
    [names],
  );
  return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}
