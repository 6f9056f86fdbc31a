import type { Reader } from '../statements.js';
import { readSettings } from './settings.js';

/** Why a node of a Galera cluster cannot serve; null: it can. */
export async function galeraUnavailability(reader: Reader): Promise<string | null> {
  const status = await readSettings(reader, 'STATUS', ['wsrep_ready', 'wsrep_cluster_status']);
  if (status.wsrep_cluster_status !== 'Primary')
    return `the node of the cluster has no majority (${status.wsrep_cluster_status})`;
  return status.wsrep_ready === 'ON' ? null : 'the node of the cluster is not ready';
}
