import { columns, select, type Reader } from '../statements.js';
import { galeraUnavailability } from './galera.js';
import { groupUnavailability } from './groupReplication.js';
import { readSettings } from './settings.js';

/** A read of a table: a node of a cluster without a majority answers whatever needs none. */
const READ = select({ id: columns('resource_classes').id }, 'FROM resource_classes LIMIT 1').text;

const READ_ONLY = ['read_only', 'super_read_only', 'innodb_read_only'];

/**
 * Why a server cannot serve, in a few words: it is a node of a cluster that has no majority or is not ready, it is read-only,
 * or the database has no tables. Null: it can. Rejects when it does not answer, or refuses.
 */
export async function unavailability(reader: Reader): Promise<string | null> {
  const node = await nodeUnavailability(reader);
  if (node !== null) return node;
  await reader.query(READ);
  return null;
}

/** The same without a look at the database, which may have to be created yet. */
export async function nodeUnavailability(reader: Reader): Promise<string | null> {
  const names = ['wsrep_on', 'group_replication_group_name', ...READ_ONLY];
  const settings = await readSettings(reader, 'VARIABLES', names);
  const node =
    (settings.wsrep_on === 'ON' ? await galeraUnavailability(reader) : null) ??
    (settings.group_replication_group_name ? await groupUnavailability(reader) : null);
  if (node !== null) return node;
  const on = READ_ONLY.filter((name) => settings[name] === 'ON');
  return on.length > 0 ? `the database server is read-only (${on.join(', ')})` : null;
}
