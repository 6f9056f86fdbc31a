import type { Connection } from 'mariadb';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HISTORY_TABLE, type StoredTable, readStoredTables } from '../adoption/tables.js';
import { type HeldLock, LOCK_TABLE } from '../cluster/migrationLock.js';
import type { Database } from '../database.js';
import { type Migration, readMigrations } from '../migrations.js';
import {
  ALEMBIC_TABLE,
  PACKAGE,
  UNFINISHED_RESTORE,
  applyMigration,
  createHistory,
  withMigrationLock,
} from '../migrator.js';
import { LoadedTables } from './loadedTables.js';
import { type Head, readBackup } from './readBackup.js';
import { type Row, insertion } from './rows.js';
import { COPIED_TABLES, LEASE_TABLE, knownTables } from './tables.js';
import { requireEmpty } from './transfer.js';

export interface RestoreOptions {
  readonly file: string;
  /** Drop what this program has in the database before. */
  readonly isReplacing?: boolean;
  /** Check the file and the database, and change nothing. */
  readonly isDryRun?: boolean;
  /** Told what is done; what it throws ends the restore. */
  readonly onProgress: (line: string) => void;
  /** Told several times a second how far it is; as well. */
  readonly onRows?: (line: string) => void;
  /** Called in the transaction that ends the restore. */
  readonly onRestored: (connection: Connection) => Promise<void>;
}

/**
 * Makes a database what it was at the moment of a backup, with ids, generations, times and the history of migrations as they were, and
 * brings it up to date with this version. Until all of it is there and has been compared, the history says so, and no version of this
 * program uses the database; an interrupted restore is repeated from its beginning.
 *
 * The feed is not restored: subscriptions end, and cursors from before are expired.
 *
 * @throws DamagedBackup, or Error with a one-line message when the database is not empty, is in use, or the copy differs
 */
export async function restoreDatabase(database: Database, options: RestoreOptions): Promise<void> {
  const { file, isReplacing = false, isDryRun = false, onProgress, onRestored } = options;
  const connection = await database.longWork.getConnection();
  try {
    const tables = await requireRestorable(connection, isReplacing);
    if (tables.has(LEASE_TABLE)) await requireUnused(connection, onProgress);
  } finally {
    await connection.release();
  }
  const head = await checkFile(file);
  const known = readMigrations(PACKAGE);
  const recorded = recordedMigrations(head, known);
  onProgress(`the backup is whole: of ${head.takenAt} UTC, by version ${head.program}, from ${head.server}`);
  if (isDryRun) return onProgress('nothing is changed');
  await withMigrationLock(database, onProgress, async (steps, lock) => {
    await requireRestorable(steps, isReplacing);
    await clear(steps);
    for (const migration of recorded) await applyMigration(steps, { ...migration, begun: null }, lock);
    const history = await load(database, head, options, lock);
    const later = known.filter((migration) => !recorded.includes(migration));
    for (const migration of later) await applyMigration(steps, { ...migration, begun: null }, lock);
    await lock.assertHeld();
    await finish(steps, history, recorded, onRestored);
    // the server would do so later by itself; until then its plans are those for empty tables
    await steps.query(
      `ANALYZE TABLE ${[...knownTables()].filter((name) => name !== ALEMBIC_TABLE).join(', ')}`,
    );
  });
  onProgress('the database is restored, and equal to the backup');
}

/** Reads the whole of it before anything is changed. */
async function checkFile(file: string): Promise<Head> {
  let found: Head | undefined;
  await readBackup(file, { head: (head) => void (found = head) });
  return found!;
}

/** @throws Error when this version cannot make the tables as they were */
function recordedMigrations({ migrations, program }: Head, known: readonly Migration[]): Migration[] {
  return migrations.map(({ name, checksum }) => {
    const migration = known.find((each) => each.name === name && each.checksum === checksum);
    if (migration !== undefined) return migration;
    throw new Error(
      `the backup is of version ${program} and has the migration ${name}, which this version does not have: restore it with that one, or a newer one`,
    );
  });
}

/** How long to wait for the leases of processes that ended without giving them back (ms): a little longer than a lease. */
const MAX_LEASE_MS = 20_000;

