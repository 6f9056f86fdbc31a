import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mariadb';
import { CONNECTING, databaseAddress } from '../../store/database/address.js';
import { openDatabase, type Database } from '../../store/database/database.js';
import { ensureDatabase, requireDatabase, requireReachable } from '../../store/migrations/ensure.js';
import { migrate } from '../../store/migrations/migrator.js';
import { runningDatabaseUrl, startPrivateDatabase } from '../../tools/privateDatabase/privateDatabase.js';
import { loadDemoData } from '../../tools/demo/demo.js';
import { Lifecycle } from './lifecycle.js';
import { lockHolder, takeLock, type Lock } from './lock.js';
import type { Settings } from '../settings/definitions.js';
import { readSettings } from '../settings/settings.js';

/** The options of all commands that read the settings. */
export interface CommonOptions {
  readonly config?: string;
}

/** Runs a command that reads the settings. The exit code is the result of `work`, 1 after a signal. */
export function runWithSettings(
  { config }: CommonOptions,
  work: (lifecycle: Lifecycle, settings: Settings) => Promise<number | void>,
): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    const { settings } = readSettings({ file: config });
    await lifecycle.end((await work(lifecycle, settings)) ?? 0);
  });
}

const PRIVATE_NAME = 'placement';

/** Locks the data directory for this process. Returns null if the settings name a database. */
export async function lockData(lifecycle: Lifecycle, settings: Settings): Promise<Lock | null> {
  if (settings['database.url'] !== null) return null;
  const directory = settings['database.dataDirectory'];
  const lock = await step(lifecycle, 'waiting for an earlier process to stop', () => takeLock(directory));
  lifecycle.defer(() => lock.release());
  return lock;
}

/**
 * Returns the URL of the settings. Null starts the private database, which must be locked.
 * @param meanwhile starts other work, while the private database starts
 */
export async function startDatabase(
  lifecycle: Lifecycle,
  settings: Settings,
  meanwhile: () => void = () => undefined,
): Promise<string> {
  const url = settings['database.url'];
  if (url === null) return startPrivate(lifecycle, settings['database.dataDirectory'], meanwhile);
  meanwhile();
  return url;
}

/** Returns the URL of the settings. Null locks and starts the private database. */
export async function lockAndStart(lifecycle: Lifecycle, settings: Settings): Promise<string> {
  await lockData(lifecycle, settings);
  return startDatabase(lifecycle, settings);
}

export async function openMigrated(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const database = open(lifecycle, await lockAndStart(lifecycle, settings), settings);
  await migrateDatabase(lifecycle, database, settings);
  return database;
}

/** Creates the database if it is missing, and migrates it. */
export async function migrateDatabase(
  lifecycle: Lifecycle,
  database: Database,
  settings: Settings,
): Promise<void> {
  const finish = await createDatabase(database.url, settings);
  await step(lifecycle, 'migrating the database', () => migrate(database, lifecycle.say));
  await finish();
}

/** Opens the database of the settings without changes. @throws Error if it is not up to date */
export async function openExisting(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const url = await lockAndStart(lifecycle, settings);
  await requireDatabase(url);
  return open(lifecycle, url, settings);
}

/** Opens the database in any state, even beside a server. Starts a private one if necessary. */
export async function openBeside(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const url = await urlBeside(lifecycle, settings);
  await requireReachable(url);
  return open(lifecycle, url, settings);
}

export function hasPrivateDatabase(settings: Settings): boolean {
  return existsSync(join(settings['database.dataDirectory'], 'database'));
}

export async function urlBeside(lifecycle: Lifecycle, settings: Settings): Promise<string> {
  const directory = settings['database.dataDirectory'];
  const isServed = settings['database.url'] === null && (await lockHolder(directory)) !== null;
  if (isServed) return runningDatabaseUrl(directory, PRIVATE_NAME);
  return lockAndStart(lifecycle, settings);
}

/** Opens the database of the settings, locked if it is private. Creates an empty one if missing. */
export async function openToFill(lifecycle: Lifecycle, settings: Settings): Promise<Database> {
  const url = await lockAndStart(lifecycle, settings);
  const finish = await createDatabase(url, settings);
  await finish();
  return open(lifecycle, url, settings);
}

