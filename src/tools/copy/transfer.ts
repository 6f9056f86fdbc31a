import type { Connection } from 'mariadb';
import { randomUUID } from 'node:crypto';
import { adoptionState } from '../adoption/adopt.js';
import { checkCompatibility } from '../adoption/compatibility.js';
import {
  EXPECTED_TABLES,
  HISTORY_TABLE,
  OWN_TABLES,
  type StoredTable,
  readStoredTables,
} from '../../store/migrations/tables.js';
import { loadCatalog, readCatalog } from '../../store/sql/catalog.js';
import { inConsistentSnapshot } from '../../store/database/onConnection.js';
import type { Database } from '../../store/database/database.js';
import { ALEMBIC_TABLE, PACKAGE } from '../../store/migrations/migrator.js';
import { normalizedSql, readSpelledUuids } from '../../store/sql/storedUuids.js';
import { type Progress, compareChecks, copyTables } from './copy.js';
import {
  CATALOG_TABLES,
  DatabaseWriter,
  FEED,
  type TableLayout,
  analyze,
  databaseTables,
  externalParts,
  layoutsOf,
  nextId,
  requireEmpty,
  setNextId,
} from './databaseEnd.js';

export interface TransferOptions extends Progress {
  readonly source: Database;
  readonly target: Database;
  /** Change nothing. */
  readonly isDryRun?: boolean;
  /** Called at the end of the transaction that writes the copy, if servers of this program may work on the target. */
  readonly onCopied?: (target: Connection) => Promise<void>;
}

const COPIED = Object.keys(EXPECTED_TABLES);

/** The version of the quotas of a database, which only counts up, and the consumer types that they do not count. */
const STATE_TABLE = 'placement_quota_state';

/** The tables of this program that are copied between adopted databases: quotas, holds, names, owners, requests. */
const CARRIED = Object.keys(OWN_TABLES).filter((name) => !FEED.test(name) && name !== STATE_TABLE);

interface Checked {
  /** The tables of the source. */
  readonly stored: ReadonlyMap<string, StoredTable>;
  /** Whether the target has tables of this program. They are copied, too; those that the source lacks become empty. */
  readonly hasOwn: boolean;
}

interface Direction {
  /** @throws Error if the source or the target is unsuitable */
  readonly check: (source: Connection, target: Connection) => Promise<Checked>;
  /** A non-empty table of the target. Its rows are locked, so that a concurrent transfer waits. */
  readonly locked: string;
  /** Returns the SQL expression of a column of the source. Defaults to its stored value. */
  readonly expressionOf?: (table: string, column: string, value: string) => string;
  /** Called in the transaction if the copy is equal. */
  readonly finish?: (target: Connection) => Promise<void>;
}

/** The lock timeout. It is long, because the server may still be rolling back a killed transfer. */
const LOCK_WAIT_SECONDS = 600;

/**
 * Copies the tables of OpenStack Placement, as they are at one moment and with their ids, into an empty database. The
 * copy is one transaction of the target, so an interrupted transfer leaves nothing and can be repeated. The copy is
 * compared with the source before the commit.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error with a one-line message if the target is not empty, or is the source
 */
function transfer(options: TransferOptions, direction: Direction): Promise<boolean> {
  const { onProgress } = options;
  return inConsistentSnapshot(options.source, async (source) => {
    const target = await options.target.longWork.getConnection();
    try {
      if (await isSameDatabase(source, target))
        throw new Error('the source and the target are the same database');
      const { stored, hasOwn } = await direction.check(source, target);
      for (const part of externalParts(stored)) onProgress(`not copied: ${part}`);
      await requireEmpty(target);
      const { expressionOf = (_table, _column, value) => value } = direction;
      const names = hasOwn ? [...COPIED, ...CARRIED] : COPIED;
      const layouts = layoutsOf(stored, names).map(({ values, ...layout }) => ({
        ...layout,
        values: values.map((value, at) => expressionOf(layout.name, layout.columns[at], value)),
      }));
      if (options.isDryRun) {
        for (const table of databaseTables(source, layouts))
          onProgress(`would copy ${compareChecks(table.name, await table.checks()).line}`);
        onProgress('nothing is changed');
        return true;
      }
      await raiseNextIds(source, target, layouts);
      return await copyAll({ source, target, layouts, hasOwn }, options, direction);
    } finally {
      target.destroy(); // its settings must not be used again, and an open transaction is rolled back
    }
  });
}

