import { openDatabase, type Database } from '../database/database.js';
import { ensureDatabase } from '../database/ensure.js';
import { migrate } from '../database/migrator.js';
import { startPrivateDatabase } from '../privateDatabase/privateDatabase.js';
import { endFirstMigration, prepareFirstMigration } from './firstMigration.js';
import type { Environment } from './environment.js';
import type { Life } from './lifecycle.js';
import { takeLock, type Lock } from './lock.js';
import { step, unhurried } from './progress.js';
import { loadSample } from './sample/sample.js';

const say = (line: string) => console.log(line);

/** Takes the data directory of the private database for this process; null where the database is somebody else's. */
export async function holdData(
  life: Life,
  { databaseUrl, dataDirectory }: Environment,
): Promise<Lock | null> {
  if (databaseUrl !== null) return null;
  const lock = await step('waiting for an earlier process to stop', () => takeLock(dataDirectory));
  life.defer(() => lock.release());
  return lock;
}

/** Where the database is that the environment names, or the private one, which is started and whose data must be held. */
export async function homeUrl(life: Life, { databaseUrl, dataDirectory }: Environment): Promise<string> {
  return databaseUrl ?? (await startPrivate(life, dataDirectory));
}

/** Opens and migrates that database. */
export async function openHome(life: Life, environment: Environment): Promise<Database> {
  const { databaseUrl, dataDirectory } = environment;
  const url = await homeUrl(life, environment);
  if (databaseUrl !== null) await ensureDatabase(url);
  else await prepareFirstMigration(dataDirectory, url);
  const database = openDatabase(url);
  life.defer(() => database.close());
  await step('migrating the database', () => migrate(database, say));
  if (databaseUrl === null) await endFirstMigration(dataDirectory);
  return database;
}

/** Whether nothing is in the tables that the sample cloud fills. */
export async function isEmpty({ pool }: Database): Promise<boolean> {
  const tables = ['resource_providers', 'inventories', 'consumers', 'allocations'];
  const looks = tables.map((table) => `(SELECT 1 FROM ${table} LIMIT 1)`);
  const rows = await pool.query<unknown[]>(looks.join(' UNION ALL '));
  return rows.length === 0;
}

/** Fills an empty database; stops within moments when the command's life ends, and then leaves nothing. */
export function fillWithSample(life: Life, database: Database, hosts: number): Promise<void> {
  const tell = unhurried(say);
  const onProgress = (line: string) => {
    life.goOn();
    tell(line);
  };
  return step(`loading a sample cloud of ${hosts} hosts`, () => loadSample(database, { hosts, onProgress }));
}

async function startPrivate(life: Life, directory: string): Promise<string> {
  const starting = startPrivateDatabase({ directory, durable: true, onProgress: say });
  life.defer(() =>
    starting.then(
      (running) => running.stop(),
      () => undefined,
    ),
  );
  const running = await step('starting the private database', () => starting);
  void running.died.then((how) =>
    life.end(1, `the private database is gone: ${how}; its log is in ${directory}`),
  );
  return running.url('placement');
}
