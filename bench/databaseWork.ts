import { readFile } from 'node:fs/promises';
import type { Queryable } from '../src/store/sql/statements.js';

/** Returns the process id of the database server. */
export async function databaseProcess(reader: Queryable): Promise<number> {
  const [{ path }] = await reader.query<{ path: string }[]>('SELECT @@pid_file AS path');
  return Number(await readFile(path, 'utf8'));
}

/** The work of the database server so far, or the work per unit. */
export class DatabaseWork {
  constructor(
    readonly statements: number,
    /** The traffic of all connections, sent and received. */
    readonly kilobytes: number,
    /** The number of writes of the log to the disk. */
    readonly logWrites: number,
  ) {}

  since(before: DatabaseWork, works: number): DatabaseWork {
    const each = (name: 'statements' | 'kilobytes' | 'logWrites'): number =>
      (this[name] - before[name]) / works;
    return new DatabaseWork(each('statements'), each('kilobytes'), each('logWrites'));
  }
}

const NAMES = ['Questions', 'Bytes_received', 'Bytes_sent', 'Innodb_log_writes'];

export async function databaseWork(reader: Queryable): Promise<DatabaseWork> {
  const rows = await reader.query<{ Variable_name: string; Value: string }[]>(
    `SHOW GLOBAL STATUS WHERE Variable_name IN (${NAMES.map((name) => `'${name}'`).join(', ')})`,
  );
  const values = new Map(rows.map((row) => [row.Variable_name, Number(row.Value)]));
  const [statements, received, sent, logWrites] = NAMES.map((name) => values.get(name) ?? 0);
  return new DatabaseWork(statements, (received + sent) / 1_000, logWrites);
}
