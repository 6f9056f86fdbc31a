import { randomBytes } from 'node:crypto';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { createProcess, type Process } from '../../src/server/process.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { prepared } from './prepared.js';
import { leaveReused, rememberMigrated, takeReused } from './reusedDatabases.js';

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
 * Returns a migrated database with nothing but the catalog, for the calling test file alone. `close()` empties it for
 * a later file of this worker.
 */
export async function testDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const url = takeReused(prepared('PLACEMENT_TEST_SERVER_URL')) ?? (await createMigrated());
  const database = openProcess(url, options);
  await database.prisma.$connect();
  let closed: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    await database.close();
    await leaveReused(url);
  };
  return { ...database, url, close: () => (closed ??= leave()) };
}

async function createMigrated(): Promise<string> {
  const url = serverUrl(newName());
  await ensureDatabase(url);
  const database = openDatabase(url);
  await migrate(database);
  await database.close();
  await rememberMigrated(url);
  return url;
}

/** Creates a database without tables, for the calling test file alone. `close()` drops it. */
export async function emptyDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const name = newName();
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

function newName(): string {
  return `test_${process.pid}_${randomBytes(6).toString('hex')}`;
}

/** Returns the URL of a database on the server that Jest started for this run. */
function serverUrl(name: string): string {
  const url = new URL(prepared('PLACEMENT_TEST_SERVER_URL'));
  url.pathname = `/${name}`;
  return url.href;
}
