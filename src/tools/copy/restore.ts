import type { Connection } from 'mariadb';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  EXPECTED_TABLES,
  HISTORY_TABLE,
  type StoredTable,
  readStoredTables,
} from '../../store/migrations/tables.js';
import { type HeldLock, LOCK_TABLE, withMigrationLock } from '../../store/migrations/migrationLock.js';
import type { Database } from '../../store/database/database.js';
import {
  type Migration,
  readMigrations,
  ALEMBIC_TABLE,
  PACKAGE,
  UNFINISHED_RESTORE,
  applyMigration,
  createHistory,
} from '../../store/migrations/migrator.js';
import { onConnection } from '../../store/database/onConnection.js';
import { BackupReader, type Head } from './backupFile.js';
import { type CopyReader, type Progress, type Row, copyTables } from './copy.js';
import {
  DatabaseWriter,
  LEASE_TABLE,
  type LaidOutTable,
  analyze,
  insertion,
  knownTables,
  layoutsOf,
  requireEmpty,
  setNextId,
} from './databaseEnd.js';

export interface RestoreOptions extends Progress {
  readonly file: string;
  /** Drop the tables of this program first. */
  readonly isReplacing?: boolean;
  /** Check the file and the database, and change nothing. */
  readonly isDryRun?: boolean;
  /** Called in the transaction that ends the restore. */
  readonly onRestored: (connection: Connection) => Promise<void>;
}

/**
 * Restores a backup into a database, with ids, generations, times and the history of migrations, and migrates the
 * database to this version. Until everything is restored and compared, the history contains UNFINISHED_RESTORE, and no
 * version of this program uses the database. An interrupted restore is repeated from its beginning.
 *
 * The feed is not restored: subscriptions end, and earlier cursors expire.
 *
 * @throws DamagedBackup, or Error with a one-line message if the database is not empty, is in use, or the copy differs
 */
export async function restoreDatabase(database: Database, options: RestoreOptions): Promise<void> {
  const { file, isReplacing = false, isDryRun = false, onProgress, onRestored } = options;
  const requireUsable = async (on: Connection): Promise<void> => {
    const tables = await requireRestorable(on, isReplacing);
    if (tables.has(LEASE_TABLE)) await requireUnused(on, onProgress);
  };
  await onConnection(database, requireUsable, { pool: database.longWork });
  const head = await BackupReader.verify(file);
  const known = readMigrations(PACKAGE);
  const recorded = recordedMigrations(head, known);
  onProgress(`the backup is whole: of ${head.takenAt} UTC, by version ${head.program}, from ${head.server}`);
  if (isDryRun) return onProgress('nothing is changed');
  await withMigrationLock(database, onProgress, async (steps, lock) => {
    await requireUsable(steps); // a server may have started while the file was verified
    await clear(steps);
    for (const migration of recorded) await applyMigration(steps, { ...migration, begun: null }, lock);
    const history = await load(database, options, lock);
    const later = known.filter((migration) => !recorded.includes(migration));
    for (const migration of later) await applyMigration(steps, { ...migration, begun: null }, lock);
    await lock.assertHeld();
    await finish(steps, history, recorded, onRestored);
    await analyze(
      steps,
      knownTables().filter((name) => name !== ALEMBIC_TABLE),
    );
  });
  onProgress('the database is restored, and equal to the backup');
}

function recordedMigrations({ migrations, program }: Head, known: readonly Migration[]): Migration[] {
  return migrations.map(({ name, checksum }) => {
    const migration = known.find((each) => each.name === name && each.checksum === checksum);
    if (migration !== undefined) return migration;
    throw new Error(
      `the backup is of version ${program} and has the migration ${name}, which this version does not have: ` +
        'restore it with that version or a newer one',
    );
  });
}

/** The time to wait for the leases of killed processes (ms): slightly more than a lease. */
const MAX_LEASE_MS = 20_000;

/** @throws Error if a process that works on the database renews its lease */
async function requireUnused(connection: Connection, onProgress: (line: string) => void): Promise<void> {
  const leases = (): Promise<{ id: number; holder: string; expiry: string }[]> =>
    connection.query(
      `SELECT id, holder, CAST(expires_at AS CHAR) AS expiry FROM placement_feed_writers
        WHERE expires_at > UTC_TIMESTAMP()`,
    );
  let held = await leases();
  const first = new Map(held.map(({ id, expiry }) => [id, expiry]));
  const holders = (): string => held.map(({ holder }) => holder).join(', ');
  if (held.length > 0) onProgress(`waiting for ${holders()} to stop`);
  for (const deadline = Date.now() + MAX_LEASE_MS; held.length > 0; held = await leases()) {
    if (held.some(({ id, expiry }) => first.get(id) !== expiry) || Date.now() > deadline)
      throw new Error(`the database is in use (${holders()}): stop the servers that work on it first`);
    await sleep(200);
  }
}

