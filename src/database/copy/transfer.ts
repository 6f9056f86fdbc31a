import type { Connection } from 'mariadb';
import { randomUUID } from 'node:crypto';
import { type PlacementVersion, checkCompatibility } from '../adoption/compatibility.js';
import { HISTORY_TABLE, OWN_TABLES, type StoredTable, readStoredTables } from '../adoption/tables.js';
import { isStandard, loadCatalog, readCatalog } from '../catalog.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { inConsistentSnapshot } from '../consistentSnapshot.js';
import type { Database } from '../database.js';
import { reason } from '../failures.js';
import { ALEMBIC_TABLE, PACKAGE } from '../migrator.js';
import { areEqual, copyRows, lineOf, raiseNextIds, readFigures } from './rows.js';
import { CATALOG_TABLES, COPIED_TABLES } from './tables.js';

export interface TransferOptions {
  readonly source: Database;
  readonly target: Database;
  /** Change nothing. */
  readonly isDryRun?: boolean;
  /** Told what is found and done; what it throws ends the transfer. */
  readonly onProgress: (line: string) => void;
  /** Told several times a second how far it is; as well. */
  readonly onRows?: (line: string) => void;
}

/** What differs by direction. */
export interface Direction {
  /** @throws Error when an end is not as it must be */
  readonly check: (source: Connection, target: Connection) => Promise<void>;
  /** A table of the target with rows in it, which are locked: so that of two transfers at once the second finds the rows of the first. */
  readonly locked: string;
  /** Called in the transaction when the copy is equal. */
  readonly finish?: (target: Connection) => Promise<void>;
}

/** For a transfer that was killed, whose rows the server is still removing. */
const LOCK_WAIT_SECONDS = 600;

/** Ids may be 0, and whatever is stored can be copied, be it a date that no calendar has. */
const MODES = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES';

/**
 * Copies the tables of OpenStack Placement from one database into another that is empty, as they are at one moment and with their ids,
 * whoever writes to the source meanwhile. All of it is one transaction of the target: one that is interrupted leaves nothing, and begins
 * again when it is repeated. Before the commit the copy is compared with the source.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error with a one-line message when the target is not empty, or is the source
 */
function transfer(options: TransferOptions, direction: Direction): Promise<boolean> {
  return inConsistentSnapshot(options.source, async (source) => {
    const target = await options.target.longWork.getConnection();
    try {
      if (await isSameDatabase(source, target))
        throw new Error('the source and the target are the same database');
      await direction.check(source, target);
      await requireEmpty(target);
      if (options.isDryRun) {
        await tellRows(source, options);
        options.onProgress('nothing is changed');
        return true;
      }
      await raiseNextIds(source, target);
      return await copyAll(source, target, options, direction);
    } finally {
      target.destroy(); // not to be used again with these settings; and what is not committed is rolled back
    }
  });
}

async function tellRows(source: Connection, { onProgress }: TransferOptions): Promise<void> {
  for (const table of COPIED_TABLES)
    onProgress(`would copy ${lineOf(table, await readFigures(source, table))}`);
}

async function copyAll(
  source: Connection,
  target: Connection,
  options: TransferOptions,
  { locked, finish }: Direction,
): Promise<boolean> {
  await target.query(
    `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, foreign_key_checks = 0, sql_mode = '${MODES}'`,
  );
  await target.beginTransaction();
  await target.query(`SELECT * FROM ${locked} FOR UPDATE`);
  await requireEmpty(target);
  await removeCatalog(target);
  for (const table of COPIED_TABLES) {
    const onRows = (rows: number): void => options.onRows?.(`${table.name}: ${rows} rows`);
    const count = await copyRows(source, target, table, onRows).catch((error: unknown) => {
      throw new Error(`cannot copy ${table.name}: ${reason(error)}`, { cause: error });
    });
    options.onProgress(`copied ${table.name}: ${count} rows`);
  }
  if (!(await isEqual(source, target, options))) {
    await target.rollback();
    options.onProgress('the copy differs from the source: nothing is changed');
    return false;
  }
  await finish?.(target);
  await target.commit();
  options.onProgress('the copy is equal to the source');
  // the server would do so later by itself; until then its plans are those for empty tables
  await target.query(`ANALYZE TABLE ${COPIED_TABLES.map(({ name }) => name).join(', ')}`);
  return true;
}

/** Compares every table, and tells of each. */
async function isEqual(
  source: Connection,
  target: Connection,
  { onProgress }: TransferOptions,
): Promise<boolean> {
  let isAllEqual = true;
  for (const table of COPIED_TABLES) {
    const [here, there] = await Promise.all([source, target].map((end) => readFigures(end, table)));
    const isSame = areEqual(here, there);
    onProgress(`${isSame ? 'equal' : 'DIFFERENT'}: ${lineOf(table, here, there)}`);
    isAllEqual &&= isSame;
  }
  return isAllEqual;
}

/**
 * Copies a database of ours, on which servers may go on writing, into one in which OpenStack Placement has made its tables. They stay
 * as they are, and get no table of ours beside them.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error when the target is not as it must be
 */
