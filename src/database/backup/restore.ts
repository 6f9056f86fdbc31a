import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mariadb';
import { HISTORY_TABLE } from '../adoption/adoption.js';
import { readStoredTables } from '../adoption/storedTables.js';
import type { HeldLock } from '../cluster/migrationLock.js';
import type { Database } from '../database.js';
import { readMigrations, type Migration } from '../migrations.js';
import {
  ALEMBIC_TABLE,
  applyMigration,
  createHistory,
  PACKAGE,
  UNFINISHED_RESTORE,
  withMigrationLock,
} from '../migrator.js';
import { insertion, type Row } from '../transfer/pages.js';
import { LoadedTables } from './loadedTables.js';
import type { Head } from './format.js';
import { readBackup } from './readBackup.js';
import { EPOCH_TABLE, knownTables } from './storedState.js';
import { requireRestorable } from './target.js';

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
}

/**
 * Makes a database what it was at the moment of a backup, with ids, generations, times and the history of migrations as they were, and
 * brings it up to date with this version. Until all of it is there and has been compared, the history says so, and no version of this
 * program uses the database; an interrupted restore is repeated from its beginning.
 *
 * The change feed gets another epoch: cursors of subscriptions from before are expired.
 *
 * @throws DamagedBackup, or Error with a one-line message when the database is not empty, is in use, or the copy differs
 */
export async function restoreDatabase(database: Database, options: RestoreOptions): Promise<void> {
  const { file, isReplacing = false, isDryRun = false, onProgress } = options;
  const connection = await database.longWork.getConnection();
  try {
    await requireUnused(connection);
    await requireRestorable(connection, isReplacing);
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
    await finish(steps, history, recorded);
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

/** For connections of a process that has just ended (ms). */
const CLOSING_MS = 5_000;

/** A server that has rows in its memory would go on with them. */
async function requireUnused(connection: Connection): Promise<void> {
  const [{ name }] = await connection.query<{ name: string }[]>('SELECT DATABASE() AS name');
  const others = async (): Promise<string[]> => {
    const rows =
      await connection.query<{ Id: number; db: string | null; Host: string; User: string }[]>(
        'SHOW PROCESSLIST',
      );
    return rows.flatMap(({ Id, db, Host, User }) =>
      db === name && Number(Id) !== connection.threadId ? [`${User}@${Host}`] : [],
    );
  };
  for (const deadline = Date.now() + CLOSING_MS; ; await sleep(200)) {
    const found = await others();
    if (found.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `the database is in use (${found.length} connections of ${[...new Set(found)].join(', ')}): stop the servers that work on it first`,
      );
  }
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

/** From here on it is a database like any other: with the history as it was, what came after, and another epoch of the change feed. */
async function finish(
  connection: Connection,
  { history }: LoadedTables,
  recorded: readonly Migration[],
): Promise<void> {
  await connection.query('START TRANSACTION');
  await connection.query(`DELETE FROM ${HISTORY_TABLE} WHERE migration_name IN (?)`, [
    [UNFINISHED_RESTORE, ...recorded.map(({ name }) => name)],
  ]);
  await connection.query(
    insertion(connection, { name: HISTORY_TABLE, columns: history.columns }, history.rows),
  );
  await connection.query(`DELETE FROM ${EPOCH_TABLE}`);
  await connection.query(`INSERT INTO ${EPOCH_TABLE} (epoch, started_at) VALUES (?, UTC_TIMESTAMP())`, [
    randomInt(1, 2 ** 48 - 1),
  ]);
  await connection.query('COMMIT');
}
