import type { Reader } from '../statements.js';
import { readSettings } from '../cluster/availability.js';

/** Settings with which the binary log does not say which providers have changed. */
const PROBLEMS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['log_bin', ['OFF']],
  ['binlog_format', ['STATEMENT', 'MIXED']],
  ['binlog_row_image', ['MINIMAL']],
  ['binlog_transaction_compression', ['ON']],
];

/** Why the binary log of a server does not have what is needed; null: it has. */
export async function binaryLogProblem(reader: Reader): Promise<string | null> {
  const settings = await readSettings(reader, 'VARIABLES', [
    ...PROBLEMS.map(([name]) => name),
    'wsrep_on',
    'log_slave_updates',
  ]);
  const problem = PROBLEMS.find(([name, values]) => values.includes(settings[name] ?? ''));
  if (problem !== undefined) return `${problem[0]} is ${settings[problem[0]]}`;
  const onOneNode = settings.wsrep_on === 'ON' && settings.log_slave_updates === 'OFF';
  return onOneNode ? 'log_slave_updates is OFF: what other nodes write is not in the log of this one' : null;
}