/** @throws Error if a process that works on the database renews its lease */
async function requireUnused(connection: Connection, onProgress: (line: string) => void): Promise<void> {
  const leases = async (): Promise<Map<number, Lease>> => {
    const rows = await connection.query<Lease[]>(
      `SELECT id, holder, CAST(expires_at AS CHAR) AS expiry FROM placement_feed_writers
        WHERE expires_at > UTC_TIMESTAMP()`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  };
  const first = await leases();
  let held = [...first.values()];
  if (held.length > 0) onProgress(`waiting for ${holdersOf(held)} to stop`);
  for (const deadline = Date.now() + MAX_LEASE_MS; held.length > 0; held = [...(await leases()).values()]) {
    const renewed = held.filter(({ id, expiry }) => first.get(id)?.expiry !== expiry);
    if (renewed.length > 0 || Date.now() > deadline)
      throw new Error(`the database is in use (${holdersOf(held)}): stop the servers that work on it first`);
    await sleep(200);
  }
}

interface Lease {
  readonly id: number;
  readonly holder: string;
  readonly expiry: string;
}

function holdersOf(leases: readonly Lease[]): string {
  return leases.map(({ holder }) => holder).join(', ');
}

/** Leaves nothing of this program but the record that a restore is not finished. */
async function clear(connection: Connection): Promise<void> {
  const tables = await readStoredTables(connection);
  if (!tables.has(HISTORY_TABLE)) await createHistory(connection);
  await connection.query('START TRANSACTION');
  await connection.query(`DELETE FROM ${HISTORY_TABLE}`);
  await connection.query(`INSERT INTO ${HISTORY_TABLE} (id, migration_name, checksum) VALUES (?, ?, '')`, [
    randomUUID(),
    UNFINISHED_RESTORE,
  ]);
  await connection.query('COMMIT');
  const others = knownTables().filter((name) => name !== HISTORY_TABLE && tables.has(name));
  await connection.query('SET foreign_key_checks = 0');
  if (others.length > 0) await connection.query(`DROP TABLE ${others.join(', ')}`);
  await connection.query('SET foreign_key_checks = 1');
}

/** Writes the rows of every table, and compares them; gives those of the history, which come last. */
async function load(
  database: Database,
  head: Head,
  { file, onProgress, onRows }: RestoreOptions,
  lock: HeldLock,
): Promise<LoadedTables> {
  const target = await database.longWork.getConnection();
  try {
    const loaded = await LoadedTables.on(target, head, { onProgress, onRows });
    await readBackup(file, {
      table: (name, columns) => loaded.begin(name, columns),
      rows: (rows: readonly Row[]) => loaded.write(rows),
      async tableEnd(end) {
        loaded.end(end);
        await lock.assertHeld();
      },
    });
    await loaded.compare();
    return loaded;
  } finally {
    target.destroy(); // not to be used again with its settings
  }
}

/** Puts the history in place: from here on versions of this program use the database. */
async function finish(
  connection: Connection,
  { history }: LoadedTables,
  recorded: readonly Migration[],
  onRestored: RestoreOptions['onRestored'],
): Promise<void> {
  await connection.query('START TRANSACTION');
  await connection.query(`DELETE FROM ${HISTORY_TABLE} WHERE migration_name IN (?)`, [
    [UNFINISHED_RESTORE, ...recorded.map(({ name }) => name)],
  ]);
  await connection.query(
    insertion(connection, { name: HISTORY_TABLE, columns: history.columns }, history.rows),
  );
  await onRestored(connection);
  await connection.query('COMMIT');
}

/**
 * Checks that a backup may be restored into a database: it is empty, or is to be replaced, or a restore into it was not finished.
 * Returns its tables.
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
      `the database is not empty and not one of this program's (it has the table ${[...tables.keys()][0]}): name an empty one`,
    );
  const done = await migrationsIn(connection);
  const known = new Set([UNFINISHED_RESTORE, ...readMigrations(PACKAGE).map(({ name }) => name)]);
  const unknown = done.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(
      `the database has the migration ${unknown} of another version, whose tables would remain: name an empty one`,
    );
  if (isReplacing || done.includes(UNFINISHED_RESTORE)) return tables;
  const made = COPIED_TABLES.filter(({ name }) => tables.has(name));
  if (made.length === 0) return tables;
  if (made.length < COPIED_TABLES.length)
    throw new Error('the database is not empty: name an empty one, or replace it with --replace');
  await requireEmpty(connection).catch((error: Error) => {
    throw new Error(`${error.message}: name an empty database, or replace it with --replace`, {
      cause: error,
    });
  });
  return tables;
}

async function migrationsIn(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ name: string }[]>(
    `SELECT migration_name AS name FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL`,
  );
  return rows.map(({ name }) => name);
}