/** Opens an existing database in any state. @throws Error with one line, without the password */
export async function openReachable(lifecycle: Lifecycle, url: string): Promise<Database> {
  await requireReachable(url);
  return open(lifecycle, url);
}

/** Opens a database. It connects at the first use, so the database need not exist yet. */
export function open(lifecycle: Lifecycle, url: string, settings?: Settings): Database {
  const options = settings && {
    connections: settings['database.connections'],
    statementTimeout: 1_000 * settings['database.statementSeconds'],
  };
  const database = openDatabase(url, options);
  lifecycle.defer(() => database.close());
  return database;
}

/**
 * Creates the database if it is missing. Recreates a private database that was killed during its
 * first migration: it is empty, and the next start would have to wait for its lease. A marker file
 * in the data directory shows this. The caller removes it by the returned function after migrating.
 */
async function createDatabase(url: string, settings: Settings): Promise<() => Promise<void>> {
  const marker = join(settings['database.dataDirectory'], 'first-migration');
  if (settings['database.url'] === null) await dropUnfinished(url, marker);
  await ensureDatabase(url);
  return () => (settings['database.url'] === null ? rm(marker, { force: true }) : Promise.resolve());
}

async function dropUnfinished(url: string, marker: string): Promise<void> {
  const { database, ...server } = databaseAddress(url);
  const connection = await createConnection({ ...server, ...CONNECTING });
  try {
    if (existsSync(marker)) await connection.query(`DROP DATABASE IF EXISTS ${database}`);
    const found = await connection.query<unknown[]>('SHOW DATABASES LIKE ?', [database]);
    if (found.length === 0) await writeFile(marker, '');
  } finally {
    await connection.end();
  }
}

/** How long the private database may roll back when its command ends (ms). Its next start rolls back the rest. */
const ROLLBACK_MS = 3_000;

async function startPrivate(lifecycle: Lifecycle, directory: string, onStarted: () => void): Promise<string> {
  const starting = startPrivateDatabase({ directory, durable: true, onProgress: lifecycle.say, onStarted });
  lifecycle.defer(async () => {
    const running = await starting.catch(() => null); // the command itself throws the error below
    await running?.stop(lifecycle.leavesRollback ? ROLLBACK_MS : undefined);
  });
  const running = await step(lifecycle, 'starting the private database', () => starting);
  lifecycle.need(
    running.died.then((how) => `the private database has ended: ${how}; its log is in ${directory}`),
  );
  return running.url(PRIVATE_NAME);
}

/** Fills an empty database. If the command ends, the load stops at once, and the database rolls it back. */
export async function fillWithDemoData(
  lifecycle: Lifecycle,
  database: Database,
  hosts: number,
): Promise<void> {
  const onProgress = throttled(lifecycle.say);
  const ending = new AbortController();
  const loading = step(lifecycle, `loading demo data of ${hosts} hosts`, () =>
    loadDemoData(database, { hosts, onProgress, signal: ending.signal }),
  );
  let isLoading = true;
  lifecycle.defer(() => {
    lifecycle.leavesRollback = isLoading;
    ending.abort(new Error('stopping'));
    return loading.catch(() => undefined);
  });
  try {
    await loading;
  } catch (error) {
    lifecycle.throwIfStopping(); // else the lost connection would count as a failure of the database
    throw error;
  } finally {
    isLoading = false;
  }
}

/** Passes progress on. If the command ends, the next report throws, which stops the work. */
export function untilStopping(lifecycle: Lifecycle, report: (line: string) => void): (line: string) => void {
  return (line) => {
    lifecycle.throwIfStopping();
    report(line);
  };
}

/** Passes on at most one line every two seconds. */
export function throttled(print: (line: string) => void): (line: string) => void {
  let last = Date.now();
  return (line) => {
    if (Date.now() - last < 2_000) return;
    last = Date.now();
    print(line);
  };
}

/** The minimum duration of steps to show (ms). */
const QUICK_MS = 1_000;

/** Runs a step of a command. Prints the beginning and the duration of slow steps. */
async function step<T>({ say }: Lifecycle, name: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    say(`${name} ...`);
  }, QUICK_MS);
  try {
    const result = await work();
    if (isShown) say(`${name}: done in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