/**
 * Makes the target generate only ids above all ids that the source has generated, including ids of
 * deleted rows. Otherwise a row with a dangling reference, such as an allocation from a deleted
 * provider, would refer to a new row.
 */
async function raiseNextIds(
  source: Connection,
  target: Connection,
  layouts: readonly TableLayout[],
): Promise<void> {
  for (const { name, isCounted } of layouts) {
    if (!isCounted) continue;
    const next = await nextId(source, name);
    if (next > (await nextId(target, name))) await setNextId(target, name, next);
  }
}

interface Copy {
  readonly source: Connection;
  readonly target: Connection;
  readonly layouts: readonly TableLayout[];
  readonly hasOwn: boolean;
}

async function copyAll(
  { source, target, layouts, hasOwn }: Copy,
  options: TransferOptions,
  { locked, finish }: Direction,
): Promise<boolean> {
  const { onProgress } = options;
  const writer = new DatabaseWriter(target, 'copy', options);
  await writer.prepare();
  await target.query(`SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`);
  await target.beginTransaction();
  await target.query(`SELECT * FROM ${locked} FOR UPDATE`);
  await requireEmpty(target);
  // the source has other ids for the standard traits and classes; custom entries that another program has added
  // meanwhile make the copy differ
  for (const table of CATALOG_TABLES)
    await target.query(`DELETE FROM ${table} WHERE LEFT(name, 7) <> 'CUSTOM_'`);
  // of objects that were deleted before
  if (hasOwn) for (const table of CARRIED) await target.query(`DELETE FROM ${table}`);
  await copyTables(databaseTables(source, layouts), writer, options);
  let isAllEqual = true;
  for await (const { isEqual, line } of writer.compare()) {
    onProgress(`${isEqual ? 'equal' : 'DIFFERENT'}: ${line}`);
    isAllEqual &&= isEqual;
  }
  if (!isAllEqual) {
    await target.rollback();
    onProgress('the copy differs from the source: nothing is changed');
    return false;
  }
  await finish?.(target);
  if (hasOwn) {
    await carryState(source, target, layouts);
    await options.onCopied?.(target);
  }
  await target.commit();
  onProgress('the copy is equal to the source');
  await analyze(
    target,
    layouts.map(({ name }) => name),
  );
  return true;
}

/** Makes running servers read the quotas, with the consumer types that the copied usage does not count. */
async function carryState(
  source: Connection,
  target: Connection,
  layouts: readonly TableLayout[],
): Promise<void> {
  const read = `SELECT ignored_types FROM ${STATE_TABLE}`;
  const isCarried = layouts.some(({ name }) => name === 'placement_quotas');
  const rows = isCarried ? await source.query<{ ignored_types: string }[]>(read) : [];
  const types = rows.at(0)?.ignored_types ?? null;
  await target.query(
    `INSERT INTO ${STATE_TABLE} (id, version, ignored_types) VALUES (1, 1, COALESCE(?, ''))
     ON DUPLICATE KEY UPDATE version = version + 1, ignored_types = COALESCE(?, ignored_types)`,
    [types, types],
  );
}

/**
 * Copies a database of this program into the tables that OpenStack Placement has created in another
 * database. Servers may write to the source meanwhile. Creates no table in the target. If the target is adopted, quotas,
 * holds and the other rows of this program are copied, too.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error if the target is unsuitable
 */
export function exportPlacement(options: TransferOptions): Promise<boolean> {
  return transfer(options, {
    locked: ALEMBIC_TABLE,
    async check(source, target) {
      const tables = await requirePlacement(target, 'target', options.onProgress);
      const stored = await readStoredTables(source);
      const hasOwn = tables.has(HISTORY_TABLE);
      if (hasOwn) await requireAdopted(target, tables);
      else for (const line of await leftBehind(source, stored)) options.onProgress(line);
      return { stored, hasOwn };
    },
  });
}

/**
 * Checks that this version has adopted a target with tables of this program.
 *
 * @throws Error with a one-line message
 */
async function requireAdopted(target: Connection, tables: ReadonlyMap<string, StoredTable>): Promise<void> {
  if ((await adoptionState(target, tables)) !== 'adopted')
    throw new Error(
      'the target has tables of this program, but no adoption of it has ended: run `adopt` on it',
    );
  for (const name of [...CARRIED, STATE_TABLE]) {
    const columns = new Set(tables.get(name)?.columns.map((column) => column.name));
    const missing = Object.keys(OWN_TABLES[name].columns).find((column) => !columns.has(column));
    if (missing !== undefined)
      throw new Error(
        `the target lacks the column ${name}.${missing}: run \`migrate\` of this version on it`,
      );
  }
}

