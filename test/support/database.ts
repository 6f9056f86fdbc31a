import { randomBytes } from 'node:crypto';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { createProcess, type Process } from '../../src/server/process.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { prepared } from './prepared.js';

export interface TestDatabase extends ProcessDatabase {
  readonly url: string;
}

/** A database with the parts of a process that write to it. */
export interface ProcessDatabase
  extends Database, Pick<Process, 'ledger' | 'claims' | 'reads' | 'snapshots' | 'stop'> {}

/** Opens connections to a database, and a process of their own on them. */
export function openProcess(url: string, options: DatabaseOptions = {}): ProcessDatabase {
  const database = openDatabase(url, options);
  const process = createProcess(database);
  const { ledger, claims, reads, snapshots } = process;
  const stop = (): void => process.stop();
  const close = (): Promise<void> => {
    stop();
    return database.close();
  };
  return { ...database, ledger, claims, reads, snapshots, stop, close };
}

/**
 * Creates a migrated database with the catalog, for the calling test file alone. `close()` drops
 * it.
 */
export async function testDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const database = await emptyDatabase(options);
  await migrate(database);
  await database.prisma.$connect();
  return database;
}

/** Creates a database without tables, for the calling test file alone. `close()` drops it. */
export async function emptyDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const url = serverUrl(name);
  await ensureDatabase(url);
  const database = openProcess(url, options);
  let closed: Promise<void> | undefined;
  const drop = async (): Promise<void> => {
    database.stop(); // otherwise its background jobs would not find the tables
    await database.pool.query(`DROP DATABASE ${name}`);
    await database.close();
  };
  return { ...database, url, close: () => (closed ??= drop()) };
}

/** Returns the URL of a database on the server that Jest started for this run. */
function serverUrl(name: string): string {
  const url = new URL(prepared('PLACEMENT_TEST_SERVER_URL'));
  url.pathname = `/${name}`;
  return url.href;
}
