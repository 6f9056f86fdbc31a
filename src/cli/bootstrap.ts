import { openDatabase, type Database } from '../database/database.js';
import { ensureDatabase } from '../database/ensure.js';
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
  const database = openDatabase(url);
  lifecycle.defer(() => database.close());
  await step('migrating the database', () => migrate(database, print));
  if (databaseUrl === null) await endFirstMigration(dataDirectory);
  return database;
}

/** Fills an empty database; stops within moments when the command ends, and then leaves nothing. */
export function fillWithSample(lifecycle: Lifecycle, database: Database, hosts: number): Promise<void> {
  const printSometimes = throttled(print);
  const onProgress = (line: string) => {
    lifecycle.throwIfStopping();
    printSometimes(line);
  };
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
