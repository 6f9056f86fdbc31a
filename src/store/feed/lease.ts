import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { sql, type RawBuilder } from 'kysely';
import { columns, statement, tables, value, write, type Queryable } from '../sql/statements.js';
import { UNFINISHED_RESTORE } from '../migrations/migrator.js';
import { DatabaseUnavailable } from '../../model/operation/waiting.js';
import { VERSION } from '../version.js';
import { excludedRootsText } from './excludedRoots.js';

const writers = columns('placement_feed_writers');

/** The duration of a lease (s). */
export const LEASE_SECONDS = 15;

/** Inserts a writer with a lease of `seconds`. @throws DatabaseUnavailable during a restore */
export async function registerWriter(
  reader: Queryable,
  seconds: number,
  excludedRootTraits?: readonly string[],
): Promise<number> {
  const id = randomInt(1, 2 ** 31);
  const holder = `process ${process.pid} on ${hostname()}`;
  const excluded = excludedRootTraits === undefined ? null : excludedRootsText(excludedRootTraits);
  const { affectedRows } = await write(reader, REGISTER, [id, holder, seconds, excluded, VERSION]);
  if (affectedRows === 1) return id;
  throw new DatabaseUnavailable('The database is not available: a backup is being restored into it.');
}

/** Inserts no row while a restore is unfinished. */
const REGISTER = {
  text: `INSERT INTO placement_feed_writers
      (${writers.id}, ${writers.holder}, ${writers.started_at}, ${writers.expires_at},
       ${writers.excluded_root_traits}, ${writers.version})
    SELECT ?, ?, UTC_TIMESTAMP(), UTC_TIMESTAMP() + INTERVAL ? SECOND, ?, ? FROM DUAL
     WHERE NOT EXISTS (SELECT 1 FROM _prisma_migrations WHERE migration_name = '${UNFINISHED_RESTORE}')`,
};
const leaseUntil = (expiry: RawBuilder<string>) =>
  statement(
    tables
      .updateTable('placement_feed_writers')
      .set({ expires_at: expiry })
      .where('id', '=', value<number>()),
  );
export const RENEW_LEASE = leaseUntil(sql`UTC_TIMESTAMP() + INTERVAL ${sql.lit(LEASE_SECONDS)} SECOND`);
export const END_LEASE = leaseUntil(sql`UTC_TIMESTAMP()`);
