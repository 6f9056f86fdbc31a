import { randomUUID, createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { SqlError, type Connection } from 'mariadb';
import { HISTORY, HISTORY_TABLE } from './tables.js';
import { isLoaded, loadCatalog, readCatalog } from '../sql/catalog.js';
import { LOCK_TABLE, withMigrationLock, type HeldLock } from './migrationLock.js';
import type { Database } from '../database/database.js';
import { reason } from '../database/failures.js';
import { onConnection } from '../database/onConnection.js';
import type { Queryable } from '../sql/statements.js';

/** The folder of the migrations and the catalog, in the sources and in the build. */
export const PACKAGE = new URL('../../../prisma/', import.meta.url);

/** The table of OpenStack Placement's migrations. Only databases that Placement uses have it. */
export const ALEMBIC_TABLE = 'alembic_version';

export async function isSharedWithPlacement(reader: Queryable): Promise<boolean> {
  const found = await reader.query<unknown[]>(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [ALEMBIC_TABLE],
  );
  return found.length > 0;
}

/**
 * The history entry during a restore. It looks like an unfinished migration, so every version of
 * this program refuses the database.
 */
export const UNFINISHED_RESTORE = 'unfinished restore';

/**
 * Migrations after which older versions keep running and may start. Only `contract` migrations
 * remove parts that older versions use.
 */
const EXPANDING = /^\d{14}_expand_/;

const EARLIER =
  'the database was made by a version before the first release: export it with that version into an empty ' +
  'database of OpenStack Placement, and import that with this version into an empty database';

interface HistoryRow {
  readonly id: string;
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: string | null;
  /** The number of executed statements of an unfinished migration. Prisma writes 1 for a finished one. */
  readonly applied_steps_count: number;
  /** The error of a failed migration. */
  readonly logs: string | null;
}

/** A migration that the database lacks, with the history row of an earlier attempt. */
export interface PendingMigration extends Migration {
  readonly begun: HistoryRow | null;
}

/**
 * Applies the missing migrations in order, then adds the missing standard traits and resource classes. Keeps the
 * history in Prisma's table, as `prisma migrate deploy` would. If several processes call it, on any nodes of a
 * cluster, one migrates and the others wait. An interrupted migration is continued.
 *
 * @returns the names of the applied migrations
 * @throws Error with a one-line message if the database has tables but no history, a statement fails, a begun
 * migration was edited, a restore is not finished, or the database is too new for this version
 */
export async function migrate(
  database: Database,
  onProgress: (line: string) => void = () => undefined,
  directory: URL = PACKAGE,
  lease?: number,
): Promise<string[]> {
  const migrations = readMigrations(directory);
  const catalog = readCatalog(directory);
  const isUpToDate = async (connection: Connection): Promise<boolean> =>
    (await pendingMigrations(connection, migrations))?.length === 0 && isLoaded(connection, catalog);
  // without waiting for the lock
  if (await onConnection(database, isUpToDate, { pool: database.longWork })) return [];
  const work = async (connection: Connection, lock: HeldLock): Promise<string[]> => {
    const history = (await readHistory(connection, migrations)) ?? (await createHistory(connection));
    const pending = pendingOf(history, migrations);
    for (const migration of pending) {
      onProgress(`migrating the database: ${migration.name}`);
      await applyMigration(connection, migration, lock);
    }
    await lock.assertHeld();
    await loadCatalog(connection, catalog);
    return pending.map(({ name }) => name);
  };
  return withMigrationLock(database, onProgress, work, lease);
}

/**
 * Checks that {@link migrate} has brought a database up to date, and changes nothing.
 *
 * @throws Error with a one-line message that states the remedy
 */
export async function requireMigrated(connection: Connection): Promise<void> {
  const pending = await pendingMigrations(connection);
  if (pending === null || pending.length > 0) {
    throw new Error('it has not been migrated to this version: run `placement-graphql migrate`');
  }
}

/**
 * Returns the migrations that {@link migrate} would apply, with the progress of an earlier attempt.
 * Returns null if the database is empty.
 *
 * @throws Error with a one-line message if `migrate` would refuse
 */
export async function pendingMigrations(
  connection: Connection,
  migrations = readMigrations(PACKAGE),
): Promise<PendingMigration[] | null> {
  const history = await readHistory(connection, migrations);
  return history && pendingOf(history, migrations);
}

/**
 * Returns the migrations that a database has, in order. It may lack later ones of this version.
 * Changes nothing.
 *
 * @throws Error with a one-line message if the database is empty, newer or not of this program, or
 * has an interrupted migration
 */
export async function doneMigrations(connection: Connection): Promise<Migration[]> {
  const migrations = readMigrations(PACKAGE);
  const history = await readHistory(connection, migrations);
  if (history === null) throw new Error('it is empty');
  const newer = history.find(({ migration_name }) => !migrations.some(({ name }) => name === migration_name));
  if (newer !== undefined)
    throw new Error(
      `it has the migration ${newer.migration_name}, which is newer than this program: use the newer version`,
    );
  const pending = pendingOf(history, migrations);
  const half = pending.find(({ begun }) => begun !== null);
  if (half !== undefined)
    throw new Error(
      `the migration ${half.name} has stopped half way: run \`placement-graphql migrate\`, which continues it`,
    );
  return migrations.filter(({ name }) => !pending.some((each) => each.name === name));
}

export async function createHistory(connection: Connection): Promise<HistoryRow[]> {
  const columns = Object.entries(HISTORY.columns).map(
    ([name, { type, isNullable, default: value }]) =>
      `${name} ${type} ${isNullable ? 'NULL' : 'NOT NULL'}${value === null ? '' : ` DEFAULT ${value}`}`,
  );
  await connection.query(
    `CREATE TABLE ${HISTORY_TABLE} (${columns.join(', ')}, PRIMARY KEY (${HISTORY.primaryKey.join(', ')}))
     ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  );
  return [];
}

/** Returns the history of a database. Returns null if the database is empty. */
async function readHistory(
  connection: Connection,
  known: readonly Migration[],
): Promise<HistoryRow[] | null> {
  const tables = await connection.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name <> ? ORDER BY table_name`,
    [LOCK_TABLE],
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
    `SELECT id, migration_name, checksum, finished_at, applied_steps_count, logs
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  if (history.some(({ migration_name }) => migration_name === UNFINISHED_RESTORE))
    throw new Error(
      'a backup was being restored into this database, and not to the end: ' +
        'run `placement-graphql restore FILE` again, which begins anew',
    );
  if (isPlacements) requireAdopted(history, known);
  return history;
}

const ADOPT =
  'it is a database of OpenStack Placement: `placement-graphql adopt --dry-run` lists the required changes, ' +
  '`adopt` makes them';

/** @throws Error if an adoption was interrupted: the row of the first migration is finished last */
function requireAdopted(history: readonly HistoryRow[], [first]: readonly Migration[]): void {
  if (history.some(({ migration_name }) => migration_name < first.name)) return;
  const row = history.find(({ migration_name }) => migration_name === first.name);
  if (row?.finished_at) return;
  throw new Error(
    'adopting this database of OpenStack Placement was interrupted: run `placement-graphql adopt` again',
  );
}

/** Returns the migrations that are missing from the history. Validates the history. */
function pendingOf(history: readonly HistoryRow[], known: readonly Migration[]): PendingMigration[] {
  for (const row of history) validate(row, known);
  const rows = new Map(history.map((row) => [row.migration_name, row]));
  return known.flatMap((migration) => {
    const row = rows.get(migration.name) ?? null;
    return row?.finished_at ? [] : [{ ...migration, begun: row }];
  });
}

function validate(row: HistoryRow, known: readonly Migration[]): void {
  const name = row.migration_name;
  const migration = known.find((candidate) => candidate.name === name);
  if (!migration) {
    if (name < known[0].name) throw new Error(EARLIER);
    if (EXPANDING.test(name)) return;
    throw new Error(
      `the database is newer than this program: it has the migration ${name}, ` +
        'after which only newer versions can use it',
    );
  }
  if (migration.checksum === row.checksum) return;
  if (row.finished_at !== null)
    throw new Error(`the migration ${name} was edited after it had been applied to this database`);
  throw new Error(
    `the migration ${name} stopped half way, after ${row.applied_steps_count} of its statements, and has been ` +
      'edited since: start the version of this program that began it, which continues it; or undo what those ' +
      'statements did, then run UPDATE _prisma_migrations SET rolled_back_at = UTC_TIMESTAMP() ' +
      `WHERE id = '${row.id}'`,
  );
}

/**
 * Applies a migration, or continues it after the statements of an earlier attempt. Data definition
 * commits at once, so the history counts executed statements and stores the reason of a failure.
 */
export async function applyMigration(
  connection: Connection,
  { name, checksum, statements, begun }: PendingMigration,
  lock: HeldLock,
): Promise<void> {
  const id = begun?.id ?? randomUUID();
  if (begun === null) {
    const sql = 'INSERT INTO _prisma_migrations (id, migration_name, checksum) VALUES (?, ?, ?)';
    await connection.query(sql, [id, name, checksum]);
  }
  if (begun?.logs) await setLogs(connection, id, null); // this attempt may be interrupted
  const first = begun?.applied_steps_count ?? 0;
  for (const [at, statement] of statements.entries()) {
    if (at < first) continue;
    // only an interrupted attempt has no logs: a statement that failed was not executed
    const mayBeDone = begun !== null && begun.logs === null && at === first;
    await lock.assertHeld();
    try {
      await executeOnce(connection, statement, { id, at, mayBeDone });
    } catch (error) {
      throw new Error(
        `the migration ${name} failed at statement ${at + 1} of ${statements.length}: ${reason(error)} ` +
          '(earlier statements are applied: remove the cause and start again, which continues from there)',
        { cause: error },
      );
    }
  }
  await connection.query(
    `UPDATE _prisma_migrations
        SET finished_at = CURRENT_TIMESTAMP(3), applied_steps_count = 1, logs = NULL WHERE id = ?`,
    [id],
  );
}

/** Error numbers: table exists, column exists, key exists, nothing to drop, foreign key exists. */
const DONE_ALREADY = new Set([1050, 1060, 1061, 1091, 1826]);

/**
 * Executes a statement and counts it, in one transaction if it writes rows. Data definition is committed before it is
 * counted, so the statement at which an earlier attempt was killed may be done.
 */
async function executeOnce(
  connection: Connection,
  statement: string,
  { id, at, mayBeDone }: { readonly id: string; readonly at: number; readonly mayBeDone: boolean },
): Promise<void> {
  let isExecuted = false;
  await connection.query('START TRANSACTION');
  try {
    await connection.query(statement).catch((error: unknown) => {
      if (!mayBeDone || !(error instanceof SqlError) || !DONE_ALREADY.has(error.errno)) throw error;
    });
    isExecuted = true;
    const count = 'UPDATE _prisma_migrations SET applied_steps_count = ?, logs = NULL WHERE id = ?';
    await connection.query(count, [at + 1, id]);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK');
    if (!isExecuted) await setLogs(connection, id, reason(error));
    throw error;
  }
}

async function setLogs(connection: Connection, id: string, logs: string | null): Promise<void> {
  await connection.query('UPDATE _prisma_migrations SET logs = ? WHERE id = ?', [logs, id]);
}

/** One migration of `prisma/migrations`, in Prisma's layout: `<timestamp>_<name>/migration.sql`. */
export interface Migration {
  /** The folder's name, whose order is the order of application. */
  readonly name: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  readonly checksum: string;
  readonly statements: readonly string[];
}

export function readMigrations(directory: URL): Migration[] {
  const folder = new URL('migrations/', directory);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = readFileSync(new URL(`${name}/migration.sql`, folder));
      const checksum = createHash('sha256').update(file).digest('hex');
      return { name, checksum, statements: splitStatements(file.toString('utf8')) };
    });
}

/** Requires that statements end with a semicolon at a line's end, and comments have own lines. */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