/** The rows that Placement has no tables for. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  placement_quotas: 'quotas',
  placement_holds: 'times at which consumers end: they stay until they are deleted',
  placement_consumptions:
    'amounts that partitions consume: OpenStack Placement offers partitions that overlap',
  placement_aggregate_names: 'names of aggregates',
  placement_ownerships: 'owners of parts of the fleet',
  placement_workloads: 'workloads',
  placement_consumer_requests: 'requests of consumers',
};

/** Returns a line for each kind of rows that an export does not copy. */
async function leftBehind(source: Connection, tables: ReadonlyMap<string, StoredTable>): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, what] of Object.entries(LEFT_BEHIND)) {
    if (!tables.has(table)) continue;
    const [{ rows }] = await source.query<{ rows: string }[]>(
      `SELECT CAST(COUNT(*) AS CHAR) AS \`rows\` FROM ${table}`,
    );
    if (rows !== '0') lines.push(`not copied: ${rows} ${what}`);
  }
  if (lines.length > 0)
    lines.push('`placement-graphql adopt` on the target before the export copies these, too');
  return lines;
}

/**
 * Copies the database of an OpenStack Placement into a migrated and empty database of this program.
 * Placement may write to the source meanwhile. The copy has all uuids in the usual spelling. The standard traits and resource classes of the
 * source replace those of the target, because rows contain their ids. Missing standard traits and
 * classes are then added, as at the start of a server. Quotas, holds and the other rows of this program are copied from an
 * adopted source, and nothing is rejected for a quota.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error if the source or the target is unsuitable
 */
export function importPlacement(options: TransferOptions): Promise<boolean> {
  return transfer(options, {
    locked: 'resource_classes',
    async check(source) {
      const stored = await requirePlacement(source, 'source', options.onProgress);
      await requireSingleRows(source);
      return { stored, hasOwn: true };
    },
    expressionOf: normalizedSql,
    async finish(target) {
      await loadCatalog(target, readCatalog(PACKAGE));
    },
  });
}

/**
 * Checks that no two rows become one when their uuids are normalized.
 *
 * @throws Error that names the stored texts
 */
async function requireSingleRows(source: Connection): Promise<void> {
  for (const [table, what] of [
    ['consumers', 'consumer'],
    ['placement_aggregates', 'aggregate'],
  ] as const) {
    const several = (await readSpelledUuids(source, table)).find(({ texts }) => texts.length > 1);
    if (several !== undefined)
      throw new Error(
        `the source has several rows of the ${what} ${several.uuid}: ${several.texts.join(' and ')}; delete all but one`,
      );
  }
}

/**
 * Checks that `adopt` would accept the database. The indexes and keys of a source are not checked.
 *
 * @throws Error with one line for each problem
 */
async function requirePlacement(
  connection: Connection,
  end: 'source' | 'target',
  onProgress: Progress['onProgress'],
): Promise<ReadonlyMap<string, StoredTable>> {
  const tables = await readStoredTables(connection);
  if (!tables.has(ALEMBIC_TABLE)) {
    throw new Error(
      `the ${end} is no database of OpenStack Placement: it has no table ${ALEMBIC_TABLE}, ` +
        'which `placement-manage db sync` makes',
    );
  }
  const { version, errors } = await checkCompatibility(connection, tables, end === 'source');
  const lines = [`the ${end} cannot be used:`, ...errors.map((line) => `error: ${line}`)];
  if (version === undefined || errors.length > 0) throw new Error(lines.join('\n'));
  onProgress(`the ${end}: OpenStack Placement, ${version.releases}, version ${version.revision}`);
  return tables;
}

/** Returns whether two connections use the same database of one server, whatever their addresses. */
async function isSameDatabase(one: Connection, other: Connection): Promise<boolean> {
  const lock = `placement_transfer_${randomUUID()}`; // one lock for the whole server
  await one.query('DO GET_LOCK(?, 0)', [lock]);
  const databaseOf = async (connection: Connection) => {
    const sql = 'SELECT DATABASE() AS name, IS_USED_LOCK(?) AS holder';
    const [row] = await connection.query<{ name: string; holder: number | null }[]>(sql, [lock]);
    return row;
  };
  const [here, there] = [await databaseOf(one), await databaseOf(other)];
  await one.query('DO RELEASE_LOCK(?)', [lock]);
  return there.holder !== null && here.name === there.name;
}
