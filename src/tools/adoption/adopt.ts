import type { Connection } from 'mariadb';
import { randomUUID } from 'node:crypto';
import { LOCK_TABLE, withMigrationLock } from '../../store/migrations/migrationLock.js';
import type { Database } from '../../store/database/database.js';
import {
  type Migration,
  readMigrations,
  ALEMBIC_TABLE,
  PACKAGE,
  applyMigration,
  createHistory,
} from '../../store/migrations/migrator.js';
import { onConnection } from '../../store/database/onConnection.js';
import { readSpelledUuids, type SpelledUuid } from '../../store/sql/storedUuids.js';
import { type PlacementVersion, checkCompatibility } from './compatibility.js';
import type { Differences } from './differences.js';
import {
  HISTORY_TABLE,
  OWN_TABLES,
  type StoredTable,
  readStoredTables,
} from '../../store/migrations/tables.js';

export interface AdoptOptions {
  /** Change nothing. */
  readonly isDryRun?: boolean;
  readonly onProgress?: (line: string) => void;
  /** The folder of the migrations. */
  readonly directory?: URL;
}

export interface Adopted {
  readonly version: PlacementVersion;
  /** Harmless differences. */
  readonly notes: readonly string[];
  /** The changes, one line each; empty if the database was adopted before. */
  readonly steps: readonly string[];
}

/** Lists all reasons why a database cannot be adopted, one line each. */
export class NotAdoptable extends Error {
  constructor(
    readonly errors: readonly string[],
    readonly notes: readonly string[],
  ) {
    super(['this database cannot be adopted:', ...errors.map((line) => `error: ${line}`)].join('\n'));
  }
}

/**
 * Prepares a database of OpenStack Placement for this program: adds our tables and the history of
 * their migrations. Changes no table of OpenStack Placement, which may keep running. First removes
 * the remains of an interrupted adoption. If two processes call it at once, the second waits and
 * then finds the database adopted.
 *
 * @throws NotAdoptable if the database does not meet the requirements of this program
 * @throws Error with a one-line message if it is no database of OpenStack Placement
 */
export async function adopt(database: Database, options: AdoptOptions = {}): Promise<Adopted> {
  const { isDryRun = false, onProgress = () => undefined, directory = PACKAGE } = options;
  const migrations = readMigrations(directory);
  const planned = await unlocked(database, (connection) => plan(connection, migrations));
  // a dry run creates no table for the lock
  if (isDryRun || planned.steps.length === 0) return planned;
  return withMigrationLock(database, onProgress, async (connection, lock) => {
    const { left, ...adopted } = await plan(connection, migrations);
    if (adopted.steps.length === 0) return adopted;
    const [first, ...later] = migrations;
    await dropTables(connection, left);
    await createHistory(connection);
    // records the first migration, whose tables exist: `unfinished` until setFinishedAt
    await connection.query(
      `INSERT INTO ${HISTORY_TABLE} (id, migration_name, checksum, logs) VALUES (?, ?, ?, ?)`,
      [randomUUID(), first.name, first.checksum, `${MARK}, ${ALEMBIC_TABLE} ${adopted.version.revision}`],
    );
    for (const migration of later) await applyMigration(connection, { ...migration, begun: null }, lock);
    await setFinishedAt(connection, 'CURRENT_TIMESTAMP(3)');
    return adopted;
  });
}

async function plan(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<Adopted & { readonly left: readonly string[] }> {
  const { tables, state } = await readState(connection);
  const { version, notes } = await check(connection, { tables, state });
  if (state === 'adopted') return { version, notes, steps: [], left: [] };
  const isUnfinished = state === 'unfinished';
  const steps = [
    ...(isUnfinished ? ['remove the tables of an interrupted adoption'] : []),
    ...OWN.map((table) => `create the table ${table}`),
    `record ${migrations.map(({ name }) => name).join(', ')} in ${HISTORY_TABLE}`,
  ];
  const left = isUnfinished ? [...OWN.filter((table) => tables.has(table)), HISTORY_TABLE] : [];
  return { version, notes, steps, left };
}

export interface UndoOptions extends Omit<AdoptOptions, 'directory'> {
  /** Drop the names that users gave to aggregates. */
  readonly isDroppingNames?: boolean;
}

/**
 * Removes only the tables that {@link adopt} has added, and returns their names. No server of this program may work on
 * the database meanwhile.
 *
 * @throws Error with a one-line message if the database was not adopted by this version, or names would be lost
 */
export async function undoAdoption(database: Database, options: UndoOptions = {}): Promise<string[]> {
  const { isDryRun = false, onProgress = () => undefined } = options;
  const added = async (connection: Connection): Promise<string[]> => {
    const tables = await addedTables(connection);
    if (!options.isDroppingNames && tables.includes(NAMES_TABLE)) await requireNoNames(connection);
    return tables;
  };
  const planned = await unlocked(database, added);
  if (isDryRun) return planned;
  await withMigrationLock(database, onProgress, async (connection) => {
    const dropped = await added(connection);
    await setFinishedAt(connection, 'NULL'); // an interrupted undoing can be repeated
    await dropTables(connection, dropped);
  });
  await unlocked(database, (connection) => dropTables(connection, [LOCK_TABLE]));
  return planned;
}

async function addedTables(connection: Connection): Promise<string[]> {
  const { tables, state } = await readState(connection);
  if (state !== 'adopted' && state !== 'unfinished') {
    throw new Error('this database was not adopted');
  }
  await requireKnown(connection);
  return [...OWN.filter((table) => tables.has(table)), HISTORY_TABLE];
}

const OWN = Object.keys(OWN_TABLES);
const NAMES_TABLE = 'placement_aggregate_names';

async function requireNoNames(connection: Connection): Promise<void> {
  const [{ names }] = await connection.query<{ names: number }[]>(
    `SELECT COUNT(*) AS names FROM ${NAMES_TABLE}`,
  );
  if (names > 0)
    throw new Error(
      `${names} aggregates have names that users assigned, which would be lost: to drop them use --drop-names`,
    );
}

function unlocked<T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  return onConnection(database, work, { pool: database.longWork });
}

