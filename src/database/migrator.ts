import { randomUUID } from 'node:crypto';
import type { Connection } from 'mariadb';
import { loadCatalog, readCatalog } from './catalog.js';
import type { Database } from './database.js';
import { reason } from './failures.js';
import { readMigrations, type Migration } from './migrations.js';
import type { Reader } from './statements.js';

/** Where the migrations and the catalog are: the package's own, in the sources and in the build alike. */
export const PACKAGE = new URL('../../prisma/', import.meta.url);

/** The same name that `prisma migrate deploy` takes, so that the two never run at once. */
const LOCK = 'prisma_migrate';
const LOCK_WAIT_SECONDS = 60;

/** As Prisma creates it. */
const HISTORY = `CREATE TABLE _prisma_migrations (
  id varchar(36) NOT NULL PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at datetime(3) NULL,
  migration_name varchar(255) NOT NULL,
  logs text NULL,
  rolled_back_at datetime(3) NULL,
  started_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  applied_steps_count int unsigned NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

/** The table in which OpenStack Placement records its own migrations: only databases that it made, or works on, have it. */
export const ALEMBIC_TABLE = 'alembic_version';

/** Whether OpenStack Placement works on the database, too. */
export async function isSharedWithPlacement(reader: Reader): Promise<boolean> {
  const found = await reader.query<unknown[]>(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [ALEMBIC_TABLE],
  );
  return found.length > 0;
}

interface HistoryRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

/**
 * Brings a database up to date: applies the migrations that it lacks, in order, then adds the standard traits and
 * resource classes that it lacks. Does nothing to a database that is up to date. Keeps the history in Prisma's
 * table, as `prisma migrate deploy` would. Two processes may call it at once: one waits for the other.
 *
 * @returns the names of the migrations applied
 * @throws Error with a one-line message when the database holds tables but no history (of OpenStack Placement, not adopted, or of
 * another program), when a migration failed half way, when one was edited after it had been applied, or when the database is newer than this program
 */
export async function migrate(
  database: Database,
  onProgress: (line: string) => void = () => undefined,
  directory: URL = PACKAGE,
): Promise<string[]> {
  return withMigrationLock(database, onProgress, async (connection) => {
    const pending = await pendingMigrations(connection, readMigrations(directory));
    for (const migration of pending) {
      onProgress(`migrating the database: ${migration.name}`);
      await applyMigration(connection, migration);
    }
    await loadCatalog(connection, readCatalog(directory));
    return pending.map(({ name }) => name);
  });
}

/** Does work while no other process migrates a database on the same server. */
export async function withMigrationLock<T>(
  database: Database,
  onProgress: (line: string) => void,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await database.longWork.getConnection();
  try {
    await lock(connection, onProgress);
    try {
      return await work(connection);
    } finally {
      await connection.query('DO RELEASE_LOCK(?)', [LOCK]);
    }
  } finally {
    await connection.release();
  }
}

async function lock(connection: Connection, onProgress: (line: string) => void): Promise<void> {
  const take = async (seconds: number): Promise<boolean> => {
    const [row] = await connection.query<{ taken: number | null }[]>('SELECT GET_LOCK(?, ?) AS taken', [
      LOCK,
      seconds,
    ]);
    return row.taken === 1;
  };
  if (await take(1)) return;
  onProgress('waiting for another process that migrates a database on this server');
  if (!(await take(LOCK_WAIT_SECONDS))) {
    throw new Error(
      `another process has been migrating for ${LOCK_WAIT_SECONDS} seconds: try again when it is done`,
    );
  }
}

/**
 * Checks that {@link migrate} has brought a database up to date, and changes nothing.
 *
 * @throws Error with a one-line message that says what to do
 */
export async function requireMigrated(connection: Connection, directory: URL = PACKAGE): Promise<void> {
  const known = readMigrations(directory);
  const history = await readHistory(connection, known);
  if (history === null || missingFrom(history, known).length > 0) {
    throw new Error('it has not been migrated to this version: run `placement-graphql migrate`');
  }
}

/** Validates the history and gives the migrations that it lacks; creates the history table in an empty database. */
async function pendingMigrations(connection: Connection, known: readonly Migration[]): Promise<Migration[]> {
  const history = await readHistory(connection, known);
  if (history === null) await createHistory(connection);
  return missingFrom(history ?? [], known);
}

export async function createHistory(connection: Connection): Promise<void> {
  await connection.query(HISTORY);
}

/** The valid history of a database; null where it is empty. */
async function readHistory(
  connection: Connection,
  known: readonly Migration[],
): Promise<HistoryRow[] | null> {
  const tables = await connection.query<{ name: string }[]>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  if (tables.length === 0) return null;
  const isPlacements = tables.some(({ name }) => name === ALEMBIC_TABLE);
  if (!tables.some(({ name }) => name === '_prisma_migrations')) {
    if (isPlacements) throw new Error(ADOPT);
    throw new Error(
      `the database is not empty and not one of this program's (it has the table ${tables[0].name}): name an empty one`,
    );
  }
  const history = await connection.query<HistoryRow[]>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  if (isPlacements) requireAdopted(history, known);
  for (const row of history) validate(row, known);
  return history;
}

const ADOPT =
  'it is a database of OpenStack Placement: `placement-graphql adopt --dry-run` tells what is needed to work on it, `adopt` does it';

/** An adoption ends with the row of the first migration; there is nothing to restore when it was interrupted. */
function requireAdopted(history: readonly HistoryRow[], [first]: readonly Migration[]): void {
  const row = history.find(({ migration_name }) => migration_name === first.name);
  if (row === undefined || row.finished_at === null) {
    throw new Error(
      'adopting this database of OpenStack Placement was interrupted: run `placement-graphql adopt` again',
    );
  }
  const failed = history.find(({ finished_at }) => finished_at === null);
  if (failed) {
    throw new Error(
      `the migration ${failed.migration_name} failed half way: run \`placement-graphql adopt --undo\`, then \`adopt\` again`,
    );
  }
}

function missingFrom(history: readonly HistoryRow[], known: readonly Migration[]): Migration[] {
  const applied = new Set(history.map((row) => row.migration_name));
  return known.filter(({ name }) => !applied.has(name));
}

function validate(row: HistoryRow, known: readonly Migration[]): void {
  const name = row.migration_name;
  const migration = known.find((candidate) => candidate.name === name);
  if (row.finished_at === null) {
    throw new Error(
      `the migration ${name} failed half way: restore the database from before it, or drop it if it holds nothing yet`,
    );
  }
  if (!migration) throw new Error(`the database is newer than this program: it has the migration ${name}`);
  if (migration.checksum !== row.checksum) {
    throw new Error(`the migration ${name} was edited after it had been applied to this database`);
  }
}

/** Data definition commits at once on these servers, so a failed migration stays in the history, with the reason. */
export async function applyMigration(
  connection: Connection,
  { name, checksum, statements }: Migration,
): Promise<void> {
  const id = randomUUID();
  await connection.query('INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES (?, ?, ?)', [
    id,
    name,
    checksum,
  ]);
  try {
    for (const statement of statements) await connection.query(statement);
  } catch (error) {
    await connection.query('UPDATE _prisma_migrations SET logs = ? WHERE id = ?', [reason(error), id]);
    throw new Error(`the migration ${name} failed: ${reason(error)}`, { cause: error });
  }
  await connection.query(
    'UPDATE _prisma_migrations SET finished_at = CURRENT_TIMESTAMP(3), applied_steps_count = 1 WHERE id = ?',
    [id],
  );
}
