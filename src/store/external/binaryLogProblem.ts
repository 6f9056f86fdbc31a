import { readSettings } from '../database/cluster/availability.js';
import type { Queryable } from '../sql/statements.js';

/** Settings with which the binary log does not show which providers have changed. */
const PROBLEMS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['log_bin', ['OFF']],
  ['binlog_format', ['STATEMENT', 'MIXED']],
  ['binlog_row_image', ['MINIMAL']],
  ['binlog_transaction_compression', ['ON']],
];

/** Returns why the binary log of a server is insufficient. Null if it is sufficient. */
export async function binaryLogProblem(reader: Queryable): Promise<string | null> {
  const settings = await readSettings(reader, 'GLOBAL VARIABLES', [
    ...PROBLEMS.map(([name]) => name),
    'wsrep_on',
    'log_slave_updates',
  ]);
  const problem = PROBLEMS.find(([name, values]) => values.includes(settings[name] ?? ''));
  if (problem !== undefined) return `${problem[0]} is ${settings[problem[0]]}`;
  const onOneNode = settings.wsrep_on === 'ON' && settings.log_slave_updates === 'OFF';
  return onOneNode ? 'log_slave_updates is OFF: the log of this node lacks the writes of other nodes' : null;
}