/** Drops the tables of this program except the history, which records an unfinished restore. */
async function clear(connection: Connection): Promise<void> {
  const tables = await readStoredTables(connection);
  if (!tables.has(HISTORY_TABLE)) await createHistory(connection);
  await connection.query('START TRANSACTION');
  await connection.query(`DELETE FROM ${HISTORY_TABLE}`);
  const insert = `INSERT INTO ${HISTORY_TABLE} (id, migration_name, checksum) VALUES (?, ?, '')`;
  await connection.query(insert, [randomUUID(), UNFINISHED_RESTORE]);
  await connection.query('COMMIT');
  const others = knownTables().filter((name) => name !== HISTORY_TABLE && tables.has(name));
  await connection.query('SET foreign_key_checks = 0');
  if (others.length > 0) await connection.query(`DROP TABLE ${others.join(', ')}`);
  await connection.query('SET foreign_key_checks = 1');
}

interface RestoredHistory {
  columns: readonly string[];
  readonly rows: Row[];
}

/** Copies all tables and compares them. Returns the history of migrations. */
async function load(
  database: Database,
  { file, onProgress, onRows }: RestoreOptions,
  lock: HeldLock,
): Promise<RestoredHistory> {
  const target = await database.longWork.getConnection();
  try {
    const writer = new DatabaseWriter(target, 'restore', { onProgress });
    await writer.prepare();
    const history: RestoredHistory = { columns: [], rows: [] };
    await BackupReader.read(file, (head, tables) =>
      copyTables(restorable(tables, target, head, history, lock), writer, { onRows }),
    );
    for await (const { isEqual, line } of writer.compare()) {
      if (!isEqual) throw new Error(`the copy differs from the backup: ${line}`);
      onProgress(`equal: ${line}`);
    }
    return history;
  } finally {
    target.destroy(); // its settings must not be used again
  }
}

/** The table as OpenStack Placement creates it. */
const CREATE_ALEMBIC = `CREATE TABLE ${ALEMBIC_TABLE} (version_num varchar(32) NOT NULL, PRIMARY KEY (version_num))`;

/** Yields the tables of a backup with their layout in the target. Adds the history to `history`. */
async function* restorable(
  tables: CopyReader,
  target: Connection,
  { nextIds }: Head,
  history: RestoredHistory,
  lock: HeldLock,
): AsyncGenerator<LaidOutTable> {
  const layouts = new Map(layoutsOf(await readStoredTables(target)).map((layout) => [layout.name, layout]));
  for await (const table of tables) {
    const { name, columns } = table;
    if (name === ALEMBIC_TABLE) {
      await target.query(CREATE_ALEMBIC);
      yield { ...table, columns: ['version_num'], values: ['version_num'] };
      continue;
    }
    const layout = layouts.get(name);
    const positions = columns.map((column) => layout?.columns.indexOf(column) ?? -1);
    if (layout === undefined || positions.includes(-1))
      throw new Error(`the backup has ${name} (${columns.join(', ')}), which its migrations do not create`);
    if (name === HISTORY_TABLE) {
      history.columns = columns;
      for await (const rows of table.pages()) history.rows.push(...rows);
      continue;
    }
    if (name in nextIds) await setNextId(target, name, nextIds[name]);
    yield { ...table, values: positions.map((at) => layout.values[at]) };
    await lock.assertHeld();
  }
}

/** Writes the history. After the commit, versions of this program accept the database. */
async function finish(
  connection: Connection,
  history: RestoredHistory,
  recorded: readonly Migration[],
  onRestored: RestoreOptions['onRestored'],
): Promise<void> {
  await connection.query('START TRANSACTION');
  await connection.query(`DELETE FROM ${HISTORY_TABLE} WHERE migration_name IN (?)`, [
    [UNFINISHED_RESTORE, ...recorded.map(({ name }) => name)],
  ]);
  const { columns, rows } = history;
  await connection.query(insertion(connection, { name: HISTORY_TABLE, columns }, rows));
  await onRestored(connection);
  await connection.query('COMMIT');
}

/**
 * Checks that a backup may be restored into a database: it is empty, or is to be replaced, or a restore into it was
 * interrupted. Returns its tables.
 *
 * @throws Error with a one-line message
 */
async function requireRestorable(
  connection: Connection,
  isReplacing: boolean,
): Promise<ReadonlyMap<string, StoredTable>> {
  const tables = new Map(await readStoredTables(connection));
  tables.delete(LOCK_TABLE);
  if (tables.size === 0) return tables;
  if (!tables.has(HISTORY_TABLE))
    throw new Error(
      "the database is not empty and not one of this program's " +
        `(it has the table ${[...tables.keys()][0]}): name an empty one`,
    );
  const history = await connection.query<{ name: string }[]>(
    `SELECT migration_name AS name FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL`,
  );
  const done = history.map(({ name }) => name);
  const known = new Set([UNFINISHED_RESTORE, ...readMigrations(PACKAGE).map(({ name }) => name)]);
  const unknown = done.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(
      `the database has the migration ${unknown} of another version, whose tables would remain: name an empty one`,
    );
  if (isReplacing || done.includes(UNFINISHED_RESTORE)) return tables;
  const expected = Object.keys(EXPECTED_TABLES);
  const made = expected.filter((name) => tables.has(name));
  if (made.length === 0) return tables;
  if (made.length < expected.length)
    throw new Error('the database is not empty: name an empty one, or replace it with --replace');
  await requireEmpty(connection, ': name an empty database, or replace it with --replace');
  return tables;
}
