import type { Connection } from 'mariadb';
import { inConsistentSnapshot } from '../consistentSnapshot.js';
import type { Database } from '../database.js';
import { reason } from '../failures.js';
import { COPIED_TABLES } from './copiedTables.js';
import { copyRows } from './copyRows.js';
import { removeCatalog, requireEmpty } from './emptiness.js';
import { areEqual, lineOf, readFigures } from './figures.js';
import { raiseNextIds } from './nextIds.js';
import { isSameDatabase } from './sameDatabase.js';

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
export function transfer(options: TransferOptions, direction: Direction): Promise<boolean> {
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
