import { openDatabase, type Database } from '../database/database.js';
import { ensureDatabase, requireDatabase, requireReachable } from '../database/ensure.js';
import { migrate } from '../database/migrator.js';
import { startPrivateDatabase } from '../privateDatabase/privateDatabase.js';
import { endFirstMigration, prepareFirstMigration } from './firstMigration.js';
import type { Environment } from './environment.js';
import type { Lifecycle } from './lifecycle.js';
import { takeLock, type Lock } from './lock.js';
import { step, throttled } from './progress.js';
import { loadSample } from './sample/sample.js';

const print = (line: string) => console.log(line);

/** Locks the data directory of the private database for this process; null where the environment names a database. */
export async function lockData(
  lifecycle: Lifecycle,
  { databaseUrl, dataDirectory }: Environment,
): Promise<Lock | null> {
  if (databaseUrl !== null) return null;
  const lock = await step('waiting for an earlier process to stop', () => takeLock(dataDirectory));
  lifecycle.defer(() => lock.release());
  return lock;
}

/** Gives the URL of the database that the environment names, or starts the private one, whose data must be locked. */
export async function startDatabase(
  lifecycle: Lifecycle,
  { databaseUrl, dataDirectory }: Environment,
): Promise<string> {
  return databaseUrl ?? (await startPrivate(lifecycle, dataDirectory));
}

/** Starts, migrates and opens that database. */
export async function openMigrated(lifecycle: Lifecycle, environment: Environment): Promise<Database> {
  const { databaseUrl, dataDirectory } = environment;
  const url = await startDatabase(lifecycle, environment);
  if (databaseUrl !== null) await ensureDatabase(url);
  else await prepareFirstMigration(dataDirectory, url);
  const database = open(lifecycle, url);
  await step('migrating the database', () => migrate(database, print));
  if (databaseUrl === null) await endFirstMigration(dataDirectory);
  return database;
}

/** Opens that database, which must be up to date, and changes nothing. */
export async function openExisting(lifecycle: Lifecycle, environment: Environment): Promise<Database> {
  await lockData(lifecycle, environment);
  const url = await startDatabase(lifecycle, environment);
  await requireDatabase(url);
  return open(lifecycle, url);
}

/** Opens a database that is there, whatever it holds. @throws Error with one line, without the password, when it cannot be used */
export async function openReachable(lifecycle: Lifecycle, url: string): Promise<Database> {
  await requireReachable(url);
  return open(lifecycle, url);
}

function open(lifecycle: Lifecycle, url: string): Database {
  const database = openDatabase(url);
  lifecycle.defer(() => database.close());
  return database;
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
  const onProgress = untilStopping(lifecycle, throttled(print));
  return step(`loading a sample cloud of ${hosts} hosts`, () => loadSample(database, { hosts, onProgress }));
}

async function startPrivate(lifecycle: Lifecycle, directory: string): Promise<string> {
  const starting = startPrivateDatabase({ directory, durable: true, onProgress: print });
  lifecycle.defer(async () => {
    const running = await starting.catch(() => null); // the command itself fails with it, below
    await running?.stop();
  });
  const running = await step('starting the private database', () => starting);
  void running.died.then((how) =>
    lifecycle.end(1, `the private database is gone: ${how}; its log is in ${directory}`),
  );
  return running.url('placement');
}