interface FoundTables {
  readonly tables: ReadonlyMap<string, StoredTable>;
  readonly state: AdoptionState;
}

async function readState(connection: Connection): Promise<FoundTables> {
  const tables = new Map(await readStoredTables(connection));
  tables.delete(LOCK_TABLE); // it is no part of an adoption
  return { tables, state: await adoptionState(connection, tables) };
}

async function check(
  connection: Connection,
  { tables, state }: FoundTables,
): Promise<{ version: PlacementVersion } & Pick<Differences, 'notes'>> {
  if (state === 'foreign') {
    throw new Error(
      tables.size === 0
        ? 'this database is empty: `placement-graphql serve` sets it up, there is nothing to adopt'
        : `this is no database of OpenStack Placement: it has no table ${ALEMBIC_TABLE}`,
    );
  }
  if (state === 'own') throw new Error('this program made the database itself: there is nothing to adopt');
  const found = await checkCompatibility(connection, tables);
  const { version } = found;
  const taken = state === 'unadopted' ? OWN.filter((table) => tables.has(table)) : [];
  const errors = [
    ...found.errors,
    ...taken.map((table) => `the table ${table} exists already, and no adoption has created it`),
  ];
  const notes = [...found.notes, ...(await isolationNotes(connection))];
  if (version === undefined || errors.length > 0) throw new NotAdoptable(errors, notes);
  return { version, notes: [...notes, ...(await spellingNotes(connection))] };
}

/** Returns a note on REPEATABLE READ: retries of OpenStack Placement in it read stale usage. */
async function isolationNotes(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ Value: string }[]>(
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')",
  );
  if (rows.every(({ Value }) => Value !== 'REPEATABLE-READ')) return [];
  return [
    'the default isolation level is REPEATABLE READ: OpenStack Placement can then exceed ' +
      'a capacity, beside this program and alone; a line of its configuration prevents that (docs/reliability.md)',
  ];
}

function spelledIn({ uuid, texts }: SpelledUuid): string {
  return texts.find((text) => text !== uuid) ?? uuid;
}

/** Returns notes on uuids in another spelling, and on consumers with several rows. */
async function spellingNotes(connection: Connection): Promise<string[]> {
  const found = {
    aggregates: await readSpelledUuids(connection, 'placement_aggregates'),
    consumers: await readSpelledUuids(connection, 'consumers'),
  };
  const notes = Object.entries(found).flatMap(([what, all]) =>
    all.length === 0
      ? []
      : `${what} stored in another spelling of their uuid: ${all.length}, such as ${spelledIn(all[0])}; ` +
        'the audit lists them',
  );
  const several = found.consumers.filter(({ texts }) => texts.length > 1);
  if (several.length === 0) return notes;
  const [{ uuid, texts }] = several;
  return [
    ...notes,
    `consumers with several rows, which can only be deleted: ${several.length}, such as ${uuid} (${texts.join(' and ')})`,
  ];
}

async function requireKnown(connection: Connection): Promise<void> {
  const known = readMigrations(PACKAGE);
  const rows = await connection.query<{ name: string }[]>(
    `SELECT migration_name AS name FROM ${HISTORY_TABLE}`,
  );
  const newer = rows.find(({ name }) => !known.some((migration) => migration.name === name));
  if (newer) {
    throw new Error(
      `the database is newer than this program (it has the migration ${newer.name}): undo with that version`,
    );
  }
}

/** Drops tables in order. The history must be last, because it proves that the others are ours. */
async function dropTables(connection: Connection, tables: readonly string[]): Promise<void> {
  for (const table of tables) await connection.query(`DROP TABLE IF EXISTS ${table}`);
}

/** The start of the log of the first migration, which an adoption records but does not run. */
const MARK = 'adopted from OpenStack Placement';

/**
 * - `foreign`: not made by OpenStack Placement;
 * - `unadopted`: made by OpenStack Placement, without a history of our migrations;
 * - `unfinished`: an adoption, or its undoing, was interrupted;
 * - `adopted`;
 * - `own`: made by this program.
 */
export type AdoptionState = 'foreign' | 'unadopted' | 'unfinished' | 'adopted' | 'own';

/** Reads the state from the row of the first migration, which an adoption finishes last. */
export async function adoptionState(
  connection: Connection,
  tables: ReadonlyMap<string, StoredTable>,
): Promise<AdoptionState> {
  const isPlacements = tables.has(ALEMBIC_TABLE);
  if (!tables.has(HISTORY_TABLE)) return isPlacements ? 'unadopted' : 'foreign';
  const rows = await connection.query<{ logs: string | null; finished_at: string | null }[]>(
    `SELECT logs, finished_at FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL`,
  );
  const marked = rows.find(({ logs }) => logs?.startsWith(MARK));
  if (!isPlacements || (rows.length > 0 && marked === undefined)) return 'own';
  return marked?.finished_at ? 'adopted' : 'unfinished';
}

/** Without a time the adoption is unfinished. */
async function setFinishedAt(connection: Connection, at: 'CURRENT_TIMESTAMP(3)' | 'NULL'): Promise<void> {
  await connection.query(`UPDATE ${HISTORY_TABLE} SET finished_at = ${at} WHERE logs LIKE '${MARK}%'`);
}
