import { openDatabase, type Database, type DatabaseOptions } from '../database/database.js';
import { ensureDatabase, requireDatabase, requireReachable } from '../database/ensure.js';
import { migrate } from '../database/migrator.js';
import { runningDatabaseUrl, startPrivateDatabase } from '../privateDatabase/privateDatabase.js';
import { endFirstMigration, prepareFirstMigration } from './firstMigration.js';
import type { Lifecycle } from './lifecycle.js';
import { lockHolder, takeLock, type Lock } from './lock.js';
import { step, throttled } from './progress.js';
import { loadSample } from './sample/sample.js';
import type { Settings } from './settings/definitions.js';

/** The database in the private server. */
const PRIVATE_NAME = 'placement';

/** Locks the data directory of the private database for this process; null where the settings name a database. */
export async function lockData(lifecycle: Lifecycle, settings: Settings): Promise<Lock | null> {
  if (settings['database.url'] !== null) return null;
  const directory = settings['database.dataDirectory'];
  const lock = await step(lifecycle, 'waiting for an earlier process to stop', () => takeLock(directory));
  lifecycle.defer(() => lock.release());
  return lock;
}

/** Gives the URL of the database that the settings name, or starts the private one, whose data must be locked. */
export async function startDatabase(lifecycle: Lifecycle, settings: Settings): Promise<string> {
  return settings['database.url'] ?? (await startPrivate(lifecycle, settings['database.dataDirectory']));
}

/** Starts, migrates and opens that database. */
export async function openMigrated(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const database = open(lifecycle, await startDatabase(lifecycle, settings), settings);
  await migrateDatabase(lifecycle, database, settings);
  return database;
}

/** Creates that database where it is missing, and brings it up to date. */
export async function migrateDatabase(
  lifecycle: Lifecycle,
  database: Database,
  settings: Settings,
): Promise<void> {
  const isPrivate = settings['database.url'] === null;
  const directory = settings['database.dataDirectory'];
  if (isPrivate) await prepareFirstMigration(directory, database.url);
  else await ensureDatabase(database.url);
  await step(lifecycle, 'migrating the database', () => migrate(database, lifecycle.say));
  if (isPrivate) await endFirstMigration(directory);
}

/** Opens that database, which must be up to date, and changes nothing. */
export async function openExisting(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  await lockData(lifecycle, settings);
  const url = await startDatabase(lifecycle, settings);
  await requireDatabase(url);
  return open(lifecycle, url, settings);
}

/**
 * Opens the database that the settings name, whatever it holds. The private one may be in use by a server, which goes on; where none
 * runs it is started.
 */
export async function openBeside(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const url = await urlBeside(lifecycle, settings);
  await requireReachable(url);
  return open(lifecycle, url, settings);
}

/** The URL of that database. */
export async function urlBeside(lifecycle: Lifecycle, settings: Settings): Promise<string> {
  const directory = settings['database.dataDirectory'];
  const isServed = settings['database.url'] === null && (await lockHolder(directory)) !== null;
  if (isServed) return runningDatabaseUrl(directory, PRIVATE_NAME);
  await lockData(lifecycle, settings);
  return startDatabase(lifecycle, settings);
}

/** Opens the database that the settings name for this process alone; creates an empty one where there is none. */
export async function openToFill(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const directory = settings['database.dataDirectory'];
  await lockData(lifecycle, settings);
  const url = await startDatabase(lifecycle, settings);
  if (settings['database.url'] !== null) await ensureDatabase(url);
  else {
    await prepareFirstMigration(directory, url);
    await endFirstMigration(directory);
  }
  return open(lifecycle, url, settings);
}

/** Opens a database that is there, whatever it holds. @throws Error with one line, without the password, when it cannot be used */
export async function openReachable(lifecycle: Lifecycle, url: string): Promise<Database> {
  await requireReachable(url);
  return open(lifecycle, url);
}

/** Opens a database, which need not be there yet: nothing is connected before it is used. */
export function open(lifecycle: Lifecycle, url: string, settings?: Settings): Database {
  const database = openDatabase(url, settings && databaseOptions(settings));
  lifecycle.defer(() => database.close());
  return database;
}

function databaseOptions(settings: Settings): DatabaseOptions {
  const statementTimeout = 1_000 * settings['database.statementSeconds'];
  return { connections: settings['database.connections'], statementTimeout };
}

/** Passes on what work tells of its progress; when the command ends, the work ends where it tells something. */
export function untilStopping(lifecycle: Lifecycle, tell: (line: string) => void): (line: string) => void {
  return (line) => {
    lifecycle.throwIfStopping();
    tell(line);
  };
}

/** Fills an empty database; stops within moments when the command ends, and then leaves nothing. */
export function fillWithSample(lifecycle: Lifecycle, database: Database, hosts: number): Promise<void> {
  const onProgress = untilStopping(lifecycle, throttled(lifecycle.say));
  return step(lifecycle, `loading a demo cloud of ${hosts} hosts`, () =>
    loadSample(database, { hosts, onProgress }),
  );
}

async function startPrivate(lifecycle: Lifecycle, directory: string): Promise<string> {
  const starting = startPrivateDatabase({ directory, durable: true, onProgress: lifecycle.say });
  lifecycle.defer(async () => {
    const running = await starting.catch(() => null); // the command itself fails with it, below
    await running?.stop();
  });
  const running = await step(lifecycle, 'starting the private database', () => starting);
  lifecycle.need(
    running.died.then((how) => `the private database is gone: ${how}; its log is in ${directory}`),
  );
  return running.url(PRIVATE_NAME);
}
