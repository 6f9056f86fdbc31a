import { randomUUID } from 'node:crypto';
import type { Connection } from 'mariadb';
import type { Migration } from '../migrations.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import { HISTORY_TABLE } from './placementTables.js';
import type { StoredTable } from './storedTables.js';

/** Begins the log of the first migration, which an adoption records without running it. */
const MARK = 'adopted from OpenStack Placement';

/**
 * - `foreign`: not made by OpenStack Placement;
 * - `unadopted`: made by it, without anything of ours;
 * - `unfinished`: an adoption, or the undoing of one, was interrupted;
 * - `adopted`;
 * - `own`: made by this program.
 */
export type AdoptionState = 'foreign' | 'unadopted' | 'unfinished' | 'adopted' | 'own';

/** The row of the first migration says it: an adoption begins with it, and finishes it last. */
export async function adoptionState(
  connection: Connection,
  tables: ReadonlyMap<string, StoredTable>,
): Promise<AdoptionState> {
  const isPlacements = tables.has(ALEMBIC_TABLE);
  if (!tables.has(HISTORY_TABLE)) return isPlacements ? 'unadopted' : 'foreign';
  const rows = await connection.query<{ logs: string | null; finished_at: Date | null }[]>(
    `SELECT logs, finished_at FROM ${HISTORY_TABLE} WHERE rolled_back_at IS NULL`,
  );
  const marked = rows.find(({ logs }) => logs?.startsWith(MARK));
  if (!isPlacements || (rows.length > 0 && marked === undefined)) return 'own';
  return marked?.finished_at ? 'adopted' : 'unfinished';
}

/** Records that the tables of the first migration are there, which is `unfinished` until {@link finishAdoption}. */
export async function beginAdoption(
  connection: Connection,
  { name, checksum }: Migration,
  revision: string,
): Promise<void> {
  await connection.query(
    `INSERT INTO ${HISTORY_TABLE} (id, migration_name, checksum, logs) VALUES (?, ?, ?, ?)`,
    [randomUUID(), name, checksum, `${MARK}, ${ALEMBIC_TABLE} ${revision}`],
  );
}

export async function finishAdoption(connection: Connection): Promise<void> {
  await connection.query(
    `UPDATE ${HISTORY_TABLE} SET finished_at = CURRENT_TIMESTAMP(3) WHERE logs LIKE '${MARK}%'`,
  );
}

/** Makes it `unfinished` again, so that what is interrupted from here on can be repeated. */
export async function reopenAdoption(connection: Connection): Promise<void> {
  await connection.query(`UPDATE ${HISTORY_TABLE} SET finished_at = NULL WHERE logs LIKE '${MARK}%'`);
}