export function exportPlacement(options: TransferOptions): Promise<boolean> {
  return transfer(options, {
    locked: ALEMBIC_TABLE,
    async check(source, target) {
      const { version, tables } = await requirePlacement(target, 'target');
      if (tables.has(HISTORY_TABLE)) {
        throw new Error(
          'this program works on the target, too: use `import`, with DATABASE_URL naming the target',
        );
      }
      options.onProgress(`the target: OpenStack Placement, ${version.releases}, version ${version.revision}`);
      for (const other of othersIn(await readStoredTables(source)))
        options.onProgress(`not copied: ${other}`);
    },
  });
}

export interface ImportOptions extends TransferOptions {
  /** Called in the transaction that writes the copy, when all is there. */
  readonly onCopied?: (target: Connection) => Promise<void>;
}

/**
 * Copies the database of an OpenStack Placement, which may go on writing, into one of ours that is migrated and empty. The standard
 * traits and resource classes of the target give way to those of the source, whose ids are in its rows; what the source lacks of them is
 * added then, as at the start of a server.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error when the source or the target is not as it must be
 */
export function importPlacement(options: ImportOptions): Promise<boolean> {
  return transfer(options, {
    locked: 'resource_classes',
    async check(source) {
      const { version, tables } = await requirePlacement(source, 'source');
      options.onProgress(`the source: OpenStack Placement, ${version.releases}, version ${version.revision}`);
      for (const other of othersIn(tables)) options.onProgress(`not copied: ${other}`);
    },
    async finish(target) {
      await loadCatalog(target, readCatalog(PACKAGE));
      await options.onCopied?.(target);
    },
  });
}

/** A database of OpenStack Placement to copy from, or to. */
export interface PlacementEnd {
  readonly version: PlacementVersion;
  readonly tables: ReadonlyMap<string, StoredTable>;
}

/**
 * Checks that it is a database of OpenStack Placement as `adopt` would accept it; of a source, indexes and keys do not matter.
 *
 * @throws Error that tells in a line each what is not as it must be
 */
async function requirePlacement(connection: Connection, end: 'source' | 'target'): Promise<PlacementEnd> {
  const tables = await readStoredTables(connection);
  if (!tables.has(ALEMBIC_TABLE)) {
    throw new Error(
      `the ${end} is no database of OpenStack Placement: it has no table ${ALEMBIC_TABLE}, which \`placement-manage db sync\` makes`,
    );
  }
  const [own, catalog] = [Object.keys(OWN_TABLES), readCatalog(PACKAGE)];
  const expectations = { own, catalog, isOnlyRead: end === 'source' };
  const { version, errors } = await checkCompatibility(connection, tables, expectations);
  if (version === undefined || errors.length > 0) {
    throw new Error(
      [`the ${end} is not as it must be:`, ...errors.map((line) => `error: ${line}`)].join('\n'),
    );
  }
  return { version, tables };
}

/** Tables and columns of a source that are neither OpenStack Placement's nor ours: they are not copied. */
function othersIn(tables: ReadonlyMap<string, StoredTable>): string[] {
  const known = new Map(COPIED_TABLES.map(({ name, columns }) => [name, columns]));
  const ours = new Set([ALEMBIC_TABLE, HISTORY_TABLE, LOCK_TABLE, ...Object.keys(OWN_TABLES)]);
  return [...tables].flatMap(([table, { columns }]) => {
    const copied = known.get(table);
    if (copied === undefined) return ours.has(table) ? [] : [`the table ${table}`];
    const others = columns.filter(({ name }) => !copied.includes(name));
    return others.map(({ name }) => `the column ${table}.${name}`);
  });
}

const isCatalog = (table: string): boolean => CATALOG_TABLES.some((name) => name === table);

/**
 * Checks that a database has nothing but standard traits and resource classes.
 *
 * @throws Error with a one-line message
 */
export async function requireEmpty(connection: Connection): Promise<void> {
  const refuse = (found: string): Error => new Error(`the target must be empty, and it has ${found}`);
  for (const { name } of COPIED_TABLES) {
    if (isCatalog(name)) continue;
    const rows = await connection.query<unknown[]>(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) throw refuse(`rows in ${name}`);
  }
  for (const table of CATALOG_TABLES) {
    const rows = await connection.query<{ name: string }[]>(`SELECT name FROM ${table}`);
    const custom = rows.find(({ name }) => !isStandard(name));
    if (custom !== undefined) throw refuse(`${custom.name} in ${table}`);
  }
}

/** Removes the standard traits and classes of a database that has nothing else: those of the source have other ids. */
async function removeCatalog(connection: Connection): Promise<void> {
  // custom ones that somebody has added since make the copy differ
  for (const table of CATALOG_TABLES)
    await connection.query(`DELETE FROM ${table} WHERE LEFT(name, 7) <> 'CUSTOM_'`);
}

/** Whether both are connections to the same database of one server, by whatever names, ports and sockets. */
async function isSameDatabase(one: Connection, other: Connection): Promise<boolean> {
  const lock = `placement_transfer_${randomUUID()}`; // a lock is one of the whole server
  await one.query('DO GET_LOCK(?, 0)', [lock]);
  const [{ holder }] = await other.query<{ holder: number | null }[]>('SELECT IS_USED_LOCK(?) AS holder', [
    lock,
  ]);
  await one.query('DO RELEASE_LOCK(?)', [lock]);
  return holder !== null && (await databaseOf(one)) === (await databaseOf(other));
}

async function databaseOf(connection: Connection): Promise<string> {
  const [{ name }] = await connection.query<{ name: string }[]>('SELECT DATABASE() AS name');
  return name;
}
